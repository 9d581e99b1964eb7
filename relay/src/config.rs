//! Flags, environment and file to one checked [`Config`]: a flag wins over the environment, the environment over the
//! file, the file over the default.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::Parser;
use serde::Deserialize;

use crate::quota::Limits;

/// Carries streams between phones and the boxes that dialled it, byte for byte and unread.
///
/// A box dials the relay over QUIC with the address that the relay prints (`vyre serve --relay URL`). Phones reach the
/// box through it over QUIC, and browsers below `https://HOST/b/BOX-ID/v1/`.
///
/// Each setting can stand in a TOML file under the same name (`http = "0.0.0.0:443"`), in the environment as
/// `VYRE_RELAY_NAME`, or on the command line; the later ones win.
///
/// The relay's key and certificate are made in --data on first start. With --tls-cert and --tls-key another certificate
/// is used, for example one of a public authority; the printed address then needs no key. Files that change are read
/// again within 5 s, without a restart.
#[derive(Debug, Parser)]
#[command(name = "vyre-relay", version)]
pub struct Flags {
    /// Folder for keys; made if it is not there, readable by its owner alone.
    #[arg(long, env = "VYRE_RELAY_DATA", value_name = "DIR")]
    pub data: Option<PathBuf>,

    /// Address for HTTPS and WebSocket, on TCP; port 0 takes a free one. [default: 127.0.0.1:8443]
    #[arg(long, env = "VYRE_RELAY_HTTP", value_name = "ADDR")]
    pub http: Option<String>,

    /// Address for QUIC, on UDP; port 0 takes a free one. [default: 127.0.0.1:8443]
    #[arg(long, env = "VYRE_RELAY_QUIC", value_name = "ADDR")]
    pub quic: Option<String>,

    /// Name or address under which boxes and phones reach this relay; it stands in the printed address and in the
    /// certificate. [default: the address of --http, or localhost]
    #[arg(long, env = "VYRE_RELAY_HOST", value_name = "HOST")]
    pub host: Option<String>,

    /// Certificate chain in PEM form, in place of the relay's own.
    #[arg(long, env = "VYRE_RELAY_TLS_CERT", value_name = "FILE")]
    pub tls_cert: Option<PathBuf>,

    /// Private key of --tls-cert in PEM form, readable by its owner alone.
    #[arg(long, env = "VYRE_RELAY_TLS_KEY", value_name = "FILE")]
    pub tls_key: Option<PathBuf>,

    /// Speak HTTP without TLS: for tests, or behind a proxy that ends TLS. QUIC stays encrypted.
    #[arg(long, env = "VYRE_RELAY_PLAIN_HTTP", num_args = 0..=1, default_missing_value = "true", value_name = "BOOL")]
    pub plain_http: Option<bool>,

    /// Answer GET /metrics.
    #[arg(long, env = "VYRE_RELAY_METRICS", num_args = 0..=1, default_missing_value = "true", value_name = "BOOL")]
    pub metrics: Option<bool>,

    /// Boxes that may be connected at once. [default: 1024]
    #[arg(long, env = "VYRE_RELAY_MAX_BOXES", value_name = "N")]
    pub max_boxes: Option<u64>,

    /// Streams that may be open at once in all. [default: 8192]
    #[arg(long, env = "VYRE_RELAY_MAX_STREAMS", value_name = "N")]
    pub max_streams: Option<u64>,

    /// Streams that one box may have open at once; one address has half of them. [default: 256]
    #[arg(long, env = "VYRE_RELAY_MAX_STREAMS_PER_BOX", value_name = "N")]
    pub max_streams_per_box: Option<u64>,

    /// Connections a second that one address may begin, over time; ten times as many at once. The addresses of one /64 of
    /// IPv6 count as one. [default: 200]
    #[arg(long, env = "VYRE_RELAY_MAX_DIALS", value_name = "N")]
    pub max_dials: Option<u64>,

    /// Connections that may be half made at once: so many QUIC handshakes, and so many TCP connections without a whole
    /// request. One address has a quarter; beyond it, and beyond all, the longest of them makes room. [default: 2048]
    #[arg(long, env = "VYRE_RELAY_MAX_HANDSHAKES", value_name = "N")]
    pub max_handshakes: Option<u64>,

    /// Memory for what slow readers leave lying, over all streams, in MiB; one box has half of it. When it is used up, new
    /// streams are refused, and a stream that falls behind takes the place of the one longest behind. [default: 1024]
    #[arg(long, env = "VYRE_RELAY_BUFFER_MIB", value_name = "N")]
    pub buffer_mib: Option<u64>,

    /// Seconds after which a reader that takes nothing is cut. [default: 30]
    #[arg(long, env = "VYRE_RELAY_STALL_SECONDS", value_name = "N")]
    pub stall_seconds: Option<u64>,

    /// Seconds that boxes and phones have to leave when the relay is stopped. [default: 1]
    #[arg(long, env = "VYRE_RELAY_DRAIN_SECONDS", value_name = "N")]
    pub drain_seconds: Option<u64>,

    /// What is logged, to stderr: error, warn, info, debug, or a filter by module. [default: info]
    #[arg(long, env = "VYRE_RELAY_LOG", value_name = "FILTER")]
    pub log: Option<String>,

    /// Print one line of JSON on stdout when ready.
    #[arg(long)]
    pub json: bool,

    /// TOML file with settings.
    #[arg(long, env = "VYRE_RELAY_CONFIG", value_name = "FILE")]
    pub config: Option<PathBuf>,
}

/// The file. Names are those of the flags.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct File {
    data: Option<PathBuf>,
    http: Option<String>,
    quic: Option<String>,
    host: Option<String>,
    tls_cert: Option<PathBuf>,
    tls_key: Option<PathBuf>,
    plain_http: Option<bool>,
    metrics: Option<bool>,
    max_boxes: Option<u64>,
    max_streams: Option<u64>,
    max_streams_per_box: Option<u64>,
    max_dials: Option<u64>,
    max_handshakes: Option<u64>,
    buffer_mib: Option<u64>,
    stall_seconds: Option<u64>,
    drain_seconds: Option<u64>,
    log: Option<String>,
}

/// What is wrong with the settings.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file could not be read.
    #[error("config {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
    /// The file does not say what it should.
    #[error("config {}: {why}", path.display())]
    Parse {
        /// The file.
        path: PathBuf,
        /// Where and why.
        why: String,
    },
    /// A setting that has no default is missing.
    #[error("{field} is needed: give --{field}, VYRE_RELAY_{}, or `{field}` in the config file", env_name(field))]
    Missing {
        /// Name of the setting.
        field: &'static str,
    },
    /// A setting has a value that it may not have.
    #[error("{field}: {why}")]
    Invalid {
        /// Name of the setting.
        field: &'static str,
        /// What it must be.
        why: String,
    },
}

fn env_name(field: &str) -> String {
    field.to_uppercase().replace('-', "_")
}

/// How the HTTP side is encrypted, and whose certificate QUIC shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Certificate {
    /// The relay's own, kept in the data folder.
    Own,
    /// One from files.
    Files {
        /// The chain.
        cert: PathBuf,
        /// Its key.
        key: PathBuf,
    },
}

/// Checked settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// Folder for keys.
    pub data: PathBuf,
    /// TCP.
    pub http: SocketAddr,
    /// UDP.
    pub quic: SocketAddr,
    /// Name under which it is reached.
    pub host: String,
    /// Whose certificate.
    pub certificate: Certificate,
    /// No TLS on TCP.
    pub plain_http: bool,
    /// `/metrics` is answered.
    pub metrics: bool,
    /// Boxes at once.
    pub max_boxes: usize,
    /// Streams and dials.
    pub limits: Limits,
    /// A reader that takes nothing for so long is cut.
    pub stall: Duration,
    /// How long boxes and phones have to leave.
    pub drain: Duration,
}

impl Config {
    /// Settings for a relay on loopback with free ports: defaults, and keys in `data`.
    pub fn on_loopback(data: PathBuf) -> Self {
        let any = SocketAddr::from(([127, 0, 0, 1], 0));
        Self {
            data,
            http: any,
            quic: any,
            host: "127.0.0.1".to_owned(),
            certificate: Certificate::Own,
            plain_http: false,
            metrics: false,
            max_boxes: 1024,
            limits: Limits::default(),
            stall: Duration::from_secs(30),
            drain: Duration::from_secs(1),
        }
    }
}

/// Settings, and what concerns the program around the relay.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// For the relay.
    pub config: Config,
    /// Filter of the log.
    pub log: String,
    /// One line of JSON on stdout when ready.
    pub json: bool,
}

/// Reads the file that the flags name, if any, and checks everything.
///
/// # Errors
/// [`ConfigError`], which names the setting.
pub fn load(flags: Flags) -> Result<Loaded, ConfigError> {
    let file = match &flags.config {
        None => File::default(),
        Some(path) => {
            let text =
                std::fs::read_to_string(path).map_err(|source| ConfigError::Read { path: path.clone(), source })?;
            toml::from_str(&text).map_err(|e| ConfigError::Parse { path: path.clone(), why: e.to_string() })?
        }
    };
    let data = flags.data.or(file.data).ok_or(ConfigError::Missing { field: "data" })?;
    let http = address("http", flags.http.or(file.http))?;
    let quic = address("quic", flags.quic.or(file.quic))?;
    let host = match flags.host.or(file.host) {
        Some(host) => host,
        None if http.ip().is_unspecified() => "localhost".to_owned(),
        None => http.ip().to_string(),
    };
    // The address that is printed has to parse again; the ports are not known yet.
    vyre_proto::relay_url::RelayUrl::new(false, &host, 1, 1, Vec::new())
        .map_err(|e| ConfigError::Invalid { field: "host", why: e.to_string() })?;
    let certificate = match (flags.tls_cert.or(file.tls_cert), flags.tls_key.or(file.tls_key)) {
        (None, None) => Certificate::Own,
        (Some(cert), Some(key)) => Certificate::Files { cert, key },
        (Some(_), None) => return Err(ConfigError::Missing { field: "tls-key" }),
        (None, Some(_)) => return Err(ConfigError::Missing { field: "tls-cert" }),
    };
    let default = Limits::default();
    let dials = number("max-dials", flags.max_dials.or(file.max_dials), default.dials_per_second.into(), 1..=100_000)?;
    let dials = u32::try_from(dials).unwrap_or(u32::MAX);
    let streams = number("max-streams", flags.max_streams.or(file.max_streams), default.streams as u64, 1..=1_000_000)?;
    let per_box = number(
        "max-streams-per-box",
        flags.max_streams_per_box.or(file.max_streams_per_box),
        default.streams_per_box as u64,
        1..=4096,
    )?;
    let handshakes = number(
        "max-handshakes",
        flags.max_handshakes.or(file.max_handshakes),
        default.handshakes as u64,
        16..=100_000,
    )?;
    let buffer = number("buffer-mib", flags.buffer_mib.or(file.buffer_mib), default.buffer >> 20, 4..=1_048_576)? << 20;
    let boxes = number("max-boxes", flags.max_boxes.or(file.max_boxes), 1024, 1..=100_000)?;
    let stall = number("stall-seconds", flags.stall_seconds.or(file.stall_seconds), 30, 1..=3600)?;
    let drain = number("drain-seconds", flags.drain_seconds.or(file.drain_seconds), 1, 0..=3600)?;
    let config = Config {
        data,
        http,
        quic,
        host,
        certificate,
        plain_http: flags.plain_http.or(file.plain_http).unwrap_or(false),
        metrics: flags.metrics.or(file.metrics).unwrap_or(false),
        max_boxes: size(boxes),
        limits: Limits {
            streams_per_box: size(per_box),
            streams: size(streams),
            dials_per_second: dials,
            dials_burst: dials.saturating_mul(10),
            handshakes: size(handshakes),
            buffer,
        },
        stall: Duration::from_secs(stall),
        drain: Duration::from_secs(drain),
    };
    let log = flags.log.or(file.log).unwrap_or_else(|| "info".to_owned());
    Ok(Loaded { config, log, json: flags.json })
}

fn size(n: u64) -> usize {
    usize::try_from(n).unwrap_or(usize::MAX)
}

fn address(field: &'static str, text: Option<String>) -> Result<SocketAddr, ConfigError> {
    let text = text.unwrap_or_else(|| "127.0.0.1:8443".to_owned());
    let named = text.strip_prefix("localhost:").map(|port| format!("127.0.0.1:{port}"));
    named.as_deref().unwrap_or(&text).parse().map_err(|_| ConfigError::Invalid {
        field,
        why: format!("{text:?} is not an address with a port, like 0.0.0.0:8443 or [::]:8443"),
    })
}

fn number(
    field: &'static str,
    given: Option<u64>,
    default: u64,
    range: std::ops::RangeInclusive<u64>,
) -> Result<u64, ConfigError> {
    let n = given.unwrap_or(default);
    if range.contains(&n) {
        return Ok(n);
    }
    Err(ConfigError::Invalid { field, why: format!("{n} is not from {} to {}", range.start(), range.end()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags(args: &[&str]) -> Flags {
        Flags::parse_from([&["vyre-relay"], args].concat())
    }

    fn file(text: &str) -> (tempfile::TempDir, String) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("relay.toml");
        std::fs::write(&path, text).unwrap();
        let path = path.display().to_string();
        (dir, path)
    }

    #[test]
    fn a_flag_wins_over_the_file_and_the_file_over_the_default() {
        let (_dir, path) = file("data = \"/there\"\nhttp = \"127.0.0.1:1\"\nstall-seconds = 7\nplain-http = true\n");
        let loaded = load(flags(&["--config", &path, "--http", "127.0.0.1:2"])).unwrap();
        assert_eq!(loaded.config.data, PathBuf::from("/there"));
        assert_eq!(loaded.config.http.port(), 2);
        assert_eq!(loaded.config.quic.port(), 8443);
        assert_eq!(loaded.config.stall, Duration::from_secs(7));
        assert!(loaded.config.plain_http);
        assert!(!load(flags(&["--config", &path, "--plain-http", "false"])).unwrap().config.plain_http);
    }

    #[test]
    fn defaults_are_those_of_the_library() {
        let mut config = load(flags(&["--data", "/d"])).unwrap().config;
        let library = Config::on_loopback("/d".into());
        config.http = library.http;
        config.quic = library.quic;
        assert_eq!(config, library);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let cases: &[(&[&str], &str)] = &[
            (&[], "data is needed: give --data, VYRE_RELAY_DATA"),
            (&["--data", "d", "--http", "nowhere"], "http: \"nowhere\" is not an address"),
            (&["--data", "d", "--quic", "1.2.3.4"], "quic: "),
            (&["--data", "d", "--tls-cert", "c"], "tls-key is needed"),
            (&["--data", "d", "--tls-key", "c"], "tls-cert is needed"),
            (&["--data", "d", "--host", "a b"], "host: "),
            (&["--data", "d", "--max-boxes", "0"], "max-boxes: 0 is not from 1"),
            (&["--data", "d", "--max-streams-per-box", "9999"], "max-streams-per-box: 9999"),
            (&["--data", "d", "--config", "/nowhere.toml"], "config /nowhere.toml: "),
        ];
        for (args, want) in cases {
            let got = load(flags(args)).unwrap_err().to_string();
            assert!(got.starts_with(want), "{got}");
        }
        let (_dir, path) = file("data = \"d\"\nhtpp = \"x\"\n");
        assert!(load(flags(&["--config", &path])).unwrap_err().to_string().contains("htpp"));
    }

    #[test]
    fn a_host_is_taken_from_the_address_where_none_is_given() {
        assert_eq!(load(flags(&["--data", "d", "--http", "0.0.0.0:1"])).unwrap().config.host, "localhost");
        assert_eq!(load(flags(&["--data", "d", "--http", "[::1]:1"])).unwrap().config.host, "::1");
    }
}

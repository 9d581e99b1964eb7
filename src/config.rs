//! File, environment and flags to one checked [`Config`].
//!
//! Raw settings are options. Each source is checked by itself, so that an error names the field and where it stands;
//! then flags (and the environment, which the command line reads) go over the file, and what is left takes its default.

mod assistant;
mod terminals;

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;

use serde::Deserialize;
use vyre_proto::relay_url::RelayUrl;

pub use assistant::Assistant;
pub use assistant::AssistantSettings;
pub use assistant::Mode;
use assistant::assistant;
pub use terminals::TerminalSettings;
pub use terminals::Terminals;

/// Where HTTP listens by default: on this machine alone.
const HTTP: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 8080);

/// Where QUIC listens by default: on this machine alone.
const QUIC: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 4433);

/// How long a policy beside the box may take by default.
const TIMEOUT: Duration = Duration::from_secs(2);

/// How long it may be given, in milliseconds: whoever opens a session waits as long.
const TIMEOUT_MS: std::ops::RangeInclusive<u64> = 10..=30_000;

/// The name of a space by default.
const SPACE: &str = "home";

/// How long a reply that a restart left open waits by default.
const RESUME_WAIT: Duration = Duration::from_secs(60);

/// Longest such wait, in seconds.
const RESUME_WAIT_MAX: u64 = 24 * 3600;

/// How many hours words are kept unless it is said otherwise.
const RETAIN_HOURS: u64 = 24;

/// Most hours of it: ten years.
const RETAIN_HOURS_MAX: u64 = 87_600;

/// Relays of one box.
const RELAYS_MAX: usize = 4;

/// Assistants of one box.
const ASSISTANTS_MAX: usize = 32;

/// Settings as one source has them. Every field may be missing.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Folder of the box's key and its store.
    pub data: Option<PathBuf>,
    /// Address of the HTTP listener, or `off`.
    pub http: Option<String>,
    /// Address of the QUIC listener, or `off`.
    pub quic: Option<String>,
    /// Addresses of relays, as a relay prints its own.
    pub relay: Option<Many>,
    /// Names of this box beside its addresses, as browsers may write them.
    pub name: Option<Many>,
    /// Origins of web pages that may talk to this box beside its own.
    pub origin: Option<Many>,
    /// Certificate of the HTTP listener, in PEM.
    pub tls_cert: Option<PathBuf>,
    /// Its key, in PEM.
    pub tls_key: Option<PathBuf>,
    /// Take plain HTTP from other machines.
    pub plain_lan: Option<bool>,
    /// Bounds.
    pub limits: Limits,
    /// A policy beside the box.
    pub authority: AuthoritySettings,
    /// Streams.
    pub stream: StreamSettings,
    /// Assistants that the box runs, by their names.
    pub assistants: BTreeMap<String, AssistantSettings>,
    /// Terminals.
    pub terminals: TerminalSettings,
}

/// The policy beside the box as one source has it.
#[derive(Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AuthoritySettings {
    /// Its address. Without one there is none, and the rule of participants decides alone.
    pub url: Option<String>,
    /// How long it may take to answer, in milliseconds.
    pub timeout_ms: Option<u64>,
    /// The name of this space in what it is asked about.
    pub space: Option<String>,
}

impl fmt::Debug for AuthoritySettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // An address may hold a secret.
        f.debug_struct("AuthoritySettings").field("timeout_ms", &self.timeout_ms).finish_non_exhaustive()
    }
}

/// Streams as one source has them.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct StreamSettings {
    /// How long a reply that a restart left open waits for whoever wrote it, in seconds from the start of the box.
    pub resume_wait_seconds: Option<u64>,
    /// How many hours the words of assistants and what shells print are kept; 0: for good.
    pub retain_hours: Option<u64>,
}

/// A policy beside the box.
#[derive(Clone, PartialEq, Eq)]
pub struct Authority {
    /// Its address. May hold a secret.
    pub url: String,
    /// How long it may take to answer.
    pub timeout: Duration,
    /// The name of this space in what it is asked about.
    pub space: String,
}

impl fmt::Debug for Authority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Authority").field("timeout", &self.timeout).field("space", &self.space).finish()
    }
}

/// One text or several.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum Many {
    /// One.
    One(String),
    /// Several.
    All(Vec<String>),
}

impl Many {
    fn into_vec(self) -> Vec<String> {
        match self {
            Many::One(one) => vec![one],
            Many::All(all) => all,
        }
    }
}

/// Bounds as one source has them.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// Frames that the log of one session holds.
    pub log_frames: Option<u64>,
    /// Bytes of frames that the log of one session holds.
    pub log_bytes: Option<u64>,
    /// Connections and carried streams at once.
    pub connections: Option<usize>,
    /// Connections from one address at once.
    pub connections_per_address: Option<usize>,
}

/// Everything that a box needs to start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// Folder of the box's key and its store.
    pub data: PathBuf,
    /// Where HTTP listens.
    pub http: Option<SocketAddr>,
    /// Where QUIC listens.
    pub quic: Option<SocketAddr>,
    /// Relays to register with.
    pub relays: Vec<RelayUrl>,
    /// Names of this box.
    pub names: Vec<String>,
    /// Foreign origins that may talk to it.
    pub origins: Vec<String>,
    /// Certificate and key of the HTTP listener.
    pub tls: Option<(PathBuf, PathBuf)>,
    /// Frames of one session's log.
    pub log_frames: Option<u64>,
    /// Bytes of one session's log.
    pub log_bytes: Option<u64>,
    /// Connections at once.
    pub connections: Option<usize>,
    /// Connections from one address at once.
    pub connections_per_address: Option<usize>,
    /// A policy beside the box.
    pub authority: Option<Authority>,
    /// How long a reply that a restart left open waits for whoever wrote it.
    pub resume_wait: Duration,
    /// How long the words of assistants and what shells print are kept. `None`: for good.
    pub retain: Option<Duration>,
    /// Assistants.
    pub assistants: Vec<Assistant>,
    /// Terminals; `None`: there are none.
    pub terminals: Option<Terminals>,
    /// The program that guards assistants' processes and shells when it is called as `PROGRAM guard -- COMMAND`; no setting.
    pub guard: Option<PathBuf>,
}

/// Where a setting stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// In this file.
    File(PathBuf),
    /// On the command line, or in the environment.
    Flags,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::File(path) => write!(f, "{}", path.display()),
            Source::Flags => f.write_str("the command line or the environment"),
        }
    }
}

/// Why there is no configuration.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("{path}: cannot be read: {source}")]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file is not TOML of this form.
    #[error("{path}: {why}")]
    Form {
        /// The file.
        path: PathBuf,
        /// Line, field and what is wrong.
        why: String,
    },
    /// A field has a value that it cannot have.
    #[error("`{field}` in {source_name}: {why}")]
    Field {
        /// The field, as the file writes it.
        field: &'static str,
        /// Where it stands.
        source_name: Source,
        /// What is wrong, and what to write.
        why: String,
    },
    /// An assistant that cannot be.
    #[error("`assistants.{name}` in {source_name}: {why}")]
    Assistant {
        /// Its name.
        name: String,
        /// Where it stands.
        source_name: Source,
        /// What is wrong, and what to write.
        why: String,
    },
    /// Fields that do not go together.
    #[error("`{field}`: {why}")]
    Together {
        /// The field to change.
        field: &'static str,
        /// What is wrong.
        why: String,
    },
}

/// Reads a file of settings.
pub fn read_file(path: &Path) -> Result<Settings, ConfigError> {
    let text = fs::read_to_string(path).map_err(|source| ConfigError::Read { path: path.to_owned(), source })?;
    toml::from_str(&text)
        .map_err(|e| ConfigError::Form { path: path.to_owned(), why: e.to_string().trim_end().to_owned() })
}

/// One source, its fields checked.
#[derive(Debug, Default)]
struct Checked {
    data: Option<PathBuf>,
    http: Option<Option<SocketAddr>>,
    quic: Option<Option<SocketAddr>>,
    relays: Option<Vec<RelayUrl>>,
    names: Option<Vec<String>>,
    origins: Option<Vec<String>>,
    tls_cert: Option<PathBuf>,
    tls_key: Option<PathBuf>,
    plain_lan: Option<bool>,
    limits: Limits,
    authority: AuthoritySettings,
    stream: StreamSettings,
    assistants: Vec<Assistant>,
    /// Outside `None`: nothing is said of them.
    terminals: Option<Option<Terminals>>,
}

fn check(settings: Settings, source: &Source) -> Result<Checked, ConfigError> {
    let wrong = |field: &'static str, why: String| ConfigError::Field { field, source_name: source.clone(), why };
    let address = |field: &'static str, text: Option<String>| match text.as_deref() {
        None => Ok(None),
        Some("off") => Ok(Some(None)),
        Some(text) => text.parse().map(|addr| Some(Some(addr))).map_err(|_| {
            wrong(field, "must be an address and a port, as 127.0.0.1:8080 or [::1]:8080, or `off`".to_owned())
        }),
    };
    let relays = settings.relay.map(Many::into_vec).map(|all| {
        if all.len() > RELAYS_MAX {
            return Err(wrong("relay", format!("there are {}; a box has at most {RELAYS_MAX}", all.len())));
        }
        all.iter().map(|url| url.parse().map_err(|e| wrong("relay", format!("{e}")))).collect()
    });
    let at_least_one = |field: &'static str, n: Option<u64>| match n {
        Some(0) => Err(wrong(field, "must be at least 1".to_owned())),
        _ => Ok(()),
    };
    let a = &settings.authority;
    if let Some(url) = &a.url
        && !(url.starts_with("http://") || url.starts_with("https://"))
    {
        return Err(wrong("authority.url", "must begin with http:// or https://".to_owned()));
    }
    if a.timeout_ms.is_some_and(|ms| !TIMEOUT_MS.contains(&ms)) {
        let (least, most) = (TIMEOUT_MS.start(), TIMEOUT_MS.end());
        return Err(wrong("authority.timeout_ms", format!("must be {least} to {most}")));
    }
    let name =
        |s: &String| s.is_empty() || s.len() > 128 || s.contains(|c: char| !c.is_ascii_alphanumeric() && c != '-');
    if a.space.as_ref().is_some_and(name) {
        return Err(wrong("authority.space", "must be letters, digits and dashes".to_owned()));
    }
    if settings.stream.resume_wait_seconds.is_some_and(|s| s > RESUME_WAIT_MAX) {
        return Err(wrong("stream.resume_wait_seconds", format!("must be at most {RESUME_WAIT_MAX}")));
    }
    if settings.stream.retain_hours.is_some_and(|h| h > RETAIN_HOURS_MAX) {
        let why = format!("must be at most {RETAIN_HOURS_MAX}, or 0 to keep everything");
        return Err(wrong("stream.retain_hours", why));
    }
    let l = settings.limits;
    at_least_one("limits.log_frames", l.log_frames)?;
    at_least_one("limits.log_bytes", l.log_bytes)?;
    at_least_one("limits.connections", l.connections.map(|n| n as u64))?;
    at_least_one("limits.connections_per_address", l.connections_per_address.map(|n| n as u64))?;
    if settings.assistants.len() > ASSISTANTS_MAX {
        let why = format!("there are {}; a box runs at most {ASSISTANTS_MAX}", settings.assistants.len());
        return Err(wrong("assistants", why));
    }
    let assistants = settings.assistants.into_iter().map(|(name, settings)| {
        let why = |why| ConfigError::Assistant { name: name.clone(), source_name: source.clone(), why };
        assistant(&name, settings).map_err(why)
    });
    Ok(Checked {
        terminals: match settings.terminals {
            nothing if nothing == TerminalSettings::default() => None,
            said => Some(terminals::terminals(said).map_err(|(field, why)| wrong(field, why))?),
        },
        assistants: assistants.collect::<Result<_, _>>()?,
        data: settings.data,
        http: address("http", settings.http)?,
        quic: address("quic", settings.quic)?,
        relays: relays.transpose()?,
        names: settings.name.map(Many::into_vec),
        origins: settings.origin.map(Many::into_vec),
        tls_cert: settings.tls_cert,
        tls_key: settings.tls_key,
        plain_lan: settings.plain_lan,
        limits: l,
        authority: settings.authority,
        stream: settings.stream,
    })
}

impl Config {
    /// Puts `flags` over `file`, fills in what is missing, and refuses what does not go together.
    pub fn new(file: Option<(Settings, PathBuf)>, flags: Settings) -> Result<Config, ConfigError> {
        let file = match file {
            Some((settings, path)) => check(settings, &Source::File(path))?,
            None => Checked::default(),
        };
        let flags = check(flags, &Source::Flags)?;
        let data = flags.data.or(file.data).or_else(default_data).ok_or_else(|| ConfigError::Together {
            field: "data",
            why: "there is no home folder to take; say where the box keeps its data with --data".to_owned(),
        })?;
        let http = flags.http.or(file.http).unwrap_or(Some(HTTP));
        let plain_lan = flags.plain_lan.or(file.plain_lan).unwrap_or(false);
        let tls = match (flags.tls_cert.or(file.tls_cert), flags.tls_key.or(file.tls_key)) {
            (Some(cert), Some(key)) => Some((cert, key)),
            (None, None) => None,
            (Some(_), None) => return Err(together("tls_key", "a certificate needs its key: give --tls-key as well")),
            (None, Some(_)) => {
                return Err(together("tls_cert", "a key needs its certificate: give --tls-cert as well"));
            }
        };
        if http.is_some_and(|a| !a.ip().is_loopback()) && tls.is_none() && !plain_lan {
            let why = "other machines could read plain HTTP here: give --tls-cert and --tls-key, listen on 127.0.0.1, \
                       or allow it by name with --plain-lan";
            return Err(together("http", why));
        }
        let (f, l) = (flags.limits, file.limits);
        let (fa, la) = (flags.authority, file.authority);
        let authority = fa.url.or(la.url).map(|url| Authority {
            url,
            timeout: fa.timeout_ms.or(la.timeout_ms).map_or(TIMEOUT, Duration::from_millis),
            space: fa.space.or(la.space).unwrap_or_else(|| SPACE.to_owned()),
        });
        let retain = flags.stream.retain_hours.or(file.stream.retain_hours).unwrap_or(RETAIN_HOURS);
        let wait = flags.stream.resume_wait_seconds.or(file.stream.resume_wait_seconds);
        Ok(Config {
            data,
            http,
            quic: flags.quic.or(file.quic).unwrap_or(Some(QUIC)),
            relays: flags.relays.or(file.relays).unwrap_or_default(),
            names: flags.names.or(file.names).unwrap_or_default(),
            origins: flags.origins.or(file.origins).unwrap_or_default(),
            tls,
            log_frames: f.log_frames.or(l.log_frames),
            log_bytes: f.log_bytes.or(l.log_bytes),
            connections: f.connections.or(l.connections),
            connections_per_address: f.connections_per_address.or(l.connections_per_address),
            authority,
            resume_wait: wait.map_or(RESUME_WAIT, Duration::from_secs),
            retain: (retain > 0).then(|| Duration::from_secs(retain * 3600)),
            assistants: if flags.assistants.is_empty() { file.assistants } else { flags.assistants },
            terminals: flags.terminals.or(file.terminals).unwrap_or(Some(Terminals::PLAIN)),
            guard: None,
        })
    }
}

fn together(field: &'static str, why: &str) -> ConfigError {
    ConfigError::Together { field, why: why.to_owned() }
}

/// Where a box keeps its data unless it is told.
pub fn default_data() -> Option<PathBuf> {
    let xdg = std::env::var_os("XDG_DATA_HOME").filter(|v| !v.is_empty()).map(PathBuf::from);
    let home = || std::env::var_os("HOME").filter(|v| !v.is_empty()).map(|h| PathBuf::from(h).join(".local/share"));
    xdg.or_else(home).map(|p| p.join("vyre"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> Option<(Settings, PathBuf)> {
        Some((toml::from_str(text).unwrap(), PathBuf::from("vyre.toml")))
    }

    fn with_data() -> Settings {
        Settings { data: Some("d".into()), ..Settings::default() }
    }

    #[test]
    fn flags_go_over_the_file_field_by_field() {
        let flags = Settings { http: Some("127.0.0.1:1".into()), ..with_data() };

        let config = Config::new(file("http = '127.0.0.1:2'\nquic = 'off'\nname = 'box.home'"), flags).unwrap();

        assert_eq!(config.http.unwrap().port(), 1);
        assert_eq!(config.quic, None);
        assert_eq!(config.names, ["box.home"]);
    }

    #[test]
    fn an_error_names_the_field_and_where_it_stands() {
        let e = Config::new(file("quic = 'nowhere'"), with_data()).unwrap_err().to_string();
        assert!(e.contains("`quic`") && e.contains("vyre.toml"), "{e}");

        let flags = Settings { http: Some("8080".into()), ..with_data() };
        let e = Config::new(None, flags).unwrap_err().to_string();
        assert!(e.contains("`http`") && e.contains("command line"), "{e}");

        let e = Config::new(file("relay = ['ftp://x']"), with_data()).unwrap_err().to_string();
        assert!(e.contains("`relay`") && e.contains("https://"), "{e}");
    }

    #[test]
    fn a_field_that_does_not_exist_is_named_with_its_line() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("vyre.toml");
        fs::write(&path, "data = 'x'\nhtpp = '127.0.0.1:1'\n").unwrap();

        let e = read_file(&path).unwrap_err().to_string();

        assert!(e.contains("vyre.toml") && e.contains("htpp") && e.contains("line 2"), "{e}");
    }

    #[test]
    fn plain_http_for_other_machines_must_be_asked_for_by_name() {
        let open = |plain_lan| Settings { http: Some("0.0.0.0:80".into()), plain_lan, ..with_data() };

        assert!(Config::new(None, open(None)).unwrap_err().to_string().contains("--plain-lan"));
        assert!(Config::new(None, open(Some(true))).is_ok());
        let tls = Settings { tls_cert: Some("c".into()), tls_key: Some("k".into()), ..open(None) };
        assert!(Config::new(None, tls).is_ok());
    }

    #[test]
    fn half_a_key_pair_is_refused() {
        let half = Settings { tls_cert: Some("c".into()), ..with_data() };
        assert!(Config::new(None, half).unwrap_err().to_string().contains("tls_key"));
    }

    #[test]
    fn a_policy_has_an_address_and_defaults_and_is_named_where_it_is_wrong() {
        let config = Config::new(file("[authority]\nurl = 'http://127.0.0.1:9/a?key=hush'"), with_data()).unwrap();
        let authority = config.authority.clone().unwrap();
        assert_eq!((authority.timeout, authority.space.as_str()), (Duration::from_secs(2), "home"));
        assert!(!format!("{config:?}").contains("hush"));
        assert_eq!(Config::new(None, with_data()).unwrap().authority, None);

        for (text, field) in [
            ("[authority]\nurl = 'unix:/x'", "authority.url"),
            ("[authority]\ntimeout_ms = 0", "authority.timeout_ms"),
            ("[authority]\nspace = 'a/b'", "authority.space"),
            ("[stream]\nresume_wait_seconds = 100000", "stream.resume_wait_seconds"),
            ("[stream]\nretain_hours = 100000", "stream.retain_hours"),
        ] {
            assert!(Config::new(file(text), with_data()).unwrap_err().to_string().contains(field), "{text}");
        }
    }

    #[test]
    fn an_assistant_is_checked_and_named_in_errors() {
        let good =
            "[assistants.helper]\ncommand = ['agent', '--acp']\nenv = { KEY = 'v' }\ncwd = '/srv'\nmode = 'deny'";
        let config = Config::new(file(good), with_data()).unwrap();
        let helper = &config.assistants[0];
        assert_eq!((helper.who.as_str(), helper.mode), ("assistant:helper", Mode::Deny));
        assert_eq!((helper.folder.as_deref(), helper.ask), (Some(Path::new("/srv")), Duration::from_secs(3600)));

        for (bad, names) in [
            ("command = []", "command"),
            ("command = ['a']\ncwd = 'here'", "cwd"),
            ("command = ['a']\nmode = 'maybe'", "mode"),
            ("command = ['a']\nask_seconds = 0", "ask_seconds"),
            ("command = ['a']\nenv = { 'A=B' = 'c' }", "env"),
        ] {
            let e = Config::new(file(&format!("[assistants.helper]\n{bad}")), with_data()).unwrap_err().to_string();
            assert!(e.contains("assistants.helper") && e.contains(names) && e.contains("vyre.toml"), "{e}");
        }
    }

    #[test]
    fn how_long_a_reply_waits_is_a_minute_unless_it_is_set() {
        assert_eq!(Config::new(None, with_data()).unwrap().resume_wait, Duration::from_secs(60));
        let config = Config::new(file("[stream]\nresume_wait_seconds = 5"), with_data()).unwrap();
        assert_eq!(config.resume_wait, Duration::from_secs(5));
    }

    #[test]
    fn words_are_kept_for_a_day_unless_it_is_set_and_for_good_with_0() {
        let retain = |text: &str| Config::new(file(text), with_data()).unwrap().retain;
        assert_eq!(retain(""), Some(Duration::from_secs(24 * 3600)));
        assert_eq!(retain("[stream]\nretain_hours = 1"), Some(Duration::from_secs(3600)));
        assert_eq!(retain("[stream]\nretain_hours = 0"), None);
    }

    #[test]
    fn a_limit_of_nothing_is_refused() {
        let e = Config::new(file("[limits]\nlog_frames = 0"), with_data()).unwrap_err().to_string();
        assert!(e.contains("limits.log_frames"), "{e}");
    }
}

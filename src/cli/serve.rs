//! `vyre serve`: a box, until it is told to stop.

use std::io::IsTerminal;
use std::io::Write;
use std::path::PathBuf;

use tokio::signal::unix::SignalKind;
use tokio::signal::unix::signal;

use crate::cli::Failure;
use crate::cli::block_on;
use crate::config;
use crate::config::AuthoritySettings;
use crate::config::Config;
use crate::config::Limits;
use crate::config::Many;
use crate::config::Settings;
use crate::config::StreamSettings;
use crate::daemon::Daemon;
use crate::daemon::Ready;

/// Flags of `vyre serve`. Each goes over its environment variable, and that over the file.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Settings in TOML: the names of the flags with `_` for `-`, and a table `limits`.
    #[arg(long, env = "VYRE_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
    /// Folder of the box's key and its store. Default: `vyre` in the folder for data of your home.
    #[arg(long, env = "VYRE_DATA", value_name = "DIR")]
    data: Option<PathBuf>,
    /// Where HTTP listens; port 0 takes a free one; `off` for none. Default: 127.0.0.1:8080.
    #[arg(long, env = "VYRE_HTTP", value_name = "ADDR")]
    http: Option<String>,
    /// Where QUIC listens; port 0 takes a free one; `off` for none. Default: 127.0.0.1:4433.
    #[arg(long, env = "VYRE_QUIC", value_name = "ADDR")]
    quic: Option<String>,
    /// A relay to register with, by the address that it prints. May be given several times.
    #[arg(long, env = "VYRE_RELAY", value_name = "URL")]
    relay: Vec<String>,
    /// A name of this box beside its addresses. May be given several times.
    #[arg(long, env = "VYRE_NAME", value_name = "HOST")]
    name: Vec<String>,
    /// An origin whose web pages may talk to this box beside its own. May be given several times.
    #[arg(long, env = "VYRE_ORIGIN", value_name = "ORIGIN")]
    origin: Vec<String>,
    /// Certificate of the HTTP listener, in PEM. Read again within 5 s when it changes.
    #[arg(long, env = "VYRE_TLS_CERT", value_name = "FILE")]
    tls_cert: Option<PathBuf>,
    /// Its key, in PEM.
    #[arg(long, env = "VYRE_TLS_KEY", value_name = "FILE")]
    tls_key: Option<PathBuf>,
    /// Take plain HTTP from other machines: everybody on the way reads along.
    #[arg(long, env = "VYRE_PLAIN_LAN")]
    plain_lan: bool,
    /// Frames that the log of one session holds.
    #[arg(long, env = "VYRE_LOG_FRAMES", value_name = "N")]
    log_frames: Option<u64>,
    /// Bytes of frames that the log of one session holds.
    #[arg(long, env = "VYRE_LOG_BYTES", value_name = "N")]
    log_bytes: Option<u64>,
    /// Print one line of JSON on stdout when ready, and nothing else.
    #[arg(long)]
    json: bool,
}

fn many(all: Vec<String>) -> Option<Many> {
    (!all.is_empty()).then_some(Many::All(all))
}

/// Runs a box until SIGTERM or SIGINT.
pub fn run(args: Args) -> Result<(), Failure> {
    let usage = |e: config::ConfigError| Failure::Usage(e.to_string());
    let file = match args.config {
        Some(path) => Some((config::read_file(&path).map_err(usage)?, path)),
        None => None,
    };
    let flags = Settings {
        data: args.data,
        http: args.http,
        quic: args.quic,
        relay: many(args.relay),
        name: many(args.name),
        origin: many(args.origin),
        tls_cert: args.tls_cert,
        tls_key: args.tls_key,
        plain_lan: args.plain_lan.then_some(true),
        limits: Limits { log_frames: args.log_frames, log_bytes: args.log_bytes, ..Limits::default() },
        // In the file alone.
        authority: AuthoritySettings::default(),
        stream: StreamSettings::default(),
        ..Settings::default()
    };
    let mut config = Config::new(file, flags).map_err(usage)?;
    // This very program guards what assistants start.
    config.guard = std::env::current_exe().ok();
    raise_descriptors();
    block_on(async move {
        let stop = stop_signal()?;
        let daemon = Daemon::start(&config).await.map_err(Failure::run)?;
        let said = if args.json { json_line(daemon.ready()) } else { greeting(daemon.ready(), &config) };
        let mut out = std::io::stdout();
        // Whoever started it may have closed stdout: that does not end a box.
        let _ = writeln!(out, "{said}").and_then(|()| out.flush());
        stop.await;
        tracing::info!("stopping");
        tokio::select! {
            () = daemon.stop() => Ok(()),
            () = stop_signal()? => Err(Failure::Run("stopped before everything was in order: it was told twice".into())),
        }
    })
}

/// Ends at the next SIGTERM or SIGINT. Both are caught from this call on.
fn stop_signal() -> Result<impl Future<Output = ()>, Failure> {
    let mut terminate = signal(SignalKind::terminate()).map_err(Failure::run)?;
    let mut interrupt = signal(SignalKind::interrupt()).map_err(Failure::run)?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}

fn json_line(ready: &Ready) -> String {
    serde_json::json!({
        "http": ready.http.map(|a| a.to_string()),
        "quic": ready.quic.map(|a| a.to_string()),
        "version": env!("CARGO_PKG_VERSION"),
        "box": ready.box_id.to_string(),
    })
    .to_string()
}

fn greeting(ready: &Ready, config: &Config) -> String {
    let (bold, dim, plain) =
        if std::io::stdout().is_terminal() { ("\x1b[1m", "\x1b[2m", "\x1b[0m") } else { ("", "", "") };
    let mut text = format!("{bold}vyre {}{plain}\n\n", env!("CARGO_PKG_VERSION"));
    let mut row = |name: &str, value: String| text.push_str(&format!("  {dim}{name:<6}{plain} {value}\n"));
    row("box", ready.box_id.to_string());
    if let Some(at) = ready.http {
        row("http", format!("{}://{at}", if ready.tls { "https" } else { "http" }));
    }
    if let Some(at) = ready.quic {
        row("quic", format!("quic://{}@{at}", ready.box_id));
    }
    for relay in &config.relays {
        row("relay", relay.to_string());
    }
    row("data", config.data.display().to_string());
    let data = config.data.display();
    text.push_str(&format!(
        "\n{dim}vyre token --data {data} --person NAME{plain} makes a token to read with; Ctrl-C stops."
    ));
    text
}

/// A socket is a descriptor, and many systems begin with 1024.
fn raise_descriptors() {
    use rustix::process::Resource;
    use rustix::process::getrlimit;
    use rustix::process::setrlimit;
    let mut limit = getrlimit(Resource::Nofile);
    if limit.current != limit.maximum {
        limit.current = limit.maximum;
        if let Err(error) = setrlimit(Resource::Nofile, limit) {
            tracing::debug!(%error, "the limit of descriptors stays as it is");
        }
    }
}

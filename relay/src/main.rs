//! `vyre-relay`: parses, runs, exits.

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use tokio::signal::unix::SignalKind;
use tokio::signal::unix::signal;
use tracing_subscriber::EnvFilter;
use vyre_proto::relay_url::RelayUrl;
use vyre_relay::config;
use vyre_relay::config::Flags;
use vyre_relay::config::Loaded;
use vyre_relay::server;
use vyre_relay::server::Server;

fn main() -> ExitCode {
    let loaded = match config::load(Flags::parse()) {
        Ok(loaded) => loaded,
        Err(e) => {
            eprintln!("vyre-relay: {e}");
            return ExitCode::from(2);
        }
    };
    match EnvFilter::try_new(&loaded.log) {
        Ok(filter) => tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init(),
        Err(e) => {
            eprintln!("vyre-relay: log: {e}");
            return ExitCode::from(2);
        }
    }
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(e) => {
            eprintln!("vyre-relay: the runtime cannot start: {e}");
            return ExitCode::FAILURE;
        }
    };
    match runtime.block_on(run(loaded)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("vyre-relay: {e}");
            ExitCode::FAILURE
        }
    }
}

async fn run(loaded: Loaded) -> Result<(), Box<dyn std::error::Error>> {
    // Set up before the relay is said to be ready, so that a stop right after it is a clean one.
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    if let Some(limit) = server::raise_descriptor_limit() {
        tracing::debug!(limit, "descriptors");
    }
    let json = loaded.json;
    let server = Server::start(loaded.config).await?;
    // Whoever started this may have stopped listening; that is no reason to stop.
    let say = |url: &RelayUrl| {
        let ready = ready(&server, url, json);
        let _ = writeln!(std::io::stdout(), "{ready}").and_then(|()| std::io::stdout().flush());
    };
    say(server.url());
    tracing::info!(http = %server.http(), quic = %server.quic(), "ready");
    let mut addresses = server.addresses();
    loop {
        tokio::select! {
            _ = terminate.recv() => break,
            _ = interrupt.recv() => break,
            changed = addresses.changed() => {
                if changed.is_err() {
                    break;
                }
                // Boxes and phones need the new one before the key that it adds is used.
                say(&addresses.borrow_and_update());
            }
        }
    }
    server.stop().await;
    Ok(())
}

/// What is printed when all is ready, and again when the address has changed.
fn ready(server: &Server, url: &RelayUrl, json: bool) -> String {
    if !json {
        return url.to_string();
    }
    serde_json::json!({
        "http": server.http().to_string(),
        "quic": server.quic().to_string(),
        "version": env!("CARGO_PKG_VERSION"),
        "url": url.to_string(),
    })
    .to_string()
}

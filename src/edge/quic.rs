//! The box's own QUIC listener.
//!
//! A phone that knows the box's key reaches it here in one round trip, or in none where it was here before. Connections
//! are bounded before cryptography, streams by number and by window.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use quinn::Connection;
use quinn::Endpoint;
use quinn::EndpointConfig;
use quinn::Incoming;
use quinn::ServerConfig;
use quinn::TokioRuntime;
use quinn::TransportConfig;
use quinn::VarInt;
use quinn::crypto::rustls::QuicServerConfig;
use quinn_proto::HashedConnectionIdGenerator;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::timeout;
use vyre_certs::identity::BoxIdentity;
use vyre_certs::identity::RelaySeed;
use vyre_proto::head::End;
use vyre_proto::head::FIRST_RECORD_LIMIT;

use crate::edge::guard::Doors;
use crate::edge::guard::Guest;
use crate::edge::stream;
use crate::edge::stream::Handshake;

/// A connection that is silent for this long is gone. A phone that changes networks takes 2 to 10 s.
const IDLE: Duration = Duration::from_secs(30);

/// Streams of one connection at once. QUIC keeps a place for each that it grants, whether it is used or not: a thousand
/// would cost an idle phone 70 KiB.
const STREAMS: u32 = 100;

/// What one stream may have sent and the box not yet read. Frames go out, so only events come in.
const STREAM_WINDOW: u32 = 1 << 20;

/// The same for a whole connection.
const CONNECTION_WINDOW: u32 = 8 << 20;

/// What the box may have sent and one phone not yet acknowledged.
const SEND_WINDOW: u64 = 4 << 20;

/// Connections that have not shaken hands yet.
const INCOMING_MAX: usize = 4096;

/// Above this many guests a stranger must first show that it is where it says it is.
const RETRY_ABOVE: usize = 2000;

/// How long streams may take to end after the doors have closed.
const GRACE: Duration = Duration::from_secs(5);

/// Why there is no listener.
#[derive(Debug, thiserror::Error)]
pub enum QuicError {
    /// The key or TLS.
    #[error("QUIC cannot be set up: {0}")]
    Setup(String),
    /// The address.
    #[error("QUIC cannot listen on {addr}: {source}")]
    Bind {
        /// Where.
        addr: SocketAddr,
        /// Why.
        source: io::Error,
    },
}

/// Opens the listener.
pub fn listen(identity: &BoxIdentity, addr: SocketAddr) -> Result<Endpoint, QuicError> {
    let setup = |e: &dyn std::fmt::Display| QuicError::Setup(e.to_string());
    let key = identity.certified_key().map_err(|e| setup(&e))?;
    let tls = vyre_certs::tls::box_server(key).map_err(|e| setup(&e))?;
    let tls = QuicServerConfig::try_from(tls).map_err(|e| setup(&e))?;
    let mut server = ServerConfig::with_crypto(Arc::new(tls));
    server.transport_config(Arc::new(transport())).max_incoming(INCOMING_MAX);
    let socket = std::net::UdpSocket::bind(addr).map_err(|source| QuicError::Bind { addr, source })?;
    Endpoint::new(endpoint_config(identity), Some(server), socket, Arc::new(TokioRuntime))
        .map_err(|source| QuicError::Bind { addr, source })
}

/// Keys that outlive a restart: a phone then learns at once that its connection is gone, and not after [`IDLE`].
fn endpoint_config(identity: &BoxIdentity) -> EndpointConfig {
    // An Ed25519 signature is a pure function of key and message, so it makes a secret that needs no file of its own.
    let signature = identity.sign(b"vyre-box/1 seed of the QUIC endpoint");
    let digest = ring::digest::digest(&ring::digest::SHA256, &signature);
    let mut seed = [0; 32];
    seed.copy_from_slice(digest.as_ref());
    let seed = RelaySeed::new(seed);
    let reset = ring::hmac::Key::new(ring::hmac::HMAC_SHA256, &seed.stateless_reset_key());
    let mut config = EndpointConfig::new(Arc::new(reset));
    let key = seed.connection_id_key();
    config.cid_generator(move || Box::new(HashedConnectionIdGenerator::from_key(key)));
    config
}

fn transport() -> TransportConfig {
    let mut t = TransportConfig::default();
    t.max_idle_timeout(Some(VarInt::from_u32(u32::try_from(IDLE.as_millis()).unwrap_or(30_000)).into()))
        .max_concurrent_bidi_streams(STREAMS.into())
        .max_concurrent_uni_streams(0u32.into())
        .stream_receive_window(STREAM_WINDOW.into())
        .receive_window(CONNECTION_WINDOW.into())
        .send_window(SEND_WINDOW)
        .datagram_receive_buffer_size(None)
        .allow_spin(false);
    t
}

/// Takes connections until the doors close, then waits for those who are in.
pub async fn serve(doors: Doors, endpoint: Endpoint) {
    let mut connections = JoinSet::new();
    loop {
        let incoming = tokio::select! {
            incoming = endpoint.accept() => incoming,
            () = doors.closed() => break,
            Some(_) = connections.join_next(), if !connections.is_empty() => continue,
        };
        let Some(incoming) = incoming else { break };
        if doors.count() > RETRY_ABOVE && !incoming.remote_address_validated() {
            let _ = incoming.retry();
            continue;
        }
        match doors.admit(Some(incoming.remote_address().ip())) {
            Some(guest) => drop(connections.spawn(connection(doors.clone(), guest, incoming))),
            None => incoming.refuse(),
        }
    }
    while connections.join_next().await.is_some() {}
    endpoint.close(code(End::Restart), End::Restart.name().as_bytes());
    let _ = timeout(GRACE, endpoint.wait_idle()).await;
}

fn code(end: End) -> VarInt {
    VarInt::from_u64(end.code()).unwrap_or_default()
}

async fn connection(doors: Doors, _guest: Guest, incoming: Incoming) {
    let peer = incoming.remote_address();
    let connecting = match incoming.accept() {
        Ok(connecting) => connecting,
        Err(error) => return tracing::debug!(%peer, %error, "no connection"),
    };
    // Streams are taken before the handshake is confirmed; each says whether it came early.
    let Ok((connection, confirmed)) = connecting.into_0rtt() else { return };
    let (known, handshake) = watch::channel(false);
    let confirm = async {
        match timeout(FIRST_RECORD_LIMIT, confirmed).await {
            // It also comes back where the connection broke: then nothing is known of the peer.
            Ok(_) if connection.close_reason().is_none() => drop(known.send_replace(true)),
            Ok(_) => {}
            Err(_) => connection.close(code(End::Slow), b"the handshake took too long"),
        }
        std::future::pending::<()>().await;
    };
    tokio::select! {
        () = streams(&doors, &connection, handshake) => {}
        () = confirm => {}
    }
}

async fn streams(doors: &Doors, connection: &Connection, handshake: watch::Receiver<bool>) {
    let mut open = JoinSet::new();
    loop {
        tokio::select! {
            stream = connection.accept_bi() => match stream {
                Ok((send, recv)) => {
                    let early = recv.is_0rtt() || !*handshake.borrow();
                    let handshake = if early { Handshake::Early(handshake.clone()) } else { Handshake::Confirmed };
                    let doors = doors.clone();
                    open.spawn(async move { stream::direct(&doors, send, recv, handshake).await });
                }
                Err(error) => {
                    tracing::debug!(peer = %connection.remote_address(), %error, "a connection ended");
                    break;
                }
            },
            Some(_) = open.join_next(), if !open.is_empty() => {}
            () = doors.closed() => {
                let ended = async { while open.join_next().await.is_some() {} };
                let _ = timeout(GRACE, ended).await;
                connection.close(code(End::Restart), End::Restart.name().as_bytes());
                break;
            }
        }
    }
    // What still runs sees its stream broken and ends by itself; nobody is left to wait for.
    open.abort_all();
    while open.join_next().await.is_some() {}
}

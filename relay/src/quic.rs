//! The QUIC side: boxes register, phones open streams.
//!
//! Both come under one ALPN, and a connection is a phone's until a record on it says otherwise. So it starts with a
//! phone's small windows; a box that has proved its key gets a box's. A phone's streams may come in early data: the box
//! is told, and decides. A register is looked at only when the handshake is confirmed, since the proof signs it.
//!
//! Everything that a stranger can begin has a limit: dials an address, handshakes in flight, streams of a connection,
//! bytes and seconds of a first record.

mod leg;

use std::net::IpAddr;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use quinn::Endpoint;
use quinn::EndpointConfig;
use quinn::Incoming;
use quinn::MtuDiscoveryConfig;
use quinn::RecvStream;
use quinn::SendStream;
use quinn::TokioRuntime;
use quinn::TransportConfig;
use quinn::crypto::rustls::QuicServerConfig;
use quinn_proto::HashedConnectionIdGenerator;
use ring::hkdf;
use ring::hmac;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::timeout;
use vyre_certs::identity::RelayIdentity;
use vyre_certs::tls;
use vyre_proto::head::Bridged;
use vyre_proto::head::Carried;
use vyre_proto::head::End;
use vyre_proto::head::FIRST_RECORD_LIMIT;
use vyre_proto::head::RELAY_HEAD_MAX;
use vyre_proto::head::Register;
use vyre_proto::head::RelayHead;
use vyre_proto::ids::BoxId;
use vyre_proto::record::Decoder;

use crate::bridge;
use crate::bridge::Halves;
use crate::bridge::code;
use crate::hub::Hub;
use crate::quota;
use crate::quota::Address;
use crate::quota::Dial;
use crate::quota::Network;
use crate::seat::Seat;

/// Window of one stream. What a stalled reader can make this side hold is about twice this.
pub const STREAM_WINDOW: u32 = 256 * 1024;

/// Streams that a phone may have open on one connection.
pub const PHONE_STREAMS: u32 = 32;

/// Streams beyond a limit that QUIC has to grant for the limit itself to be usable: credit for streams that have ended
/// goes back in batches of an eighth.
const fn granted(streams: u32) -> u32 {
    streams + streams / 8 + 1
}

/// What may be on its way to one phone and not acknowledged.
const PHONE_SEND_WINDOW: u64 = 512 * 1024;

const _: () =
    assert!(STREAM_WINDOW as u64 + PHONE_SEND_WINDOW <= quota::BEHIND, "what is reserved is what may be held");

/// A connection that is silent for so long is dead. A phone that changes its network needs 2 to 10 s; boxes ask for less.
const IDLE: Duration = Duration::from_secs(30);

/// A handshake that takes longer is given up.
const HANDSHAKE_LIMIT: Duration = Duration::from_secs(5);

/// A handshake that has not come to its end in this time leaves when others need its place. Three round trips of a bad
/// line.
const HANDSHAKE_GRACE: Duration = Duration::from_secs(1);

/// Connections in all.
const CONNECTIONS_MAX: u64 = 16 * 1024;

/// Why the QUIC side cannot start.
#[derive(Debug, thiserror::Error)]
pub enum QuicError {
    /// TLS.
    #[error(transparent)]
    Tls(#[from] tls::TlsError),
    /// The key has no cipher for QUIC.
    #[error("QUIC cannot use this TLS configuration: {0}")]
    Cipher(#[from] quinn::crypto::rustls::NoInitialCipherSuite),
    /// The address.
    #[error("--quic {addr}: {source}")]
    Bind {
        /// What was to be listened on.
        addr: SocketAddr,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
}

/// What those who come see.
pub(crate) fn server_config(identity: &RelayIdentity) -> Result<quinn::ServerConfig, QuicError> {
    let crypto = QuicServerConfig::try_from(tls::relay_server(identity.certified_key().clone())?)?;
    let mut server = quinn::ServerConfig::with_crypto(Arc::new(crypto));
    let token_key = hkdf::Salt::new(hkdf::HKDF_SHA256, &[]).extract(&identity.seed().address_token_key());
    server
        .token_key(Arc::new(token_key))
        .transport_config(Arc::new(transport()))
        .migration(true)
        .max_incoming(4096)
        .incoming_buffer_size(64 * 1024)
        .incoming_buffer_size_total(1024 * 1024);
    Ok(server)
}

/// Makes the endpoint. Keys that peers hold on to come from the relay's seed, so that they outlive a restart.
///
/// # Errors
/// [`QuicError`].
pub fn endpoint(addr: SocketAddr, identity: &RelayIdentity) -> Result<Endpoint, QuicError> {
    let server = server_config(identity)?;
    let mut config =
        EndpointConfig::new(Arc::new(hmac::Key::new(hmac::HMAC_SHA256, &identity.seed().stateless_reset_key())));
    let id_key = identity.seed().connection_id_key();
    config.cid_generator(move || Box::new(HashedConnectionIdGenerator::from_key(id_key)));
    // After a restart every client has to be told by a reset; the default of one each 20 ms would take a fleet minutes.
    config.min_reset_interval(Duration::from_millis(1));
    let bind = |source| QuicError::Bind { addr, source };
    let socket = std::net::UdpSocket::bind(addr).map_err(bind)?;
    Endpoint::new(config, Some(server), socket, Arc::new(TokioRuntime)).map_err(bind)
}

fn transport() -> TransportConfig {
    let mut t = TransportConfig::default();
    let mut mtu = MtuDiscoveryConfig::default();
    mtu.upper_bound(1452);
    t.max_concurrent_bidi_streams(granted(PHONE_STREAMS).into())
        .max_concurrent_uni_streams(0u32.into())
        .stream_receive_window(STREAM_WINDOW.into())
        .receive_window((STREAM_WINDOW * granted(PHONE_STREAMS)).into())
        .send_window(PHONE_SEND_WINDOW)
        .max_idle_timeout(IDLE.try_into().ok())
        .mtu_discovery_config(Some(mtu))
        .allow_spin(false)
        .datagram_receive_buffer_size(None);
    t
}

/// Accepts until `stopping` turns true, then waits for what it has begun; dropped, it ends all of it.
pub async fn serve(endpoint: Endpoint, hub: Arc<Hub>, mut stopping: watch::Receiver<bool>) {
    let mut stopping = std::pin::pin!(async move { drop(stopping.wait_for(|s| *s).await) });
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            incoming = endpoint.accept() => match incoming {
                Some(incoming) => {
                    if let Some((incoming, seat)) = admit(incoming, &hub) {
                        connections.spawn(connection(incoming, seat, hub.clone(), endpoint.clone()));
                    }
                }
                None => break,
            },
            Some(over) = connections.join_next() => drop(hub.metrics.task_over(over)),
            () = &mut stopping => break,
        }
    }
    while let Some(over) = connections.join_next().await {
        hub.metrics.task_over(over);
    }
}

/// What is asked before any cryptography.
fn admit(incoming: Incoming, hub: &Hub) -> Option<(Incoming, Seat<Network>)> {
    let metrics = &hub.metrics;
    let from = incoming.remote_address().ip();
    if metrics.quic_connections.get() >= CONNECTIONS_MAX {
        metrics.dials_overload.add_one();
        incoming.refuse();
        return None;
    }
    let known = if incoming.remote_address_validated() { Address::Proved } else { Address::Claimed };
    let dial = if known == Address::Claimed && hub.handshakes.taken() >= hub.limits().claimed() {
        metrics.dials_retried.add_one();
        Dial::Prove
    } else {
        hub.dial(from, known)
    };
    match dial {
        Dial::Granted => {}
        Dial::Prove => {
            // Fails only where a retry may not be asked for, and then nothing is owed.
            let _ = incoming.retry();
            return None;
        }
        Dial::Refused => {
            incoming.refuse();
            return None;
        }
    }
    match hub.handshakes.take(Network::of(from), HANDSHAKE_GRACE) {
        Ok(seat) => Some((incoming, seat)),
        Err(_) => {
            metrics.dials_overload.add_one();
            incoming.refuse();
            None
        }
    }
}

/// What a stream of a connection turned out to be.
enum Asked {
    /// A phone's, and it is over.
    Over,
    /// A box wants to register on this connection.
    Register(Box<(Register, Halves)>),
}

async fn connection(incoming: Incoming, seat: Seat<Network>, hub: Arc<Hub>, endpoint: Endpoint) {
    let _held = hub.metrics.quic_connections.hold();
    let peer = incoming.remote_address();
    // Counted from here, so that a flood is seen before its first handshake ends.
    let handshake = (hub.metrics.quic_handshakes.hold(), seat);
    let Ok(connecting) = incoming.accept() else {
        hub.metrics.handshakes_failed.add_one();
        return;
    };
    // On this side it always works: streams that come in early data can be taken at once.
    let Ok((conn, confirmed)) = connecting.into_0rtt() else { return };
    let mut streams = JoinSet::new();
    let mut handshake = Some(handshake);
    let mut confirmed = std::pin::pin!(timeout(HANDSHAKE_LIMIT, confirmed));
    // A box that came before the handshake was confirmed waits here.
    let mut waiting = None;
    let asked = loop {
        if handshake.is_none() && waiting.is_some() {
            break waiting;
        }
        tokio::select! {
            done = &mut confirmed, if handshake.is_some() => match done {
                Ok(_) if conn.close_reason().is_none() => handshake = None,
                Ok(_) => {
                    hub.metrics.handshakes_failed.add_one();
                    break None;
                }
                Err(_) => {
                    hub.metrics.handshakes_late.add_one();
                    conn.close(code(End::Slow), b"the handshake took too long");
                    break None;
                }
            },
            () = lost(&handshake) => {
                hub.metrics.handshakes_evicted.add_one();
                conn.close(code(End::Overload), b"the handshake took long and others wait");
                break None;
            }
            stream = conn.accept_bi() => match stream {
                Ok((send, recv)) => {
                    streams.spawn(stream_of(send, recv, peer, hub.clone()));
                }
                Err(_) => break None,
            },
            Some(over) = streams.join_next() => if let Some(Asked::Register(first)) = hub.metrics.task_over(over) {
                waiting = Some(first);
            },
        }
    };
    drop(handshake);
    if let Some(first) = asked {
        let (register, control) = *first;
        // Streams of a phone have no place on a box's connection.
        streams.shutdown().await;
        leg::serve(conn, register, control, &hub, &endpoint).await;
        return;
    }
    // The connection is gone; its streams see it and end by themselves.
    while let Some(over) = streams.join_next().await {
        hub.metrics.task_over(over);
    }
}

/// Resolves when a handshake has lost its place to another.
async fn lost<T>(handshake: &Option<(T, Seat<Network>)>) {
    match handshake {
        Some((_, seat)) => seat.lost().await,
        None => std::future::pending().await,
    }
}

/// One stream from a phone, or the first of a box.
async fn stream_of(send: SendStream, recv: RecvStream, peer: SocketAddr, hub: Arc<Hub>) -> Asked {
    let mut phone = Halves::new(send, recv);
    let early = phone.recv.is_0rtt();
    let head = match timeout(FIRST_RECORD_LIMIT, first_record(&mut phone.recv)).await {
        Ok(Ok(head)) => head,
        Ok(Err(end)) => {
            if end == End::Invalid {
                hub.metrics.heads_invalid.add_one();
            }
            hub.metrics.refused.add_one(end);
            phone.cut(end);
            return Asked::Over;
        }
        Err(_) => {
            hub.metrics.heads_late.add_one();
            hub.metrics.refused.add_one(End::Slow);
            phone.cut(End::Slow);
            return Asked::Over;
        }
    };
    match head {
        (RelayHead::Register(register), _) => Asked::Register(Box::new((register, phone))),
        (RelayHead::Reach(id), rest) => {
            let end = reach(&mut phone, &id, rest, peer, early, &hub).await;
            hub.metrics.ended.add_one(end);
            Asked::Over
        }
    }
}

/// Carries one stream of a phone from its head to its end.
async fn reach(phone: &mut Halves, id: &BoxId, rest: Bytes, peer: SocketAddr, early: bool, hub: &Arc<Hub>) -> End {
    let bridged = Bridged { carried: Carried::Quic, peer: Some(plain(peer)), early };
    let mut opened = match hub.open(id, &bridged, rest).await {
        Ok(opened) => opened,
        Err(end) => {
            phone.cut(end);
            return end;
        }
    };
    let link = opened.link.clone();
    bridge::quic(phone, &mut opened.at_box, hub.terms(&opened.readers), || link.lost()).await
}

/// An IPv4 address that came over an IPv6 socket, as what it is.
pub(crate) fn plain(peer: SocketAddr) -> SocketAddr {
    let ip: IpAddr = peer.ip().to_canonical();
    SocketAddr::new(ip, peer.port())
}

/// Reads the head, and what came right behind it.
async fn first_record(recv: &mut RecvStream) -> Result<(RelayHead, Bytes), End> {
    let mut decoder = Decoder::with_max(RELAY_HEAD_MAX);
    loop {
        match decoder.next() {
            Ok(Some(record)) => {
                let head = RelayHead::decode(&record).map_err(|_| End::Invalid)?;
                return Ok((head, decoder.into_rest()));
            }
            Ok(None) => {}
            Err(_) => return Err(End::Invalid),
        }
        match recv.read_chunk(4096, true).await {
            Ok(Some(chunk)) => decoder.push(&chunk.bytes),
            Ok(None) => return Err(End::Invalid),
            Err(_) => return Err(End::Cancelled),
        }
    }
}

//! The uplink of a box against a real relay.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::Mutex;
use std::time::Duration;

use quinn::ClientConfig;
use quinn::Connection;
use quinn::Endpoint;
use quinn::RecvStream;
use quinn::SendStream;
use quinn::crypto::rustls::QuicClientConfig;
use tempfile::TempDir;
use tokio::time::Instant;
use tokio::time::sleep;
use tokio::time::timeout;
use vyre_certs::identity::BoxIdentity;
use vyre_certs::tls;
use vyre_proto::head::Bridged;
use vyre_proto::head::Carried;
use vyre_proto::head::End;
use vyre_proto::head::RelayHead;
use vyre_proto::relay_url::Pin;
use vyre_proto::relay_url::RelayUrl;
use vyre_relay::config::Config;
use vyre_relay::server::Server;
use vyre_stream::clock::Clock;
use vyre_stream::edge::uplink::BridgedHandler;
use vyre_stream::edge::uplink::Down;
use vyre_stream::edge::uplink::Uplink;
use vyre_stream::edge::uplink::UplinkState;

use crate::common::Proxy;

const SOON: Duration = Duration::from_secs(15);

async fn soon<F: Future>(what: F) -> F::Output {
    timeout(SOON, what).await.expect("it should not take this long")
}

/// Says what it was told and sends everything back.
#[derive(Default)]
struct Echo {
    seen: Mutex<Vec<Bridged>>,
}

impl BridgedHandler for Echo {
    async fn handle(&self, head: Bridged, mut send: SendStream, mut recv: RecvStream) {
        self.seen.lock().unwrap().push(head);
        while let Ok(Some(chunk)) = recv.read_chunk(usize::MAX, true).await {
            if send.write_chunk(chunk.bytes).await.is_err() {
                return;
            }
        }
        let _ = send.finish();
    }
}

struct Relay {
    server: Server,
    dir: TempDir,
}

impl Relay {
    async fn start() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let server = Server::start(Self::config(&dir)).await.unwrap();
        Self { server, dir }
    }

    fn config(dir: &TempDir) -> Config {
        let mut config = Config::on_loopback(dir.path().to_owned());
        config.drain = Duration::from_millis(200);
        config
    }

    /// The same relay at the same address, once more.
    async fn restart(self) -> Self {
        let quic = self.server.quic();
        self.server.stop().await;
        let mut config = Self::config(&self.dir);
        config.quic = quic;
        Self { server: Server::start(config).await.unwrap(), dir: self.dir }
    }
}

fn uplink(url: &RelayUrl, identity: &Arc<BoxIdentity>, handler: &Arc<Echo>) -> Uplink {
    Uplink::start(url.clone(), identity.clone(), &Clock::system(), handler.clone()).unwrap()
}

async fn reaches(uplink: &Uplink, want: impl Fn(&UplinkState) -> bool) -> UplinkState {
    soon(uplink.state().wait_for(want)).await.unwrap().clone()
}

async fn up(uplink: &Uplink) {
    reaches(uplink, |s| *s == UplinkState::Up).await;
}

/// A phone's connection, with what keeps it alive.
async fn phone(url: &RelayUrl) -> (Endpoint, Connection) {
    let client = ClientConfig::new(Arc::new(QuicClientConfig::try_from(tls::relay_client(url).unwrap()).unwrap()));
    let addr = SocketAddr::from(([127, 0, 0, 1], url.quic_port()));
    let endpoint = Endpoint::client(([0, 0, 0, 0], 0).into()).unwrap();
    let conn = soon(endpoint.connect_with(client, addr, url.host()).unwrap()).await.unwrap();
    (endpoint, conn)
}

async fn round_trip(conn: &Connection, identity: &BoxIdentity, words: &[u8]) -> Result<Vec<u8>, String> {
    let (mut send, mut recv) = conn.open_bi().await.map_err(|e| e.to_string())?;
    let reach = RelayHead::Reach(identity.box_id()).to_record();
    send.write_all(&reach).await.map_err(|e| e.to_string())?;
    send.write_all(words).await.map_err(|e| e.to_string())?;
    send.finish().map_err(|e| e.to_string())?;
    soon(recv.read_to_end(1 << 20)).await.map_err(|e| e.to_string())
}

fn identity() -> Arc<BoxIdentity> {
    Arc::new(BoxIdentity::generate().unwrap())
}

#[tokio::test]
async fn a_stream_from_a_phone_comes_to_the_handler_with_nothing_lost_behind_its_head() {
    let relay = Relay::start().await;
    let (identity, handler) = (identity(), Arc::new(Echo::default()));
    let uplink = uplink(relay.server.url(), &identity, &handler);
    up(&uplink).await;
    let (_endpoint, conn) = phone(relay.server.url()).await;

    assert_eq!(round_trip(&conn, &identity, b"words").await.as_deref(), Ok(&b"words"[..]));

    let seen = handler.seen.lock().unwrap().clone();
    assert_eq!(seen.len(), 1);
    assert_eq!(seen[0].carried, Carried::Quic);
    uplink.stop().await;
    let gone = soon(async {
        while relay.server.boxes() > 0 {
            sleep(Duration::from_millis(5)).await;
        }
    });
    gone.await;
}

#[tokio::test]
async fn a_relay_with_another_key_is_not_believed() {
    let relay = Relay::start().await;
    let url = relay.server.url();
    let other = RelayUrl::new(false, url.host(), url.http_port(), url.quic_port(), vec![Pin([5; 32])]).unwrap();

    let uplink = uplink(&other, &identity(), &Arc::default());

    let state = reaches(&uplink, |s| matches!(s, UplinkState::Down { .. })).await;
    assert!(matches!(state, UplinkState::Down { why: Down::WrongKey { .. } }), "{state}");
    assert_eq!(relay.server.boxes(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_a_restart_of_the_relay_the_box_is_back_by_itself() {
    let relay = Relay::start().await;
    let (identity, handler) = (identity(), Arc::new(Echo::default()));
    let uplink = uplink(relay.server.url(), &identity, &handler);
    up(&uplink).await;

    let relay = relay.restart().await;
    soon(async {
        while relay.server.boxes() == 0 {
            sleep(Duration::from_millis(5)).await;
        }
    })
    .await;

    up(&uplink).await;
    let (_endpoint, conn) = phone(relay.server.url()).await;
    assert_eq!(round_trip(&conn, &identity, b"again").await.as_deref(), Ok(&b"again"[..]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_relay_that_falls_silent_is_given_up_and_dialled_again() {
    let relay = Relay::start().await;
    let proxy = Proxy::start(relay.server.http(), relay.server.quic()).await;
    let (identity, handler) = (identity(), Arc::new(Echo::default()));
    let uplink = uplink(&proxy.relay(relay.server.url()), &identity, &handler);
    up(&uplink).await;
    let (_endpoint, conn) = phone(relay.server.url()).await;

    proxy.cut();
    let began = Instant::now();
    let back = async {
        let mut state = uplink.state();
        state.wait_for(|s| *s != UplinkState::Up).await.unwrap();
        state.wait_for(|s| *s == UplinkState::Up).await.unwrap();
    };
    // The idle limit, a dial, and room for a slow machine.
    timeout(Duration::from_secs(25), back).await.expect("it stays with a path that is gone");

    assert!(began.elapsed() > Duration::from_secs(5), "it was told of the cut");
    assert_eq!(round_trip(&conn, &identity, b"again").await.as_deref(), Ok(&b"again"[..]));
    assert_eq!(relay.server.boxes(), 1);
}

#[tokio::test]
async fn of_two_programs_with_one_key_the_later_stays_and_the_earlier_does_not_come_back() {
    let relay = Relay::start().await;
    let (identity, first, second) = (identity(), Arc::new(Echo::default()), Arc::new(Echo::default()));
    let url = relay.server.url();
    let older = uplink(url, &identity, &first);
    up(&older).await;
    // The calendar has to have moved for the second to be the later one.
    sleep(Duration::from_millis(5)).await;
    let newer = uplink(url, &identity, &second);
    up(&newer).await;

    let state = reaches(&older, |s| matches!(s, UplinkState::Down { .. })).await;

    assert_eq!(state, UplinkState::Down { why: Down::Closed { end: End::Replaced } });
    let (_endpoint, conn) = phone(url).await;
    let mut newer_state = newer.state();
    newer_state.mark_unchanged();
    for _ in 0..5 {
        assert!(round_trip(&conn, &identity, b"x").await.is_ok());
        sleep(Duration::from_millis(100)).await;
    }
    assert!(!newer_state.has_changed().unwrap());
    assert_eq!(first.seen.lock().unwrap().len(), 0);
    assert_eq!(second.seen.lock().unwrap().len(), 5);
}

#[tokio::test]
async fn a_dropped_uplink_leaves_no_connection_behind() {
    let relay = Relay::start().await;
    let uplink = uplink(relay.server.url(), &identity(), &Arc::default());
    up(&uplink).await;
    drop(uplink);
    soon(async {
        while relay.server.boxes() > 0 {
            sleep(Duration::from_millis(5)).await;
        }
    })
    .await;
}

//! Floods of those who begin and never finish: there is a cap and a time limit, and an honest phone gets in all the while.

use std::net::IpAddr;
use std::net::Ipv4Addr;
use std::net::SocketAddr;
use std::time::Duration;
use std::time::Instant;

use quinn::Endpoint;
use tokio::io::AsyncReadExt;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpSocket;
use tokio::net::TcpStream;
use vyre_proto::relay_url::RelayUrl;
use vyre_relay::config::Config;

use crate::common::*;
use crate::way::Pass;
use crate::way::Way;

/// Another machine, as far as limits for addresses go.
const ELSEWHERE: IpAddr = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2));

/// Begins so many handshakes by this way, and gives what keeps them going.
fn begin(way: &Way, endpoint: &Endpoint, url: &RelayUrl, n: usize) -> Vec<quinn::Connecting> {
    let (config, url) = (client(url, transport()), way.url(url));
    let to = (Ipv4Addr::LOCALHOST, url.quic_port()).into();
    (0..n).map(|_| endpoint.connect_with(config.clone(), to, url.host()).unwrap()).collect()
}

fn endpoint(address: IpAddr) -> Endpoint {
    Endpoint::client((address, 0).into()).unwrap()
}

fn small(config: &mut Config) {
    config.limits.handshakes = 64;
}

/// A phone dials and reaches its box; gives how long that took.
async fn in_and_through(relay: &TestRelay, at: &TestBox) -> Duration {
    let began = Instant::now();
    let quic = dial(&relay.url()).await;
    pair(&quic, at).await;
    began.elapsed()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn quic_dials_from_addresses_that_nobody_proved_hold_few_handshakes_and_keep_nobody_out() {
    let relay = TestRelay::with(small).await;
    let at = TestBox::start(&relay).await;
    let way = Way::lay(relay.server().quic(), ELSEWHERE, Pass::There).await;

    let attacker = endpoint(Ipv4Addr::LOCALHOST.into());
    let flood = begin(&way, &attacker, &relay.url(), 200);
    until(|| way.retries() > 100).await;
    let mut most = 0;
    for _ in 0..20 {
        let took = in_and_through(&relay, &at).await;
        assert!(took < Duration::from_secs(1), "{took:?}");
        most = most.max(relay.metric("vyre_relay_quic_handshakes"));
    }

    // An eighth of all, and perhaps the phone that was just coming in.
    assert!(most <= 9, "{most}");
    assert!(relay.metric("vyre_relay_dials_retried") > 100);
    // Those inside never say another word.
    way.set(Pass::Nothing);
    until(|| relay.metric("vyre_relay_quic_handshakes") == 0).await;
    until(|| relay.metric("vyre_relay_quic_connections") == 1).await;
    assert!(relay.metric("vyre_relay_handshakes_late") > 0);
    drop(flood);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn quic_dials_that_prove_their_address_and_stay_silent_fill_the_share_of_that_address_alone() {
    let relay = TestRelay::with(small).await;
    let at = TestBox::start(&relay).await;
    let way = Way::lay(relay.server().quic(), ELSEWHERE, Pass::ThereAndRetry).await;

    let attacker = endpoint(Ipv4Addr::LOCALHOST.into());
    let flood = begin(&way, &attacker, &relay.url(), 200);
    until(|| relay.metric("vyre_relay_dials_overload") > 0).await;

    // Its share, but for those that have just been let in and those that have just been put out.
    let inside = relay.metric("vyre_relay_quic_handshakes");
    assert!((9..=20).contains(&inside), "{inside}");
    let took = in_and_through(&relay, &at).await;
    assert!(took < Duration::from_secs(1), "{took:?}");
    // Not even the same address is closed to who means it, once the others have had their second.
    let sibling = endpoint(ELSEWHERE);
    soon(async {
        let config = client(&relay.url(), transport());
        while sibling.connect_with(config.clone(), relay.server().quic(), "127.0.0.1").unwrap().await.is_err() {}
    })
    .await;
    assert!(relay.metric("vyre_relay_handshakes_evicted") > 0);
    way.set(Pass::Nothing);
    until(|| relay.metric("vyre_relay_quic_handshakes") == 0).await;
    drop(flood);
}

async fn tcp_from(address: IpAddr, to: SocketAddr) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind((address, 0).into()).unwrap();
    socket.connect(to).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sockets_that_bring_no_request_fill_the_share_of_their_address_alone_and_the_longest_makes_room() {
    let relay = TestRelay::with(small).await;
    let at = TestBox::start(&relay).await;
    let http = relay.server().http();
    let mut flood = Vec::new();
    for i in 0..40 {
        let mut tcp = tcp_from(ELSEWHERE, http).await;
        // Each other one gets as far as the first bytes of a TLS handshake.
        if i % 2 == 0 {
            let _ = tcp.write_all(&[0x16, 3, 1]).await;
        }
        flood.push(tcp);
    }
    until(|| relay.metric("vyre_relay_dials_overload") > 0).await;
    let inside = relay.metric("vyre_relay_web_half_made");
    assert!((9..=20).contains(&inside), "{inside}");

    let began = Instant::now();
    let (ws, ..) = socket_pair(&relay, &at).await;
    assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());

    // From the flood's own address a new one is taken as soon as the oldest has had its second, and before its five.
    soon(async {
        while relay.metric("vyre_relay_handshakes_evicted") == 0 {
            drop(tcp_from(ELSEWHERE, http).await);
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    })
    .await;
    assert!(began.elapsed() < Duration::from_secs(4), "{:?}", began.elapsed());
    let mut byte = [0; 1];
    assert!(matches!(soon(flood[0].read(&mut byte)).await, Ok(0) | Err(_)), "the oldest is the one that left");
    until(|| relay.metric("vyre_relay_web_half_made") == 0).await;
    drop(ws);
    until(|| relay.metric("vyre_relay_web_connections") == 0).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn upgrades_that_come_byte_by_byte_are_given_up_in_five_seconds() {
    let relay = TestRelay::with(small).await;
    let at = TestBox::start(&relay).await;
    let began = Instant::now();
    let mut drips = Vec::new();
    for _ in 0..12 {
        let mut tls = tls(&relay.url()).await;
        let id = at.id();
        drips.push(tokio::spawn(async move {
            let request = format!("GET /b/{id}/v1/streams/stream/session HTTP/1.1\r\nupgrade: websocket\r\n");
            for byte in request.into_bytes() {
                if tls.write_all(&[byte]).await.is_err() || tls.flush().await.is_err() {
                    break;
                }
                tokio::time::sleep(Duration::from_millis(200)).await;
            }
            tls
        }));
    }
    until(|| relay.metric("vyre_relay_web_half_made") == 12).await;

    let (ws, ..) = socket_pair(&relay, &at).await;
    assert!(began.elapsed() < Duration::from_secs(4), "{:?}", began.elapsed());
    until(|| relay.metric("vyre_relay_web_half_made") == 0).await;

    let took = began.elapsed();
    assert!(took > Duration::from_secs(4) && took < Duration::from_secs(9), "{took:?}");
    assert_eq!(relay.metric("vyre_relay_heads_late"), 12);
    drop(ws);
    until(|| relay.metric("vyre_relay_web_connections") == 0).await;
    for drip in drips {
        drip.abort();
    }
}

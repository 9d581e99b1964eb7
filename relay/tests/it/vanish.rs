//! Boxes and phones that are gone without a word: noticed within the idle limit, and everything of theirs is freed.

use std::net::Ipv4Addr;
use std::time::Duration;
use std::time::Instant;

use quinn::TransportConfig;
use socket2::SockFilter;
use socket2::SockRef;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use vyre_certs::identity::BoxIdentity;
use vyre_proto::head::BridgedReply;
use vyre_proto::head::End;

use crate::common::*;
use crate::way::Pass;
use crate::way::Way;

/// The shorter limit of the two sides is both sides' limit.
const IDLE: Duration = Duration::from_secs(2);

fn impatient() -> TransportConfig {
    let mut t = transport();
    t.max_idle_timeout(Some(IDLE.try_into().unwrap())).keep_alive_interval(Some(IDLE / 4));
    t
}

/// Waits until nobody is left but these.
async fn counts_are(relay: &TestRelay, quic: u64, tcp: u64) {
    until(|| {
        let of = |name: &str| relay.metric(&format!("vyre_relay_{name}"));
        let streams = (relay.server().streams(), of("streams"), of("streams_behind"));
        (of("quic_connections"), of("web_connections")) == (quic, tcp) && streams == (0, 0, 0)
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_box_that_vanishes_is_noticed_and_its_phones_are_told_that_it_is_away() {
    let relay = TestRelay::start().await;
    let way = Way::lay(relay.server().quic(), Ipv4Addr::LOCALHOST.into(), Pass::All).await;
    let at = TestBox::of(&way.url(&relay.url()), BoxIdentity::generate().unwrap(), impatient()).await;
    let quic = dial(&relay.url()).await;
    let mut phone = pair(&quic, &at).await;
    let (mut ws, _held, _) = socket_pair(&relay, &at).await;

    way.set(Pass::Nothing);
    let began = Instant::now();
    // What is said into the dark does not keep it alive.
    phone.phone.0.write_all(b"are you there?").await.unwrap();

    assert_eq!(soon(phone.phone.1.received_reset()).await.unwrap().map(u64::from), Some(End::Away.code()));
    let took = began.elapsed();
    assert!(took > IDLE / 2 && took < 3 * IDLE, "{took:?}");
    let close = loop {
        use futures_util::StreamExt;
        match soon(ws.next()).await {
            Some(Ok(tokio_tungstenite::tungstenite::Message::Close(Some(frame)))) => break frame,
            Some(Ok(_)) => {}
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(End::from_ws(close.code.into(), &close.reason), End::Away);
    until(|| relay.server().boxes() == 0).await;
    drop(ws);
    counts_are(&relay, 1, 0).await;
    // A phone that comes now hears it at once.
    let (_send, mut recv) = reach(&quic, at.id()).await;
    assert_eq!(soon(recv.received_reset()).await.unwrap().map(u64::from), Some(End::Away.code()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_phone_on_quic_that_vanishes_frees_its_streams_and_its_box_is_told() {
    let relay = TestRelay::start().await;
    let at = TestBox::start(&relay).await;
    let way = Way::lay(relay.server().quic(), Ipv4Addr::LOCALHOST.into(), Pass::All).await;
    let quic = dial_with(&way.url(&relay.url()), impatient()).await;
    let mut idle = pair(&quic, &at).await;
    let mut busy = pair(&quic, &at).await;
    let _held = (&idle.phone, &busy.phone);

    way.set(Pass::Nothing);
    let began = Instant::now();
    // One of them has more to say than anybody takes.
    let busy_send = &mut busy.at_box.0;
    let pouring = async { busy_send.write_all(&vec![7; 4 << 20]).await };
    let (poured, reset) = soon(async { tokio::join!(pouring, idle.at_box.1.received_reset()) }).await;

    let took = began.elapsed();
    assert!(took > IDLE / 2 && took < 3 * IDLE, "{took:?}");
    let lost = quinn::VarInt::from_u32(End::Lost as u32);
    assert_eq!(poured, Err(quinn::WriteError::Stopped(lost)));
    assert_eq!(reset, Ok(Some(lost)));
    counts_are(&relay, 1, 0).await;
}

/// From now on this machine hears nothing of the other side, and so acknowledges nothing: to the other side it is gone.
fn vanish(tcp: &TcpStream) {
    const RETURN: u16 = 0x06;
    SockRef::from(tcp).attach_filter(&[SockFilter::new(RETURN, 0, 0, 0)]).unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn phones_on_tcp_that_vanish_are_noticed_whether_or_not_anything_is_said_to_them() {
    let relay = TestRelay::with(|c| c.stall = IDLE).await;
    let at = TestBox::start(&relay).await;
    let (idle, _idle_at_box, _) = socket_pair(&relay, &at).await;
    let (busy, (mut send, _recv), _) = socket_pair(&relay, &at).await;
    // A call whose answer does not end, as server-sent events do.
    let mut call = tls(&relay.url()).await;
    let request = format!("GET /b/{}/v1/streams/stream/session HTTP/1.1\r\nhost: relay\r\n\r\n", at.id());
    call.write_all(request.as_bytes()).await.unwrap();
    let (_, mut answer, _up) = at.accept().await;
    answer.write_all(&BridgedReply::new(200, Vec::new()).unwrap().to_record()).await.unwrap();
    until(|| relay.server().streams() == 3).await;

    for tcp in [idle.get_ref().get_ref().0, busy.get_ref().get_ref().0, call.get_ref().0] {
        vanish(tcp);
    }
    let began = Instant::now();
    send.write_all(b"anybody there?").await.unwrap();
    counts_are(&relay, 1, 0).await;

    let took = began.elapsed();
    assert!(took > IDLE / 2 && took < 4 * IDLE, "{took:?}");
    drop((idle, busy, call));
}

//! A screen that knows two paths to its box: which it takes, and what becomes of the other.

use std::net::Ipv4Addr;
use std::net::SocketAddr;
use std::time::Duration;

use tokio::net::UdpSocket;
use tokio::time::Instant;
use tokio::time::timeout;
use vyre_proto::event::Event;
use vyre_proto::fold::Fold;
use vyre_proto::pb::stream as pb;
use vyre_proto::resume::Position;
use vyre_proto::resume::State;
use vyre_stream::client::Both;
use vyre_stream::client::Client;
use vyre_stream::client::Reading;
use vyre_stream::client::RelayCarrier;
use vyre_stream::client::Target;
use vyre_stream::client::Token;
use vyre_stream::client::Update;
use vyre_stream::client::carrier::Via;
use vyre_stream::client::upgrade::CONFIRM;
use vyre_stream::client::upgrade::WAIT;

use crate::common::TestBox;
use crate::common::TestRelay;
use crate::common::delta;
use crate::common::served::ok;
use crate::common::served::vyre;
use crate::common::way::Pass;
use crate::common::way::Way;
use crate::common::words;
use crate::cuts::World;
use crate::cuts::fold_to;
use crate::cuts::session;

/// Far more than a path choice takes, and far less than any limit that a dial alone would run into.
const SOON: Duration = Duration::from_secs(4);

async fn soon<F: Future>(what: F) -> F::Output {
    timeout(SOON, what).await.expect("it should not take this long")
}

/// The box's QUIC listener as if it were at `at`.
fn straight(b: &TestBox, at: SocketAddr) -> Target {
    Target::Box { id: b.id(), host: at.ip().to_string(), port: at.port() }
}

fn both(straight: Target, relay: &TestRelay, b: &TestBox, token: &str) -> Client {
    let relayed = Target::Relay { url: relay.server.url().clone(), id: b.id(), carrier: RelayCarrier::Either };
    let target = Target::Both(Box::new(Both::new(straight, relayed).unwrap()));
    Client::connect(target, Token::parse(token).unwrap()).unwrap()
}

/// By which path the next stream comes.
async fn live(reading: &mut Reading) -> Via {
    loop {
        match reading.next().await.expect("the reading goes on") {
            Update::State { state: State::Live { .. }, via: Some(via) } => return via,
            Update::State { state: State::Ended(end), .. } => panic!("ended: {end}"),
            _ => {}
        }
    }
}

fn metric(relay: &TestRelay, line: &str) -> bool {
    relay.server.metrics().lines().any(|l| l == line)
}

/// Takes packets and never answers: a network that drops them.
async fn black_hole() -> (UdpSocket, SocketAddr) {
    let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let addr = socket.local_addr().unwrap();
    (socket, addr)
}

#[tokio::test]
async fn a_box_that_answers_straight_is_read_straight_and_the_relay_hears_nothing() {
    let w = World::start().await;
    w.b.publish(&words("s", 5)).await;
    let client = both(straight(&w.b, w.b.quic()), &w.relay, &w.b, &w.b.person("robin"));
    let mut reading = client.attach(session(), Position::default());

    assert_eq!(soon(live(&mut reading)).await, Via::Quic);
    let listed: pb::SessionsListed = soon(client.call("sessions.list", &pb::SessionsList {})).await.unwrap();
    assert_eq!(listed.sessions.len(), 1);

    // The one connection is the box's.
    assert!(metric(&w.relay, "vyre_relay_quic_connections 1"));
    assert!(metric(&w.relay, "vyre_relay_web_connections 0"));
}

#[tokio::test]
async fn an_address_that_swallows_everything_costs_a_third_of_a_second_and_is_left_alone_then() {
    let w = World::start().await;
    w.b.publish(&words("s", 5)).await;
    let (hole, at) = black_hole().await;
    let client = both(straight(&w.b, at), &w.relay, &w.b, &w.b.person("robin"));
    let mut reading = client.attach(session(), Position::default());
    let began = Instant::now();

    assert_eq!(soon(live(&mut reading)).await, Via::Relay);

    let took = began.elapsed();
    assert!(took >= Duration::from_millis(300), "{took:?}");
    let mut fold = Fold::new();
    fold_to(&mut reading, &mut fold, 6, |_| {}).await;
    // The dial that lost is closed: a handshake that went on would try again within a second of its first packet.
    let mut packet = [0; 2048];
    while timeout(Duration::from_millis(5), hole.recv(&mut packet)).await.is_ok() {}
    let more = timeout(Duration::from_millis(1500), hole.recv(&mut packet)).await;
    assert!(more.is_err(), "it still dials");
}

#[tokio::test]
async fn an_address_at_which_nobody_listens_is_not_waited_for() {
    let w = World::start().await;
    w.b.publish(&words("s", 5)).await;
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let nobody = Target::Web { tls: false, host: "127.0.0.1".into(), port: nobody.port() };
    let client = both(nobody, &w.relay, &w.b, &w.b.person("robin"));
    let mut reading = client.attach(session(), Position::default());

    assert_eq!(soon(live(&mut reading)).await, Via::Relay);
    let listed: pb::SessionsListed = soon(client.call("sessions.list", &pb::SessionsList {})).await.unwrap();
    assert_eq!(listed.sessions.len(), 1);
}

#[tokio::test]
async fn a_relay_that_has_not_got_the_box_does_not_speak_for_it() {
    let (relay, b) = (TestRelay::start().await, TestBox::start().await);
    b.publish(&words("s", 5)).await;
    let way = Way::lay(b.quic(), Ipv4Addr::LOCALHOST.into(), Pass::Nothing).await;
    let client = both(straight(&b, way.near()), &relay, &b, &b.person("robin"));
    let mut reading = client.attach(session(), Position::default());

    let (via, ()) = soon(async {
        tokio::join!(live(&mut reading), async {
            while !metric(&relay, "vyre_relay_streams_refused{reason=\"away\"} 1") {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            way.set(Pass::All);
        })
    })
    .await;

    assert_eq!(via, Via::Quic);
    assert!(metric(&relay, "vyre_relay_streams_refused{reason=\"away\"} 1"), "one attempt was enough");
}

#[tokio::test]
async fn calls_and_events_go_by_the_path_that_answers_and_are_done_once() {
    let w = World::start().await;
    w.b.publish(&words("s", 1)).await;
    let (_hole, at) = black_hole().await;
    let began = Instant::now();
    let caller = both(straight(&w.b, at), &w.relay, &w.b, &w.b.person("robin"));
    let listed: pb::SessionsListed = soon(caller.call("sessions.list", &pb::SessionsList {})).await.unwrap();
    assert_eq!(listed.sessions.len(), 1);
    assert!(began.elapsed() >= Duration::from_millis(300), "straight was not tried");

    let mut publisher = both(straight(&w.b, at), &w.relay, &w.b, &w.b.producer()).publisher();
    for n in 0..20 {
        soon(publisher.publish(Event::from_json(delta("s", 10 + n, "x ").as_bytes()).unwrap())).await.unwrap();
    }
    soon(publisher.flush()).await.unwrap();
    assert_eq!((publisher.progress().accepted, publisher.progress().duplicates), (20, 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_program_takes_an_address_and_a_relay_together() {
    let w = World::start().await;
    w.b.publish(&words("s", 1)).await;
    let (_hole, at) = black_hole().await;
    let mut vyre = vyre(&["sessions", "--format", "json", "--box", &w.b.id().to_string()]);
    vyre.args(["--url", &format!("quic://{}@{at}", w.b.id()), "--relay", &w.relay.server.url().to_string()]);
    vyre.env("VYRE_TOKEN", w.b.person("robin"));

    let out = soon(tokio::task::spawn_blocking(move || vyre.output().unwrap())).await.unwrap();

    assert!(ok(&out).contains("\"session\":\"s\""), "{out:?}");
}

/// Reads on until a stream comes by `want`, folding all that comes; nothing may be left out and nothing come twice. Gives
/// the streams that came meanwhile.
async fn fold_until_via(reading: &mut Reading, fold: &mut Fold, want: Via) -> Vec<Via> {
    let mut seen = Vec::new();
    while seen.last() != Some(&want) {
        match reading.next().await.expect("the reading goes on") {
            Update::Frame(frame) => {
                if let Some(span) = frame.span() {
                    assert_eq!(span.first(), fold.last().next(), "a hole, or something twice");
                }
                fold.apply(&frame);
            }
            Update::State { state: State::Live { .. }, via } => seen.extend(via),
            Update::State { state: State::Ended(end), .. } => panic!("ended: {end}"),
            Update::State { .. } => {}
            Update::Missing(span) => panic!("missing {span:?}"),
        }
    }
    seen
}

/// Publishes a word each 20 ms until it is dropped, so that every move is made in the middle of what comes.
async fn talk(b: &TestBox) -> std::convert::Infallible {
    let mut n = 10;
    loop {
        b.publish(&[delta("s", n, "on ")]).await;
        n += 1;
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stream_that_fell_back_to_a_websocket_goes_back_to_quic_when_udp_works_again() {
    let w = World::start().await;
    w.b.publish(&words("s", 1)).await;
    let way = Way::lay(w.relay.server.quic(), Ipv4Addr::LOCALHOST.into(), Pass::Nothing).await;
    let url = way.url(w.relay.server.url());
    let target = Target::Relay { url, id: w.b.id(), carrier: RelayCarrier::Either };
    let client = Client::connect(target, Token::parse(&w.b.person("robin")).unwrap()).unwrap();
    let mut reading = client.attach(session(), Position::default());
    let mut fold = Fold::new();
    let whole = async {
        assert_eq!(fold_until_via(&mut reading, &mut fold, Via::RelayWeb).await, [Via::RelayWeb]);

        way.set(Pass::All);
        let began = Instant::now();
        assert_eq!(fold_until_via(&mut reading, &mut fold, Via::Relay).await, [Via::Relay]);
        let took = began.elapsed();
        assert!(took >= CONFIRM, "one look was enough: {took:?}");

        // UDP dies under it, and it is on the WebSocket again.
        way.set(Pass::Nothing);
        let seen = fold_until_via(&mut reading, &mut fold, Via::RelayWeb).await;
        assert_eq!(seen, [Via::RelayWeb]);
        // This time it is in no hurry: the path did not hold.
        way.set(Pass::All);
        let began = Instant::now();
        fold_until_via(&mut reading, &mut fold, Via::Relay).await;
        assert!(began.elapsed() > 2 * WAIT, "{:?}", began.elapsed());
    };

    tokio::select! {
        done = timeout(Duration::from_secs(60), whole) => done.expect("it does not move"),
        never = talk(&w.b) => match never {},
    }
    let head = fold.last().get();
    w.b.publish(&[delta("s", 9, "end")]).await;
    fold_to(&mut reading, &mut fold, head + 1, |_| {}).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stream_through_the_relay_moves_to_the_straight_path_when_that_answers() {
    let w = World::start().await;
    w.b.publish(&words("s", 1)).await;
    let way = Way::lay(w.b.quic(), Ipv4Addr::LOCALHOST.into(), Pass::Nothing).await;
    let client = both(straight(&w.b, way.near()), &w.relay, &w.b, &w.b.person("robin"));
    let mut reading = client.attach(session(), Position::default());
    let mut fold = Fold::new();
    let whole = async {
        assert_eq!(fold_until_via(&mut reading, &mut fold, Via::Relay).await, [Via::Relay]);
        way.set(Pass::All);
        assert_eq!(fold_until_via(&mut reading, &mut fold, Via::Quic).await, [Via::Quic]);
    };

    tokio::select! {
        done = timeout(Duration::from_secs(30), whole) => done.expect("it does not move"),
        never = talk(&w.b) => match never {},
    }
    // What went through the relay is over.
    soon(async {
        while w.relay.server.streams() > 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    })
    .await;
}

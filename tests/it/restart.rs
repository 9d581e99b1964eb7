//! Boxes and relays that go and come back: in order, in the middle of a record, behind a link that nobody has given up
//! yet, and under another key.

use std::net::SocketAddr;
use std::time::Duration;

use serde_json::json;
use tempfile::TempDir;
use tokio::runtime;
use tokio::runtime::Runtime;
use tokio::time::sleep;
use tokio::time::timeout;
use vyre_proto::fold::Fold;
use vyre_proto::ids::BoxId;
use vyre_proto::ids::SessionId;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::frame::Data;
use vyre_proto::relay_url::RelayUrl;
use vyre_proto::resume::Position;
use vyre_proto::resume::State;
use vyre_proto::resume::Why;
use vyre_relay::config::Config;
use vyre_relay::server::Server;
use vyre_relay::server::StartError;
use vyre_stream::client::CallError;
use vyre_stream::client::Client;
use vyre_stream::client::Reading;
use vyre_stream::client::RelayCarrier;
use vyre_stream::client::Target;
use vyre_stream::client::Token;
use vyre_stream::client::Update;
use vyre_stream::clock::Clock;
use vyre_stream::config::Many;
use vyre_stream::config::Settings;
use vyre_stream::daemon::UplinkState;

use crate::common::Proxy;
use crate::common::TestBox;
use crate::common::delta;
use crate::common::http;
use crate::common::words;

const LIMIT: Duration = Duration::from_secs(30);

const BOTH: [RelayCarrier; 2] = [RelayCarrier::Quic, RelayCarrier::WebSocket];

fn session() -> SessionId {
    SessionId::parse("s").unwrap()
}

/// A relay that can be started again at its place. Its tasks live in threads of its own, so that they can end as those of
/// a process do that is killed: all at once, with nothing said on any line.
struct Relay {
    server: Server,
    threads: Threads,
    folder: TempDir,
}

struct Threads(Option<Runtime>);

impl Threads {
    fn new() -> Threads {
        Threads(Some(runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap()))
    }

    async fn start(&self, config: Config) -> Result<Server, StartError> {
        self.0.as_ref().unwrap().spawn(Server::start(config)).await.unwrap()
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        self.0.take().unwrap().shutdown_background();
    }
}

impl Relay {
    async fn start() -> Relay {
        let (folder, threads) = (tempfile::tempdir().unwrap(), Threads::new());
        let config = Config { plain_http: true, ..Config::on_loopback(folder.path().to_owned()) };
        Relay { server: threads.start(config).await.unwrap(), threads, folder }
    }

    fn url(&self) -> RelayUrl {
        self.server.url().clone()
    }

    /// Stops it, in order or by the plug, and starts it where it was.
    async fn again(self, in_order: bool) -> Relay {
        let Relay { server, threads, folder } = self;
        let config = Config {
            plain_http: true,
            http: server.http(),
            quic: server.quic(),
            ..Config::on_loopback(folder.path().to_owned())
        };
        if in_order {
            server.stop().await;
            drop(threads);
        } else {
            drop(threads);
            drop(server);
        }
        let threads = Threads::new();
        let started = timeout(LIMIT, async {
            loop {
                // The system takes a moment to give the ports back.
                match threads.start(config.clone()).await {
                    Ok(server) => break server,
                    Err(_) => sleep(Duration::from_millis(10)).await,
                }
            }
        });
        Relay { server: started.await.expect("it starts again"), threads, folder }
    }
}

fn settings(relay: &RelayUrl) -> Settings {
    Settings { relay: Some(Many::One(relay.to_string())), ..Settings::default() }
}

/// A box whose uplink stands.
async fn box_in(folder: TempDir, settings: Settings) -> TestBox {
    let b = TestBox::start_in(folder, settings, Clock::system()).await;
    up(&b).await;
    b
}

async fn up(b: &TestBox) {
    let mut state = b.daemon().uplinks().remove(0);
    timeout(LIMIT, state.wait_for(|s| *s == UplinkState::Up)).await.expect("no uplink").unwrap();
}

fn client(target: Target, token: &str) -> Client {
    Client::connect(target, Token::parse(token).unwrap()).unwrap()
}

fn relayed(url: RelayUrl, id: BoxId, carrier: RelayCarrier, token: &str) -> Client {
    client(Target::Relay { url, id, carrier }, token)
}

fn lan(at: SocketAddr, token: &str) -> Client {
    client(Target::Web { tls: false, host: at.ip().to_string(), port: at.port() }, token)
}

/// A reader and what it has seen.
struct Screen {
    reading: Reading,
    fold: Fold,
    states: Vec<State>,
}

impl Screen {
    fn of(client: &Client) -> Screen {
        Screen { reading: client.attach(session(), Position::default()), fold: Fold::new(), states: Vec::new() }
    }

    /// Reads on to `head`: every cursor once, in order, and no reset.
    async fn read_to(&mut self, head: u64) {
        let read = async {
            while self.fold.last().get() < head {
                self.one().await;
            }
        };
        let read = timeout(LIMIT, read).await;
        assert!(read.is_ok(), "it stands at {} of {head}: {:?}", self.fold.last(), self.states);
    }

    async fn one(&mut self) {
        match self.reading.next().await.expect("the reading goes on") {
            Update::Frame(frame) => {
                assert!(!matches!(frame.get().data, Some(Data::Reset(_) | Data::Lost(_))), "{frame:?}");
                if let Some(span) = frame.span() {
                    assert_eq!(span.first(), self.fold.last().next(), "a hole, or something twice");
                }
                self.fold.apply(&frame);
            }
            Update::State { state: State::Ended(end), .. } => panic!("ended: {end}"),
            Update::State { state, .. } => self.states.push(state),
            Update::Missing(span) => panic!("missing {span:?}"),
        }
    }
}

#[tokio::test]
async fn readers_come_back_to_a_box_that_restarts_and_its_log_is_the_same() {
    let relay = Relay::start().await;
    let b = box_in(tempfile::tempdir().unwrap(), settings(&relay.url())).await;
    b.publish(&words("s", 9)).await;
    let token = b.person("robin");
    let quic = client(Target::Box { id: b.id(), host: "127.0.0.1".into(), port: b.quic().port() }, &token);
    let mut screens = vec![Screen::of(&lan(b.http(), &token)), Screen::of(&quic)];
    screens.extend(BOTH.map(|carrier| Screen::of(&relayed(relay.url(), b.id(), carrier, &token))));
    let mut logs = Vec::new();
    for screen in &mut screens {
        screen.read_to(10).await;
        logs.push(screen.reading.position().log.unwrap());
    }

    let at = Settings { http: Some(b.http().to_string()), quic: Some(b.quic().to_string()), ..settings(&relay.url()) };
    let folder = timeout(LIMIT, b.stop()).await.expect("it stops");
    let b = box_in(folder, at).await;
    b.publish(&[delta("s", 9, "after")]).await;

    for (screen, log) in screens.iter_mut().zip(logs) {
        screen.read_to(11).await;
        assert_eq!(screen.reading.position().log, Some(log));
        let told = screen.states.contains(&State::Reconnecting(Why::Bye(pb::ByeReason::Restart)));
        assert!(told, "nobody said bye: {:?}", screen.states);
    }
}

#[tokio::test]
async fn box_and_screens_come_back_to_a_relay_that_restarts_with_its_keys() {
    let relay = Relay::start().await;
    let b = box_in(tempfile::tempdir().unwrap(), settings(&relay.url())).await;
    b.publish(&words("s", 9)).await;
    let token = b.person("robin");
    let mut screens = BOTH.map(|carrier| Screen::of(&relayed(relay.url(), b.id(), carrier, &token)));
    for screen in &mut screens {
        screen.read_to(10).await;
    }
    let url = relay.url();

    let relay = relay.again(true).await;
    b.publish(&[delta("s", 9, "after")]).await;

    assert_eq!(relay.url(), url);
    for screen in &mut screens {
        screen.read_to(11).await;
    }
    up(&b).await;
}

#[tokio::test]
async fn a_relay_that_dies_in_the_middle_of_a_record_costs_nothing() {
    let mut relay = Relay::start().await;
    let b = box_in(tempfile::tempdir().unwrap(), settings(&relay.url())).await;
    // Records of half a megabyte: no read of a socket takes one whole.
    let big = "x".repeat(500_000);
    b.publish(&words("s", 0)).await;
    for n in 0..24 {
        b.publish(&[delta("s", n, &big)]).await;
    }
    let head = 25;
    let token = b.person("robin");

    for carrier in BOTH {
        up(&b).await;
        let mut screen = Screen::of(&relayed(relay.url(), b.id(), carrier, &token));
        screen.read_to(2).await;
        // The rest is on its way: windows are smaller than what is still to come.
        relay = relay.again(false).await;
        assert!(screen.fold.last().get() < head);
        screen.read_to(head).await;

        let mut whole = Screen::of(&lan(b.http(), &token));
        whole.read_to(head).await;
        assert!(screen.states.iter().any(|s| matches!(s, State::Reconnecting(why) if *why != Why::First)));
        assert!(screen.fold.rows() == whole.fold.rows(), "{carrier:?}");
    }
}

#[tokio::test]
async fn a_box_that_comes_back_takes_the_place_of_a_link_that_nobody_has_given_up() {
    let relay = Relay::start().await;
    let proxy = Proxy::start(relay.server.http(), relay.server.quic()).await;
    let b = box_in(tempfile::tempdir().unwrap(), settings(&proxy.relay(&relay.url()))).await;
    b.publish(&words("s", 9)).await;
    let (token, id) = (b.person("robin"), b.id());
    let mut screens = BOTH.map(|carrier| Screen::of(&relayed(relay.url(), id, carrier, &token)));
    for screen in &mut screens {
        screen.read_to(10).await;
    }

    // From now on the relay hears nothing of the old link, not even its farewell.
    proxy.cut();
    let folder = timeout(LIMIT, b.stop()).await.expect("it stops");
    assert_eq!(relay.server.boxes(), 1, "the relay still holds the old link");
    let b = box_in(folder, settings(&relay.url())).await;
    b.publish(&[delta("s", 9, "after")]).await;

    assert_eq!(b.id(), id);
    assert_eq!(relay.server.boxes(), 1, "one place, and the new link has it");
    let mut fresh = Screen::of(&relayed(relay.url(), id, RelayCarrier::Quic, &token));
    timeout(Duration::from_secs(5), fresh.read_to(11)).await.expect("a new screen is served at once");
    for screen in &mut screens {
        screen.read_to(11).await;
    }
}

#[tokio::test]
async fn a_box_that_comes_back_with_another_key_is_another_box() {
    let relay = Relay::start().await;
    let b = box_in(tempfile::tempdir().unwrap(), settings(&relay.url())).await;
    b.publish(&words("s", 9)).await;
    let (token, old) = (b.person("robin"), b.id());
    let mut screen = Screen::of(&relayed(relay.url(), old, RelayCarrier::Quic, &token));
    screen.read_to(10).await;

    let folder = timeout(LIMIT, b.stop()).await.expect("it stops");
    std::fs::remove_file(folder.path().join("box.key")).unwrap();
    let b = box_in(folder, settings(&relay.url())).await;

    assert_ne!(b.id(), old);
    // Whoever asks for the old one through the relay is told at once that it is away.
    let listed = pb::SessionsList::default();
    for carrier in BOTH {
        let phone = relayed(relay.url(), old, carrier, &token);
        let asked = phone.call::<pb::SessionsListed>("sessions.list", &listed);
        match timeout(Duration::from_secs(5), asked).await.expect("an answer at once").unwrap_err() {
            CallError::Refused { code: pb::ErrorCode::Unavailable, message, .. } => {
                assert!(message.contains("box"), "{carrier:?}: {message}");
            }
            other => panic!("{carrier:?}: {other:?}"),
        }
    }
    let auth = format!("Bearer {token}");
    let path = format!("/b/{old}/v1/tools/sessions.list");
    let reply = http(relay.server.http(), "POST", &path, &[("authorization", &auth)], b"{}").await;
    assert_eq!((reply.status, &reply.json()["code"]), (503, &json!("unavailable")), "{}", reply.text());
    // Straight to it, its key is not believed.
    let straight = Target::Box { id: old, host: "127.0.0.1".into(), port: b.quic().port() };
    let straight = client(straight, &token).call::<pb::SessionsListed>("sessions.list", &listed).await.unwrap_err();
    assert!(matches!(straight, CallError::Unreachable(_)), "{straight:?}");
    // A reader of the old one says so, and does not give up.
    let says = async {
        while !screen.states.contains(&State::Reconnecting(Why::Refused(pb::ErrorCode::Unavailable))) {
            screen.one().await;
        }
    };
    timeout(LIMIT, says).await.expect("it says that the box cannot be had");
    // Under its new name it is there, with all that it had.
    let mut there = Screen::of(&relayed(relay.url(), b.id(), RelayCarrier::Quic, &token));
    there.read_to(10).await;
}

//! Terminals through the doors of a box: who may, by which way, with which ticket, and what a session is told.

use std::net::SocketAddr;
use std::time::Duration;

use futures_util::SinkExt;
use futures_util::StreamExt;
use prost::Message as _;
use serde_json::json;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::frame::Data;
use vyre_proto::pb::stream::stream_answer::Answer as HeadAnswer;
use vyre_proto::pb::stream::stream_head::Want;
use vyre_proto::pb::stream::term_record::Record;
use vyre_proto::record::Decoder;
use vyre_proto::record::to_record;
use vyre_stream::clock::Clock;
use vyre_stream::config::Many;
use vyre_stream::config::Settings;
use vyre_stream::config::TerminalSettings;
use vyre_stream::edge::uplink::UplinkState;

use crate::common::QuicClient;
use crate::common::QuicStream;
use crate::common::Screen;
use crate::common::TestBox;
use crate::common::TestRelay;
use crate::common::desk::SOON;
use crate::common::desk::all_gone;
use crate::common::open_socket;
use crate::common::served::Served;

async fn box_with(shell: &str) -> TestBox {
    TestBox::start_with(settings(shell), Clock::system()).await
}

fn settings(shell: &str) -> Settings {
    // What the account of this machine has set up is nothing to the tests.
    let env = [("HOME".to_owned(), "/nonexistent".to_owned())].into();
    let terminals = TerminalSettings { shell: Some(shell.into()), env, ..TerminalSettings::default() };
    Settings { terminals, ..Settings::default() }
}

/// A session of this person, by its name.
async fn session(b: &TestBox, token: &str) -> String {
    let made = b.call(token, "sessions.create", json!({ "session": "work", "title": "work" })).await;
    assert_eq!(made.status, 200, "{}", made.text());
    "work".to_owned()
}

/// What a screen got on a WebSocket.
struct Seen {
    socket: WebSocketStream<TcpStream>,
    decoder: Decoder,
    text: String,
    at: u64,
    snapshots: usize,
    exit: Option<i32>,
    closed: Option<u16>,
    says_seen: bool,
}

impl Seen {
    async fn open(b: &TestBox, ticket: &str, query: &str) -> Seen {
        Seen::at(b.http(), ticket, query).await
    }

    async fn at(addr: SocketAddr, ticket: &str, query: &str) -> Seen {
        let path = format!("/v1/streams/term?ticket={ticket}{query}");
        let socket = open_socket(addr, &path, &[]).await.unwrap();
        let (decoder, text) = (Decoder::new(), String::new());
        Seen { socket, decoder, text, at: 0, snapshots: 0, exit: None, closed: None, says_seen: false }
    }

    async fn say(&mut self, record: Record) {
        let record = to_record(&pb::TermRecord { record: Some(record) });
        self.socket.send(Message::Binary(record)).await.unwrap();
    }

    async fn type_in(&mut self, keys: &str) {
        self.say(Record::In(pb::TermIn { bytes: keys.as_bytes().to_vec().into() })).await;
    }

    /// Takes what comes until this holds, or the socket is closed.
    async fn until(&mut self, what: &str, is: impl Fn(&Seen) -> bool) {
        while !is(self) {
            match timeout(SOON, self.socket.next())
                .await
                .unwrap_or_else(|_| panic!("{what} never comes: {}", self.text))
            {
                Some(Ok(Message::Binary(bytes))) => self.decoder.push(&bytes),
                Some(Ok(Message::Close(frame))) => {
                    self.closed = Some(frame.map_or(1005, |f| f.code.into()));
                    assert!(is(self), "closed before {what}: {}", self.text);
                }
                Some(Ok(_)) => {}
                Some(Err(_)) | None => panic!("broken before {what}: {}", self.text),
            }
            while let Some(record) = self.decoder.next().unwrap() {
                match pb::TermRecord::decode(record).unwrap().record.unwrap() {
                    Record::Out(out) => {
                        self.at = out.offset + out.bytes.len() as u64;
                        self.text.push_str(&String::from_utf8_lossy(&out.bytes));
                    }
                    Record::Exit(exit) => self.exit = Some(exit.code),
                    Record::Snapshot(_) => self.snapshots += 1,
                    _ => {}
                }
            }
            if self.says_seen {
                self.say(Record::Seen(pb::TermSeen { offset: self.at })).await;
            }
        }
    }

    async fn until_shown(&mut self, text: &str) {
        self.until(text, |s| s.text.contains(text)).await;
    }
}

async fn term_open(b: &TestBox, token: &str, session: &str) -> (String, String) {
    let opened = b.call(token, "term.open", json!({ "session": session, "cols": 100, "rows": 30 })).await;
    assert_eq!(opened.status, 200, "{}", opened.text());
    let opened = opened.json();
    (opened["term"].as_str().unwrap().to_owned(), opened["ticket"].as_str().unwrap().to_owned())
}

async fn term_attach(b: &TestBox, token: &str, term: &str) -> String {
    let attached = b.call(token, "term.attach", json!({ "term": term })).await;
    assert_eq!(attached.status, 200, "{}", attached.text());
    attached.json()["ticket"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_terminal_is_opened_used_left_found_again_and_closed() {
    let b = box_with("/bin/sh").await;
    let token = b.person("robin");
    let session = session(&b, &token).await;
    let (term, ticket) = term_open(&b, &token, &session).await;
    let mut screen = Seen::open(&b, &ticket, "&from=0").await;
    screen.type_in("stty size; pwd; echo own=$$=\r").await;
    screen.until("all", |s| s.text.matches("own=").count() > 1).await;
    assert!(
        screen.text.contains("30 100\r\n") && screen.text.contains(&format!("work/{session}\r\n")),
        "{}",
        screen.text
    );
    let pid = screen.text.rsplit_once("own=").unwrap().1.split('=').next().unwrap().to_owned();

    // The line dies under way; the shell goes on.
    screen.type_in("sleep 0.2; echo meanw'hile'\r").await;
    let (text, at) = (screen.text.clone(), screen.at);
    drop(screen);
    let listed = b.call(&token, "term.list", json!({ "session": session })).await.json();
    assert_eq!(listed["terms"][0]["term"], json!(term), "{listed}");
    assert_eq!(listed["terms"][0]["shell"], json!("sh"), "{listed}");
    let mut back = Seen::open(&b, &term_attach(&b, &token, &term).await, &format!("&from={at}")).await;
    back.until_shown("meanwhile\r\n").await;
    let mut whole = Seen::open(&b, &term_attach(&b, &token, &term).await, "&from=0").await;
    whole.until_shown("meanwhile\r\n").await;
    assert!(whole.text.starts_with(&(text + back.text.trim_end_matches("# ").trim_end_matches("$ "))));

    // Somebody with nothing gets the terminal as it stands.
    let mut fresh = Seen::open(&b, &term_attach(&b, &token, &term).await, "").await;
    fresh.until("a snapshot", |s| s.snapshots == 1).await;
    assert_eq!(b.call(&token, "term.close", json!({ "term": term })).await.status, 200);
    back.until("the end", |s| s.exit.is_some() && s.closed.is_some()).await;
    assert_eq!(back.closed, Some(1000));
    all_gone(&[&pid]).await;
    let listed = b.call(&token, "term.list", json!({ "session": session })).await.json();
    assert_eq!(listed["terms"].as_array().map_or(0, Vec::len), 0, "{listed}");
    b.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn over_quic_it_is_the_same_terminal() {
    let b = box_with("/bin/sh").await;
    let token = b.person("robin");
    let session = session(&b, &token).await;
    let (_, ticket) = term_open(&b, &token, &session).await;
    let client = QuicClient::connect(b.quic(), b.id()).await;
    let want = pb::TermStream { ticket, from: Some(0), surface: "phone".into() };
    let (mut stream, answer) = client.stream("", Want::Term(want)).await;
    assert!(matches!(answer.answer, Some(HeadAnswer::Accepted(_))), "{answer:?}");

    let typed = Record::In(pb::TermIn { bytes: b"echo ov'er quic'; exit 5\r".to_vec().into() });
    stream.send.write_all(&to_record(&pb::TermRecord { record: Some(typed) })).await.unwrap();

    let (text, exit) = to_the_end(&mut stream).await;
    assert!(text.contains("over quic\r\n"), "{text}");
    assert_eq!(exit, Some(5));
}

async fn to_the_end(stream: &mut QuicStream) -> (String, Option<i32>) {
    let (mut text, mut exit) = (String::new(), None);
    while let Some(record) = stream.record().await {
        match pb::TermRecord::decode(record).unwrap().record.unwrap() {
            Record::Out(out) => text.push_str(&String::from_utf8_lossy(&out.bytes)),
            Record::Exit(e) => exit = Some(e.code),
            _ => {}
        }
    }
    (text, exit)
}

#[tokio::test(flavor = "multi_thread")]
async fn through_a_relay_it_is_said_in_words_that_there_is_none() {
    let relay = TestRelay::start().await;
    let settings = Settings { relay: Some(Many::One(relay.server.url().to_string())), ..settings("/bin/sh") };
    let b = TestBox::start_with(settings, Clock::system()).await;
    let mut state = b.daemon().uplinks().remove(0);
    timeout(SOON, state.wait_for(|s| *s == UplinkState::Up)).await.expect("no uplink").unwrap();
    let (token, other) = (b.person("robin"), b.person("sam"));
    let session = session(&b, &token).await;
    let (term, ticket) = term_open(&b, &token, &session).await;

    let bearer = format!("Bearer {token}");
    let headers = [("authorization", bearer.as_str()), ("content-type", "application/json")];
    for (tool, body) in [
        ("term.open", json!({ "session": session })),
        ("term.attach", json!({ "term": term })),
        ("term.list", json!({ "session": session })),
        ("term.close", json!({ "term": term })),
    ] {
        let path = format!("/b/{}/v1/tools/{tool}", b.id());
        let said = crate::common::http(relay.server.http(), "POST", &path, &headers, body.to_string().as_bytes()).await;
        assert_eq!(said.status, 403, "{tool}: {}", said.text());
        assert!(said.text().contains("terminals do not pass through a relay"), "{}", said.text());
    }
    // Somebody who takes no part hears of no relay either.
    let bearer = format!("Bearer {other}");
    let headers = [("authorization", bearer.as_str()), ("content-type", "application/json")];
    let path = format!("/b/{}/v1/tools/term.open", b.id());
    let body = json!({ "session": session }).to_string();
    let said = crate::common::http(relay.server.http(), "POST", &path, &headers, body.as_bytes()).await;
    assert_eq!(said.status, 404, "{}", said.text());

    // A ticket that was made on a direct path opens nothing through the relay, natively or bridged.
    let phone = QuicClient::through(relay.server.url(), relay.server.quic(), b.id()).await;
    let want = pb::TermStream { ticket, from: Some(0), surface: String::new() };
    let (_stream, answer) = phone.stream("", Want::Term(want)).await;
    let Some(HeadAnswer::Error(error)) = answer.answer else { panic!("{answer:?}") };
    assert!(error.message.contains("relay"), "{}", error.message);
    let ticket = term_attach(&b, &token, &term).await;
    let path = format!("/b/{}/v1/streams/term?ticket={ticket}", b.id());
    assert_eq!(open_socket(relay.server.http(), &path, &[]).await.err(), Some(403));
}

#[tokio::test(flavor = "multi_thread")]
async fn only_who_takes_part_has_terminals_and_who_is_removed_loses_them_at_once() {
    let b = box_with("/bin/sh").await;
    let (robin, sam, kim) = (b.person("robin"), b.person("sam"), b.person("kim"));
    let session = session(&b, &robin).await;
    let joined = b.call(&robin, "sessions.join", json!({ "session": session, "who": "person:sam" })).await;
    assert_eq!(joined.status, 200, "{}", joined.text());
    let (term, ticket) = term_open(&b, &robin, &session).await;

    for (tool, body) in [
        ("term.open", json!({ "session": session })),
        ("term.list", json!({ "session": session })),
        ("term.attach", json!({ "term": term })),
        ("term.close", json!({ "term": term })),
        ("term.attach", json!({ "term": "00".repeat(16) })),
    ] {
        let said = b.call(&kim, tool, body).await;
        assert_eq!(said.status, 404, "{tool}: {}", said.text());
    }
    let unknown = b.call(&kim, "term.attach", json!({ "term": "00".repeat(16) })).await.text();
    assert_eq!(b.call(&kim, "term.attach", json!({ "term": term })).await.text(), unknown);

    let mut of_robin = Seen::open(&b, &ticket, "&from=0").await;
    let mut of_sam = Seen::open(&b, &term_attach(&b, &sam, &term).await, "&from=0").await;
    let late = term_attach(&b, &sam, &term).await;
    of_sam.type_in("echo from s'am'\r").await;
    of_robin.until_shown("from sam\r\n").await;
    of_sam.until_shown("from sam\r\n").await;

    let removed = b.call(&robin, "sessions.remove", json!({ "session": session, "who": "person:sam" })).await;
    assert_eq!(removed.status, 200, "{}", removed.text());

    of_sam.until("the end of the right", |s| s.closed.is_some()).await;
    assert_eq!((of_sam.closed, of_sam.exit), (Some(4403), None));
    assert_eq!(open_socket(b.http(), &format!("/v1/streams/term?ticket={late}"), &[]).await.err(), Some(404));
    of_robin.type_in("echo go'es' on\r").await;
    of_robin.until_shown("goes on\r\n").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ticket_opens_one_screen_once_and_no_session() {
    let b = box_with("/bin/sh").await;
    let token = b.person("robin");
    let session = session(&b, &token).await;
    let (term, ticket) = term_open(&b, &token, &session).await;
    let path = |ticket: &str| format!("/v1/streams/term?ticket={ticket}");
    let _screen = Seen::open(&b, &ticket, "").await;

    assert_eq!(open_socket(b.http(), &path(&ticket), &[]).await.err(), Some(401), "it was spent");
    let of_session = b.ticket(&token, &session).await;
    assert_eq!(open_socket(b.http(), &path(&of_session), &[]).await.err(), Some(401), "it is a session's");
    let of_term = term_attach(&b, &token, &term).await;
    let session_path = format!("/v1/streams/stream/session?ticket={of_term}");
    assert_eq!(open_socket(b.http(), &session_path, &[]).await.err(), Some(401), "it is a terminal's");
    assert_eq!(open_socket(b.http(), "/v1/streams/term", &[]).await.err(), Some(401));
    let beyond = term_attach(&b, &token, &term).await;
    assert_eq!(open_socket(b.http(), &(path(&beyond) + "&from=999999999"), &[]).await.err(), Some(400));
    let bearer = format!("Bearer {token}");
    assert_eq!(open_socket(b.http(), "/v1/streams/term", &[("authorization", &bearer)]).await.err(), Some(401));
}

#[tokio::test(flavor = "multi_thread")]
async fn it_begins_in_the_folder_of_the_session_and_nowhere_else() {
    let b = box_with("/bin/sh").await;
    let token = b.person("robin");
    let session = session(&b, &token).await;
    let own = b.folder().join("work").join(&session);
    for cwd in ["/", "/etc", "..", own.join("..").to_str().unwrap()] {
        let said = b.call(&token, "term.open", json!({ "session": session, "cwd": cwd })).await;
        assert_eq!(said.status, 400, "{cwd}: {}", said.text());
        assert!(said.text().contains("leave `cwd` out"));
    }
    let said = b.call(&token, "term.open", json!({ "session": session, "cwd": own.to_str().unwrap() })).await;
    assert_eq!(said.status, 200, "{}", said.text());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_run_stands_in_the_session_under_who_ran_it() {
    let b = box_with("/bin/bash").await;
    let token = b.person("robin");
    let session = session(&b, &token).await;
    let mut reader = Screen::open(b.http(), &b.ticket(&token, &session).await, "").await;
    let (term, ticket) = term_open(&b, &token, &session).await;
    let mut screen = Seen::open(&b, &ticket, "&from=0&surface=deck").await;
    screen.until("a prompt", |s| s.text.contains("]633;A;")).await;
    screen.type_in("echo hello; export API_KEY=abcd1234efgh5678\r").await;

    let typed = timeout(SOON, async {
        loop {
            let frame = reader.next().await.unwrap();
            if let Some(Data::TermCommand(typed)) = &frame.get().data {
                return (frame.get().author.clone(), typed.clone());
            }
        }
    });
    let (author, typed) = typed.await.expect("the line never comes");

    assert_eq!((author.as_str(), typed.term.as_str()), ("person:robin", term.as_str()));
    assert_eq!(typed.line, "echo hello; export API_KEY=[redacted]");
    assert_eq!((typed.via.as_str(), typed.surface.as_str()), ("direct", "deck"));
    screen.until_shown("hello\r\n").await;
    assert!(screen.text[typed.offset as usize..].starts_with("\x1b]633;E;echo hello"), "{:?}", screen.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_screen_that_reads_nothing_is_still_heard() {
    let b = box_with("/bin/sh").await;
    let token = b.person("robin");
    let session = session(&b, &token).await;
    let (_, ticket) = term_open(&b, &token, &session).await;
    let mut screen = Seen::open(&b, &ticket, "&from=0").await;
    let file = b.folder().join("work").join(&session).join("heard");
    screen.type_in("yes\r").await;
    screen.until("a flood", |s| s.text.len() > 1 << 20).await;

    // Nothing is read from here on, so the box's half of the connection fills up.
    tokio::time::sleep(Duration::from_millis(500)).await;
    screen.socket.send(Message::Ping(b"p".to_vec().into())).await.unwrap();
    screen.type_in("\x03").await;
    screen.type_in("echo heard > heard\r").await;

    timeout(SOON, async {
        while !file.exists() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    })
    .await
    .expect("what was typed is not heard");
    // And then all of it is there, with the answer to the ping between frames and not inside one.
    screen.until("the prompt", |s| s.text.contains("^C")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_box_that_is_told_so_has_no_terminals() {
    let terminals = TerminalSettings { enabled: Some(false), ..TerminalSettings::default() };
    let b = TestBox::start_with(Settings { terminals, ..Settings::default() }, Clock::system()).await;
    let token = b.person("robin");
    let session = session(&b, &token).await;

    let said = b.call(&token, "term.open", json!({ "session": session })).await;

    assert_eq!(said.status, 503, "{}", said.text());
    assert!(said.text().contains("terminals"), "{}", said.text());
}

/// A box in a process of its own ends as if its plug was pulled, and no shell stays.
#[tokio::test(flavor = "multi_thread")]
async fn a_box_that_is_killed_leaves_no_shell_behind() {
    let folder = tempfile::tempdir().unwrap();
    let settings = folder.path().join("vyre.toml");
    std::fs::write(&settings, "[terminals]\nshell = '/bin/sh'\nenv = { HOME = '/nonexistent' }\n").unwrap();
    let mut served = Served::start_in(folder, &["--config", settings.to_str().unwrap()]);
    let token = served.token("--person", "robin");
    let addr = served.ready["http"].as_str().unwrap().parse().unwrap();
    let call = async |tool: &str, body: serde_json::Value| {
        let auth = format!("Bearer {token}");
        let headers = [("authorization", auth.as_str()), ("content-type", "application/json")];
        let path = format!("/v1/tools/{tool}");
        let reply = crate::common::http(addr, "POST", &path, &headers, body.to_string().as_bytes()).await;
        assert_eq!(reply.status, 200, "{}", reply.text());
        reply.json()
    };
    call("sessions.create", json!({ "session": "work" })).await;
    let opened = call("term.open", json!({ "session": "work" })).await;
    let ticket = opened["ticket"].as_str().unwrap();
    let mut screen = Seen::at(addr, ticket, "&from=0").await;
    screen
        .type_in("trap '' HUP; (setsid nohup sleep 1000 >/dev/null 2>&1 & echo \"deep=$!=\"); echo \"own=$$=\"\r")
        .await;
    screen.until("the numbers", |s| s.text.matches("own=").count() > 1 && s.text.matches("deep=").count() > 1).await;
    let number = |name: &str| screen.text.rsplit_once(name).unwrap().1.split('=').next().unwrap().to_owned();
    let (own, deep) = (number("own="), number("deep="));

    served.signal(rustix::process::Signal::KILL);
    served.child.wait().unwrap();

    all_gone(&[&own, &deep]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn on_a_slow_link_little_comes_behind_an_interrupt() {
    let b = box_with("/bin/sh").await;
    let token = b.person("robin");
    let session = session(&b, &token).await;
    let (_, ticket) = term_open(&b, &token, &session).await;
    // One Mbit/s, and sockets that would take megabytes.
    let link = crate::common::slow_link(b.http(), 125_000).await;
    let mut screen = Seen::at(link, &ticket, "&from=0").await;
    screen.says_seen = true;
    screen.type_in("yes\r").await;
    let began = std::time::Instant::now();
    screen.until("three seconds of it", |_| began.elapsed() > Duration::from_secs(3)).await;

    let before = screen.text.len();
    screen.type_in("\x03").await;
    screen.until_shown("^C").await;

    // A second of the link; its buffers and the box's ring would hold twenty.
    let behind = screen.text.len() - before;
    assert!(behind < 125_000, "{behind} bytes came behind it");
    assert!(before > 200_000, "the link was idle: {before}");
}

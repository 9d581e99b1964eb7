//! Tickets at the doors: one use, bound to whom they were made for, refused alike, and in no log.

use std::net::SocketAddr;
use std::process::Command;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::AsyncReadExt;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpSocket;
use tokio::net::TcpStream;
use tokio::sync::Barrier;
use tokio::task::JoinSet;
use tokio::time::timeout;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::stream_answer::Answer as HeadAnswer;
use vyre_proto::pb::stream::stream_head::Want;
use vyre_proto::tick::Tick;
use vyre_proto::tick::Wall;
use vyre_stream::clock::Clock;
use vyre_stream::config::Settings;

use crate::common::QuicClient;
use crate::common::Reply;
use crate::common::TestBox;
use crate::common::http;
use crate::common::open_socket;
use crate::common::words;

const UPGRADE: &[(&str, &str)] =
    &[("upgrade", "websocket"), ("sec-websocket-version", "13"), ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ==")];

fn path(ticket: &str) -> String {
    format!("/v1/streams/stream/session?ticket={ticket}")
}

/// An upgrade that is expected to be refused, as a whole answer.
async fn refused(addr: SocketAddr, ticket: &str, extra: &[(&str, &str)]) -> Reply {
    let mut tcp = TcpStream::connect(addr).await.unwrap();
    let mut request = format!("GET {} HTTP/1.1\r\nhost: {addr}\r\nconnection: upgrade\r\n", path(ticket));
    for (name, value) in UPGRADE.iter().chain(extra) {
        request.push_str(&format!("{name}: {value}\r\n"));
    }
    request.push_str("\r\n");
    tcp.write_all(request.as_bytes()).await.unwrap();
    let mut raw = vec![0; 4096];
    let n = timeout(Duration::from_secs(5), tcp.read(&mut raw)).await.unwrap().unwrap();
    let text = String::from_utf8_lossy(&raw[..n]).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    // The date is the one thing that may differ.
    let headers = head.split("\r\n").skip(1).filter(|l| !l.starts_with("date:"));
    Reply {
        status: head.split(' ').nth(1).unwrap().parse().unwrap(),
        headers: headers.map(|l| (l.to_owned(), String::new())).collect(),
        body: body.as_bytes().to_vec(),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_64_upgrades_at_once_with_one_ticket_one_stands() {
    let b = TestBox::start().await;
    b.publish(&words("s", 3)).await;
    let token = b.person("robin");
    let quic = Arc::new(QuicClient::connect(b.quic(), b.id()).await);
    for round in 0..20 {
        let ticket = b.ticket(&token, "s").await;
        let barrier = Arc::new(Barrier::new(64));
        let mut hands = JoinSet::new();
        for n in 0..64 {
            let (barrier, ticket, addr, quic) = (barrier.clone(), ticket.clone(), b.http(), quic.clone());
            hands.spawn(async move {
                barrier.wait().await;
                match n % 3 {
                    0 => open_socket(addr, &path(&ticket), &[]).await.is_ok(),
                    1 => status_of_events(addr, &ticket).await == 200,
                    _ => {
                        let want = Want::Attach(pb::Attach { ticket, ..Default::default() });
                        let (_stream, answer) = quic.stream("", want).await;
                        matches!(answer.answer, Some(HeadAnswer::Accepted(_)))
                    }
                }
            });
        }

        let won = hands.join_all().await.into_iter().filter(|won| *won).count();

        assert_eq!(won, 1, "round {round}");
    }
}

async fn status_of_events(addr: SocketAddr, ticket: &str) -> u16 {
    let mut tcp = TcpStream::connect(addr).await.unwrap();
    let request = format!("GET {} HTTP/1.1\r\nhost: {addr}\r\naccept: text/event-stream\r\n\r\n", path(ticket));
    tcp.write_all(request.as_bytes()).await.unwrap();
    let mut head = [0; 12];
    tcp.read_exact(&mut head).await.unwrap();
    std::str::from_utf8(&head[9..]).unwrap().parse().unwrap()
}

#[tokio::test]
async fn spent_late_forged_and_foreign_tickets_are_one_answer() {
    let clock = Clock::settable(Tick(1_000_000), Wall(1_700_000_000_000_000));
    let b = TestBox::start_with(Settings::default(), clock.clone()).await;
    b.publish(&words("s", 3)).await;
    let (robin, other) = (b.person("robin"), format!("Bearer {}", b.person("sam")));

    let spent = b.ticket(&robin, "s").await;
    drop(open_socket(b.http(), &path(&spent), &[]).await.unwrap());
    let foreign = b.ticket(&robin, "s").await;
    let elsewhere = b.ticket(&robin, "s").await;
    let answers = [
        refused(b.http(), &spent, &[]).await,
        refused(b.http(), &"A".repeat(43), &[]).await,
        refused(b.http(), "short", &[]).await,
        refused(b.http(), &foreign, &[("authorization", &other)]).await,
        // Shown by the wrong hands once, it is gone for the right ones.
        refused(b.http(), &foreign, &[]).await,
        refused(b.http(), &format!("{elsewhere}&session=t"), &[]).await,
        {
            let late = b.ticket(&robin, "s").await;
            clock.set(Tick(1_000_000 + 15_000_000), Wall(1_700_000_015_000_000));
            refused(b.http(), &late, &[]).await
        },
    ];

    assert_eq!(answers[0].status, 401);
    for answer in &answers {
        assert_eq!(answer, &answers[0]);
        assert!(!answer.text().contains(&spent));
    }
}

#[tokio::test]
async fn a_ticket_is_bound_to_no_address() {
    let b = TestBox::start().await;
    b.publish(&words("s", 3)).await;
    let token = b.person("robin");

    // Made from 127.0.0.1, shown from 127.0.0.2.
    let ticket = b.ticket(&token, "s").await;
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.2:0".parse().unwrap()).unwrap();
    let tcp = socket.connect(b.http()).await.unwrap();
    let request = format!("ws://{}{}", b.http(), path(&ticket));
    assert!(tokio_tungstenite::client_async(request, tcp).await.is_ok());

    // Made over HTTP, shown over QUIC, where the caller names himself as well.
    let ticket = b.ticket(&token, "s").await;
    let phone = QuicClient::connect(b.quic(), b.id()).await;
    let want = Want::Attach(pb::Attach { ticket, ..Default::default() });
    let (_stream, answer) = phone.stream(&token, want).await;
    assert!(matches!(answer.answer, Some(HeadAnswer::Accepted(_))));
}

#[tokio::test]
async fn a_ticket_of_another_behind_the_same_address_is_refused() {
    let b = TestBox::start().await;
    b.publish(&words("s", 3)).await;
    let (robin, sam) = (b.person("robin"), b.person("sam"));
    let ticket = b.ticket(&robin, "s").await;
    let phone = QuicClient::connect(b.quic(), b.id()).await;

    let (_stream, answer) = phone.stream(&sam, Want::Attach(pb::Attach { ticket, ..Default::default() })).await;

    let Some(HeadAnswer::Error(e)) = answer.answer else { panic!("{answer:?}") };
    assert_eq!(e.code(), pb::ErrorCode::Unauthenticated);
}

#[tokio::test]
async fn minting_has_an_end_for_each_caller() {
    let b = TestBox::start().await;
    b.publish(&words("s", 3)).await;
    let robin = b.person("robin");
    let phone = QuicClient::connect(b.quic(), b.id()).await;
    let (mut stream, _) = phone.stream(&robin, Want::Calls(pb::Calls {})).await;
    let open = prost::Message::encode_to_vec(&pb::StreamOpen { session: "s".into(), ..Default::default() });
    let call = vyre_proto::record::to_record(&pb::Call {
        tool: "stream.open".into(),
        body: open.into(),
        ..Default::default()
    });

    let mut minted = 0;
    let refusal = loop {
        stream.send.write_all(&call).await.unwrap();
        let answer: pb::Answer = prost::Message::decode(stream.record().await.unwrap()).unwrap();
        match answer.answer.unwrap() {
            pb::answer::Answer::Body(_) => minted += 1,
            pb::answer::Answer::Error(e) => break e,
        }
        assert!(minted < 10_000);
    };

    assert_eq!(refusal.code(), pb::ErrorCode::RateLimited);
    assert!(refusal.retry_after_ms > 0);
    assert_eq!(b.daemon().tools().tickets().waiting(), minted);
    // Over HTTP the same refusal says when to come back.
    let reply = b.call(&robin, "stream.open", serde_json::json!({ "session": "s" })).await;
    assert_eq!(reply.status, 429);
    assert!(reply.header("retry-after").is_some());
}

/// The program itself, at its most talkative: neither tickets, tokens, queries nor words come out of it.
#[tokio::test]
async fn no_secret_stands_in_the_most_verbose_log() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let data = folder.path().join("data");
    let mut serve = Command::new(TestBox::program())
        .args(["serve", "--json", "--http", "127.0.0.1:0", "--quic", "127.0.0.1:0", "--data"])
        .arg(&data)
        .env("VYRE_LOG", "trace")
        .stdout(Stdio::piped())
        .stderr(std::fs::File::create(&log).unwrap())
        .spawn()
        .unwrap();
    let mut line = String::new();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(serve.stdout.take().unwrap()), &mut line).unwrap();
    let ready: serde_json::Value = serde_json::from_str(&line).unwrap();
    let addr: SocketAddr = ready["http"].as_str().unwrap().parse().unwrap();
    let quic: SocketAddr = ready["quic"].as_str().unwrap().parse().unwrap();
    let token = |who: [&str; 2]| {
        let out = Command::new(TestBox::program()).args(["token", "--data"]).arg(&data).args(who).output().unwrap();
        assert!(out.status.success());
        let text = String::from_utf8(out.stdout).unwrap();
        assert_eq!(text.lines().count(), 1);
        text.trim().to_owned()
    };
    let (person, producer) = (token(["--person", "robin"]), token(["--producer", "switchboard"]));

    let mut lines = words("s", 3);
    lines.push(crate::common::delta("s", 7, "a-word-that-nobody-logs"));
    let auth = format!("Bearer {producer}");
    let headers = [("authorization", auth.as_str()), ("content-type", "application/x-ndjson")];
    assert_eq!(http(addr, "POST", "/v1/tools/events.publish", &headers, lines.join("\n").as_bytes()).await.status, 200);
    let auth = format!("Bearer {person}");
    let headers = [("authorization", auth.as_str()), ("content-type", "application/json")];
    let open = || async {
        let reply = http(addr, "POST", "/v1/tools/stream.open", &headers, b"{\"session\":\"s\"}").await;
        reply.json()["ticket"].as_str().unwrap().to_owned()
    };
    // What is said, in the clear or not, and answered; and what is refused of it.
    let enc = serde_json::json!({ "alg": "mls", "kid": "kid-that-nobody-logs", "ct": "bm90LWluLWFueS1sb2c=" });
    for (tool, body) in [
        ("stream.send", serde_json::json!({ "session": "s", "message": "u", "text": "said-and-not-logged" })),
        ("stream.send", serde_json::json!({ "session": "s", "message": "u", "text": "refused-and-not-logged" })),
        ("stream.send", serde_json::json!({ "session": "s", "message": "p", "enc": enc })),
        ("stream.send", serde_json::json!({ "session": "s", "message": "u", "enc": enc })),
        ("threads.edit-retry", serde_json::json!({ "session": "s", "message": "p", "text": "edited-and-not-logged" })),
        ("ask.answer", serde_json::json!({ "session": "s", "ask": "a", "answer": "answered-and-not-logged" })),
    ] {
        let body = body.to_string();
        let headers = [headers[0], headers[1], ("idempotency-key", "key-that-nobody-logs")];
        http(addr, "POST", &format!("/v1/tools/{tool}"), &headers, body.as_bytes()).await;
    }
    let (good, carried) = (open().await, open().await);
    drop(open_socket(addr, &path(&good), &[]).await.unwrap());
    assert_eq!(refused(addr, &good, &[]).await.status, 401);
    let wrong = format!("wrong-ticket-{}", "x".repeat(30));
    assert_eq!(refused(addr, &wrong, &[]).await.status, 401);
    assert_eq!(refused(addr, &good, &[("authorization", "Bearer not-a-token-at-all")]).await.status, 401);
    assert_eq!(http(addr, "GET", &format!("/v1/{wrong}?q=query-word"), &[], b"").await.status, 404);
    let phone = QuicClient::connect(quic, ready["box"].as_str().unwrap().parse().unwrap()).await;
    let (mut stream, _) =
        phone.stream(&person, Want::Attach(pb::Attach { ticket: carried.clone(), ..Default::default() })).await;
    stream.frame().await.unwrap();
    drop((stream, phone));

    let pid = rustix::process::Pid::from_child(&serve);
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    assert!(serve.wait().unwrap().success());
    let log = std::fs::read_to_string(&log).unwrap();
    assert!(log.contains("TRACE") && log.contains("DEBUG"), "the log is not verbose");
    for secret in [&person, &producer, &good, &carried, &wrong] {
        assert!(!log.contains(&secret[..16]), "a secret stands in the log");
    }
    for word in [
        "a-word-that-nobody-logs",
        "not-a-token-at-all",
        "query-word",
        "ticket=",
        "and-not-logged",
        "that-nobody-logs",
        "bm90LWluLWFueS1sb2c",
        "not-in-any-log",
    ] {
        assert!(!log.contains(word), "{word} stands in the log");
    }
}

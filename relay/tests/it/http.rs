//! Plain calls and server-sent events.

use std::time::Duration;

use tokio::io::AsyncReadExt;
use tokio::io::AsyncWriteExt;
use vyre_proto::head::BridgedReply;
use vyre_proto::head::Carried;
use vyre_proto::head::End;
use vyre_proto::head::Header;
use vyre_proto::ids::BoxId;

use crate::common::*;

fn reply(status: u16, headers: &[(&str, &str)], body: &[u8]) -> Vec<u8> {
    let headers = headers.iter().map(|(n, v)| Header::new(n, v).unwrap()).collect();
    let mut all = BridgedReply::new(status, headers).unwrap().to_record().to_vec();
    all.extend_from_slice(body);
    all
}

#[tokio::test]
async fn a_call_goes_up_and_its_answer_comes_down() {
    let relay = TestRelay::start().await;
    let at = TestBox::start(&relay).await;
    let url = relay.url();
    let body = "x".repeat(100_000);
    let request = format!(
        "POST /b/{}/v1/tools/stream.open HTTP/1.1\r\nhost: r\r\nauthorization: Bearer b\r\ncookie: c=1\r\n\
         content-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        at.id(),
        body.len()
    );

    let (answer, (head, got)) = tokio::join!(raw_http(&url, &request), async {
        let (head, mut send, mut recv) = at.accept().await;
        let got = read_all(&mut recv).await;
        let headers = [("content-type", "application/json"), ("set-cookie", "a=b"), ("x-own", "1")];
        send.write_all(&reply(409, &headers, b"{\"code\":\"conflict\"}")).await.unwrap();
        send.finish().unwrap();
        let _ = send.stopped().await;
        (head, got)
    });

    assert!(got == body.as_bytes());
    let Carried::Http(asked) = head.carried else { panic!("{head:?}") };
    assert_eq!((asked.method(), asked.target()), ("POST", "/v1/tools/stream.open"));
    assert_eq!(asked.header("authorization"), Some("Bearer b"));
    assert_eq!(asked.header("cookie"), None);
    let answer = answer.to_ascii_lowercase();
    assert!(answer.starts_with("http/1.1 409 "), "{answer}");
    assert!(answer.contains("{\"code\":\"conflict\"}"));
    assert!(answer.contains("content-type: application/json"));
    assert!(!answer.contains("set-cookie") && !answer.contains("x-own"), "{answer}");
    assert!(answer.contains("x-content-type-options: nosniff"));
    assert!(answer.contains("content-security-policy: sandbox; default-src 'none'"));
    until(|| relay.server().streams() == 0).await;
}

#[tokio::test]
async fn events_flow_as_they_come_and_a_reader_that_leaves_is_told_to_the_box() {
    let relay = TestRelay::start().await;
    let at = TestBox::start(&relay).await;
    let mut phone = tls(&relay.url()).await;
    let request = format!(
        "GET /b/{}/v1/streams/stream/session?ticket=t HTTP/1.1\r\nhost: r\r\naccept: text/event-stream\r\n\
         last-event-id: ab:7\r\n\r\n",
        at.id()
    );
    phone.write_all(request.as_bytes()).await.unwrap();
    let (head, mut send, _recv) = at.accept().await;
    let Carried::Http(asked) = head.carried else { panic!("{head:?}") };
    assert_eq!(asked.header("last-event-id"), Some("ab:7"));

    send.write_all(&reply(200, &[("content-type", "text/event-stream")], b"")).await.unwrap();
    let mut seen = String::new();
    for i in 0..3 {
        send.write_all(format!("data: {i}\n\n").as_bytes()).await.unwrap();
        while !seen.contains(&format!("data: {i}\n\n")) {
            let mut piece = [0; 4096];
            let n = soon(phone.read(&mut piece)).await.unwrap();
            assert!(n > 0, "{seen}");
            seen.push_str(std::str::from_utf8(&piece[..n]).unwrap());
        }
    }
    drop(phone);

    let stopped = soon(send.stopped()).await.unwrap();
    assert_eq!(stopped.map(u64::from), Some(End::Cancelled.code()));
    until(|| relay.server().streams() == 0).await;
}

#[tokio::test]
async fn an_answer_that_is_cut_does_not_look_whole() {
    let relay = TestRelay::start().await;
    let at = TestBox::start(&relay).await;
    let url = relay.url();
    let request = format!("GET /b/{}/v1/x HTTP/1.1\r\nhost: r\r\nconnection: close\r\n\r\n", at.id());

    let (answer, ()) = tokio::join!(raw_http(&url, &request), async {
        let (_, mut send, _recv) = at.accept().await;
        send.write_all(&reply(200, &[], b"half of it")).await.unwrap();
        tokio::time::sleep(Duration::from_millis(100)).await;
        send.reset(1u32.into()).unwrap();
    });

    assert!(answer.contains("half of it"), "{answer}");
    assert!(!answer.ends_with("0\r\n\r\n"), "{answer}");
}

#[tokio::test]
async fn what_leads_to_no_box_has_an_answer_of_its_own() {
    let relay = TestRelay::start().await;
    let url = relay.url();
    let get = |path: String| {
        let url = url.clone();
        async move { raw_http(&url, &format!("GET {path} HTTP/1.1\r\nhost: r\r\nconnection: close\r\n\r\n")).await }
    };

    let away = get(format!("/b/{}/v1/health", BoxId([1; 32]))).await;
    assert!(away.starts_with("HTTP/1.1 503 "), "{away}");
    assert!(away.contains("\"code\":\"unavailable\"") && away.contains("the box is not connected now"), "{away}");
    assert!(away.contains("retry-after: 1"));
    for path in ["/".to_owned(), "/b/x/v1/y".to_owned(), format!("/b/{}/index.html", BoxId([1; 32]))] {
        let none = get(path).await;
        assert!(none.starts_with("HTTP/1.1 404 ") && none.contains("nosniff"), "{none}");
    }
    assert!(get("/metrics".to_owned()).await.starts_with("HTTP/1.1 404 "));
    assert!(get("/health".to_owned()).await.contains("\"boxes\":0"));

    let open = TestRelay::with(|c| c.metrics = true).await;
    let text = raw_http(&open.url(), "GET /metrics HTTP/1.1\r\nhost: r\r\nconnection: close\r\n\r\n").await;
    assert!(text.contains("vyre_relay_streams 0"), "{text}");
}

#[tokio::test]
async fn a_box_that_answers_rubbish_is_a_bad_gateway() {
    let relay = TestRelay::start().await;
    let at = TestBox::start(&relay).await;
    let url = relay.url();
    for rubbish in [&b"\xff\xff\xff\xff\x0f"[..], b"\x03abc", b""] {
        let request = format!("GET /b/{}/v1/x HTTP/1.1\r\nhost: r\r\nconnection: close\r\n\r\n", at.id());
        let (answer, ()) = tokio::join!(raw_http(&url, &request), async {
            let (_, mut send, _recv) = at.accept().await;
            send.write_all(rubbish).await.unwrap();
            send.finish().unwrap();
            let _ = send.stopped().await;
        });
        assert!(answer.starts_with("HTTP/1.1 502 "), "{answer}");
    }
    until(|| relay.server().streams() == 0).await;
}

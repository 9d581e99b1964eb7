//! Those who mean no good, or know no better.

use std::time::Duration;
use std::time::Instant;

use quinn::ReadError;
use quinn::ReadToEndError;
use quinn::VarInt;
use tokio::io::AsyncReadExt;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use vyre_certs::identity::BoxIdentity;
use vyre_proto::head::Control;
use vyre_proto::head::End;

use crate::common::*;

fn cut(end: End) -> Result<Vec<u8>, ReadToEndError> {
    Err(ReadToEndError::Read(ReadError::Reset(VarInt::from_u32(end as u32))))
}

#[tokio::test]
async fn heads_that_are_none_are_refused_before_anything_is_reserved() {
    let relay = TestRelay::start().await;
    let quic = dial(&relay.url()).await;
    let before = resident("self");
    let heads: &[&[u8]] = &[
        b"\xff\xff\xff\xff\x0f",
        b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
        b"\x80\x80\x40",
        b"\x05hello",
        b"\x02\x08\x02",
        b"\x00",
    ];
    for _ in 0..20 {
        for head in heads {
            let (mut send, mut recv) = soon(quic.conn.open_bi()).await.unwrap();
            send.write_all(head).await.unwrap();
            assert_eq!(soon(recv.read_to_end(10)).await, cut(End::Invalid), "{head:?}");
        }
    }
    assert!(resident("self").saturating_sub(before) < 8 * 1024, "{} KiB grown", resident("self") - before);
    // A head that ends in its middle.
    let (mut send, mut recv) = quic.conn.open_bi().await.unwrap();
    send.write_all(b"\x40abc").await.unwrap();
    send.finish().unwrap();
    assert_eq!(soon(recv.read_to_end(10)).await, cut(End::Invalid));
}

#[tokio::test]
async fn a_stream_that_does_not_say_what_it_wants_is_given_up_after_five_seconds() {
    let relay = TestRelay::start().await;
    let quic = dial(&relay.url()).await;
    let began = Instant::now();
    let (mut send, mut recv) = quic.conn.open_bi().await.unwrap();
    send.write_all(b"\x40").await.unwrap();

    assert_eq!(soon(recv.read_to_end(10)).await, cut(End::Slow));

    let took = began.elapsed();
    assert!(took > Duration::from_millis(4500) && took < Duration::from_secs(8), "{took:?}");
}

#[tokio::test]
async fn a_register_without_the_key_is_denied() {
    let relay = TestRelay::start().await;
    let quic = dial(&relay.url()).await;
    let other = dial(&relay.url()).await;
    let identity = BoxIdentity::generate().unwrap();
    // A proof that was made for another connection: replayed, it is worth nothing.
    let mut exported = [0; 32];
    other.conn.export_keying_material(&mut exported, vyre_proto::head::REGISTER_LABEL, b"").unwrap();
    let register = vyre_proto::head::Register {
        box_id: identity.box_id(),
        instance: vyre_proto::head::Instance([1; 16]),
        leg: vyre_proto::head::Leg(0),
        started: vyre_proto::head::Started(1),
        proof: vyre_proto::head::Proof(identity.sign(&vyre_proto::head::register_message(&exported))),
    };
    let (mut send, mut recv) = quic.conn.open_bi().await.unwrap();
    let head = vyre_proto::head::RelayHead::Register(register);
    send.write_all(&head.to_record()).await.unwrap();

    let word = soon(control(&mut recv)).await;

    assert!(matches!(word, Some(Control::Refused { end: End::Denied, .. })), "{word:?}");
    let closed = soon(quic.conn.closed()).await;
    let quinn::ConnectionError::ApplicationClosed(close) = closed else { panic!("{closed:?}") };
    assert_eq!(u64::from(close.error_code), End::Denied.code());
    assert_eq!(relay.server().boxes(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn half_made_connections_are_closed_in_about_five_seconds_and_keep_nobody_out() {
    let relay = TestRelay::start().await;
    let at = TestBox::start(&relay).await;
    let url = relay.url();
    let addr = (url.host().to_owned(), url.http_port());
    let mut hello = vec![0x16, 3, 1, 2, 0];
    hello.extend_from_slice(&[1; 40]);
    let began = Instant::now();
    let mut half_made = Vec::new();
    // Fewer than the share of one address: `flood.rs` has those who want more.
    for i in 0..500 {
        let mut tcp = TcpStream::connect(addr.clone()).await.unwrap();
        match i % 3 {
            0 => {}
            1 => tcp.write_all(&hello).await.unwrap(),
            _ => tcp.write_all(&[0x16]).await.unwrap(),
        }
        half_made.push(tcp);
    }
    // Past TLS, but no whole request.
    let mut inside = tls(&url).await;
    inside.write_all(b"GET /b/").await.unwrap();

    while began.elapsed() < Duration::from_secs(4) {
        let dialled = Instant::now();
        let (ws, ..) = socket_pair(&relay, &at).await;
        assert!(dialled.elapsed() < Duration::from_secs(1), "{:?}", dialled.elapsed());
        drop(ws);
        tokio::time::sleep(Duration::from_millis(300)).await;
    }
    for mut tcp in half_made {
        let mut byte = [0; 64];
        // An alert, an end or a reset: all the same, as long as it is over.
        while matches!(tokio::time::timeout(Duration::from_secs(8), tcp.read(&mut byte)).await.unwrap(), Ok(n) if n > 0)
        {
        }
    }
    let mut rest = Vec::new();
    let _ = soon(inside.read_to_end(&mut rest)).await;
    assert!(began.elapsed() < Duration::from_secs(14), "{:?}", began.elapsed());
    until(|| relay.metric("vyre_relay_web_half_made") == 0).await;
}

#[tokio::test]
async fn an_address_that_dials_too_often_is_refused_and_the_limit_is_its_own() {
    let relay = TestRelay::with(|c| {
        c.limits.dials_per_second = 1;
        c.limits.dials_burst = 3;
    })
    .await;
    let url = relay.url();
    for _ in 0..3 {
        drop(tls(&url).await);
    }
    let mut tcp = TcpStream::connect((url.host(), url.http_port())).await.unwrap();
    let mut byte = [0; 1];
    assert!(matches!(soon(tcp.read(&mut byte)).await, Ok(0) | Err(_)));
    assert_eq!(relay.metric("vyre_relay_dials_refused"), 1);
}

#[tokio::test]
async fn heads_over_their_limit_are_refused() {
    let relay = TestRelay::start().await;
    let url = relay.url();
    let long = "a".repeat(60_000);
    let answer = raw_http(&url, &format!("GET /{long} HTTP/1.1\r\nhost: r\r\n\r\n")).await;
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 4"), "{answer}");
    let many = "x: y\r\n".repeat(100);
    let answer = raw_http(&url, &format!("GET / HTTP/1.1\r\nhost: r\r\n{many}\r\n")).await;
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 431"), "{answer}");
}

#[tokio::test]
async fn a_phone_may_not_open_streams_without_end_and_those_that_end_make_room() {
    let relay = TestRelay::start().await;
    let at = TestBox::start(&relay).await;
    let quic = dial(&relay.url()).await;
    let mut held = Vec::new();
    for _ in 0..32 {
        held.push(pair(&quic, &at).await);
    }
    let mut beyond = Vec::new();
    while let Ok(stream) = tokio::time::timeout(Duration::from_millis(300), quic.conn.open_bi()).await {
        beyond.push(stream.unwrap());
    }
    assert!(beyond.len() <= 8, "{}", beyond.len());
    // The connection lives on, and those that end make room.
    held.clear();
    pair(&quic, &at).await;
}

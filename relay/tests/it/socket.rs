//! A phone on a WebSocket.

use std::time::Duration;
use std::time::Instant;

use futures_util::SinkExt;
use futures_util::StreamExt;
use quinn::ReadError;
use quinn::ReadToEndError;
use quinn::VarInt;
use tokio_tungstenite::tungstenite::Error;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use vyre_proto::head::BridgedReply;
use vyre_proto::head::Carried;
use vyre_proto::head::End;
use vyre_proto::head::Header;
use vyre_proto::ids::BoxId;

use crate::common::*;

fn code(end: End) -> VarInt {
    VarInt::from_u32(end as u32)
}

/// What comes until the close, and the close.
async fn drain(ws: &mut Socket) -> (Vec<u8>, Option<CloseFrame>) {
    let mut all = Vec::new();
    loop {
        match soon(ws.next()).await {
            Some(Ok(Message::Binary(piece))) => all.extend_from_slice(&piece),
            Some(Ok(Message::Close(frame))) => {
                // The answer to the close leaves with the next look.
                let _ = soon(ws.next()).await;
                return (all, frame);
            }
            Some(Ok(_)) => {}
            Some(Err(_)) | None => return (all, None),
        }
    }
}

fn end(frame: Option<CloseFrame>) -> Option<End> {
    frame.map(|f| End::from_ws(f.code.into(), f.reason.as_str()))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bytes_arrive_as_they_were_written_whatever_the_pieces() {
    let relay = TestRelay::start().await;
    let at = TestBox::start(&relay).await;
    for (piece, n) in [(1, 3_000), (7, 30_000), (64 * 1024, 2_000_000), (3500, 500_000)] {
        let (up, down) = (bytes(n, 3), bytes(n + 1, 5));
        let (ws, mut at_box, _) = socket_pair(&relay, &at).await;
        let (mut sink, mut stream) = ws.split();

        let ((), (), got_up, got_down) = tokio::join!(
            async {
                for piece in up.chunks(piece) {
                    sink.send(Message::Binary(piece.to_vec().into())).await.unwrap();
                }
            },
            write_in(&mut at_box.0, &down, piece),
            async {
                let mut got = vec![0; n];
                soon(at_box.1.read_exact(&mut got)).await.unwrap();
                got
            },
            async {
                let mut got = Vec::new();
                while got.len() < n + 1 {
                    match soon(stream.next()).await {
                        Some(Ok(Message::Binary(piece))) => got.extend_from_slice(&piece),
                        other => panic!("{other:?}"),
                    }
                }
                got
            },
        );

        assert!(got_up == up, "up, in pieces of {piece}");
        assert!(got_down == down, "down, in pieces of {piece}");
    }
    until(|| relay.server().streams() == 0).await;
}

#[tokio::test]
async fn the_box_is_told_what_was_asked_and_by_whom() {
    let relay = TestRelay::start().await;
    let at = TestBox::start(&relay).await;

    let (_ws, _at_box, head) = socket_pair(&relay, &at).await;

    let Carried::WebSocket(asked) = head.carried else { panic!("{head:?}") };
    assert_eq!(asked.method(), "GET");
    assert_eq!(asked.target(), "/v1/streams/stream/session?ticket=t&from=0");
    assert_eq!(asked.header("host"), Some(relay.url().http_authority().as_str()));
    assert!(asked.header("cookie").is_none() && asked.header("sec-websocket-key").is_none());
    assert!(head.peer.is_some_and(|p| p.ip().is_loopback()));
    assert!(!head.early);
}

#[tokio::test]
async fn a_fin_of_the_box_closes_with_1000_when_all_is_written_and_what_still_comes_up_arrives() {
    let relay = TestRelay::start().await;
    let at = TestBox::start(&relay).await;
    let (mut ws, mut at_box, _) = socket_pair(&relay, &at).await;
    let (down, up) = (bytes(100 * 1024, 1), bytes(100 * 1024, 2));

    at_box.0.write_all(&down).await.unwrap();
    at_box.0.finish().unwrap();
    ws.send(Message::Binary(up.clone().into())).await.unwrap();
    let ((got, close), got_up) = tokio::join!(drain(&mut ws), read_all(&mut at_box.1));

    assert!(got == down);
    assert_eq!(close.as_ref().map(|c| u16::from(c.code)), Some(1000));
    assert_eq!(end(close), Some(End::Done));
    assert!(got_up == up);
    until(|| relay.server().streams() == 0).await;
}

#[tokio::test]
async fn a_close_of_the_phone_is_a_fin_after_everything_that_it_sent() {
    let relay = TestRelay::start().await;
    let at = TestBox::start(&relay).await;
    let (mut ws, mut at_box, _) = socket_pair(&relay, &at).await;
    let up = bytes(100 * 1024, 2);

    ws.send(Message::Binary(up.clone().into())).await.unwrap();
    ws.close(Some(CloseFrame { code: 1000.into(), reason: "".into() })).await.unwrap();

    let (got, stopped, (_, close)) = tokio::join!(read_all(&mut at_box.1), soon(at_box.0.stopped()), drain(&mut ws));
    assert!(got == up);
    assert_eq!(stopped.unwrap(), Some(code(End::Done)));
    assert_eq!(close.map(|c| u16::from(c.code)), Some(1000));
    until(|| relay.server().streams() == 0).await;
}

#[tokio::test]
async fn endings_cross_by_the_table() {
    let relay = TestRelay::start().await;
    let at = TestBox::start(&relay).await;

    // A reset of the box becomes a close code, with its name.
    for want in [End::Unauthenticated, End::Denied, End::NotFound, End::Slow, End::Overload, End::Restart, End::Away] {
        let (mut ws, mut at_box, _) = socket_pair(&relay, &at).await;
        at_box.0.reset(code(want)).unwrap();
        let (_, close) = drain(&mut ws).await;
        assert_eq!(close.as_ref().map(|c| u16::from(c.code)), Some(want.ws()));
        assert_eq!(end(close), Some(want));
        let cut = soon(at_box.1.read_to_end(10)).await;
        assert_eq!(cut, Err(ReadToEndError::Read(ReadError::Reset(code(want)))));
    }

    // A stop of the box that means more than "done" as well.
    let (mut ws, mut at_box, _) = socket_pair(&relay, &at).await;
    at_box.1.stop(code(End::TooLarge)).unwrap();
    assert_eq!(end(drain(&mut ws).await.1), Some(End::TooLarge));

    // A phone's close code becomes a reset.
    for (ws_code, want) in [(1001, End::Cancelled), (1008, End::Invalid), (4408, End::Slow), (4999, End::Cancelled)] {
        let (mut ws, mut at_box, _) = socket_pair(&relay, &at).await;
        ws.close(Some(CloseFrame { code: ws_code.into(), reason: "".into() })).await.unwrap();
        let cut = soon(at_box.1.read_to_end(10)).await;
        assert_eq!(cut, Err(ReadToEndError::Read(ReadError::Reset(code(want)))), "{ws_code}");
    }

    // A phone that is gone without a word is lost.
    let (ws, mut at_box, _) = socket_pair(&relay, &at).await;
    drop(ws);
    let cut = soon(at_box.1.read_to_end(10)).await;
    assert_eq!(cut, Err(ReadToEndError::Read(ReadError::Reset(code(End::Lost)))));
    until(|| relay.server().streams() == 0).await;
}

#[tokio::test]
async fn a_box_that_only_stops_reading_goes_on_writing() {
    let relay = TestRelay::start().await;
    let at = TestBox::start(&relay).await;
    let (mut ws, (mut send, recv), _) = socket_pair(&relay, &at).await;

    drop(recv);
    ws.send(Message::Binary(vec![1; 100_000].into())).await.unwrap();
    send.write_all(b"goes on").await.unwrap();
    send.finish().unwrap();

    let (got, close) = drain(&mut ws).await;
    assert_eq!(got, b"goes on");
    assert_eq!(end(close), Some(End::Done));
}

#[tokio::test]
async fn text_is_refused_with_1003_and_a_giant_message_with_1009() {
    let relay = TestRelay::start().await;
    let at = TestBox::start(&relay).await;

    let (mut ws, mut at_box, _) = socket_pair(&relay, &at).await;
    ws.send(Message::Text("words".into())).await.unwrap();
    let (_, close) = drain(&mut ws).await;
    assert_eq!(close.map(|c| u16::from(c.code)), Some(1003));
    let cut = soon(at_box.1.read_to_end(10)).await;
    assert_eq!(cut, Err(ReadToEndError::Read(ReadError::Reset(code(End::NotBinary)))));

    let (mut ws, mut at_box, _) = socket_pair(&relay, &at).await;
    // The relay refuses by the length that the frame claims, and so may close before all of it is written.
    let _ = ws.send(Message::Binary(vec![0; 2 << 20].into())).await;
    let cut = soon(at_box.1.read_to_end(10)).await;
    assert_eq!(cut, Err(ReadToEndError::Read(ReadError::Reset(code(End::TooLarge)))));
}

#[tokio::test]
async fn pings_are_answered() {
    let relay = TestRelay::start().await;
    let at = TestBox::start(&relay).await;
    let (mut ws, _at_box, _) = socket_pair(&relay, &at).await;

    ws.send(Message::Ping(b"are you there"[..].into())).await.unwrap();

    assert_eq!(soon(ws.next()).await.unwrap().unwrap(), Message::Pong(b"are you there"[..].into()));
}

#[tokio::test]
async fn a_refusal_of_the_box_goes_out_as_it_is() {
    let relay = TestRelay::start().await;
    let at = TestBox::start(&relay).await;
    let url = relay.url();
    let path = format!("/b/{}/v1/streams/stream/session?ticket=spent", at.id());

    let (refused, ()) = tokio::join!(socket(&url, &path), async {
        let (_, mut send, _recv) = at.accept().await;
        let headers = vec![Header::new("content-type", "application/json").unwrap()];
        let mut reply = BridgedReply::new(401, headers).unwrap().to_record().to_vec();
        reply.extend_from_slice(b"{\"code\":\"unauthenticated\"}");
        send.write_all(&reply).await.unwrap();
        send.finish().unwrap();
        let _ = send.stopped().await;
    });

    let Err(Error::Http(response)) = refused else { panic!("{refused:?}") };
    assert_eq!(response.status(), 401);
    assert_eq!(response.headers()["content-type"], "application/json");
    assert_eq!(response.headers()["x-content-type-options"], "nosniff");
    until(|| relay.server().streams() == 0).await;
}

#[tokio::test]
async fn a_box_that_is_away_is_503_at_once_and_one_that_goes_closes_with_4503() {
    let relay = TestRelay::start().await;
    let began = Instant::now();
    let path = format!("/b/{}/v1/streams/stream/session", BoxId([3; 32]));
    let refused = socket(&relay.url(), &path).await;
    let Err(Error::Http(response)) = refused else { panic!("{refused:?}") };
    assert_eq!(response.status(), 503);
    assert!(began.elapsed() < Duration::from_secs(1));

    let at = TestBox::start(&relay).await;
    let (mut ws, _at_box, _) = socket_pair(&relay, &at).await;
    at.quic.conn.close(0u32.into(), b"");
    let (_, close) = drain(&mut ws).await;
    assert_eq!(close.as_ref().map(|c| u16::from(c.code)), Some(4503));
    assert_eq!(end(close), Some(End::Away));
}

#[tokio::test]
async fn a_phone_that_takes_nothing_for_too_long_is_cut_with_slow() {
    let relay = TestRelay::with(|c| c.stall = Duration::from_millis(300)).await;
    let at = TestBox::start(&relay).await;
    let (_ws, mut at_box, _) = socket_pair(&relay, &at).await;

    let cut = soon(at_box.0.write_all(&vec![1; 64 << 20])).await.unwrap_err();

    assert_eq!(cut, quinn::WriteError::Stopped(code(End::Slow)));
    until(|| relay.server().streams() == 0).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn phones_that_never_read_do_not_stop_another() {
    let relay = TestRelay::start().await;
    let at = TestBox::start(&relay).await;
    let mut held = Vec::new();
    for _ in 0..4 {
        let (ws, mut at_box, _) = socket_pair(&relay, &at).await;
        while let Ok(n) = tokio::time::timeout(Duration::from_millis(300), at_box.0.write(&[7; 65536])).await {
            n.unwrap();
        }
        held.push((ws, at_box));
    }
    let data = bytes(1 << 20, 4);
    let (mut ws, mut at_box, _) = socket_pair(&relay, &at).await;
    let (_, (got, _)) = tokio::join!(
        async {
            at_box.0.write_all(&data).await.unwrap();
            at_box.0.finish().unwrap();
        },
        drain(&mut ws)
    );
    assert!(got == data);
}

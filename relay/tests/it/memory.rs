//! Readers that do not keep up: what they leave lying is bounded over all of them, and those that keep up do not notice.

use std::time::Duration;

use bytes::Bytes;
use futures_util::SinkExt;
use futures_util::StreamExt;
use quinn::ReadError;
use quinn::ReadToEndError;
use quinn::SendStream;
use tokio::io::AsyncReadExt;
use tokio::io::AsyncWriteExt;
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::Message;
use vyre_certs::identity::BoxIdentity;
use vyre_proto::head::BridgedReply;
use vyre_proto::head::End;
use vyre_proto::head::Header;
use vyre_relay::quota::BEHIND;

use crate::common::*;

/// More than all windows between a box and its phone.
const MUCH: usize = 3 << 20;

fn much(seed: u64) -> Bytes {
    bytes(MUCH, seed).into()
}

/// A relay with room for so many readers that are behind; half of it is one box's.
async fn with_room(places: u64) -> TestRelay {
    TestRelay::with(|c| c.limits.buffer = places * BEHIND).await
}

fn behind(relay: &TestRelay) -> u64 {
    relay.metric("vyre_relay_streams_behind")
}

fn refused(relay: &TestRelay) -> u64 {
    relay.metric("vyre_relay_streams_no_memory")
}

/// Waits until so many are behind and nothing moves any more: on the way there a reader falls behind and catches up.
async fn stuck(relay: &TestRelay, n: u64) {
    let state = || (behind(relay), relay.metric("vyre_relay_bytes_from_box"));
    soon(async {
        loop {
            let before = state();
            tokio::time::sleep(Duration::from_millis(300)).await;
            if before.0 == n && state() == before {
                return;
            }
        }
    })
    .await;
}

/// Writes all of it and ends, whenever the other side takes it.
fn pour(mut send: SendStream, all: Bytes) -> JoinHandle<()> {
    tokio::spawn(async move {
        // Fails where the test means the stream to be cut.
        if send.write_chunk(all).await.is_ok() {
            let _ = send.finish();
            let _ = send.stopped().await;
        }
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn when_slow_readers_have_used_up_memory_new_streams_are_refused_and_old_ones_go_on() {
    let relay = with_room(8).await;
    let (at, other) = (TestBox::start(&relay).await, TestBox::start(&relay).await);
    let quic = dial(&relay.url()).await;
    let mut live = pair(&quic, &at).await;
    let mut slow = Vec::new();
    for seed in 1..=4 {
        let phone = dial(&relay.url()).await;
        let Pair { phone: halves, at_box, .. } = pair(&phone, &at).await;
        slow.push((phone, halves, pour(at_box.0, much(seed)), seed));
    }
    stuck(&relay, 4).await;

    // This box has used its half.
    let (_send, mut recv) = reach(&quic, at.id()).await;
    assert_eq!(soon(recv.received_reset()).await.unwrap().map(u64::from), Some(End::Overload.code()));
    assert_eq!(refused(&relay), 1);
    let path = format!("/b/{}/v1/streams/stream/session", at.id());
    let Err(tokio_tungstenite::tungstenite::Error::Http(answer)) = socket(&relay.url(), &path).await else { panic!() };
    assert_eq!(answer.status(), 429);
    // Another box has the other half, and who is in and keeps up goes on.
    pair(&quic, &other).await;
    for _ in 0..50 {
        live.at_box.0.write_all(b"tick").await.unwrap();
        let mut tick = [0; 4];
        soon(live.phone.1.read_exact(&mut tick)).await.unwrap();
    }

    // One that catches up makes room, and has missed nothing.
    let (_phone, mut halves, pouring, seed) = slow.remove(0);
    assert!(read_all(&mut halves.1).await == bytes(MUCH, seed));
    soon(pouring).await.unwrap();
    until(|| behind(&relay) == 3).await;
    pair(&quic, &at).await;
    for (_phone, mut halves, _, seed) in slow {
        assert!(read_all(&mut halves.1).await == bytes(MUCH, seed), "{seed}");
    }
    until(|| behind(&relay) == 0).await;
    assert_eq!(relay.metric("vyre_relay_streams_shed"), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stream_that_falls_behind_takes_the_place_of_the_one_that_has_been_behind_longest() {
    let relay = with_room(4).await;
    let at = TestBox::start(&relay).await;
    let mut phones = Vec::new();
    for _ in 0..3 {
        let phone = dial(&relay.url()).await;
        phones.push((pair(&phone, &at).await, phone));
    }
    let mut readers = Vec::new();
    for (i, (Pair { phone, at_box, .. }, quic)) in phones.into_iter().enumerate() {
        readers.push((phone, quic, pour(at_box.0, much(7))));
        // The third is the one for which there is no room.
        stuck(&relay, 2.min(i as u64 + 1)).await;
    }
    until(|| relay.metric("vyre_relay_streams_shed") == 1).await;

    let mut ends = Vec::new();
    for (mut halves, _quic, _pouring) in readers {
        ends.push(soon(halves.1.read_to_end(MUCH)).await.map(|got| got.len()));
    }
    let slow = quinn::VarInt::from_u32(End::Slow as u32);
    assert_eq!(ends, [Err(ReadToEndError::Read(ReadError::Reset(slow))), Ok(MUCH), Ok(MUCH)]);
    until(|| behind(&relay) == 0).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn readers_over_tcp_are_counted_like_those_over_quic() {
    // What the kernel takes in on both sides of a socket comes on top.
    const MORE: usize = 24 << 20;
    let relay = with_room(4).await;
    let at = TestBox::start(&relay).await;
    let quic = [dial(&relay.url()).await, dial(&relay.url()).await];
    let later = [pair(&quic[0], &at).await, pair(&quic[1], &at).await];
    let (mut ws, (send, _up), _) = socket_pair(&relay, &at).await;
    let pouring = pour(send, Bytes::from(vec![3; MORE]));
    stuck(&relay, 1).await;
    // A call whose answer nobody reads.
    let mut call = tls(&relay.url()).await;
    let request = format!("GET /b/{}/v1/streams/stream/session HTTP/1.1\r\nhost: relay\r\n\r\n", at.id());
    call.write_all(request.as_bytes()).await.unwrap();
    let (_, mut send, _up) = at.accept().await;
    let reply = BridgedReply::new(200, vec![Header::new("content-type", "text/plain").unwrap()]).unwrap();
    send.write_all(&reply.to_record()).await.unwrap();
    let answering = pour(send, Bytes::from(vec![5; MORE]));
    stuck(&relay, 2).await;
    assert!(socket(&relay.url(), &format!("/b/{}/v1/streams/stream/session", at.id())).await.is_err());
    assert_eq!(refused(&relay), 1);

    // Two that fall behind later, opened while there was room: first the socket goes for them, then the call.
    let mut held = Vec::new();
    for (i, Pair { phone, at_box, .. }) in later.into_iter().enumerate() {
        held.push((phone, pour(at_box.0, much(1))));
        until(|| relay.metric("vyre_relay_streams_shed") == i as u64 + 1).await;
    }

    let mut got = 0;
    while let Some(Ok(Message::Binary(piece))) = soon(ws.next()).await {
        got += piece.len();
    }
    assert!(got < MORE, "cut in the middle");
    let mut answer = Vec::new();
    let _ = soon(call.read_to_end(&mut answer)).await;
    assert!(answer.starts_with(b"HTTP/1.1 200") && answer.len() < MORE, "cut in the middle");
    drop((pouring, answering));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_message_that_does_not_become_whole_is_counted_and_one_that_does_is_carried() {
    let relay = with_room(6).await;
    let at = TestBox::start(&relay).await;
    let (mut ws, (_send, mut recv), _) = socket_pair(&relay, &at).await;
    let all = bytes(900 * 1024, 3);
    let (part, rest) = all.split_at(all.len() - 10);
    // The head of one binary frame, whose mask changes nothing.
    let mut head = vec![0x82, 0xff];
    head.extend_from_slice(&(all.len() as u64).to_be_bytes());
    head.extend_from_slice(&[0; 4]);

    ws.get_mut().write_all(&head).await.unwrap();
    ws.get_mut().write_all(part).await.unwrap();
    ws.get_mut().flush().await.unwrap();
    // More than what one place stands for.
    stuck(&relay, 2).await;

    ws.get_mut().write_all(rest).await.unwrap();
    ws.get_mut().flush().await.unwrap();
    let mut got = vec![0; all.len()];
    soon(recv.read_exact(&mut got)).await.unwrap();
    assert!(got == all);
    until(|| behind(&relay) == 0).await;

    // Pings are no part of a message, however many come.
    for _ in 0..1000 {
        ws.send(Message::Ping(Bytes::from_static(&[7; 100]))).await.unwrap();
        assert!(soon(ws.next()).await.unwrap().unwrap().is_pong());
    }
    assert_eq!(behind(&relay), 0);
}

async fn counters(program: &Program) -> String {
    raw_http(&program.url(), "GET /metrics HTTP/1.1\r\nhost: relay\r\nconnection: close\r\n\r\n").await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crowd_of_readers_that_read_nothing_holds_no_more_than_was_set() {
    let dir = tempfile::tempdir().unwrap();
    let program = Program::start(dir.path(), "127.0.0.1:0", &["--buffer-mib", "8", "--metrics"]);
    let pid = program.child.id().to_string();
    let boxes = [BoxIdentity::generate().unwrap(), BoxIdentity::generate().unwrap()];
    let [a, b] = boxes.map(|identity| async { TestBox::of(&program.url(), identity, transport()).await });
    let boxes = [a.await, b.await];
    let mut crowd = Vec::new();
    for i in 0..160 {
        let phone = dial(&program.url()).await;
        crowd.push((pair(&phone, &boxes[i % 2]).await, phone));
    }
    let before = resident(&pid);

    let mut most = 0;
    let mut held = Vec::new();
    let all = much(1);
    for (Pair { phone, at_box, .. }, quic) in crowd {
        held.push((phone, quic, pour(at_box.0, all.clone())));
    }
    // Ten have room; all others are cut, one for one that came after it.
    soon(async {
        while !counters(&program).await.contains("vyre_relay_streams_shed 150\n") {
            most = most.max(resident(&pid));
        }
    })
    .await;

    let grown = (most - before) / 1024;
    assert!(grown < 24, "{grown} MiB for 160 that read nothing, with 8 MiB set");
}

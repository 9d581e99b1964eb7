//! Bytes and endings between a phone on QUIC and its box.

use std::time::Duration;
use std::time::Instant;

use quinn::ReadError;
use quinn::ReadToEndError;
use quinn::VarInt;
use quinn::WriteError;
use tokio::time::timeout;
use vyre_proto::head::Carried;
use vyre_proto::head::End;
use vyre_proto::ids::BoxId;

use crate::common::*;

fn code(n: u32) -> VarInt {
    VarInt::from_u32(n)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bytes_arrive_as_they_were_written_whatever_the_pieces() {
    let relay = TestRelay::start().await;
    let at = TestBox::start(&relay).await;
    let phone = dial(&relay.url()).await;
    for (piece, n) in [(1, 5_000), (7, 40_000), (64 * 1024, 3_000_000), (3500, 1_000_000)] {
        let (up, down) = (bytes(n, 3), bytes(n + 1, 5));
        let Pair { mut phone, mut at_box, head } = pair(&phone, &at).await;
        assert_eq!(head.carried, Carried::Quic);
        assert!(head.peer.is_some_and(|p| p.ip().is_loopback()));

        let (up_in, down_in) = (up.clone(), down.clone());
        let (_, _, got_up, got_down) = tokio::join!(
            async {
                write_in(&mut phone.0, &up_in, piece).await;
                phone.0.finish().unwrap();
            },
            async {
                write_in(&mut at_box.0, &down_in, piece).await;
                at_box.0.finish().unwrap();
            },
            read_all(&mut at_box.1),
            read_all(&mut phone.1),
        );

        assert!(got_up == up, "up, in pieces of {piece}");
        assert!(got_down == down, "down, in pieces of {piece}");
    }
    until(|| relay.server().streams() == 0).await;
}

#[tokio::test]
async fn what_came_right_behind_the_head_is_not_lost() {
    let relay = TestRelay::start().await;
    let at = TestBox::start(&relay).await;
    let phone = dial(&relay.url()).await;
    let (mut send, _recv) = phone.conn.open_bi().await.unwrap();
    let mut flight = vyre_proto::head::RelayHead::Reach(at.id()).to_record().to_vec();
    flight.extend_from_slice(b"and more at once");
    send.write_all(&flight).await.unwrap();
    send.finish().unwrap();

    let (_, _, mut recv) = at.accept().await;

    assert_eq!(read_all(&mut recv).await, b"and more at once");
}

#[tokio::test]
async fn a_half_that_is_closed_leaves_the_other_its_rest() {
    let relay = TestRelay::start().await;
    let at = TestBox::start(&relay).await;
    let phone = dial(&relay.url()).await;
    let Pair { mut phone, mut at_box, .. } = pair(&phone, &at).await;
    let rest = bytes(100 * 1024, 9);

    phone.0.finish().unwrap();
    assert_eq!(read_all(&mut at_box.1).await, b"");
    at_box.0.write_all(&rest).await.unwrap();
    at_box.0.finish().unwrap();
    assert!(read_all(&mut phone.1).await == rest);

    // And the other way about.
    let phone = dial(&relay.url()).await;
    let Pair { mut phone, mut at_box, .. } = pair(&phone, &at).await;
    at_box.0.finish().unwrap();
    assert_eq!(read_all(&mut phone.1).await, b"");
    phone.0.write_all(&rest).await.unwrap();
    phone.0.finish().unwrap();
    assert!(read_all(&mut at_box.1).await == rest);
}

#[tokio::test]
async fn resets_and_stops_cross_with_their_bare_code_and_leave_the_other_direction_alone() {
    let relay = TestRelay::start().await;
    let at = TestBox::start(&relay).await;
    let quic = dial(&relay.url()).await;

    // A reset, by the phone and by the box.
    let Pair { mut phone, mut at_box, .. } = pair(&quic, &at).await;
    phone.0.reset(code(4711)).unwrap();
    assert_eq!(soon(at_box.1.read_to_end(10)).await, Err(ReadToEndError::Read(ReadError::Reset(code(4711)))));
    at_box.0.write_all(b"still here").await.unwrap();
    at_box.0.finish().unwrap();
    assert_eq!(read_all(&mut phone.1).await, b"still here");

    let Pair { mut phone, mut at_box, .. } = pair(&quic, &at).await;
    at_box.0.reset(code(6)).unwrap();
    assert_eq!(soon(phone.1.read_to_end(10)).await, Err(ReadToEndError::Read(ReadError::Reset(code(6)))));
    phone.0.write_all(b"still here").await.unwrap();
    phone.0.finish().unwrap();
    assert_eq!(read_all(&mut at_box.1).await, b"still here");

    // A stop, by the phone and by the box.
    let Pair { mut phone, mut at_box, .. } = pair(&quic, &at).await;
    phone.1.stop(code(8)).unwrap();
    assert_eq!(soon(at_box.0.stopped()).await.unwrap(), Some(code(8)));
    phone.0.write_all(b"still here").await.unwrap();
    phone.0.finish().unwrap();
    assert_eq!(read_all(&mut at_box.1).await, b"still here");
    drop(at_box);

    let Pair { mut phone, mut at_box, .. } = pair(&quic, &at).await;
    at_box.1.stop(code(99)).unwrap();
    assert_eq!(soon(phone.0.stopped()).await.unwrap(), Some(code(99)));
    at_box.0.write_all(b"still here").await.unwrap();
    at_box.0.finish().unwrap();
    assert_eq!(read_all(&mut phone.1).await, b"still here");
    drop(phone);

    until(|| relay.server().streams() == 0).await;
}

#[tokio::test]
async fn a_box_that_cuts_is_not_kept_waiting_by_a_phone_that_does_not_read() {
    let relay = TestRelay::start().await;
    let at = TestBox::start(&relay).await;
    let quic = dial(&relay.url()).await;
    let Pair { mut phone, mut at_box, .. } = pair(&quic, &at).await;
    let stuck = tokio::time::timeout(Duration::from_millis(500), at_box.0.write_all(&vec![1; 8 << 20])).await;
    assert!(stuck.is_err(), "a phone that never reads stops its box");

    at_box.0.reset(code(12)).unwrap();

    let end = soon(phone.1.received_reset()).await.unwrap();
    assert_eq!(end, Some(code(12)));
}

#[tokio::test]
async fn a_phone_that_is_gone_is_told_to_the_box_and_a_box_that_is_gone_to_the_phone() {
    let relay = TestRelay::start().await;
    let at = TestBox::start(&relay).await;
    let quic = dial(&relay.url()).await;
    let Pair { phone: _phone, mut at_box, .. } = pair(&quic, &at).await;

    quic.conn.close(code(0), b"gone");

    let end = soon(at_box.1.read_to_end(10)).await;
    assert_eq!(end, Err(ReadToEndError::Read(ReadError::Reset(code(End::Lost as u32)))));

    let quic = dial(&relay.url()).await;
    let Pair { mut phone, .. } = pair(&quic, &at).await;
    at.quic.conn.close(code(0), b"gone");
    let end = soon(phone.1.read_to_end(10)).await;
    assert_eq!(end, Err(ReadToEndError::Read(ReadError::Reset(code(End::Away as u32)))));
    until(|| relay.server().streams() == 0 && relay.server().boxes() == 0).await;
}

#[tokio::test]
async fn a_box_that_is_away_is_an_answer_at_once() {
    let relay = TestRelay::start().await;
    let quic = dial(&relay.url()).await;
    let began = Instant::now();

    let (mut send, mut recv) = reach(&quic, BoxId([9; 32])).await;

    assert_eq!(soon(recv.read_to_end(10)).await, Err(ReadToEndError::Read(ReadError::Reset(code(End::Away as u32)))));
    assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
    let stopped = soon(async {
        loop {
            if let Err(e) = send.write_all(&[0; 1000]).await {
                return e;
            }
        }
    })
    .await;
    assert_eq!(stopped, WriteError::Stopped(code(End::Away as u32)));
    assert_eq!(relay.metric("vyre_relay_streams_refused{reason=\"away\"}"), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reader_that_never_reads_stops_its_own_stream_and_no_other() {
    let relay = TestRelay::start().await;
    let at = TestBox::start(&relay).await;
    let stuck = dial(&relay.url()).await;
    let mut held = Vec::new();
    for _ in 0..8 {
        let mut one = pair(&stuck, &at).await;
        // What fits below the windows is taken; then nothing more.
        let mut taken = 0;
        while let Ok(n) = tokio::time::timeout(Duration::from_millis(200), one.at_box.0.write(&[7; 65536])).await {
            taken += n.unwrap();
        }
        assert!(taken <= 1 << 20, "{taken} bytes for one who reads nothing");
        held.push(one);
    }
    let well = dial(&relay.url()).await;
    let data = bytes(4 << 20, 1);
    let Pair { mut phone, mut at_box, .. } = pair(&well, &at).await;

    let (_, got) = tokio::join!(
        async {
            at_box.0.write_all(&data).await.unwrap();
            at_box.0.finish().unwrap();
        },
        read_all(&mut phone.1)
    );

    assert!(got == data);
}

#[tokio::test]
async fn a_reader_that_takes_nothing_for_too_long_is_cut_with_slow() {
    let relay = TestRelay::with(|c| c.stall = Duration::from_millis(300)).await;
    let at = TestBox::start(&relay).await;
    let quic = dial(&relay.url()).await;
    let Pair { mut phone, mut at_box, .. } = pair(&quic, &at).await;

    let cut = soon(at_box.0.write_all(&vec![1; 16 << 20])).await.unwrap_err();

    assert_eq!(cut, WriteError::Stopped(code(End::Slow as u32)));
    assert_eq!(soon(phone.1.received_reset()).await.unwrap(), Some(code(End::Slow as u32)));
    assert_eq!(soon(phone.0.stopped()).await.unwrap(), Some(code(End::Slow as u32)));
    assert_eq!(relay.metric("vyre_relay_stalls"), 1);
    until(|| relay.server().streams() == 0).await;
}

#[tokio::test]
async fn a_reader_that_is_slow_but_reads_is_borne() {
    let relay = TestRelay::with(|c| c.stall = Duration::from_millis(400)).await;
    let at = TestBox::start(&relay).await;
    let quic = dial(&relay.url()).await;
    let data = bytes(3 << 20, 1);
    let Pair { mut phone, mut at_box, .. } = pair(&quic, &at).await;
    let mut got = Vec::new();

    let (written, ()) = tokio::join!(
        async {
            at_box.0.write_all(&data).await.map_err(|e| e.to_string())?;
            at_box.0.finish().map_err(|e| e.to_string())
        },
        async {
            let mut piece = vec![0; 256 * 1024];
            // Well over the limit in all, never near it at once.
            while let Ok(Some(n)) = phone.1.read(&mut piece).await {
                got.extend_from_slice(&piece[..n]);
                tokio::time::sleep(Duration::from_millis(n as u64 / 2621)).await;
            }
        }
    );

    assert_eq!(written, Ok(()));
    assert!(got == data);
}

/// quinn asserts that nobody waits for a stream whose last byte was read, and poisons the connection where it is not so.
#[tokio::test]
async fn what_was_buffered_whole_while_the_reader_stood_still_leaves_nobody_waiting() {
    let relay = TestRelay::start().await;
    let at = TestBox::start(&relay).await;
    let quic = dial(&relay.url()).await;
    let Pair { phone, mut at_box, .. } = pair(&quic, &at).await;
    // What the phone and the relay hold when the phone does not read.
    let data = bytes(64 * 1024, 7);
    let mut held = 0;
    while let Ok(n) = timeout(Duration::from_millis(500), at_box.0.write(&data)).await {
        held += n.unwrap();
    }
    drop((phone, at_box));

    let Pair { mut phone, mut at_box, .. } = pair(&quic, &at).await;
    at_box.0.write_all(&bytes(held - data.len(), 7)).await.unwrap();
    at_box.0.finish().unwrap();
    // All of it is acknowledged, its end too: the relay has it, and looks at the phone.
    assert_eq!(soon(at_box.0.stopped()).await.unwrap(), None);
    assert_eq!(read_all(&mut phone.1).await.len(), held - data.len());
    phone.0.finish().unwrap();
    drop((phone, at_box));

    // Both connections still carry.
    let Pair { mut phone, mut at_box, .. } = pair(&quic, &at).await;
    at_box.0.write_all(b"more").await.unwrap();
    at_box.0.finish().unwrap();
    phone.0.finish().unwrap();
    assert_eq!(read_all(&mut phone.1).await, b"more");
}

#[tokio::test]
async fn a_thousand_streams_in_turn_leave_none_behind() {
    let relay = TestRelay::with(|c| c.limits.streams_per_box = 100).await;
    let at = TestBox::start(&relay).await;
    let quic = dial(&relay.url()).await;
    for i in 0..1000 {
        let Pair { mut phone, mut at_box, .. } = pair(&quic, &at).await;
        match i % 4 {
            0 => {
                phone.0.finish().unwrap();
                at_box.0.finish().unwrap();
                assert_eq!(read_all(&mut phone.1).await, b"");
                assert_eq!(read_all(&mut at_box.1).await, b"");
            }
            1 => at_box.0.reset(code(1)).unwrap(),
            2 => drop(phone),
            _ => {
                phone.0.reset(code(1)).unwrap();
                phone.1.stop(code(1)).unwrap();
            }
        }
    }
    until(|| relay.server().streams() == 0).await;
}

#[tokio::test]
async fn the_stream_over_the_limit_is_refused_by_name_and_the_connection_lives_on() {
    let relay = TestRelay::with(|c| c.limits.streams_per_box = 8).await;
    let at = TestBox::start(&relay).await;
    let quic = dial(&relay.url()).await;
    let mut held = Vec::new();
    for _ in 0..4 {
        held.push(pair(&quic, &at).await);
    }
    // Who is elsewhere has the other half.
    let elsewhere = dial_from([127, 0, 0, 2], &relay.url()).await;
    let _theirs = pair(&elsewhere, &at).await;

    let (_send, mut recv) = reach(&quic, at.id()).await;
    let refused = soon(recv.read_to_end(10)).await;

    assert_eq!(refused, Err(ReadToEndError::Read(ReadError::Reset(code(End::Overload as u32)))));
    let mut one = held.pop().unwrap();
    one.phone.0.finish().unwrap();
    one.at_box.0.finish().unwrap();
    read_all(&mut one.phone.1).await;
    read_all(&mut one.at_box.1).await;
    until(|| relay.server().streams() == 4).await;
    pair(&quic, &at).await;
}

#[tokio::test]
async fn a_box_that_takes_fewer_streams_than_the_relay_counts_is_overload_in_bounded_time() {
    let relay = TestRelay::start().await;
    let mut transport = transport();
    transport.max_concurrent_bidi_streams(2u32.into());
    let identity = vyre_certs::identity::BoxIdentity::generate().unwrap();
    let at = TestBox::of(&relay.url(), identity, transport).await;
    let quic = dial(&relay.url()).await;
    let _held = (pair(&quic, &at).await, pair(&quic, &at).await);
    let began = Instant::now();

    let (_send, mut recv) = reach(&quic, at.id()).await;
    let refused = soon(recv.read_to_end(10)).await;

    assert_eq!(refused, Err(ReadToEndError::Read(ReadError::Reset(code(End::Overload as u32)))));
    assert!(began.elapsed() < Duration::from_secs(4));
}

#[tokio::test]
async fn a_phone_that_comes_back_reaches_its_box_in_its_first_flight() {
    let relay = TestRelay::start().await;
    let at = TestBox::start(&relay).await;
    let url = relay.url();
    let config = client(&url, transport());
    let endpoint = quinn::Endpoint::client(([127, 0, 0, 1], 0).into()).unwrap();
    let connect = || endpoint.connect_with(config.clone(), relay.server().quic(), url.host()).unwrap();
    let conn = soon(connect()).await.unwrap();
    // Something came back, so what resumes has come as well: it was sent before.
    let (_send, mut recv) = soon(conn.open_bi()).await.unwrap();
    drop(_send);
    let _ = soon(recv.read_to_end(10)).await;
    conn.close(code(0), b"");

    let Ok((conn, accepted)) = connect().into_0rtt() else { panic!("nothing to resume") };
    let (mut send, mut recv) = conn.open_bi().await.unwrap();
    send.write_all(&vyre_proto::head::RelayHead::Reach(at.id()).to_record()).await.unwrap();
    send.write_all(b"early").await.unwrap();
    send.finish().unwrap();
    let (bridged, mut at_send, mut at_recv) = at.accept().await;
    assert!(bridged.early, "the box is told that the head may be a copy");
    let got = read_all(&mut at_recv).await;
    at_send.write_all(&got).await.unwrap();
    at_send.finish().unwrap();

    assert!(soon(accepted).await, "the early data was thrown away");
    assert_eq!(read_all(&mut recv).await, b"early");
}

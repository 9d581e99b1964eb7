//! The client against a scripted box over real sockets: every carrier, and what breaks on each.

mod script;

use std::time::Duration;
use std::time::Instant;

use script::Script;
use script::TOKEN;
use script::soon;
use vyre_proto::cursor::Cursor;
use vyre_proto::ids::SessionId;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::frame::Data;
use vyre_proto::resume::End;
use vyre_proto::resume::Nudge;
use vyre_proto::resume::Position;
use vyre_proto::resume::State;
use vyre_stream::client::CallError;
use vyre_stream::client::Client;
use vyre_stream::client::PublishFailed;
use vyre_stream::client::Reading;
use vyre_stream::client::Target;
use vyre_stream::client::Token;
use vyre_stream::client::Update;
use vyre_stream::client::carrier::Via;

fn lan(script: &Script) -> Client {
    client(&format!("http://{}", script.http))
}

fn quic(script: &Script) -> Client {
    client(&format!("quic://{}@{}", script.id, script.quic))
}

fn client(target: &str) -> Client {
    Client::connect(target.parse::<Target>().unwrap(), Token::parse(TOKEN).unwrap()).unwrap()
}

fn read(client: &Client) -> Reading {
    client.attach(SessionId::parse("s1").unwrap(), Position::default())
}

/// Reads until the reader stands at `cur`, and gives the cursors that came.
async fn until(reading: &mut Reading, cur: u64) -> Vec<u64> {
    let mut got = Vec::new();
    soon(async {
        while reading.position().last.get() < cur {
            match reading.next().await.expect("the reading goes on") {
                Update::Frame(f) => got.extend(f.span().map(|s| s.end().get())),
                Update::State { state: State::Ended(e), .. } => panic!("ended: {e}"),
                Update::State { .. } => {}
                Update::Missing(span) => panic!("missing {span:?}"),
            }
        }
    })
    .await;
    got
}

async fn live(reading: &mut Reading) -> Via {
    soon(async {
        loop {
            match reading.next().await {
                Some(Update::State { state: State::Live { .. }, via: Some(via) }) => return via,
                Some(_) => {}
                None => panic!("ended"),
            }
        }
    })
    .await
}

async fn ended(reading: &mut Reading) -> End {
    soon(async {
        loop {
            match reading.next().await {
                Some(Update::State { state: State::Ended(end), .. }) => return end,
                Some(_) => {}
                None => panic!("it says why it ends"),
            }
        }
    })
    .await
}

#[tokio::test]
async fn replay_and_live_arrive_in_order_over_each_carrier() {
    for over in [lan as fn(&Script) -> Client, quic] {
        let script = Script::start().await;
        script.append(100);
        let mut reading = read(&over(&script));
        let mut got = until(&mut reading, 100).await;
        script.append(50);
        got.extend(until(&mut reading, 150).await);

        assert_eq!(got, (1..=150).collect::<Vec<_>>());
        assert_eq!(script.get(|p| p.opens.clone()), [0]);
    }
}

#[tokio::test]
async fn a_cut_stream_goes_on_from_its_cursor_and_opens_anew_each_time() {
    for over in [lan as fn(&Script) -> Client, quic] {
        let script = Script::start().await;
        script.append(10);
        let mut reading = read(&over(&script));
        let mut got = until(&mut reading, 10).await;
        for n in 1..=10u64 {
            script.cut_all();
            script.append(3);
            got.extend(until(&mut reading, 10 + 3 * n).await);
        }

        assert_eq!(got, (1..=40).collect::<Vec<_>>());
        assert!(script.get(|p| p.opens.iter().all(|from| *from >= 10 || *from == 0)));
    }
}

#[tokio::test]
async fn messages_cut_anywhere_are_one_stream() {
    let script = Script::start().await;
    script.set(|p| p.cut = 3);
    script.append(40);
    let mut reading = read(&lan(&script));

    assert_eq!(until(&mut reading, 40).await.len(), 40);
}

#[tokio::test]
async fn one_attempt_over_http_is_one_connection() {
    let script = Script::start().await;
    script.append(1);
    let mut reading = read(&lan(&script));
    until(&mut reading, 1).await;

    assert_eq!(script.get(|p| p.connections), 1);
}

#[tokio::test]
async fn a_stream_that_breaks_on_a_standing_quic_connection_dials_no_other() {
    let script = Script::start().await;
    script.append(1);
    let mut reading = read(&quic(&script));
    until(&mut reading, 1).await;
    script.cut_all();
    script.append(1);
    until(&mut reading, 2).await;

    assert_eq!(script.get(|p| p.connections), 1);
    assert_eq!(script.get(|p| p.opens.len()), 2);
}

#[tokio::test]
async fn next_may_be_dropped_at_any_point() {
    let script = Script::start().await;
    script.set(|p| p.cut = 5);
    let mut reading = read(&lan(&script));
    let mut got = Vec::new();
    let begin = Instant::now();
    while got.len() < 60 && begin.elapsed() < Duration::from_secs(20) {
        script.append(usize::from(script.get(|p| p.frames.len()) < 60));
        if let Ok(Some(Update::Frame(f))) = tokio::time::timeout(Duration::from_micros(200), reading.next()).await {
            got.push(f.span().unwrap().end().get());
        }
    }

    assert_eq!(got, (1..=60).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_refusal_for_good_ends_it_with_the_boxs_sentence() {
    for over in [lan as fn(&Script) -> Client, quic] {
        let script = Script::start().await;
        script.set(|p| p.refusals.push_back((403, "denied", "robin left this room".into())));
        let mut reading = read(&over(&script));
        let end = ended(&mut reading).await;

        assert_eq!(end, End::Refused { code: pb::ErrorCode::Denied, message: "robin left this room".into() });
        assert_eq!(soon(reading.next()).await, None);
        assert_eq!(script.get(|p| p.opens.len()), 1);
    }
}

#[tokio::test]
async fn a_box_that_cannot_answer_and_a_portal_are_tried_again() {
    let script = Script::start().await;
    script.append(2);
    script.set(|p| {
        p.refusals.push_back((503, "unavailable", "starting".into()));
        // A captive portal: a page where an answer belongs, as success and as a refusal.
        p.refusals.push_back((0, "text/html", "<html>pay here</html>".into()));
        p.refusals.push_back((403, "log in to the hotel", "<html>".into()));
    });
    let mut reading = read(&lan(&script));
    until(&mut reading, 2).await;

    assert_eq!(script.get(|p| p.opens.len()), 4);
}

#[tokio::test]
async fn another_log_resets_the_reader() {
    let script = Script::start().await;
    script.append(5);
    let mut reading = read(&lan(&script));
    until(&mut reading, 5).await;
    script.set(|p| {
        p.log = 2;
        p.frames.truncate(3);
        p.generation += 1;
    });
    let mut kinds = Vec::new();
    soon(async {
        while kinds.last() != Some(&"text-delta") || reading.position().last < Cursor::new(3).unwrap() {
            if let Some(Update::Frame(f)) = reading.next().await {
                kinds.extend(f.kind().map(|k| k.name()));
            }
        }
    })
    .await;

    assert_eq!(kinds, ["reset", "text-delta", "text-delta", "text-delta"]);
}

#[tokio::test]
async fn a_dead_line_that_looks_open_is_left() {
    for over in [lan as fn(&Script) -> Client, quic] {
        let script = Script::start().await;
        script.set(|p| p.beat_ms = 1000);
        script.append(2);
        let mut reading = read(&over(&script));
        until(&mut reading, 2).await;
        script.set(|p| p.hush = true);
        script.append(1);
        let begin = Instant::now();
        let waiting = tokio::time::timeout(Duration::from_millis(3200), reading.next());
        let silent = waiting.await.unwrap();
        script.set(|p| p.hush = false);
        until(&mut reading, 3).await;

        assert!(matches!(silent, Some(Update::State { state: State::Reconnecting(_), .. })), "{silent:?}");
        assert!(begin.elapsed() > Duration::from_secs(1));
    }
}

#[tokio::test]
async fn a_person_who_acts_on_a_line_that_answers_changes_nothing() {
    for over in [lan as fn(&Script) -> Client, quic] {
        let script = Script::start().await;
        script.append(2);
        let mut reading = read(&over(&script));
        until(&mut reading, 2).await;
        reading.nudge(Nudge::Person);
        assert!(tokio::time::timeout(Duration::from_millis(2500), reading.next()).await.is_err());

        assert_eq!(script.get(|p| p.opens.len()), 1);
    }
}

#[tokio::test]
async fn another_network_opens_anew_and_loses_nothing() {
    for over in [lan as fn(&Script) -> Client, quic] {
        let script = Script::start().await;
        script.append(2);
        let mut reading = read(&over(&script));
        until(&mut reading, 2).await;
        reading.nudge(Nudge::Network);
        live(&mut reading).await;
        script.append(2);
        until(&mut reading, 4).await;

        assert_eq!(script.get(|p| p.opens.clone()), [0, 2]);
    }
}

#[tokio::test]
async fn a_bye_is_obeyed() {
    let script = Script::start().await;
    script.append(1);
    let mut reading = read(&lan(&script));
    until(&mut reading, 1).await;
    let bye = pb::Bye { reason: pb::ByeReason::Restart.into(), min_delay_ms: 400, max_delay_ms: 600, paths: vec![] };
    let begin = Instant::now();
    script.set(|p| p.bye = Some(bye));
    let reconnecting = soon(reading.next()).await;
    script.set(|p| p.bye = None);
    live(&mut reading).await;

    assert!(matches!(reconnecting, Some(Update::State { state: State::Reconnecting(_), .. })));
    assert!(begin.elapsed() >= Duration::from_millis(390), "{:?}", begin.elapsed());
    let bye = pb::Bye { reason: pb::ByeReason::Denied.into(), ..Default::default() };
    script.set(|p| p.bye = Some(bye));
    assert_eq!(ended(&mut reading).await, End::Denied);
}

#[tokio::test]
async fn a_resume_costs_about_a_bare_reconnect() {
    for over in [lan as fn(&Script) -> Client, quic] {
        let script = Script::start().await;
        script.append(1);
        let mut reading = read(&over(&script));
        until(&mut reading, 1).await;
        let mut times = Vec::new();
        for n in 2..22 {
            tokio::time::sleep(Duration::from_millis(110)).await;
            script.cut_all();
            let begin = Instant::now();
            script.append(1);
            until(&mut reading, n).await;
            times.push(begin.elapsed());
        }
        times.sort();

        // Two exchanges on loopback: far below any wait of a back-off.
        assert!(times[10] < Duration::from_millis(50), "{times:?}");
    }
}

#[tokio::test]
async fn tools_are_called_over_each_carrier() {
    for over in [lan as fn(&Script) -> Client, quic] {
        let script = Script::start().await;
        let client = over(&script);
        for _ in 0..3 {
            let listed: pb::SessionsListed = client.call("sessions.list", &pb::SessionsList {}).await.unwrap();
            assert_eq!(listed.sessions[0].session, "s1");
        }

        assert_eq!(script.get(|p| p.connections), 1);
    }
}

#[tokio::test]
async fn a_call_says_what_became_of_it() {
    let script = Script::start().await;
    let missing = lan(&script).call::<pb::SessionsListed>("no.such", &pb::SessionsList {}).await;
    assert!(matches!(missing, Err(CallError::Refused { code: pb::ErrorCode::NotFound, .. })), "{missing:?}");
    let nobody = client("http://127.0.0.1:1").call::<pb::SessionsListed>("sessions.list", &pb::SessionsList {}).await;
    assert!(matches!(nobody, Err(CallError::Unreachable(_))), "{nobody:?}");
    let target = format!("http://{}", script.http).parse::<Target>().unwrap();
    let stranger = Client::connect(target, Token::parse("wrong").unwrap()).unwrap();
    let denied = stranger.call::<pb::SessionsListed>("sessions.list", &pb::SessionsList {}).await;
    assert!(matches!(denied, Err(CallError::Refused { code: pb::ErrorCode::Unauthenticated, .. })), "{denied:?}");
}

#[tokio::test]
async fn a_box_with_another_key_is_never_believed() {
    let script = Script::start().await;
    let other = vyre_proto::ids::BoxId([9; 32]);
    let client = client(&format!("quic://{other}@{}", script.quic));
    let refused = client.call::<pb::SessionsListed>("sessions.list", &pb::SessionsList {}).await;

    assert!(matches!(refused, Err(CallError::Unreachable(_))), "{refused:?}");
    assert_eq!(script.get(|p| p.connections), 0);
}

#[tokio::test]
async fn text_is_whole_after_breaks() {
    let script = Script::start().await;
    script.append(30);
    let mut reading = read(&lan(&script));
    let mut fold = vyre_proto::fold::Fold::new();
    soon(async {
        while fold.last().get() < 60 {
            if let Some(Update::Frame(f)) = reading.next().await {
                fold.apply(&f);
                if f.span().is_some_and(|s| s.end().get() % 3 == 0) && script.get(|p| p.frames.len()) < 60 {
                    script.cut_all();
                    script.append(3);
                }
            }
        }
    })
    .await;

    let vyre_proto::fold::row::Body::Message(m) = &fold.rows()[0].body else { panic!("a message") };
    let whole: String = script.get(|p| {
        p.frames
            .iter()
            .filter_map(|f| if let Some(Data::TextDelta(d)) = &f.data { Some(d.text.clone()) } else { None })
            .collect()
    });
    assert_eq!(m.text.text(), whole);
    assert!(!fold.rows()[0].has_gap());
}

fn event(id: &str) -> vyre_proto::event::Event {
    let line = format!(r#"{{"id":"{id}","name":"thread.delta","session":"s1","data":{{"message":"m1","text":"x"}}}}"#);
    vyre_proto::event::Event::from_json(line.as_bytes()).unwrap()
}

#[tokio::test]
async fn events_are_published_in_order_over_each_carrier() {
    for over in [lan as fn(&Script) -> Client, quic] {
        let script = Script::start().await;
        let mut publisher = over(&script).publisher();
        soon(publisher.publish(event("e0"))).await.unwrap();
        soon(publisher.publish_all((1..3000).map(|n| event(&format!("e{n}"))))).await.unwrap();
        soon(publisher.flush()).await.unwrap();

        let p = publisher.progress();
        assert_eq!((p.given, p.settled, p.accepted, p.duplicates, p.refused), (3000, 3000, 3000, 0, 0));
        assert!(script.get(|p| p.published.iter().enumerate().all(|(n, id)| *id == format!("e{n}"))));
    }
}

#[tokio::test]
async fn what_was_not_acknowledged_is_sent_again_under_the_same_ids() {
    for over in [lan as fn(&Script) -> Client, quic] {
        let script = Script::start().await;
        script.set(|p| p.cut_publish_after = Some(37));
        let mut publisher = over(&script).publisher();
        soon(publisher.publish_all((0..100).map(|n| event(&format!("e{n}"))))).await.unwrap();
        soon(publisher.flush()).await.unwrap();

        let p = publisher.progress();
        assert_eq!((p.settled, p.accepted + p.duplicates), (100, 100));
        let published = script.get(|p| p.published.clone());
        assert_eq!(published, (0..100).map(|n| format!("e{n}")).collect::<Vec<_>>());
    }
}

#[tokio::test]
async fn refused_events_are_named_by_their_place_also_after_a_break() {
    let script = Script::start().await;
    script.set(|p| p.cut_publish_after = Some(4));
    let mut publisher = lan(&script).publisher();
    for id in ["e0", "e1", "bad2", "e3", "e4", "e5", "bad6"] {
        soon(publisher.publish(event(id))).await.unwrap();
    }
    soon(publisher.flush()).await.unwrap();

    let refused: Vec<_> = publisher.take_refused().into_iter().map(|r| r.index).collect();
    assert_eq!(refused, [2, 6]);
    assert_eq!(publisher.progress().refused, 2);
}

#[tokio::test]
async fn a_producer_without_the_right_is_told() {
    let script = Script::start().await;
    for target in [format!("http://{}", script.http), format!("quic://{}@{}", script.id, script.quic)] {
        let target = target.parse::<Target>().unwrap();
        let mut publisher = Client::connect(target, Token::parse("wrong").unwrap()).unwrap().publisher();
        let failed = soon(publisher.publish(event("e"))).await;

        assert!(matches!(failed, Err(PublishFailed::Refused { .. })), "{failed:?}");
    }
}

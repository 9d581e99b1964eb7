//! The short way of a piece of a reply is the long way: whatever is appended as it lies leaves what the message leaves.

use std::sync::Arc;

use proptest::prelude::*;
use prost::Message as _;
use serde_json::json;
use vyre_proto::ids::LogId;

use super::*;
use crate::rules::reply::COULD_NOT_RESUME;

const SESSION: &str = "s";
const KEY: [u8; 16] = [3; 16];

/// Of a session that has nothing yet but a lease.
fn new_state() -> State {
    let log = SessionLog::new(LogId([7; 16]));
    let mut state = State::new(log, Adapter::new(), Room::new(), SessionRow::default(), Arc::default());
    state.want_lease();
    state.take(&session()).unwrap();
    state.committed(Committed { number: 1, bytes: 0, frames: 0 });
    state
}

fn session() -> SessionId {
    SessionId::parse(SESSION).unwrap()
}

/// A few who write a few messages in a few turns, and what may change how a piece of them is taken.
fn step() -> impl Strategy<Value = pb::Event> {
    let message = || prop::sample::select(vec!["m", "n", "o"]).prop_map(str::to_owned);
    let text = prop::sample::select(vec!["", "x", "hé", "😀 words", "se", "cret-value"]).prop_map(str::to_owned);
    let parent = prop::sample::select(vec!["", "", "", "", "m"]).prop_map(str::to_owned);
    let delta = (message(), text, parent)
        .prop_map(|(message, text, parent)| EventData::ThreadDelta(pb::ThreadDelta { message, text, parent }));
    let thinking =
        message().prop_map(|message| EventData::ThreadThinking(pb::ThreadThinking { message, text: "thought".into() }));
    let done = message().prop_map(|message| EventData::ThreadDone(pb::ThreadDone { message }));
    let cut = message().prop_map(|message| EventData::ThreadCut(pb::ThreadCut { message, ..Default::default() }));
    let failed = Just(EventData::ThreadFailed(pb::ThreadFailed { note: COULD_NOT_RESUME.into() }));
    let joined = Just(EventData::RoomJoined(pb::RoomJoined { who: "person:kim".into() }));
    let left = Just(EventData::RoomLeft(pb::RoomLeft { who: "person:kim".into() }));
    let asked = message().prop_map(|message| {
        EventData::ThreadUser(pb::ThreadUser { message, text: "go on".into(), ..Default::default() })
    });
    let guarded = prop::sample::select(vec![
        json!({"block": "record", "fields": [{"name": "a", "sealed": "secret"}]}),
        json!({"block": "record", "fields": [{"name": "a", "value": "secret-value", "read_roles": ["hr"]}]}),
    ])
    .prop_map(|result| {
        EventData::ThreadToolFinished(pb::ThreadToolFinished {
            call: "c".into(),
            tool: "lookup".into(),
            ok: true,
            result: result.to_string().into(),
        })
    });
    let data = prop_oneof![
        40 => delta, 2 => thinking, 3 => done, 1 => cut, 1 => failed, 1 => joined, 1 => left, 2 => asked, 1 => guarded,
    ];
    let actor = prop::sample::select(vec!["assistant:a", "assistant:a", "assistant:b", "model:c", "person:robin", ""]);
    let acts_for = prop::sample::select(vec!["person:robin", "person:robin", ""]);
    let turn = prop::sample::select(vec!["t", "t", "u", ""]);
    (data, actor, acts_for, turn, any::<bool>(), any::<bool>()).prop_map(
        |(data, actor, acts_for, turn, timed, corr)| pb::Event {
            session: SESSION.into(),
            turn: turn.into(),
            time: if timed { 1_772_440_000_000_001 } else { 0 },
            corr: if corr { "c 1".into() } else { String::new() },
            actor: actor.into(),
            acts_for: acts_for.into(),
            data: Some(data),
            ..Default::default()
        },
    )
}

/// Everything that a commit would write, and what stays.
fn left_by(mut state: State) -> impl PartialEq + std::fmt::Debug {
    let batch = state.take(&session()).unwrap();
    let chunks = |chunks: &Chunks| {
        chunks
            .as_slice()
            .iter()
            .map(|c| (c.records().to_vec(), c.last(), c.count(), format!("{c:?}")))
            .collect::<Vec<_>>()
    };
    let ring = state.ring.read(Cursor::ZERO, usize::MAX);
    (chunks(&batch.frames), chunks(&batch.events), batch.ids, batch.row, state.adapter, state.room.encode(), ring)
}

proptest! {
    #[test]
    fn a_piece_that_is_taken_as_it_lies_leaves_what_its_message_leaves(steps in prop::collection::vec(step(), 1..80)) {
        let (mut short, mut long) = (new_state(), new_state());
        let now = (Tick(5), Wall(1_772_440_000_000_000));
        let mut lay = 0;
        for (n, event) in steps.into_iter().enumerate() {
            let event = pb::Event { id: format!("e{n}"), ..event };
            let as_it_lies = Event::decode(event.encode_to_vec().into()).unwrap();
            lay += usize::from(as_it_lies.words().is_some());
            let made = Event::check(event).unwrap();
            prop_assert!(made.words().is_none());

            prop_assert_eq!(short.append(&as_it_lies, now, &KEY), long.append(&made, now, &KEY));
        }
        prop_assume!(lay > 0);
        prop_assert!(left_by(short) == left_by(long));
    }
}

#[test]
fn the_second_piece_of_a_reply_makes_no_message() {
    let mut state = new_state();
    let now = (Tick(5), Wall(6));
    for n in 0..3 {
        let delta = pb::ThreadDelta { message: "m".into(), text: "words ".into(), parent: String::new() };
        let event = pb::Event {
            id: format!("e{n}"),
            session: SESSION.into(),
            actor: "assistant:a".into(),
            data: Some(EventData::ThreadDelta(delta)),
            ..Default::default()
        };
        let event = Event::decode(event.encode_to_vec().into()).unwrap();
        assert_eq!(state.append_words(event.words().unwrap(), now.1), n > 0, "{n}");
        if n == 0 {
            assert_eq!(state.append(&event, now, &KEY), Ok(true));
        }
    }
    assert_eq!(state.log.head().get(), 3);
}

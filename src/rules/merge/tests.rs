use proptest::prelude::*;
use vyre_proto::fold::Fold;
use vyre_proto::frame::Frame as Checked;

use super::*;

fn delta(cur: u64, message: &str, at: u64, text: &str) -> Frame {
    let data = Some(Data::TextDelta(pb::TextDelta { at, text: text.into(), ..Default::default() }));
    Frame { v: 1, cur, message: message.into(), data, ..Default::default() }
}

fn records(frames: &[Frame]) -> Bytes {
    let mut out = BytesMut::new();
    frames.iter().for_each(|f| record::encode(f, &mut out));
    out.freeze()
}

fn merge(chunks: &[Bytes]) -> Vec<Checked> {
    let (mut m, mut out) = (Merger::default(), BytesMut::new());
    chunks.iter().for_each(|c| m.push(c, &mut out));
    m.finish(&mut out);
    let (mut d, mut frames) = (record::Decoder::new(), Vec::new());
    d.push(&out);
    while let Some(r) = d.next().unwrap() {
        frames.push(Checked::decode(r).unwrap());
    }
    frames
}

fn spans(frames: &[Checked]) -> Vec<u64> {
    frames.iter().map(|f| f.span().unwrap().len()).collect()
}

/// What a frame says of each of its cursors, without what a merge cannot keep for every part.
fn apart(frame: &Frame) -> Vec<Frame> {
    let first = frame.cur + 1 - frame.span.max(1);
    let single = |f: &Frame, cur| Frame { cur, span: 0, id: String::new(), index: 0, time: 0, ..f.clone() };
    match &frame.data {
        Some(Data::TextDelta(d)) if !d.parts.is_empty() => {
            let lane = pb::Lane {
                message: frame.message.clone(),
                author: frame.author.clone(),
                acts_for: frame.acts_for.clone(),
                turn: frame.turn.clone(),
                parent: frame.parent.clone(),
                channel: d.channel,
                at: d.at,
                corr: frame.corr.clone(),
                rid: frame.rid.clone(),
                ver: frame.ver,
            };
            let mut lanes = if d.lanes.is_empty() { vec![lane] } else { d.lanes.clone() };
            let mut out = Vec::new();
            for (n, text) in d.parts.iter().enumerate() {
                let lane = &mut lanes[d.part_lane.get(n).map_or(0, |l| *l as usize)];
                let delta =
                    pb::TextDelta { channel: lane.channel, at: lane.at, text: text.clone(), ..Default::default() };
                lane.at += text.len() as u64;
                let l = lane.clone();
                let (message, author, acts_for, turn) = (l.message, l.author, l.acts_for, l.turn);
                let (parent, corr, rid, ver) = (l.parent, l.corr, l.rid, l.ver);
                let data = Some(Data::TextDelta(delta));
                let f = Frame { message, author, acts_for, turn, parent, corr, rid, ver, data, ..frame.clone() };
                out.push(single(&f, first + n as u64));
            }
            out
        }
        Some(Data::ToolProgress(p)) if !p.parts.is_empty() => {
            let mut at = p.at;
            let one = |(n, text): (usize, &String)| {
                let progress = pb::ToolProgress { call: p.call.clone(), at, text: text.clone(), parts: Vec::new() };
                at += text.len() as u64;
                let data = Some(Data::ToolProgress(progress));
                single(&Frame { data, ..frame.clone() }, first + n as u64)
            };
            p.parts.iter().enumerate().map(one).collect()
        }
        Some(Data::Hidden(_)) => (first..=frame.cur).map(|cur| single(frame, cur)).collect(),
        _ => vec![single(frame, frame.cur)],
    }
}

fn all_apart<'a>(frames: impl IntoIterator<Item = &'a Frame>) -> Vec<Frame> {
    frames.into_iter().flat_map(apart).collect()
}

#[test]
fn a_run_of_one_keeps_its_bytes() {
    let one = records(&[delta(1, "a", 0, "x")]);
    let (mut m, mut out) = (Merger::default(), BytesMut::new());
    m.push(&one, &mut out);
    assert!(out.is_empty() && !m.is_empty());
    m.finish(&mut out);
    assert_eq!(out.freeze(), one);
}

#[test]
fn a_hole_in_the_text_ends_a_run() {
    let merged = merge(&[records(&[delta(1, "a", 0, "xy"), delta(2, "a", 2, "z"), delta(3, "a", 9, "w")])]);
    assert_eq!(spans(&merged), [2, 1]);
}

#[test]
fn limits_end_a_run() {
    let many: Vec<_> = (0..MERGE_PARTS_MAX as u64 + 1).map(|i| delta(i + 1, "a", 0, "")).collect();
    assert_eq!(merge(&[records(&many)]).len(), 2);
    let half = "x".repeat(MERGE_BYTES_MAX / 2 + 1);
    let at = half.len() as u64;
    assert_eq!(merge(&[records(&[delta(1, "a", 0, &half), delta(2, "a", at, &half)])]).len(), 2);
    assert_eq!(merge(&[records(&[delta(1, "a", 0, &half), delta(2, "b", 0, &half)])]).len(), 2);
    let lanes: Vec<_> = (0..MERGE_LANES_MAX as u64 + 1).map(|i| delta(i + 1, &format!("m{i}"), 0, "x")).collect();
    assert_eq!(spans(&merge(&[records(&lanes)])), [MERGE_LANES_MAX as u64, 1]);
}

#[test]
fn a_full_run_of_lanes_fits_a_record() {
    let id = "i".repeat(vyre_proto::limits::ID_MAX);
    let text = "x".repeat(MERGE_BYTES_MAX / MERGE_PARTS_MAX);
    let frames: Vec<_> = (0..MERGE_PARTS_MAX as u64)
        .map(|i| {
            let lane = i % MERGE_LANES_MAX as u64;
            let at = i / MERGE_LANES_MAX as u64 * text.len() as u64;
            let turn = format!("{lane}{id}");
            let (author, acts_for, corr, parent) = (id.clone(), id.clone(), "c".repeat(4096), id.clone());
            Frame { author, acts_for, turn, corr, parent, ..delta(i + 1, &format!("{lane}{id}"), at, &text) }
        })
        .collect();
    let merged = merge(&[records(&frames)]);
    assert_eq!(spans(&merged), [MERGE_PARTS_MAX as u64]);
    assert!(merged[0].get().encoded_len() < vyre_proto::limits::RECORD_MAX);
}

#[test]
fn two_who_write_in_turns_replay_in_one_frame() {
    let frames: Vec<_> = (0..1000u64).map(|i| delta(i + 1, ["a", "b"][(i % 2) as usize], i / 2 * 3, "abc")).collect();
    let one: Vec<_> = (0..1000u64).map(|i| delta(i + 1, "a", i * 3, "abc")).collect();
    let (two, one) = (merge(&[records(&frames)]), merge(&[records(&one)]));
    assert_eq!((spans(&two), spans(&one)), (vec![1000], vec![1000]));
    let len = |f: &[Checked]| f[0].get().encoded_len();
    // A byte for each part says whose it is.
    assert!(len(&two) < len(&one) + 1000 + 100, "{} and {}", len(&two), len(&one));
}

#[test]
fn what_is_hidden_is_one_run_and_ends_every_other() {
    let hidden = |cur| {
        crate::rules::viewer::hidden(
            vyre_proto::cursor::Span::ending(vyre_proto::cursor::Cursor::new(cur).unwrap(), 1).unwrap(),
            "",
        )
    };
    let frames = [delta(1, "a", 0, "x"), hidden(2), hidden(3), hidden(4), delta(5, "a", 1, "y"), hidden(6)];
    assert_eq!(spans(&merge(&[records(&frames)])), [1, 3, 1, 1]);
}

#[derive(Debug, Clone)]
enum Step {
    Delta { message: usize, thinking: bool, handle: u64, text: String },
    Progress { call: usize, text: String },
    Hidden(u64),
    Expired(usize),
    Cut(usize),
    Done(usize),
    Lost(u64),
    Rewound(usize),
    Hole(usize),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        12 => (0usize..4, prop::bool::weighted(0.2), 0u64..2, "[a-zé]{0,4}")
            .prop_map(|(message, thinking, handle, text)| Step::Delta { message, thinking, handle, text }),
        2 => (0usize..2, "[a-z]{0,4}").prop_map(|(call, text)| Step::Progress { call, text }),
        2 => (1u64..4).prop_map(Step::Hidden),
        1 => (0usize..4).prop_map(Step::Expired),
        1 => (0usize..4).prop_map(Step::Cut),
        1 => (0usize..4).prop_map(Step::Done),
        1 => (1u64..4).prop_map(Step::Lost),
        1 => (0usize..4).prop_map(Step::Rewound),
        1 => (0usize..4).prop_map(Step::Hole),
    ]
}

const NAMES: [&str; 4] = ["a", "b", "c", "d"];

fn log(steps: &[Step]) -> Vec<Frame> {
    let (mut cur, mut at, mut progress, mut frames) = (0u64, [[0u64; 2]; 4], [0u64; 2], Vec::new());
    for s in steps {
        let (mut span, mut f) = (1, Frame { v: 1, session: "s".into(), ..Default::default() });
        let name = |f: &mut Frame, m: usize| {
            f.message = NAMES[m].into();
            f.author = format!("assistant:{}", m % 2);
        };
        f.data = Some(match s {
            Step::Delta { message, thinking, handle, text } => {
                name(&mut f, *message);
                (f.rid, f.ver) = (format!("r{message}{handle}"), *handle);
                let place = &mut at[*message][usize::from(*thinking)];
                let d = pb::TextDelta {
                    channel: i32::from(*thinking),
                    at: *place,
                    text: text.clone(),
                    ..Default::default()
                };
                *place += text.len() as u64;
                Data::TextDelta(d)
            }
            Step::Progress { call, text } => {
                let place = progress[*call];
                progress[*call] += text.len() as u64;
                Data::ToolProgress(pb::ToolProgress {
                    call: format!("t{call}"),
                    at: place,
                    text: text.clone(),
                    parts: vec![],
                })
            }
            Step::Hidden(n) => {
                span = *n;
                Data::Hidden(pb::Hidden {})
            }
            Step::Expired(m) | Step::Cut(m) => {
                name(&mut f, *m);
                f.expired = matches!(s, Step::Expired(_));
                f.cut = !f.expired;
                Data::TextDelta(pb::TextDelta { at: at[*m][0], ..Default::default() })
            }
            Step::Done(m) => {
                name(&mut f, *m);
                Data::TextDone(pb::TextDone { text_len: at[*m][0], thinking_len: at[*m][1] })
            }
            Step::Lost(n) => {
                span = *n;
                Data::Lost(pb::Lost::default())
            }
            Step::Rewound(m) => Data::Rewound(pb::Rewound { to: NAMES[*m].into() }),
            Step::Hole(m) => {
                name(&mut f, *m);
                at[*m][0] += 3;
                let d = pb::TextDelta { at: at[*m][0], text: "x".into(), ..Default::default() };
                at[*m][0] += 1;
                Data::TextDelta(d)
            }
        });
        cur += span;
        f.cur = cur;
        f.span = if span == 1 { 0 } else { span };
        f.id = format!("e{cur}");
        frames.push(f);
    }
    frames
}

fn rows(fold: &Fold) -> Vec<String> {
    fold.rows().iter().map(|r| serde_json::to_string(r).unwrap()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn a_merge_loses_nothing_joins_nothing_that_differs_and_does_not_depend_on_chunks(
        steps in prop::collection::vec(step(), 1..60), cut in 1usize..10,
    ) {
        let frames = log(&steps);
        let whole = merge(&[records(&frames)]);
        let chunks: Vec<_> = frames.chunks(cut).map(records).collect();
        prop_assert_eq!(&merge(&chunks), &whole);
        prop_assert_eq!(all_apart(whole.iter().map(Checked::get)), all_apart(&frames));
        for f in &whole {
            prop_assert!(!f.get().expired && !f.get().cut || f.span().unwrap().len() == 1);
        }
    }

    #[test]
    fn a_replay_from_any_cursor_folds_as_the_single_frames_do(
        steps in prop::collection::vec(step(), 1..40), from in any::<prop::sample::Index>(),
    ) {
        let frames = log(&steps);
        let mut want = Fold::new();
        frames.iter().for_each(|f| { want.apply(&Checked::check(f.clone()).unwrap()); });

        // A reader that holds some, asks from there, and is given what begins before or after.
        let held = from.index(frames.len());
        for begin in 0..=held {
            let mut got = Fold::new();
            frames[..held].iter().for_each(|f| { got.apply(&Checked::check(f.clone()).unwrap()); });
            for f in merge(&[records(&frames[begin..])]) {
                let have = got.last().above(f.span().unwrap().first().prev());
                if let Some(f) = f.without_first(have) { got.apply(&f); }
            }
            prop_assert_eq!(rows(&got), rows(&want));
        }
    }
}

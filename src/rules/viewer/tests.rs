use bytes::Bytes;
use bytes::BytesMut;
use proptest::prelude::*;
use prost::Message;
use vyre_proto::block::admit;
use vyre_proto::frame::Frame as Checked;
use vyre_proto::frame::peek;
use vyre_proto::ids::LogId;
use vyre_proto::record;

use super::*;
use crate::rules::merge::Merger;
use crate::rules::stays::Stretch;

fn roles(names: &[&str]) -> Roles {
    Roles::new(names.iter().copied()).unwrap()
}

fn class(names: &[&str]) -> Class {
    Class::new(roles(names), Stays::whole())
}

fn field(name: &str, value: &str, read_roles: &[&str]) -> pb::Field {
    let read_roles = read_roles.iter().map(|r| r.to_string()).collect();
    pb::Field { name: name.into(), content: Some(Content::Value(value.into())), read_roles }
}

fn result(cur: u64, kind: Kind) -> pb::Frame {
    let block = Some(admit(pb::Block { kind: Some(kind), ..Default::default() }));
    let finished = pb::ToolFinished { call: format!("c{cur}"), tool: "look".into(), ok: true, block };
    let (id, session) = (format!("e{cur}"), "s".to_owned());
    pb::Frame { v: 1, cur, id, session, data: Some(Data::ToolFinished(finished)), ..Default::default() }
}

fn record_of(fields: Vec<pb::Field>, read_roles: &[&str]) -> Kind {
    let read_roles = read_roles.iter().map(|r| r.to_string()).collect();
    Kind::Record(pb::RecordBlock { id: "r1".into(), title: "Robin".into(), fields, read_roles, ..Default::default() })
}

fn fields_of(f: &pb::Frame) -> &[pb::Field] {
    match block(f).and_then(|b| b.kind.as_ref()) {
        Some(Kind::Record(b)) => &b.fields,
        Some(Kind::Draft(b)) => &b.fields,
        Some(Kind::Answer(b)) => &b.fields,
        _ => &[],
    }
}

#[test]
fn a_field_that_the_role_may_not_read_is_a_placeholder_in_every_block_that_has_fields() {
    let fields = || vec![field("name", "Robin", &[]), field("pay", "4200", &["hr"]), field("empty", "", &["hr"])];
    let kinds = [
        record_of(fields(), &[]),
        Kind::Draft(pb::DraftBlock { fields: fields(), ..Default::default() }),
        Kind::Answer(pb::AnswerBlock { fields: fields(), ..Default::default() }),
    ];
    for kind in kinds {
        let frame = result(3, kind);
        let before = frame.clone();

        let Rendered::Other(other) = render(&frame, &class(&["ops"])) else { panic!("nothing was drawn") };

        assert_eq!(frame, before, "the shared frame was changed");
        assert_eq!(fields_of(&other)[0], fields_of(&frame)[0]);
        assert_eq!(fields_of(&other)[1].content, Some(hidden_by_role("text", true)));
        assert_eq!(fields_of(&other)[2].content, Some(hidden_by_role("text", false)));
        assert!(fields_of(&other).iter().all(|f| f.read_roles.is_empty()));
        assert_eq!((other.cur, &other.id, other.time), (frame.cur, &frame.id, frame.time));
        assert_eq!(render(&frame, &class(&["hr", "ops"])), Rendered::Same);
        assert_eq!(render(&frame, &Class::everything()), Rendered::Same);
        assert!(is_guarded(&frame));
    }
}

#[test]
fn a_record_that_the_class_is_not_cleared_for_keeps_its_cursor_and_nothing_else() {
    let frame = result(9, record_of(vec![field("a", "b", &[])], &["hr"]));

    let hidden = for_viewer(frame.clone(), &class(&[]));

    let want =
        pb::Frame { v: 1, cur: 9, session: "s".into(), data: Some(Data::Hidden(pb::Hidden {})), ..Default::default() };
    assert_eq!(hidden, want);
    assert_eq!(for_viewer(frame.clone(), &class(&["hr"])), frame);
}

#[test]
fn a_sealed_field_stays_a_placeholder_and_only_who_may_read_it_is_told_of_revealing() {
    let sealed = |read_roles: &[&str]| pb::Field {
        content: Some(vyre_proto::block::sealed("iban", true, true, true)),
        ..field("iban", "", read_roles)
    };
    let frame = result(1, record_of(vec![sealed(&[]), sealed(&["hr"])], &[]));
    let drawn = for_viewer(frame.clone(), &class(&[]));
    let can = |f: &pb::Field| matches!(&f.content, Some(Content::Sealed(s)) if s.can_reveal && s.sealed == "iban");
    assert_eq!(fields_of(&drawn).iter().map(can).collect::<Vec<_>>(), [true, false]);
    assert_eq!(for_viewer(frame.clone(), &class(&["hr"])), frame);
}

#[test]
fn an_encrypted_message_passes_untouched() {
    let enc = pb::Encrypted { alg: "mls".into(), kid: "k".into(), ct: vec![7; 40].into() };
    let data = Some(Data::UserMessage(pb::UserMessage { enc: Some(enc), ..Default::default() }));
    let frame = pb::Frame { v: 1, cur: 4, data, ..Default::default() };
    for c in [class(&[]), class(&["hr"]), Class::everything()] {
        assert_eq!(render(&frame, &c), Rendered::Same);
        assert_eq!(c.glance(&peek(&frame.encode_to_vec()).unwrap()), Glance::Same);
    }
}

#[test]
fn a_view_is_the_same_for_the_same_roles_and_a_number_that_everybody_can_count() {
    let some = [class(&[]), class(&["hr"]), class(&["hr", "ops"]), class(&["hrops"])].map(|c| c.view());
    assert_eq!(class(&["ops", "hr"]).view(), some[2]);
    assert_eq!((some[0], Class::everything().view()), (1, 1));
    for (n, view) in some.iter().enumerate() {
        assert!(*view > 0 && *view < vyre_proto::limits::CURSOR_END);
        assert!(!some[..n].contains(view));
    }
}

#[test]
fn a_reply_with_what_the_asker_may_not_read_is_refused() {
    let frame = result(0, record_of(vec![field("pay", "4200", &["hr"])], &[]));
    assert_eq!(assert_asker_can_read(&frame, &class(&["ops"])), Err(NotForAsker));
    assert_eq!(assert_asker_can_read(&frame, &class(&["hr"])), Ok(()));
    let whole = result(0, record_of(vec![], &["hr"]));
    assert_eq!(assert_asker_can_read(&whole, &class(&[])), Err(NotForAsker));
}

#[test]
fn a_glance_and_a_look_agree_with_drawing_the_decoded_frame() {
    let late = Class::new(
        roles(&[]),
        Stays::new([Stretch { since: RoomVer(3), after: Cursor::new(5).unwrap(), until: None }]),
    );
    let frame = pb::Frame { rid: "r1".into(), ver: 2, ..result(7, record_of(vec![], &[])) };
    assert_eq!(late.glance(&peek(&frame.encode_to_vec()).unwrap()), Glance::Hidden);
    assert_eq!(render(&frame, &late), Rendered::Hidden);
    assert!(!late.is_plain(Cursor::new(1).unwrap(), None));
    let plain = class(&[]);
    let at = |n| Cursor::new(n).unwrap();
    assert!(plain.is_plain(at(4), None) && plain.is_plain(at(4), Some(at(5))) && !plain.is_plain(at(5), Some(at(5))));
    assert!(Class::everything().is_plain(at(9), Some(at(1))));
}

/// One step of a log, with what is hidden in it left open.
#[derive(Debug, Clone)]
enum Step {
    Words(usize, String),
    Record { whole: bool, fields: Vec<Option<String>> },
    Draft(Vec<Option<String>>),
    Answer(Vec<Option<String>>),
    Done(usize),
}

fn values() -> impl Strategy<Value = Vec<Option<String>>> {
    prop::collection::vec(prop::option::of("[a-z]{0,6}".prop_map(String::from)), 0..5)
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        5 => (0usize..3, "[a-zé]{0,6}").prop_map(|(m, t)| Step::Words(m, t)),
        2 => (any::<bool>(), values()).prop_map(|(whole, fields)| Step::Record { whole, fields }),
        1 => values().prop_map(Step::Draft),
        1 => values().prop_map(Step::Answer),
        1 => (0usize..3).prop_map(Step::Done),
    ]
}

/// The log of these steps; `secret` is what stands wherever the viewer may not read, never empty.
fn log(steps: &[Step], secret: &mut dyn FnMut() -> String) -> Vec<pb::Frame> {
    let mut at = [0u64; 3];
    let mut all = Vec::new();
    for (n, step) in steps.iter().enumerate() {
        let cur = n as u64 + 1;
        let mut fields = |values: &[Option<String>]| -> Vec<pb::Field> {
            let one = |(n, v): (usize, &Option<String>)| match v {
                Some(v) => field(&format!("f{n}"), v, &[]),
                None => field(&format!("f{n}"), &secret(), &["hr"]),
            };
            values.iter().enumerate().map(one).collect()
        };
        all.push(match step {
            Step::Words(m, text) => {
                let delta = pb::TextDelta { at: at[*m], text: text.clone(), ..Default::default() };
                at[*m] += text.len() as u64;
                let (message, data) = (format!("m{m}"), Some(Data::TextDelta(delta)));
                pb::Frame { v: 1, cur, session: "s".into(), message, data, ..Default::default() }
            }
            Step::Done(m) => {
                let done = pb::TextDone { text_len: at[*m], thinking_len: 0 };
                let (message, data) = (format!("m{m}"), Some(Data::TextDone(done)));
                pb::Frame { v: 1, cur, session: "s".into(), message, data, ..Default::default() }
            }
            Step::Record { whole: true, .. } => {
                let fields = vec![field("all", &secret(), &[])];
                pb::Frame { id: secret(), ..result(cur, record_of(fields, &["hr"])) }
            }
            Step::Record { fields: f, .. } => result(cur, record_of(fields(f), &[])),
            Step::Draft(f) => result(
                cur,
                Kind::Draft(pb::DraftBlock { body: "b".repeat(70_000), fields: fields(f), ..Default::default() }),
            ),
            Step::Answer(f) => result(cur, Kind::Answer(pb::AnswerBlock { fields: fields(f), ..Default::default() })),
        });
    }
    all
}

/// Everything that a viewer of the class is sent from `from` on: records, and the same as server-sent events.
fn sent(frames: &[pb::Frame], class: &Class, from: usize, merged: bool) -> (Bytes, String) {
    let mut drawn = BytesMut::new();
    frames[from..].iter().for_each(|f| record::encode(&for_viewer(f.clone(), class), &mut drawn));
    let mut out = drawn.clone();
    if merged {
        out.clear();
        let mut merger = Merger::default();
        merger.push(&drawn.freeze(), &mut out);
        merger.finish(&mut out);
    }
    let mut text = String::new();
    let mut rest = &out[..];
    while let Some((rec, prefix)) = record::split(rest) {
        rest = &rest[rec.len()..];
        let frame = Checked::decode(Bytes::copy_from_slice(&rec[prefix..])).unwrap();
        vyre_proto::sse::write(&LogId([1; 16]), &frame, &mut text).unwrap();
    }
    (out.freeze(), text)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_is_hidden_moves_no_byte_of_what_is_sent(
        steps in prop::collection::vec(step(), 1..30),
        lens in prop::collection::vec((1usize..40, 1usize..30_000), 1..20),
        from in any::<prop::sample::Index>(),
        merged in any::<bool>(),
    ) {
        let (mut a, mut b) = (0, 0);
        let one = log(&steps, &mut || { a += 1; format!("SECRET{}", "x".repeat(lens[a % lens.len()].0)) });
        let two = log(&steps, &mut || { b += 1; format!("ANDERE{}", "ÿ".repeat(lens[b % lens.len()].1)) });
        let from = from.index(one.len());

        for class in [class(&[]), class(&["ops"])] {
            let (seen, other) = (sent(&one, &class, from, merged), sent(&two, &class, from, merged));
            prop_assert!(seen == other, "bytes differ");
            prop_assert!(!seen.1.contains("SECRET"));
        }
        // Whoever may read it reads it.
        let read = sent(&one, &class_of_hr(), 0, false).1;
        prop_assert_eq!(read.contains("SECRET"), one.iter().any(is_guarded));
    }
}

fn class_of_hr() -> Class {
    class(&["hr"])
}

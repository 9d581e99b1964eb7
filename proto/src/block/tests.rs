use proptest::prelude::*;

use super::*;

fn block(kind: Kind) -> pb::Block {
    pb::Block { kind: Some(kind), ..Default::default() }
}
fn text(s: &str) -> pb::Block {
    block(Kind::Text(pb::TextBlock { text: s.into() }))
}
fn field(name: &str, content: Content) -> pb::Field {
    pb::Field { name: name.into(), content: Some(content), ..Default::default() }
}
fn record(fields: Vec<pb::Field>) -> pb::Block {
    let kind = Kind::Record(pb::RecordBlock { r#type: "contact".into(), fields, ..Default::default() });
    pb::Block { r#ref: "result:1".into(), kind: Some(kind), ..Default::default() }
}

/// 2, 3 and 4 bytes, a flag, a family, combining accents, a Hangul syllable in parts, a skin tone, and CR LF.
const CHARACTERS: &[&str] = &["é", "漢", "😀", "🇩🇰", "👩‍👩‍👧‍👦", "e\u{301}\u{323}", "\u{1112}\u{1161}\u{11ab}", "👍🏽", "\r\n"];

#[test]
fn no_limit_falls_inside_a_character() {
    for limit in [64, 1000, BLOCK_MAX] {
        for ch in CHARACTERS {
            for off in 0..ch.len() + 8 {
                let Some(before) = (limit + 4).checked_sub(off) else { continue };
                let s = format!("{}{ch}{ch}{}", "x".repeat(before), "y".repeat(20));
                let kept = cut(&s, limit);
                assert!(kept.len() <= limit && kept.len() + ch.len() > limit, "{ch:?} at {before} of {limit}");
                assert!(
                    (kept.len() <= before) || (kept.len() - before).is_multiple_of(ch.len()) || kept.ends_with('y'),
                    "{ch:?}"
                );
            }
        }
    }
}

#[test]
fn an_endless_character_does_not_empty_the_text() {
    let zalgo = format!("e{}", "\u{301}".repeat(BLOCK_MAX));
    assert!(cut(&zalgo, 1000).len() > 990);
    let flags = "🇩🇰".repeat(10_000);
    for x in 0..9 {
        let run = format!("{}{flags}", "x".repeat(x));
        assert!((0..9).all(|over| (cut(&run, 40_000 + over).len() - x).is_multiple_of(8)));
    }
}

#[test]
fn a_long_text_is_cut_and_says_how_long_it_was() {
    for over in [0, 1, 1000] {
        let b = admit(text(&"é".repeat(BLOCK_MAX / 2 + over)));
        let Some(Kind::Text(t)) = &b.kind else { panic!() };
        assert_eq!(t.text.len(), BLOCK_MAX);
        assert_eq!(b.total, if over == 0 { 0 } else { (BLOCK_MAX + 2 * over) as u64 });
    }
}

#[test]
fn a_sealed_field_keeps_its_class_and_nothing_that_could_be_the_value() {
    let b = admit(record(vec![
        field("iban", sealed("iban", true, true, false)),
        field(
            "pin",
            Content::Sealed(pb::Sealed {
                sealed: "DE89370400440532013000".into(),
                present: true,
                ..Default::default()
            }),
        ),
        field("key", Content::Sealed(pb::Sealed { sealed: "vyre://home/sealed/7".into(), ..Default::default() })),
        field(
            "pay",
            Content::Hidden(pb::HiddenField { hidden: "role".into(), kind: "4,200 EUR".into(), present: true }),
        ),
        field("name", Content::Value("Robin".into())),
        pb::Field { name: "later".into(), ..Default::default() },
    ]));
    let Some(Kind::Record(r)) = &b.kind else { panic!() };
    let names: Vec<_> = r.fields.iter().map(|f| &*f.name).collect();
    assert_eq!(names, ["iban", "pin", "key", "pay", "name"]);
    assert_eq!(r.fields[0].content, Some(sealed("iban", true, true, false)));
    assert_eq!(r.fields[1].content, Some(sealed("", true, false, false)));
    assert_eq!(r.fields[3].content, Some(hidden_by_role("", true)));
    assert_eq!(b.r#ref, "");
    for secret in ["DE89", "vyre://", "4,200"] {
        assert!(!String::from_utf8_lossy(&encode(&b)).contains(secret));
    }
}

#[test]
fn roles_are_never_fewer_than_they_were() {
    let long = pb::Field { read_roles: vec!["r".repeat(500)], ..field("pay", Content::Value("1".into())) };
    let many = pb::Field { read_roles: vec!["owner".into(); 5000], ..field("pay", Content::Value("1".into())) };
    let Some(Kind::Record(r)) = admit(record(vec![long, many])).kind else { panic!() };
    assert!(r.fields.iter().all(|f| f.read_roles == ["-"]));
}

#[test]
fn addresses_that_are_not_of_the_web_are_dropped() {
    let urls =
        ["https://a.example/b", "HTTP://a", "javascript:alert(1)", "data:text/html,x", "https://a\n", "file:///etc"];
    let sources = urls.map(|url| pb::Source { title: "t".into(), url: url.into() }).to_vec();
    let Some(Kind::Answer(a)) = admit(block(Kind::Answer(pb::AnswerBlock { sources, ..Default::default() }))).kind
    else {
        panic!()
    };
    let kept: Vec<_> = a.sources.iter().map(|s| &*s.url).collect();
    assert_eq!(kept, ["https://a.example/b", "HTTP://a", "", "", "", ""]);
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![any::<String>(), (0..CHARACTERS.len(), 0..40_000usize).prop_map(|(i, n)| CHARACTERS[i].repeat(n)),]
}
fn any_field() -> impl Strategy<Value = pb::Field> {
    let content = prop_oneof![
        any_text().prop_map(|v| Some(Content::Value(v))),
        (any::<String>(), any::<bool>()).prop_map(|(sealed, present)| {
            Some(Content::Sealed(pb::Sealed { sealed, present, ..Default::default() }))
        }),
        Just(None),
    ];
    (any_text(), content, prop::collection::vec(any::<String>(), 0..3))
        .prop_map(|(name, content, read_roles)| pb::Field { name, content, read_roles })
}
fn any_block() -> impl Strategy<Value = pb::Block> {
    let fields = || prop::collection::vec(any_field(), 0..6);
    let kind = prop_oneof![
        (any_text(), any_text()).prop_map(|(command, output)| Kind::Terminal(pb::TerminalBlock {
            command,
            output,
            exit: None
        })),
        (any_text(), any_text()).prop_map(|(path, patch)| Kind::Diff(pb::DiffBlock {
            path,
            patch,
            ..Default::default()
        })),
        (any_text(), 0..30_000usize).prop_map(|(path, n)| {
            let files = vec![pb::FileEntry { path: path.chars().take(50).collect(), change: "odd".into() }; n];
            Kind::Files(pb::FilesBlock { files, detail: path })
        }),
        (any_text(), fields()).prop_map(|(title, fields)| Kind::Record(pb::RecordBlock {
            title,
            fields,
            ..Default::default()
        })),
        (any_text(), fields()).prop_map(|(body, fields)| Kind::Draft(pb::DraftBlock {
            body,
            fields,
            ..Default::default()
        })),
        (any_text(), prop::collection::vec(any_text(), 0..5), fields()).prop_map(|(text, urls, fields)| {
            let sources = urls.into_iter().map(|title| pb::Source { title, url: "x".into() }).collect();
            Kind::Answer(pb::AnswerBlock { text, sources, fields })
        }),
        any_text().prop_map(|text| Kind::Text(pb::TextBlock { text })),
    ];
    (any_text(), kind).prop_map(|(note, kind)| pb::Block { note, kind: Some(kind), ..Default::default() })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn the_door_is_bounded_and_going_twice_changes_nothing(b in any_block()) {
        let once = admit(b);
        prop_assert!(once.encoded_len() < 2 * BLOCK_MAX, "{}", once.encoded_len());
        prop_assert_eq!(decode(&encode(&once)).unwrap(), once.clone());
        prop_assert_eq!(admit(once.clone()), once);
    }

    #[test]
    fn cutting_agrees_with_reading_from_the_start(s in "(é|漢|😀|🇩🇰|👩‍👩‍👧‍👦|e\u{301}|x|\r\n| ){0,40}", max in 0usize..300) {
        use unicode_segmentation::UnicodeSegmentation;
        let whole: usize = s.graphemes(true).scan(0, |n, g| { *n += g.len(); (*n <= max).then_some(g.len()) }).sum();
        prop_assert_eq!(cut(&s, max).len(), whole);
    }
}

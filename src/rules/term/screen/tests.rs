use proptest::prelude::*;

use super::*;

fn size(cols: u32, rows: u32) -> TermSize {
    TermSize::clamped(cols, rows)
}

fn fed(cols: u32, rows: u32, output: &[u8]) -> Screen {
    let mut screen = Screen::new(size(cols, rows));
    screen.feed(output);
    screen
}

/// A new emulator that was given the snapshot.
fn restored(snapshot: &Snapshot) -> Screen {
    let mut screen = Screen::new(snapshot.size);
    screen.feed(&snapshot.bytes);
    screen
}

/// A snapshot as text.
fn shown(screen: &Screen) -> String {
    screen.snapshot().bytes.escape_ascii().to_string()
}

#[derive(Clone)]
struct Word(Vec<u8>);

impl std::fmt::Debug for Word {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0.escape_ascii())
    }
}

fn concat(words: &[Word]) -> Vec<u8> {
    words.iter().flat_map(|word| word.0.clone()).collect()
}

/// Something that a program may print, or half of it.
fn word() -> impl Strategy<Value = Word> {
    let sequences = prop::sample::select(vec![
        "\x1b[31;1m",
        "\x1b[0m",
        "\x1b[48;5;200m",
        "\x1b[38;2;1;2;3m",
        "\x1b[4:3m",
        "\x1b[7m",
        "\x1b[H",
        "\x1b[3;5H",
        "\x1b[2J",
        "\x1b[K",
        "\x1b[1J",
        "\x1b[2;4r",
        "\x1b[r",
        "\x1b[?6l",
        "\x1b[?7l",
        "\x1b[?7h",
        "\x1b[4h",
        "\x1b[4l",
        "\x1b[20h",
        "\x1b[?25l",
        "\x1b[22;0t",
        "\x1b[23;0t",
        "\x1b[?1049h",
        "\x1b[?1049l",
        "\x1b[?1h",
        "\x1b[?1000h",
        "\x1b[?1002;1006h",
        "\x1b[?1002l",
        "\x1b[?2004h",
        "\x1b[?2004l",
        "\x1b[?1004h",
        "\x1b[?2026h",
        "\x1b[?2048h",
        "\x1b[5 q",
        "\x1b[0 q",
        "\x1b=",
        "\x1b>",
        "\x1b7",
        "\x1b8",
        "\x1b(0",
        "\x1b(B",
        "\x1b)0",
        "\x0e",
        "\x0f",
        "\x1bH",
        "\x1b[3g",
        "\x1b[g",
        "\x1bM",
        "\x1bD",
        "\x1bE",
        "\x1b[2L",
        "\x1b[M",
        "\x1b[3@",
        "\x1b[2P",
        "\x1b[4X",
        "\x1b[S",
        "\x1b[T",
        "\x1b[9b",
        "\x1b[!p",
        "\x1bc",
        "\x1b#8",
        "\x1b[>1u",
        "\x1b[<u",
        "\x1b[=5;2u",
        "\x1b[>4;2m",
        "\x1b[>4m",
        "\x1b]0;title\x07",
        "\x1b]2;Töne\x1b\\",
        "\x1b]8;;http://a\x1b\\",
        "\x1b]8;;\x1b\\",
        "\x1b]11;#102030\x07",
        "\x1b]4;1;red;2;blue\x07",
        "\x1b]104\x07",
        "\x1b]52;c;QQ==\x07",
        "\x1bP$qm\x1b\\",
        "\x1b_Gx\x1b\\",
        "\x1b[6n",
        "\x1b[c",
        "\x1b]10;?\x07",
        "\x1b[?u",
        "\u{9b}1m",
        "\u{85}",
        "\u{9d}2;x\u{9c}",
        "\x1b[3\x18",
        "\x1b[1\x0a2m",
        "\x1b]0;cut",
        "\x1b[?",
    ]);
    prop_oneof![
        6 => sequences.prop_map(|s| s.as_bytes().to_vec()),
        4 => prop::sample::select(vec!["x", "hello", "漢", "e\u{301}", "ä", "👍", "\t", "\x08", "q", " ", "\x7f", "\x07"])
            .prop_map(|s| s.as_bytes().to_vec()),
        3 => prop::sample::select(vec!["\r\n", "\n", "\r"]).prop_map(|s| s.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..4),
        1 => (0usize..40).prop_map(|n| "line\r\n".repeat(n).into_bytes()),
    ]
    .prop_map(Word)
}

#[test]
fn lines_that_count_from_the_top_of_a_region_do_so_again() {
    let mut screen = fed(10, 5, b"\x1b[2;4r\x1b[?6h\x1b[2;3H");
    let mut late = restored(&screen.snapshot());
    for screen in [&mut screen, &mut late] {
        screen.feed(b"x\x1b[1;1Hy");
    }
    assert_eq!(shown(&late), shown(&screen));
    assert!(shown(&late).starts_with(r"\r\ny\r\n  x"), "{}", shown(&late));
}

#[test]
fn a_title_that_was_put_away_comes_back() {
    let screen = fed(5, 1, b"\x1b]2;shell\x07\x1b[22;0t\x1b]2;vim\x07");
    assert_eq!(screen.titles(), 1);
    let mut back = restored(&screen.snapshot());
    back.feed(b"\x1b[23;0t");
    assert!(shown(&back).contains("shell") && !shown(&back).contains("vim"));
}

#[test]
fn the_alternate_screen_has_three_names() {
    for name in [47, 1047, 1049] {
        let screen = fed(5, 1, format!("shell\x1b[?{name}hvim").as_bytes());
        assert!(shown(&screen).contains("vim"), "{name}");
        let back = fed(5, 1, format!("shell\x1b[?{name}hvim\x1b[?{name}l").as_bytes());
        assert!(shown(&back).contains("shell") && !shown(&back).contains("vim"), "{name}");
    }
}

#[test]
fn a_window_of_another_size_shows_what_is_around_the_cursor() {
    let mut screen = fed(20, 4, "one\r\ntwo\r\n\x1b[31;44mthree\x1b[m\r\n0123456789漢字".as_bytes());
    let through = |screen: &Screen, cols, rows| {
        let mut window = Screen::new(size(cols, rows));
        window.feed(b"old\r\nold\x1b[?7l");
        window.feed(&screen.clip(size(cols, rows)));
        shown(&window)
    };

    // The cursor stands behind column 14, so it is shown from column 7 on.
    assert!(
        through(&screen, 8, 2).starts_with(r"\r\n789\xe6\xbc\xa2\xe5\xad\x97\x1b[0m"),
        "{}",
        through(&screen, 8, 2)
    );
    screen.feed(b"\r");
    assert!(
        through(&screen, 8, 2).starts_with(r"\x1b[31;44mthree\x1b[0m\r\n01234567\x1b[0m"),
        "{}",
        through(&screen, 8, 2)
    );
    assert!(through(&screen, 30, 6).starts_with(r"one\r\ntwo\r\n\x1b[31;44mthree\x1b[0m\r\n0123456789"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_snapshot_and_what_follows_it_is_all_of_the_output(
        words in prop::collection::vec(word(), 0..40), cut in any::<prop::sample::Index>(),
        (cols, rows) in (1u32..14, 1u32..6), resize in prop::option::of((1u32..14, 1u32..6)),
    ) {
        let output = concat(&words);
        let cut = cut.index(output.len() + 1);
        let mut whole = fed(cols, rows, &output[..cut]);
        let sizes = resize.map(|(cols, rows)| size(cols, rows));
        if let Some(size) = sizes {
            whole.resize(size);
        }

        let snapshot = whole.snapshot();
        let mut late = restored(&snapshot);
        let next = snapshot.next.get() as usize;
        late.feed(&output[next..cut]);
        if let Some(size) = sizes {
            late.resize(size);
        }

        prop_assert_eq!(shown(&late), shown(&whole));
        prop_assert_eq!(shown(&whole.clone()), shown(&whole));
        whole.feed(&output[cut..]);
        late.feed(&output[cut..]);
        prop_assert_eq!(shown(&late), shown(&whole));
    }

    #[test]
    fn in_which_pieces_output_comes_makes_no_difference(words in prop::collection::vec(word(), 0..60), piece in 1usize..50) {
        let output = concat(&words);
        let whole = fed(9, 3, &output);
        let mut pieces = Screen::new(size(9, 3));
        for piece in output.chunks(piece) {
            pieces.feed(piece);
        }
        prop_assert_eq!(shown(&pieces), shown(&whole));
    }

    #[test]
    fn a_snapshot_asks_nothing_and_touches_nothing(words in prop::collection::vec(word(), 0..60)) {
        let bytes = fed(9, 3, &concat(&words)).snapshot().bytes;
        let mut cutter = Cutter::default();
        let mut wrong = Vec::new();
        cutter.feed(&bytes, |piece| {
            use crate::rules::term::escape::Csi;
            use crate::rules::term::escape::Piece;
            let (Piece::Escape(s) | Piece::Broken(s) | Piece::Text(s)) = piece;
            let fine = match (piece, Csi::parse(s)) {
                (Piece::Text(_), _) => !s.contains(&0x07),
                (Piece::Broken(_), _) => false,
                (_, Some(csi)) => {
                    let asks = matches!((csi.marker, csi.last), (_, b'c' | b'n' | b'x' | b'p') | (b'?', b'u'));
                    !asks && (csi.last != b't' || csi.param(0) == 22) && !csi.params().contains(&2048)
                }
                (_, None) => !s.starts_with(b"\x1bP") && !s.windows(2).any(|two| two == b";?") && !s.starts_with(b"\x1b]52"),
            };
            if !fine {
                wrong.push(s.escape_ascii().to_string());
            }
        });
        prop_assert!(wrong.is_empty(), "{:?}", wrong);
    }
}

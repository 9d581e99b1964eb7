//! What a person's own emulator is to be written, so that it shows a terminal of a box.
//!
//! Mostly that is the output itself. It is not while the person's window has another size than the one in force: then what
//! fits is drawn. And it is not for output that was printed while there was no line: that is drawn at once when it is
//! through, so that nothing flies past and no question in it is answered a second time.
//!
//! Pure: updates come in, bytes go out.

use vyre_proto::term::Offset;
use vyre_proto::term::TermSize;

use crate::cli::tty::RESET;
use crate::client::term::follow::Update;
use crate::rules::term::screen::Screen;

/// Colours as they were: only where a program has set some, since not every emulator knows its own again.
const RESET_COLOURS: &str = "\x1b]104\x1b\\\x1b]110\x1b\\\x1b]111\x1b\\\x1b]112\x1b\\";

/// Gives up a sequence of which the emulator has only the beginning.
const CANCEL: u8 = 0x18;

/// So little is passed on after a break as if there had been none, if nothing was written over the screen.
const LITTLE: u64 = 4096;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shows {
    /// Nothing of what came, until the output has come so far.
    Nothing(Offset),
    /// The output, as it comes.
    Output,
    /// What fits into the window.
    Part,
}

/// See the module.
pub struct View {
    screen: Screen,
    window: TermSize,
    shows: Shows,
    at: Offset,
    /// Something has changed that is not drawn yet.
    changed: bool,
    /// A line was written over what the screen shows.
    written_over: bool,
    coloured: bool,
    /// Titles that wait in the emulator, where it is not the output that is passed on.
    titles: usize,
    out: Vec<u8>,
}

impl View {
    /// In a window of this size, whose contents scroll away.
    pub fn new(window: TermSize) -> View {
        let mut out = b"\r\n".repeat(window.rows().into());
        out.extend_from_slice(b"\x1b[H\x1b[2J");
        View {
            screen: Screen::new(window),
            window,
            shows: Shows::Output,
            at: Offset::ZERO,
            changed: false,
            written_over: false,
            coloured: false,
            titles: 0,
            out,
        }
    }

    /// What the terminal does.
    pub fn take(&mut self, update: &Update) {
        match update {
            Update::Attached { head } => {
                let little = self.shows == Shows::Output && head.above(self.at) <= LITTLE;
                if self.written_over || !little {
                    self.pass_no_more(Shows::Nothing(*head));
                }
            }
            Update::Anew(size) => {
                // It is drawn whole, when the pieces are together.
                if let Shows::Output | Shows::Part = self.shows {
                    self.pass_no_more(Shows::Nothing(Offset::ZERO));
                }
                self.screen = Screen::new(*size);
            }
            Update::Size(size) => {
                self.screen.resize(*size);
                self.fit();
            }
            Update::Bytes(bytes, behind) => {
                self.screen.feed(bytes);
                self.at = *behind;
                self.changed = true;
                if self.shows == Shows::Output {
                    self.coloured |= sets_colours(bytes);
                    self.out.extend_from_slice(bytes);
                }
                // A size that came in the middle of a sequence is in force behind it.
                self.fit();
            }
            Update::Away(_) | Update::State { .. } | Update::Ended(_) | Update::Refused(_) => {}
        }
    }

    /// The person's window has this size now.
    pub fn window(&mut self, window: TermSize) {
        self.window = window;
        if self.shows == Shows::Part {
            self.empty();
            self.changed = true;
        }
        self.fit();
    }

    /// Whether the output itself is not what is written, so that drawing may wait for more.
    pub fn draws(&self) -> bool {
        self.shows != Shows::Output
    }

    fn fits(&self) -> bool {
        self.screen.size() == self.window
    }

    fn fit(&mut self) {
        match self.shows {
            Shows::Output if !self.fits() => self.part(),
            Shows::Part if self.fits() => self.whole(),
            _ => {}
        }
    }

    /// What is to be written now, after all that has come is taken.
    pub fn draw(&mut self) -> Vec<u8> {
        if let Shows::Nothing(until) = self.shows
            && self.at >= until
        {
            if self.fits() { self.whole() } else { self.part() }
        }
        if self.shows == Shows::Part && std::mem::take(&mut self.changed) {
            self.out.extend_from_slice(b"\x1b[?2026h");
            self.out.extend_from_slice(&self.screen.clip(self.window));
            self.out.extend_from_slice(b"\x1b[?2026l");
        }
        std::mem::take(&mut self.out)
    }

    /// Writes a line over the last one of the window. It goes with the next line that stands.
    pub fn write_over(&mut self, text: &str) {
        self.cancel();
        let text: String = text.chars().take(usize::from(self.window.cols()).saturating_sub(2)).collect();
        let line = format!("\x1b7\x1b[?6l\x1b[{};1H\x1b[0;7m {text} \x1b[m\x1b[K\x1b8", self.window.rows());
        self.out.extend_from_slice(line.as_bytes());
        self.written_over = true;
    }

    /// Rings.
    pub fn ring(&mut self) {
        self.cancel();
        self.out.push(0x07);
    }

    /// All before it is shown.
    pub fn at(&self) -> Offset {
        self.at
    }

    /// Takes a line that was written over the screen away again.
    pub fn uncover(&mut self) {
        match self.shows {
            Shows::Output if self.written_over => self.whole(),
            Shows::Part => self.changed = true,
            _ => {}
        }
    }

    /// The last of it, before the terminal is as it was.
    pub fn leave(&mut self) -> Vec<u8> {
        self.pass_no_more(Shows::Nothing(self.at));
        self.reset_beside();
        std::mem::take(&mut self.out)
    }

    /// The screen as it stands, from an empty emulator on; from here on the output is passed on.
    fn whole(&mut self) {
        self.pass_no_more(Shows::Nothing(self.at));
        self.empty();
        let snapshot = self.screen.snapshot();
        self.coloured = sets_colours(&snapshot.bytes);
        self.out.extend_from_slice(&snapshot.bytes);
        self.out.extend_from_slice(b"\x1b[?2026l");
        self.out.extend_from_slice(self.screen.unfinished());
        (self.shows, self.changed, self.written_over) = (Shows::Output, false, false);
    }

    /// From here on what fits is drawn.
    fn part(&mut self) {
        self.pass_no_more(Shows::Part);
        self.empty();
        self.out.extend_from_slice(b"\x1b[?2026l");
        (self.changed, self.written_over) = (true, false);
    }

    fn pass_no_more(&mut self, shows: Shows) {
        self.cancel();
        if self.shows == Shows::Output {
            self.titles = self.screen.titles();
        }
        self.shows = shows;
    }

    /// Everything away. What follows is shown at once when the update is over.
    fn empty(&mut self) {
        self.cancel();
        self.out.extend_from_slice(RESET.as_bytes());
        self.reset_beside();
        self.out.extend_from_slice(b"\x1b[?2026h\x1b[H\x1b[2J\x1b[3g");
        for _ in 0..(self.window.cols() - 1) / 8 {
            self.out.extend_from_slice(b"\x1b[8C\x1bH");
        }
        self.out.extend_from_slice(b"\x1b[H");
    }

    /// What only this knows whether it is to be reset.
    fn reset_beside(&mut self) {
        self.out.extend_from_slice(&b"\x1b[23;2t".repeat(std::mem::take(&mut self.titles)));
        if std::mem::take(&mut self.coloured) {
            self.out.extend_from_slice(RESET_COLOURS.as_bytes());
        }
    }

    fn cancel(&mut self) {
        if self.shows == Shows::Output && !self.screen.unfinished().is_empty() {
            self.out.push(CANCEL);
        }
    }
}

fn sets_colours(bytes: &[u8]) -> bool {
    bytes.windows(4).any(|word| matches!(word, b"\x1b]4;" | b"\x1b]10" | b"\x1b]11" | b"\x1b]12"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use vyre_proto::resume::Why;

    use super::*;

    fn size(cols: u32, rows: u32) -> TermSize {
        TermSize::clamped(cols, rows)
    }

    /// A person's emulator.
    struct Emulator(Screen);

    impl Emulator {
        fn new(view: &mut View) -> Emulator {
            let mut screen = Screen::new(view.window);
            screen.feed(RESET.as_bytes());
            screen.feed(&view.draw());
            Emulator(screen)
        }

        fn write(&mut self, view: &mut View) {
            self.0.feed(&view.draw());
        }

        fn shows(&self) -> String {
            self.0.snapshot().bytes.escape_ascii().to_string()
        }
    }

    #[derive(Debug, Clone)]
    enum Step {
        Print(&'static str),
        Size(u32),
        Window(u32),
        Anew,
        Break { missed: &'static str, told: bool },
        Hint,
        Draw,
    }

    fn step() -> impl Strategy<Value = Step> {
        let word = || {
            prop::sample::select(vec![
                "text",
                "\r\n",
                "\x1b[31",
                "m",
                "\x1b[?1049h",
                "\x1b[?1049l",
                "\x1b[?2004h",
                "\x1b[?1002h\x1b[?1006h",
                "\x1b[2;4r",
                "\x1b=",
                "\x1b[H",
                "\x1b(0",
                "\x1b]0;ti",
                "tle\x07",
                "\x1b[22;2t",
                "\x1b[23;2t",
                "\x1b[>1u",
                "\x1b[5 q",
                "\x1b[?25l",
                "\x1b[4h",
                "漢",
                "\x1b7",
                "\x1b8",
                "\x1b[3g",
            ])
        };
        prop_oneof![
            6 => word().prop_map(Step::Print),
            1 => (10u32..12).prop_map(Step::Size),
            1 => (10u32..12).prop_map(Step::Window),
            1 => Just(Step::Anew),
            1 => (word(), any::<bool>()).prop_map(|(missed, told)| Step::Break { missed, told }),
            1 => Just(Step::Hint),
            2 => Just(Step::Draw),
        ]
    }

    proptest! {
        #[test]
        fn whatever_happens_the_emulator_ends_up_with_what_the_terminal_shows(steps in prop::collection::vec(step(), 0..40)) {
            let (mut at, mut in_force) = (Offset::ZERO, size(10, 4));
            let mut view = View::new(in_force);
            let mut emulator = Emulator::new(&mut view);
            let mut whole = Screen::new(in_force);
            let mut print = |view: &mut View, whole: &mut Screen, text: &'static str| {
                at = at.plus(text.len());
                whole.feed(text.as_bytes());
                view.take(&Update::Bytes(text.as_bytes().into(), at));
                at
            };
            for step in steps {
                match step {
                    Step::Print(text) => {
                        print(&mut view, &mut whole, text);
                    }
                    Step::Size(cols) => {
                        in_force = size(cols, 4);
                        whole.resize(in_force);
                        view.take(&Update::Size(in_force));
                    }
                    Step::Window(cols) => {
                        // It is asked for, and then written to.
                        emulator.write(&mut view);
                        view.window(size(cols, 4));
                        emulator.0.resize(size(cols, 4));
                    }
                    Step::Anew => {
                        let snapshot = whole.snapshot();
                        view.take(&Update::Anew(snapshot.size));
                        view.take(&Update::Bytes(snapshot.bytes.clone().into(), snapshot.next));
                        view.take(&Update::Bytes(whole.unfinished().to_vec().into(), at_of(&snapshot.next, &whole)));
                        view.take(&Update::Size(in_force));
                    }
                    Step::Break { missed, told } => {
                        emulator.write(&mut view);
                        view.take(&Update::Away(Why::Broken));
                        if told {
                            view.write_over("reconnecting");
                        }
                        emulator.write(&mut view);
                        let head = at_of(&Offset::ZERO, &whole).plus(missed.len());
                        view.take(&Update::Attached { head });
                        print(&mut view, &mut whole, missed);
                    }
                    Step::Hint => {
                        view.write_over("a hint");
                        emulator.write(&mut view);
                        view.uncover();
                    }
                    Step::Draw => emulator.write(&mut view),
                }
            }
            // No sequence is left unfinished, and the window has the size in force.
            print(&mut view, &mut whole, "\x18");
            emulator.write(&mut view);
            view.window(in_force);
            emulator.0.resize(in_force);
            emulator.write(&mut view);

            prop_assert_eq!(view.screen.snapshot().bytes.escape_ascii().to_string(), whole.snapshot().bytes.escape_ascii().to_string());
            let shows = emulator.shows();
            view.whole();
            emulator.write(&mut view);
            prop_assert_eq!(shows, emulator.shows());
        }
    }

    /// The end of what was fed, or what is unfinished behind a place.
    fn at_of(next: &Offset, whole: &Screen) -> Offset {
        if *next == Offset::ZERO { whole.fed() } else { next.plus(whole.unfinished().len()) }
    }

    #[test]
    fn output_passes_untouched_where_nothing_is_in_its_way() {
        let mut view = View::new(size(80, 24));
        view.draw();
        view.take(&Update::Attached { head: Offset::ZERO });
        view.take(&Update::Bytes("\x1b[6n\x1b]52;c;QQ==\x07x".into(), Offset::ZERO.plus(9)));

        assert!(!view.draws());
        assert_eq!(view.draw(), b"\x1b[6n\x1b]52;c;QQ==\x07x");
    }

    #[test]
    fn what_was_printed_while_there_was_no_line_asks_nothing() {
        let mut view = View::new(size(80, 24));
        view.take(&Update::Attached { head: Offset::ZERO });
        view.draw();
        let head = Offset::ZERO.plus(10_000);
        view.take(&Update::Attached { head });
        view.take(&Update::Bytes(["\x1b[6n", &"x".repeat(9990)].concat().into(), Offset::ZERO.plus(9994)));
        assert!(view.draws() && view.draw().is_empty(), "not before all of it is there");
        view.take(&Update::Bytes("behind".into(), head));

        let drawn = String::from_utf8(view.draw()).unwrap();
        assert!(!drawn.contains("\x1b[6n") && drawn.contains("behind"), "{drawn:?}");
    }

    #[test]
    fn a_window_of_another_size_shows_a_part_and_takes_no_mode() {
        let mut view = View::new(size(80, 24));
        view.draw();
        view.take(&Update::Size(size(40, 10)));
        view.take(&Update::Bytes("\x1b[?1002hhere".into(), Offset::ZERO.plus(12)));
        let drawn = String::from_utf8(view.draw()).unwrap();
        assert!(drawn.contains("here") && !drawn.contains("\x1b[?1002h"), "{drawn:?}");

        view.take(&Update::Size(size(80, 24)));
        let drawn = String::from_utf8(view.draw()).unwrap();
        assert!(drawn.contains("here") && drawn.contains("\x1b[?1002h"), "{drawn:?}");
    }
}

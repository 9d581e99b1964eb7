//! The screen: rows that are whole are printed once and scroll away, open ones stand at the end and are drawn in place,
//! and below them one line says how the stream is.
//!
//! What is printed is never taken back, since a terminal's history cannot be: where a row changes after it has scrolled,
//! a quiet line says what happened.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::io;
use std::io::Write;

use vyre_proto::fold::row::Row;

use super::draw;
use super::draw::Line;
use super::draw::Style;

/// Columns and rows of a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
}

/// What stands below the rows.
#[derive(Debug, Default)]
pub struct Footer {
    /// Its lines.
    pub lines: Vec<Line>,
    /// Where the terminal's cursor is to stand: line of the footer, and column. Default: below everything.
    pub cursor: Option<(usize, usize)>,
}

impl From<Line> for Footer {
    fn from(line: Line) -> Self {
        Footer { lines: vec![line], cursor: None }
    }
}

/// A terminal with rows on it.
pub struct Screen {
    size: Size,
    colour: bool,
    /// Rows that are printed for good.
    printed: usize,
    /// Lines of the first open rows that have scrolled away as well.
    scrolled: usize,
    /// Lines that stand at the end and are drawn over.
    shown: usize,
    /// How many lines above the end of them the cursor stands.
    raised: usize,
    /// Quiet lines to print before the open rows.
    notes: Vec<Line>,
}

impl Screen {
    /// An empty one.
    pub fn new(size: Size, colour: bool) -> Self {
        Self { size, colour, printed: 0, scrolled: 0, shown: 0, raised: 0, notes: Vec::new() }
    }

    /// The terminal has another size.
    pub fn resize(&mut self, size: Size) {
        self.size = size;
    }

    /// Lines of the terminal.
    pub fn height(&self) -> usize {
        self.size.height
    }

    /// Columns that a line may take.
    pub fn width(&self) -> usize {
        self.size.width
    }

    /// Rows from `first` on look different. Says whether that row is printed already.
    pub fn changed(&mut self, first: usize, len: usize) -> bool {
        let was_printed = first < self.printed;
        if len < self.printed {
            self.printed = len;
            self.scrolled = 0;
        }
        was_printed
    }

    /// All rows are gone, and others come.
    pub fn restart(&mut self) {
        self.printed = 0;
        self.scrolled = 0;
    }

    /// Prints a quiet line when it is next drawn.
    pub fn note(&mut self, style: Style, text: &str) {
        self.notes.push(vec![(style, super::text::fit(text, self.size.width))]);
    }

    /// Prints a styled line when it is next drawn.
    pub fn line_above(&mut self, line: Line) {
        self.notes.push(line);
    }

    /// The terminal was cleared, or somebody else wrote on it: what stood at the end is no longer there to be drawn over.
    pub fn forget_shown(&mut self) {
        (self.shown, self.raised) = (0, 0);
    }

    /// What to write so that the terminal shows these rows, with `footer` below. `last`: nothing follows, so that what is
    /// open stays as it stands.
    pub fn draw(&mut self, rows: &[Row], footer: &Footer, last: bool) -> String {
        let width = self.size.width.max(20);
        let mut out = String::from("\x1b[?2026h");
        match self.shown.saturating_sub(self.raised) {
            0 if self.shown == 0 => {}
            0 => out.push_str("\r\x1b[J"),
            up => {
                let _ = write!(out, "\r\x1b[{up}A\x1b[J");
            }
        }
        self.raised = 0;
        let notes = std::mem::take(&mut self.notes);
        for line in &notes {
            self.line(line, &mut out);
        }
        // Rows at the front that are whole scroll away.
        while let Some(row) = rows.get(self.printed).filter(|r| last || draw::is_closed(r)) {
            let lines = draw::row(row, width);
            for line in lines.iter().skip(self.scrolled) {
                self.line(line, &mut out);
            }
            self.scrolled = self.scrolled.saturating_sub(lines.len());
            self.printed += 1;
        }
        let open: Vec<Vec<Line>> = rows.iter().skip(self.printed).map(|r| draw::row(r, width)).collect();
        let len: usize = open.iter().map(Vec::len).sum();
        for line in open.iter().flatten().skip(self.scrolled) {
            self.line(line, &mut out);
        }
        // Below is the footer, and one line stays free so that nothing scrolls by itself. What does not fit has scrolled,
        // open or not.
        let room = self.size.height.saturating_sub(footer.lines.len() + 1).max(1);
        self.scrolled = self.scrolled.max(len.saturating_sub(room)).min(len);
        self.shown = len - self.scrolled;
        for lines in &open {
            if lines.len() > self.scrolled {
                break;
            }
            self.scrolled -= lines.len();
            self.printed += 1;
        }
        if !last {
            for line in &footer.lines {
                self.line(line, &mut out);
            }
            self.shown += footer.lines.len();
            if let Some((line, column)) = footer.cursor {
                self.raised = footer.lines.len().saturating_sub(line);
                if self.raised > 0 {
                    let _ = write!(out, "\x1b[{}A", self.raised);
                }
                if column > 0 {
                    let _ = write!(out, "\x1b[{column}C");
                }
            }
        }
        out.push_str("\x1b[?2026l");
        out
    }

    fn line(&self, line: &Line, out: &mut String) {
        for (style, text) in line {
            if self.colour && *style != Style::Plain {
                out.push_str(style.code());
                out.push_str(text);
                out.push_str("\x1b[0m");
            } else {
                out.push_str(text);
            }
        }
        out.push_str("\x1b[K\r\n");
    }
}

/// Rows on something that is no terminal: each once, when it is whole.
#[derive(Default)]
pub struct Plain {
    printed: HashSet<String>,
}

impl Plain {
    /// Prints the rows from `first` on that are whole and not printed yet; with `all` the open ones as well.
    ///
    /// # Errors
    /// If nobody reads any more.
    pub fn print(&mut self, rows: &[Row], first: usize, all: bool, out: &mut impl Write) -> io::Result<()> {
        for row in rows.iter().skip(first).filter(|r| all || draw::is_closed(r)) {
            if self.printed.contains(&row.id) {
                continue;
            }
            self.printed.insert(row.id.clone());
            for line in draw::row(row, PLAIN_WIDTH) {
                let text: String = line.iter().map(|(_, t)| t.as_str()).collect();
                writeln!(out, "{}", text.trim_end())?;
            }
        }
        out.flush()
    }

    /// All rows are gone, and others come.
    pub fn restart(&mut self) {
        self.printed.clear();
    }
}

/// Columns of plain output: nothing is wrapped or cut there but what would never end.
pub const PLAIN_WIDTH: usize = 10_000;

#[cfg(test)]
mod tests {
    use vyre_proto::fold::Fold;
    use vyre_proto::frame::Frame;
    use vyre_proto::pb::stream as pb;
    use vyre_proto::pb::stream::frame::Data;

    use super::*;

    /// A terminal that knows what this screen writes: text, line ends, up, erase.
    #[derive(Default)]
    struct Terminal {
        lines: Vec<String>,
        at: usize,
    }

    impl Terminal {
        fn write(&mut self, text: &str) {
            let mut rest = text;
            while let Some(c) = rest.chars().next() {
                if let Some(seq) = rest.strip_prefix("\x1b[") {
                    let end = seq.find(|c: char| c.is_ascii_alphabetic()).unwrap();
                    match &seq[end..=end] {
                        "A" => self.at -= seq[..end].parse::<usize>().unwrap(),
                        "J" => self.lines.truncate(self.at),
                        _ => {}
                    }
                    rest = &seq[end + 1..];
                    continue;
                }
                match c {
                    '\n' => self.at += 1,
                    '\r' => {}
                    c => {
                        self.lines.resize(self.lines.len().max(self.at + 1), String::new());
                        self.lines[self.at].push(c);
                    }
                }
                rest = &rest[c.len_utf8()..];
            }
        }

        fn text(&self) -> String {
            self.lines.join("\n")
        }
    }

    struct World {
        fold: Fold,
        screen: Screen,
        terminal: Terminal,
        cur: u64,
    }

    impl World {
        fn new(height: usize) -> Self {
            let screen = Screen::new(Size { width: 40, height }, false);
            Self { fold: Fold::new(), screen, terminal: Terminal::default(), cur: 0 }
        }

        fn frame(&mut self, message: &str, data: Data) {
            self.cur += 1;
            let author = "assistant:h".to_owned();
            let f = pb::Frame {
                v: 1,
                cur: self.cur,
                message: message.into(),
                author,
                data: Some(data),
                ..Default::default()
            };
            if let Some(first) = self.fold.apply(&Frame::check(f).unwrap()) {
                self.screen.changed(first, self.fold.rows().len());
            }
            self.draw(false);
        }

        fn text(&mut self, message: &str, at: u64, text: &str) {
            self.frame(message, Data::TextDelta(pb::TextDelta { at, text: text.into(), ..Default::default() }));
        }

        fn draw(&mut self, last: bool) {
            let status = vec![(Style::Dim, "STATUS".to_owned())];
            let out = self.screen.draw(self.fold.rows(), &status.into(), last);
            self.terminal.write(&out);
        }
    }

    #[test]
    fn text_streams_in_place_and_stands_there_once() {
        let mut w = World::new(20);
        for (n, word) in ["one ", "two ", "three"].iter().enumerate() {
            w.text("m", 4 * n as u64, word);
            assert_eq!(w.terminal.text().matches("STATUS").count(), 1);
        }
        w.frame("m", Data::TextDone(pb::TextDone { text_len: 13, thinking_len: 0 }));

        assert_eq!(w.terminal.text(), "h\n  one two three\n\nSTATUS");
    }

    #[test]
    fn a_reply_longer_than_the_screen_scrolls_and_no_line_is_doubled_or_lost() {
        let mut w = World::new(8);
        let mut at = 0;
        for n in 0..60 {
            let line = format!("line {n}\n");
            w.text("m", at, &line);
            at += line.len() as u64;
        }
        w.frame("m", Data::TextDone(pb::TextDone { text_len: at, thinking_len: 0 }));

        let text = w.terminal.text();
        for n in 0..60 {
            assert_eq!(text.lines().filter(|l| l.trim() == format!("line {n}")).count(), 1, "{n}");
        }
        assert_eq!(text.matches("STATUS").count(), 1);
    }

    #[test]
    fn a_call_gets_its_mark_in_place() {
        let mut w = World::new(20);
        let started = pb::ToolStarted { call: "c".into(), tool: "grep".into(), title: "look".into(), block: None };
        w.frame("", Data::ToolStarted(started));
        assert!(w.terminal.text().contains("◌ look"));
        let finished = pb::ToolFinished { call: "c".into(), tool: "grep".into(), ok: true, block: None };
        w.frame("", Data::ToolFinished(finished));

        assert_eq!(w.terminal.text(), "✓ look  grep\nSTATUS");
    }

    #[test]
    fn one_call_that_never_ends_holds_nothing_back_for_ever() {
        let mut w = World::new(10);
        w.frame(
            "",
            Data::ToolStarted(pb::ToolStarted { call: "c".into(), tool: "sleep".into(), ..Default::default() }),
        );
        for n in 0..50 {
            w.frame("", Data::Status(pb::Status { state: format!("s{n}"), ..Default::default() }));
        }

        assert!(w.screen.printed > 40, "{}", w.screen.printed);
        let text = w.terminal.text();
        assert!((0..50).all(|n| text.lines().filter(|l| *l == format!("· s{n}")).count() == 1));
    }

    #[test]
    fn nothing_of_a_stranger_is_obeyed() {
        let mut w = World::new(20);
        let evil = "\x1b]52;c;aGk=\x07\u{9b}2J\r";
        w.frame(
            "",
            Data::ToolStarted(pb::ToolStarted { call: "c".into(), tool: evil.into(), title: evil.into(), block: None }),
        );
        w.text("m", 0, evil);
        w.frame("", Data::FileChanged(pb::FileChanged { path: evil.into(), ..Default::default() }));
        w.frame("", Data::Ask(pb::Ask { ask: "a".into(), question: evil.into(), options: vec![evil.into()] }));
        let out = w.screen.draw(w.fold.rows(), &Footer::default(), true);

        // What is left of escapes are this screen's own.
        let own = out.replace("\x1b[?2026h", "").replace("\x1b[?2026l", "").replace("\x1b[K", "").replace("\x1b[J", "");
        let own: String =
            own.split("\x1b[").skip(1).flat_map(|s| s.chars().skip_while(|c| *c != 'A').skip(1)).collect();
        assert!(!own.contains('\x1b') && !own.contains('\x07') && !own.contains('\u{9b}'), "{own:?}");
    }

    #[test]
    fn plain_output_has_each_row_once_and_whole() {
        let mut fold = Fold::new();
        let (mut plain, mut out) = (Plain::default(), Vec::new());
        let frames = [
            Data::TextDelta(pb::TextDelta { text: "a b".into(), ..Default::default() }),
            Data::TextDone(pb::TextDone { text_len: 3, thinking_len: 0 }),
        ];
        for (n, data) in frames.into_iter().enumerate() {
            let f = pb::Frame { v: 1, cur: n as u64 + 1, message: "m".into(), data: Some(data), ..Default::default() };
            fold.apply(&Frame::check(f).unwrap());
            plain.print(fold.rows(), 0, false, &mut out).unwrap();
        }
        plain.print(fold.rows(), 0, true, &mut out).unwrap();

        assert_eq!(String::from_utf8(out).unwrap(), "·\n  a b\n\n");
    }
}

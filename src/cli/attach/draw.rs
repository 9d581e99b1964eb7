//! A row as lines with styles: what a person reads. Pure; every text goes through [`clean`] on its way.

use std::collections::BTreeSet;

use vyre_proto::fold::provisional_tail;
use vyre_proto::fold::row::Ask;
use vyre_proto::fold::row::Body;
use vyre_proto::fold::row::Call;
use vyre_proto::fold::row::CallState;
use vyre_proto::fold::row::Message;
use vyre_proto::fold::row::MessageState;
use vyre_proto::fold::row::Row;
use vyre_proto::fold::row::UserMessage;
use vyre_proto::ids::Author;
use vyre_proto::ids::AuthorKind;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::block::Kind;
use vyre_proto::pb::stream::field::Content;

use super::text::clean;
use super::text::clean_line;
use super::text::fit;
use super::text::wrap;

/// Lines of a block that are shown; the rest is counted.
const BLOCK_LINES: usize = 12;

/// People who are named behind an emoji; more are counted.
const NAMES: usize = 3;

/// How a piece looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// As it is.
    Plain,
    /// Quiet.
    Dim,
    /// A name or a title.
    Bold,
    /// A person's name.
    Person,
    /// An assistant's name.
    Assistant,
    /// Added, or well.
    Good,
    /// Removed, or failed.
    Bad,
    /// A question, a warning.
    Ask,
}

impl Style {
    /// The escape sequence that turns it on.
    pub fn code(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Dim => "\x1b[2m",
            Self::Bold => "\x1b[1m",
            Self::Person => "\x1b[1;36m",
            Self::Assistant => "\x1b[1;35m",
            Self::Good => "\x1b[32m",
            Self::Bad => "\x1b[31m",
            Self::Ask => "\x1b[33m",
        }
    }
}

/// One line: pieces, each in a style.
pub type Line = Vec<(Style, String)>;

/// Collects lines of at most `width` columns.
struct Page {
    width: usize,
    lines: Vec<Line>,
}

impl Page {
    fn line(&mut self, pieces: &[(Style, &str)]) {
        let mut left = self.width;
        let mut line = Line::new();
        for (style, text) in pieces {
            let text = fit(text, left);
            left = left.saturating_sub(super::text::columns(&text));
            if !text.is_empty() {
                line.push((*style, text));
            }
        }
        self.lines.push(line);
    }

    /// Text of several lines, wrapped, behind `indent` spaces; from the byte `dim_from` on it is quiet.
    fn text(&mut self, style: Style, indent: usize, text: &str, dim_from: usize) {
        let pad = " ".repeat(indent);
        let mut at = 0;
        for line in text.split('\n') {
            let mut from = 0;
            for end in wrap(line, self.width.saturating_sub(indent)) {
                let piece = line[from..end].trim_end_matches(' ');
                let split = dim_from.saturating_sub(at + from).min(piece.len());
                let split = (0..=split).rev().find(|n| piece.is_char_boundary(*n)).unwrap_or(0);
                let mut out = vec![(Style::Plain, pad.clone())];
                for (style, part) in [(style, &piece[..split]), (Style::Dim, &piece[split..])] {
                    if !part.is_empty() {
                        out.push((style, part.to_owned()));
                    }
                }
                self.lines.push(out);
                from = end;
            }
            at += line.len() + 1;
        }
    }

    /// At most [`BLOCK_LINES`] lines of it, each cut to the width.
    fn preview(&mut self, text: &str, tail: bool, style: impl Fn(&str) -> Style) {
        let text = clean(text.trim_end_matches(['\n', '\r']));
        if text.is_empty() {
            return;
        }
        let all: Vec<&str> = text.split('\n').collect();
        let hidden = all.len().saturating_sub(BLOCK_LINES);
        let shown = if tail { &all[hidden..] } else { &all[..all.len() - hidden] };
        let more = format!("{hidden} more lines");
        if hidden > 0 && tail {
            self.line(&[(Style::Dim, "  │ … "), (Style::Dim, &more)]);
        }
        for line in shown {
            self.line(&[(Style::Dim, "  │ "), (style(line), line)]);
        }
        if hidden > 0 && !tail {
            self.line(&[(Style::Dim, "  │ … "), (Style::Dim, &more)]);
        }
    }

    fn note(&mut self, text: &str) {
        if !text.is_empty() {
            self.text(Style::Dim, 2, &clean_line(text), usize::MAX);
        }
    }
}

/// Whether this row will not change by itself any more: it can scroll away.
pub fn is_closed(row: &Row) -> bool {
    match &row.body {
        Body::Message(m) => m.state != MessageState::Open || row.expired,
        Body::Call(c) => c.state != CallState::Open,
        Body::UserMessage(u) => u.state != pb::UserState::Queued,
        _ => true,
    }
}

/// The row as lines of at most `width` columns.
pub fn row(row: &Row, width: usize) -> Vec<Line> {
    let mut page = Page { width: width.max(20), lines: Vec::new() };
    match &row.body {
        Body::Message(m) => message(&mut page, row, m),
        Body::UserMessage(u) => user_message(&mut page, row, u),
        Body::Call(c) => call(&mut page, c),
        Body::Ask(a) => ask(&mut page, row, a),
        Body::FileChanged(f) => {
            let path = clean_line(&f.path);
            let (mark, style) = match f.change() {
                pb::Change::Added => ("+ ", Style::Good),
                pb::Change::Deleted => ("- ", Style::Bad),
                pb::Change::Renamed => ("→ ", Style::Plain),
                pb::Change::Modified | pb::Change::Unknown => ("~ ", Style::Plain),
            };
            let from = if f.from.is_empty() { String::new() } else { format!(" (was {})", clean_line(&f.from)) };
            page.line(&[(style, mark), (Style::Plain, &path), (Style::Dim, &from)]);
        }
        Body::TermCommand(t) => page.line(&[(Style::Dim, "$ "), (Style::Plain, &clean_line(&t.line))]),
        Body::Status(s) => {
            let note = if s.note.is_empty() { String::new() } else { format!(": {}", clean_line(&s.note)) };
            let style = if s.state == "failed" { Style::Bad } else { Style::Dim };
            page.line(&[(style, "· "), (style, &clean_line(&s.state)), (style, &note)]);
        }
        Body::Joined(who) => page.line(&[(Style::Dim, "· "), (Style::Dim, &name(who)), (Style::Dim, " joined")]),
        Body::Left(who) => page.line(&[(Style::Dim, "· "), (Style::Dim, &name(who)), (Style::Dim, " left")]),
        Body::Fanout(f) => {
            let named = |who: &str| Author::parse(who).map_or_else(|_| clean_line(who), |a| name(&a));
            let who: Vec<_> = f.members.iter().map(|m| named(&m.who)).collect();
            let kept = f.keep.as_ref().and_then(|k| f.members.iter().find(|m| m.message == *k));
            let kept = kept.map(|m| format!(" · the answer of {} is kept", named(&m.who))).unwrap_or_default();
            page.line(&[(Style::Dim, "· put to "), (Style::Plain, &who.join(", ")), (Style::Good, &kept)]);
        }
        Body::Branched(b) => page.line(&[(Style::Dim, "· a branch of "), (Style::Dim, &clean_line(&b.session))]),
        Body::Lost { count, .. } => {
            let text = format!("! {count} {} lost here", if *count == 1 { "step was" } else { "steps were" });
            page.line(&[(Style::Bad, &text)]);
        }
        Body::Hidden { count } => page.line(&[(Style::Dim, &format!("· {count} not for your eyes"))]),
        Body::Unknown { count } => page.line(&[(Style::Dim, &format!("· {count} of a newer kind"))]),
    }
    if row.expired {
        page.note("no longer available");
    }
    if let Some(marks) = row.marks()
        && !marks.is_empty()
    {
        let mut parts: Vec<String> =
            marks.reactions().map(|(e, who)| format!("{} {}", clean_line(e), names(who))).collect();
        parts.extend(marks.pinned().then(|| "pinned".to_owned()));
        page.note(&parts.join("  "));
    }
    if matches!(row.body, Body::Message(_) | Body::UserMessage(_)) {
        page.lines.push(Line::new());
    }
    page.lines
}

/// An author's name without its kind.
pub fn name(author: &Author) -> String {
    clean_line(author.as_str().split_once(':').map_or(author.as_str(), |(_, name)| name))
}

/// A few by name, more by their number.
fn names(who: &BTreeSet<Author>) -> String {
    if who.len() > NAMES { who.len().to_string() } else { who.iter().map(name).collect::<Vec<_>>().join(", ") }
}

fn head(page: &mut Page, row: &Row, extra: &str) {
    let Some(author) = &row.author else {
        return page.line(&[(Style::Bold, "·"), (Style::Dim, extra)]);
    };
    let style = match author.kind() {
        AuthorKind::Person => Style::Person,
        AuthorKind::Assistant | AuthorKind::Model => Style::Assistant,
    };
    let acts = row.acts_for.as_ref().map(|a| format!(" for {}", name(a))).unwrap_or_default();
    page.line(&[(style, &name(author)), (Style::Dim, &acts), (Style::Dim, extra)]);
}

fn message(page: &mut Page, row: &Row, m: &Message) {
    head(page, row, if m.parent.is_some() { " (in a thread)" } else { "" });
    if m.text.begins_later() {
        page.note("… begins earlier");
    }
    if m.text.is_empty() && m.state == MessageState::Open && !m.thinking.is_empty() {
        page.note("thinking …");
    }
    let raw = m.text.text();
    if !raw.is_empty() {
        // The end of an open message may still be taken back.
        let sure = if m.state == MessageState::Open { provisional_tail(raw) } else { raw.len() };
        let (sure, tail) = (clean(&raw[..sure]), clean(&raw[sure..]));
        let whole = format!("{sure}{tail}");
        page.text(Style::Plain, 2, whole.trim_end_matches('\n'), sure.len());
    }
    for piece in m.text.rest() {
        page.note("… words are missing here …");
        page.text(Style::Plain, 2, &clean(&piece.text), usize::MAX);
    }
    if row.has_gap() && m.text.rest().is_empty() {
        page.note("… words are missing here");
    }
    if m.state == MessageState::Cut {
        page.note(&format!("cut{}", m.note.as_ref().map(|n| format!(": {n}")).unwrap_or_default()));
    }
}

fn user_message(page: &mut Page, row: &Row, u: &UserMessage) {
    let state = match u.state {
        pb::UserState::Queued => " (waiting)",
        pb::UserState::Cancelled => " (taken back)",
        pb::UserState::Said | pb::UserState::PickedUp => "",
    };
    let thread = if u.parent.is_some() { " (in a thread)" } else { "" };
    head(page, row, &format!("{thread}{state}"));
    if u.enc.is_some() {
        return page.note("Private message");
    }
    // Gone by age, which its row says, or not there to begin with.
    if u.text.is_empty() {
        return;
    }
    let style = if u.state == pb::UserState::Cancelled { Style::Dim } else { Style::Plain };
    page.text(style, 2, clean(&u.text).trim_end_matches('\n'), usize::MAX);
}

fn call(page: &mut Page, c: &Call) {
    let (mark, style) = match c.state {
        CallState::Open => ("◌ ", Style::Dim),
        CallState::Ok => ("✓ ", Style::Good),
        CallState::Failed => ("✗ ", Style::Bad),
    };
    let title = clean_line(if c.title.is_empty() { &c.tool } else { &c.title });
    let tool = if c.title.is_empty() { String::new() } else { format!("  {}", clean_line(&c.tool)) };
    page.line(&[(style, mark), (Style::Bold, &title), (Style::Dim, &tool)]);
    // A terminal block says the same again.
    let told = matches!(&c.block, Some(pb::Block { kind: Some(Kind::Terminal(_)), .. }));
    for t in c.terms.iter().filter(|_| !told) {
        page.line(&[(Style::Dim, "  │ $ "), (Style::Plain, &clean_line(&t.command))]);
        page.preview(&t.output, true, |_| Style::Dim);
    }
    match (&c.block, &c.asked) {
        (Some(b), _) => block(page, b),
        (None, Some(b)) => block(page, b),
        (None, None) => {}
    }
    if c.state == CallState::Open && c.block.is_none() {
        page.preview(c.progress.text(), true, |_| Style::Dim);
    }
}

fn ask(page: &mut Page, row: &Row, a: &Ask) {
    let who = row.author.as_ref().map(|w| format!("{} asks: ", name(w))).unwrap_or_default();
    page.text(Style::Ask, 0, &format!("? {who}{}", clean(&a.question)), usize::MAX);
    if a.answer.is_none() {
        for option in &a.options {
            page.line(&[(Style::Dim, "  ○ "), (Style::Plain, &clean_line(option))]);
        }
    }
    if let Some(answer) = &a.answer {
        let by = answer.by.as_ref().map(|w| format!("{}: ", name(w))).unwrap_or_default();
        page.line(&[(Style::Good, "  ↳ "), (Style::Dim, &by), (Style::Plain, &clean_line(&answer.answer))]);
    }
}

fn block(page: &mut Page, b: &pb::Block) {
    match &b.kind {
        Some(Kind::Terminal(t)) => {
            if !t.command.is_empty() {
                page.line(&[(Style::Dim, "  │ $ "), (Style::Plain, &clean_line(&t.command))]);
            }
            page.preview(&t.output, true, |_| Style::Dim);
            if let Some(exit) = t.exit.filter(|e| *e != 0) {
                page.line(&[(Style::Bad, &format!("  │ exit {exit}"))]);
            }
        }
        Some(Kind::Diff(d)) => {
            let (added, removed) = (format!("  +{}", d.added), format!(" -{}", d.removed));
            page.line(&[
                (Style::Dim, "  │ "),
                (Style::Bold, &clean_line(&d.path)),
                (Style::Good, &added),
                (Style::Bad, &removed),
            ]);
            page.preview(&d.patch, false, |line| match line.as_bytes().first() {
                Some(b'+') => Style::Good,
                Some(b'-') => Style::Bad,
                Some(b'@') => Style::Ask,
                _ => Style::Dim,
            });
        }
        Some(Kind::Files(f)) => {
            if !f.detail.is_empty() {
                page.line(&[(Style::Dim, "  │ "), (Style::Dim, &clean_line(&f.detail))]);
            }
            let paths: Vec<_> = f.files.iter().map(|f| clean_line(&f.path)).collect();
            page.preview(&paths.join("\n"), false, |_| Style::Plain);
        }
        Some(Kind::Record(r)) => {
            page.line(&[
                (Style::Dim, "  │ "),
                (Style::Bold, &clean_line(&r.title)),
                (Style::Dim, "  "),
                (Style::Dim, &clean_line(&r.r#type)),
            ]);
            fields(page, &r.fields);
        }
        Some(Kind::Task(t)) => {
            if !t.title.is_empty() {
                page.line(&[(Style::Dim, "  │ "), (Style::Bold, &clean_line(&t.title))]);
            }
            for item in &t.items {
                let (mark, style) = match item.state.as_str() {
                    "completed" => ("☑ ", Style::Dim),
                    "in_progress" => ("▸ ", Style::Bold),
                    _ => ("☐ ", Style::Plain),
                };
                page.line(&[(Style::Dim, "  │ "), (style, mark), (style, &clean_line(&item.text))]);
            }
        }
        Some(Kind::Draft(d)) => {
            page.line(&[(Style::Dim, "  │ "), (Style::Bold, &clean_line(&d.title)), (Style::Dim, " (draft)")]);
            page.preview(&d.body, false, |_| Style::Plain);
            fields(page, &d.fields);
        }
        Some(Kind::FlowChange(f)) => {
            page.line(&[(Style::Dim, "  │ "), (Style::Bold, &clean_line(&f.flow))]);
            page.preview(&f.summary, false, |_| Style::Plain);
            page.preview(&f.steps.iter().map(|s| clean_line(s)).collect::<Vec<_>>().join("\n"), false, |_| {
                Style::Plain
            });
        }
        Some(Kind::Answer(a)) => {
            page.preview(&a.text, false, |_| Style::Plain);
            let sources: Vec<_> =
                a.sources.iter().map(|s| format!("{} {}", clean_line(&s.title), clean_line(&s.url))).collect();
            page.preview(&sources.join("\n"), false, |_| Style::Dim);
            fields(page, &a.fields);
        }
        Some(Kind::Screen(s)) => {
            let size = format!("  {} × {}", s.width, s.height);
            page.line(&[(Style::Dim, "  │ a picture: "), (Style::Plain, &clean_line(&s.title)), (Style::Dim, &size)]);
        }
        Some(Kind::Text(t)) => page.preview(&t.text, false, |_| Style::Dim),
        None => page.line(&[(Style::Dim, "  │ a block of a newer kind")]),
    }
    if b.total > 0 {
        page.line(&[(Style::Dim, &format!("  │ … {} bytes in all", b.total))]);
    }
    page.note(&b.note);
}

fn fields(page: &mut Page, fields: &[pb::Field]) {
    for f in fields.iter().take(BLOCK_LINES) {
        let shown = match &f.content {
            Some(Content::Value(v)) => clean_line(v),
            Some(Content::Sealed(s)) if s.present => format!("[sealed {}]", clean_line(&s.sealed)),
            Some(Content::Sealed(s)) => format!("[no {}]", clean_line(&s.sealed)),
            Some(Content::Hidden(_)) => "[hidden]".to_owned(),
            None => String::new(),
        };
        page.line(&[
            (Style::Dim, "  │ "),
            (Style::Dim, &clean_line(&f.name)),
            (Style::Dim, ": "),
            (Style::Plain, &shown),
        ]);
    }
}

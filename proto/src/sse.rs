//! Frames as server-sent events, and back.
//!
//! `id:` is `<log>:<cursor>` and stands on frames with a cursor alone, so that a control or an ephemeral frame never moves
//! the place that a browser remembers. `event:` is the kind, `data:` the frame as proto3 JSON on one line: JSON escapes
//! every line end, and ids and kinds cannot hold one, so no text can forge a field or an event.
//!
//! [`Parser`] is for clients: bytes in, in pieces of any size, events out. Lines end with CR, LF or both. It is bounded,
//! and an event that the stream cuts off is never given out.

use std::fmt;
use std::fmt::Write;
use std::str::FromStr;

use bytes::Buf;
use bytes::BytesMut;

use crate::cursor::Cursor;
use crate::frame::Frame;
use crate::ids::LogId;
use crate::json;
use crate::json::JsonError;
use crate::limits::RECORD_MAX;

/// Longest event that a client takes, in bytes: JSON is at most a few times as long as the record that it says.
pub const EVENT_MAX: usize = 8 * RECORD_MAX;

/// Why a stream of events is of no use.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SseError {
    /// An event is longer than allowed.
    #[error("a server-sent event is over the limit of {max} bytes")]
    TooLong {
        /// The limit in force.
        max: usize,
    },
    /// Bytes that are no text.
    #[error("a server-sent event is not UTF-8")]
    NotUtf8,
    /// The data is not a frame.
    #[error("the data of a server-sent event is not a frame: {0}")]
    Data(#[from] JsonError),
    /// The id is not a place in a log.
    #[error("the id of a server-sent event is not a place in a log: {0}")]
    Id(#[from] LastEventIdError),
    /// Id, name and data do not belong together.
    #[error("a server-sent event says one thing in its id or name and another in its data")]
    Contradiction,
}

/// Appends a frame as one event.
pub fn write(log: &LogId, frame: &Frame, out: &mut String) -> Result<(), JsonError> {
    let data = json::write(frame.get())?;
    let id = frame.span().map(|span| LastEventId { log: Some(*log), cur: span.end() });
    if let Some(id) = id {
        // Writing to a String cannot fail.
        let _ = writeln!(out, "id: {id}");
    }
    let _ = write!(out, "event: {}\ndata: {data}\n\n", json::kind_name(frame));
    Ok(())
}

/// A place in a log as `Last-Event-ID` carries it: `<log>:<cursor>`, or a cursor alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LastEventId {
    /// The log that the cursor belongs to. `None`: not said.
    pub log: Option<LogId>,
    /// The newest cursor shown.
    pub cur: Cursor,
}

/// Why a text is not a `Last-Event-ID`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a last event id is <log>:<cursor> or <cursor>, the log in 32 lowercase hex digits and the cursor below 2^53")]
pub struct LastEventIdError;

impl FromStr for LastEventId {
    type Err = LastEventIdError;

    fn from_str(s: &str) -> Result<Self, LastEventIdError> {
        let (log, cur) = match s.split_once(':') {
            Some((log, cur)) => (Some(log.parse().map_err(|_| LastEventIdError)?), cur),
            None => (None, s),
        };
        // Digits alone: a number's own reader would take a sign.
        if cur.is_empty() || !cur.bytes().all(|b| b.is_ascii_digit()) {
            return Err(LastEventIdError);
        }
        let cur = cur.parse().ok().and_then(Cursor::new).ok_or(LastEventIdError)?;
        Ok(LastEventId { log, cur })
    }
}

impl fmt::Display for LastEventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.log {
            Some(log) => write!(f, "{log}:{}", self.cur),
            None => write!(f, "{}", self.cur),
        }
    }
}

/// One event as it came.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Event {
    /// Its own id. `None`: it moves no place.
    pub id: Option<String>,
    /// Its name; empty where it has none.
    pub name: String,
    /// Its data, lines joined by LF.
    pub data: String,
}

// An event carries people's words.
impl fmt::Debug for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Event({:?}, {} bytes)", self.name, self.data.len())
    }
}

/// A frame that came as an event.
#[derive(Debug, Clone, PartialEq)]
pub struct Received {
    /// The frame.
    pub frame: Frame,
    /// The log that its cursor belongs to, where the event says.
    pub log: Option<LogId>,
}

/// The frame of an event. `None` for an event of some other protocol.
pub fn read(event: &Event) -> Result<Option<Received>, SseError> {
    if !event.name.starts_with("session.") {
        return Ok(None);
    }
    let frame = json::parse_frame(&event.data)?;
    if frame.kind().is_some_and(|kind| kind.full_name() != event.name) {
        return Err(SseError::Contradiction);
    }
    let id = event.id.as_deref().map(LastEventId::from_str).transpose()?;
    match (id, frame.span()) {
        (Some(id), Some(span)) if id.cur == span.end() => Ok(Some(Received { frame, log: id.log })),
        (Some(_), _) => Err(SseError::Contradiction),
        (None, _) => Ok(Some(Received { frame, log: None })),
    }
}

/// Bytes in, events out.
#[derive(Default)]
pub struct Parser {
    buf: BytesMut,
    /// Bytes at the start of `buf` that hold no line end.
    seen: usize,
    /// The last line ended with CR; an LF right behind belongs to it.
    after_cr: bool,
    /// Past the byte order mark that a stream may begin with.
    begun: bool,
    event: Event,
    has_data: bool,
    size: usize,
    max: Option<usize>,
}

impl fmt::Debug for Parser {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Parser({} bytes held)", self.buf.len() + self.event.data.len())
    }
}

impl Parser {
    /// A parser with the limit [`EVENT_MAX`].
    pub fn new() -> Self {
        Self::default()
    }

    /// A parser with a smaller limit.
    pub fn with_max(max: usize) -> Self {
        Self { max: Some(max.min(EVENT_MAX)), ..Self::default() }
    }

    /// Takes bytes that came. Call [`Parser::next`] until it gives nothing before the next call.
    pub fn push(&mut self, bytes: &[u8]) {
        self.buf.extend_from_slice(bytes);
    }

    /// The next whole event. `None`: more bytes are needed. After an error the stream is of no use any more.
    #[allow(clippy::should_implement_trait)] // It is fallible and not exhausted by `None`.
    pub fn next(&mut self) -> Result<Option<Event>, SseError> {
        let max = self.max.unwrap_or(EVENT_MAX);
        loop {
            if std::mem::take(&mut self.after_cr) {
                match self.buf.first() {
                    Some(b'\n') => self.buf.advance(1),
                    Some(_) => {}
                    None => {
                        self.after_cr = true;
                        return Ok(None);
                    }
                }
            }
            let Some(len) = self.buf.iter().skip(self.seen).position(|b| matches!(b, b'\r' | b'\n')) else {
                self.seen = self.buf.len();
                return if self.size + self.seen > max { Err(SseError::TooLong { max }) } else { Ok(None) };
            };
            let line = self.buf.split_to(self.seen + len);
            self.seen = 0;
            self.after_cr = self.buf.first() == Some(&b'\r');
            self.buf.advance(1);
            // An event is as long as its lines, comments too: an endless one is no event.
            self.size += line.len() + 1;
            if self.size > max {
                return Err(SseError::TooLong { max });
            }
            let line = std::str::from_utf8(&line).map_err(|_| SseError::NotUtf8)?;
            let line = if std::mem::replace(&mut self.begun, true) {
                line
            } else {
                line.strip_prefix('\u{feff}').unwrap_or(line)
            };
            if !line.is_empty() {
                self.field(line);
                continue;
            }
            self.size = 0;
            let event = std::mem::take(&mut self.event);
            if std::mem::take(&mut self.has_data) {
                return Ok(Some(event));
            }
        }
    }

    /// Bytes held.
    pub fn buffered(&self) -> usize {
        self.buf.len() + self.event.data.len()
    }

    fn field(&mut self, line: &str) {
        let (name, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match name {
            "data" => {
                if std::mem::replace(&mut self.has_data, true) {
                    self.event.data.push('\n');
                }
                self.event.data.push_str(value);
            }
            "event" => value.clone_into(&mut self.event.name),
            "id" if !value.contains('\0') => self.event.id = Some(value.to_owned()),
            // A comment, a wait for browsers, or nothing that is known.
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::pb::stream as pb;
    use crate::pb::stream::frame::Data;

    const LOG: LogId = LogId([0xab; 16]);

    fn delta(cur: u64, text: &str) -> Frame {
        Frame::check(pb::Frame {
            v: 1,
            cur,
            session: "s".into(),
            message: format!("m{text}"),
            data: Some(Data::TextDelta(pb::TextDelta { text: text.into(), ..Default::default() })),
            ..Default::default()
        })
        .unwrap()
    }

    fn written(frame: &Frame) -> String {
        let mut out = String::new();
        write(&LOG, frame, &mut out).unwrap();
        out
    }

    fn events(bytes: &[u8], cuts: &[usize]) -> Vec<Event> {
        let (mut parser, mut rest, mut i, mut out) = (Parser::new(), bytes, 0, Vec::new());
        while !rest.is_empty() {
            let n = cuts.get(i % cuts.len().max(1)).copied().unwrap_or(usize::MAX).min(rest.len());
            i += 1;
            parser.push(&rest[..n]);
            rest = &rest[n..];
            while let Some(event) = parser.next().unwrap() {
                out.push(event);
            }
        }
        out
    }

    fn event(id: Option<&str>, name: &str, data: &str) -> Event {
        Event { id: id.map(str::to_owned), name: name.into(), data: data.into() }
    }

    #[test]
    fn text_forges_no_field_and_no_event() {
        for end in ["\r", "\n", "\r\n"] {
            let text = format!("word{end}id: 999{end}{end}data: forged{end}{end}event: session.bye{end}");
            let out = written(&delta(7, &text));

            let got = events(out.as_bytes(), &[]);

            assert_eq!(out.matches(['\r', '\n']).count(), 4, "{end:?}");
            assert_eq!((got.len(), got[0].id.as_deref()), (1, Some("abababababababababababababababab:7")));
            let received = read(&got[0]).unwrap().unwrap();
            assert_eq!((received.frame, received.log), (delta(7, &text), Some(LOG)));
        }
    }

    #[test]
    fn only_frames_with_a_cursor_carry_an_id() {
        for data in [
            Data::Heartbeat(pb::Heartbeat { head: 9 }),
            Data::Hello(pb::Hello::default()),
            Data::Presence(pb::Presence::default()),
        ] {
            let frame = Frame::check(pb::Frame { data: Some(data), ..Default::default() }).unwrap();
            assert!(!written(&frame).contains("id:"));
            assert_eq!(read(&events(written(&frame).as_bytes(), &[])[0]).unwrap().unwrap().frame, frame);
        }
        let hidden = Frame::check(pb::Frame { cur: 5, data: Some(Data::Hidden(pb::Hidden {})), ..Default::default() });
        assert!(written(&hidden.unwrap()).starts_with("id: abababababababababababababababab:5\n"));
    }

    #[test]
    fn every_form_of_line_and_field_is_read() {
        let stream = "\u{feff}: hello\rdata:one\r\ndata: two\n\rid: 1\nevent: x\ndata\nunknown: y\ndata:  z\n\n\
                      event: no data\n\nid: a\0b\nretry: 10\ndata:\n\ndata: cut off\n";

        for cuts in [vec![], vec![1], vec![2, 3]] {
            assert_eq!(
                events(stream.as_bytes(), &cuts),
                [event(None, "", "one\ntwo"), event(Some("1"), "x", "\n z"), event(None, "", "")]
            );
        }
    }

    #[test]
    fn an_event_without_end_is_refused() {
        for piece in [&b"data: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n"[..], b"xxxxxxxxxx", b":\n", b"data\n"] {
            let mut parser = Parser::with_max(1000);
            let mut pushed = 0;
            let result = loop {
                parser.push(piece);
                pushed += piece.len();
                match parser.next() {
                    Ok(None) => assert!(pushed < 2000),
                    other => break other,
                }
            };
            assert_eq!(result, Err(SseError::TooLong { max: 1000 }));
        }
        let mut parser = Parser::new();
        parser.push(b"data: \xff\n\n");
        assert_eq!(parser.next(), Err(SseError::NotUtf8));
    }

    #[test]
    fn comments_between_events_go_on_for_ever() {
        let mut parser = Parser::with_max(100);
        for _ in 0..1000 {
            parser.push(b": beat\n\n");
            assert_eq!(parser.next(), Ok(None));
        }
        assert_eq!(parser.buffered(), 0);
    }

    #[test]
    fn what_contradicts_itself_is_refused() {
        let good = events(written(&delta(7, "x")).as_bytes(), &[]).remove(0);
        let id = |id: &str| Event { id: Some(id.into()), ..good.clone() };

        assert!(read(&good).unwrap().is_some());
        assert_eq!(read(&id("7")).unwrap().unwrap().log, None);
        assert_eq!(read(&id("8")), Err(SseError::Contradiction));
        assert!(matches!(read(&id("x:7")), Err(SseError::Id(_))));
        assert_eq!(read(&Event { name: "session.pin".into(), ..good.clone() }), Err(SseError::Contradiction));
        assert_eq!(read(&Event { name: "message".into(), ..good.clone() }), Ok(None));
        assert!(matches!(read(&Event { data: "{".into(), ..good }), Err(SseError::Data(_))));
    }

    #[test]
    fn a_last_event_id_is_a_place_and_nothing_else() {
        let log = LOG.to_string();
        for (text, cur) in [("0", 0), ("9007199254740991", (1 << 53) - 1)] {
            let bare: LastEventId = text.parse().unwrap();
            let full: LastEventId = format!("{log}:{text}").parse().unwrap();
            assert_eq!((bare.log, bare.cur.get(), full.log, full.cur.get()), (None, cur, Some(LOG), cur));
            assert_eq!(full.to_string(), format!("{log}:{text}"));
        }
        let upper = log.to_uppercase() + ":1";
        for bad in [
            "",
            ":",
            ":1",
            "-1",
            "+1",
            "1.0",
            " 1",
            "1 ",
            "0x1",
            "9007199254740992",
            "99999999999999999999",
            "x:1",
            &upper,
        ] {
            assert_eq!(bad.parse::<LastEventId>(), Err(LastEventIdError), "{bad:?}");
        }
        for bad in ["", "+1", "-1", "1:2"] {
            assert!(format!("{log}:{bad}").parse::<LastEventId>().is_err(), "{bad:?}");
        }
    }

    proptest! {
        #[test]
        fn frames_survive_any_text_and_any_cut(texts in prop::collection::vec("[a\r\n\0:é🎉 \u{feff}\u{2028}di]{0,20}", 1..8), cuts in prop::collection::vec(1usize..40, 1..10)) {
            let frames: Vec<_> = (1..).zip(&texts).map(|(n, t)| delta(n, t)).collect();
            let stream: String = frames.iter().map(written).collect();

            let got: Vec<_> = events(stream.as_bytes(), &cuts).iter().map(|e| read(e).unwrap().unwrap().frame).collect();

            prop_assert_eq!(got, frames);
        }

        #[test]
        fn line_ends_and_cuts_do_not_matter(lines in prop::collection::vec("(data|event|id|:|)(: ?[a-z]{0,3})?", 0..20), ends in prop::collection::vec(0usize..3, 20), cuts in prop::collection::vec(1usize..9, 1..5)) {
            let plain: String = lines.iter().map(|l| format!("{l}\n")).collect();
            let mixed: String = lines.iter().zip(&ends).map(|(l, e)| format!("{l}{}", ["\n", "\r", "\r\n"][*e])).collect();
            // CR and LF as the ends of two lines with nothing between are one end: keep them apart.
            prop_assume!(!lines.iter().zip(&ends).skip(1).zip(&ends).any(|((l, e), before)| l.is_empty() && *before == 1 && *e == 0));

            prop_assert_eq!(events(mixed.as_bytes(), &cuts), events(plain.as_bytes(), &[]));
        }

        #[test]
        fn no_bytes_make_it_panic_or_hold_more_than_its_limit(pieces in prop::collection::vec(prop::collection::vec(prop::sample::select(b"data:id event\r\n\0\xff{}1".to_vec()), 0..20), 0..40)) {
            let mut parser = Parser::with_max(64);
            'all: for piece in &pieces {
                parser.push(piece);
                loop {
                    match parser.next() {
                        Ok(Some(event)) => { prop_assert!(event.data.len() <= 64); let _ = read(&event); }
                        Ok(None) => break,
                        Err(_) => break 'all,
                    }
                }
                prop_assert!(parser.buffered() <= 64 + 20);
            }
        }
    }
}

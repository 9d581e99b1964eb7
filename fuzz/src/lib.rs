//! What the fuzz targets do with their bytes. Each body is a function of a slice, so that ordinary tests can run it on a
//! small corpus without a fuzzer (`tests/it/fuzz.rs` includes this file).
//!
//! Parsers ([`record`], [`frame`], [`event_record`], [`event_line`], [`head`], [`sse`]): whatever comes, no panic, no
//! large allocation, and what was accepted says the same once it is written and read again. Machines ([`resume_steps`],
//! [`log_steps`]): the bytes are a list of operations, held against a model that is plainly right.

use std::time::Duration;

use bytes::Bytes;
use bytes::BytesMut;
use prost::Message;
use vyre_proto::cursor::Cursor;
use vyre_proto::event::Event;
use vyre_proto::fold::Fold;
use vyre_proto::frame::Frame;
use vyre_proto::frame::peek_span;
use vyre_proto::head::Bridged;
use vyre_proto::head::BridgedReply;
use vyre_proto::head::Control;
use vyre_proto::head::RelayHead;
use vyre_proto::ids::LogId;
use vyre_proto::json;
use vyre_proto::limits::RECORD_MAX;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::frame::Data;
use vyre_proto::record;
use vyre_proto::record::Decoder;
use vyre_proto::relay_url::RelayUrl;
use vyre_proto::resume::Action;
use vyre_proto::resume::AttemptId;
use vyre_proto::resume::Ending;
use vyre_proto::resume::Nudge;
use vyre_proto::resume::Position;
use vyre_proto::resume::Resume;
use vyre_proto::resume::State;
use vyre_proto::sse::LastEventId;
use vyre_proto::sse::Parser;
use vyre_proto::tick::Tick;
use vyre_stream::rules::log::LogMark;
use vyre_stream::rules::log::SessionLog;

/// A stream of records, cut by its own bytes: whole in one piece and cut give the same, and written again it is the same.
pub fn record(data: &[u8]) {
    let read = |step: &dyn Fn(usize) -> usize| {
        let (mut decoder, mut got, mut at) = (Decoder::new(), Vec::new(), 0);
        while at < data.len() {
            let end = (at + step(at).max(1)).min(data.len());
            decoder.push(&data[at..end]);
            at = end;
            loop {
                match decoder.next() {
                    Ok(Some(record)) => got.push(record),
                    Ok(None) => break,
                    Err(e) => return (got, Err(e)),
                }
            }
            assert!(decoder.buffered() <= RECORD_MAX + 5, "more is held than one record");
        }
        let end = decoder.finish();
        (got, end)
    };
    let (whole, end) = read(&|_| 64 * 1024);
    let (cut, cut_end) = read(&|at| usize::from(data[at]) % 7);
    assert_eq!(whole, cut);
    assert_eq!(end.is_ok(), cut_end.is_ok());
    let mut again = BytesMut::new();
    whole.iter().for_each(|r| record::wrap(r, &mut again));
    let (mut rest, mut n) = (&again[..], 0);
    while let Some((rec, prefix)) = record::split(rest) {
        assert_eq!(&rec[prefix..], &whole[n][..]);
        (rest, n) = (&rest[rec.len()..], n + 1);
    }
    assert_eq!(n, whole.len());
}

/// One frame: what passes has a span that agrees with its bytes, survives its JSON, and can be trimmed and folded.
pub fn frame(data: &[u8]) {
    let peeked = peek_span(data);
    let Ok(frame) = Frame::decode(Bytes::copy_from_slice(data)) else { return };
    // Fields that come twice are read by their last place; canonical bytes have each once.
    let canonical = frame.get().encode_to_vec();
    assert_eq!(peek_span(&canonical), frame.span());
    if canonical == data {
        assert_eq!(peeked, frame.span());
    }
    if let Ok(text) = json::write(frame.get()) {
        let back = json::parse_frame(&text).expect("JSON of a frame is a frame");
        assert_eq!(back.span(), frame.span());
    }
    assert!(!json::frame_line(&frame).contains('\n'));
    if let Some(span) = frame.span().filter(|s| s.len() > 1 && s.len() < 10_000) {
        let trimmed = frame.clone().without_first(span.len() - 1).expect("one cursor is left");
        assert_eq!(trimmed.span().map(|s| (s.first(), s.len())), Some((span.end(), 1)));
        assert!(frame.clone().without_first(span.len()).is_none());
    }
    // Twice in a row is as good as once.
    let mut fold = Fold::new();
    fold.apply(&frame);
    let (last, rows) = (fold.last(), fold.rows().len());
    if frame.span().is_some() {
        fold.apply(&frame);
        assert_eq!((fold.last(), fold.rows().len()), (last, rows));
    }
}

/// One event in protobuf: what passes is written as JSON that says the same.
pub fn event_record(data: &[u8]) {
    if let Ok(event) = Event::decode(Bytes::copy_from_slice(data)) {
        round(&event);
    }
}

/// One line of an event file.
pub fn event_line(data: &[u8]) {
    if let Ok(event) = Event::from_json(data) {
        let again = Event::decode(Bytes::from(event.get().encode_to_vec())).expect("an event is an event in protobuf");
        assert!(again == event);
        round(&event);
    }
}

fn round(event: &Event) {
    let line = event.to_json();
    assert!(!line.contains('\n'));
    // A list of JSON's own escapes may be longer than the event was; only length may refuse it.
    if let Ok(back) = Event::from_json(line.as_bytes()) {
        assert_eq!(back.to_json(), line);
        assert_eq!((back.id(), back.session(), back.name()), (event.id(), event.session(), event.name()));
    }
}

/// First records between phones, relays and boxes, and a relay's address: what passes has one form.
pub fn head(data: &[u8]) {
    let inner = |record: Bytes| {
        let (rec, prefix) = record::split(&record).expect("a record");
        assert_eq!(rec.len(), record.len());
        rec[prefix..].to_vec()
    };
    if let Ok(head) = RelayHead::decode(data) {
        assert_eq!(RelayHead::decode(&inner(head.to_record())), Ok(head));
    }
    if let Ok(bridged) = Bridged::decode(data) {
        assert!(Bridged::decode(&inner(bridged.to_record())) == Ok(bridged));
    }
    if let Ok(reply) = BridgedReply::decode(data) {
        assert!(BridgedReply::decode(&inner(reply.to_record())) == Ok(reply));
    }
    if let Ok(Some(control)) = Control::decode(data) {
        assert_eq!(Control::decode(&inner(control.to_record())), Ok(Some(control)));
    }
    if let Some(url) = std::str::from_utf8(data).ok().and_then(|t| t.parse::<RelayUrl>().ok()) {
        assert_eq!(url.to_string().parse(), Ok(url));
    }
}

/// A stream of server-sent events, whole and cut: the same events; and a place in a log.
pub fn sse(data: &[u8]) {
    let read = |step: &dyn Fn(usize) -> usize| {
        let (mut parser, mut got, mut at) = (Parser::with_max(4096), Vec::new(), 0);
        while at < data.len() {
            let end = (at + step(at).max(1)).min(data.len());
            parser.push(&data[at..end]);
            at = end;
            loop {
                match parser.next() {
                    Ok(Some(event)) => got.push(event),
                    Ok(None) => break,
                    Err(_) => return (got, false),
                }
            }
        }
        (got, true)
    };
    let (bytewise, well) = read(&|_| 1);
    let (cut, cut_well) = read(&|at| usize::from(data[at]) % 9);
    assert!(well == cut_well && bytewise == cut);
    for event in &bytewise {
        let _ = vyre_proto::sse::read(event);
    }
    if let Some(place) = std::str::from_utf8(data).ok().and_then(|t| t.parse::<LastEventId>().ok()) {
        assert_eq!(place.to_string().parse(), Ok(place));
    }
}

/// Takes numbers from bytes; zeros at the end.
struct Take<'a>(&'a [u8]);

impl Take<'_> {
    fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }
}

/// The reader's machine under any order of what can happen to it. Whatever comes: cursors are delivered in order, once
/// each, without a hole that is not named; it never holds more attempts than it may; and it always has a next step.
pub fn resume_steps(data: &[u8]) {
    let log = LogId([7; 16]);
    let mut take = Take(data);
    let mut machine = Resume::new(Position::default(), u64::from(take.byte()));
    let mut now = Tick(1_000_000);
    let mut reader = Reader::default();
    machine.start(now);
    reader.drain(&mut machine);
    let mut head = 0u64;
    for _ in 0..512 {
        if take.0.is_empty() {
            break;
        }
        let (what, n) = (take.byte(), u64::from(take.byte()));
        let attempt = reader.open.get(usize::from(what >> 4) % reader.open.len().max(1)).copied();
        let control = |data| Frame::check(pb::Frame { v: 1, data: Some(data), ..Default::default() }).ok();
        let logged = |cur: u64, span: u64| {
            let data = Some(Data::Lost(pb::Lost::default()));
            Frame::check(pb::Frame { v: 1, cur, span, data, ..Default::default() }).ok()
        };
        let frame = match what & 0x0f {
            0 | 1 => {
                head = head.max(n);
                let (log, floor) = (log.to_string(), n.min(3) + 1);
                control(Data::Hello(pb::Hello { log, view: 1, floor: floor.min(head + 1), head, beat_ms: 60_000 }))
            }
            2..=5 => {
                let next = reader.last + 1;
                head = head.max(next);
                logged(next, 0)
            }
            6 => logged(n + 1, n % 5),
            7 => {
                let log = if n > 200 { LogId([8; 16]) } else { log }.to_string();
                let reason = i32::try_from(n % 6).unwrap_or_default();
                control(Data::Reset(pb::Reset { reason, log, view: 1, floor: n % 9 + 1, head: n % 9 + 9 }))
            }
            8 => control(Data::Heartbeat(pb::Heartbeat { head: n })),
            9 => {
                let reason = i32::try_from(n % 7).unwrap_or_default();
                control(Data::Bye(pb::Bye { reason, min_delay_ms: 1, max_delay_ms: 9, paths: Vec::new() }))
            }
            10 => {
                if let Some(id) = attempt {
                    reader.open.retain(|a| *a != id);
                    machine.handle_end(now, id, Ending::Broken);
                }
                None
            }
            11 => {
                if let Some(id) = attempt {
                    machine.handle_bytes(now, id, &data[..data.len().min(usize::from(what))]);
                }
                None
            }
            12 => {
                machine.handle_nudge(now, [Nudge::Person, Nudge::Network, Nudge::Wake][usize::from(what >> 4) % 3]);
                None
            }
            13 => {
                if let Some(id) = attempt {
                    machine.handle_life(now, id);
                }
                None
            }
            _ => {
                now = machine.wake_at().map_or(now, |at| at.max(now)) + Duration::from_millis(n);
                machine.handle_wake(now);
                None
            }
        };
        if let (Some(frame), Some(id)) = (frame, attempt) {
            machine.handle_frame(now, id, frame);
        }
        reader.drain(&mut machine);
        assert_eq!(machine.position().last.get(), reader.last, "the machine's place is the reader's");
        assert!(reader.ended || machine.wake_at().is_some(), "a reader that is not ended waits for something");
    }
}

/// Holds what the machine delivers against the rule.
#[derive(Default)]
struct Reader {
    last: u64,
    open: Vec<AttemptId>,
    ended: bool,
}

impl Reader {
    fn drain(&mut self, machine: &mut Resume) {
        while let Some(action) = machine.poll() {
            match action {
                Action::Open { attempt, .. } => {
                    assert!(!self.ended, "nothing is opened after the end");
                    self.open.push(attempt);
                }
                Action::Close { attempt } => self.open.retain(|a| *a != attempt),
                Action::Deliver(frame) => match (&frame.get().data, frame.span()) {
                    (Some(Data::Reset(reset)), _) => self.last = reset.floor.saturating_sub(1),
                    (_, Some(span)) => {
                        assert_eq!(span.first().get(), self.last + 1, "in order, once each, without a hole");
                        self.last = span.end().get();
                    }
                    (_, None) => {}
                },
                Action::State(State::Ended(_)) => self.ended = true,
                Action::State(_) | Action::Probe { .. } | Action::Missing(_) | Action::Paths(_) => {}
            }
            // Between an `Open` and the `Close` that makes room for it there is one too many at most.
            assert!(self.open.len() <= vyre_proto::limits::ATTACHES_PER_CLIENT + 1);
        }
    }
}

/// A log under any order of appends, commits, crashes and stops: no cursor is given out twice, every one between is
/// covered by a frame or by a `lost`, and nothing durable is lost.
pub fn log_steps(data: &[u8]) {
    let mut log = SessionLog::new(LogId([1; 16]));
    let mut disk: LogMark = log.mark_for_stop();
    let (mut newest, mut durable) = (0u64, 0u64);
    for byte in data.iter().take(4096) {
        let n = byte >> 3;
        match byte & 7 {
            0..=3 => {
                for _ in 0..=n {
                    let Ok(cursor) = log.append() else { break };
                    assert_eq!(cursor.get(), newest + 1, "gapless, and never twice");
                    newest = cursor.get();
                }
            }
            4 => {
                disk = log.mark_for_commit();
                log.committed(disk);
                durable = newest;
                assert_eq!(log.durable().get(), durable);
            }
            5 => log.raise_floor(Cursor::new(u64::from(n) * 64).unwrap_or_default()),
            stop => {
                if stop == 7 {
                    disk = log.mark_for_stop();
                    durable = newest;
                }
                let (back, lost) = SessionLog::recover(disk);
                assert!(back.durable().get() >= durable, "what was durable is there");
                assert!(back.head().get() >= newest, "no cursor that was given out is free again");
                if let Some(span) = lost {
                    assert_eq!((span.first().get(), span.end()), (disk.head.get() + 1, back.head()));
                }
                assert!(stop != 7 || lost.is_none(), "a stop in order loses nothing");
                log = back;
                newest = log.head().get();
                // The `lost` frame is the first thing that the next commit writes.
                disk = log.mark_for_commit();
                log.committed(disk);
                durable = newest;
            }
        }
        assert!(log.durable() <= log.head() && log.floor() <= log.head().next());
    }
}

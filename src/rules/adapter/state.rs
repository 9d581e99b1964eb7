//! The adapter's state as bytes: a version, then reply handles, open messages, ended ones in the order in which they ended, and open
//! calls, and what words are held against, each list behind its length. Numbers are varints, texts stand behind their length.
//!
//! It belongs to one store and is no part of the contract. Whatever does not fit is an error, and then the state is made
//! again from the events: nothing is repaired here.

use std::collections::BTreeMap;
use std::collections::VecDeque;

use crate::rules::adapter::Adapter;
use crate::rules::adapter::CALLS_MAX;
use crate::rules::adapter::Call;
use crate::rules::adapter::ENDED_MAX;
use crate::rules::adapter::End;
use crate::rules::adapter::Lens;
use crate::rules::adapter::OPEN_MAX;
use crate::rules::adapter::Open;
use crate::rules::blocks::Asked;
use crate::rules::holdback::Guard;
use crate::rules::holdback::Guarded;
use crate::rules::redact::Stream;
use crate::rules::reply::DROPPED_MAX;
use crate::rules::reply::Replies;
use crate::rules::reply::Reply;
use crate::rules::reply::TURNS_MAX;

const VERSION: u64 = 5;

/// Why bytes are not a stored state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum StateError {
    /// Written by another version.
    #[error("an adapter's state of version {0} cannot be read")]
    Version(u64),
    /// Cut short, or not such a state.
    #[error("an adapter's state is damaged")]
    Damaged,
}

pub(super) fn encode(a: &Adapter) -> Vec<u8> {
    let mut w = Vec::with_capacity(64 + 96 * (a.open.len() + a.ended.order.len() + a.calls.len()));
    number(&mut w, VERSION);
    number(&mut w, a.opened);
    let (opened, turns, dropped) = a.replies.parts();
    number(&mut w, opened);
    number(&mut w, turns.len() as u64);
    for ((who, turn), r) in turns {
        text(&mut w, who);
        text(&mut w, turn);
        reply(&mut w, Some(*r));
    }
    number(&mut w, dropped.len() as u64);
    for (who, turn) in dropped {
        text(&mut w, who);
        text(&mut w, turn);
    }
    number(&mut w, a.open.len() as u64);
    for (message, o) in &a.open {
        text(&mut w, message);
        number(&mut w, o.order);
        reply(&mut w, o.reply);
        text(&mut w, &o.held);
        o.tail.iter().for_each(|t| text(&mut w, t));
        lens(&mut w, o.lens);
        text(&mut w, &o.author);
        text(&mut w, &o.acts_for);
        text(&mut w, &o.turn);
        text(&mut w, &o.parent);
        number(&mut w, u64::from(o.gone));
    }
    number(&mut w, a.ended.order.len() as u64);
    for message in &a.ended.order {
        text(&mut w, message);
        let end =
            a.ended.by_message.get(message).copied().unwrap_or(End { lens: Lens::default(), cut: false, reply: None });
        lens(&mut w, end.lens);
        number(&mut w, u64::from(end.cut));
        reply(&mut w, end.reply);
    }
    number(&mut w, a.calls.len() as u64);
    for (call, c) in &a.calls {
        text(&mut w, call);
        number(&mut w, c.order);
        reply(&mut w, Some(c.reply));
        number(&mut w, c.progress);
        text(&mut w, &c.asked.subject);
        bytes(&mut w, c.asked.block());
        text(&mut w, &c.author);
        number(&mut w, u64::from(c.gone));
        for stream in &c.streams {
            let (held, inside) = stream.parts();
            text(&mut w, held);
            number(&mut w, inside);
        }
    }
    a.guard.kinds().iter().for_each(|k| number(&mut w, u64::from(*k)));
    number(&mut w, a.guard.parts().len() as u64);
    for (guarded, value) in a.guard.parts() {
        number(&mut w, u64::from(guarded == Guarded::Sealed));
        text(&mut w, value);
    }
    w
}

pub(super) fn decode(from: &[u8]) -> Result<Adapter, StateError> {
    let mut r = Reader(from);
    let version = r.number()?;
    if version != VERSION {
        return Err(StateError::Version(version));
    }
    let mut a = Adapter { opened: r.number()?, ..Default::default() };
    let opened = r.number()?;
    let mut turns = BTreeMap::new();
    for _ in 0..r.count(TURNS_MAX)? {
        turns.insert((r.text()?.into(), r.text()?.into()), [r.number()?, r.number()?]);
    }
    let mut dropped = VecDeque::new();
    for _ in 0..r.count(DROPPED_MAX)? {
        dropped.push_back((r.text()?.into(), r.text()?.into()));
    }
    a.replies = Replies::stored(opened, turns, dropped).ok_or(StateError::Damaged)?;
    for _ in 0..r.count(OPEN_MAX)? {
        let message = r.text()?;
        let open = Open {
            order: r.number()?,
            reply: r.reply(&a.replies)?,
            held: r.text()?.to_owned(),
            tail: [r.text()?.to_owned(), r.text()?.to_owned()],
            lens: r.lens()?,
            author: r.text()?.into(),
            acts_for: r.text()?.into(),
            turn: r.text()?.into(),
            parent: r.text()?.into(),
            gone: r.number()? != 0,
        };
        a.held += open.held.len();
        a.open.insert(message.into(), open);
    }
    for _ in 0..r.count(ENDED_MAX)? {
        let message = r.text()?;
        let (lens, cut) = (r.lens()?, r.number()? != 0);
        a.ended.put(message, End { lens, cut, reply: r.reply(&a.replies)? });
    }
    for _ in 0..r.count(CALLS_MAX)? {
        let call = r.text()?;
        let (order, reply) = (r.number()?, r.reply(&a.replies)?.ok_or(StateError::Damaged)?);
        let progress = r.number()?;
        let asked = Asked::stored(r.text()?, r.bytes()?).ok_or(StateError::Damaged)?;
        a.kept += asked.kept();
        let author = r.text()?.into();
        let gone = r.number()? != 0;
        let streams = [r.stream()?, r.stream()?];
        a.lines += streams.iter().map(Stream::held).sum::<usize>();
        a.calls.insert(call.into(), Call { order, reply, progress, asked, author, streams, gone });
    }
    a.guard.stored_kinds([r.number()? != 0, r.number()? != 0]);
    for _ in 0..r.count(Guard::MAX)? {
        let guarded = if r.number()? == 0 { Guarded::ByRole } else { Guarded::Sealed };
        a.guard.stored(guarded, r.text()?);
    }
    if r.0.is_empty() { Ok(a) } else { Err(StateError::Damaged) }
}

fn number(w: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        w.push(n as u8 | 0x80);
        n >>= 7;
    }
    w.push(n as u8);
}

fn bytes(w: &mut Vec<u8>, b: &[u8]) {
    number(w, b.len() as u64);
    w.extend_from_slice(b);
}

fn text(w: &mut Vec<u8>, s: &str) {
    bytes(w, s.as_bytes());
}

/// Two numbers; none has the id 0.
fn reply(w: &mut Vec<u8>, r: Option<Reply>) {
    for part in r.map_or([0, 0], Reply::parts) {
        number(w, part);
    }
}

fn lens(w: &mut Vec<u8>, l: Lens) {
    number(w, l.text);
    number(w, l.thinking);
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn number(&mut self) -> Result<u64, StateError> {
        let mut n = 0u64;
        for shift in (0..64).step_by(7) {
            let (&b, rest) = self.0.split_first().ok_or(StateError::Damaged)?;
            self.0 = rest;
            n |= u64::from(b & 0x7f) << shift;
            if b < 0x80 {
                return Ok(n);
            }
        }
        Err(StateError::Damaged)
    }

    fn count(&mut self, max: usize) -> Result<usize, StateError> {
        usize::try_from(self.number()?).ok().filter(|n| *n <= max).ok_or(StateError::Damaged)
    }

    fn bytes(&mut self) -> Result<&'a [u8], StateError> {
        let len = self.count(self.0.len())?;
        let (b, rest) = self.0.split_at_checked(len).ok_or(StateError::Damaged)?;
        self.0 = rest;
        Ok(b)
    }

    fn text(&mut self) -> Result<&'a str, StateError> {
        std::str::from_utf8(self.bytes()?).map_err(|_| StateError::Damaged)
    }

    fn reply(&mut self, replies: &Replies) -> Result<Option<Reply>, StateError> {
        match [self.number()?, self.number()?] {
            [0, 0] => Ok(None),
            parts => replies.stored_reply(parts).map(Some).ok_or(StateError::Damaged),
        }
    }

    fn stream(&mut self) -> Result<Stream, StateError> {
        Stream::stored(self.text()?, self.number()?).ok_or(StateError::Damaged)
    }

    fn lens(&mut self) -> Result<Lens, StateError> {
        Ok(Lens { text: self.number()?, thinking: self.number()? })
    }
}

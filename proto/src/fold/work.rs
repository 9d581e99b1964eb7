//! The part of the fold for what is done: calls of tools, in whatever order their frames come.
//!
//! Blocks come in through [`block::admit`], the client's own door.

use crate::block;
use crate::cursor::Span;
use crate::fold::At;
use crate::fold::Fold;
use crate::fold::index::Place;
use crate::fold::row::Body;
use crate::fold::row::Call;
use crate::fold::row::CallState;
use crate::fold::words::Words;
use crate::ids::CallId;
use crate::pb::stream as pb;
use crate::tick::Wall;

impl Fold {
    pub(super) fn tool_started(&mut self, at: At<'_>, told: &pb::ToolStarted) {
        let Some(index) = self.call(at, &told.call) else { return };
        self.with_call(index, |call| {
            first_text(&mut call.tool, &told.tool);
            first_text(&mut call.title, &told.title);
            if call.asked.is_none() {
                call.asked = told.block.clone().map(block::admit);
            }
            true
        });
        if let Some(row) = self.rows.get_mut(index) {
            row.time = row.time.or((at.frame.time > 0).then_some(Wall(at.frame.time)));
        }
        self.expire_with(at, index);
    }

    pub(super) fn tool_finished(&mut self, at: At<'_>, told: &pb::ToolFinished) {
        let Some(index) = self.call(at, &told.call) else { return };
        self.with_call(index, |call| {
            first_text(&mut call.tool, &told.tool);
            if call.state != CallState::Open {
                return false;
            }
            call.state = if told.ok { CallState::Ok } else { CallState::Failed };
            call.block = told.block.clone().map(block::admit);
            true
        });
        self.expire_with(at, index);
    }

    pub(super) fn tool_progress(&mut self, frame: &pb::Frame, told: &pb::ToolProgress, span: Span, skip: u64) {
        let at = At { frame, cur: span.first().plus(skip) };
        // A part of a run without a call is neutral like any other frame of its kind, one for each cursor.
        let Some(index) = self.call_of(at, &told.call, span.len() - skip) else { return };
        self.with_call(index, |call| {
            if told.parts.is_empty() {
                return call.progress.put(told.at, &told.text);
            }
            let (mut offset, mut changed) = (told.at, false);
            for (n, part) in (0u64..).zip(&told.parts) {
                if n >= skip {
                    changed |= call.progress.put(offset, part);
                }
                offset = offset.saturating_add(part.len() as u64);
            }
            changed
        });
        self.expire_with(at, index);
    }

    pub(super) fn term_chunk(&mut self, at: At<'_>, told: &pb::TermChunk) {
        let Some(index) = self.call(at, &told.call) else { return };
        if self.seen.insert(at.key('t')) {
            self.with_call(index, |call| {
                call.terms.push(told.clone());
                true
            });
        }
        self.expire_with(at, index);
    }

    fn call(&mut self, at: At<'_>, id: &str) -> Option<usize> {
        self.call_of(at, id, 1)
    }

    /// The row of a call, made if need be. `None` for one that is gone, and for a name that cannot be.
    fn call_of(&mut self, at: At<'_>, id: &str, cursors: u64) -> Option<usize> {
        let index = match self.calls.get(id) {
            Some(Place::Row(index)) => Some(*index),
            Some(Place::Held(_) | Place::Gone) => None,
            None => {
                let Ok(call) = CallId::parse(id) else {
                    self.neutral(at.cur, cursors, false);
                    return None;
                };
                // Above the call stands the message that it was made in.
                self.acted(at);
                let mut row = at.row(format!("c:{id}"), Body::Call(Box::new(new_call(call))));
                row.time = None;
                let index = self.push(row);
                self.calls.set(id, Place::Row(index));
                return self.name_message(at, index);
            }
        };
        if !at.frame.message.is_empty() {
            self.acted(at);
        }
        index.and_then(|index| self.name_message(at, index))
    }

    fn name_message(&mut self, at: At<'_>, index: usize) -> Option<usize> {
        if let Some(Body::Call(call)) = self.rows.get_mut(index).map(|row| &mut row.body)
            && call.within.is_none()
        {
            call.within = at.message();
        }
        Some(index)
    }

    fn with_call(&mut self, index: usize, change: impl FnOnce(&mut Call) -> bool) {
        if let Some(Body::Call(call)) = self.rows.get_mut(index).map(|row| &mut row.body)
            && change(call)
        {
            self.touch(index);
        }
    }

    fn expire_with(&mut self, at: At<'_>, index: usize) {
        if at.frame.expired {
            self.expire(index);
        }
    }
}

fn new_call(call: CallId) -> Call {
    Call {
        call,
        within: None,
        tool: String::new(),
        title: String::new(),
        state: CallState::Open,
        asked: None,
        block: None,
        progress: Words::default(),
        terms: Vec::new(),
    }
}

/// The first that says it is believed.
fn first_text(there: &mut String, told: &str) {
    if there.is_empty() {
        there.push_str(told);
    }
}

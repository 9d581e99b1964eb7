//! What a viewer may see of a frame: the rule, and the frame as it looks under the rule.
//!
//! Viewers who may see the same are one [`Class`]. Frames are drawn, merged and kept for a class and never for one viewer,
//! and the frame in the log is never changed. A record that the class is not cleared for becomes a `hidden` frame with its
//! cursor and span and nothing else; a field becomes a placeholder that says its kind and whether there is a value.
//!
//! What a class receives says nothing of what is hidden from it: two logs that differ only in hidden contents look the
//! same, byte for byte. So a drawn block has no reference to its whole, and the bounds of [`vyre_proto::block::admit`]
//! give the visible part of a block a share that does not depend on the rest.
//!
//! Sealed values are in no frame at all, so nobody's class decides about them; whether somebody could have one revealed
//! is told only to those who may read the field.

use vyre_proto::block::hidden_by_role;
use vyre_proto::cursor::Cursor;
use vyre_proto::cursor::Span;
use vyre_proto::frame::Peek;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::block::Kind;
use vyre_proto::pb::stream::field::Content;
use vyre_proto::pb::stream::frame::Data;

use crate::rules::caller::Roles;
use crate::rules::room::RoomVer;
use crate::rules::stays::Stays;

/// The kind of a field that a placeholder stands for: fields are text, whatever they say.
const FIELD_KIND: &str = "text";

/// The version of the view of whoever has no roles, and of the box itself.
const PLAIN_VIEW: u64 = 1;

/// Everybody who may see the same of a session.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Class {
    /// `None`: the box itself, which sees what the log holds.
    roles: Option<Roles>,
    stays: Stays,
}

/// What becomes of a frame for a class.
#[derive(Debug, Clone, PartialEq)]
pub enum Rendered {
    /// The canonical bytes are right as they are.
    Same,
    /// This frame stands in its place.
    Other(Box<pb::Frame>),
    /// A `hidden` frame stands in its place.
    Hidden,
}

/// What can be told of a frame for a class by [`vyre_proto::frame::peek`] alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Glance {
    /// The canonical bytes are right as they are.
    Same,
    /// It must be looked at: [`render`].
    Look,
    /// A `hidden` frame stands in its place.
    Hidden,
}

impl Class {
    /// The box itself: sees what the log holds.
    pub const fn everything() -> Class {
        Class { roles: None, stays: Stays::whole() }
    }

    /// A participant with these roles who was in at these times.
    pub const fn new(roles: Roles, stays: Stays) -> Class {
        Class { roles: Some(roles), stays }
    }

    /// The same with other roles; the box itself stays what it is.
    pub fn with_roles(self, roles: Roles) -> Class {
        Class { roles: self.roles.map(|_| roles), ..self }
    }

    /// The version of the view: two are the same where the same is seen at the same cursors. Below 2^53, never 0.
    ///
    /// It depends on the roles alone. When somebody was in decides too, but what they were shown once stays right for
    /// them: they lose nothing that they hold by going, or by coming back.
    pub fn view(&self) -> u64 {
        match &self.roles {
            Some(roles) if roles.iter().next().is_some() => view_of(roles),
            _ => PLAIN_VIEW,
        }
    }

    /// Whether every frame up to `end` is canonical for this class, where `guarded` is the first cursor of the log at
    /// which something is not for everybody.
    pub fn is_plain(&self, end: Cursor, guarded: Option<Cursor>) -> bool {
        self.stays.is_whole() && (self.roles.is_none() || guarded.is_none_or(|first| end < first))
    }

    /// Whether one of these roles is held. An empty list is for everybody.
    fn reads(&self, read_roles: &[String]) -> bool {
        let Some(roles) = &self.roles else { return true };
        read_roles.is_empty() || read_roles.iter().any(|r| roles.contains(r))
    }

    /// What can be told of a frame without decoding it.
    pub fn glance(&self, peek: &Peek) -> Glance {
        let Some(span) = peek.span else { return Glance::Same };
        if !self.stays.may_receive(span.end(), peek.ver.map(RoomVer)) {
            return Glance::Hidden;
        }
        if self.roles.is_some() && may_hold_fields(peek.data) { Glance::Look } else { Glance::Same }
    }
}

/// Whether data in this field of a frame may hold a block with fields.
fn may_hold_fields(data: u32) -> bool {
    // `tool_started` and `tool_finished`; what is not known is looked at and found to be none.
    matches!(data, 35 | 37)
}

/// Whether a frame holds something that is not for everybody in the room.
pub fn is_guarded(frame: &pb::Frame) -> bool {
    let Some(block) = block(frame) else { return false };
    let fields = match &block.kind {
        Some(Kind::Record(b)) if !b.read_roles.is_empty() => return true,
        Some(Kind::Record(b)) => &b.fields,
        Some(Kind::Draft(b)) => &b.fields,
        Some(Kind::Answer(b)) => &b.fields,
        _ => return false,
    };
    fields.iter().any(|f| !f.read_roles.is_empty())
}

/// Draws a frame for a class.
pub fn render(frame: &pb::Frame, class: &Class) -> Rendered {
    if !class.stays.receives(frame) {
        return Rendered::Hidden;
    }
    let Some(block) = block(frame) else { return Rendered::Same };
    let fields = match &block.kind {
        Some(Kind::Record(b)) if !class.reads(&b.read_roles) => return Rendered::Hidden,
        Some(Kind::Record(b)) => &b.fields,
        Some(Kind::Draft(b)) => &b.fields,
        Some(Kind::Answer(b)) => &b.fields,
        _ => return Rendered::Same,
    };
    if fields.iter().all(|f| class.reads(&f.read_roles)) {
        return Rendered::Same;
    }
    let mut other = Box::new(frame.clone());
    if let Some(block) = block_mut(&mut other) {
        // It names the event that holds the values.
        block.r#ref.clear();
        let fields = match &mut block.kind {
            Some(Kind::Record(b)) => &mut b.fields,
            Some(Kind::Draft(b)) => &mut b.fields,
            Some(Kind::Answer(b)) => &mut b.fields,
            _ => return Rendered::Hidden,
        };
        fields.iter_mut().filter(|f| !class.reads(&f.read_roles)).for_each(hide);
    }
    Rendered::Other(other)
}

/// The frame as the class sees it.
pub fn for_viewer(frame: pb::Frame, class: &Class) -> pb::Frame {
    match render(&frame, class) {
        Rendered::Same => frame,
        Rendered::Other(other) => *other,
        Rendered::Hidden => hidden_frame(&frame),
    }
}

/// What stands for a frame that the class may not see: cursor and span, in the same session, nothing else.
fn hidden_frame(frame: &pb::Frame) -> pb::Frame {
    let (cur, span, session) = (frame.cur, frame.span, frame.session.clone());
    pb::Frame { v: 1, cur, span, session, data: Some(Data::Hidden(pb::Hidden {})), ..Default::default() }
}

/// The same by its span alone.
pub fn hidden(span: Span, session: &str) -> pb::Frame {
    let (cur, len) = (span.end().get(), if span.len() == 1 { 0 } else { span.len() });
    let session = session.to_owned();
    pb::Frame { v: 1, cur, span: len, session, data: Some(Data::Hidden(pb::Hidden {})), ..Default::default() }
}

/// Puts a placeholder where the value stood.
fn hide(field: &mut pb::Field) {
    match &mut field.content {
        Some(Content::Value(v)) => field.content = Some(hidden_by_role(FIELD_KIND, !v.is_empty())),
        // The class of a sealed value and that there is one are for everybody who sees the block.
        Some(Content::Sealed(s)) => s.can_reveal = false,
        Some(Content::Hidden(_)) | None => {}
    }
    // Which roles there are is not for those who have none of them.
    field.read_roles.clear();
}

fn block(frame: &pb::Frame) -> Option<&pb::Block> {
    match frame.data.as_ref()? {
        Data::ToolStarted(t) => t.block.as_ref(),
        Data::ToolFinished(t) => t.block.as_ref(),
        _ => None,
    }
}

fn block_mut(frame: &mut pb::Frame) -> Option<&mut pb::Block> {
    match frame.data.as_mut()? {
        Data::ToolStarted(t) => t.block.as_mut(),
        Data::ToolFinished(t) => t.block.as_mut(),
        _ => None,
    }
}

/// A number for a set of roles: always the same for the same set, so that it outlives a restart and a clearance that was
/// taken and given back is known again.
fn view_of(roles: &Roles) -> u64 {
    use std::hash::Hasher;
    let mut hasher = siphasher::sip::SipHasher13::new_with_key(b"vyre stream view");
    for role in roles.iter() {
        hasher.write(role.as_bytes());
        // No role holds a control character.
        hasher.write(&[0]);
    }
    // Above the plain view, and a number that every reader can count.
    (hasher.finish() >> 12) + PLAIN_VIEW + 1
}

/// A reply holds something that the one who asked may not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the reply holds something that the one who asked may not read; name it by a reference or leave it out")]
pub struct NotForAsker;

/// Holds a reply against the rights of whoever asked for it: an assistant reads exactly what they read, so what it writes
/// can hold nothing else.
pub fn assert_asker_can_read(frame: &pb::Frame, asker: &Class) -> Result<(), NotForAsker> {
    match render(frame, asker) {
        Rendered::Same => Ok(()),
        Rendered::Other(_) | Rendered::Hidden => Err(NotForAsker),
    }
}

#[cfg(test)]
mod tests;

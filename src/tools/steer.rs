//! What a person does in a session: say something, take it back, stop the work, mark a message.
//!
//! Each call decides by the session's room and writes its events in one step ([`crate::session::Sessions::act`]), and is
//! answered when they are durable. Asking again after an answer that got lost is safe: the message's id makes a send
//! happen once, and all else is known by what it did.

use std::fmt::Write;

use vyre_proto::fold::marks::plain_emoji;
use vyre_proto::ids::Author;
use vyre_proto::ids::MessageId;
use vyre_proto::ids::SessionId;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::UserState;
use vyre_proto::pb::stream::event::Data;

use crate::rules::authority::Act;
use crate::rules::authority::Refusal;
use crate::rules::caller::Caller;
use crate::rules::caller::Person;
use crate::rules::fanout;
use crate::rules::room::Room;
use crate::rules::routing;
use crate::rules::steering;
use crate::rules::steering::Entry;
use crate::rules::steering::Refused;
use crate::session::Decided;
use crate::session::Notice;
use crate::session::Session;
use crate::session::Sessions;
use crate::tools::CalledBy;
use crate::tools::Tools;
use crate::tools::error::ToolError;
use crate::tools::gate;

/// A person in a session in which they may send.
pub(super) struct Here {
    pub(super) session: Session,
    pub(super) who: Person,
}

/// The session of this name, if the caller is a person who may send into it.
pub(super) async fn here(tools: &Tools, by: &CalledBy, session: &str) -> Result<Here, ToolError> {
    let id = SessionId::parse(session)?;
    let session = gate::session_for(&*tools.0.authority, tools.sessions(), &by.caller, Act::Send, &id).await?;
    // The table of tools lets nobody else here.
    let Caller::Person(who) = &by.caller else { return Err(Refusal::NotFound.into()) };
    Ok(Here { session, who: who.clone() })
}

impl Here {
    pub(super) fn author(&self) -> &Author {
        self.who.author()
    }

    pub(super) fn id(&self) -> &SessionId {
        self.session.id()
    }

    /// Whoever was removed since the gate was passed is out: this is asked under the lock.
    pub(super) fn still_in(&self, room: &Room) -> Result<(), ToolError> {
        if room.is_in(self.author()) { Ok(()) } else { Err(Refusal::NotFound.into()) }
    }
}

/// Says something, once for each message id.
pub async fn send(tools: &Tools, by: &CalledBy, ask: &pb::StreamSend) -> Result<pb::StreamSent, ToolError> {
    let here = here(tools, by, &ask.session).await?;
    let message = MessageId::parse(&ask.message)?;
    if ask.text.is_empty() && ask.enc.is_none() {
        return Err(ToolError::invalid("a message needs `text` or `enc`"));
    }
    let mentions = ask.mentions.iter().map(|m| Author::parse(m)).collect::<Result<Vec<_>, _>>()?;
    let sessions = tools.sessions();
    let (id, same) = (steering::own_id("send", &ask.message), said_mark(here.author(), ask));
    let state = sessions
        .act(&here.session, |room, known| {
            here.still_in(room)?;
            if known.knows(&same) {
                let state = room.message(&message).and_then(|s| s.state);
                return Ok(Decided::nothing(state.unwrap_or(UserState::Said)));
            }
            if known.knows(&id) || room.message(&message).is_some() {
                return Err(ToolError::from(Refused::OtherWords));
            }
            // Nobody outside is called.
            let mentions: Vec<Author> = mentions.iter().filter(|m| room.is_in(m)).cloned().collect();
            let answer = routing::who_answers(
                room,
                routing::Said {
                    sender: here.author(),
                    mentions: &mentions,
                    parent: MessageId::parse(&ask.parent).ok().as_ref(),
                    private: ask.enc.is_some(),
                },
            );
            let said = Words { text: &ask.text, enc: &ask.enc, parent: &ask.parent, mentions: &mentions };
            let (data, state, to) = entering(sessions, room, &message, said, &answer)?;
            let mut events = vec![steering::event(here.id(), id.clone(), Some(here.author()), data)?];
            // Several answer side by side, each in its place.
            if let Some(group) = fanout::opening(&message, &to) {
                events.push(steering::event(here.id(), known.id("fanout", 1), Some(here.author()), group)?);
            }
            let notices = to.into_iter().map(Notice::Addressed).collect();
            Ok(Decided { marks: vec![same.clone()], notices, ..Decided::events(events, state) })
        })
        .await?;
    Ok(pb::StreamSent { message: ask.message.clone(), state: state.into() })
}

/// The words of a message that goes in.
pub(super) struct Words<'a> {
    pub(super) text: &'a str,
    pub(super) enc: &'a Option<pb::Encrypted>,
    pub(super) parent: &'a str,
    pub(super) mentions: &'a [Author],
}

/// How a message that these are to answer goes in, its state, and the assistants of this box that are to be told.
pub(super) fn entering(
    sessions: &Sessions,
    room: &Room,
    message: &MessageId,
    words: Words<'_>,
    answer: &[Author],
) -> Result<(Data, UserState, Vec<Author>), Refused> {
    let to: Vec<Author> = answer.iter().filter(|a| sessions.runs(a)).cloned().collect();
    let names = |all: &[Author]| all.iter().map(Author::to_string).collect::<Vec<_>>();
    let (message, text, enc) = (message.to_string(), words.text.to_owned(), words.enc.clone());
    let (parent, mentions) = (words.parent.to_owned(), names(words.mentions));
    Ok(match steering::entry(room, answer)? {
        Entry::Said => {
            let said = pb::ThreadUser { message, text, enc, parent, mentions, to: names(&to) };
            (Data::ThreadUser(said), UserState::Said, to)
        }
        Entry::Queued => {
            let via = String::new();
            let queued = pb::ThreadQueued { message, via, text, enc, parent, mentions, to: names(&to) };
            (Data::ThreadQueued(queued), UserState::Queued, to)
        }
    })
}

/// Stands for everything that a send says, and who says it. Only its keyed hash is kept.
fn said_mark(who: &Author, ask: &pb::StreamSend) -> String {
    let mut mark = String::with_capacity(ask.text.len() + 256);
    let mut put = |part: &str| {
        // Writing to a String cannot fail.
        let _ = write!(mark, "{}:{part}", part.len());
    };
    put("said");
    put(&ask.message);
    put(who.as_str());
    put(&ask.text);
    put(&ask.parent);
    ask.mentions.iter().for_each(|m| put(m));
    if let Some(enc) = &ask.enc {
        put("enc");
        put(&enc.alg);
        put(&enc.kid);
        put(&data_encoding::HEXLOWER.encode(&enc.ct));
    }
    mark
}

/// Takes a queued message back.
pub async fn unqueue(tools: &Tools, by: &CalledBy, ask: &pb::StreamUnqueue) -> Result<pb::StreamUnqueued, ToolError> {
    let here = here(tools, by, &ask.session).await?;
    let message = MessageId::parse(&ask.message)?;
    tools
        .sessions()
        .act(&here.session, |room, known| {
            here.still_in(room)?;
            if !steering::take_back(room, here.author(), &message)? {
                return Ok::<_, ToolError>(Decided::nothing(()));
            }
            let back = pb::ThreadUnqueued { message: ask.message.clone(), ..Default::default() };
            let id = known.id("unqueue", 0);
            let event = steering::event(here.id(), id, Some(here.author()), Data::ThreadUnqueued(back))?;
            Ok(Decided::events(vec![event], ()))
        })
        .await?;
    Ok(pb::StreamUnqueued {})
}

/// Stops the work: every screen sees that it is stopping before anything closes. Where nobody works nothing happens.
pub async fn stop(tools: &Tools, by: &CalledBy, ask: &pb::StreamStop) -> Result<pb::StreamStopped, ToolError> {
    let here = here(tools, by, &ask.session).await?;
    tools
        .sessions()
        .act(&here.session, |room, known| {
            here.still_in(room)?;
            if !steering::stop(room) {
                return Ok::<_, ToolError>(Decided::nothing(()));
            }
            let data = Data::ThreadStopping(pb::ThreadStopping::default());
            let event = steering::event(here.id(), known.id("stop", 0), Some(here.author()), data)?;
            Ok(Decided { notices: vec![Notice::Stopping], ..Decided::events(vec![event], ()) })
        })
        .await?;
    Ok(pb::StreamStopped {})
}

/// Puts an emoji on a message, or takes it off.
pub async fn react(tools: &Tools, by: &CalledBy, ask: &pb::StreamReact) -> Result<pb::StreamReacted, ToolError> {
    let here = here(tools, by, &ask.session).await?;
    let (message, emoji) = (ask.message.clone(), plain_emoji(&ask.emoji));
    if emoji.is_empty() {
        return Err(ToolError::invalid("`emoji` is empty"));
    }
    let data = Data::RoomReaction(pb::RoomReaction { message, emoji, on: ask.on });
    mark(tools, &here, "react", data).await?;
    Ok(pb::StreamReacted {})
}

/// Pins a message, or unpins it.
pub async fn pin(tools: &Tools, by: &CalledBy, ask: &pb::StreamPin) -> Result<pb::StreamPinned, ToolError> {
    let here = here(tools, by, &ask.session).await?;
    let data = Data::RoomPin(pb::RoomPin { message: ask.message.clone(), on: ask.on });
    mark(tools, &here, "pin", data).await?;
    Ok(pb::StreamPinned {})
}

/// Marks a message. Told twice it is one mark on every screen: the last word of a person counts.
async fn mark(tools: &Tools, here: &Here, verb: &str, data: Data) -> Result<(), ToolError> {
    let marked = tools.sessions().act(&here.session, |room, known| {
        here.still_in(room)?;
        let event = steering::event(here.id(), known.id(verb, 0), Some(here.author()), data.clone())?;
        Ok::<_, ToolError>(Decided::events(vec![event], ()))
    });
    Ok(marked.await?)
}

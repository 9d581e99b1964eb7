//! `threads.edit-retry`, `threads.retry` and `threads.branch`: going back in a conversation.
//!
//! Whether the message will be taken is decided before anything is taken back, and both are written down in one step. A
//! branch is copied in pieces; asking again with the same key goes on where it broke off.

use prost::Message;
use vyre_proto::event::Event;
use vyre_proto::ids::Author;
use vyre_proto::ids::MessageId;
use vyre_proto::ids::SessionId;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::event::Data;

use crate::rules::fanout;
use crate::rules::rewrite;
use crate::rules::rewrite::Branch;
use crate::rules::rewrite::Received;
use crate::rules::rewrite::Search;
use crate::rules::room::EventNumber;
use crate::rules::room::Room;
use crate::rules::routing;
use crate::rules::steering;
use crate::session::Decided;
use crate::session::Notice;
use crate::tools::CalledBy;
use crate::tools::Tools;
use crate::tools::error::ToolError;
use crate::tools::name::Tool;
use crate::tools::once;
use crate::tools::once::Begun;
use crate::tools::once::Once;
use crate::tools::steer::Here;
use crate::tools::steer::Words;
use crate::tools::steer::entering;
use crate::tools::steer::here;

/// The last event of a branch: all that it took along is in it.
const BRANCHED: &str = "branch.done";

/// Events of a branch that are written at once.
const COPY_EVENTS: usize = 512;

/// Events that are read at once, in bytes.
const COPY_BYTES: usize = 512 * 1024;

/// Says a message anew in place of an earlier one; what came after that no longer counts.
pub async fn edit_retry(
    tools: &Tools,
    by: &CalledBy,
    key: &str,
    ask: &pb::ThreadsEditRetry,
) -> Result<pb::ThreadsAnswer, ToolError> {
    let here = here(tools, by, &ask.session).await?;
    let once = match once::begin(tools, &here.who, key, Tool::ThreadsEditRetry, ask).await? {
        Begun::New(once) => once,
        Begun::Again(answer, _) => return Ok(answer),
    };
    if ask.text.is_empty() {
        return Err(ToolError::invalid("`text` is empty"));
    }
    let message = MessageId::parse(&ask.message)?;
    let new = MessageId::parse(&once.name("edit"))?;
    let before = words(tools, &here, &message, false).await?;
    let answer = pb::ThreadsAnswer { session: ask.session.clone(), message: new.to_string() };
    let sessions = tools.sessions();
    let acted = sessions.act(&here.session, |room, known| {
        here.still_in(room)?;
        let target = rewrite::target(room, here.author(), here.who.is_owner(), &message, false)?;
        let to = target.before.map(|m| m.to_string()).unwrap_or_default();
        let rewound = pb::ThreadRewound { message: message.to_string(), to, again: Vec::new() };
        let rewound = own(&here, known.id("rewind", 0), Data::ThreadRewound(rewound))?;
        // How it goes in is decided by the conversation as it is then.
        let after = rewound_room(room, &rewound);
        let mentions = still_named(&after, &before.mentions);
        let answering = answering(&after, here.author(), &mentions, &before.parent);
        let said = Words { text: &ask.text, enc: &None, parent: &before.parent, mentions: &mentions };
        let (data, _, to) = entering(sessions, &after, &new, said, &answering)?;
        let mut events = vec![rewound, own(&here, known.id("edit", 1), data)?];
        if let Some(group) = fanout::opening(&new, &to) {
            events.push(own(&here, known.id("fanout", 2), group)?);
        }
        let told = std::iter::once(Notice::Rewound).chain(to.into_iter().map(Notice::Addressed));
        Ok::<_, ToolError>(Decided {
            once: Some(once.row(&answer)),
            notices: told.collect(),
            ..Decided::events(events, answer.clone())
        })
    });
    Ok(acted.await?)
}

/// Has a message answered once more; what came after it no longer counts.
pub async fn retry(
    tools: &Tools,
    by: &CalledBy,
    key: &str,
    ask: &pb::ThreadsRetry,
) -> Result<pb::ThreadsAnswer, ToolError> {
    let here = here(tools, by, &ask.session).await?;
    let once = match once::begin(tools, &here.who, key, Tool::ThreadsRetry, ask).await? {
        Begun::New(once) => once,
        Begun::Again(answer, _) => return Ok(answer),
    };
    let message = MessageId::parse(&ask.message)?;
    let words = words(tools, &here, &message, true).await?;
    let sessions = tools.sessions();
    let acted = sessions.act(&here.session, |room, known| {
        here.still_in(room)?;
        let target = rewrite::target(room, here.author(), here.who.is_owner(), &message, true)?;
        let to = target.said.message.to_string();
        let plain = pb::ThreadRewound { message: String::new(), to: to.clone(), again: Vec::new() };
        let after = rewound_room(room, &own(&here, known.id("retry", 0), Data::ThreadRewound(plain.clone()))?);
        let author = target.said.author.as_ref().unwrap_or(here.author());
        let answering = answering(&after, author, &still_named(&after, &words.mentions), &words.parent);
        steering::entry(&after, &answering)?;
        let run: Vec<Author> = answering.into_iter().filter(|a| sessions.runs(a)).collect();
        let again = run.iter().map(Author::to_string).collect();
        let rewound = own(&here, known.id("retry", 0), Data::ThreadRewound(pb::ThreadRewound { again, ..plain }))?;
        let answer = pb::ThreadsAnswer { session: ask.session.clone(), message: to };
        let told = std::iter::once(Notice::Rewound).chain(run.into_iter().map(Notice::Addressed));
        Ok::<_, ToolError>(Decided {
            once: Some(once.row(&answer)),
            notices: told.collect(),
            ..Decided::events(vec![rewound], answer)
        })
    });
    Ok(acted.await?)
}

/// Begins a session of its own with the conversation up to a message.
pub async fn branch(
    tools: &Tools,
    by: &CalledBy,
    key: &str,
    ask: &pb::ThreadsBranch,
) -> Result<pb::ThreadsAnswer, ToolError> {
    let here = here(tools, by, &ask.session).await?;
    let begun = once::begin::<pb::ThreadsAnswer>(tools, &here.who, key, Tool::ThreadsBranch, ask).await?;
    let message = MessageId::parse(&ask.message)?;
    let sessions = tools.sessions();
    // Events are read from the disk: all that were shown must be there.
    sessions.settled().await?;
    let (answer, _alone, plan) = match begun {
        Begun::New(once) => {
            let room = here.session.room();
            if room.remembers_all() && room.message(&message).is_none() {
                return Err(rewrite::Refused::NoMessage.into());
            }
            let plan = find(tools, &here, &message).await?;
            let answer = pb::ThreadsAnswer { session: once.name("branch"), message: ask.message.clone() };
            start(tools, &here, &room, ask, &once, &answer).await?;
            (answer, once, plan)
        }
        Begun::Again(answer, once) => {
            let branch = sessions.get(&SessionId::parse(&answer.session)?).await?;
            if sessions.knows(&branch, BRANCHED).await? {
                return Ok(answer);
            }
            (answer, once, find(tools, &here, &message).await?)
        }
    };
    copy(tools, &here, &SessionId::parse(&answer.session)?, &plan).await?;
    Ok(answer)
}

/// The first events of a branch: what it is, whose, and where it came from.
async fn start(
    tools: &Tools,
    here: &Here,
    room: &Room,
    ask: &pb::ThreadsBranch,
    once: &Once,
    answer: &pb::ThreadsAnswer,
) -> Result<(), ToolError> {
    let sessions = tools.sessions();
    let id = SessionId::parse(&answer.session)?;
    let info = here.session.info();
    let title = if ask.title.is_empty() { info.title } else { ask.title.clone() };
    let assistant = room.default_assistant().map(Author::to_string).unwrap_or_default();
    let started = pb::ThreadStarted { title, folder: info.folder, assistant, group: false };
    let branched = pb::ThreadBranched { from: ask.message.clone(), session: ask.session.clone() };
    let event = |name: &str, data| steering::event(&id, name.to_owned(), Some(here.author()), data);
    let events = vec![
        event("branch.started", Data::ThreadStarted(started))?,
        event("branch.branched", Data::ThreadBranched(branched))?,
    ];
    let branch = sessions.make(&id).await?;
    let acted = sessions.act(&branch, |_, known| {
        if known.knows("branch.started") {
            return Ok::<_, ToolError>(Decided::nothing(()));
        }
        Ok(Decided { once: Some(once.row(answer)), ..Decided::events(events.clone(), ()) })
    });
    Ok(acted.await?)
}

/// Looks for the message at which the branch leaves, among what was shown to who makes it.
async fn find(tools: &Tools, here: &Here, message: &MessageId) -> Result<Branch, ToolError> {
    let mut search = Search::new(message.clone());
    let mut received = Received::by(here.author().clone());
    let mut next = EventNumber(1);
    while let Some(run) = tools.sessions().events(&here.session, next, COPY_BYTES).await? {
        for (number, _, bytes) in &run.events {
            let Ok(event) = pb::Event::decode(bytes.clone()) else { continue };
            if !received.sees(&event, *number) {
                continue;
            }
            if let Some(branch) = search.see(&event, *number) {
                return Ok(branch);
            }
        }
        next = run.next;
    }
    Err(rewrite::Refused::NoMessage.into())
}

/// Copies what the branch takes along. What is there already is known by its ids.
async fn copy(tools: &Tools, here: &Here, into: &SessionId, plan: &Branch) -> Result<(), ToolError> {
    let sessions = tools.sessions();
    let branch = sessions.get(into).await?;
    let mut received = Received::by(here.author().clone());
    let mut next = EventNumber(1);
    let mut copies = Vec::new();
    'all: while let Some(run) = sessions.events(&here.session, next, COPY_BYTES).await? {
        for (number, logged, bytes) in &run.events {
            if *number > plan.until() {
                break 'all;
            }
            let Ok(event) = pb::Event::decode(bytes.clone()) else { continue };
            // Nobody takes along what was not shown to them: in the branch they would be the first, and see all.
            if !received.sees(&event, *number) {
                continue;
            }
            // It was checked when it came; what was cut out of it does not make it longer.
            let copy = plan.copy(event, *number, *logged, into).and_then(|e| Event::check(e).ok());
            copies.extend(copy);
            if copies.len() >= COPY_EVENTS {
                submit(tools, std::mem::take(&mut copies)).await?;
            }
        }
        next = run.next;
    }
    submit(tools, copies).await?;
    let idle = pb::ThreadStatus { state: "idle".into(), note: String::new() };
    let done = steering::event(into, BRANCHED.to_owned(), Some(here.author()), Data::ThreadStatus(idle))?;
    let acted = sessions.act(&branch, |_, known| {
        let events = if known.knows(BRANCHED) { Vec::new() } else { vec![done.clone()] };
        Ok::<_, ToolError>(Decided::events(events, ()))
    });
    Ok(acted.await?)
}

async fn submit(tools: &Tools, events: Vec<Event>) -> Result<(), ToolError> {
    match tools.sessions().submit(events).await.refused.into_iter().next() {
        None => Ok(()),
        Some((_, error)) => Err(error.into()),
    }
}

/// The words of the message that is gone back to, while it can be.
async fn words(
    tools: &Tools,
    here: &Here,
    message: &MessageId,
    retry: bool,
) -> Result<crate::session::Picked, ToolError> {
    let sessions = tools.sessions();
    let target = rewrite::target(&here.session.room(), here.author(), here.who.is_owner(), message, retry)?;
    sessions.settled().await?;
    let said = target.said;
    Ok(sessions.words(&here.session, &said.message, said.author, said.event).await?)
}

fn own(here: &Here, id: String, data: Data) -> Result<Event, ToolError> {
    Ok(steering::event(here.id(), id, Some(here.author()), data)?)
}

/// The room as it is after this rewind.
fn rewound_room(room: &Room, rewound: &Event) -> Room {
    let mut after = room.clone();
    // Of no importance: the copy is looked at and dropped.
    after.learn(rewound.get(), EventNumber(u64::MAX));
    after
}

/// Who is to answer words of this author in a conversation as it is then.
fn answering(room: &Room, sender: &Author, mentions: &[Author], parent: &str) -> Vec<Author> {
    let parent = MessageId::parse(parent).ok();
    routing::who_answers(room, routing::Said { sender, mentions, parent: parent.as_ref(), private: false })
}

/// Who was named in a message and still takes part.
fn still_named(room: &Room, mentions: &[String]) -> Vec<Author> {
    mentions.iter().filter_map(|m| Author::parse(m).ok()).filter(|m| room.is_in(m)).collect()
}

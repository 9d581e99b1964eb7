//! Sessions as rooms: which there are, who is in, who answers.
//!
//! Who may bring somebody in or send somebody away is decided in [`crate::rules::membership`], by the room as it is when
//! it is written down. Asking again changes nothing and is answered alike.

use data_encoding::BASE32_NOPAD;
use vyre_proto::ids::Author;
use vyre_proto::ids::AuthorKind;
use vyre_proto::ids::SessionId;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::ErrorCode;
use vyre_proto::pb::stream::event::Data;

use crate::rules::authority::Act;
use crate::rules::authority::Refusal;
use crate::rules::caller::Caller;
use crate::rules::fanout;
use crate::rules::membership;
use crate::rules::room::Room;
use crate::rules::steering::event;
use crate::session::Decided;
use crate::session::Session;
use crate::tools::CalledBy;
use crate::tools::Tools;
use crate::tools::error::ToolError;
use crate::tools::gate;
use crate::tools::steer::Here;
use crate::tools::steer::here;

/// Most that are brought in when a session is made. More can be brought in after.
pub const FOUNDERS_MAX: usize = 100;

/// The sessions in which the caller takes part, newest change first, with what the caller has not read.
pub async fn list(tools: &Tools, caller: &Caller) -> Result<pb::SessionsListed, ToolError> {
    gate::may(caller, Act::Own)?;
    match caller.reads_as() {
        Some(person) => Ok(pb::SessionsListed { sessions: tools.sessions().list(person.author()).await? }),
        None => Ok(pb::SessionsListed::default()),
    }
}

/// Makes a group. Whoever makes it and all participants are in at once.
///
/// With an id of the caller's choice, asking again is the same call; without one each call makes another session.
pub async fn create(tools: &Tools, by: &CalledBy, ask: &pb::SessionsCreate) -> Result<pb::SessionsAnswer, ToolError> {
    gate::may(&by.caller, Act::Own)?;
    let Caller::Person(who) = &by.caller else { return Err(Refusal::NotFound.into()) };
    let id = match ask.session.as_str() {
        "" => {
            SessionId::parse(&format!("g-{}", BASE32_NOPAD.encode(&tools.clock().random::<16>()).to_ascii_lowercase()))?
        }
        chosen => SessionId::parse(chosen)?,
    };
    let mut founders: Vec<Author> = Vec::new();
    for name in &ask.participants {
        let author = Author::parse(name)?;
        if author != *who.author() && !founders.contains(&author) {
            founders.push(author);
        }
    }
    if founders.len() > FOUNDERS_MAX {
        let message = format!("at most {FOUNDERS_MAX} come in when a session is made; bring in the others after");
        return Err(ToolError::too_large(message));
    }
    let session = tools.sessions().get_or(&id, true).await?;
    let same = made_mark(who.author(), ask);
    let made = tools.sessions().act(&session, |_, known| {
        if known.knows(&same) {
            return Ok(Decided::nothing(()));
        }
        if !known.is_new() {
            let message = "this session id is taken; choose another, or none, and the box chooses one";
            return Err(ToolError::new(ErrorCode::Conflict, message));
        }
        // One assistant is the session's own; of several none is more so than another.
        let mut assistants = founders.iter().filter(|a| a.kind() != AuthorKind::Person);
        let assistant = assistants.next().filter(|_| assistants.next().is_none());
        let started = pb::ThreadStarted {
            title: ask.title.clone(),
            assistant: assistant.map(Author::to_string).unwrap_or_default(),
            group: true,
            ..Default::default()
        };
        let joined = |who: &Author| Data::RoomJoined(pb::RoomJoined { who: who.to_string() });
        let all = std::iter::once(Data::ThreadStarted(started)).chain(founders.iter().map(joined));
        let all = all.enumerate().map(|(n, data)| event(&id, known.id("create", n), Some(who.author()), data));
        Ok(Decided { marks: vec![same.clone()], ..Decided::events(all.collect::<Result<_, _>>()?, ()) })
    });
    made.await?;
    answer(tools, &session, who.author()).await
}

/// Stands for everything that a creation says, and who says it.
fn made_mark(who: &Author, ask: &pb::SessionsCreate) -> String {
    let mut mark = String::from("made");
    for part in [who.as_str(), &ask.title].into_iter().chain(ask.participants.iter().map(String::as_str)) {
        mark.push_str(&format!(" {}:{part}", part.len()));
    }
    mark
}

/// Brings somebody in. For the caller themselves it says only that they are in: nobody lets themselves in.
pub async fn join(tools: &Tools, by: &CalledBy, ask: &pb::SessionsJoin) -> Result<pb::SessionsAnswer, ToolError> {
    let here = here(tools, by, &ask.session).await?;
    let who = if ask.who.is_empty() { here.author().clone() } else { Author::parse(&ask.who)? };
    decide(tools, &here, "join", |room| {
        let joined = Data::RoomJoined(pb::RoomJoined { who: who.to_string() });
        Ok(membership::add(room, &who)?.then_some(joined))
    })
    .await?;
    answer(tools, &here.session, here.author()).await
}

/// Leaves. Nothing more is received from then on, on no connection.
pub async fn leave(tools: &Tools, by: &CalledBy, ask: &pb::SessionsLeave) -> Result<pb::SessionsAnswer, ToolError> {
    let here = here(tools, by, &ask.session).await?;
    let left = Data::RoomLeft(pb::RoomLeft { who: here.author().to_string() });
    decide(tools, &here, "leave", |_| Ok(Some(left.clone()))).await?;
    // Whoever is out is told nothing more of it.
    Ok(pb::SessionsAnswer::default())
}

/// Sends somebody away.
pub async fn remove(tools: &Tools, by: &CalledBy, ask: &pb::SessionsRemove) -> Result<pb::SessionsAnswer, ToolError> {
    let here = here(tools, by, &ask.session).await?;
    let who = Author::parse(&ask.who)?;
    decide(tools, &here, "remove", |room| {
        let left = Data::RoomLeft(pb::RoomLeft { who: who.to_string() });
        Ok(membership::remove(room, here.author(), &who)?.then_some(left))
    })
    .await?;
    match who == *here.author() {
        true => Ok(pb::SessionsAnswer::default()),
        false => answer(tools, &here.session, here.author()).await,
    }
}

/// Says which assistant answers where nobody is named; with none given nobody does so before the session's own.
pub async fn assign(tools: &Tools, by: &CalledBy, ask: &pb::SessionsAssign) -> Result<pb::SessionsAnswer, ToolError> {
    let here = here(tools, by, &ask.session).await?;
    let assistant = match ask.assistant.as_str() {
        "" => None,
        name => Some(Author::parse(name)?),
    };
    decide(tools, &here, "assign", |room| {
        let assigned = Data::RoomAssigned(pb::RoomAssigned { assistant: ask.assistant.clone() });
        Ok(membership::assign(room, assistant.as_ref())?.then_some(assigned))
    })
    .await?;
    answer(tools, &here.session, here.author()).await
}

/// Keeps one answer of a group of answers.
pub async fn keep(tools: &Tools, by: &CalledBy, ask: &pb::StreamFanoutKeep) -> Result<pb::StreamFanoutKept, ToolError> {
    let here = here(tools, by, &ask.session).await?;
    let kept = tools.sessions().act(&here.session, |room, known| {
        here.still_in(room)?;
        if !known.fanouts().keep(&ask.group, &ask.keep).map_err(|r: fanout::Refused| ToolError::from(r))? {
            return Ok::<_, ToolError>(Decided::nothing(()));
        }
        let data = Data::RoomFanoutKeep(pb::RoomFanoutKeep { group: ask.group.clone(), keep: ask.keep.clone() });
        let event = event(here.id(), known.id("keep", 0), Some(here.author()), data)?;
        Ok(Decided::events(vec![event], ()))
    });
    kept.await?;
    Ok(pb::StreamFanoutKept {})
}

/// Writes down what is decided by the room, if anything is to be.
async fn decide(
    tools: &Tools,
    here: &Here,
    verb: &str,
    data: impl Fn(&Room) -> Result<Option<Data>, ToolError>,
) -> Result<(), ToolError> {
    let done = tools.sessions().act(&here.session, |room, known| {
        here.still_in(room)?;
        let Some(data) = data(room)? else { return Ok::<_, ToolError>(Decided::nothing(())) };
        let event = event(here.id(), known.id(verb, 0), Some(here.author()), data)?;
        Ok(Decided::events(vec![event], ()))
    });
    Ok(done.await?)
}

async fn answer(tools: &Tools, session: &Session, who: &Author) -> Result<pb::SessionsAnswer, ToolError> {
    Ok(pb::SessionsAnswer { session: tools.sessions().info_for(session, who).await? })
}

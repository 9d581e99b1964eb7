//! The replies of this box's own assistants: a handle to write to, and what becomes of a reply that nobody goes on with.
//!
//! An assistant that this box runs has no other way into a room than a [`ReplyHandle`]. Each piece is an event of the box's
//! own, in the assistant's name and for the person who asked, so that a seed makes the same log again; on its way into the
//! log it is written to the handle of its message or of the turn (see [`crate::rules::reply`]).

use std::collections::BTreeSet;
use std::collections::HashSet;
use std::fmt;

use vyre_proto::event::Event;
use vyre_proto::event::EventError;
use vyre_proto::ids::Author;
use vyre_proto::ids::AuthorKind;
use vyre_proto::ids::SessionId;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::event::Data;
use vyre_proto::tick::Tick;

use crate::rules::adapter::Adapter;
use crate::rules::blocks;
use crate::rules::blocks::Asked;
use crate::rules::caller::Roles;
use crate::rules::reply::COULD_NOT_RESUME;
use crate::rules::room::Room;
use crate::rules::stays::Stays;
use crate::rules::viewer::Class;
use crate::rules::viewer::NotForAsker;
use crate::rules::viewer::assert_asker_can_read;
use crate::session::PublishError;
use crate::session::Session;
use crate::session::Sessions;
use crate::session::Submitted;

macro_rules! pieces {
    ($($(#[$doc:meta])* $name:ident $message:ident $arm:ident)*) => {
        /// One piece of a reply.
        #[derive(Clone, PartialEq)]
        pub enum ReplyPiece {
            $($(#[$doc])* $name(pb::$message),)*
        }

        $(impl From<pb::$message> for ReplyPiece {
            fn from(piece: pb::$message) -> ReplyPiece {
                ReplyPiece::$name(piece)
            }
        })*

        impl ReplyPiece {
            /// The piece with this content; `None` for what is no assistant's to say.
            pub fn of(data: Data) -> Option<ReplyPiece> {
                match data {
                    $(Data::$arm(piece) => Some(ReplyPiece::$name(piece)),)*
                    _ => None,
                }
            }

            fn into_data(self) -> Data {
                match self {
                    $(ReplyPiece::$name(piece) => Data::$arm(piece),)*
                }
            }
        }
    };
}

pieces! {
    /// Words of a message.
    Words ThreadDelta ThreadDelta
    /// Thinking of a message: shown with its first word, and never alone.
    Thinking ThreadThinking ThreadThinking
    /// A message is whole.
    Done ThreadDone ThreadDone
    /// A message ends before its end.
    Cut ThreadCut ThreadCut
    /// A call begins.
    ToolStarted ThreadToolStarted ThreadToolStarted
    /// What a call says meanwhile.
    ToolProgress ThreadToolProgress ThreadToolProgress
    /// A call has ended.
    ToolFinished ThreadToolFinished ThreadToolFinished
    /// A command and its output.
    Shell ThreadShell ThreadShell
    /// A file was changed.
    FileChanged ThreadFileChanged ThreadFileChanged
    /// A question to the people in the room.
    Ask AskOpened AskOpened
    /// A question of its own that nobody answers any more, or that was answered beforehand.
    Unasked AskReplied AskAnswered
    /// How the assistant stands.
    Status ThreadStatus ThreadStatus
    /// It was stopped.
    Stopped ThreadStopped ThreadStopped
    /// It failed.
    Failed ThreadFailed ThreadFailed
}

impl fmt::Debug for ReplyPiece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // People's words are in no log.
        f.write_str("ReplyPiece(..)")
    }
}

/// Why a piece was not written.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ReplyError {
    /// A person has no reply handle.
    #[error("{0} is no assistant")]
    NotAnAssistant(Author),
    /// The assistant was taken out of the room.
    #[error("the assistant takes no part in this session any more")]
    Gone,
    /// It waited too long after a restart, and the room was told so.
    #[error("this reply was given up; the person has to ask again")]
    Dropped,
    /// It is not valid, or too large.
    #[error(transparent)]
    Invalid(#[from] EventError),
    /// It holds something that the one who asked may not read.
    #[error(transparent)]
    NotForAsker(#[from] NotForAsker),
    /// The store does not take it now.
    #[error("the box cannot store this piece now: {reason}")]
    Unavailable {
        /// Why.
        reason: String,
    },
}

impl From<PublishError> for ReplyError {
    fn from(e: PublishError) -> Self {
        match e {
            PublishError::Invalid(e) => ReplyError::Invalid(e),
            other => ReplyError::Unavailable { reason: other.to_string() },
        }
    }
}

/// One turn of an assistant in a room, for the person who asked. Pieces are shown in the order in which they are written.
pub struct ReplyHandle {
    sessions: Sessions,
    session: Session,
    assistant: Author,
    asker: Option<Author>,
    /// What the one who asked may see. `None`: it is not known here.
    asker_sees: Option<Class>,
    turn: String,
    written: u64,
}

impl fmt::Debug for ReplyHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ReplyHandle({} in {}, {} pieces)", self.assistant, self.session.id(), self.written)
    }
}

impl Sessions {
    /// Opens a turn in which this assistant replies in this session, for the person who asked where there is one. It
    /// lasts as long as the handle; say how it ended by a last [`ReplyPiece::Status`].
    pub fn reply(
        &self,
        session: &Session,
        assistant: &Author,
        asker: Option<&Author>,
    ) -> Result<ReplyHandle, ReplyError> {
        if assistant.kind() == AuthorKind::Person {
            return Err(ReplyError::NotAnAssistant(assistant.clone()));
        }
        let turn = u64::from_le_bytes(self.0.clock.random());
        Ok(ReplyHandle {
            sessions: self.clone(),
            session: session.clone(),
            assistant: assistant.clone(),
            asker: asker.filter(|a| a.kind() == AuthorKind::Person).cloned(),
            asker_sees: None,
            turn: format!("turn-{turn:016x}"),
            written: 0,
        })
    }
}

impl ReplyHandle {
    /// The turn's name on every frame of it; no two turns have the same.
    pub fn turn(&self) -> &str {
        &self.turn
    }

    /// The one who asked is cleared for these: from here on a piece with something that they may not read is refused.
    pub fn cleared_for(&mut self, roles: Roles) {
        self.asker_sees = self.asker.is_some().then(|| Class::new(roles, Stays::whole()));
    }

    /// A name for a message of this turn; each call gives another.
    pub fn message(&mut self) -> String {
        self.written += 1;
        format!("{}.m{}", self.turn, self.written)
    }

    /// Writes a piece and shows it. It is durable soon after: see [`Sessions::durable`].
    ///
    /// Waits where the store is behind. A future that is dropped has written the piece or not; nothing stands half.
    pub async fn append(&mut self, piece: impl Into<ReplyPiece>) -> Result<(), ReplyError> {
        let piece = piece.into();
        if let (Some(class), ReplyPiece::ToolFinished(d)) = (&self.asker_sees, &piece) {
            assert_asker_can_read(&shown(d), class)?;
        }
        self.written += 1;
        let event = Event::check(pb::Event {
            id: format!("{}.{}", self.turn, self.written),
            session: self.session.id().to_string(),
            turn: self.turn.clone(),
            actor: self.assistant.to_string(),
            acts_for: self.asker.as_ref().map_or_else(String::new, Author::to_string),
            data: Some(piece.into_data()),
            ..Default::default()
        })?;
        {
            let state = self.session.0.lock();
            // Whoever never came takes part by its first piece; whoever was taken out does not come back by one.
            if state.room.has_left(&self.assistant) {
                return Err(ReplyError::Gone);
            }
            if state.adapter.is_dropped(self.assistant.as_str(), &self.turn) {
                return Err(ReplyError::Dropped);
            }
        }
        let mut done = Submitted::default();
        match self.sessions.append(&self.session, &[event], &mut done).await {
            (_, None) => Ok(()),
            (_, Some(error)) => Err(error.into()),
        }
    }
}

/// A result as the room would be shown it.
fn shown(d: &pb::ThreadToolFinished) -> pb::Frame {
    let block = blocks::answered(&d.tool, &Asked::default(), d.ok, &d.result, "");
    let finished = pb::ToolFinished { call: d.call.clone(), tool: d.tool.clone(), ok: d.ok, block };
    pb::Frame { v: 1, data: Some(pb::frame::Data::ToolFinished(finished)), ..Default::default() }
}

/// Replies that may have lost whoever writes them, and how long they wait.
#[derive(Debug)]
pub(crate) struct LeftOpen {
    messages: HashSet<String>,
    /// Who works, and the turn's name.
    turns: BTreeSet<(String, String)>,
    /// Who was at work, also with nothing of it in the log.
    workers: BTreeSet<String>,
    until: Tick,
    /// The box has stopped meanwhile. Else nothing came for long.
    restarted: bool,
}

impl LeftOpen {
    /// What is open now. `None` where nothing is.
    pub(crate) fn of(adapter: &Adapter, room: &Room, until: Tick, restarted: bool) -> Option<LeftOpen> {
        let messages: HashSet<_> = adapter.open_messages().iter().map(|m| m.message.to_owned()).collect();
        let turns: BTreeSet<_> = adapter.open_turns().map(|(who, turn)| (who.to_owned(), turn.to_owned())).collect();
        let workers: BTreeSet<_> = room.working().map(ToString::to_string).collect();
        let left = LeftOpen { messages, turns, workers, until, restarted };
        (!left.is_empty()).then_some(left)
    }

    fn is_empty(&self) -> bool {
        self.messages.is_empty() && self.turns.is_empty() && self.workers.is_empty()
    }

    /// Whether it has waited long enough.
    pub(crate) fn is_due(&self, now: Tick) -> bool {
        now >= self.until
    }

    /// Somebody goes on: with a message, and where turns have names with all that the turn has open. True: nothing waits
    /// any more.
    pub(crate) fn take_up(&mut self, event: &pb::Event, adapter: &Adapter) -> bool {
        match &event.data {
            Some(Data::ThreadDelta(d)) => drop(self.messages.remove(&d.message)),
            Some(Data::ThreadThinking(d)) => drop(self.messages.remove(&d.message)),
            Some(Data::ThreadDone(d)) => drop(self.messages.remove(&d.message)),
            Some(Data::ThreadCut(d)) => drop(self.messages.remove(&d.message)),
            _ => {}
        }
        self.workers.remove(&event.actor);
        if !self.turns.is_empty() || !event.turn.is_empty() {
            self.turns.retain(|(who, turn)| *who != event.actor || *turn != event.turn);
        }
        if !event.turn.is_empty() && !self.messages.is_empty() {
            let same = |m: &&crate::rules::adapter::OpenMessage<'_>| m.author == event.actor && m.turn == event.turn;
            for message in adapter.open_messages().iter().filter(same) {
                self.messages.remove(message.message);
            }
        }
        self.is_empty()
    }
}

/// What gives up what nobody goes on with. `left`: what waited; `None` for everything that is open. Events, as if their
/// writers had sent them: the record of the session says so too. `place` names the place in the log: no ending is made
/// twice under two names.
pub(crate) fn given_up(
    session: &SessionId,
    adapter: &Adapter,
    room: &Room,
    left: Option<&LeftOpen>,
    place: &str,
) -> Vec<Event> {
    let restarted = left.is_some_and(|l| l.restarted);
    let note = if restarted { "the box stopped while this was being written" } else { "nothing more came for a day" };
    let mut all = Vec::new();
    let mut turns = BTreeSet::new();
    let push = |all: &mut Vec<Event>, actor: &str, turn: &str, data: Data| {
        let event = pb::Event {
            id: format!("cut.{place}.{}", all.len()),
            session: session.as_str().to_owned(),
            turn: turn.to_owned(),
            actor: actor.to_owned(),
            data: Some(data),
            ..Default::default()
        };
        all.extend(Event::check(event));
    };
    for m in adapter.open_messages().iter().filter(|m| left.is_none_or(|l| l.messages.contains(m.message))) {
        turns.insert((m.author, m.turn));
        let message = m.message.to_owned();
        // Of a message that was only thought nobody is told, and so not of its end.
        let data = match m.shown {
            true => Data::ThreadCut(pb::ThreadCut { message, note: note.to_owned() }),
            false => Data::ThreadDone(pb::ThreadDone { message }),
        };
        push(&mut all, m.author, m.turn, data);
    }
    // No call looks as if it were still running, and nobody as if they still worked.
    let workers: Vec<&Author> =
        room.working().filter(|who| left.is_none_or(|l| l.workers.contains(who.as_str()))).collect();
    for who in &workers {
        for call in room.open_calls(who) {
            let (call, tool) = (call.to_owned(), "tool".to_owned());
            let result = serde_json::json!({ "block": "text", "text": note }).to_string().into();
            let ended = pb::ThreadToolFinished { call, tool, ok: false, result };
            push(&mut all, who.as_str(), "", Data::ThreadToolFinished(ended));
        }
    }
    if restarted {
        turns.extend(left.iter().flat_map(|l| l.turns.iter().map(|(who, turn)| (who.as_str(), turn.as_str()))));
        for (who, turn) in turns {
            let note = COULD_NOT_RESUME.to_owned();
            push(&mut all, who, turn, Data::ThreadFailed(pb::ThreadFailed { note }));
        }
    }
    let told: BTreeSet<String> = all
        .iter()
        .filter(|e| matches!(e.get().data, Some(Data::ThreadFailed(_))))
        .map(|e| e.get().actor.clone())
        .collect();
    for who in workers.iter().filter(|who| !told.contains(who.as_str())) {
        let note = if restarted { COULD_NOT_RESUME } else { note }.to_owned();
        push(&mut all, who.as_str(), "", Data::ThreadFailed(pb::ThreadFailed { note }));
    }
    all
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use bytes::Bytes;
    use tempfile::TempDir;
    use tokio::time::timeout;
    use vyre_proto::frame::Frame;
    use vyre_proto::pb::stream::frame::Data as FrameData;
    use vyre_proto::tick::Wall;

    use super::*;
    use crate::clock::Clock;
    use crate::session::Asked;
    use crate::session::AttachRequest;
    use crate::store::Limits;
    use crate::store::Store;
    use crate::store::read::each;

    struct World {
        sessions: Sessions,
        store: Store,
        clock: Clock,
        dir: TempDir,
    }

    const START: u64 = 1_000_000;

    impl World {
        fn in_folder(dir: TempDir) -> World {
            let clock = Clock::settable(Tick(START), Wall(1_700_000_000_000_000));
            let store = Store::open(dir.path(), clock.clone(), Limits::default()).unwrap();
            World { sessions: Sessions::new(store.clone(), clock.clone()), store, clock, dir }
        }

        async fn started() -> World {
            let w = World::in_folder(tempfile::tempdir().unwrap());
            let data = Data::ThreadStarted(pb::ThreadStarted {
                title: "T".into(),
                assistant: "assistant:h".into(),
                ..Default::default()
            });
            w.publish(vec![event("e0", "person:robin", "", data)]).await;
            w
        }

        async fn publish(&self, events: Vec<Event>) {
            let done = self.sessions.submit(events).await;
            assert!(done.refused.is_empty(), "{:?}", done.refused);
            self.sessions.durable().wait(done.commit).await.unwrap();
        }

        async fn session(&self) -> Session {
            self.sessions.get(&SessionId::parse("s").unwrap()).await.unwrap()
        }

        /// In order, as for an upgrade: nothing is lost.
        async fn restarted(self) -> World {
            self.sessions.shutdown().await;
            self.store.close();
            World::in_folder(self.dir)
        }

        fn after(&self, start: Duration) {
            let micros = u64::try_from(start.as_micros()).unwrap();
            self.clock.set(Tick(START + micros), Wall(1_700_000_000_000_000 + micros));
        }

        async fn frames(&self) -> Vec<Frame> {
            let session = self.session().await;
            let head = session.bounds().head.get();
            let mut reader =
                session.attach(AttachRequest { asked: Asked::default(), unmerged: true, ..Default::default() });
            let mut all: Vec<Frame> = Vec::new();
            while all.last().is_none_or(|f| f.get().cur < head) {
                let piece: Bytes = timeout(Duration::from_secs(10), reader.next()).await.unwrap().unwrap();
                all.extend(each(&piece).map(|m| Frame::decode(m).unwrap()));
            }
            all
        }
    }

    fn event(id: &str, actor: &str, turn: &str, data: Data) -> Event {
        let acts_for = if actor.starts_with("person:") { String::new() } else { "person:robin".to_owned() };
        Event::check(pb::Event {
            id: id.into(),
            session: "s".into(),
            actor: actor.into(),
            acts_for,
            turn: turn.into(),
            data: Some(data),
            ..Default::default()
        })
        .unwrap()
    }

    fn words(id: &str, message: &str, text: &str) -> Event {
        let delta = pb::ThreadDelta { message: message.into(), text: text.into(), ..Default::default() };
        event(id, "assistant:h", "t1", Data::ThreadDelta(delta))
    }

    fn said(frames: &[Frame]) -> Vec<String> {
        let one = |f: &Frame| {
            let handle = &f.get().rid;
            match f.get().data.as_ref()? {
                FrameData::TextDelta(d) => Some(format!("{handle} {}", d.text)),
                FrameData::TextCut(d) => Some(format!("{handle} cut at {}", d.at)),
                FrameData::TextDone(_) => Some(format!("{handle} done")),
                FrameData::Status(s) if s.state != "started" => Some(format!("{handle} {} {}", s.state, s.note)),
                FrameData::ToolStarted(_) => Some(format!("{handle} tool")),
                _ => None,
            }
        };
        frames.iter().filter_map(one).collect()
    }

    fn author(name: &str) -> Author {
        Author::parse(name).unwrap()
    }

    #[tokio::test]
    async fn a_call_that_a_restart_left_open_is_ended_and_its_assistant_works_no_longer() {
        let mut w = World::started().await;
        let working = pb::ThreadStatus { state: "working".into(), ..Default::default() };
        let call = pb::ThreadToolStarted { call: "c".into(), tool: "Bash".into(), ..Default::default() };
        let of = |who: &'static str| move |id: &str, data| event(&format!("{who}.{id}"), who, "", data);
        let (left, back) = (of("assistant:h"), of("assistant:b"));
        w.publish(vec![
            left("1", Data::ThreadStatus(working.clone())),
            left("2", Data::ThreadToolStarted(call)),
            back("1", Data::ThreadStatus(working.clone())),
        ])
        .await;

        w = w.restarted().await;
        w.publish(vec![back("2", Data::ThreadStatus(working))]).await;
        w.after(Duration::from_secs(61));
        w.sessions.sweep_once().await;

        let room = w.session().await.room();
        assert_eq!(room.working().map(Author::as_str).collect::<Vec<_>>(), ["assistant:b"]);
        let frames = w.frames().await;
        let ended = frames.iter().filter_map(|f| match f.get().data.as_ref()? {
            FrameData::ToolFinished(t) => Some((t.call.clone(), t.ok)),
            _ => None,
        });
        assert_eq!(ended.collect::<Vec<_>>(), [("c".to_owned(), false)]);
        assert!(said(&frames).last().unwrap().contains(&format!("failed {COULD_NOT_RESUME}")));
        w.sessions.sweep_once().await;
        assert_eq!(w.frames().await.len(), frames.len(), "ended once");
    }

    #[tokio::test]
    async fn what_an_assistant_writes_to_its_handle_is_shown_with_it() {
        let w = World::started().await;
        let session = w.session().await;
        let mut reply = w.sessions.reply(&session, &author("assistant:h"), Some(&author("person:robin"))).unwrap();
        let message = reply.message();

        let thinking = pb::ThreadThinking { message: message.clone(), text: "hm".into() };
        reply.append(thinking).await.unwrap();
        let delta = pb::ThreadDelta { message: message.clone(), text: "hello".into(), ..Default::default() };
        reply.append(delta).await.unwrap();
        let tool = pb::ThreadToolStarted { call: "c".into(), tool: "x".into(), ..Default::default() };
        reply.append(tool).await.unwrap();
        reply.append(pb::ThreadDone { message }).await.unwrap();
        reply.append(pb::ThreadStatus { state: "idle".into(), note: String::new() }).await.unwrap();

        let frames = w.frames().await;
        assert_eq!(said(&frames), ["r1 hm", "r1 hello", "r1 tool", "r1 done", "r2 idle "]);
        let turn = reply.turn();
        for f in frames.iter().filter(|f| !f.get().rid.is_empty()) {
            assert_eq!((&*f.get().turn, &*f.get().author), (turn, "assistant:h"));
            assert_eq!(f.get().acts_for, "person:robin");
            assert!(f.get().ver > 0);
        }
    }

    #[tokio::test]
    async fn an_assistant_that_was_taken_out_writes_nothing_more_and_a_person_has_no_handle() {
        let w = World::started().await;
        let session = w.session().await;
        let mut reply = w.sessions.reply(&session, &author("assistant:h"), None).unwrap();
        let delta = pb::ThreadDelta { message: "m".into(), text: "a".into(), ..Default::default() };
        reply.append(delta.clone()).await.unwrap();
        let left = pb::RoomLeft { who: "assistant:h".into() };
        w.publish(vec![event("left", "person:robin", "", Data::RoomLeft(left))]).await;
        let before = session.bounds().head;

        let refused = reply.append(delta).await;

        assert!(matches!(refused, Err(ReplyError::Gone)), "{refused:?}");
        assert_eq!(session.bounds().head, before);
        let person = w.sessions.reply(&session, &author("person:robin"), None);
        assert!(matches!(person, Err(ReplyError::NotAnAssistant(_))));
    }

    #[tokio::test]
    async fn a_reply_that_nobody_resumes_after_a_restart_is_dropped_and_the_room_is_told() {
        let w = World::started().await;
        w.publish(vec![words("e1", "m", "half a ")]).await;
        let w = w.restarted().await;
        let session = w.session().await;
        let before = session.bounds().head;

        w.after(Duration::from_secs(59));
        w.sessions.sweep_once().await;
        assert_eq!(session.bounds().head, before, "too early");
        w.after(Duration::from_secs(60));
        w.sessions.sweep_once().await;

        let want = ["r1 half a ", "r1 cut at 7", " failed couldn't resume, ask again"];
        assert_eq!(said(&w.frames().await), want);
        // A session that comes late does not bring it back, whatever it says.
        w.publish(vec![words("e2", "m", "sentence"), words("e3", "n", "another")]).await;
        w.sessions.sweep_once().await;
        assert_eq!(said(&w.frames().await), want);
        let told = w.frames().await.into_iter().find(|f| matches!(f.get().data, Some(FrameData::Status(_)))).unwrap();
        assert_eq!((&*told.get().rid, told.get().ver), ("", 0));
    }

    #[tokio::test]
    async fn whoever_is_too_late_by_a_moment_is_too_late_though_nothing_has_looked() {
        let w = World::started().await;
        w.publish(vec![words("e1", "m", "half a ")]).await;
        let w = w.restarted().await;
        w.session().await;

        w.after(Duration::from_secs(61));
        w.publish(vec![words("e2", "m", "sentence")]).await;

        assert_eq!(said(&w.frames().await), ["r1 half a ", "r1 cut at 7", " failed couldn't resume, ask again"]);
    }

    #[tokio::test]
    async fn a_session_that_is_first_asked_for_long_after_the_start_has_waited_already() {
        let w = World::started().await;
        w.publish(vec![words("e1", "m", "half a ")]).await;
        let w = w.restarted().await;

        w.after(Duration::from_secs(3600));

        assert_eq!(said(&w.frames().await), ["r1 half a ", "r1 cut at 7", " failed couldn't resume, ask again"]);
    }

    #[tokio::test]
    async fn whoever_comes_back_in_time_goes_on_under_the_same_handle() {
        let w = World::started().await;
        let tool = pb::ThreadToolStarted { call: "c".into(), tool: "x".into(), ..Default::default() };
        w.publish(vec![words("e1", "m", "half a "), event("e2", "assistant:h", "t1", Data::ThreadToolStarted(tool))])
            .await;
        let w = w.restarted().await;
        w.session().await;

        w.after(Duration::from_secs(59));
        w.publish(vec![words("e3", "m", "sentence")]).await;
        w.after(Duration::from_secs(600));
        w.sessions.sweep_once().await;

        assert_eq!(said(&w.frames().await), ["r1 half a ", "r1 tool", "r1 sentence"]);
    }

    #[tokio::test]
    async fn a_turn_that_only_ran_a_tool_is_dropped_too_and_one_that_was_over_is_not() {
        let w = World::started().await;
        let tool = pb::ThreadToolStarted { call: "c".into(), tool: "x".into(), ..Default::default() };
        let over = |id: &str, state: &str| {
            let status = pb::ThreadStatus { state: state.into(), note: String::new() };
            event(id, "assistant:k", "t9", Data::ThreadStatus(status))
        };
        w.publish(vec![
            event("e1", "assistant:h", "t1", Data::ThreadToolStarted(tool)),
            over("e2", "working"),
            over("e3", "idle"),
        ])
        .await;
        let w = w.restarted().await;
        w.after(Duration::from_secs(90));

        let want = ["r1 tool", "r2 working ", "r2 idle ", " failed couldn't resume, ask again"];
        assert_eq!(said(&w.frames().await), want);
        // Once is enough, also after another restart.
        let w = w.restarted().await;
        w.after(Duration::from_secs(90));
        assert_eq!(said(&w.frames().await), want);
    }

    #[tokio::test]
    async fn how_long_a_reply_waits_is_a_setting_and_a_log_made_anew_says_the_same() {
        let w = World::started().await;
        w.publish(vec![words("e1", "m", "half a ")]).await;
        let w = w.restarted().await;
        w.sessions.resume_within(Duration::from_secs(5));
        w.session().await;
        w.after(Duration::from_secs(5));
        w.sessions.sweep_once().await;
        let before = said(&w.frames().await);
        assert_eq!(before.len(), 3);

        w.sessions.durable().wait(w.store.issued()).await.unwrap();
        let restored = tempfile::tempdir().unwrap();
        let backup = restored.path().join("vyre.redb");
        w.store.backup(&backup, &mut |_, _| {}).unwrap();
        drop(w);
        let w = World::in_folder(restored);

        assert_eq!(said(&w.frames().await), before);
    }
}

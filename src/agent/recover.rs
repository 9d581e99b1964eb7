//! What a box that was killed left of its assistants' work: ended, in the sessions, before anything new begins.

use data_encoding::HEXLOWER;
use vyre_proto::event::Event;
use vyre_proto::ids::Author;
use vyre_proto::ids::SessionId;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::event::Data;

use crate::agent::voice::Voice;
use crate::clock::Clock;
use crate::rules::acp::Names;
use crate::rules::reply::COULD_NOT_RESUME;
use crate::rules::steering;
use crate::session::Session;
use crate::session::Sessions;

/// Said of everything that was going on.
const NOTE: &str = "the box stopped while the assistant worked";

/// Where to look.
pub(super) struct Source<'a> {
    pub(super) sessions: &'a Sessions,
    pub(super) clock: &'a Clock,
}

impl Source<'_> {
    /// Ends what this assistant left open anywhere. Gives the sessions in which something waits for it.
    pub(super) async fn take_up(&self, who: &Author) -> Vec<SessionId> {
        let mut waits = Vec::new();
        let all = match self.sessions.list(who).await {
            Ok(all) => all,
            Err(e) => {
                tracing::error!(error = %e, "the sessions of an assistant cannot be listed");
                return waits;
            }
        };
        for info in all {
            let Ok(id) = SessionId::parse(&info.session) else { continue };
            let Ok(session) = self.sessions.get(&id).await else { continue };
            let left = self.left(&session, who);
            if !left.is_empty() {
                Voice::new(self.sessions.clone(), id.clone()).end_left(left).await;
            }
            if !steering::pick_up(&session.room(), who).is_empty() {
                waits.push(id);
            }
        }
        waits
    }

    /// The ends of everything that this assistant left open, each in its turn. Its process is gone, so nobody waits.
    fn left(&self, session: &Session, who: &Author) -> Vec<Event> {
        let room = session.room();
        let (messages, mut turns) = session.left_open(who);
        let turn = turns.first().cloned().unwrap_or_default();
        let mut ends = Vec::new();
        for ask in room.open_questions().filter(|q| q.by.as_ref() == Some(who)) {
            let answered = pb::AskReplied { ask: ask.ask.to_string(), answer: "cancelled".into() };
            ends.push((turn.clone(), Data::AskAnswered(answered)));
        }
        for call in room.open_calls(who) {
            let result = serde_json::json!({ "block": "text", "text": NOTE }).to_string().into();
            let (call, tool) = (call.to_owned(), "tool".to_owned());
            let finished = pb::ThreadToolFinished { call, tool, ok: false, result };
            ends.push((turn.clone(), Data::ThreadToolFinished(finished)));
        }
        for (message, turn) in messages {
            ends.push((turn.clone(), Data::ThreadCut(pb::ThreadCut { message, note: NOTE.into() })));
            turns.push(turn);
        }
        turns.sort_unstable();
        turns.dedup();
        if turns.is_empty() && room.is_working(who) {
            turns.push(String::new());
        }
        for turn in turns {
            ends.push((turn, Data::ThreadFailed(pb::ThreadFailed { note: COULD_NOT_RESUME.into() })));
        }
        let mut names = Names::new(&format!("a.{}", HEXLOWER.encode(&self.clock.random::<8>())));
        let event = |(turn, data)| {
            let event = pb::Event {
                id: names.next('e'),
                session: session.id().to_string(),
                turn,
                actor: who.to_string(),
                data: Some(data),
                ..Default::default()
            };
            Event::check(event).ok()
        };
        ends.into_iter().filter_map(event).collect()
    }
}

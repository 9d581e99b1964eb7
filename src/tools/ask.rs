//! `ask.answer`: a person answers what an assistant asked. Of two answers one wins, and the other is told.

use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::event::Data;

use crate::rules::steering;
use crate::session::Decided;
use crate::session::Notice;
use crate::tools::CalledBy;
use crate::tools::Tools;
use crate::tools::error::ToolError;
use crate::tools::steer::here;

/// Answers a question. The same answer of the same person again is the same answer.
pub async fn answer(tools: &Tools, by: &CalledBy, ask: &pb::AskAnswer) -> Result<pb::AskAnswerTaken, ToolError> {
    let here = here(tools, by, &ask.session).await?;
    let mine = format!("answer {}:{} {}:{}", ask.ask.len(), ask.ask, ask.answer.len(), ask.answer);
    let mine = format!("{mine} {}", here.author());
    tools
        .sessions()
        .act(&here.session, |room, known| {
            here.still_in(room)?;
            if !steering::answer(room, &ask.ask, known.knows(&mine))? {
                return Ok::<_, ToolError>(Decided::nothing(()));
            }
            let (question, answer) = (ask.ask.clone(), ask.answer.clone());
            let data = Data::AskAnswered(pb::AskReplied { ask: question.clone(), answer: answer.clone() });
            let event = steering::event(here.id(), known.id("answer", 0), Some(here.author()), data)?;
            let notices = vec![Notice::Answered { ask: question, answer }];
            Ok(Decided { marks: vec![mine.clone()], notices, ..Decided::events(vec![event], ()) })
        })
        .await?;
    Ok(pb::AskAnswerTaken {})
}

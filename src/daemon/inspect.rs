//! What a store holds, as lines of JSON: for people who look, and for programs that check.

use vyre_proto::cursor::Cursor;
use vyre_proto::event::Event;
use vyre_proto::frame::Frame;
use vyre_proto::ids::SessionId;
use vyre_proto::json::frame_line;

use crate::store::FrameRun;
use crate::store::Store;
use crate::store::StoreError;
use crate::store::read::each;
use crate::store::tables::SessionRow;

/// Bytes that are read at a time.
const STEP: usize = 1 << 20;

fn failed(e: &StoreError) -> String {
    e.to_string()
}

/// All sessions, one a line. Stops where `row` says false. Blocks.
pub fn sessions(store: &Store, row: &mut dyn FnMut(String) -> bool) -> Result<(), String> {
    for (id, session) in store.sessions().map_err(|e| failed(&e))? {
        let line = serde_json::json!({
            "session": id.as_str(),
            "title": session.title,
            "folder": session.folder,
            "assistant": session.assistant,
            "participants": session.participants,
            "group": session.group,
            "log": session.mark().map(|m| m.id.to_string()),
            "floor": session.floor,
            "head": session.head,
            "leased": session.leased,
            "events": session.events,
            "bytes": session.bytes,
            "changed": session.changed,
        });
        if !row(line.to_string()) {
            break;
        }
    }
    Ok(())
}

fn row_of(store: &Store, id: &SessionId) -> Result<SessionRow, String> {
    store.session(id).map_err(|e| failed(&e))?.ok_or_else(|| format!("there is no session {id}"))
}

/// The stored events of a session, as they were published, one a line. Blocks.
pub fn events(store: &Store, id: &SessionId, row: &mut dyn FnMut(String) -> bool) -> Result<(), String> {
    let number = row_of(store, id)?.number;
    let mut next = 1;
    while let Some(run) = store.events(number, next, STEP).map_err(|e| failed(&e))? {
        for (_, bytes) in run.events {
            let line = match Event::decode(bytes) {
                Ok(event) => event.to_json(),
                Err(e) => serde_json::json!({ "damaged": e.to_string() }).to_string(),
            };
            if !row(line) {
                return Ok(());
            }
        }
        if run.damaged > 0 && !row(serde_json::json!({ "damaged": format!("{} chunks", run.damaged) }).to_string()) {
            return Ok(());
        }
        if run.last < next {
            break;
        }
        next = run.last + 1;
    }
    Ok(())
}

/// The frames in a session's log, one a line. Blocks.
pub fn frames(store: &Store, id: &SessionId, row: &mut dyn FnMut(String) -> bool) -> Result<(), String> {
    let session = row_of(store, id)?;
    let mut after = Cursor::new(session.floor).unwrap_or_default().prev();
    loop {
        match store.frames(session.number, after, STEP).map_err(|e| failed(&e))? {
            FrameRun::Nothing => return Ok(()),
            FrameRun::Damaged(span) => {
                let line = serde_json::json!({ "damaged": { "first": span.first().get(), "last": span.end().get() } });
                if !row(line.to_string()) || span.end() <= after {
                    return Ok(());
                }
                after = span.end();
            }
            FrameRun::Records { records, end } => {
                for record in each(&records) {
                    let line = match Frame::decode(record) {
                        Ok(frame) => frame_line(&frame),
                        Err(e) => serde_json::json!({ "damaged": e.to_string() }).to_string(),
                    };
                    if !row(line) {
                        return Ok(());
                    }
                }
                if end <= after {
                    return Ok(());
                }
                after = end;
            }
        }
    }
}

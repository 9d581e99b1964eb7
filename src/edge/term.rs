//! A screen on a terminal: its records both ways.
//!
//! What a person types is taken while output waits to be written, or Ctrl-C would stand behind the flood that it is to
//! stop. When the person's right ends, so does this, whatever else it does.

use std::time::Duration;

use bytes::Bytes;
use prost::Message;
use tokio::time::sleep;
use vyre_proto::head::End;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::term_record::Record;
use vyre_proto::record::Decoder;
use vyre_proto::term::Offset;
use vyre_proto::term::TermSize;

use crate::edge::guard::Doors;
use crate::edge::pipe::Duplex;
use crate::edge::pipe::Exchanged;
use crate::edge::pipe::end_of;
use crate::edge::pipe::end_of_bye;
use crate::term::Attached;
use crate::tools::error::ToolError;
use crate::tools::term::Seat;

/// Longest record that a screen sends: whoever pastes more sends several.
pub const RECORD_IN_MAX: usize = 64 * 1024;

/// How often it is looked whether there is room for what was typed.
const ROOM_LOOK: Duration = Duration::from_millis(10);

/// Serves one screen to its end.
pub async fn serve<D: Duplex>(doors: &Doors, pipe: &mut D, seat: Seat) -> End {
    let Seat { mut screen, hold } = seat;
    let mut decoder = Decoder::with_max(RECORD_IN_MAX);
    let mut out = Bytes::new();
    loop {
        if let Err(end) = take(&mut decoder, &mut screen) {
            return end;
        }
        let room = screen.has_room();
        tokio::select! {
            biased;
            reason = hold.ended() => return end_of_bye(Some(reason)),
            () = doors.closed() => return End::Restart,
            exchanged = pipe.exchange(&mut out, room), if room || !out.is_empty() => match exchanged {
                Ok(Exchanged::Came(bytes)) => decoder.push(&bytes),
                Ok(Exchanged::Ended) => return End::Done,
                Ok(Exchanged::Wrote) => {}
                Err(end) => return end,
            },
            () = sleep(ROOM_LOOK), if !room => {}
            records = screen.next(), if out.is_empty() => match records {
                Some(records) => out = records,
                None => return End::Done,
            },
        }
    }
}

/// Takes the records that are there, while there is room for what was typed.
fn take(decoder: &mut Decoder, screen: &mut Attached) -> Result<(), End> {
    while screen.has_room() {
        let Some(record) = decoder.next().map_err(|e| end_of(&ToolError::from(e)))? else { return Ok(()) };
        let record = pb::TermRecord::decode(record).map_err(|_| End::Invalid)?;
        match record.record {
            Some(Record::In(typed)) => screen.typed(typed.bytes),
            Some(Record::Resize(size)) => screen.resize(TermSize::clamped(size.cols, size.rows)),
            // An offset that cannot be was not sent either.
            Some(Record::Seen(seen)) => drop(Offset::new(seen.offset).map(|upto| screen.seen(upto))),
            // Of a newer version.
            None => {}
            Some(Record::Out(_) | Record::Snapshot(_) | Record::Exit(_) | Record::State(_)) => {
                return Err(End::Invalid);
            }
        }
    }
    Ok(())
}

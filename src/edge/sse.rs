//! Frames as server-sent events: the same reader, its records written as text.

use std::collections::VecDeque;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::Context;
use std::task::Poll;

use bytes::Bytes;
use vyre_proto::frame::Frame;
use vyre_proto::ids::LogId;
use vyre_proto::record;
use vyre_proto::sse;

use crate::session::Reader;

/// Bytes of text that go out in one piece. A frame as JSON is a few times as long as its record.
const PIECE: usize = 32 * 1024;

/// A reader on its way to its next records, and back with them.
type Next = Pin<Box<dyn Future<Output = (Box<Reader>, Option<Bytes>)> + Send>>;

/// One stream of events. Gives pieces of text until the reader ends.
pub struct EventStream {
    log: LogId,
    next: Option<Next>,
    /// Records that are not written as text yet. Text is made as it is taken, so that a stalled reader holds one piece.
    records: Bytes,
    ready: VecDeque<Bytes>,
}

impl fmt::Debug for EventStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventStream").field("log", &self.log).finish_non_exhaustive()
    }
}

impl EventStream {
    /// Events of this reader of this log.
    pub fn new(reader: Reader, log: LogId) -> Self {
        // A first line of its own: a proxy that waits for something has something.
        let ready = VecDeque::from([Bytes::from_static(b": vyre\n\n")]);
        Self { log, next: Some(advance(Box::new(reader))), records: Bytes::new(), ready }
    }

    /// The next piece of text; `None` at the end.
    pub fn poll_piece(&mut self, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        loop {
            if let Some(piece) = self.ready.pop_front() {
                return Poll::Ready(Some(piece));
            }
            if !self.records.is_empty() {
                if let Some(text) = self.write_some() {
                    return Poll::Ready(Some(text));
                }
                continue;
            }
            let Some(next) = &mut self.next else { return Poll::Ready(None) };
            let (reader, records) = std::task::ready!(next.as_mut().poll(cx));
            self.next = None;
            if let Some(records) = records {
                self.records = records;
                self.next = Some(advance(reader));
            }
        }
    }

    /// The next piece of text; `None` at the end. Cancel-safe.
    pub async fn piece(&mut self) -> Option<Bytes> {
        std::future::poll_fn(|cx| self.poll_piece(cx)).await
    }

    /// Writes records as text until a piece is full.
    fn write_some(&mut self) -> Option<Bytes> {
        let mut text = String::new();
        while text.len() < PIECE {
            let Some((whole, prefix)) = record::split(&self.records) else {
                self.records = Bytes::new();
                break;
            };
            let record = self.records.split_to(whole.len()).slice(prefix..);
            match Frame::decode(record).map_err(|e| e.to_string()) {
                Ok(frame) => {
                    if let Some(log) = log_of(&frame) {
                        self.log = log;
                    }
                    if let Err(error) = sse::write(&self.log, &frame, &mut text) {
                        tracing::error!(%error, "a frame cannot be written as JSON");
                    }
                }
                Err(error) => tracing::error!(%error, "a record of the log is not a frame"),
            }
        }
        (!text.is_empty()).then(|| text.into())
    }
}

fn advance(mut reader: Box<Reader>) -> Next {
    Box::pin(async move {
        let records = reader.next().await;
        (reader, records)
    })
}

/// The identity that a greeting or a reset names: places are in that log from here on.
fn log_of(frame: &Frame) -> Option<LogId> {
    use vyre_proto::pb::stream::frame::Data;
    match frame.get().data.as_ref()? {
        Data::Hello(hello) => hello.log.parse().ok(),
        Data::Reset(reset) => reset.log.parse().ok(),
        _ => None,
    }
}

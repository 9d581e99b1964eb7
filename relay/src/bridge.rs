//! Copies bytes both ways between a phone and a box, bounded, without reading them.
//!
//! One task does both directions of a stream; nothing stands between reading and writing but the pieces that were just
//! read, and nothing is read before they are taken. That is all the back-pressure there is: what a slow reader leaves
//! lying stays in the windows of the two connections, and the one who writes waits.
//!
//! Endings cross. On QUIC a FIN becomes a FIN, a reset a reset and a stop a stop, each with its bare code, and each
//! direction ends by itself. A reader that takes nothing for [`Terms::stall`] ends the whole stream with
//! [`End::Slow`], and so does one that is [`behind`] when memory is used up; it comes back with its cursor. When a
//! connection breaks, the other side is told so.
//!
//! There is no parser in here, and there must never be one.

pub mod behind;
mod gauge;
pub mod socket;

use std::array;
use std::ops::Deref;
use std::ops::DerefMut;
use std::pin::pin;
use std::time::Duration;

use bytes::Bytes;
use futures_util::FutureExt;
use quinn::ReadError;
use quinn::RecvStream;
use quinn::SendStream;
use quinn::StoppedError;
use quinn::VarInt;
use quinn::WriteError;
use tokio::time::Instant;
use tokio::time::sleep;
use tokio::time::sleep_until;
use vyre_proto::head::End;

use crate::bridge::behind::Readers;
use crate::metrics::Count;
use crate::metrics::Metrics;

/// Pieces that are read before they are written. A piece is what one packet brought, so this is some 20 KiB.
const BATCH: usize = 16;

/// A finished stream may take this many times the stall limit until its last byte is acknowledged: what is left then is
/// at most a window, and how much of it moves cannot be seen from here.
const DRAIN_STALLS: u32 = 4;

/// How often one looks, while the sink takes nothing, whether the source was reset meanwhile.
const RESET_LOOK: Duration = Duration::from_millis(100);

/// What a bridge has to know.
#[derive(Debug, Clone, Copy)]
pub struct Terms<'a> {
    /// A reader that takes no byte for so long is cut.
    pub stall: Duration,
    /// Where bytes and stalls are counted.
    pub metrics: &'a Metrics,
    /// Where those that are behind are counted.
    pub readers: &'a Readers,
}

/// The number of an end as quinn takes it.
pub fn code(end: End) -> VarInt {
    VarInt::from_u64(end.code()).unwrap_or(VarInt::MAX)
}

/// What a bare code says; a number that is not known is somebody's own business.
pub(crate) fn end_of(code: VarInt) -> End {
    End::from_code(code.into_inner()).unwrap_or(End::Cancelled)
}

/// The half that one writes to. Dropped, it is reset if anything is left to reset: quinn by itself would finish a
/// stream that is dropped, and a task that dies must not look like one that has said all.
#[derive(Debug)]
pub struct SendHalf {
    inner: SendStream,
    /// With what it is reset when it is dropped.
    pub end: End,
}

/// The half that one reads from. Dropped, it is stopped if anything is left to stop.
#[derive(Debug)]
pub struct RecvHalf {
    inner: RecvStream,
    /// With what it is stopped when it is dropped.
    pub end: End,
}

impl SendHalf {
    /// Resets it.
    pub fn cut(&mut self, end: End) {
        let _ = self.inner.reset(code(end));
    }

    /// Finishes it and waits until all of it is acknowledged, or for so long.
    pub async fn settle(&mut self, limit: Duration) {
        let _ = self.inner.finish();
        let _ = tokio::time::timeout(limit, self.inner.stopped()).await;
    }
}

impl Deref for SendHalf {
    type Target = SendStream;

    fn deref(&self) -> &SendStream {
        &self.inner
    }
}

impl DerefMut for SendHalf {
    fn deref_mut(&mut self) -> &mut SendStream {
        &mut self.inner
    }
}

impl Drop for SendHalf {
    fn drop(&mut self) {
        self.cut(self.end);
    }
}

impl Deref for RecvHalf {
    type Target = RecvStream;

    fn deref(&self) -> &RecvStream {
        &self.inner
    }
}

impl DerefMut for RecvHalf {
    fn deref_mut(&mut self) -> &mut RecvStream {
        &mut self.inner
    }
}

impl Drop for RecvHalf {
    fn drop(&mut self) {
        let _ = self.inner.stop(code(self.end));
    }
}

/// Both halves of a QUIC stream.
#[derive(Debug)]
pub struct Halves {
    /// Towards the other side.
    pub send: SendHalf,
    /// From it.
    pub recv: RecvHalf,
}

impl Halves {
    /// Takes both halves.
    pub fn new(send: SendStream, recv: RecvStream) -> Self {
        Self { send: SendHalf { inner: send, end: End::Restart }, recv: RecvHalf { inner: recv, end: End::Restart } }
    }

    /// Ends both directions at once.
    pub fn cut(&mut self, end: End) {
        self.cut_with(code(end));
    }

    fn cut_with(&mut self, code: VarInt) {
        let _ = self.send.reset(code);
        let _ = self.recv.stop(code);
    }
}

/// What ended both directions at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Broken {
    /// The connection that was read from.
    Source,
    /// The connection that was written to.
    Sink,
    /// The reader.
    Slow,
    /// The reader, because memory was used up.
    Shed,
}

/// Copies until both directions have ended, and says how. `box_lost` is asked what a phone is told when the connection
/// of its box breaks.
pub async fn quic(phone: &mut Halves, at_box: &mut Halves, terms: Terms<'_>, box_lost: impl Fn() -> End) -> End {
    let up = copy(&mut phone.recv, &mut at_box.send, terms, &terms.metrics.bytes_to_box);
    let down = copy(&mut at_box.recv, &mut phone.send, terms, &terms.metrics.bytes_from_box);
    let up = async { up.await.map_err(|b| (b, true)) };
    let down = async { down.await.map_err(|b| (b, false)) };
    match tokio::try_join!(up, down) {
        Ok((End::Done, down)) => down,
        Ok((up, _)) => up,
        Err((broken, upwards)) => {
            let end = match (broken, upwards) {
                (Broken::Slow, _) => {
                    terms.metrics.stalls.add_one();
                    End::Slow
                }
                (Broken::Shed, _) => End::Slow,
                (Broken::Source, true) | (Broken::Sink, false) => End::Lost,
                (Broken::Source, false) | (Broken::Sink, true) => box_lost(),
            };
            phone.cut(end);
            at_box.cut(end);
            end
        }
    }
}

/// One direction. `Ok`: it has ended, and the other goes on.
async fn copy(from: &mut RecvStream, to: &mut SendStream, terms: Terms<'_>, bytes: &Count) -> Result<End, Broken> {
    let Terms { stall, metrics, readers } = terms;
    let mut direction = readers.direction();
    let mut stopped = pin!(to.stopped());
    let mut pieces: [Bytes; BATCH] = array::from_fn(|_| Bytes::new());
    loop {
        // What is there is taken without waiting, and that alone would let nobody else run.
        tokio::task::consume_budget().await;
        let read = match from.read_chunks(&mut pieces).now_or_never() {
            Some(read) => read,
            None => {
                direction.caught_up();
                tokio::select! {
                    biased;
                    read = from.read_chunks(&mut pieces) => read,
                    stop = &mut stopped => return Ok(stop_both(from, to, stop.map_err(|_| Broken::Sink)?)),
                }
            }
        };
        let mut left = match read {
            Ok(Some(n)) => pieces.get_mut(..n).unwrap_or_default(),
            Ok(None) => break,
            Err(ReadError::Reset(code)) => {
                let _ = to.reset(code);
                return Ok(end_of(code));
            }
            Err(_) => return Err(Broken::Source),
        };
        let mut deadline = Instant::now() + stall;
        while !left.is_empty() {
            let written = match to.write_chunks(left).now_or_never() {
                Some(written) => written,
                None => {
                    direction.falls_behind();
                    tokio::select! {
                        biased;
                        written = to.write_chunks(left) => written,
                        () = direction.cut(metrics) => return Err(Broken::Shed),
                        () = sleep_until(deadline) => return Err(Broken::Slow),
                        () = sleep(RESET_LOOK) => match reset_of(from) {
                            Some(code) => {
                                let _ = to.reset(code);
                                return Ok(end_of(code));
                            }
                            None => continue,
                        },
                    }
                }
            };
            match written {
                Ok(written) => {
                    bytes.add(written.bytes as u64);
                    left = left.get_mut(written.chunks..).unwrap_or_default();
                    deadline = Instant::now() + stall;
                }
                Err(WriteError::Stopped(code)) => return Ok(stop_both(from, to, Some(code))),
                Err(_) => return Err(Broken::Sink),
            }
        }
    }
    let _ = to.finish();
    tokio::select! {
        () = direction.cut(metrics) => Err(Broken::Shed),
        stop = &mut stopped => match stop {
            Ok(None) => Ok(End::Done),
            Ok(code) => Ok(stop_both(from, to, code)),
            Err(StoppedError::ConnectionLost(_) | StoppedError::ZeroRttRejected) => Err(Broken::Sink),
        },
        () = sleep(stall * DRAIN_STALLS) => Err(Broken::Slow),
    }
}

/// The code of a reset that has come. What is buffered stays, and a connection that is gone is left for the next read to
/// find: what is in hand is delivered all the same.
///
/// This reads nothing rather than wait for `received_reset`. quinn remembers who waits for a stream until something
/// arrives on it; a wait that was given up after the last byte had come would be remembered until the connection ends,
/// with the whole task behind it.
fn reset_of(from: &mut RecvStream) -> Option<VarInt> {
    match pin!(from.read_chunk(0, true)).now_or_never() {
        Some(Err(ReadError::Reset(code))) => Some(code),
        _ => None,
    }
}

/// The sink wants no more: neither does this side of the source.
fn stop_both(from: &mut RecvStream, to: &mut SendStream, code: Option<VarInt>) -> End {
    let code = code.unwrap_or(VarInt::from_u32(0));
    let _ = to.reset(code);
    let _ = from.stop(code);
    end_of(code)
}

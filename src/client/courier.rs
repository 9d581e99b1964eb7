//! [`Courier`]: brings what waits in an outbox to the box, one write at a time, until each is answered.
//!
//! There is no task in it: whoever owns it polls [`Courier::next`] beside whatever else it does, and may drop that future
//! at any point. A call that hangs on a path that is gone is given up as soon as somebody says that a path is back
//! ([`Courier::path_is_back`]); the write's own id makes asking again harmless.

use std::future::Future;
use std::future::pending;
use std::pin::Pin;
use std::time::Duration;

use bytes::Bytes;
use tokio::time::Instant;
use tokio::time::sleep_until;
use tokio::time::timeout;
use vyre_proto::backoff::Backoff;
use vyre_proto::pb::stream::ErrorCode;

use super::CallError;
use super::Client;
use super::limits;
use super::outbox::Entry;
use super::outbox::Outbox;
use super::outbox::PutError;
use super::outbox::Verdict;
use super::outbox::Write;
use super::outbox::judge;

/// A call that has run for so long when a path comes back was sent into the path that broke.
const STALE: Duration = Duration::from_millis(500);

/// What became of the first write.
#[derive(Debug)]
pub enum Told {
    /// The box has done it.
    Done {
        /// What was asked.
        entry: Entry,
        /// The tool's answer.
        answer: Bytes,
    },
    /// The box will not do it. It no longer waits.
    Refused {
        /// What was asked.
        entry: Entry,
        /// Why.
        error: CallError,
    },
    /// It waits, and is asked again.
    Waits {
        /// Why.
        error: CallError,
    },
    /// The box does not know this person any more. All that waits is kept and nothing is asked until a nudge.
    Held,
}

struct Flight {
    number: u64,
    since: Instant,
    /// Whether it may have been asked before.
    again: bool,
    call: Pin<Box<dyn Future<Output = Result<Bytes, CallError>> + Send>>,
}

/// Brings writes to one box.
pub struct Courier {
    client: Client,
    outbox: Outbox,
    flight: Option<Flight>,
    /// Not before this.
    wait: Option<Instant>,
    backoff: Backoff,
    /// Answers that were no verdict, for the first write.
    tries: u32,
    /// Whether the box may have been asked for the first write already.
    asked: bool,
    held: bool,
}

impl Courier {
    /// For all that waits in this outbox.
    pub fn new(client: Client, outbox: Outbox) -> Courier {
        let backoff = Backoff::new(u64::from_le_bytes(client.clock.random()));
        // Nobody knows how far the program before this one came.
        let asked = outbox.first().is_some();
        Courier { client, outbox, flight: None, wait: None, backoff, tries: 0, asked, held: false }
    }

    /// What waits.
    pub fn outbox(&self) -> &Outbox {
        &self.outbox
    }

    /// Keeps a write; it goes when those before it are settled.
    ///
    /// # Errors
    /// If it is not kept.
    pub fn put(&mut self, write: Write) -> Result<u64, PutError> {
        self.outbox.put(write)
    }

    /// Takes a write back that the box was not asked for yet. `None`: it may have been, or it is gone.
    pub fn take_back(&mut self, number: u64) -> Option<Entry> {
        let is_first = self.outbox.first().is_some_and(|e| e.number == number);
        if is_first && (self.asked || self.flight.is_some()) {
            return None;
        }
        self.outbox.settle(number)
    }

    /// The person wants it now: nothing is waited for.
    pub fn nudge(&mut self) {
        self.held = false;
        self.wait = None;
        self.backoff.forget();
    }

    /// A path is there: nothing is waited for, and no call on a path that is gone.
    pub fn path_is_back(&mut self) {
        self.nudge();
        if self.flight.as_ref().is_some_and(|f| f.since.elapsed() > STALE) {
            self.flight = None;
        }
    }

    /// Sends, waits, sends again; gives what became of the first write. Never ready while nothing waits.
    pub async fn next(&mut self) -> Told {
        loop {
            if self.held {
                pending::<()>().await;
            }
            if let Some(at) = self.wait {
                sleep_until(at).await;
                self.wait = None;
            }
            let flight = match &mut self.flight {
                Some(flight) => flight,
                None => match self.outbox.first() {
                    None => pending().await,
                    Some(entry) => {
                        let (ways, write) = (self.client.ways.clone(), entry.write.clone());
                        let call = async move {
                            let key = (!write.key.is_empty()).then_some(write.key.as_str());
                            let answer = timeout(limits::CALL, ways.call(&write.tool, key, write.body)).await;
                            answer.map_err(|_| CallError::TimedOut)?
                        };
                        let again = std::mem::replace(&mut self.asked, true);
                        self.flight.insert(Flight {
                            number: entry.number,
                            since: Instant::now(),
                            again,
                            call: Box::pin(call),
                        })
                    }
                },
            };
            let (answer, number, again) = ((&mut flight.call).await, flight.number, flight.again);
            self.flight = None;
            if let Err(CallError::Unreachable(_)) = &answer {
                // Nothing was sent.
                self.asked = again;
            }
            if let Some(told) = self.answered(number, answer) {
                return told;
            }
        }
    }

    fn answered(&mut self, number: u64, answer: Result<Bytes, CallError>) -> Option<Told> {
        let error = match answer {
            Ok(answer) => {
                self.settled();
                return Some(Told::Done { entry: self.outbox.settle(number)?, answer });
            }
            Err(error) => error,
        };
        let tool = self.outbox.first().map(|e| e.write.tool.clone())?;
        match judge(&tool, self.tries, &error) {
            Verdict::Refused => {
                self.settled();
                Some(Told::Refused { entry: self.outbox.settle(number)?, error })
            }
            Verdict::Later(after) => {
                let answered = matches!(&error, CallError::Refused { code, .. } if *code != ErrorCode::RateLimited);
                self.tries += u32::from(answered);
                self.wait = Some(Instant::now() + self.backoff.next_wait().max(after));
                Some(Told::Waits { error })
            }
            Verdict::Hold => {
                self.held = true;
                Some(Told::Held)
            }
        }
    }

    fn settled(&mut self) {
        self.backoff.forget();
        (self.tries, self.asked) = (0, false);
    }
}

impl std::fmt::Debug for Courier {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Courier({} waiting)", self.outbox.waiting().count())
    }
}

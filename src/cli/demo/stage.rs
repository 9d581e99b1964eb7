//! [`Stage`]: from where a session is played: it publishes, paces, and knows when it is over.

use std::time::Duration;

use serde_json::Value;
use serde_json::json;
use tokio::sync::watch;
use tokio::time::Instant;
use tokio::time::sleep_until;
use vyre_proto::event::Event;

use crate::client::PublishFailed;
use crate::client::Publisher;
use crate::clock::Clock;

/// Why a session was not played to its end.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// The box took no more.
    #[error(transparent)]
    Publish(#[from] PublishFailed),
    /// An event is not valid.
    #[error("event {index} was refused: {message}")]
    Refused {
        /// Which, counted from 1.
        index: u64,
        /// Why.
        message: String,
    },
    /// An event could not be made.
    #[error("an event could not be made: {0}")]
    Event(#[from] vyre_proto::event::EventError),
    /// Something in the temporary folder.
    #[error("the temporary folder cannot be used: {0}")]
    Folder(#[from] std::io::Error),
}

/// Who plays, and how fast.
pub struct Stage {
    publisher: Publisher,
    clock: Clock,
    stop: watch::Receiver<bool>,
    /// Pauses are divided by this.
    speed: f64,
    /// When to come to an end.
    until: Option<Instant>,
    session: String,
    made: u64,
}

impl Stage {
    /// A stage that plays until it is stopped, or until `until`.
    pub fn new(publisher: Publisher, clock: Clock, stop: watch::Receiver<bool>, speed: f64) -> Self {
        Self { publisher, clock, stop, speed, until: None, session: String::new(), made: 0 }
    }

    /// Ends at this time.
    pub fn until(self, until: Option<Instant>) -> Self {
        Self { until, ..self }
    }

    /// Events made by [`Stage::tell`] belong to this session.
    pub fn in_session(self, session: &str) -> Self {
        Self { session: session.to_owned(), ..self }
    }

    /// Whether it is time to come to an end.
    pub fn is_over(&self) -> bool {
        *self.stop.borrow() || self.until.is_some_and(|t| Instant::now() >= t)
    }

    /// Waits, at this stage's speed. Shorter when it is over.
    pub async fn pause(&mut self, time: Duration) {
        self.rest_until(Instant::now() + time.div_f64(self.speed)).await;
    }

    /// Waits until then. Shorter when it is over.
    pub async fn rest_until(&mut self, then: Instant) {
        let then = self.until.map_or(then, |until| then.min(until));
        tokio::select! {
            () = sleep_until(then) => {}
            // Nobody is left who could stop it: it goes on by the clock.
            Ok(_) = self.stop.wait_for(|stop| *stop) => {}
        }
    }

    /// Publishes an event of this session that happens now.
    ///
    /// # Errors
    /// If it is not taken.
    pub async fn tell(&mut self, actor: &str, name: &str, data: Value) -> Result<(), PlayError> {
        self.made += 1;
        let mut event = json!({
            "id": format!("demo-{:06}", self.made),
            "name": name,
            "session": self.session,
            "time": self.clock.wall().0,
            "actor": actor,
            "data": data,
        });
        if actor != super::YOU {
            event["acts_for"] = json!(super::YOU);
        }
        self.publish(Event::from_json(event.to_string().as_bytes())?).await
    }

    /// Publishes an event.
    ///
    /// # Errors
    /// If it is not taken.
    pub async fn publish(&mut self, event: Event) -> Result<(), PlayError> {
        self.publisher.publish(event).await?;
        self.check()
    }

    /// Waits until everything is durable; gives how many events there were.
    ///
    /// # Errors
    /// If something was not taken.
    pub async fn finish(mut self) -> Result<u64, PlayError> {
        self.publisher.flush().await?;
        self.check()?;
        Ok(self.publisher.progress().settled)
    }

    fn check(&mut self) -> Result<(), PlayError> {
        match self.publisher.take_refused().into_iter().next() {
            Some(refused) => Err(PlayError::Refused { index: refused.index + 1, message: refused.message }),
            None => Ok(()),
        }
    }
}

//! A session from a file: its events in order, each at its own time, long silences shortened.

use std::fs::File;
use std::io;
use std::io::Read;
use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::json;
use tokio::time::Instant;
use vyre_proto::event::Event;
use vyre_proto::event::EventError;
use vyre_proto::ids::Author;
use vyre_proto::ids::AuthorKind;
use vyre_proto::ids::SessionId;
use vyre_proto::lines::Lines;
use vyre_proto::pb::stream::event::Data;

use crate::cli::demo::YOU;
use crate::cli::demo::stage::PlayError;
use crate::cli::demo::stage::Stage;

/// A silence is played as at most this much, before the speed counts.
const GAP_MAX: Duration = Duration::from_secs(1);

/// Events that are played from one file.
const EVENTS_MAX: usize = 1_000_000;

/// Why a file cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum ScoreError {
    /// It cannot be read.
    #[error("{path}: {source}")]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A line is no event.
    #[error("{path}, line {line}: {why}")]
    Line {
        /// The file.
        path: PathBuf,
        /// Counted from 1.
        line: u64,
        /// What is wrong with it.
        why: EventError,
    },
    /// A line is longer than an event may be.
    #[error("{path}, line {line}: longer than an event may be")]
    LongLine {
        /// The file.
        path: PathBuf,
        /// Counted from 1.
        line: u64,
    },
    /// Nothing in it.
    #[error("{path}: no events in it")]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// Too much in it.
    #[error("{path}: more than {EVENTS_MAX} events")]
    TooLong {
        /// The file.
        path: PathBuf,
    },
}

/// Events, each with the time at which it is played at speed 1.
#[derive(Debug)]
pub struct Score {
    events: Vec<(Duration, Event)>,
    session: SessionId,
    reader: Option<Author>,
}

impl Score {
    /// Reads a file.
    ///
    /// # Errors
    /// With the line, where one is broken.
    pub fn read(path: &Path) -> Result<Score, ScoreError> {
        let read = |source| ScoreError::Read { path: path.to_owned(), source };
        let mut file = File::open(path).map_err(read)?;
        let (mut lines, mut events) = (Lines::new(), Vec::new());
        let mut piece = vec![0; 64 * 1024];
        loop {
            let n = file.read(&mut piece).map_err(read)?;
            lines.push(&piece[..n]);
            while let Some(line) = lines.next() {
                take(path, line, &mut events)?;
            }
            if n == 0 {
                break;
            }
        }
        if let Some(line) = lines.finish() {
            take(path, line, &mut events)?;
        }
        Score::of(events).ok_or_else(|| ScoreError::Empty { path: path.to_owned() })
    }

    fn of(events: Vec<Event>) -> Option<Score> {
        let session = events.first()?.session().clone();
        let reader = events.iter().filter(|e| e.session() == session).find_map(person);
        let (mut at, mut before) = (Duration::ZERO, 0);
        let timed = |event: Event| {
            let time = event.get().time;
            if before > 0 && time > before {
                at += Duration::from_micros(time - before).min(GAP_MAX);
            }
            before = before.max(time);
            (at, event)
        };
        Some(Score { events: events.into_iter().map(timed).collect(), session, reader })
    }

    /// The session that is shown: the first in the file.
    pub fn session(&self) -> &SessionId {
        &self.session
    }

    /// A person who takes part in it.
    pub fn reader(&self) -> Option<&Author> {
        self.reader.as_ref()
    }

    /// How long it is at speed 1.
    pub fn length(&self) -> Duration {
        self.events.last().map_or(Duration::ZERO, |(at, _)| *at)
    }

    /// Plays it. `speed` as that of the stage. Where nobody takes part who could read it, one person joins after the first
    /// event.
    ///
    /// # Errors
    /// If an event is not taken.
    pub async fn play(self, stage: &mut Stage, speed: f64) -> Result<(), PlayError> {
        let begin = Instant::now();
        let mut joins = self.reader.is_none();
        for (at, event) in self.events {
            let due = begin + at.div_f64(speed);
            if due > Instant::now() {
                stage.rest_until(due).await;
            }
            if stage.is_over() {
                return Ok(());
            }
            stage.publish(event).await?;
            if std::mem::take(&mut joins) {
                stage.tell(YOU, "room.joined", json!({ "who": YOU })).await?;
            }
        }
        Ok(())
    }
}

fn take(path: &Path, line: vyre_proto::lines::Line, events: &mut Vec<Event>) -> Result<(), ScoreError> {
    let Some(bytes) = line.bytes else {
        return Err(ScoreError::LongLine { path: path.to_owned(), line: line.number });
    };
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Ok(());
    }
    if events.len() >= EVENTS_MAX {
        return Err(ScoreError::TooLong { path: path.to_owned() });
    }
    let event = Event::from_json(&bytes);
    events.push(event.map_err(|why| ScoreError::Line { path: path.to_owned(), line: line.number, why })?);
    Ok(())
}

/// A person who takes part by this event.
fn person(event: &Event) -> Option<Author> {
    let e = event.get();
    let joined = match &e.data {
        Some(Data::RoomJoined(joined)) => joined.who.as_str(),
        _ => "",
    };
    [e.actor.as_str(), e.acts_for.as_str(), joined]
        .into_iter()
        .filter_map(|text| Author::parse(text).ok())
        .find(|author| author.kind() == AuthorKind::Person)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(n: u64, time: u64, actor: &str) -> Event {
        let text = format!(
            r#"{{"id":"s.{n}","name":"thread.delta","session":"s","time":{time},"actor":"{actor}","data":{{"message":"m","text":"x"}}}}"#
        );
        Event::from_json(text.as_bytes()).unwrap()
    }

    #[test]
    fn silences_are_shortened_and_time_never_runs_back() {
        let times = [5_000_000, 5_200_000, 3_000_000, 5_300_000, 90_000_000];
        let events = times.iter().enumerate().map(|(n, t)| event(n as u64, *t, "assistant:a")).collect();

        let score = Score::of(events).unwrap();

        let at: Vec<_> = score.events.iter().map(|(at, _)| at.as_millis()).collect();
        assert_eq!(at, [0, 200, 200, 300, 1300]);
        assert_eq!(score.reader(), None);
    }

    #[test]
    fn the_reader_is_a_person_of_the_session() {
        let events = vec![event(1, 0, "assistant:a"), event(2, 0, "person:robin")];
        assert_eq!(Score::of(events).unwrap().reader().unwrap().as_str(), "person:robin");
    }

    #[test]
    fn a_broken_line_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.jsonl");
        let good = event(1, 1, "person:robin").to_json();
        std::fs::write(&path, format!("{good}\n\n{{\"id\":\n{good}")).unwrap();
        let wrong = Score::read(&path).unwrap_err();
        assert!(matches!(wrong, ScoreError::Line { line: 3, .. }), "{wrong}");

        std::fs::write(&path, "\n").unwrap();
        assert!(matches!(Score::read(&path).unwrap_err(), ScoreError::Empty { .. }));
    }
}

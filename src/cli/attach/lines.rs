//! Lines from something that is no terminal: each is said in the session, in order, by way of the outbox.

use std::io;
use std::io::Write as _;
use std::path::PathBuf;

use tokio::sync::mpsc::Receiver;
use vyre_proto::fold::Fold;
use vyre_proto::ids::SessionId;

use super::command;
use super::command::Writer;
use super::edit::TEXT_MAX;
use super::talk;
use super::text::clean_line;
use crate::cli::tty;
use crate::client::Client;
use crate::client::Courier;
use crate::client::Told;
use crate::client::outbox::MAX_ENTRIES;

/// Sends what is written to stdin.
pub(super) struct Lines {
    client: Client,
    session: SessionId,
    folder: Option<PathBuf>,
    input: Option<Receiver<Vec<u8>>>,
    buffer: Vec<u8>,
    /// Made with the first line: a program that writes nothing leaves nothing behind.
    courier: Option<Courier>,
}

impl Lines {
    /// Of stdin; of nothing where that is a terminal, or `read_only`.
    pub fn of_stdin(
        client: &Client,
        session: &SessionId,
        folder: Option<PathBuf>,
        read_only: bool,
    ) -> io::Result<Self> {
        let reads = !read_only && !io::IsTerminal::is_terminal(&io::stdin());
        let input = if reads { Some(tty::input()?) } else { None };
        Ok(Lines { client: client.clone(), session: session.clone(), folder, input, buffer: Vec::new(), courier: None })
    }

    /// A path is there.
    pub fn path_is_back(&mut self) {
        if let Some(courier) = &mut self.courier {
            courier.path_is_back();
        }
    }

    /// Goes on for ever. May be dropped at any point: nothing is lost.
    pub async fn run(&mut self) {
        loop {
            let waiting = self.courier.as_ref().map_or(0, |c| c.outbox().waiting().count());
            let reads = self.input.is_some() && waiting < MAX_ENTRIES / 2;
            tokio::select! {
                told = next(&mut self.courier) => report(told),
                bytes = receive(&mut self.input), if reads => self.take(bytes),
            }
        }
    }

    fn take(&mut self, bytes: Option<Vec<u8>>) {
        match bytes {
            Some(bytes) => self.buffer.extend_from_slice(&bytes),
            None => {
                self.input = None;
                // A last line needs no end.
                self.buffer.push(b'\n');
            }
        }
        let mut from = 0;
        while let Some(len) = self.buffer[from..].iter().position(|b| *b == b'\n') {
            let line = String::from_utf8_lossy(&self.buffer[from..from + len]).trim_end_matches('\r').to_owned();
            from += len + 1;
            self.send(&line);
        }
        self.buffer.drain(..from);
        if self.buffer.len() > TEXT_MAX {
            say("a line is too long and was not sent");
            self.buffer.clear();
        }
    }

    fn send(&mut self, line: &str) {
        if line.trim().is_empty() {
            return;
        }
        let courier = self.courier.get_or_insert_with(|| {
            let (outbox, note) = talk::outbox(&self.client, &self.session, self.folder.as_deref());
            if let Some(note) = note {
                say(&note);
            }
            Courier::new(self.client.clone(), outbox)
        });
        let write = Writer::new(&self.session, &Fold::new(), self.client.random()).send(line);
        if let Err(e) = courier.put(write) {
            say(&format!("a line was not sent: {e}"));
        }
    }
}

async fn next(courier: &mut Option<Courier>) -> Told {
    match courier {
        Some(courier) => courier.next().await,
        None => std::future::pending().await,
    }
}

async fn receive(input: &mut Option<Receiver<Vec<u8>>>) -> Option<Vec<u8>> {
    input.as_mut()?.recv().await
}

fn report(told: Told) {
    match told {
        Told::Done { .. } => {}
        Told::Refused { entry, error } => {
            let line = super::text::fit(&clean_line(&command::label(&entry.write)), 60);
            say(&format!("not sent: {line}: {error}"));
        }
        Told::Waits { error } => say(&format!("what was written waits: {error}")),
        Told::Held => say("the box does not know this token; what was written is kept"),
    }
}

fn say(text: &str) {
    let _ = writeln!(io::stderr(), "vyre: {}", clean_line(text));
}

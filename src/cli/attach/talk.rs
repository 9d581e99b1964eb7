//! A session on a terminal on which a person writes: rows above, one line about the stream, and below it the line that
//! they write in, which takes keys whatever the stream does.
//!
//! What is sent goes into the outbox and from there to the box. Until its row comes back in the stream it stands above the
//! line as not sent yet. A refusal is printed and stays. A stop is a write like any other: it goes after what was typed
//! before it.

use std::collections::HashSet;
use std::io;
use std::path::Path;
use std::time::Duration;

use prost::Message as _;
use rustix::process::Signal as KillSignal;
use tokio::sync::mpsc::Receiver;
use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio::time::sleep_until;
use tokio::time::timeout;
use vyre_proto::fold::people::Doing;
use vyre_proto::fold::people::People;
use vyre_proto::fold::row::UserMessage;
use vyre_proto::frame::Frame;
use vyre_proto::ids::Author;
use vyre_proto::ids::SessionId;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::frame::Data;
use vyre_proto::resume::Nudge;
use vyre_proto::resume::State;
use vyre_proto::tick::Tick;

use super::PAINT;
use super::REPLAY;
use super::SignalKind;
use super::Signals;
use super::Stop;
use super::View;
use super::command;
use super::command::Command;
use super::command::Me;
use super::command::Said;
use super::command::Writer;
use super::draw;
use super::draw::Line;
use super::draw::Style;
use super::edit::Editor;
use super::keys::Key;
use super::keys::Keys;
use super::on;
use super::screen::Footer;
use super::size;
use super::text;
use super::text::clean_line;
use crate::cli::Failure;
use crate::cli::tty;
use crate::cli::tty::Raw;
use crate::client::Client;
use crate::client::Courier;
use crate::client::Outbox;
use crate::client::Reading;
use crate::client::Told;
use crate::client::Update;
use crate::client::Write;

/// An escape that nothing followed for so long was pressed.
const ESCAPE: Duration = Duration::from_millis(60);

/// A second Ctrl-C within this leaves.
const AGAIN: Duration = Duration::from_secs(2);

/// A hint is shown for so long.
const HINT: Duration = Duration::from_secs(6);

/// Typing is told at most this often.
const TYPING: Duration = Duration::from_secs(3);

/// Who leaves waits no longer than this for what is on its way.
const LEAVE: Duration = Duration::from_secs(2);

/// Writes that are shown while they wait.
const WAITING_SHOWN: usize = 4;

/// Messages from here that are remembered as one's own.
const MINE_MAX: usize = 4096;

/// Whether the person stays.
#[derive(PartialEq, Eq)]
enum Next {
    Stay,
    Leave,
}

struct Talk {
    client: Client,
    session: SessionId,
    view: View,
    editor: Editor,
    keys: Keys,
    courier: Courier,
    people: People,
    mine: Mine,
    /// Answered, and their rows have not come yet: message and words.
    sent: Vec<(String, String)>,
    /// Why what waits does.
    waits: Option<String>,
    hint: Option<(String, Instant)>,
    leaving: Option<Instant>,
    typed: Option<Instant>,
    /// The message up to which it was told that this person has read.
    read: Option<String>,
    telling: JoinSet<()>,
    began: Instant,
}

/// Which messages are of the person who writes here.
#[derive(Default)]
struct Mine {
    ids: HashSet<String>,
    seen: HashSet<String>,
    /// Known once one of their messages has come back.
    me: Option<Author>,
}

impl Mine {
    fn typed(&mut self, id: String) {
        if self.ids.len() < MINE_MAX {
            self.ids.insert(id);
        }
    }
}

impl Me for Mine {
    fn is_mine(&self, author: Option<&Author>, message: &UserMessage) -> bool {
        match &self.me {
            Some(me) => author == Some(me),
            // Not known yet: the box refuses what is another's.
            None => self.ids.contains(message.message.as_str()) || command::is_person(author),
        }
    }
}

/// Reads and writes until the person leaves, or the box refuses for good.
pub(super) async fn talk(
    mut reading: Reading,
    client: &Client,
    session: &SessionId,
    folder: Option<&Path>,
) -> Result<(), Stop> {
    let mut signals = Signals::new()?;
    let mut resized = on(SignalKind::window_change())?;
    let mut hung_up = on(SignalKind::hangup())?;
    let mut quit = on(SignalKind::quit())?;
    let mut talk = Talk::new(client, session, folder);
    let mut raw = Some(Raw::enter(tty::LINE)?);
    let mut input: Option<Receiver<Vec<u8>>> = Some(tty::input()?);
    talk.paint()?;
    let mut paint_at: Option<Instant> = None;
    let mut painted = Instant::now();
    let mut escape_at: Option<Instant> = None;
    let ended = loop {
        let soon = painted + PAINT;
        tokio::select! {
            biased;
            () = signals.ended() => break None,
            _ = hung_up.recv() => break None,
            _ = quit.recv() => break None,
            _ = resized.recv() => {
                talk.view.screen.resize(size());
                reading.nudge(Nudge::Person);
                paint_at.get_or_insert(soon);
                continue;
            }
            bytes = receive(&mut input), if input.is_some() => {
                match bytes {
                    // The terminal is gone.
                    None => break None,
                    Some(bytes) => talk.keys.push(&bytes),
                }
                talk.tell_read();
                let mut next = Next::Stay;
                while let (Next::Stay, Some(key)) = (&next, talk.keys.next()) {
                    next = talk.press(key, &mut reading, &mut raw)?;
                }
                if next == Next::Leave {
                    break None;
                }
                escape_at = talk.keys.is_waiting().then(|| Instant::now() + ESCAPE);
                // Keys are seen at once.
                talk.paint()?;
                painted = Instant::now();
                paint_at = None;
                continue;
            }
            () = sleep_until(escape_at.unwrap_or(soon)), if escape_at.is_some() => {
                escape_at = None;
                if let Some(key) = talk.keys.quiet() {
                    talk.press(key, &mut reading, &mut raw)?;
                }
                paint_at.get_or_insert(soon);
                continue;
            }
            told = talk.courier.next() => {
                talk.told(told);
                paint_at.get_or_insert(soon);
                continue;
            }
            () = sleep_until(paint_at.unwrap_or(soon)), if paint_at.is_some() => {
                talk.paint()?;
                painted = Instant::now();
                paint_at = talk.changes_at();
                continue;
            }
            update = reading.next() => {
                let mut next = update;
                while let Some(update) = next {
                    talk.take(update);
                    next = reading.take_ready();
                }
            }
        }
        if let State::Ended(end) = &talk.view.state {
            break Some(Failure::Run(clean_line(&end.to_string())));
        }
        let wait = if talk.view.fold.last() < talk.view.replay { REPLAY } else { PAINT };
        let due = painted + wait;
        paint_at = Some(paint_at.map_or(due, |t| if wait == PAINT { t.min(due) } else { t }));
    };
    if ended.is_none() {
        talk.finish().await;
    }
    talk.view.paint("", true)?;
    drop(raw);
    talk.say_what_waits();
    match ended {
        None => Ok(()),
        Some(failure) => Err(Stop::Failed(failure)),
    }
}

async fn receive(input: &mut Option<Receiver<Vec<u8>>>) -> Option<Vec<u8>> {
    input.as_mut()?.recv().await
}

/// The outbox of this session in this folder; in memory, with the reason, where it cannot be had.
pub(super) fn outbox(client: &Client, session: &SessionId, folder: Option<&Path>) -> (Outbox, Option<String>) {
    let owner = client.owner(session);
    let Some(folder) = folder else {
        return (
            Outbox::in_memory(),
            Some("there is no folder for what you type: it is kept in memory alone".to_owned()),
        );
    };
    match Outbox::open(&folder.join(owner.file_name()), owner) {
        Ok((outbox, None)) => (outbox, None),
        Ok((outbox, Some(damage))) => {
            let note =
                format!("a part of the outbox could not be read; it was put aside as {}", damage.aside.display());
            (outbox, Some(note))
        }
        Err(e) => (Outbox::in_memory(), Some(format!("what you type is kept in memory alone: {e}"))),
    }
}

impl Talk {
    fn new(client: &Client, session: &SessionId, folder: Option<&Path>) -> Talk {
        let (outbox, note) = outbox(client, session, folder);
        let mut talk = Talk {
            client: client.clone(),
            session: session.clone(),
            view: View::new(session.as_str()),
            editor: Editor::default(),
            keys: Keys::default(),
            courier: Courier::new(client.clone(), outbox),
            people: People::new(),
            mine: Mine::default(),
            sent: Vec::new(),
            waits: None,
            hint: None,
            leaving: None,
            typed: None,
            read: None,
            telling: JoinSet::new(),
            began: Instant::now(),
        };
        let before: Vec<String> =
            talk.courier.outbox().waiting().filter_map(|e| Some(command::words(&e.write)?.message)).collect();
        before.into_iter().for_each(|id| talk.mine.typed(id));
        if let Some(note) = note {
            talk.view.screen.note(Style::Ask, &format!("! {}", clean_line(&note)));
        }
        talk
    }

    /// Time for what fades; its start means nothing.
    fn now(&self) -> Tick {
        Tick::default() + self.began.elapsed()
    }

    fn take(&mut self, update: Update) {
        match &update {
            Update::Frame(frame) => self.frame(frame),
            Update::State { state: State::Live { .. }, .. } => {
                self.waits = None;
                self.courier.path_is_back();
            }
            Update::State { .. } | Update::Missing(_) => {}
        }
        self.view.take(update);
    }

    fn frame(&mut self, frame: &Frame) {
        self.people.take(&self.session, frame, self.now());
        let f = frame.get();
        if let Some(Data::UserMessage(_)) = &f.data
            && self.mine.ids.contains(&f.message)
        {
            self.mine.seen.insert(f.message.clone());
            self.mine.me = Author::parse(&f.author).ok().or(self.mine.me.take());
            self.sent.retain(|(id, _)| *id != f.message);
        }
    }

    fn told(&mut self, told: Told) {
        match told {
            Told::Done { entry, answer } => {
                self.waits = None;
                match entry.write.tool.as_str() {
                    "stream.send" => {
                        if let Some(said) = command::words(&entry.write)
                            && !self.mine.seen.contains(&said.message)
                        {
                            self.sent.push((said.message, said.text));
                        }
                    }
                    "threads.branch" => {
                        if let Ok(branch) = pb::ThreadsAnswer::decode(answer) {
                            let text = format!("── a branch: vyre attach {} ──", clean_line(&branch.session));
                            self.view.screen.note(Style::Good, &text);
                        }
                    }
                    _ => {}
                }
            }
            Told::Refused { entry, error } => {
                self.waits = None;
                self.print(Style::Bad, &format!("✗ not done: {}", clean_line(&error.to_string())));
                self.print(Style::Dim, &text::clean(&command::label(&entry.write)));
            }
            Told::Waits { error } => self.waits = Some(clean_line(&error.to_string())),
            Told::Held => self.waits = Some("the box does not know your token; what you typed is kept".to_owned()),
        }
    }

    /// Prints text of several lines, whole.
    fn print(&mut self, style: Style, text: &str) {
        let width = self.view.screen.width().saturating_sub(2).max(10);
        for line in text.split('\n') {
            let mut from = 0;
            for end in text::wrap(line, width) {
                self.view.screen.line_above(vec![(style, format!("  {}", &line[from..end]))]);
                from = end;
            }
        }
    }

    fn hint(&mut self, text: impl Into<String>) {
        self.hint = Some((text.into(), Instant::now() + HINT));
    }

    fn press(&mut self, key: Key, reading: &mut Reading, raw: &mut Option<Raw>) -> io::Result<Next> {
        let was_leaving = self.leaving.take().is_some_and(|until| Instant::now() < until);
        match &key {
            Key::Enter => return Ok(self.enter(reading)),
            Key::Interrupt if !self.editor.text().is_empty() => {
                self.editor.take();
                self.hint("Up brings it back");
            }
            Key::Interrupt | Key::Eof if self.editor.text().is_empty() => {
                let lost = !self.courier.outbox().is_kept() && self.courier.outbox().first().is_some();
                if was_leaving || (key == Key::Eof && !lost) {
                    return Ok(Next::Leave);
                }
                self.leaving = Some(Instant::now() + AGAIN);
                self.hint(if lost { "what waits would be lost: once more leaves" } else { "Ctrl-C again leaves" });
            }
            Key::Eof => self.editor.press(&Key::Delete),
            Key::Escape => {
                let stop = self.writer().stop();
                let stops = self.courier.outbox().waiting().any(|e| e.write == stop);
                if !stops && self.put(stop, reading) {
                    self.hint("stop");
                }
            }
            Key::Suspend => {
                self.view.paint("", false)?;
                *raw = None;
                let _ = rustix::process::kill_process(rustix::process::getpid(), KillSignal::TSTP);
                // Here the program goes on when it is woken.
                *raw = Some(Raw::enter(tty::LINE)?);
                self.view.screen.resize(size());
                self.view.screen.forget_shown();
                reading.nudge(Nudge::Wake);
            }
            Key::Redraw => self.view.screen.forget_shown(),
            key => {
                self.editor.press(key);
                if matches!(key, Key::Text(_) | Key::Paste(_)) && !self.editor.text().starts_with('/') {
                    self.tell_typing();
                }
            }
        }
        Ok(Next::Stay)
    }

    fn writer(&self) -> Writer<'_> {
        Writer::new(&self.session, &self.view.fold, self.client.random())
    }

    /// Does what the line says. What cannot be kept stays in the line.
    fn enter(&mut self, reading: &mut Reading) -> Next {
        let line = self.editor.text().to_owned();
        let write = match command::read(&line) {
            Said::Nothing => {
                self.editor.take();
                return Next::Stay;
            }
            Said::Wrong(why) => {
                self.hint(why);
                return Next::Stay;
            }
            Said::Words(words) => Ok(self.writer().send(&words)),
            Said::Do(Command::Quit) => return Next::Leave,
            Said::Do(Command::Help) => {
                self.editor.take();
                command::HELP.iter().for_each(|line| self.view.screen.note(Style::Dim, line));
                return Next::Stay;
            }
            Said::Do(Command::TakeBack) if self.take_back_unsent(reading) => return Next::Stay,
            Said::Do(Command::Edit(text)) if text.is_empty() => {
                match self.writer().last_said(&self.mine).map(|u| format!("/edit {}", u.text)) {
                    Some(line) => self.editor.set(&line),
                    None => self.hint("you have said nothing here that could be edited"),
                }
                return Next::Stay;
            }
            Said::Do(Command::Stop) => Ok(self.writer().stop()),
            Said::Do(Command::TakeBack) => self.writer().take_back(&self.mine),
            Said::Do(Command::Edit(text)) => self.writer().edit(&self.mine, &text),
            Said::Do(Command::Retry) => self.writer().retry(&self.mine),
            Said::Do(Command::Branch(title)) => self.writer().branch(&title),
            Said::Do(Command::React(emoji, on)) => self.writer().react(&emoji, on),
            Said::Do(Command::Answer(answer)) => self.writer().answer(&answer),
        };
        match write {
            Ok(write) => {
                if self.put(write, reading) {
                    self.editor.take();
                }
            }
            Err(why) => self.hint(why),
        }
        Next::Stay
    }

    /// Takes back the newest message of the outbox: into the line, where it has not left this machine.
    fn take_back_unsent(&mut self, reading: &mut Reading) -> bool {
        let newest = self.courier.outbox().waiting().rev().find_map(|e| Some((e.number, command::words(&e.write)?)));
        let Some((number, said)) = newest else { return false };
        self.editor.take();
        let Some(entry) = self.courier.take_back(number) else {
            // The box may have it: it is asked for it and then asked to forget it.
            let back = self.writer().take_back_of(&said.message);
            self.put(back, reading);
            return true;
        };
        if let Some(said) = command::words(&entry.write) {
            self.editor.set(&said.text);
        }
        self.hint("it was not sent");
        true
    }

    fn put(&mut self, write: Write, reading: &mut Reading) -> bool {
        let id = command::words(&write).map(|s| s.message);
        match self.courier.put(write) {
            Ok(_) => {
                if let Some(id) = id {
                    self.mine.typed(id);
                }
                self.courier.nudge();
                reading.nudge(Nudge::Person);
                self.typed = None;
                true
            }
            Err(e) => {
                self.hint(clean_line(&e.to_string()));
                false
            }
        }
    }

    /// Others see that somebody types. Where that does not arrive nothing is lost.
    fn tell_typing(&mut self) {
        if self.typed.is_some_and(|t| t.elapsed() < TYPING) || !self.can_tell() {
            return;
        }
        self.typed = Some(Instant::now());
        let (session, state) = (self.session.to_string(), pb::PresenceState::Typing.into());
        let typing = pb::StreamPresence { session, state, doing: String::new() };
        self.tell::<pb::StreamPresent>("stream.presence", typing);
    }

    /// Who presses a key has seen what is on the screen. A replay alone is seen by nobody.
    fn tell_read(&mut self) {
        if self.view.fold.last() < self.view.replay || !self.can_tell() {
            return;
        }
        let Some(upto) = self.writer().last_message().filter(|m| self.read.as_ref() != Some(m)) else { return };
        self.read = Some(upto.clone());
        self.tell::<pb::StreamReadAnswer>("stream.read", pb::StreamRead { session: self.session.to_string(), upto });
    }

    /// Whether something may be told that is worth nothing later: one at a time, and only on a path that is there.
    fn can_tell(&mut self) -> bool {
        while self.telling.try_join_next().is_some() {}
        self.telling.is_empty() && matches!(self.view.state, State::Live { .. })
    }

    fn tell<A: prost::Message + Default>(&mut self, tool: &'static str, what: impl prost::Message + 'static) {
        let client = self.client.clone();
        self.telling.spawn(async move { drop(timeout(TYPING, client.call::<A>(tool, &what)).await) });
    }

    /// When something fades that is shown.
    fn changes_at(&self) -> Option<Instant> {
        let hint = self.hint.as_ref().map(|(_, until)| *until);
        let fade = self.people.fades_at().map(|t| self.began + t.since(Tick::default()));
        hint.into_iter().chain(fade).min()
    }

    fn paint(&mut self) -> io::Result<()> {
        let now = Instant::now();
        if self.hint.as_ref().is_some_and(|(_, until)| *until <= now) {
            self.hint = None;
        }
        let tick = self.now();
        self.people.fade(tick);
        let footer = self.footer();
        self.view.draw(&footer, false)
    }

    fn footer(&self) -> Footer {
        let (width, height) = (self.view.screen.width(), self.view.screen.height());
        let mut lines = self.waiting_lines(width);
        lines.push(self.view.status(&self.beside()));
        let drawn = self.editor.draw(width, (height / 3).clamp(1, 8));
        let cursor = (lines.len() + drawn.cursor.0, drawn.cursor.1);
        lines.extend(drawn.lines);
        // On a terminal of a few lines the line that is written in matters most.
        let over = lines.len().saturating_sub(height.saturating_sub(2).max(1));
        Footer { cursor: Some((cursor.0.saturating_sub(over), cursor.1)), lines: lines.split_off(over) }
    }

    fn waiting_lines(&self, width: usize) -> Vec<Line> {
        let is_shown = |w: &Write| command::words(w).is_none_or(|s| !self.mine.seen.contains(&s.message));
        let waiting =
            self.courier.outbox().waiting().filter(|e| is_shown(&e.write)).map(|e| (false, command::label(&e.write)));
        let all: Vec<(bool, String)> = self.sent.iter().map(|(_, text)| (true, text.clone())).chain(waiting).collect();
        let hidden = all.len().saturating_sub(WAITING_SHOWN);
        let mut lines: Vec<Line> = Vec::new();
        if hidden > 0 {
            lines.push(vec![(Style::Dim, format!("  … {hidden} more"))]);
        }
        for (sent, label) in all.into_iter().skip(hidden) {
            let mark = if sent { "  ✓ " } else { "  ⧗ not sent yet: " };
            let label = text::fit(&clean_line(&label), width.saturating_sub(text::columns(mark)));
            lines.push(vec![(Style::Ask, mark.to_owned()), (Style::Dim, label)]);
        }
        lines
    }

    /// What the line about the stream says beside it.
    fn beside(&self) -> String {
        if let Some((hint, _)) = &self.hint {
            return clean_line(hint);
        }
        if let Some(why) = self.waits.as_ref().filter(|_| self.courier.outbox().first().is_some()) {
            return why.clone();
        }
        let (mut typing, mut others) = (Vec::new(), Vec::new());
        for (who, doing) in self.people.present(self.now()).filter(|(who, _)| Some(*who) != self.mine.me.as_ref()) {
            match doing {
                Doing::Typing => typing.push(draw::name(who)),
                Doing::Else(what) => others.push(format!("{}: {}", draw::name(who), clean_line(what))),
            }
        }
        match typing.as_slice() {
            [] => {}
            [one] => others.insert(0, format!("{one} types")),
            many => others.insert(0, format!("{} type", many.join(", "))),
        }
        others.join(" · ")
    }

    /// What is on its way gets a moment.
    async fn finish(&mut self) {
        let until = Instant::now() + LEAVE;
        while self.courier.outbox().first().is_some() && matches!(self.view.state, State::Live { .. }) {
            tokio::select! {
                told = self.courier.next() => match told {
                    Told::Done { .. } | Told::Refused { .. } => self.told(told),
                    Told::Waits { .. } | Told::Held => return,
                },
                () = sleep_until(until) => return,
            }
        }
    }

    fn say_what_waits(&self) {
        let waits = self.courier.outbox().waiting().count();
        if waits == 0 {
            return;
        }
        let what = if waits == 1 { "1 message is".to_owned() } else { format!("{waits} messages are") };
        let text = if self.courier.outbox().is_kept() {
            format!("vyre: {what} not sent yet; attach to {} again and they go", self.session)
        } else {
            format!("vyre: {what} not sent, and not kept")
        };
        let _ = io::Write::write_fmt(&mut io::stderr(), format_args!("{text}\n"));
    }
}

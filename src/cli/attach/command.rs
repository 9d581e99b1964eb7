//! What a line means that a person sends: words, or a command, and which write that is. Pure.

use prost::Message as _;
use vyre_proto::fold::Fold;
use vyre_proto::fold::row::Ask;
use vyre_proto::fold::row::Body;
use vyre_proto::fold::row::UserMessage;
use vyre_proto::ids::Author;
use vyre_proto::ids::AuthorKind;
use vyre_proto::ids::SessionId;
use vyre_proto::pb::stream as pb;

use crate::client::Write;

/// The commands, as `/help` shows them.
pub const HELP: &[&str] = &[
    "Enter sends · Alt-Enter begins a new line · Esc stops the work · Ctrl-D leaves",
    "/stop               stop the work",
    "/take-back          take back your newest message that waits",
    "/edit TEXT          say your last message anew; what came after it no longer counts",
    "/retry              have your last message answered once more",
    "/branch [TITLE]     begin a session of its own with all up to here",
    "/react EMOJI        put an emoji on the last message; -EMOJI takes it off",
    "/answer TEXT or N   answer the open question, in words or by the number of an option",
    "/quit               leave · a line that begins with // is sent with one /",
];

/// A line, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Said {
    /// Nothing.
    Nothing,
    /// Words for the session.
    Words(String),
    /// Something to do.
    Do(Command),
    /// It begins like a command and is none: why.
    Wrong(String),
}

/// What a person wants done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Show the commands.
    Help,
    /// Stop the work.
    Stop,
    /// Take back the newest message that waits.
    TakeBack,
    /// Say the last message anew; with no words, to be written in the line.
    Edit(String),
    /// Have the last message answered once more.
    Retry,
    /// Begin a branch.
    Branch(String),
    /// An emoji on the last message, or off it.
    React(String, bool),
    /// Answer the open question.
    Answer(String),
    /// Leave.
    Quit,
}

/// Reads a line.
pub fn read(line: &str) -> Said {
    let line = line.trim_end();
    if line.trim().is_empty() {
        return Said::Nothing;
    }
    let Some(rest) = line.strip_prefix('/') else { return Said::Words(line.to_owned()) };
    if rest.starts_with('/') {
        return Said::Words(rest.to_owned());
    }
    let (name, rest) = rest.split_once(char::is_whitespace).map_or((rest, ""), |(n, r)| (n, r.trim()));
    let command = match (name, rest) {
        ("help" | "?", _) => Command::Help,
        ("stop", "") => Command::Stop,
        ("take-back", "") => Command::TakeBack,
        ("edit", text) => Command::Edit(text.to_owned()),
        ("retry", "") => Command::Retry,
        ("branch", title) => Command::Branch(title.to_owned()),
        ("react", "") => return Said::Wrong("/react needs an emoji".to_owned()),
        ("react", emoji) => match emoji.strip_prefix('-') {
            Some(off) => Command::React(off.trim().to_owned(), false),
            None => Command::React(emoji.to_owned(), true),
        },
        ("answer", "") => return Said::Wrong("/answer needs your answer".to_owned()),
        ("answer", answer) => Command::Answer(answer.to_owned()),
        ("quit" | "exit", "") => Command::Quit,
        ("stop" | "take-back" | "retry" | "quit" | "exit", _) => {
            return Said::Wrong(format!("/{name} stands alone; // sends a line that begins with a slash"));
        }
        _ => {
            return Said::Wrong(
                "there is no such command: /help shows all; // sends a line that begins with a slash".to_owned(),
            );
        }
    };
    Said::Do(command)
}

/// The person who writes, as far as it is known, and which messages came from here.
pub trait Me {
    /// Whether this row is theirs.
    fn is_mine(&self, author: Option<&Author>, message: &UserMessage) -> bool;
}

/// Makes writes for one session.
pub struct Writer<'a> {
    session: &'a SessionId,
    fold: &'a Fold,
    /// A new id: it is made when a person acts, so that asking again is the same.
    id: String,
}

impl<'a> Writer<'a> {
    /// With an id that nobody else has.
    pub fn new(session: &'a SessionId, fold: &'a Fold, random: [u8; 16]) -> Self {
        Writer { session, fold, id: id(random) }
    }

    fn write(&self, tool: &str, key: &str, request: &impl prost::Message) -> Write {
        Write { tool: tool.to_owned(), key: key.to_owned(), body: request.encode_to_vec().into() }
    }

    /// Words for the session.
    pub fn send(&self, text: &str) -> Write {
        let (session, message) = (self.session.to_string(), self.id.clone());
        let text = text.to_owned();
        self.write("stream.send", "", &pb::StreamSend { session, message, text, ..Default::default() })
    }

    /// Stop the work.
    pub fn stop(&self) -> Write {
        self.write("stream.stop", "", &pb::StreamStop { session: self.session.to_string() })
    }

    /// Take back the newest message of theirs that waits at the box.
    pub fn take_back(&self, me: &impl Me) -> Result<Write, String> {
        let message = self.newest(|author, u| u.state == pb::UserState::Queued && me.is_mine(author, u));
        Ok(self.take_back_of(message.ok_or("nothing of yours waits any more")?.message.as_str()))
    }

    /// Take back this message.
    pub fn take_back_of(&self, message: &str) -> Write {
        let (session, message) = (self.session.to_string(), message.to_owned());
        self.write("stream.unqueue", "", &pb::StreamUnqueue { session, message })
    }

    /// The last message that a person could say anew.
    pub fn last_said(&self, me: &impl Me) -> Option<&'a UserMessage> {
        self.newest(|author, u| {
            matches!(u.state, pb::UserState::Said | pb::UserState::PickedUp) && me.is_mine(author, u)
        })
    }

    /// Say it anew.
    pub fn edit(&self, me: &impl Me, text: &str) -> Result<Write, String> {
        let last = self.last_said(me).ok_or("you have said nothing here that could be edited")?;
        let (session, message) = (self.session.to_string(), last.message.to_string());
        let request = pb::ThreadsEditRetry { session, message, text: text.to_owned() };
        Ok(self.write("threads.edit-retry", &self.id, &request))
    }

    /// Have it answered once more.
    pub fn retry(&self, me: &impl Me) -> Result<Write, String> {
        let last = self.last_said(me).ok_or("you have said nothing here that could be answered again")?;
        let (session, message) = (self.session.to_string(), last.message.to_string());
        Ok(self.write("threads.retry", &self.id, &pb::ThreadsRetry { session, message }))
    }

    /// A session of its own with all up to the last message.
    pub fn branch(&self, title: &str) -> Result<Write, String> {
        let message = self.last_message().ok_or("there is no message yet at which a branch could leave")?;
        let request = pb::ThreadsBranch { session: self.session.to_string(), message, title: title.to_owned() };
        Ok(self.write("threads.branch", &self.id, &request))
    }

    /// An emoji on the last message, or off it.
    pub fn react(&self, emoji: &str, on: bool) -> Result<Write, String> {
        let message = self.last_message().ok_or("there is no message yet")?;
        let request = pb::StreamReact { session: self.session.to_string(), message, emoji: emoji.to_owned(), on };
        Ok(self.write("stream.react", "", &request))
    }

    /// Answer the newest question that is open. A number is the option in that place.
    pub fn answer(&self, answer: &str) -> Result<Write, String> {
        let ask = self.open_ask().ok_or("no question is open")?;
        let option = answer.parse::<usize>().ok().and_then(|n| ask.options.get(n.checked_sub(1)?));
        let answer = option.map_or(answer, String::as_str).to_owned();
        let request = pb::AskAnswer { session: self.session.to_string(), ask: ask.ask.clone(), answer };
        Ok(self.write("ask.answer", "", &request))
    }

    fn open_ask(&self) -> Option<&'a Ask> {
        self.fold.rows().iter().rev().find_map(|row| match &row.body {
            Body::Ask(ask) if ask.answer.is_none() => Some(ask),
            _ => None,
        })
    }

    fn newest(&self, is: impl Fn(Option<&Author>, &UserMessage) -> bool) -> Option<&'a UserMessage> {
        self.fold.rows().iter().rev().find_map(|row| match &row.body {
            Body::UserMessage(u) if is(row.author.as_ref(), u) => Some(u),
            _ => None,
        })
    }

    /// The newest message of anybody.
    pub fn last_message(&self) -> Option<String> {
        self.fold.rows().iter().rev().find_map(|row| match &row.body {
            Body::UserMessage(u) if u.state != pb::UserState::Cancelled => Some(u.message.to_string()),
            Body::Message(m) => Some(m.message.to_string()),
            _ => None,
        })
    }
}

/// An id for a message or a key.
pub fn id(random: [u8; 16]) -> String {
    format!("m-{}", data_encoding::BASE32_NOPAD.encode(&random).to_ascii_lowercase())
}

/// What a write is, for the person who made it: its words, or what it does.
pub fn label(write: &Write) -> String {
    match write.tool.as_str() {
        "stream.send" => words(write).map(|s| s.text).unwrap_or_default(),
        "stream.stop" => "/stop".to_owned(),
        "stream.unqueue" => "/take-back".to_owned(),
        "stream.react" => "/react".to_owned(),
        "ask.answer" => {
            let answer = pb::AskAnswer::decode(write.body.clone()).map(|a| a.answer).unwrap_or_default();
            format!("/answer {answer}")
        }
        "threads.edit-retry" => {
            let text = pb::ThreadsEditRetry::decode(write.body.clone()).map(|e| e.text).unwrap_or_default();
            format!("/edit {text}")
        }
        "threads.retry" => "/retry".to_owned(),
        "threads.branch" => "/branch".to_owned(),
        other => other.to_owned(),
    }
}

/// The message of a `stream.send`.
pub fn words(write: &Write) -> Option<pb::StreamSend> {
    (write.tool == "stream.send").then(|| pb::StreamSend::decode(write.body.clone()).ok()).flatten()
}

/// Whether these words could have been said by a person here; an assistant's cannot be edited.
pub fn is_person(author: Option<&Author>) -> bool {
    author.is_none_or(|a| a.kind() == AuthorKind::Person)
}

#[cfg(test)]
mod tests {
    use vyre_proto::frame::Frame;
    use vyre_proto::pb::stream::frame::Data;

    use super::*;

    struct Robin;

    impl Me for Robin {
        fn is_mine(&self, author: Option<&Author>, _: &UserMessage) -> bool {
            author.is_some_and(|a| a.as_str() == "person:robin")
        }
    }

    fn fold(frames: &[(&str, &str, Data)]) -> Fold {
        let mut fold = Fold::new();
        for (n, (author, message, data)) in frames.iter().enumerate() {
            let frame = pb::Frame {
                v: 1,
                cur: n as u64 + 1,
                author: (*author).into(),
                message: (*message).into(),
                data: Some(data.clone()),
                ..Default::default()
            };
            fold.apply(&Frame::check(frame).unwrap());
        }
        fold
    }

    fn user(text: &str, state: pb::UserState) -> Data {
        Data::UserMessage(pb::UserMessage { text: text.into(), state: state.into(), ..Default::default() })
    }

    #[test]
    fn a_line_is_words_unless_it_begins_with_one_slash() {
        assert_eq!(read("  "), Said::Nothing);
        assert_eq!(read("a /stop"), Said::Words("a /stop".into()));
        assert_eq!(read("//etc/hosts"), Said::Words("/etc/hosts".into()));
        assert_eq!(read("/stop "), Said::Do(Command::Stop));
        assert_eq!(read("/edit one\ntwo"), Said::Do(Command::Edit("one\ntwo".into())));
        assert_eq!(read("/react -👍"), Said::Do(Command::React("👍".into(), false)));
        for wrong in ["/etc/hosts", "/stop it", "/react", "/answer ", "/Stop"] {
            assert!(matches!(read(wrong), Said::Wrong(_)), "{wrong}");
        }
        for line in HELP.iter().filter(|l| l.starts_with('/')) {
            let name = line.split_whitespace().next().unwrap();
            assert!(matches!(read(&format!("{name} x")), Said::Do(_)) || matches!(read(name), Said::Do(_)), "{name}");
        }
    }

    #[test]
    fn what_is_taken_back_edited_and_answered_is_ones_own_and_the_newest() {
        let fold = fold(&[
            ("person:robin", "m1", user("one", pb::UserState::Said)),
            ("person:ana", "m2", user("two", pb::UserState::Said)),
            ("person:robin", "m3", user("three", pb::UserState::Queued)),
            ("person:ana", "m4", user("four", pb::UserState::Queued)),
            (
                "assistant:h",
                "",
                Data::Ask(pb::Ask { ask: "q1".into(), question: "?".into(), options: vec!["yes".into(), "no".into()] }),
            ),
            ("person:ana", "", Data::AskAnswered(pb::AskAnswered { ask: "q0".into(), answer: "x".into() })),
        ]);
        let session = SessionId::parse("s").unwrap();
        let writer = Writer::new(&session, &fold, [7; 16]);

        let back = pb::StreamUnqueue::decode(writer.take_back(&Robin).unwrap().body).unwrap();
        assert_eq!(back.message, "m3");
        let edit = writer.edit(&Robin, "anew").unwrap();
        assert_eq!(pb::ThreadsEditRetry::decode(edit.body).unwrap().message, "m1");
        assert!(!edit.key.is_empty());
        let answer = pb::AskAnswer::decode(writer.answer("2").unwrap().body).unwrap();
        assert_eq!((answer.ask.as_str(), answer.answer.as_str()), ("q1", "no"));
        assert_eq!(pb::AskAnswer::decode(writer.answer("3").unwrap().body).unwrap().answer, "3");
        let empty = Fold::new();
        let nothing = Writer::new(&session, &empty, [7; 16]);
        assert!(nothing.take_back(&Robin).is_err() && nothing.answer("x").is_err() && nothing.retry(&Robin).is_err());
    }

    #[test]
    fn every_send_has_an_id_of_its_own_from_the_start() {
        let (session, fold) = (SessionId::parse("s").unwrap(), Fold::new());
        let id = |n: u8| words(&Writer::new(&session, &fold, [n; 16]).send("x")).unwrap().message;
        assert_ne!(id(1), id(2));
        assert_eq!(id(1), id(1));
    }
}

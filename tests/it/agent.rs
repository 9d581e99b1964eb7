//! Assistants that the box runs: the example agent as a process of its own, driven by what persons send over sockets.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::path::PathBuf;
use std::process::Child;
use std::process::Command;
use std::process::Stdio;
use std::sync::OnceLock;
use std::time::Duration;
use std::time::Instant;

use serde_json::json;
use tempfile::TempDir;
use tokio::time::sleep;
use tokio::time::timeout;
use vyre_proto::fold::Fold;
use vyre_proto::fold::row::Ask;
use vyre_proto::fold::row::Body;
use vyre_proto::fold::row::Call;
use vyre_proto::fold::row::CallState;
use vyre_proto::fold::row::Message;
use vyre_proto::fold::row::MessageState;
use vyre_proto::frame::Frame;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::UserState;
use vyre_proto::pb::stream::block::Kind;
use vyre_proto::pb::stream::frame::Data;
use vyre_stream::clock::Clock;
use vyre_stream::config::AssistantSettings;
use vyre_stream::config::Settings;
use vyre_stream::config::StreamSettings;

use crate::common::Screen;
use crate::common::TestBox;
use crate::common::started;

/// Nothing that a test waits for takes this long.
const LIMIT: Duration = Duration::from_secs(30);

/// The example agent. Cargo builds it beside these tests, unless it was told to build one of them alone.
fn program() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let agent = TestBox::program().parent().unwrap().join("examples/agent");
        let changed = |path: &Path| fs::metadata(path).and_then(|m| m.modified()).ok();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/agent.rs");
        if changed(&agent) < changed(&source) {
            let build = ["build", "--quiet", "-p", env!("CARGO_PKG_NAME"), "--example", "agent"];
            assert!(Command::new(env!("CARGO")).args(build).status().unwrap().success());
        }
        agent
    })
}

fn helper() -> AssistantSettings {
    AssistantSettings { command: vec![program().display().to_string()], ..Default::default() }
}

fn with(helper: AssistantSettings) -> Settings {
    Settings { assistants: BTreeMap::from([("helper".to_owned(), helper)]), ..Default::default() }
}

/// A box with session `s`, the helper in it, and a screen of robin's that shows everything.
struct Stage {
    b: TestBox,
    token: String,
    screen: Screen,
    fold: Fold,
    frames: Vec<Frame>,
}

impl Stage {
    async fn start(helper: AssistantSettings) -> Stage {
        let b = TestBox::start_with(with(helper), Clock::system()).await;
        b.publish(&[started("s")]).await;
        Stage::on(b).await
    }

    async fn on(b: TestBox) -> Stage {
        let token = b.person("robin");
        let ticket = b.ticket(&token, "s").await;
        let screen = Screen::open(b.http(), &ticket, "").await;
        Stage { b, token, screen, fold: Fold::new(), frames: Vec::new() }
    }

    /// The same folder under a new box, as it is on disk at this moment: the old one is gone like in a power cut.
    async fn power_cut(self, settings: Settings) -> Stage {
        // What was shown may be on its way to the disk still.
        let sessions = self.b.daemon().tools().sessions();
        let shown = sessions.submit(Vec::new()).await;
        sessions.wait_durable(shown.commit).await.unwrap();
        let copy = tempfile::tempdir().unwrap();
        for file in ["vyre.redb", "vyre.keys", "box.key"] {
            fs::copy(self.b.folder().join(file), copy.path().join(file)).unwrap();
        }
        fs::create_dir(copy.path().join("agents")).unwrap();
        for file in fs::read_dir(self.b.folder().join("agents")).unwrap() {
            let file = file.unwrap();
            fs::copy(file.path(), copy.path().join("agents").join(file.file_name())).unwrap();
        }
        drop(self);
        Stage::on(TestBox::start_in(copy, settings, Clock::system()).await).await
    }

    async fn send(&self, message: &str, text: &str) {
        let body = json!({ "session": "s", "message": message, "text": text });
        let reply = self.b.call(&self.token, "stream.send", body).await;
        assert_eq!(reply.status, 200, "{}", reply.text());
    }

    async fn stop(&self) {
        let reply = self.b.call(&self.token, "stream.stop", json!({ "session": "s" })).await;
        assert_eq!(reply.status, 200, "{}", reply.text());
    }

    async fn answer(&self, ask: &str, answer: &str) {
        let body = json!({ "session": "s", "ask": ask, "answer": answer });
        let reply = self.b.call(&self.token, "ask.answer", body).await;
        assert_eq!(reply.status, 200, "{}", reply.text());
    }

    /// Reads on until the screen shows this.
    async fn until(&mut self, what: &str, shows: impl Fn(&Fold) -> bool) {
        let read = async {
            while !shows(&self.fold) {
                let frame = self.screen.next().await.unwrap_or_else(|code| panic!("{what}: ended with {code}"));
                self.fold.apply(&frame);
                self.frames.push(frame);
            }
        };
        let read = timeout(LIMIT, read).await;
        assert!(read.is_ok(), "never shown: {what}\n{}", shown(&self.fold));
    }

    /// Reads on until the work is in this state, and was not before.
    async fn until_state(&mut self, state: &str, times: usize) {
        let count = |frames: &[Frame]| {
            let of = |f: &&Frame| matches!(&f.get().data, Some(Data::Status(s)) if s.state == state);
            frames.iter().filter(of).count()
        };
        let read = async {
            while count(&self.frames) < times {
                let frame = self.screen.next().await.unwrap();
                self.fold.apply(&frame);
                self.frames.push(frame);
            }
        };
        let read = timeout(LIMIT, read).await;
        assert!(read.is_ok(), "never {state} {times} times\n{}", shown(&self.fold));
    }

    fn messages(&self) -> Vec<&Message> {
        self.fold
            .rows()
            .iter()
            .filter_map(|r| match &r.body {
                Body::Message(m) => Some(m),
                _ => None,
            })
            .collect()
    }

    /// All words of the assistant.
    fn words(&self) -> String {
        self.messages().iter().map(|m| m.text.text()).collect()
    }

    fn calls(&self) -> Vec<&Call> {
        self.fold
            .rows()
            .iter()
            .filter_map(|r| match &r.body {
                Body::Call(c) => Some(&**c),
                _ => None,
            })
            .collect()
    }

    fn states(&self) -> Vec<String> {
        let state = |f: &Frame| match &f.get().data {
            Some(Data::Status(s)) => Some(s.state.clone()),
            _ => None,
        };
        self.frames.iter().filter_map(state).collect()
    }

    fn notes(&self) -> Vec<String> {
        let note = |f: &Frame| match &f.get().data {
            Some(Data::Status(s)) if !s.note.is_empty() && s.state != "started" => Some(s.note.clone()),
            _ => None,
        };
        self.frames.iter().filter_map(note).collect()
    }
}

fn asks(fold: &Fold) -> Vec<&Ask> {
    fold.rows()
        .iter()
        .filter_map(|r| match &r.body {
            Body::Ask(a) => Some(a),
            _ => None,
        })
        .collect()
}

fn user_state(fold: &Fold, message: &str) -> Option<UserState> {
    fold.rows().iter().find_map(|r| match &r.body {
        Body::UserMessage(u) if u.message.as_str() == message => Some(u.state),
        _ => None,
    })
}

fn said(words: &str) -> impl Fn(&Fold) -> bool + use<> {
    let words = words.to_owned();
    move |fold| fold.rows().iter().any(|r| matches!(&r.body, Body::Message(m) if m.text.text().contains(&words)))
}

/// What a screen shows, for the eye of whoever looks into a failed test.
fn shown(fold: &Fold) -> String {
    let line = |b: &Body| match b {
        Body::Message(m) => format!("message {} {}: {:?}", m.message, m.state.name(), m.text.text()),
        Body::UserMessage(u) => format!("user {} {:?}: {:?}", u.message, u.state, u.text),
        Body::Call(c) => format!("call {} {}: {:?}", c.tool, c.state.name(), c.block),
        Body::Ask(a) => format!("ask {:?}: {:?}", a.question, a.answer.as_ref().map(|a| &a.answer)),
        Body::Status(s) => format!("status {} {:?}", s.state, s.note),
        _ => "something else".to_owned(),
    };
    fold.rows().iter().map(|r| line(&r.body) + "\n").collect()
}

/// The processes in whose environment this stands.
fn marked(mark: &str) -> Vec<String> {
    let pids = fs::read_dir("/proc").unwrap().filter_map(|e| e.unwrap().file_name().into_string().ok());
    let of = |pid: &String| {
        let environ = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environ.windows(mark.len()).any(|w| w == mark.as_bytes())
    };
    pids.filter(|p| p.bytes().all(|b| b.is_ascii_digit())).filter(of).collect()
}

async fn gone(mark: &str) {
    let begun = Instant::now();
    while !marked(mark).is_empty() {
        assert!(begun.elapsed() < LIMIT, "left behind: {:?}", marked(mark));
        sleep(Duration::from_millis(20)).await;
    }
}

fn marks(name: &str) -> (String, AssistantSettings) {
    let (key, value) = ("MARK_OF_A_TEST", format!("{name}-{}", std::process::id()));
    let helper = AssistantSettings { env: BTreeMap::from([(key.to_owned(), value.clone())]), ..helper() };
    (format!("{key}={value}"), helper)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_is_answered_word_by_word_with_the_thinking_behind_it() {
    let mut s = Stage::start(helper()).await;

    s.send("u1", "think about it\necho hello big world").await;
    s.until_state("idle", 1).await;

    let message = s.messages()[0].clone();
    assert_eq!((message.text.text(), message.thinking.text()), ("hello big world\n", "about it"));
    assert_eq!(message.state, MessageState::Done);
    assert_eq!(s.states(), ["started", "working", "idle"]);
    assert_eq!(user_state(&s.fold, "u1"), Some(UserState::PickedUp));
    let deltas = s.frames.iter().map(Frame::get).filter(|f| matches!(f.data, Some(Data::TextDelta(_))));
    let deltas: Vec<_> = deltas.collect();
    assert!(deltas.len() >= 5, "{}", deltas.len());
    assert!(deltas.iter().all(|f| f.author == "assistant:helper" && f.acts_for == "person:robin"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_runs_in_the_folder_of_the_session_and_is_shown_as_a_terminal() {
    let mut s = Stage::start(helper()).await;

    s.send("u1", "run pwd; echo on the way; exit 4\necho after").await;
    s.until_state("idle", 1).await;

    let call = s.calls()[0].clone();
    assert_eq!((call.tool.as_str(), call.state), ("shell", CallState::Failed));
    let Some(Kind::Terminal(terminal)) = call.block.and_then(|b| b.kind) else { panic!("{}", shown(&s.fold)) };
    assert_eq!(terminal.command, "pwd; echo on the way; exit 4");
    let folder = s.b.folder().join("work/s").canonicalize().unwrap();
    assert_eq!(terminal.output, format!("{}\non the way\n", folder.display()));
    assert_eq!(terminal.exit, Some(4));
    assert_eq!(call.terms[0].exit, Some(4));
    assert!(call.progress.text().contains("on the way"));
    assert_eq!(s.words(), "after\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_was_written_is_shown_as_a_change() {
    let mut s = Stage::start(helper()).await;

    s.send("u1", "write list.txt milk\nwrite list.txt bread").await;
    s.until_state("idle", 1).await;

    let diffs = s.calls().iter().map(|c| c.block.clone().unwrap().kind.unwrap()).collect::<Vec<_>>();
    let [Kind::Diff(new), Kind::Diff(changed)] = &diffs[..] else { panic!("{diffs:?}") };
    assert_eq!((new.path.as_str(), new.patch.as_str(), new.added), ("list.txt", "+milk\n", 1));
    assert_eq!((changed.added, changed.removed), (1, 1));
    let changes = s.fold.rows().iter().filter_map(|r| match &r.body {
        Body::FileChanged(f) => Some((f.path.clone(), f.change())),
        _ => None,
    });
    let want = [pb::Change::Added, pb::Change::Modified].map(|c| ("list.txt".to_owned(), c));
    assert_eq!(changes.collect::<Vec<_>>(), want);
    assert_eq!(fs::read_to_string(s.b.folder().join("work/s/list.txt")).unwrap(), "bread\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plan_is_shown_as_tasks_each_time_that_it_changes() {
    let mut s = Stage::start(helper()).await;

    s.send("u1", "plan shop, cook").await;
    s.until_state("idle", 1).await;

    let plans: Vec<Vec<String>> = s
        .calls()
        .iter()
        .map(|c| match c.block.clone().and_then(|b| b.kind) {
            Some(Kind::Task(t)) => t.items.into_iter().map(|i| i.state).collect(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(plans, [["in_progress", "pending"], ["completed", "in_progress"], ["completed", "completed"]]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_an_agent_wants_to_be_allowed_is_a_question_that_a_person_answers() {
    let mut s = Stage::start(helper()).await;

    for (n, (answer, words)) in
        [("Allow", "It was allowed."), ("reject", "It was not allowed."), ("what?", "not allowed")]
            .into_iter()
            .enumerate()
    {
        s.send(&format!("u{n}"), "ask Delete everything?").await;
        s.until("the question", |fold| asks(fold).len() == n + 1).await;
        let ask = asks(&s.fold)[n].clone();
        assert_eq!(
            (ask.question.as_str(), &ask.options[..]),
            ("Delete everything?", &["Allow".into(), "Reject".into()][..])
        );
        s.answer(&ask.ask, answer).await;
        s.until_state("idle", n + 1).await;
        assert!(s.messages()[n].text.text().contains(words), "{answer}: {}", shown(&s.fold));
        let answered = asks(&s.fold)[n].answer.clone().unwrap();
        assert_eq!((answered.answer.as_str(), answered.by.unwrap().as_str()), (answer, "person:robin"));
    }
    assert_eq!(
        s.calls().iter().map(|c| c.state).collect::<Vec<_>>(),
        [CallState::Ok, CallState::Failed, CallState::Failed]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_that_nobody_answers_in_time_is_closed_and_allows_nothing() {
    let mut s = Stage::start(AssistantSettings { ask_seconds: Some(1), ..helper() }).await;

    s.send("u1", "ask May I?").await;
    s.until_state("idle", 1).await;

    assert_eq!(asks(&s.fold)[0].answer.as_ref().unwrap().answer, "nobody answered in time");
    assert_eq!(s.words(), "Nobody said.\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_owner_who_decided_once_is_not_asked_again() {
    for (mode, words) in [("allow", "It was allowed.\n"), ("deny", "It was not allowed.\n")] {
        let mut s = Stage::start(AssistantSettings { mode: Some(mode.to_owned()), ..helper() }).await;

        s.send("u1", "ask May I?").await;
        s.until_state("idle", 1).await;

        assert_eq!(s.words(), words);
        assert!(asks(&s.fold)[0].answer.is_some());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_ends_the_work_and_what_it_left_in_the_background_and_keeps_the_words() {
    let mut s = Stage::start(helper()).await;

    s.send("u1", "echo so far\nrun setsid sh -c 'while :; do echo x >> counter; sleep 0.02; done' & sleep 60").await;
    let counter = s.b.folder().join("work/s/counter");
    let counted = || fs::metadata(&counter).map_or(0, |m| m.len());
    s.until("the call", |fold| fold.rows().iter().any(|r| matches!(&r.body, Body::Call(_)))).await;
    let begun = Instant::now();
    while counted() < 10 {
        assert!(begun.elapsed() < LIMIT);
        sleep(Duration::from_millis(10)).await;
    }
    s.stop().await;
    s.until_state("stopped", 1).await;
    let at_stop = counted();

    assert_eq!(s.states(), ["started", "working", "stopping", "stopped"]);
    assert_eq!(s.words(), "so far\n");
    assert_eq!(s.calls()[0].state, CallState::Failed);
    sleep(Duration::from_millis(200)).await;
    assert_eq!(counted(), at_stop, "something still counts");

    s.send("u2", "echo again").await;
    s.until_state("idle", 1).await;
    assert_eq!(s.words(), "so far\nagain\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_in_the_middle_of_a_message_cuts_it_there() {
    let mut s = Stage::start(helper()).await;

    s.send("u1", "echo so far\nwait 60\necho never").await;
    s.until("the words", said("so far")).await;
    s.stop().await;
    s.until_state("stopped", 1).await;

    let message = s.messages()[0].clone();
    assert_eq!((message.text.text(), message.state), ("so far\n", MessageState::Cut));
    assert_eq!(message.note.as_deref(), Some("stopped"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_closes_an_open_question() {
    let mut s = Stage::start(helper()).await;

    s.send("u1", "ask May I?").await;
    s.until("the question", |fold| asks(fold).len() == 1).await;
    s.stop().await;
    s.until_state("stopped", 1).await;

    assert_eq!(asks(&s.fold)[0].answer.as_ref().unwrap().answer, "cancelled");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_that_does_not_stop_is_ended_and_comes_again_with_the_next_message() {
    let (mark, helper) = marks("hangs");
    let mut s = Stage::start(helper).await;

    s.send("u1", "echo so far\nhang").await;
    s.until("the words", said("so far")).await;
    let before = marked(&mark);
    s.stop().await;
    s.until_state("stopped", 1).await;

    assert!(before.iter().all(|pid| !marked(&mark).contains(pid)));
    s.send("u2", "echo again").await;
    s.until_state("idle", 1).await;
    assert!(s.words().ends_with("again\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_sent_while_it_works_is_taken_between_two_turns_in_order() {
    let mut s = Stage::start(helper()).await;

    s.send("u1", "echo one\nwait 0.5\necho two").await;
    s.until("the words", said("one")).await;
    s.send("u2", "echo three").await;
    s.send("u3", "echo never").await;
    s.send("u4", "echo four").await;
    s.until("the queue", |fold| user_state(fold, "u4") == Some(UserState::Queued)).await;
    let back = s.b.call(&s.token, "stream.unqueue", json!({ "session": "s", "message": "u3" })).await;
    assert_eq!(back.status, 200, "{}", back.text());
    s.until_state("idle", 2).await;

    let words: Vec<_> = s.messages().iter().map(|m| m.text.text().to_owned()).collect();
    assert_eq!(words, ["one\ntwo\n", "three\nfour\n"]);
    for (message, state) in [("u2", UserState::PickedUp), ("u3", UserState::Cancelled), ("u4", UserState::PickedUp)] {
        assert_eq!(user_state(&s.fold, message), Some(state), "{message}");
    }
    let cursor = |is: &dyn Fn(&pb::Frame) -> bool| s.frames.iter().map(Frame::get).find(|f| is(f)).unwrap().cur;
    let idle = cursor(&|f| matches!(&f.data, Some(Data::Status(s)) if s.state == "idle"));
    let taken = cursor(&|f| {
        f.message == "u2" && matches!(&f.data, Some(Data::UserMessage(u)) if u.state() == UserState::PickedUp)
    });
    assert!(taken > idle, "taken at {taken}, in the middle of the turn that ended at {idle}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_waits_at_a_stop_stays_until_somebody_sends_again() {
    let mut s = Stage::start(helper()).await;

    s.send("u1", "echo one\nwait 60").await;
    s.until("the words", said("one")).await;
    s.send("u2", "echo two").await;
    s.stop().await;
    s.until_state("stopped", 1).await;
    sleep(Duration::from_millis(300)).await;
    s.send("u3", "echo three").await;
    s.until_state("idle", 1).await;

    let words: Vec<_> = s.messages().iter().map(|m| m.text.text().to_owned()).collect();
    assert_eq!(words, ["one\n", "two\nthree\n"]);
    let taken = |f: &Frame| matches!(&f.get().data, Some(Data::UserMessage(u)) if u.state() == UserState::PickedUp);
    let first = s.frames.iter().position(|f| f.get().message == "u2" && taken(f)).unwrap();
    let third = s.frames.iter().position(|f| f.get().message == "u3").unwrap();
    assert!(third < first, "what was left by the stop began by itself");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crash_is_shown_and_the_agent_comes_again() {
    let mut s = Stage::start(helper()).await;

    s.send("u1", "echo so far\ncrash").await;
    s.until_state("failed", 1).await;

    assert_eq!(s.notes(), ["the assistant's program ended with exit code 3"]);
    assert_eq!((s.messages()[0].text.text(), s.messages()[0].state), ("so far\n", MessageState::Cut));
    s.send("u2", "echo again").await;
    s.until_state("idle", 1).await;
    assert!(s.words().ends_with("again\n"));
    assert_eq!(s.words().matches("so far").count(), 1, "a prompt was given twice");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_that_cannot_be_started_is_told_of_and_what_waits_is_dropped_in_the_end() {
    for command in [vec!["false".to_owned()], vec!["/no/such/program".to_owned()], vec!["sleep".into(), "60".into()]] {
        let settings = Settings {
            stream: StreamSettings { resume_wait_seconds: Some(2), ..Default::default() },
            ..with(AssistantSettings { command: command.clone(), ..Default::default() })
        };
        let b = TestBox::start_with(settings, Clock::system()).await;
        b.publish(&[started("s")]).await;
        let mut s = Stage::on(b).await;

        s.send("u1", "echo hello").await;
        s.until("the end of the wait", |fold| fold.status().is_some_and(|s| s.note == "couldn't resume, ask again"))
            .await;

        assert_eq!(user_state(&s.fold, "u1"), Some(UserState::PickedUp), "{command:?}");
        assert!(s.states().iter().filter(|s| *s == "failed").count() <= 2, "{command:?}: {:?}", s.notes());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_waits_between_attempts_to_start_grow() {
    let folder = tempfile::tempdir().unwrap();
    let count = folder.path().join("count");
    let script = format!("echo x >> {}; exit 1", count.display());
    let command = ["sh", "-c", &script].map(str::to_owned).to_vec();
    let settings = Settings {
        stream: StreamSettings { resume_wait_seconds: Some(5), ..Default::default() },
        ..with(AssistantSettings { command, ..Default::default() })
    };
    let b = TestBox::start_with(settings, Clock::system()).await;
    b.publish(&[started("s")]).await;
    let mut s = Stage::on(b).await;

    s.send("u1", "echo hello").await;
    s.until("the end of the wait", |fold| fold.status().is_some_and(|s| s.note == "couldn't resume, ask again")).await;

    // At once, and after one, three and seven seconds: the last is too late.
    let attempts = fs::read_to_string(&count).unwrap().lines().count();
    assert!((2..=3).contains(&attempts), "{attempts}");
}

#[tokio::test(flavor = "multi_thread")]
async fn each_session_has_a_process_of_its_own_and_an_idle_box_has_none() {
    let (mark, helper) = marks("sessions");
    let mut s = Stage::start(helper).await;
    s.b.publish(&[started("t")]).await;
    assert_eq!(marked(&mark), Vec::<String>::new());

    s.send("u1", "echo $$\nwait 30").await;
    s.until("the words", said("$$")).await;
    let one = marked(&mark).len();
    let body = json!({ "session": "t", "message": "u1", "text": "echo there" });
    assert_eq!(s.b.call(&s.token, "stream.send", body).await.status, 200);
    let begun = Instant::now();
    while marked(&mark).len() != 2 * one {
        assert!(begun.elapsed() < LIMIT, "{:?}", marked(&mark));
        sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_box_that_stops_says_what_it_broke_off_and_leaves_no_process() {
    let (mark, helper) = marks("stops");
    let mut s = Stage::start(helper.clone()).await;
    s.send("u1", "echo so far\nrun setsid sleep 600 & sleep 600").await;
    s.until("the call", |fold| fold.rows().iter().any(|r| matches!(&r.body, Body::Call(_)))).await;

    let folder = s.b.stop().await;

    assert_eq!(marked(&mark), Vec::<String>::new());
    let mut s = Stage::on(TestBox::start_in(folder, with(helper), Clock::system()).await).await;
    s.until_state("failed", 1).await;
    assert_eq!((s.calls()[0].state, s.messages()[0].state), (CallState::Failed, MessageState::Done));
    assert!(s.notes()[0].contains("the box stopped"));
}

/// `vyre serve` in a process of its own.
struct Served {
    child: Child,
    data: TempDir,
    ready: serde_json::Value,
}

impl Served {
    fn start(data: TempDir, config: &str) -> Served {
        use std::io::BufRead;
        let file = data.path().join("vyre.toml");
        fs::write(&file, config).unwrap();
        let mut child = Command::new(TestBox::program())
            .args(["serve", "--json", "--quic", "off", "--http", "127.0.0.1:0", "--config"])
            .arg(&file)
            .arg("--data")
            .arg(data.path().join("data"))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        std::io::BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        Served { child, data, ready: serde_json::from_str(&line).unwrap() }
    }

    fn token(&self, who: [&str; 2]) -> String {
        let made = Command::new(TestBox::program())
            .args(["token", "--data"])
            .arg(self.data.path().join("data"))
            .args(who)
            .output()
            .unwrap();
        String::from_utf8(made.stdout).unwrap().trim().to_owned()
    }

    async fn post(&self, token: &str, kind: &str, tool: &str, body: &str) {
        let addr = self.ready["http"].as_str().unwrap().parse().unwrap();
        let auth = format!("Bearer {token}");
        let headers = [("authorization", auth.as_str()), ("content-type", kind)];
        let reply = crate::common::http(addr, "POST", &format!("/v1/tools/{tool}"), &headers, body.as_bytes()).await;
        assert_eq!(reply.status, 200, "{}", reply.text());
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_box_that_is_killed_leaves_no_process_whatever_its_agents_do() {
    for (n, script) in ["hang", "run setsid sleep 600 & sleep 600", "flood 100000000"].into_iter().enumerate() {
        let mark = format!("killed-{n}-{}", std::process::id());
        let config = format!(
            "[assistants.helper]\ncommand = ['{}']\nenv = {{ MARK_OF_A_TEST = '{mark}' }}\n",
            program().display()
        );
        let mark = format!("MARK_OF_A_TEST={mark}");
        let mut served = Served::start(tempfile::tempdir().unwrap(), &config);
        let (robin, producer) = (served.token(["--person", "robin"]), served.token(["--producer", "p"]));
        served.post(&producer, "application/x-ndjson", "events.publish", &started("s")).await;
        let body = json!({ "session": "s", "message": "u1", "text": script }).to_string();
        served.post(&robin, "application/json", "stream.send", &body).await;
        let begun = Instant::now();
        let want = if script.starts_with("run") { 4 } else { 2 };
        while marked(&mark).len() < want {
            assert!(begun.elapsed() < LIMIT, "{script}: {:?}", marked(&mark));
            sleep(Duration::from_millis(10)).await;
        }

        served.child.kill().unwrap();

        gone(&mark).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_power_cut_what_was_open_is_ended_and_what_waited_is_answered() {
    let mut s = Stage::start(helper()).await;
    s.send("u1", "echo so far\nask May I?").await;
    s.until("the question", |fold| asks(fold).len() == 1).await;
    s.send("u2", "echo after it").await;
    s.until("the queue", |fold| user_state(fold, "u2") == Some(UserState::Queued)).await;

    let mut s = s.power_cut(with(helper())).await;
    s.until_state("idle", 1).await;

    assert_eq!(asks(&s.fold)[0].answer.as_ref().unwrap().answer, "cancelled");
    assert_eq!(s.calls()[0].state, CallState::Failed);
    let states = s.states();
    assert_eq!(states, ["started", "working", "failed", "working", "idle"]);
    assert_eq!(s.messages().last().unwrap().text.text(), "after it\n");
    assert_eq!(user_state(&s.fold, "u2"), Some(UserState::PickedUp));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_that_keeps_conversations_goes_on_with_its_own_and_says_nothing_twice() {
    let memory = tempfile::tempdir().unwrap();
    let env = BTreeMap::from([("AGENT_MEMORY".to_owned(), memory.path().display().to_string())]);
    let helper = AssistantSettings { env, ..helper() };
    let mut s = Stage::start(helper.clone()).await;
    s.send("u1", "echo one").await;
    s.until_state("idle", 1).await;

    let mut s = s.power_cut(with(helper)).await;
    s.send("u2", "remember").await;
    s.until_state("idle", 2).await;

    assert_eq!(s.words(), "one\n2 asked so far\n");
    assert_eq!(s.notes(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_that_begins_anew_says_that_it_does_not_remember() {
    let mut s = Stage::start(helper()).await;
    s.send("u1", "echo one").await;
    s.until_state("idle", 1).await;

    let mut s = s.power_cut(with(helper())).await;
    s.send("u2", "echo two").await;
    s.until_state("idle", 2).await;

    assert!(s.notes().contains(&"it does not remember what was said here before".to_owned()), "{:?}", s.notes());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_is_shown_whole_and_can_be_stopped() {
    let mut s = Stage::start(helper()).await;

    s.send("u1", "flood 3000").await;
    s.until_state("idle", 1).await;
    let words = s.words();
    assert_eq!(words.lines().count(), 3000);
    assert!(words.lines().enumerate().all(|(n, l)| l.starts_with(&format!("line {n} "))));

    s.send("u2", "flood 100000000").await;
    s.until("the flood", |fold| fold.rows().len() > 1).await;
    s.stop().await;
    s.until_state("stopped", 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_result_too_long_to_read_ends_its_call_and_is_told_of() {
    let mut s = Stage::start(helper()).await;

    s.send("u1", "picture 1000\npicture 3000000\necho after").await;
    s.until_state("idle", 1).await;

    assert_eq!(s.calls().iter().map(|c| c.state).collect::<Vec<_>>(), [CallState::Ok, CallState::Ok]);
    assert!(matches!(s.calls()[0].block.clone().unwrap().kind, Some(Kind::Screen(_))));
    let Some(Kind::Text(text)) = s.calls()[1].block.clone().unwrap().kind else { panic!("{}", shown(&s.fold)) };
    assert!(text.text.starts_with("A result of 3000 kB"), "{}", text.text);
    assert_eq!(s.words(), "after\n");
}

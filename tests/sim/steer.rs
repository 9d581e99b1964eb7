//! Steering on a disk that fails: what was acknowledged is kept, what was not is refused by name and can be sent again.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use serde_json::json;
use tokio::time::timeout;
use vyre_proto::event::Event;
use vyre_proto::fold::Fold;
use vyre_proto::fold::row::Body;
use vyre_proto::frame::Frame;
use vyre_proto::ids::Author;
use vyre_proto::ids::SessionId;
use vyre_proto::pb::stream::ErrorCode;
use vyre_proto::pb::stream::UserState;
use vyre_stream::clock::Clock;
use vyre_stream::reach::Reach;
use vyre_stream::rules::caller::Caller;
use vyre_stream::rules::caller::Person;
use vyre_stream::session::Addressed;
use vyre_stream::session::AttachRequest;
use vyre_stream::session::Sessions;
use vyre_stream::store::Limits;
use vyre_stream::store::Store;
use vyre_stream::store::read::each;
use vyre_stream::tools::CalledBy;
use vyre_stream::tools::Format;
use vyre_stream::tools::Tools;
use vyre_stream::tools::Via;
use vyre_stream::tools::error::ToolError;

use crate::disk::Disk;
use crate::disk::Fault;

/// Runs every assistant and does nothing by itself.
struct Quiet;

impl Addressed for Quiet {
    fn runs(&self, _: &Author) -> bool {
        true
    }
    fn addressed(&self, _: &SessionId, _: &Author) {}
    fn stopping(&self, _: &SessionId) {}
    fn answered(&self, _: &SessionId, _: &str, _: &str) {}
}

struct Sim {
    tools: Tools,
    sessions: Sessions,
    store: Store,
}

fn start(disk: &Disk) -> Sim {
    let (disk, clock) = (disk.clone(), Clock::system());
    let store = Store::open_with(move || Ok(Box::new(disk.clone())), clock.clone(), Limits::default()).unwrap();
    let sessions = Sessions::new(store.clone(), clock.clone());
    sessions.address_to(Arc::new(Quiet));
    let tools = Tools::new(sessions.clone(), store.clone(), clock, Reach::new());
    Sim { tools, sessions, store }
}

fn s() -> SessionId {
    SessionId::parse("s").unwrap()
}

fn helper() -> Author {
    Author::parse("assistant:helper").unwrap()
}

impl Sim {
    async fn publish(&self, lines: &[&str]) {
        let events = lines.iter().map(|l| Event::from_json(l.as_bytes()).unwrap()).collect();
        let done = self.sessions.submit(events).await;
        assert!(done.refused.is_empty(), "{:?}", done.refused);
        self.sessions.durable().wait(done.commit).await.unwrap();
    }

    async fn call(&self, tool: &str, body: serde_json::Value) -> Result<(), ToolError> {
        let robin = Person::new(Author::person("robin").unwrap()).unwrap();
        let by = CalledBy { caller: Caller::Person(robin), device: None, via: Via::Direct };
        let body = Bytes::from(body.to_string());
        let call = self.tools.call(&by, tool, "", Format::Json, body);
        timeout(Duration::from_secs(20), call).await.expect("no answer").map(drop)
    }

    async fn send(&self, message: &str) -> Result<(), ToolError> {
        self.call("stream.send", json!({ "session": "s", "message": message, "text": message })).await
    }

    async fn take_back(&self, message: &str) -> Result<(), ToolError> {
        self.call("stream.unqueue", json!({ "session": "s", "message": message })).await
    }

    /// Every message of a person and what became of it, in order.
    async fn messages(&self) -> Vec<(String, UserState)> {
        let session = self.sessions.get(&s()).await.unwrap();
        let head = session.bounds().head.get();
        let mut reader = session.attach(AttachRequest::default());
        let mut fold = Fold::new();
        while fold.last().get() < head {
            let piece = timeout(Duration::from_secs(20), reader.next()).await.expect("nothing came").unwrap();
            for record in each(&piece) {
                fold.apply(&Frame::decode(record).unwrap());
            }
        }
        let users = fold.rows().iter().filter_map(|r| match &r.body {
            Body::UserMessage(u) => {
                assert_eq!(u.text, u.message.as_str(), "its words");
                Some((u.text.clone(), u.state))
            }
            _ => None,
        });
        users.collect()
    }
}

const STARTED: &str = r#"{"id":"0","name":"thread.started","session":"s","actor":"person:robin","data":{"title":"t","assistant":"assistant:helper"}}"#;
const WORKS: &str =
    r#"{"id":"1","name":"thread.status","session":"s","actor":"assistant:helper","data":{"state":"working"}}"#;

#[tokio::test]
async fn on_a_disk_that_dies_at_any_sync_no_acknowledged_message_is_lost_and_none_is_there_twice() {
    for stop_at in 1..=20 {
        for torn in [false, true] {
            let disk = Disk::default();
            let b = start(&disk);
            b.publish(&[STARTED, WORKS]).await;
            disk.set(Some(Fault::StopAtSync(disk.syncs() + stop_at)));
            let mut acknowledged = BTreeMap::new();
            let mut asked = None;
            for n in 0..60 {
                let message = format!("m{n:02}");
                if b.send(&message).await.is_err() {
                    asked = Some(message);
                    break;
                }
                acknowledged.insert(message.clone(), UserState::Queued);
                match n % 3 {
                    0 if b.take_back(&message).await.is_ok() => {
                        acknowledged.insert(message, UserState::Cancelled);
                    }
                    1 => match b.sessions.pick_up(&s(), &helper()).await {
                        Ok(picked) => picked.iter().for_each(|p| {
                            let was = acknowledged.insert(p.message.to_string(), UserState::PickedUp);
                            assert_eq!(was, Some(UserState::Queued), "taken back, or taken twice");
                        }),
                        Err(_) => break,
                    },
                    _ => {}
                }
            }
            let mut odd = false;
            let left = disk.after_crash(|| {
                odd = !odd;
                torn && odd
            });
            b.store.close();

            let b = start(&left);
            let there = b.messages().await;
            let mut states: BTreeMap<_, _> = there.iter().cloned().collect();
            assert_eq!(states.len(), there.len(), "a message is there twice");
            for (message, state) in &acknowledged {
                let now = states.get(message).unwrap_or_else(|| panic!("{message} is lost, stopped at {stop_at}"));
                // What was asked for and not acknowledged may stand all the same.
                assert!(now == state || *state == UserState::Queued, "{message} was {state:?} and is {now:?}");
            }
            if let Some(message) = asked {
                b.send(&message).await.unwrap();
                states.entry(message).or_insert(UserState::Queued);
            }
            assert_eq!(b.messages().await, states.into_iter().collect::<Vec<_>>());
            b.store.close();
        }
    }
}

#[tokio::test]
async fn while_the_disk_is_full_everything_is_refused_by_name_and_nothing_that_waits_is_lost() {
    let disk = Disk::default();
    let b = start(&disk);
    b.publish(&[STARTED, WORKS]).await;
    b.send("before").await.unwrap();

    disk.set(Some(Fault::Full));
    for message in ["during-1", "during-2"] {
        let error = b.send(message).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::Unavailable);
        assert!(error.message().contains("send it again") && error.retry_after().is_some(), "{error}");
    }
    assert!(b.take_back("before").await.is_err());
    assert!(b.sessions.pick_up(&s(), &helper()).await.is_err());

    disk.set(None);
    // The box finds out by itself.
    while b.sessions.durable().failing().is_some() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    for message in ["during-1", "during-2", "after"] {
        b.send(message).await.unwrap();
    }
    let want: Vec<_> =
        ["before", "during-1", "during-2", "after"].iter().map(|m| ((*m).to_owned(), UserState::Queued)).collect();
    assert_eq!(b.messages().await, want);
    let left = disk.after_crash(|| false);
    b.store.close();

    let b = start(&left);
    assert_eq!(b.messages().await, want);
    let picked = b.sessions.pick_up(&s(), &helper()).await.unwrap();
    assert_eq!(picked.iter().map(|p| p.text.as_str()).collect::<Vec<_>>(), ["before", "during-1", "during-2", "after"]);
}

#[tokio::test]
async fn an_edit_that_a_full_disk_refused_is_made_once_when_it_is_asked_for_again() {
    let disk = Disk::default();
    let b = start(&disk);
    b.publish(&[STARTED]).await;
    b.send("u1").await.unwrap();
    let edit = || async {
        let robin = Person::new(Author::person("robin").unwrap()).unwrap();
        let by = CalledBy { caller: Caller::Person(robin), device: None, via: Via::Direct };
        let body = Bytes::from(json!({ "session": "s", "message": "u1", "text": "better" }).to_string());
        let call = b.tools.call(&by, "threads.edit-retry", "key", Format::Json, body);
        timeout(Duration::from_secs(20), call).await.expect("no answer")
    };
    let head = || async { b.sessions.get(&s()).await.unwrap().bounds().head.get() };
    let before = head().await;

    // It is written down, and then the disk does not take it.
    disk.set(Some(Fault::Full));
    assert_eq!(edit().await.unwrap_err().code(), ErrorCode::Unavailable);
    assert_eq!(edit().await.unwrap_err().code(), ErrorCode::Unavailable);
    disk.set(None);
    while b.sessions.durable().failing().is_some() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }

    let answer = edit().await.unwrap();
    assert_eq!(edit().await.unwrap(), answer);
    assert_eq!(head().await, before + 2, "one rewind and one message");
}

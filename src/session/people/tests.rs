//! What is told beside the log, and what of it is held.

use std::time::Duration;

use tempfile::TempDir;
use tokio::time::timeout;
use vyre_proto::event::Event;
use vyre_proto::frame::Frame;
use vyre_proto::kind::Class;
use vyre_proto::pb::stream::event::Data as EventData;
use vyre_proto::tick::Tick;
use vyre_proto::tick::Wall;

use super::*;
use crate::clock::Clock;
use crate::rules::caller::Roles;
use crate::session::AttachRequest;
use crate::session::Reader;
use crate::session::Right;
use crate::store::Limits;
use crate::store::read::each;

fn session(name: &str) -> SessionId {
    SessionId::parse(name).unwrap()
}

fn person(name: &str) -> Person {
    Person::new(Author::person(name).unwrap()).unwrap()
}

fn frames(bytes: &[u8]) -> Vec<Frame> {
    each(&Bytes::copy_from_slice(bytes)).map(|m| Frame::decode(m).unwrap()).collect()
}

fn taken(connection: &Connection) -> Vec<Data> {
    let mut out = BytesMut::new();
    connection.take(&mut out);
    frames(&out).into_iter().filter_map(|f| f.into_inner().data).collect()
}

fn mark(cur: u64) -> Mark {
    let (message, log) = (MessageId::parse(&format!("m{cur}")).unwrap(), vyre_proto::ids::LogId([1; 16]));
    Mark { message, log, cur: vyre_proto::cursor::Cursor::new(cur).unwrap() }
}

#[tokio::test(start_paused = true)]
async fn a_connection_that_takes_nothing_holds_a_bounded_number_of_words_the_newest_of_each() {
    let people = Arc::new(People::default());
    let slow = people.connect(&person("ana"), &session("s"));
    let ana = Author::person("ana").unwrap();
    for n in 1..=500 {
        people.tell_mark(&ana, &session(&format!("s{}", n % 100)), &mark(n));
    }
    for n in 1..=500 {
        let (who, until) = (Author::person(&n.to_string()).unwrap(), Some(Instant::now() + presence::FADES));
        let data = Data::Presence(pb::Presence { who: who.to_string(), ..Default::default() });
        let record = ephemeral(&session("s"), "", data);
        people.tell(&ana, |_| true, || Word { subject: Subject::Presence(who.clone()), record: record.clone(), until });
    }

    let told = taken(&slow);

    let marks: Vec<_> =
        told.iter().filter_map(|d| if let Data::ReadMarker(m) = d { Some(m.cur) } else { None }).collect();
    assert_eq!(marks, (501 - SLOTS as u64..=500).collect::<Vec<_>>());
    assert_eq!(told.len(), 2 * SLOTS);
    assert!(taken(&slow).is_empty());

    // A word that has faded meanwhile is not told, one that has not is.
    people.tell_mark(&ana, &session("s"), &mark(501));
    let (who, until) = (Author::person("x").unwrap(), Some(Instant::now() + presence::FADES));
    people.tell(&ana, |_| true, || Word { subject: Subject::Presence(who.clone()), record: Bytes::new(), until });
    tokio::time::advance(presence::FADES).await;
    assert_eq!(taken(&slow).len(), 1);
}

#[tokio::test]
async fn only_the_person_s_own_connections_are_told_and_only_while_they_are_open() {
    let people = Arc::new(People::default());
    let ana = Author::person("ana").unwrap();
    let (phone, laptop) =
        (people.connect(&person("ana"), &session("s")), people.connect(&person("ana"), &session("t")));
    let ben = people.connect(&person("ben"), &session("s"));
    drop(people.connect(&person("ana"), &session("s")));

    people.tell_mark(&ana, &session("s"), &mark(1));

    assert_eq!((taken(&phone).len(), taken(&laptop).len(), taken(&ben).len()), (1, 1, 0));
    drop((phone, laptop, ben));
    assert!(locked(&people.open).is_empty());
}

#[tokio::test]
async fn a_word_that_comes_before_the_wait_ends_it() {
    let people = Arc::new(People::default());
    let phone = people.connect(&person("ana"), &session("s"));
    let ana = Author::person("ana").unwrap();
    for n in 1..=3 {
        people.tell_mark(&ana, &session("s"), &mark(n));
        timeout(Duration::from_secs(1), phone.ready()).await.unwrap();
        assert_eq!(taken(&phone).len(), 1);
        // Its own word has been taken: there is nothing to wait for.
        assert!(timeout(Duration::from_millis(5), phone.ready()).await.is_err());
    }
}

struct TestBox {
    sessions: Sessions,
    _store: Store,
    clock: Clock,
    _dir: TempDir,
}

async fn a_box() -> TestBox {
    let dir = tempfile::tempdir().unwrap();
    let clock = Clock::settable(Tick(1_000_000), Wall(1_700_000_000_000_000));
    let store = Store::open(dir.path(), clock.clone(), Limits::default()).unwrap();
    let b = TestBox { sessions: Sessions::new(store.clone(), clock.clone()), _store: store, clock, _dir: dir };
    b.publish(
        "ana",
        "started",
        EventData::ThreadStarted(pb::ThreadStarted { title: "T".into(), ..Default::default() }),
    )
    .await;
    b.publish("ana", "joined", EventData::RoomJoined(pb::RoomJoined { who: "person:ben".into() })).await;
    b
}

impl TestBox {
    async fn publish(&self, who: &str, id: &str, data: EventData) {
        let actor = format!("person:{who}");
        let event = pb::Event { id: id.to_owned(), session: "s".into(), actor, data: Some(data), ..Default::default() };
        let done = self.sessions.submit(vec![Event::check(event).unwrap()]).await;
        assert_eq!(done.accepted, 1);
        self.sessions.durable().wait(done.commit).await.unwrap();
    }

    async fn session(&self) -> Session {
        self.sessions.get(&session("s")).await.unwrap()
    }

    async fn reader(&self, who: &str) -> Reader {
        let session = self.session().await;
        let who = person(who);
        let right = Right { stay: session.stay_of(&who).unwrap(), roles: Roles::default(), in_person: true };
        let mut reader = session.attach_for(AttachRequest::default(), right);
        reader.connect(&who);
        // What is in the log is not what these look at.
        while !frames(&reader.next().await.unwrap()).iter().any(|f| f.get().cur == session.bounds().head.get()) {}
        reader
    }
}

#[tokio::test]
async fn a_presence_that_waited_is_told_when_its_time_has_come_and_not_of_who_has_left() {
    let b = a_box().await;
    let (mut of_ana, session) = (b.reader("ana").await, b.session().await);
    let ben = Author::person("ben").unwrap();
    b.sessions.present(&session, &ben, Present::Typing);
    b.sessions.present(&session, &ben, Present::Doing("x".into()));
    assert_eq!(frames(&of_ana.next().await.unwrap()).len(), 1);

    assert_eq!(b.sessions.presences_due(), Some(presence::EVERY));
    b.clock.set(Tick(4_000_000), Wall(0));
    assert_eq!(b.sessions.presences_due(), Some(presence::FADES));
    let told = frames(&of_ana.next().await.unwrap());
    assert!(
        matches!(&told[0].get().data, Some(Data::Presence(p)) if p.doing == "x" && told[0].class() == Class::Ephemeral)
    );

    b.sessions.present(&session, &ben, Present::Typing);
    b.publish("ana", "left", EventData::RoomLeft(pb::RoomLeft { who: "person:ben".into() })).await;
    b.clock.set(Tick(8_000_000), Wall(0));
    b.sessions.presences_due();
    let rest = frames(&of_ana.next().await.unwrap());
    assert!(rest.iter().all(|f| f.class() == Class::Logged), "{rest:?}");
    b.clock.set(Tick(60_000_000), Wall(0));
    assert_eq!(b.sessions.presences_due(), None, "nothing is held");
}

#[tokio::test]
async fn of_marks_that_race_the_furthest_stands_and_all_who_ask_are_told_so() {
    let b = a_box().await;
    let session = b.session().await;
    for n in 0..20 {
        let said = pb::ThreadUser { message: format!("m{n}"), text: "x".into(), ..Default::default() };
        b.publish("ben", &format!("m{n}"), EventData::ThreadUser(said)).await;
    }
    let askers: Vec<_> = (0..20)
        .rev()
        .map(|n| {
            let (sessions, session) = (b.sessions.clone(), session.clone());
            tokio::spawn(async move {
                let message = MessageId::parse(&format!("m{n}")).unwrap();
                (n, sessions.read_upto(&session, &person("ana"), &message).await.unwrap())
            })
        })
        .collect();
    for asker in askers {
        let (n, stands) = asker.await.unwrap();
        assert!(stands.cur.get() >= n + 3, "{n} {stands:?}");
    }
    let ana = Author::person("ana").unwrap();
    assert_eq!(b._store.marks_of(&ana).unwrap()[&self::session("s")].message.as_str(), "m19");
    assert!(b._store.marks_of(&Author::person("ben").unwrap()).unwrap().is_empty());
}

#[tokio::test]
async fn a_reader_that_ends_leaves_nothing_behind() {
    let b = a_box().await;
    let reader = b.reader("ana").await;
    assert_eq!(b.sessions.connections(), 1);

    drop(reader);

    assert_eq!(b.sessions.connections(), 0);
}

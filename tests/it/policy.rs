//! A policy beside the box: a real endpoint that answers, hangs, talks nonsense or closes.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering;
use std::time::Duration;
use std::time::Instant;

use serde_json::Value;
use serde_json::json;
use tokio::io::AsyncReadExt;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;
use tokio::net::TcpStream;
use vyre_proto::ids::Author;
use vyre_proto::ids::SessionId;
use vyre_stream::clock::Clock;
use vyre_stream::config::AuthoritySettings;
use vyre_stream::config::Settings;
use vyre_stream::policy::AT_ONCE;
use vyre_stream::policy::HttpPolicy;
use vyre_stream::policy::PolicySettings;
use vyre_stream::rules::authority::Act;
use vyre_stream::rules::authority::Policy;
use vyre_stream::rules::caller::ActsFor;
use vyre_stream::rules::caller::Caller;
use vyre_stream::rules::caller::Person;
use vyre_stream::rules::caller::Roles;
use vyre_stream::tools::gate::Authority;

use crate::common::TestBox;
use crate::common::open_socket;
use crate::common::words;

/// What the endpoint does with a question.
#[derive(Debug, Clone)]
enum Does {
    /// Answers with this status and body.
    Says(u16, String),
    /// Takes the question and never answers.
    Hangs,
    /// Answers the head and never the body.
    HangsHalfway,
    /// Writes what is not HTTP.
    Garbage,
    /// Closes before it answers.
    Closes,
    /// Promises more than it sends.
    BreaksOff,
    /// Never stops.
    Floods,
}

fn says(body: &Value) -> Does {
    Does::Says(200, body.to_string())
}

/// An endpoint of somebody else's.
struct Endpoint {
    at: SocketAddr,
    does: Arc<Mutex<Does>>,
    asked: Arc<Mutex<Vec<Value>>>,
    open: Arc<AtomicUsize>,
    most: Arc<AtomicUsize>,
}

impl Endpoint {
    async fn start(does: Does) -> Endpoint {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let endpoint = Endpoint {
            at: listener.local_addr().unwrap(),
            does: Arc::new(Mutex::new(does)),
            asked: Arc::default(),
            open: Arc::default(),
            most: Arc::default(),
        };
        let (does, asked) = (endpoint.does.clone(), endpoint.asked.clone());
        let (open, most) = (endpoint.open.clone(), endpoint.most.clone());
        tokio::spawn(async move {
            while let Ok((tcp, _)) = listener.accept().await {
                let (does, asked, open, most) = (does.clone(), asked.clone(), open.clone(), most.clone());
                tokio::spawn(async move {
                    let now = open.fetch_add(1, Ordering::SeqCst) + 1;
                    most.fetch_max(now, Ordering::SeqCst);
                    let does = does.lock().unwrap().clone();
                    // What the other side gives up is no failure of the endpoint.
                    let _ = serve(tcp, does, &asked).await;
                    open.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
        endpoint
    }

    fn now(&self, does: Does) {
        *self.does.lock().unwrap() = does;
    }

    fn settings(&self, timeout_ms: u64) -> Settings {
        let authority = AuthoritySettings {
            url: Some(format!("http://{}/authorize?key=not-for-any-log", self.at)),
            timeout_ms: Some(timeout_ms),
            space: Some("acme".into()),
        };
        Settings { authority, ..Settings::default() }
    }

    fn hook(&self, timeout: Duration) -> HttpPolicy {
        let url = format!("http://{}/authorize", self.at);
        HttpPolicy::new(&PolicySettings { url, timeout, space: "acme".into() }).unwrap()
    }
}

async fn serve(mut tcp: TcpStream, does: Does, asked: &Mutex<Vec<Value>>) -> std::io::Result<()> {
    if matches!(does, Does::Closes) {
        return Ok(());
    }
    let mut request = Vec::new();
    let body = loop {
        if tcp.read_buf(&mut request).await? == 0 {
            return Ok(());
        }
        let text = String::from_utf8_lossy(&request).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length =
            head.lines().find_map(|l| l.to_ascii_lowercase().strip_prefix("content-length: ").map(str::to_owned));
        if body.len() >= length.unwrap().parse().unwrap() {
            assert!(head.starts_with("POST /authorize"), "{head}");
            break body.to_owned();
        }
    };
    asked.lock().unwrap().push(serde_json::from_str(&body).unwrap());
    match does {
        Does::Says(status, body) => {
            let head = format!("HTTP/1.1 {status} X\r\ncontent-length: {}\r\n\r\n", body.len());
            tcp.write_all(head.as_bytes()).await?;
            tcp.write_all(body.as_bytes()).await
        }
        // Until the other side gives up.
        Does::Hangs => tcp.read(&mut [0]).await.map(|_| ()),
        Does::HangsHalfway => {
            tcp.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\n{\"decision\":").await?;
            tcp.read(&mut [0]).await.map(|_| ())
        }
        Does::Garbage => tcp.write_all(b"\x00\xffallow allow allow\r\n\r\n").await,
        Does::Closes => Ok(()),
        Does::BreaksOff => {
            tcp.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n{\"decision\":\"allow\"}").await
        }
        Does::Floods => {
            tcp.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 99999999\r\n\r\n").await?;
            loop {
                tcp.write_all(&[b' '; 8192]).await?;
            }
        }
    }
}

fn robin() -> Caller {
    Caller::Person(Person::new(Author::person("robin").unwrap()).unwrap())
}

#[tokio::test]
async fn each_answer_of_a_policy_is_obeyed() {
    let policy = Endpoint::start(says(&json!({ "decision": "allow" }))).await;
    let b = TestBox::start_with(policy.settings(2000), Clock::system()).await;
    b.publish(&words("s", 3)).await;
    let (robin, sam) = (b.person("robin"), b.person("sam"));
    let open = || b.call(&robin, "stream.open", json!({ "session": "s" }));

    assert_eq!(open().await.status, 200);
    assert_eq!(
        policy.asked.lock().unwrap().pop(),
        Some(json!({ "actor": "person:robin", "action": "session.read", "resource": "vyre://acme/session/s" }))
    );

    policy.now(says(&json!({ "decision": "deny" })));
    let denied = open().await;
    let unknown = b.call(&robin, "stream.open", json!({ "session": "t" })).await;
    assert_eq!((denied.status, denied.json()), (404, unknown.json()));

    // The action is not registered there: the rule of participants decides.
    policy.now(says(&json!({ "decision": "unknown_action" })));
    assert_eq!(open().await.status, 200);
    assert_eq!(b.call(&sam, "stream.open", json!({ "session": "s" })).await.status, 404);
    policy.now(says(&json!({ "decision": "allow", "roles": ["owner"] })));
    assert_eq!(b.call(&sam, "stream.open", json!({ "session": "s" })).await.status, 404, "an owner has no grant");

    // About strangers and unknown sessions it is not even asked.
    policy.asked.lock().unwrap().clear();
    b.call(&sam, "stream.open", json!({ "session": "s" })).await;
    b.call(&sam, "stream.open", json!({ "session": "t" })).await;
    assert_eq!(policy.asked.lock().unwrap().len(), 0);
}

#[tokio::test]
async fn no_answer_is_a_refusal_and_in_time() {
    let policy = Endpoint::start(Does::Hangs).await;
    let b = TestBox::start_with(policy.settings(300), Clock::system()).await;
    b.publish(&words("s", 3)).await;
    let robin = b.person("robin");
    let cases = [
        Does::Hangs,
        Does::HangsHalfway,
        Does::Garbage,
        Does::Closes,
        Does::BreaksOff,
        Does::Floods,
        Does::Says(500, "{\"decision\":\"allow\"}".into()),
        Does::Says(302, "{\"decision\":\"allow\"}".into()),
        Does::Says(200, String::new()),
        Does::Says(200, "<html>please sign in</html>".into()),
        Does::Says(200, "{\"decision\":\"perhaps\"}".into()),
    ];
    for does in cases {
        policy.now(does.clone());
        let began = Instant::now();

        let reply = b.call(&robin, "stream.open", json!({ "session": "s" })).await;

        assert_eq!(reply.status, 404, "{does:?}: {}", reply.text());
        assert!(began.elapsed() < Duration::from_secs(3), "{does:?}");
        assert!(!reply.text().contains("not-for-any-log"));
    }
    // Where nothing listens any more.
    let gone = AuthoritySettings { url: Some("http://127.0.0.1:1/".into()), ..AuthoritySettings::default() };
    let b = TestBox::start_with(Settings { authority: gone, ..Settings::default() }, Clock::system()).await;
    b.publish(&words("s", 3)).await;
    assert_eq!(b.call(&b.person("robin"), "stream.open", json!({ "session": "s" })).await.status, 404);
}

#[tokio::test]
async fn a_policy_is_asked_again_at_the_attach_and_about_the_whole_chain() {
    let policy = Endpoint::start(says(&json!({ "decision": "allow" }))).await;
    let b = TestBox::start_with(policy.settings(2000), Clock::system()).await;
    b.publish(&words("s", 3)).await;
    let helper = ActsFor::new(
        Author::parse("assistant:helper").unwrap(),
        Person::new(Author::person("robin").unwrap()).unwrap(),
    );
    let token = b.daemon().new_token(&Caller::Assistant(helper.unwrap())).unwrap();
    let path = |ticket: &str| format!("/v1/streams/stream/session?ticket={ticket}");

    let (first, second) = (b.ticket(&token, "s").await, b.ticket(&token, "s").await);
    let asked = policy.asked.lock().unwrap().pop().unwrap();
    assert_eq!((&asked["actor"], &asked["act_for"]), (&json!("assistant:helper"), &json!("person:robin")));
    assert!(open_socket(b.http(), &path(&first), &[]).await.is_ok());
    policy.now(says(&json!({ "decision": "deny" })));
    assert_eq!(open_socket(b.http(), &path(&second), &[]).await.err(), Some(404));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn few_questions_are_open_at_once_and_the_rest_wait_no_longer_than_they_may() {
    let policy = Endpoint::start(Does::Hangs).await;
    let patience = Duration::from_secs(2);
    let hook = Arc::new(policy.hook(patience));
    let session = SessionId::parse("s").unwrap();
    let began = Instant::now();
    let mut questions = tokio::task::JoinSet::new();
    for _ in 0..AT_ONCE * 4 {
        let (hook, session) = (hook.clone(), session.clone());
        questions.spawn(async move { hook.policy(&robin(), Act::Read, &session).await });
    }

    while policy.open.load(Ordering::SeqCst) < AT_ONCE {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    tokio::time::sleep(Duration::from_millis(200)).await;
    let most = policy.most.load(Ordering::SeqCst);
    // Once one has waited long enough the endpoint may see the next before it sees that this one is over.
    assert!(most == AT_ONCE || began.elapsed() >= patience, "{most}");
    let answers = questions.join_all().await;

    assert!(answers.iter().all(|a| *a == Policy::Deny));
    assert!(began.elapsed() < patience * 5, "{:?}", began.elapsed());
    // It answers again, and is believed again.
    policy.now(says(&json!({ "decision": "allow", "roles": ["ops", "hr"] })));
    let roles = Roles::new(["hr", "ops"]).unwrap();
    assert_eq!(hook.policy(&robin(), Act::Read, &session).await, Policy::Allow(roles));
}

//! [`TestBox`]: a whole box on ports of its own.

use std::net::SocketAddr;
use std::path::Path;
use std::path::PathBuf;

use tempfile::TempDir;
use vyre_proto::ids::Author;
use vyre_proto::ids::BoxId;
use vyre_stream::clock::Clock;
use vyre_stream::config::Config;
use vyre_stream::config::Settings;
use vyre_stream::daemon::Daemon;
use vyre_stream::rules::caller::Caller;
use vyre_stream::rules::caller::Person;
use vyre_stream::rules::caller::ProducerName;

use crate::common::Reply;
use crate::common::http;

/// A box that stops like a power cut when it is dropped, and in order with [`TestBox::stop`].
pub struct TestBox {
    daemon: Daemon,
    folder: TempDir,
}

impl TestBox {
    pub async fn start() -> TestBox {
        Self::start_with(Settings::default(), Clock::system()).await
    }

    pub async fn start_with(settings: Settings, clock: Clock) -> TestBox {
        Self::start_in(tempfile::tempdir().unwrap(), settings, clock).await
    }

    pub async fn start_in(folder: TempDir, settings: Settings, clock: Clock) -> TestBox {
        let zero = || Some("127.0.0.1:0".to_owned());
        let settings = Settings {
            data: Some(folder.path().to_owned()),
            http: settings.http.or_else(zero),
            quic: settings.quic.or_else(zero),
            ..settings
        };
        let mut config = Config::new(None, settings).unwrap();
        config.guard = Some(TestBox::program());
        let daemon = Daemon::start_at(&config, clock).await.unwrap();
        TestBox { daemon, folder }
    }

    /// Stops in order, and gives the folder to another box.
    pub async fn stop(self) -> TempDir {
        self.daemon.stop().await;
        self.folder
    }

    /// Its data.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub fn http(&self) -> SocketAddr {
        self.daemon.ready().http.unwrap()
    }

    pub fn quic(&self) -> SocketAddr {
        self.daemon.ready().quic.unwrap()
    }

    pub fn id(&self) -> BoxId {
        self.daemon.ready().box_id
    }

    pub fn daemon(&self) -> &Daemon {
        &self.daemon
    }

    /// A token of this person.
    pub fn person(&self, name: &str) -> String {
        let person = Person::new(Author::person(name).unwrap()).unwrap();
        self.daemon.new_token(&Caller::Person(person)).unwrap()
    }

    /// A token of a producer.
    pub fn producer(&self) -> String {
        self.daemon.new_token(&Caller::Producer(ProducerName::parse("switchboard").unwrap())).unwrap()
    }

    /// Publishes lines, and expects that all are taken.
    pub async fn publish(&self, lines: &[String]) {
        let reply = self.publish_raw(lines.join("\n").into_bytes()).await;
        assert_eq!(reply.status, 200, "{}", reply.text());
        assert_eq!(reply.json()["refused"], serde_json::json!([]), "{}", reply.text());
    }

    /// Publishes a body of lines.
    pub async fn publish_raw(&self, body: Vec<u8>) -> Reply {
        let auth = format!("Bearer {}", self.producer());
        let headers = [("authorization", auth.as_str()), ("content-type", "application/x-ndjson")];
        http(self.http(), "POST", "/v1/tools/events.publish", &headers, &body).await
    }

    /// Calls a tool in JSON.
    pub async fn call(&self, token: &str, tool: &str, body: serde_json::Value) -> Reply {
        let auth = format!("Bearer {token}");
        let headers = [("authorization", auth.as_str()), ("content-type", "application/json")];
        http(self.http(), "POST", &format!("/v1/tools/{tool}"), &headers, body.to_string().as_bytes()).await
    }

    /// Calls a tool in JSON, with an idempotency key.
    pub async fn call_once(&self, token: &str, tool: &str, key: &str, body: serde_json::Value) -> Reply {
        let auth = format!("Bearer {token}");
        let headers =
            [("authorization", auth.as_str()), ("content-type", "application/json"), ("idempotency-key", key)];
        http(self.http(), "POST", &format!("/v1/tools/{tool}"), &headers, body.to_string().as_bytes()).await
    }

    /// A token of this person on a surface of the owner's.
    pub fn owner(&self, name: &str) -> String {
        let person = Person::new(Author::person(name).unwrap()).unwrap();
        self.daemon.new_token(&Caller::Person(person.owning())).unwrap()
    }

    /// Opens a session and gives the ticket.
    pub async fn ticket(&self, token: &str, session: &str) -> String {
        let reply = self.call(token, "stream.open", serde_json::json!({ "session": session })).await;
        assert_eq!(reply.status, 200, "{}", reply.text());
        reply.json()["ticket"].as_str().unwrap().to_owned()
    }

    /// The program, built beside this test.
    pub fn program() -> PathBuf {
        PathBuf::from(env!("CARGO_BIN_EXE_vyre"))
    }
}

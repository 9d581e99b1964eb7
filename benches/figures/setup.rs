//! Boxes, relays and producers, ready to be measured.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use bytes::Bytes;
use tempfile::TempDir;
use vyre_certs::identity::server_name;
use vyre_certs::tls;
use vyre_proto::head::RelayHead;
use vyre_proto::ids::BoxId;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::stream_head::Want;
use vyre_proto::record::to_record;
use vyre_proto::relay_url::RelayUrl;

use crate::child::Part;
use crate::events;
use crate::wire::Place;
use crate::wire::QuicPlace;
use crate::wire::Source;
use crate::wire::soon;

/// The program.
const VYRE: &str = env!("CARGO_BIN_EXE_vyre");

/// A box in a process of its own.
#[derive(Debug)]
pub struct TheBox {
    /// The process.
    pub part: Part,
    /// Token of the person who reads.
    pub token: String,
    producer: String,
    _data: TempDir,
}

impl TheBox {
    /// `vyre serve`.
    pub fn serve(relay: Option<&Relay>) -> Self {
        let data = tempfile::tempdir().unwrap();
        let (token, producer) = (token(data.path(), "--person"), token(data.path(), "--producer"));
        let mut command = Command::new(VYRE);
        command.args(["serve", "--json", "--http", "127.0.0.1:0", "--quic", "127.0.0.1:0", "--data"]);
        command.arg(data.path());
        if let Some(relay) = relay {
            command.args(["--relay", relay.part.said("url")]);
        }
        Self { part: Part::start(command), token, producer, _data: data }
    }

    /// The same code, told by this process what to emit.
    pub fn emitting() -> Self {
        let data = tempfile::tempdir().unwrap();
        let part = Part::role(&["box", data.path().to_str().unwrap()]);
        let token = part.said("token").to_owned();
        Self { part, token, producer: String::new(), _data: data }
    }

    /// Its id.
    pub fn id(&self) -> BoxId {
        self.part.said("box").parse().unwrap()
    }

    /// Its HTTP.
    pub fn web(&self) -> Place {
        Place::plain(self.part.said("http").parse().unwrap())
    }

    /// Its QUIC.
    pub fn quic(&self) -> QuicPlace {
        let id = self.id();
        let addr = self.part.said("quic").parse().unwrap();
        QuicPlace::new(addr, server_name(&id), Bytes::new(), tls::box_client(id).unwrap())
    }

    /// A producer of one session, which is started.
    pub fn producer(&self, session: &str) -> Part {
        let mut part =
            Part::role(&["producer", self.part.said("http"), "/v1/streams/publish", &self.producer, session]);
        part.ask("start");
        part
    }

    /// Token of a producer.
    pub fn producer_token(&self) -> &str {
        &self.producer
    }

    /// Reads on from `from` over HTTP.
    pub async fn read(&self, place: &Place, session: &str, from: u64, merge: bool) -> Source {
        Source::Ws(Box::new(soon(async { place.dial().await.attach(&self.token, session, from, merge).await }).await))
    }

    /// The same over HTTP, by a reader that is as lean as a protocol's least.
    pub async fn read_lean(&self, session: &str) -> Source {
        let web = self.web();
        Source::Lean(soon(async { web.dial().await.attach_lean(&self.token, session, 0, true).await }).await)
    }

    /// The head of a stream that reads on from `from`.
    pub fn open_head(&self, session: &str, from: u64, merge: bool) -> Bytes {
        let open = pb::StreamOpen { session: session.to_owned(), from, ..Default::default() };
        let options = pb::AttachOptions { unmerged: !merge, ..Default::default() };
        let want = Want::Open(pb::OpenAttach { open: Some(open), options: Some(options) });
        to_record(&pb::StreamHead { v: 1, bearer: self.token.clone(), want: Some(want) })
    }

    /// Where the head of a session stands.
    pub async fn head(&self, session: &str) -> u64 {
        let ask = serde_json::json!({"session": session});
        let opened = soon(async { self.web().dial().await.call("stream.open", &self.token, &ask).await }).await;
        opened["head"].as_str().and_then(|s| s.parse().ok()).or(opened["head"].as_u64()).unwrap()
    }
}

fn token(data: &Path, who: &str) -> String {
    let name = if who == "--person" { events::PERSON } else { "bench" };
    let out = Command::new(VYRE).args(["token", who, name, "--data"]).arg(data).output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).unwrap().trim().to_owned()
}

/// A relay in a process of its own.
#[derive(Debug)]
pub struct Relay {
    /// The process.
    pub part: Part,
    _data: TempDir,
}

impl Relay {
    /// Starts one.
    pub fn start() -> Self {
        let data = tempfile::tempdir().unwrap();
        Self { part: Part::role(&["relay", data.path().to_str().unwrap()]), _data: data }
    }

    /// Its address.
    pub fn url(&self) -> RelayUrl {
        self.part.said("url").parse().unwrap()
    }

    /// The HTTP of a box behind it.
    pub fn web(&self, id: &BoxId) -> Place {
        let tls = Arc::new(tls::relay_web_client(&self.url()).unwrap());
        Place { addr: self.part.said("http").parse().unwrap(), base: format!("/b/{id}"), tls: Some(tls) }
    }

    /// The QUIC of a box behind it.
    pub fn quic(&self, id: &BoxId) -> QuicPlace {
        let url = self.url();
        let prelude = RelayHead::Reach(*id).to_record();
        let addr = self.part.said("quic").parse().unwrap();
        QuicPlace::new(addr, url.host().to_owned(), prelude, tls::relay_client(&url).unwrap())
    }
}

//! What nobody may read: private messages go through as they came and are in no log line; secrets of a shell are redacted
//! before anything keeps them.

use std::fs::File;
use std::io::BufRead;
use std::io::BufReader;
use std::net::SocketAddr;
use std::path::Path;
use std::path::PathBuf;
use std::process::Child;
use std::process::Command;
use std::process::Stdio;

use data_encoding::BASE64;
use data_encoding::BASE64URL;
use data_encoding::HEXLOWER;
use data_encoding::HEXUPPER;
use serde_json::Value;
use serde_json::json;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::frame::Data;
use vyre_proto::pb::stream::stream_answer::Answer;
use vyre_proto::pb::stream::stream_head::Want;

use crate::common::QuicClient;
use crate::common::Reply;
use crate::common::Screen;
use crate::common::TestBox;
use crate::common::http;

const KID: &str = "kid-of-robin-and-kim";
const CT: &[u8] = b"\x00\xff~ciphered: meet me at noon\x80\x1b";

/// The program itself, at its most talkative.
struct Box {
    serve: Child,
    http: SocketAddr,
    quic: SocketAddr,
    id: String,
}

impl Box {
    fn start(folder: &Path) -> Box {
        let log = File::options().create(true).append(true).open(log_of(folder)).unwrap();
        let mut serve = Command::new(TestBox::program())
            .args(["serve", "--json", "--http", "127.0.0.1:0", "--quic", "127.0.0.1:0", "--data"])
            .arg(folder.join("data"))
            .env("VYRE_LOG", "trace")
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(serve.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let ready: Value = serde_json::from_str(&line).unwrap();
        let addr = |name: &str| ready[name].as_str().unwrap().parse().unwrap();
        Box { serve, http: addr("http"), quic: addr("quic"), id: ready["box"].as_str().unwrap().to_owned() }
    }

    fn kill(mut self) {
        self.serve.kill().unwrap();
        self.serve.wait().unwrap();
    }

    async fn call(&self, token: &str, tool: &str, body: Value) -> Reply {
        let auth = format!("Bearer {token}");
        let key = format!("key-{}", body["message"].as_str().unwrap_or("none"));
        let headers =
            [("authorization", auth.as_str()), ("content-type", "application/json"), ("idempotency-key", key.as_str())];
        http(self.http, "POST", &format!("/v1/tools/{tool}"), &headers, body.to_string().as_bytes()).await
    }

    /// What a screen sees of the session's private messages.
    async fn screen(&self, token: &str, session: &str) -> Vec<pb::Encrypted> {
        let opened = self.call(token, "stream.open", json!({ "session": session })).await.json();
        let last = opened["head"].as_str().unwrap().parse().unwrap();
        let mut screen = Screen::open(self.http, opened["ticket"].as_str().unwrap(), "").await;
        let frames = screen.until(last).await;
        frames.iter().filter(|f| f.is_encrypted()).filter_map(|f| enc(f.get())).collect()
    }
}

fn log_of(folder: &Path) -> PathBuf {
    folder.join("log")
}

fn token(folder: &Path, who: [&str; 2]) -> String {
    let out =
        Command::new(TestBox::program()).args(["token", "--data"]).arg(folder.join("data")).args(who).output().unwrap();
    assert!(out.status.success());
    String::from_utf8(out.stdout).unwrap().trim().to_owned()
}

fn enc(frame: &pb::Frame) -> Option<pb::Encrypted> {
    match &frame.data {
        Some(Data::UserMessage(m)) => m.enc.clone(),
        _ => None,
    }
}

/// Every way in which six bytes of it could be written.
fn spellings(secret: &[u8]) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for piece in secret.windows(6) {
        let decimal: Vec<_> = piece.iter().map(u8::to_string).collect();
        all.extend([
            piece.to_vec(),
            piece.escape_ascii().to_string().into_bytes(),
            HEXLOWER.encode(piece).into_bytes(),
            HEXUPPER.encode(piece).into_bytes(),
            decimal.join(", ").into_bytes(),
            decimal.join(",").into_bytes(),
            BASE64.encode(piece).into_bytes(),
            BASE64URL.encode(piece).into_bytes(),
        ]);
    }
    all
}

#[tokio::test]
async fn no_byte_of_what_is_private_is_in_any_log_line_whatever_carries_it() {
    let folder = tempfile::tempdir().unwrap();
    let b = Box::start(folder.path());
    let (robin, producer) =
        (token(folder.path(), ["--person", "robin"]), token(folder.path(), ["--producer", "switchboard"]));
    let private = json!({ "alg": "mls", "kid": KID, "ct": BASE64.encode(CT) });
    let want = pb::Encrypted { alg: "mls".into(), kid: KID.into(), ct: CT.into() };
    let event = |id: &str, name: &str, actor: &str, data: Value| json!({ "id": id, "name": name, "session": "s", "actor": actor, "data": data });
    let events = json!({ "events": [
        event("e1", "thread.started", "person:robin", json!({ "title": "t" })),
        event("e2", "thread.user", "person:robin", json!({ "message": "published", "enc": private })),
        event("e3", "thread.queued", "person:robin", json!({ "message": "queued", "enc": private })),
        event("e4", "thread.sent", "person:robin", json!({ "message": "sent", "enc": private })),
        // Refused, and the reason quotes nothing.
        event("e5", "thread.user", "person:robin", json!({ "message": "both", "text": "x", "enc": private })),
    ] });
    let published = b.call(&producer, "events.publish", events).await;
    assert!(published.text().contains("not both") && !published.text().contains(KID), "{}", published.text());

    // Once by its id; what contradicts it is refused without being quoted.
    for _ in 0..3 {
        let send = json!({ "session": "s", "message": "p", "enc": private, "mentions": ["assistant:helper"] });
        assert_eq!(b.call(&robin, "stream.send", send).await.status, 200);
    }
    for other in [
        json!({ "session": "s", "message": "p", "enc": { "alg": "mls", "kid": KID, "ct": BASE64.encode(b"other") } }),
        json!({ "session": "s", "message": "p", "enc": { "alg": "mls", "kid": "other", "ct": BASE64.encode(CT) } }),
        json!({ "session": "s", "message": "p", "text": "x" }),
        json!({ "session": "s", "message": "n", "text": "x", "enc": private }),
        json!({ "session": "s", "message": "n", "enc": { "alg": "mls", "kid": KID, "ct": "***" } }),
        json!({ "session": "none", "message": "n", "enc": private }),
    ] {
        let refused = b.call(&robin, "stream.send", other).await;
        assert!((400..500).contains(&refused.status) && !refused.text().contains(KID), "{}", refused.text());
    }
    let edit = json!({ "session": "s", "message": "p", "text": "x" });
    let refused = b.call(&robin, "threads.edit-retry", edit).await;
    assert!((400..500).contains(&refused.status) && !refused.text().contains(KID), "{}", refused.text());

    // Everyone in the session is shown what came, over every carrier.
    let all = vec![want; 4];
    assert_eq!(b.screen(&robin, "s").await, all);
    let auth = format!("Bearer {robin}");
    let phone = QuicClient::connect(b.quic, b.id.parse().unwrap()).await;
    let open = Want::Open(pb::OpenAttach {
        open: Some(pb::StreamOpen { session: "s".into(), ..Default::default() }),
        options: None,
    });
    let (mut stream, answer) = phone.stream(&robin, open).await;
    let Some(Answer::Opened(opened)) = answer.answer else { panic!("{answer:?}") };
    let mut seen = Vec::new();
    while let Some(frame) = stream.frame().await {
        seen.extend(enc(frame.get()));
        if frame.get().cur >= opened.head {
            break;
        }
    }
    assert_eq!(seen, all);
    drop((stream, phone));
    let history = b.call(&robin, "stream.history", json!({ "session": "s" })).await;
    assert_eq!(history.text().matches(KID).count(), 4, "{}", history.text());
    let ticket = b.call(&robin, "stream.open", json!({ "session": "s" })).await.json();
    let events = format!("/v1/streams/stream/session?ticket={}&from=0", ticket["ticket"].as_str().unwrap());
    let sse = [("accept", "text/event-stream"), ("authorization", auth.as_str())];
    let text = tokio::time::timeout(std::time::Duration::from_secs(2), http(b.http, "GET", &events, &sse, b"")).await;
    assert!(text.is_err() || text.unwrap().status == 200);

    // Nothing of it is lost, or said, by a box that dies and comes back.
    b.kill();
    let b = Box::start(folder.path());
    assert_eq!(b.screen(&robin, "s").await, all);
    b.kill();

    let log = std::fs::read(log_of(folder.path())).unwrap();
    assert!(log.windows(5).any(|w| w == b"TRACE"), "the log is not verbose");
    for secret in [KID.as_bytes(), CT] {
        for spelling in spellings(secret) {
            let found = log.windows(spelling.len()).any(|w| w == spelling);
            assert!(!found, "{} stands in the log", String::from_utf8_lossy(&spelling));
        }
    }
}

#[tokio::test]
async fn a_secret_of_a_shell_is_in_no_file_of_the_box_and_one_that_is_cut_is_in_no_frame() {
    let folder = tempfile::tempdir().unwrap();
    let b = Box::start(folder.path());
    let (robin, producer) =
        (token(folder.path(), ["--person", "robin"]), token(folder.path(), ["--producer", "switchboard"]));
    let mut n = 0;
    let mut event = |name: &str, data: Value| {
        n += 1;
        let actor = if name.starts_with("term") || n == 1 { "person:robin" } else { "assistant:helper" };
        json!({ "id": format!("e{n}"), "name": name, "session": "s", "turn": "t", "actor": actor, "data": data })
    };
    // Those that came whole are kept by nothing; the one that was cut is shown to nobody.
    let events = json!({ "events": [
        event("thread.started", json!({ "title": "t" })),
        event("term.command", json!({ "term": "t", "line": "login --password whole-0-secret" })),
        event("thread.tool-started", json!({ "call": "c", "tool": "Bash", "title": "TOKEN=whole-1-secret ls" })),
        event("thread.shell", json!({ "call": "c", "command": "PGPASSWORD=whole-2-secret psql", "output": "API_KEY=whole-3-secret\nexport MY_TO" })),
        event("thread.shell", json!({ "call": "c", "command": "", "output": "KEN=cut-4-" })),
        event("thread.tool-progress", json!({ "call": "c", "text": "API_KEY=whole-5-secret\npassword: cut-6" })),
        event("thread.tool-progress", json!({ "call": "c", "text": "-secret\nnext" })),
        event("thread.shell", json!({ "call": "c", "command": "", "output": "secret ok\nDB_PASS=whole-7-secret", "exit": 0 })),
        event("thread.tool-finished", json!({ "call": "c", "tool": "Bash", "ok": true, "result": "done" })),
    ] });
    let published = b.call(&producer, "events.publish", events).await;
    assert_eq!(published.json()["accepted"], json!("9"), "{}", published.text());

    let opened = b.call(&robin, "stream.open", json!({ "session": "s" })).await.json();
    let mut screen = Screen::open(b.http, opened["ticket"].as_str().unwrap(), "").await;
    let frames = screen.until(opened["head"].as_str().unwrap().parse().unwrap()).await;
    let (mut output, mut progress) = (String::new(), String::new());
    for frame in &frames {
        match &frame.get().data {
            Some(Data::TermChunk(t)) => output.push_str(&t.output),
            Some(Data::ToolProgress(p)) => p.parts.iter().chain([&p.text]).for_each(|t| progress.push_str(t)),
            _ => {}
        }
    }
    assert_eq!(output, "API_KEY=[redacted]\nexport MY_TOKEN=[redacted] ok\nDB_PASS=[redacted]");
    assert_eq!(progress, "API_KEY=[redacted]\npassword: [redacted]\nnext");
    b.kill();

    let all = std::fs::read_dir(folder.path().join("data")).unwrap().map(|e| e.unwrap().path());
    let files: Vec<_> = all.filter(|p| p.is_file()).collect();
    assert!(files.iter().any(|p| p.ends_with("vyre.redb")), "{files:?}");
    for file in files {
        let bytes = std::fs::read(file).unwrap();
        for n in [0, 1, 2, 3, 5, 7] {
            let secret = format!("whole-{n}-secret");
            assert!(!bytes.windows(secret.len()).any(|w| w == secret.as_bytes()), "{secret} is kept");
        }
    }
}

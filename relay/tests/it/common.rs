//! A relay on free ports, a box that does what a test says, and phones of every kind.

use std::io::BufRead;
use std::io::BufReader;
use std::path::Path;
use std::process::Child;
use std::process::Command;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use quinn::Connection;
use quinn::Endpoint;
use quinn::RecvStream;
use quinn::SendStream;
use quinn::TransportConfig;
use quinn::crypto::rustls::QuicClientConfig;
use rustls::pki_types::ServerName;
use tempfile::TempDir;
use tokio::io::AsyncReadExt;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite;
use vyre_certs::identity::BoxIdentity;
use vyre_certs::tls;
use vyre_proto::head::Bridged;
use vyre_proto::head::BridgedReply;
use vyre_proto::head::Control;
use vyre_proto::head::Instance;
use vyre_proto::head::Leg;
use vyre_proto::head::Proof;
use vyre_proto::head::REGISTER_LABEL;
use vyre_proto::head::Register;
use vyre_proto::head::RelayHead;
use vyre_proto::head::Started;
use vyre_proto::head::register_message;
use vyre_proto::ids::BoxId;
use vyre_proto::record::Decoder;
use vyre_proto::relay_url::RelayUrl;
use vyre_relay::config::Config;
use vyre_relay::server::Server;

/// Resident memory of a process, in KiB.
pub fn resident(process: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find(|l| l.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// A limit for everything that should not take long, generous because machines are shared.
pub const SOON: Duration = Duration::from_secs(10);

/// Awaits what should not take long.
pub async fn soon<F: Future>(what: F) -> F::Output {
    tokio::time::timeout(SOON, what).await.expect("it should not take this long")
}

/// Waits until it holds.
pub async fn until(what: impl Fn() -> bool) {
    soon(async {
        while !what() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    })
    .await;
}

/// A relay. Dropped, it fails the test in which one of its tasks panicked.
pub struct TestRelay(Option<(Server, TempDir)>);

impl TestRelay {
    pub async fn start() -> Self {
        Self::with(|_| {}).await
    }

    pub async fn with(change: impl FnOnce(&mut Config)) -> Self {
        vyre_relay::server::raise_descriptor_limit();
        let dir = tempfile::tempdir().unwrap();
        let mut config = Config::on_loopback(dir.path().to_owned());
        config.drain = Duration::ZERO;
        change(&mut config);
        Self(Some((Server::start(config).await.unwrap(), dir)))
    }

    pub fn server(&self) -> &Server {
        &self.0.as_ref().unwrap().0
    }

    pub fn data(&self) -> &Path {
        self.0.as_ref().unwrap().1.path()
    }

    pub fn into_parts(mut self) -> (Server, TempDir) {
        self.0.take().unwrap()
    }

    pub fn url(&self) -> RelayUrl {
        self.server().url().clone()
    }

    /// The value of a line of the metrics.
    pub fn metric(&self, name: &str) -> u64 {
        let text = self.server().metrics();
        let line = text.lines().find(|l| l.split(' ').next() == Some(name)).expect(name);
        line.rsplit(' ').next().unwrap().parse().unwrap()
    }
}

impl Drop for TestRelay {
    fn drop(&mut self) {
        if self.0.is_some() && !std::thread::panicking() {
            assert_eq!(self.metric("vyre_relay_tasks_failed"), 0, "a task of the relay panicked");
        }
    }
}

/// The program itself.
pub struct Program {
    pub child: Child,
    pub ready: serde_json::Value,
}

impl Program {
    pub fn start(data: &Path, quic: &str, more: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_vyre-relay"))
            .args([
                "--data",
                data.to_str().unwrap(),
                "--http",
                "127.0.0.1:0",
                "--quic",
                quic,
                "--json",
                "--log",
                "warn",
            ])
            .args(more)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        Self { child, ready: serde_json::from_str(&line).unwrap() }
    }

    pub fn url(&self) -> RelayUrl {
        self.ready["url"].as_str().unwrap().parse().unwrap()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A QUIC connection to a relay. Keeps its endpoint.
#[derive(Clone)]
pub struct Quic {
    #[expect(dead_code, reason = "a connection lives as long as its endpoint")]
    endpoint: Endpoint,
    pub conn: Connection,
}

pub fn transport() -> TransportConfig {
    let mut t = TransportConfig::default();
    t.max_concurrent_bidi_streams(300u32.into())
        .stream_receive_window((256u32 * 1024).into())
        .keep_alive_interval(Some(Duration::from_secs(5)))
        .max_idle_timeout(Some(Duration::from_secs(15).try_into().unwrap()));
    t
}

pub async fn dial(url: &RelayUrl) -> Quic {
    dial_with(url, transport()).await
}

pub async fn dial_with(url: &RelayUrl, transport: TransportConfig) -> Quic {
    try_dial(url, transport).await.unwrap()
}

/// How a client dials. Kept, it resumes.
pub fn client(url: &RelayUrl, transport: TransportConfig) -> quinn::ClientConfig {
    let crypto = QuicClientConfig::try_from(tls::relay_client(url).unwrap()).unwrap();
    let mut config = quinn::ClientConfig::new(Arc::new(crypto));
    config.transport_config(Arc::new(transport));
    config
}

pub async fn try_dial(url: &RelayUrl, transport: TransportConfig) -> Result<Quic, quinn::ConnectionError> {
    try_dial_from([127, 0, 0, 1], url, transport).await
}

/// From another address of this machine, and so from another one's as far as limits go.
pub async fn dial_from(address: [u8; 4], url: &RelayUrl) -> Quic {
    try_dial_from(address, url, transport()).await.unwrap()
}

async fn try_dial_from(
    address: [u8; 4],
    url: &RelayUrl,
    transport: TransportConfig,
) -> Result<Quic, quinn::ConnectionError> {
    let config = client(url, transport);
    let endpoint = Endpoint::client((address, 0).into()).unwrap();
    let addr = (url.host().parse::<std::net::IpAddr>().unwrap(), url.quic_port()).into();
    let conn = soon(endpoint.connect_with(config, addr, url.host()).unwrap()).await?;
    Ok(Quic { endpoint, conn })
}

pub struct TestBox {
    pub identity: BoxIdentity,
    pub quic: Quic,
    pub control: SendStream,
    pub down: RecvStream,
}

/// Registers on a connection and gives the relay's first word.
pub async fn register(
    quic: &Quic,
    identity: &BoxIdentity,
    instance: u8,
    started: u64,
    leg: u32,
) -> (SendStream, RecvStream, Option<Control>) {
    let mut exported = [0; 32];
    quic.conn.export_keying_material(&mut exported, REGISTER_LABEL, b"").unwrap();
    let register = Register {
        box_id: identity.box_id(),
        instance: Instance([instance; 16]),
        leg: Leg(leg),
        started: Started(started),
        proof: Proof(identity.sign(&register_message(&exported))),
    };
    let (mut send, mut recv) = quic.conn.open_bi().await.unwrap();
    send.write_all(&RelayHead::Register(register).to_record()).await.unwrap();
    let control = soon(control(&mut recv)).await;
    (send, recv, control)
}

/// The next word of the relay on a control stream.
pub async fn control(recv: &mut RecvStream) -> Option<Control> {
    Control::decode(&record(recv).await?).unwrap()
}

/// The next record of a stream, read exactly.
pub async fn record(recv: &mut RecvStream) -> Option<Bytes> {
    let mut decoder = Decoder::new();
    loop {
        let mut byte = [0; 1];
        recv.read_exact(&mut byte).await.ok()?;
        decoder.push(&byte);
        if let Some(record) = decoder.next().unwrap() {
            return Some(record);
        }
    }
}

impl TestBox {
    pub async fn start(relay: &TestRelay) -> Self {
        Self::of(&relay.url(), BoxIdentity::generate().unwrap(), transport()).await
    }

    pub async fn of(url: &RelayUrl, identity: BoxIdentity, transport: TransportConfig) -> Self {
        let quic = dial_with(url, transport).await;
        let (control, down, word) = register(&quic, &identity, 1, 100, 0).await;
        assert!(matches!(word, Some(Control::Registered { .. })), "{word:?}");
        Self { identity, quic, control, down }
    }

    pub fn id(&self) -> BoxId {
        self.identity.box_id()
    }

    /// The next stream that the relay carries here.
    pub async fn accept(&self) -> (Bridged, SendStream, RecvStream) {
        let (send, mut recv) = soon(self.quic.conn.accept_bi()).await.unwrap();
        let head = soon(record(&mut recv)).await.unwrap();
        (Bridged::decode(&head).unwrap(), send, recv)
    }

    /// The next stream, of a WebSocket that is let in.
    pub async fn accept_socket(&self) -> (Bridged, SendStream, RecvStream) {
        let (head, mut send, recv) = self.accept().await;
        send.write_all(&BridgedReply::switching().to_record()).await.unwrap();
        (head, send, recv)
    }
}

/// Asks for a stream to a box. What follows is the box's.
pub async fn reach(quic: &Quic, id: BoxId) -> (SendStream, RecvStream) {
    let (mut send, recv) = soon(quic.conn.open_bi()).await.unwrap();
    send.write_all(&RelayHead::Reach(id).to_record()).await.unwrap();
    (send, recv)
}

/// A phone's stream and what the box has of it.
pub struct Pair {
    pub phone: (SendStream, RecvStream),
    pub at_box: (SendStream, RecvStream),
    pub head: Bridged,
}

pub async fn pair(phone: &Quic, at: &TestBox) -> Pair {
    let phone = reach(phone, at.id()).await;
    let (head, send, recv) = at.accept().await;
    Pair { phone, at_box: (send, recv), head }
}

pub type Tls = TlsStream<TcpStream>;
pub type Socket = WebSocketStream<Tls>;

pub async fn tls(url: &RelayUrl) -> Tls {
    tls_over(TcpStream::connect((url.host(), url.http_port())).await.unwrap(), url).await
}

pub async fn tls_over(tcp: TcpStream, url: &RelayUrl) -> Tls {
    let connector = TlsConnector::from(Arc::new(tls::relay_web_client(url).unwrap()));
    let name = ServerName::try_from(url.host().to_owned()).unwrap();
    soon(connector.connect(name, tcp)).await.unwrap()
}

/// Begins a WebSocket; the box has to let it in meanwhile.
pub async fn socket(url: &RelayUrl, path: &str) -> Result<Socket, tungstenite::Error> {
    let uri = format!("wss://{}{path}", url.http_authority());
    soon(tokio_tungstenite::client_async(uri, tls(url).await)).await.map(|(ws, _)| ws)
}

/// A phone on a WebSocket and what the box has of it.
pub async fn socket_pair(relay: &TestRelay, at: &TestBox) -> (Socket, (SendStream, RecvStream), Bridged) {
    let path = format!("/b/{}/v1/streams/stream/session?ticket=t&from=0", at.id());
    let url = relay.url();
    let (ws, (head, send, recv)) = tokio::join!(socket(&url, &path), at.accept_socket());
    (ws.unwrap(), (send, recv), head)
}

/// Sends a request as text and reads until the relay closes.
pub async fn raw_http(url: &RelayUrl, request: &str) -> String {
    let mut tls = tls(url).await;
    tls.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    // A close without TLS's own goodbye is an end as well.
    let _ = soon(tls.read_to_end(&mut answer)).await;
    String::from_utf8_lossy(&answer).into_owned()
}

/// Bytes that differ everywhere.
pub fn bytes(n: usize, seed: u64) -> Vec<u8> {
    let mut x = seed | 1;
    (0..n)
        .map(|_| {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            x.to_le_bytes()[3]
        })
        .collect()
}

/// Writes in pieces of this size, each given the chance to leave alone.
pub async fn write_in(send: &mut SendStream, data: &[u8], piece: usize) {
    for chunk in data.chunks(piece) {
        send.write_all(chunk).await.unwrap();
        if piece < 64 {
            tokio::task::yield_now().await;
        }
    }
}

pub async fn read_all(recv: &mut RecvStream) -> Vec<u8> {
    soon(recv.read_to_end(64 << 20)).await.unwrap()
}

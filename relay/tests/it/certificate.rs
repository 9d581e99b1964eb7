//! Keys and certificates that change while the relay runs: new connections see the new one, open ones go on.

use std::path::Path;
use std::process::Stdio;

use futures_util::SinkExt;
use futures_util::StreamExt;
use rustls::pki_types::CertificateDer;
use tokio::io::AsyncBufReadExt;
use tokio::io::BufReader;
use tokio::process::Command;
use tokio_tungstenite::tungstenite::Message;
use vyre_certs::dev::DevAuthority;
use vyre_certs::rotate;
use vyre_proto::relay_url::RelayUrl;
use vyre_relay::config::Certificate;

use crate::common::*;

/// The certificates that are shown over QUIC and over TLS.
async fn shown(url: &RelayUrl) -> [CertificateDer<'static>; 2] {
    let quic = dial(url).await;
    let chain = quic.conn.peer_identity().unwrap().downcast::<Vec<CertificateDer<'static>>>().unwrap();
    let tls = tls(url).await;
    let web = tls.get_ref().1.peer_certificates().unwrap();
    [chain[0].clone(), web[0].clone()]
}

/// The address of a relay, once it has changed.
async fn changed(relay: &TestRelay, from: &RelayUrl) -> RelayUrl {
    let mut addresses = relay.server().addresses();
    soon(addresses.wait_for(|url| url != from)).await.unwrap().clone()
}

/// Everything that a box and its phones have open, and proof that it works.
struct Open {
    at: TestBox,
    phone: Quic,
    quic: Pair,
    socket: (Socket, (quinn::SendStream, quinn::RecvStream)),
}

impl Open {
    async fn over(relay: &TestRelay) -> Open {
        let at = TestBox::start(relay).await;
        let phone = dial(&relay.url()).await;
        let quic = pair(&phone, &at).await;
        let (ws, halves, _) = socket_pair(relay, &at).await;
        Open { at, phone, quic, socket: (ws, halves) }
    }

    async fn goes_on(&mut self) {
        let mut four = [0; 4];
        self.quic.phone.0.write_all(b"ping").await.unwrap();
        soon(self.quic.at_box.1.read_exact(&mut four)).await.unwrap();
        self.quic.at_box.0.write_all(b"pong").await.unwrap();
        soon(self.quic.phone.1.read_exact(&mut four)).await.unwrap();
        let (ws, (send, recv)) = &mut self.socket;
        ws.send(Message::binary(b"ping".to_vec())).await.unwrap();
        soon(recv.read_exact(&mut four)).await.unwrap();
        send.write_all(b"pong").await.unwrap();
        assert_eq!(soon(ws.next()).await.unwrap().unwrap(), Message::binary(b"pong".to_vec()));
        // A new stream too, on the connections that there are.
        pair(&self.phone, &self.at).await;
    }
}

/// Puts a file in the place of another, as programs that renew certificates do.
fn replace(from: &Path, to: &Path) {
    let beside = to.with_extension("new");
    std::fs::copy(from, &beside).unwrap();
    std::fs::rename(&beside, to).unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_renewed_certificate_is_shown_to_those_who_come_and_those_inside_go_on() {
    let dir = tempfile::tempdir().unwrap();
    let authority = DevAuthority::new("test").unwrap();
    let set = |name: &str| authority.write_set(&dir.path().join(name), &["127.0.0.1".to_owned()]).unwrap();
    let (used, next) = (set("used"), set("next"));
    let relay = TestRelay::with(|c| {
        c.certificate = Certificate::Files { cert: used.cert.clone(), key: used.key.clone() };
    })
    .await;
    let before = relay.url();
    let old = shown(&before).await;
    let mut open = Open::over(&relay).await;

    // The certificate first, as if the program that renews were between its two files: it does not fit the key.
    replace(&next.cert, &used.cert);
    tokio::time::sleep(vyre_relay::certificate::LOOK + vyre_relay::certificate::LOOK / 5).await;
    assert_eq!(shown(&before).await, old);
    replace(&next.key, &used.key);
    let after = changed(&relay, &before).await;

    let new = shown(&after).await;
    assert_eq!(new[0], new[1]);
    assert_ne!(new, old);
    open.goes_on().await;
    assert_eq!(relay.server().boxes(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_relays_key_changes_with_an_overlap_and_without_a_restart() {
    let relay = TestRelay::start().await;
    let data = relay.data().to_owned();
    let before = relay.url();
    let mut open = Open::over(&relay).await;

    rotate::prepare_relay(&data).unwrap();
    let overlap = changed(&relay, &before).await;
    assert_eq!(overlap.pins().len(), 2);
    assert_eq!(overlap.pins()[0], before.pins()[0]);
    // Nothing but the address has changed.
    dial(&before).await;
    rotate::switch_relay(&data).unwrap();
    let after = changed(&relay, &overlap).await;

    assert_eq!(after.pins(), &overlap.pins()[1..]);
    dial(&overlap).await;
    tls(&overlap).await;
    assert!(try_dial(&before, transport()).await.is_err());
    open.goes_on().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_program_prints_its_address_again_when_that_changes() {
    let dir = tempfile::tempdir().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_vyre-relay"))
        .args(["--data", dir.path().to_str().unwrap(), "--http", "127.0.0.1:0", "--quic", "127.0.0.1:0"])
        .args(["--log", "warn"])
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut address = async || soon(lines.next_line()).await.unwrap().unwrap().parse::<RelayUrl>().unwrap();
    let before = address().await;

    let pin = rotate::prepare_relay(dir.path()).unwrap();

    let overlap = address().await;
    assert_eq!(overlap.pins(), [before.pins()[0], pin]);
    assert_eq!(overlap.quic_port(), before.quic_port());
}

//! A box whose HTTPS certificate is renewed while it runs.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use rustls::RootCertStore;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::ServerName;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_tungstenite::client_async;
use vyre_certs::dev::DevAuthority;
use vyre_certs::tls;
use vyre_proto::event::Event;
use vyre_proto::pb::stream as pb;
use vyre_stream::client::Client;
use vyre_stream::client::Publisher;
use vyre_stream::client::Target;
use vyre_stream::client::Token;
use vyre_stream::clock::Clock;
use vyre_stream::config::Settings;
use vyre_stream::daemon::certificate::LOOK;

use crate::common::TestBox;
use crate::common::delta;
use crate::common::words;

const LIMIT: Duration = Duration::from_secs(15);

async fn connect(at: SocketAddr, roots: &RootCertStore) -> TlsStream<TcpStream> {
    let tcp = TcpStream::connect(at).await.unwrap();
    let config = tls::authority_client(roots.clone(), tls::ALPN_HTTP).unwrap();
    let name = ServerName::try_from("127.0.0.1").unwrap();
    timeout(LIMIT, TlsConnector::from(Arc::new(config)).connect(name, tcp)).await.unwrap().unwrap()
}

async fn shown(at: SocketAddr, roots: &RootCertStore) -> CertificateDer<'static> {
    connect(at, roots).await.get_ref().1.peer_certificates().unwrap()[0].clone()
}

async fn publish(publisher: &mut Publisher, lines: Vec<String>) {
    let events = lines.iter().map(|line| Event::from_json(line.as_bytes()).unwrap());
    publisher.publish_all(events).await.unwrap();
    timeout(LIMIT, publisher.flush()).await.unwrap().unwrap();
}

/// Puts a file in the place of another, as programs that renew certificates do.
fn replace(from: &Path, to: &Path) {
    let beside = to.with_extension("new");
    std::fs::copy(from, &beside).unwrap();
    std::fs::rename(&beside, to).unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_renewed_certificate_is_shown_to_those_who_come_and_a_screen_inside_reads_on() {
    let dir = tempfile::tempdir().unwrap();
    let authority = DevAuthority::new("test").unwrap();
    let set = |name: &str| authority.write_set(&dir.path().join(name), &["127.0.0.1".to_owned()]).unwrap();
    let (used, next) = (set("used"), set("next"));
    let roots = tls::authorities(&used.authority).unwrap();
    let settings =
        Settings { tls_cert: Some(used.cert.clone()), tls_key: Some(used.key.clone()), ..Settings::default() };
    let b = TestBox::start_with(settings, Clock::system()).await;
    let straight = Target::Box { id: b.id(), host: "127.0.0.1".into(), port: b.quic().port() };
    let client = |token: &str| Client::connect(straight.clone(), Token::parse(token).unwrap()).unwrap();
    let mut publisher = client(&b.producer()).publisher();
    publish(&mut publisher, words("s", 3)).await;
    let open = pb::StreamOpen { session: "s".into(), ..Default::default() };
    let opened: pb::StreamOpened = client(&b.person("robin")).call("stream.open", &open).await.unwrap();
    let uri = format!("wss://{}/v1/streams/stream/session?ticket={}&from=4", b.http(), opened.ticket);
    let (mut screen, _) = client_async(uri, connect(b.http(), &roots).await).await.unwrap();
    let hello = timeout(LIMIT, screen.next()).await.unwrap().unwrap().unwrap();
    assert!(hello.is_binary());
    let old = shown(b.http(), &roots).await;

    // The certificate first: it does not fit the key, and is not taken.
    replace(&next.cert, &used.cert);
    tokio::time::sleep(LOOK + LOOK / 5).await;
    assert_eq!(shown(b.http(), &roots).await, old);
    replace(&next.key, &used.key);
    let new = timeout(LIMIT, async {
        loop {
            let now = shown(b.http(), &roots).await;
            if now != old {
                return now;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    })
    .await
    .expect("the old one is still shown");

    let wanted = std::fs::read_to_string(&next.cert).unwrap();
    let wanted = rustls::pki_types::pem::PemObject::from_pem_slice(wanted.as_bytes());
    assert_eq!(new, wanted.unwrap());
    publish(&mut publisher, vec![delta("s", 9, "on ")]).await;
    let frame = timeout(LIMIT, screen.next()).await.unwrap().unwrap().unwrap();
    assert!(frame.is_binary() && !frame.is_empty(), "{frame:?}");
}

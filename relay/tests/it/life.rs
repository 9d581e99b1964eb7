//! Boxes that come, go and come twice; a relay that stops, dies and starts again.

use std::process::Command;
use std::time::Duration;
use std::time::Instant;

use futures_util::StreamExt;
use quinn::ConnectionError;
use tokio_tungstenite::tungstenite::Message;
use vyre_certs::identity::BoxIdentity;
use vyre_certs::rotate;
use vyre_proto::head::Control;
use vyre_proto::head::End;
use vyre_proto::relay_url::RelayUrl;
use vyre_relay::config::Config;
use vyre_relay::server::Server;

use crate::common::*;

fn closed_with(e: &ConnectionError) -> Option<End> {
    match e {
        ConnectionError::ApplicationClosed(close) => End::from_code(close.error_code.into()),
        _ => None,
    }
}

#[tokio::test]
async fn a_newer_start_of_a_box_takes_over_and_the_older_is_told_and_kept_out() {
    let relay = TestRelay::start().await;
    let identity = BoxIdentity::generate().unwrap();
    let (old, old_leg) = (dial(&relay.url()).await, dial(&relay.url()).await);
    let _a = register(&old, &identity, 1, 100, 0).await;
    let _b = register(&old_leg, &identity, 1, 100, 1).await;
    assert!(old.conn.close_reason().is_none() && old_leg.conn.close_reason().is_none());

    let new = dial(&relay.url()).await;
    let (_c, _d, word) = register(&new, &identity, 2, 200, 0).await;

    assert!(matches!(word, Some(Control::Registered { .. })), "{word:?}");
    assert_eq!(closed_with(&soon(old.conn.closed()).await), Some(End::Replaced));
    assert_eq!(closed_with(&soon(old_leg.conn.closed()).await), Some(End::Replaced));
    // The older one tries again: refused, and the newer one does not notice.
    let again = dial(&relay.url()).await;
    let (_e, _f, word) = register(&again, &identity, 1, 100, 0).await;
    let Some(Control::Refused { end: End::Replaced, retry_after, .. }) = word else { panic!("{word:?}") };
    assert!(retry_after >= Duration::from_secs(30));
    assert!(new.conn.close_reason().is_none());
    assert_eq!(relay.server().boxes(), 1);
    // The end of the old connections has not ended the new one: phones come through it.
    let phone = dial(&relay.url()).await;
    let (_send, _recv) = reach(&phone, identity.box_id()).await;
    soon(new.conn.accept_bi()).await.unwrap();
}

#[tokio::test]
async fn a_phone_whose_box_is_taken_over_is_told_to_come_back_at_once() {
    let relay = TestRelay::start().await;
    let at = TestBox::start(&relay).await;
    let quic = dial(&relay.url()).await;
    let Pair { phone: (_s, mut recv), at_box: _at_box, .. } = pair(&quic, &at).await;

    let new = dial(&relay.url()).await;
    let _held = register(&new, &at.identity, 2, 200, 0).await;

    assert_eq!(soon(recv.received_reset()).await.unwrap().map(u64::from), Some(End::Restart.code()));
}

#[tokio::test]
async fn a_box_that_leaves_politely_keeps_its_streams_and_gets_no_new_ones() {
    let relay = TestRelay::start().await;
    let mut at = TestBox::start(&relay).await;
    let quic = dial(&relay.url()).await;
    let Pair { mut phone, mut at_box, .. } = pair(&quic, &at).await;

    at.control.finish().unwrap();
    until(|| relay.server().boxes() == 0).await;

    let (_s, mut refused) = reach(&quic, at.id()).await;
    assert_eq!(soon(refused.received_reset()).await.unwrap().map(u64::from), Some(End::Away.code()));
    at_box.0.write_all(b"to the end").await.unwrap();
    at_box.0.finish().unwrap();
    assert_eq!(read_all(&mut phone.1).await, b"to the end");
    phone.0.finish().unwrap();
    assert_eq!(read_all(&mut at_box.1).await, b"");
}

#[tokio::test]
async fn stopping_says_goodbye_to_everybody_in_their_own_words() {
    let relay = TestRelay::with(|c| c.drain = Duration::from_millis(300)).await;
    let mut at = TestBox::start(&relay).await;
    let (mut ws, _at_box, _) = socket_pair(&relay, &at).await;
    let quic = dial(&relay.url()).await;
    let Pair { phone: _phone, .. } = pair(&quic, &at).await;
    let (server, _dir) = relay.into_parts();

    let (word, message, phone_end, ()) = tokio::join!(
        soon(control(&mut at.down)),
        async {
            loop {
                match soon(ws.next()).await {
                    Some(Ok(Message::Close(frame))) => {
                        // The answer to the close leaves with the next look.
                        let _ = soon(ws.next()).await;
                        return frame;
                    }
                    Some(Ok(_)) => {}
                    other => panic!("{other:?}"),
                }
            }
        },
        soon(quic.conn.closed()),
        soon(server.stop()),
    );

    assert!(matches!(word, Some(Control::Bye { end: End::Restart, .. })), "{word:?}");
    let frame = message.unwrap();
    assert_eq!(u16::from(frame.code), 4503);
    assert_eq!(End::from_ws(4503, &frame.reason), End::Restart);
    assert_eq!(closed_with(&phone_end), Some(End::Restart));
    assert_eq!(closed_with(&soon(at.quic.conn.closed()).await), Some(End::Restart));
}

#[tokio::test]
async fn a_relays_key_changes_with_an_overlap() {
    let relay = TestRelay::start().await;
    let (server, dir) = relay.into_parts();
    let config = || {
        let mut config = Config::on_loopback(dir.path().to_owned());
        config.drain = Duration::ZERO;
        config
    };
    let before = server.url().pins().to_vec();
    server.stop().await;
    rotate::prepare_relay(dir.path()).unwrap();
    let overlap = Server::start(config()).await.unwrap();
    let both = overlap.url().pins().to_vec();
    overlap.stop().await;
    rotate::switch_relay(dir.path()).unwrap();
    let after = Server::start(config()).await.unwrap();
    let at = |pins| RelayUrl::new(false, "127.0.0.1", after.http().port(), after.quic().port(), pins).unwrap();

    assert_eq!(both.len(), 2);
    assert_eq!(after.url().pins(), &both[1..]);
    // Who was told of both pins comes back, over QUIC and over TLS.
    dial(&at(both.clone())).await;
    tls(&at(both)).await;
    assert!(try_dial(&at(before), transport()).await.is_err());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_a_crash_the_relay_is_the_same_and_says_at_once_that_it_knows_nobody() {
    let dir = tempfile::tempdir().unwrap();
    let mut first = Program::start(dir.path(), "127.0.0.1:0", &[]);
    let url = first.url();
    let quic_addr = first.ready["quic"].as_str().unwrap().to_owned();
    assert_eq!(first.ready["version"], env!("CARGO_PKG_VERSION"));
    let mut transport = transport();
    transport.keep_alive_interval(None);
    let phone = dial_with(&url, transport).await;

    first.child.kill().unwrap();
    first.child.wait().unwrap();
    let second = Program::start(dir.path(), &quic_addr, &[]);
    let began = Instant::now();
    let (mut send, _recv) = phone.conn.open_bi().await.unwrap();
    send.write_all(b"anybody there?").await.unwrap();
    let end = soon(phone.conn.closed()).await;

    assert_eq!(end, ConnectionError::Reset);
    assert!(began.elapsed() < Duration::from_secs(3), "{:?}", began.elapsed());
    assert_eq!(second.url().pins(), url.pins());
    assert_eq!(second.url().quic_port(), url.quic_port());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_program_stops_cleanly_when_asked() {
    let dir = tempfile::tempdir().unwrap();
    let mut program = Program::start(dir.path(), "127.0.0.1:0", &[]);
    let mut at = TestBox::of(&program.url(), BoxIdentity::generate().unwrap(), transport()).await;

    let pid = rustix::process::Pid::from_child(&program.child);
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();

    let word = soon(control(&mut at.down)).await;
    assert!(matches!(word, Some(Control::Bye { end: End::Restart, .. })), "{word:?}");
    let status = soon(tokio::task::spawn_blocking(move || program.child.wait().unwrap())).await.unwrap();
    assert!(status.success(), "{status}");
}

#[test]
fn wrong_arguments_are_two_and_a_failure_to_start_is_one() {
    let run = |args: &[&str]| {
        let out = Command::new(env!("CARGO_BIN_EXE_vyre-relay")).args(args).output().unwrap();
        (out.status.code(), String::from_utf8(out.stderr).unwrap())
    };
    assert_eq!(run(&["--nonsense"]).0, Some(2));
    let (code, said) = run(&["--data", "/tmp", "--http", "x"]);
    assert_eq!(code, Some(2));
    assert!(said.contains("http: \"x\" is not an address"), "{said}");
    let (code, said) = run(&["--data", "/dev/null/x", "--http", "127.0.0.1:0", "--quic", "127.0.0.1:0"]);
    assert_eq!(code, Some(1));
    assert!(said.contains("/dev/null/x"), "{said}");
}

//! What passes through leaves no trace.

use std::io::Write;
use std::sync::Arc;
use std::sync::Mutex;

use futures_util::SinkExt;
use futures_util::StreamExt;
use tokio_tungstenite::tungstenite::Message;
use tracing_subscriber::EnvFilter;

use crate::common::*;

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn no_ticket_token_or_word_is_in_a_log_or_a_metric_however_much_is_logged() {
    let log = Log::default();
    let writer = log.clone();
    // Everything that the relay itself can say. It is on for this thread, which runs everything in this test.
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(EnvFilter::new("vyre_relay=trace,vyre_certs=trace,vyre_proto=trace"))
        .with_writer(move || writer.clone())
        .finish();
    // While there is one listener, whether a line is wanted at all is asked of the thread that first comes by it, which may
    // be another test's. With two it is asked of both.
    let _second = tracing::Dispatch::new(tracing_subscriber::fmt().with_env_filter(EnvFilter::new("off")).finish());
    let _guard = tracing::subscriber::set_default(subscriber);
    let relay = TestRelay::start().await;
    let at = TestBox::start(&relay).await;
    let url = relay.url();

    let path = format!("/b/{}/v1/streams/stream/session?ticket=HUSHTICKET&from=0", at.id());
    let (ws, (_, mut send, _recv)) = tokio::join!(socket(&url, &path), at.accept_socket());
    let mut ws = ws.unwrap();
    ws.send(Message::Binary(b"HUSHWORDS"[..].into())).await.unwrap();
    send.write_all(b"HUSHWORDS").await.unwrap();
    send.reset(5u32.into()).unwrap();
    while let Some(Ok(_)) = soon(ws.next()).await {}
    let refused = raw_http(
        &url,
        "GET /b/x/v1/y?ticket=HUSHTICKET HTTP/1.1\r\nhost: r\r\nauthorization: Bearer HUSHTOKEN\r\n\
         connection: close\r\n\r\n",
    )
    .await;
    at.quic.conn.close(0u32.into(), b"");
    until(|| relay.server().boxes() == 0 && relay.server().streams() == 0).await;
    let metrics = relay.server().metrics();
    relay.into_parts().0.stop().await;

    let said = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    assert!(said.contains("registered"), "the log is on: {said}");
    for text in [&said, &refused, &metrics] {
        assert!(!text.contains("HUSH"), "{text}");
    }
}

//! What does the relay add? A round trip of 200 bytes and bulk, through it and over bare quinn, with one runtime and the
//! same windows.
//!
//! `cargo bench -p vyre-relay`

#![allow(clippy::unwrap_used, clippy::expect_used)] // A bench that cannot run says so by failing.

#[path = "../tests/it/common.rs"]
#[allow(dead_code, unfulfilled_lint_expectations)]
mod common;

use std::time::Duration;
use std::time::Instant;

use quinn::RecvStream;
use quinn::SendStream;
use vyre_certs::identity::RelayIdentity;
use vyre_proto::head::End;
use vyre_proto::relay_url::RelayUrl;

use common::Quic;
use common::TestBox;
use common::TestRelay;
use common::dial;
use common::pair;

const TRIPS: usize = 5_000;
const BULK: usize = 256 << 20;
const RUNS: usize = 3;

/// Sends everything back.
async fn echo((mut send, mut recv): (SendStream, RecvStream)) {
    let mut pieces: [bytes::Bytes; 16] = std::array::from_fn(|_| bytes::Bytes::new());
    while let Ok(Some(n)) = recv.read_chunks(&mut pieces).await {
        send.write_all_chunks(&mut pieces[..n]).await.unwrap();
    }
}

/// Writes the bulk.
async fn pour((mut send, _recv): (SendStream, RecvStream)) {
    let piece = bytes::Bytes::from(vec![7; 64 * 1024]);
    for _ in 0..BULK / piece.len() {
        send.write_chunk(piece.clone()).await.unwrap();
    }
    send.finish().unwrap();
    let _ = send.stopped().await;
}

async fn trips((mut send, mut recv): (SendStream, RecvStream)) -> (f64, f64) {
    let mut took = Vec::with_capacity(TRIPS);
    let (words, mut got) = ([9; 200], [0; 200]);
    for i in 0..TRIPS + 500 {
        let began = Instant::now();
        send.write_all(&words).await.unwrap();
        recv.read_exact(&mut got).await.unwrap();
        if i >= 500 {
            took.push(began.elapsed());
        }
    }
    took.sort_unstable();
    let us = |d: Duration| d.as_secs_f64() * 1e6;
    (us(took[TRIPS / 2]), us(took[TRIPS * 99 / 100]))
}

async fn drink((_send, mut recv): (SendStream, RecvStream)) -> f64 {
    let began = Instant::now();
    let mut n = 0;
    let mut pieces: [bytes::Bytes; 16] = std::array::from_fn(|_| bytes::Bytes::new());
    while let Some(k) = recv.read_chunks(&mut pieces).await.unwrap() {
        n += pieces[..k].iter().map(bytes::Bytes::len).sum::<usize>();
    }
    assert_eq!(n, BULK);
    n as f64 / began.elapsed().as_secs_f64() / 1e6
}

/// A stream over bare quinn: the client's side, and the server's.
async fn bare(client: &Quic, server: &quinn::Connection) -> ((SendStream, RecvStream), (SendStream, RecvStream)) {
    let mut ours = client.conn.open_bi().await.unwrap();
    ours.0.write_all(b"!").await.unwrap();
    let mut theirs = server.accept_bi().await.unwrap();
    theirs.1.read_exact(&mut [0; 1]).await.unwrap();
    (ours, theirs)
}

fn main() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let dir = tempfile::tempdir().unwrap();
        let identity = RelayIdentity::load_or_create(dir.path(), &["127.0.0.1".to_owned()]).unwrap();
        // The same endpoint as the relay's own, with nothing behind it.
        let endpoint = vyre_relay::quic::endpoint(([127, 0, 0, 1], 0).into(), &identity).unwrap();
        let port = endpoint.local_addr().unwrap().port();
        let url = RelayUrl::new(false, "127.0.0.1", port, port, identity.pins()).unwrap();
        let (client, server) = tokio::join!(dial(&url), async { endpoint.accept().await.unwrap().await.unwrap() });
        let relay = TestRelay::start().await;
        let at = TestBox::start(&relay).await;
        let phone = dial(&relay.url()).await;

        println!("| run | what | bare quinn | relay | ratio |\n|---|---|---|---|---|");
        for run in 1..=RUNS {
            let (ours, theirs) = bare(&client, &server).await;
            let task = tokio::spawn(echo(theirs));
            let floor = trips(ours).await;
            task.abort();
            let pair_ = pair(&phone, &at).await;
            let task = tokio::spawn(echo(pair_.at_box));
            let ours = trips(pair_.phone).await;
            task.abort();
            println!("| {run} | round trip, p50 µs | {:.0} | {:.0} | {:.2} |", floor.0, ours.0, ours.0 / floor.0);
            println!("| {run} | round trip, p99 µs | {:.0} | {:.0} | {:.2} |", floor.1, ours.1, ours.1 / floor.1);

            let (ours, theirs) = bare(&client, &server).await;
            let task = tokio::spawn(pour(theirs));
            let floor = drink(ours).await;
            task.await.unwrap();
            let pair_ = pair(&phone, &at).await;
            let task = tokio::spawn(pour(pair_.at_box));
            let ours = drink(pair_.phone).await;
            task.await.unwrap();
            println!("| {run} | bulk, MB/s | {floor:.0} | {ours:.0} | {:.2} |", ours / floor);
        }
        client.conn.close(vyre_relay::bridge::code(End::Done), b"");
        relay.into_parts().0.stop().await;
    });
}

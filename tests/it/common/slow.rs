//! A slow line with deep buffers: it takes everything at once and lets it through at its own pace.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::io::AsyncReadExt;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;
use tokio::net::TcpStream;
use tokio::sync::mpsc;

/// Bytes that go through at once.
const PIECE: usize = 1500;

/// Forwards TCP to `to`, and what comes back at so many bytes a second. Ends with the test.
pub async fn slow_link(to: SocketAddr, rate: u64) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let addr = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((near, _)) = listener.accept().await {
            let far = TcpStream::connect(to).await.unwrap();
            near.set_nodelay(true).unwrap();
            far.set_nodelay(true).unwrap();
            let ((mut near_read, mut near_write), (mut far_read, mut far_write)) =
                (near.into_split(), far.into_split());
            tokio::spawn(async move { tokio::io::copy(&mut near_read, &mut far_write).await });
            // What waits here is what a line with deep buffers holds.
            let (queue, mut waits) = mpsc::unbounded_channel::<Vec<u8>>();
            tokio::spawn(async move {
                let mut bytes = [0; PIECE];
                while let Ok(n @ 1..) = far_read.read(&mut bytes).await {
                    if queue.send(bytes[..n].to_vec()).is_err() {
                        return;
                    }
                }
            });
            tokio::spawn(async move {
                let mut free_at = tokio::time::Instant::now();
                while let Some(piece) = waits.recv().await {
                    let takes = Duration::from_micros(piece.len() as u64 * 1_000_000 / rate);
                    free_at = free_at.max(tokio::time::Instant::now()) + takes;
                    tokio::time::sleep_until(free_at).await;
                    if near_write.write_all(&piece).await.is_err() {
                        return;
                    }
                }
            });
        }
    });
    addr
}

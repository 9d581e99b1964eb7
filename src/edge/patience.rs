//! A connection that gives up when its peer takes nothing for too long.
//!
//! Whoever writes on it needs no limit of its own. While bytes move, or nothing is to be written, it costs one null
//! pointer; the timer exists only while a write waits.

use std::future::Future;
use std::io;
use std::io::IoSlice;
use std::pin::Pin;
use std::task::Context;
use std::task::Poll;
use std::time::Duration;

use tokio::io::AsyncRead;
use tokio::io::AsyncWrite;
use tokio::io::ReadBuf;
use tokio::time::Sleep;
use tokio::time::sleep;

/// A peer that takes not one byte for this long is slow: it comes back with its cursor.
pub const WRITE_PATIENCE: Duration = Duration::from_secs(30);

/// See the module.
#[derive(Debug)]
pub struct Patient<S> {
    io: S,
    waits: Option<Pin<Box<Sleep>>>,
    patience: Duration,
    /// Bytes read that nobody asked about yet.
    came: usize,
    held: Held,
}

/// Whether those who do not know of each other may write now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Held {
    No,
    Yes,
    /// And somebody wanted to.
    Wanted,
}

impl<S> Patient<S> {
    /// With a limit of [`WRITE_PATIENCE`].
    pub fn new(io: S) -> Self {
        Self::with(io, WRITE_PATIENCE)
    }

    /// With a limit of the caller's.
    pub fn with(io: S, patience: Duration) -> Self {
        Self { io, waits: None, patience, came: 0, held: Held::No }
    }

    /// The same with more around the connection.
    pub fn map<T>(self, wrap: impl FnOnce(S) -> T) -> Patient<T> {
        let Patient { io, waits, patience, came, held } = self;
        Patient { io: wrap(io), waits, patience, came, held }
    }

    /// Bytes read since this was asked last.
    pub fn take_came(&mut self) -> usize {
        std::mem::take(&mut self.came)
    }

    /// From now on only [`Patient::poll_write_own`] writes, or again everybody. Whether somebody else wanted to meanwhile:
    /// they wait without being woken, and are to be asked again.
    pub fn hold(&mut self, hold: bool) -> bool {
        let wanted = self.held == Held::Wanted;
        self.held = match (hold, self.held) {
            (false, _) => Held::No,
            (true, Held::No) => Held::Yes,
            (true, held) => held,
        };
        wanted
    }

    fn judge<T>(&mut self, cx: &mut Context<'_>, written: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        match written {
            Poll::Ready(done) => {
                if self.waits.is_some() {
                    self.waits = None;
                }
                Poll::Ready(done)
            }
            Poll::Pending => {
                let patience = self.patience;
                let waits = self.waits.get_or_insert_with(|| Box::pin(sleep(patience)));
                match waits.as_mut().poll(cx) {
                    Poll::Ready(()) => {
                        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the peer takes nothing")))
                    }
                    Poll::Pending => Poll::Pending,
                }
            }
        }
    }
}

impl<S: AsyncWrite + Unpin> Patient<S> {
    /// Writes also where others may not.
    pub fn poll_write_own(&mut self, cx: &mut Context<'_>, bufs: &[IoSlice<'_>]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.io).poll_write_vectored(cx, bufs);
        self.judge(cx, written)
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Patient<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        let read = Pin::new(&mut self.io).poll_read(cx, buf);
        self.came += buf.filled().len() - before;
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Patient<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        if self.held != Held::No {
            self.held = Held::Wanted;
            return Poll::Pending;
        }
        let written = Pin::new(&mut self.io).poll_write(cx, buf);
        self.judge(cx, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.io).poll_write_vectored(cx, bufs);
        self.judge(cx, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.io).poll_flush(cx);
        self.judge(cx, flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let shut = Pin::new(&mut self.io).poll_shutdown(cx);
        self.judge(cx, shut)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt;
    use tokio::io::AsyncWriteExt;
    use tokio::io::duplex;

    use super::*;

    #[tokio::test]
    async fn a_peer_that_takes_nothing_ends_the_write() {
        let (near, _far) = duplex(8);
        let mut near = Patient::with(near, Duration::from_millis(30));

        let e = near.write_all(&[0; 100]).await.unwrap_err();

        assert_eq!(e.kind(), io::ErrorKind::TimedOut);
    }

    #[tokio::test]
    async fn a_slow_peer_that_takes_something_is_waited_for() {
        let (near, mut far) = duplex(8);
        let mut near = Patient::with(near, Duration::from_millis(400));
        let reader = tokio::spawn(async move {
            let mut got = 0;
            let mut buf = [0; 8];
            while let Ok(n @ 1..) = far.read(&mut buf).await {
                got += n;
                sleep(Duration::from_millis(50)).await;
            }
            got
        });

        // Thirteen pieces at 50 ms each are longer than the patience for one.
        near.write_all(&[0; 104]).await.unwrap();
        drop(near);

        assert_eq!(reader.await.unwrap(), 104);
    }
}

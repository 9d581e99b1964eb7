//! Records in binary WebSocket messages.
//!
//! The library reads: it unmasks, joins fragments, answers pings and bounds what may come. What the box sends goes
//! around its write buffer: a frame's head and the records themselves, as the log holds them, in one vectored write. So
//! an idle reader holds no buffer that a replay once filled, and a live frame is not copied on its way to the kernel.

use std::future::poll_fn;
use std::io;
use std::io::IoSlice;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering;
use std::task::Context;
use std::task::Poll;
use std::task::Wake;
use std::task::Waker;
use std::task::ready;
use std::time::Duration;

use bytes::Buf;
use bytes::Bytes;
use futures_util::SinkExt;
use futures_util::StreamExt;
use futures_util::task::AtomicWaker;
use tokio::io::AsyncRead;
use tokio::io::AsyncWrite;
use tokio::io::BufReader;
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Error;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::error::ProtocolError;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::protocol::Role;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use vyre_proto::head::End;
use vyre_proto::limits::RECORD_MAX;

use crate::edge::guard::Doors;
use crate::edge::guard::Guest;
use crate::edge::patience::Patient;
use crate::edge::pipe::Duplex;
use crate::edge::pipe::Exchanged;
use crate::edge::pipe::Pipe;
use crate::edge::pipe::end_of_bye;
use crate::edge::publish;
use crate::edge::request::Upgrade;
use crate::edge::term;
use crate::rules::caller::Caller;
use crate::session::Reader;
use crate::tools::term::Seat;

/// Bytes of the read buffer that the library holds for each socket for as long as it stands. It clears as many before every
/// read.
const READ_BUFFER: usize = 4096;

/// The same for a producer, where a larger buffer below takes what the kernel has.
const SMALL_READ_BUFFER: usize = 1024;

/// Bytes that are taken from the kernel at once for a producer. There are few producers.
const PRODUCER_BUFFER: usize = 16 * 1024;

/// What the library itself may have to write: a pong and a close. A flood of pings fills this and no more.
const CONTROL_BUFFER: usize = 1024;

/// Longest message of a client that reads: it has nothing to say.
const READER_MESSAGE_MAX: usize = 4096;

/// Longest message of a producer: a record with its prefix.
const PRODUCER_MESSAGE_MAX: usize = RECORD_MAX + 16;

/// Longest message of a screen on a terminal.
const TERM_MESSAGE_MAX: usize = term::RECORD_IN_MAX + 16;

/// How long a peer may take to answer a close.
const CLOSE_LIMIT: Duration = Duration::from_secs(2);

/// One WebSocket, from the box's side.
pub struct Socket<S> {
    ws: WebSocketStream<Patient<S>>,
    news: Arc<News>,
    /// The peer said what the library answers: the answer may wait to be written.
    owes: bool,
    /// The last message was all that had come.
    alone: bool,
    /// A frame that is being written by [`Duplex::exchange`].
    half: Option<Half>,
}

/// A frame of which a part is written.
struct Half {
    head: [u8; 10],
    /// What of the head is left.
    head_left: std::ops::Range<usize>,
    /// Bytes of the payload that are left.
    left: usize,
}

/// Whether the library may find something to do where it found nothing before.
///
/// Whoever waits for one of several things looks at each of them whenever one moves. To look, the library clears its read
/// buffer and asks the socket; so it is asked only when the socket has woken it.
struct News {
    came: AtomicBool,
    task: AtomicWaker,
}

impl Wake for News {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.came.store(true, Ordering::Release);
        self.task.wake();
    }
}

/// Gives what an upgrade was for a task of its own, to its end. `early` came behind the request's head.
///
/// Two tasks of two sizes: there are many readers, and each would else take the room of a producer.
pub async fn spawn<S>(doors: Doors, guest: Guest, io: Patient<S>, early: Bytes, upgrade: Upgrade)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    match upgrade {
        Upgrade::Read(reader) => {
            let socket = Socket::new(io, early, READER_MESSAGE_MAX, READ_BUFFER).await;
            drop(tokio::spawn(read_frames(socket, reader, guest)));
        }
        Upgrade::Publish(producer) => {
            let io = io.map(|io| BufReader::with_capacity(PRODUCER_BUFFER, io));
            let socket = Socket::new(io, early, PRODUCER_MESSAGE_MAX, SMALL_READ_BUFFER).await;
            drop(tokio::spawn(take_events(socket, doors, producer, guest)));
        }
        Upgrade::Term(seat) => {
            let socket = Socket::new(io, early, TERM_MESSAGE_MAX, READ_BUFFER).await;
            drop(tokio::spawn(show_terminal(socket, doors, *seat, guest)));
        }
    }
}

async fn take_events<S>(mut socket: Socket<S>, doors: Doors, producer: Caller, guest: Guest)
where
    S: AsyncRead + AsyncWrite + Unpin + Send,
{
    let end = publish::serve(&doors, &producer, &mut socket, Bytes::new()).await;
    socket.close(end).await;
    drop(guest);
}

async fn show_terminal<S>(mut socket: Socket<S>, doors: Doors, seat: Seat, guest: Guest)
where
    S: AsyncRead + AsyncWrite + Unpin + Send,
{
    let end = term::serve(&doors, &mut socket, seat).await;
    tracing::debug!(end = end.name(), "a screen leaves its terminal");
    socket.close(end).await;
    drop(guest);
}

/// Feeds one reader. The task of an idle reader is this future, so it holds little.
async fn read_frames<S>(mut socket: Socket<S>, mut reader: Reader, guest: Guest)
where
    S: AsyncRead + AsyncWrite + Unpin + Send,
{
    let end = loop {
        tokio::select! {
            biased;
            incoming = socket.read() => match incoming {
                Ok(Some(_)) => {} // A reader's words mean nothing in this version.
                Ok(None) => break End::Done,
                Err(end) => break end,
            },
            records = reader.next() => match records {
                Some(records) => {
                    if let Err(end) = socket.write(records).await {
                        break end;
                    }
                }
                None => break end_of_bye(reader.ended()),
            },
        }
    };
    tracing::debug!(end = end.name(), ?reader, "a WebSocket reader leaves");
    drop(reader);
    // Boxed: what is needed once at the end is not held by every reader.
    Box::pin(socket.close(end)).await;
    drop(guest);
}

impl<S: AsyncRead + AsyncWrite + Unpin + Send> Socket<S> {
    /// On a connection whose upgrade has been answered.
    pub async fn new(io: Patient<S>, early: Bytes, max_message: usize, read_buffer: usize) -> Self {
        let config = WebSocketConfig::default()
            .read_buffer_size(read_buffer)
            .write_buffer_size(0)
            .max_write_buffer_size(CONTROL_BUFFER)
            .max_message_size(Some(max_message))
            .max_frame_size(Some(max_message));
        let ws = if early.is_empty() {
            WebSocketStream::from_raw_socket(io, Role::Server, Some(config)).await
        } else {
            WebSocketStream::from_partially_read(io, early.into(), Role::Server, Some(config)).await
        };
        let news = Arc::new(News { came: AtomicBool::new(true), task: AtomicWaker::new() });
        Self { ws, news, owes: false, alone: false, half: None }
    }

    /// The next message, asked for only where there can be one.
    fn poll_message(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Message, Error>>> {
        // In this order: what comes in between wakes the task.
        self.news.task.register(cx.waker());
        if !self.news.came.swap(false, Ordering::AcqRel) {
            return Poll::Pending;
        }
        let waker = Waker::from(self.news.clone());
        let polled = self.ws.poll_next_unpin(&mut Context::from_waker(&waker));
        if polled.is_ready() {
            // There may be more.
            self.news.came.store(true, Ordering::Release);
        }
        polled
    }

    /// Says why, waits a little for the peer's answer, and closes.
    pub async fn close(mut self, end: End) {
        if matches!(end, End::Slow | End::Lost | End::Cancelled) || self.half.is_some() {
            return; // Nothing more gets through, or it would stand inside a frame.
        }
        let frame = CloseFrame { code: end.ws().into(), reason: end.ws_reason().into() };
        let closing = async {
            let _ = self.ws.close(Some(frame)).await;
            while let Some(Ok(_)) = self.ws.next().await {}
        };
        let _ = timeout(CLOSE_LIMIT, closing).await;
    }
    /// The next binary message, or the end.
    fn poll_incoming(&mut self, cx: &mut Context<'_>) -> Poll<Result<Option<Bytes>, End>> {
        loop {
            return Poll::Ready(match ready!(self.poll_message(cx)) {
                Some(Ok(Message::Binary(bytes))) => {
                    self.alone = self.ws.get_mut().take_came() == masked_len(bytes.len());
                    Ok(Some(bytes))
                }
                Some(Ok(Message::Ping(_))) => {
                    self.owes = true;
                    continue;
                }
                Some(Ok(Message::Pong(_) | Message::Frame(_))) => continue,
                Some(Ok(Message::Text(_))) => Err(End::NotBinary),
                Some(Ok(Message::Close(_))) => {
                    self.owes = true;
                    Ok(None)
                }
                None => Ok(None),
                Some(Err(error)) => Err(end_of_error(&error)),
            });
        }
    }

    /// Writes on at a frame that holds all of `out`, or the rest of one. Ready when it is out whole.
    fn poll_frame(&mut self, cx: &mut Context<'_>, out: &mut Bytes) -> Poll<io::Result<()>> {
        if self.half.is_none() {
            let (head, len) = frame_head(out.len());
            self.half = Some(Half { head, head_left: 0..len, left: out.len() });
        }
        let io = self.ws.get_mut();
        // What the library has to say would stand inside the frame.
        io.hold(true);
        if let Some(half) = &mut self.half {
            while half.left > 0 || !half.head_left.is_empty() {
                let head = half.head.get(half.head_left.clone()).unwrap_or_default();
                let payload = out.get(..half.left).unwrap_or_default();
                let n = ready!(io.poll_write_own(cx, &[IoSlice::new(head), IoSlice::new(payload)]))?;
                if n == 0 {
                    return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
                }
                let of_head = n.min(half.head_left.len());
                half.head_left.start += of_head;
                half.left -= n - of_head;
                out.advance(n - of_head);
            }
        }
        ready!(Pin::new(&mut *io).poll_flush(cx))?;
        self.owes |= io.hold(false);
        self.half = None;
        Poll::Ready(Ok(()))
    }

    fn poll_exchange(&mut self, cx: &mut Context<'_>, out: &mut Bytes, read: bool) -> Poll<Result<Exchanged, End>> {
        let mut wrote = false;
        if self.owes && self.half.is_none() {
            match self.ws.poll_flush_unpin(cx) {
                Poll::Ready(Ok(())) => self.owes = false,
                Poll::Ready(Err(e)) => return Poll::Ready(Err(end_of_error(&e))),
                // Nothing else may go before it.
                Poll::Pending => {}
            }
        }
        if self.half.is_some() || !self.owes && !out.is_empty() {
            match self.poll_frame(cx, out) {
                Poll::Ready(Ok(())) => wrote = true,
                Poll::Ready(Err(e)) => return Poll::Ready(Err(end_of_io(&e))),
                Poll::Pending => {}
            }
        }
        if read && let Poll::Ready(came) = self.poll_incoming(cx) {
            return Poll::Ready(came.map(|came| came.map_or(Exchanged::Ended, Exchanged::Came)));
        }
        if wrote { Poll::Ready(Ok(Exchanged::Wrote)) } else { Poll::Pending }
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin + Send> Duplex for Socket<S> {
    async fn exchange(&mut self, out: &mut Bytes, read: bool) -> Result<Exchanged, End> {
        poll_fn(|cx| self.poll_exchange(cx, out, read)).await
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin + Send> Pipe for Socket<S> {
    async fn read(&mut self) -> Result<Option<Bytes>, End> {
        poll_fn(|cx| self.poll_incoming(cx)).await
    }

    fn came_alone(&self) -> bool {
        self.alone
    }

    async fn write(&mut self, records: Bytes) -> Result<(), End> {
        if self.owes {
            // Whatever the library still has to say goes first, or it would stand inside our frame.
            self.ws.flush().await.map_err(|e| end_of_error(&e))?;
            self.owes = false;
        }
        let io = self.ws.get_mut();
        write_frame(io, &records).await.map_err(|e| end_of_io(&e))
    }
}

/// Writes one binary frame.
async fn write_frame<W: AsyncWrite + Unpin>(io: &mut W, payload: &[u8]) -> io::Result<()> {
    let (head, head_len) = frame_head(payload.len());
    let mut written = 0;
    while written < head_len + payload.len() {
        let n = poll_fn(|cx| {
            let head_left = head.get(written..head_len).unwrap_or_default();
            let payload_left = payload.get(written.saturating_sub(head_len)..).unwrap_or_default();
            if head_left.is_empty() {
                Pin::new(&mut *io).poll_write(cx, payload_left)
            } else {
                Pin::new(&mut *io).poll_write_vectored(cx, &[IoSlice::new(head_left), IoSlice::new(payload_left)])
            }
        })
        .await?;
        if n == 0 {
            return Err(io::ErrorKind::WriteZero.into());
        }
        written += n;
    }
    poll_fn(|cx| Pin::new(&mut *io).poll_flush(cx)).await
}

/// Bytes of a client's whole frame with this much in it.
fn masked_len(len: usize) -> usize {
    frame_head(len).1 + 4 + len
}

/// Head of a whole, unmasked, binary frame (RFC 6455, 5.2), and how long it is.
fn frame_head(len: usize) -> ([u8; 10], usize) {
    let mut head = [0; 10];
    head[0] = 0x82; // Final, binary.
    if let Ok(short @ 0..=125) = u8::try_from(len) {
        head[1] = short;
        (head, 2)
    } else if let Ok(medium) = u16::try_from(len) {
        head[1] = 126;
        head[2..4].copy_from_slice(&medium.to_be_bytes());
        (head, 4)
    } else {
        head[1] = 127;
        head[2..10].copy_from_slice(&(len as u64).to_be_bytes());
        (head, 10)
    }
}

fn end_of_error(error: &Error) -> End {
    match error {
        Error::ConnectionClosed | Error::AlreadyClosed => End::Done,
        Error::Io(e) => end_of_io(e),
        Error::Capacity(_) | Error::WriteBufferFull(_) => End::TooLarge,
        // Who is gone without a word has said nothing wrong.
        Error::Protocol(ProtocolError::ResetWithoutClosingHandshake) => End::Lost,
        Error::Protocol(_) | Error::Utf8(_) | Error::AttackAttempt | Error::Url(_) | Error::Http(_) => End::Invalid,
        Error::HttpFormat(_) | Error::Tls(_) => End::Lost,
    }
}

fn end_of_io(error: &io::Error) -> End {
    if error.kind() == io::ErrorKind::TimedOut { End::Slow } else { End::Lost }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use tokio::io::AsyncReadExt;
    use tokio::io::AsyncWriteExt;
    use tokio::io::DuplexStream;
    use tokio::io::ReadBuf;
    use tokio::io::duplex;

    use super::*;

    fn size_of_future<A, B, C, F: Future>(_: impl Fn(A, B, C) -> F) -> usize {
        size_of::<F>()
    }

    #[test]
    fn the_task_of_an_idle_reader_is_small() {
        let size = size_of_future(read_frames::<tokio::net::TcpStream>);
        let socket = size_of::<Socket<tokio::net::TcpStream>>();
        let reader = size_of::<Reader>();

        assert!(size < 2048, "{size} bytes, of which {socket} are the socket and {reader} the reader");
    }

    async fn pair(buffer: usize, max: usize) -> (Socket<DuplexStream>, WebSocketStream<DuplexStream>) {
        let (near, far) = duplex(buffer);
        let near = Socket::new(Patient::with(near, Duration::from_millis(200)), Bytes::new(), max, READ_BUFFER).await;
        (near, WebSocketStream::from_raw_socket(far, Role::Client, None).await)
    }

    #[tokio::test]
    async fn frames_of_every_length_of_head_arrive_whole() {
        for len in [0, 1, 125, 126, 65_535, 65_536, 200_000] {
            let (mut near, mut far) = pair(1000, 100).await;
            let payload: Bytes = (0..len).map(|n| n as u8).collect::<Vec<_>>().into();
            let sent = payload.clone();
            let writer = tokio::spawn(async move { near.write(sent).await.map(|()| near) });

            let got = far.next().await.unwrap().unwrap();

            assert_eq!(got, Message::Binary(payload), "{len}");
            assert!(writer.await.unwrap().is_ok());
        }
    }

    #[tokio::test]
    async fn a_peer_that_is_gone_without_a_word_is_lost_and_has_done_nothing_wrong() {
        let (mut near, far) = pair(64, 100).await;
        drop(far);

        assert_eq!(near.read().await, Err(End::Lost));
    }

    #[tokio::test]
    async fn a_pong_never_stands_inside_a_frame() {
        let (mut near, mut far) = pair(64, 100).await;
        let writer = tokio::spawn(async move {
            for _ in 0..20 {
                let _ = crate::edge::pipe::read_ready(&mut near).await;
                near.write(Bytes::from_static(&[7; 100])).await.unwrap();
            }
        });
        let mut got = 0;
        for n in 0..20u8 {
            far.feed(Message::Ping(vec![n].into())).await.unwrap();
            let _ = timeout(Duration::from_millis(5), far.flush()).await;
            while got <= usize::from(n) {
                match far.next().await.unwrap().unwrap() {
                    Message::Binary(b) => {
                        assert_eq!(b, &[7; 100][..]);
                        got += 1;
                    }
                    Message::Pong(_) => {}
                    other => panic!("{other:?}"),
                }
            }
        }
        writer.await.unwrap();
    }

    /// Counts how often it is asked for bytes.
    struct Counted(DuplexStream, Arc<AtomicUsize>);

    impl AsyncRead for Counted {
        fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
            self.1.fetch_add(1, Ordering::SeqCst);
            Pin::new(&mut self.0).poll_read(cx, buf)
        }
    }

    impl AsyncWrite for Counted {
        fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
            Pin::new(&mut self.0).poll_write(cx, buf)
        }
        fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
            Pin::new(&mut self.0).poll_flush(cx)
        }
        fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
            Pin::new(&mut self.0).poll_shutdown(cx)
        }
    }

    #[tokio::test]
    async fn a_socket_that_had_nothing_is_asked_again_when_something_came_and_not_before() {
        let (near, far) = duplex(1000);
        let asked = Arc::new(AtomicUsize::new(0));
        let mut near = Socket::new(Patient::new(Counted(near, asked.clone())), Bytes::new(), 100, READ_BUFFER).await;
        let mut far = WebSocketStream::from_raw_socket(far, Role::Client, None).await;
        for _ in 0..5 {
            assert!(crate::edge::pipe::read_ready(&mut near).await.is_none());
        }
        assert_eq!(asked.load(Ordering::SeqCst), 1);

        for text in ["one", "two"] {
            far.feed(Message::binary(text)).await.unwrap();
        }
        far.flush().await.unwrap();

        assert_eq!(near.read().await, Ok(Some("one".into())));
        assert_eq!(near.read().await, Ok(Some("two".into())));
        assert!(crate::edge::pipe::read_ready(&mut near).await.is_none());
    }

    #[tokio::test]
    async fn text_is_refused_and_named() {
        let (mut near, mut far) = pair(1000, 100).await;
        far.send(Message::text("hello")).await.unwrap();

        let end = near.read().await.unwrap_err();
        near.close(end).await;

        match far.next().await.unwrap().unwrap() {
            Message::Close(Some(frame)) => assert_eq!(u16::from(frame.code), 1003),
            other => panic!("{other:?}"),
        }
    }

    #[tokio::test]
    async fn the_limit_passes_and_one_byte_more_does_not() {
        for (len, want) in [(100, Ok(Some(100))), (101, Err(End::TooLarge))] {
            let (mut near, mut far) = pair(1000, 100).await;
            far.send(Message::binary(vec![1; len])).await.unwrap();

            assert_eq!(near.read().await.map(|b| b.map(|b| b.len())), want);
        }
    }

    #[tokio::test]
    async fn a_message_in_fragments_is_bounded_as_a_whole() {
        let (near, mut far) = duplex(1000);
        let mut near = Socket::new(Patient::new(near), Bytes::new(), 100, READ_BUFFER).await;
        // Two masked fragments of 60 bytes.
        for (first, opcode) in [(true, 0x02u8), (false, 0x80)] {
            let _ = first;
            far.write_all(&[opcode, 0x80 | 60, 0, 0, 0, 0]).await.unwrap();
            far.write_all(&[1; 60]).await.unwrap();
        }

        assert_eq!(near.read().await, Err(End::TooLarge));
    }

    #[tokio::test]
    async fn a_claimed_length_is_refused_before_anything_is_reserved() {
        let (near, mut far) = duplex(1000);
        let mut near = Socket::new(Patient::new(near), Bytes::new(), 100, READ_BUFFER).await;
        far.write_all(&[0x82, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 2, 3, 4]).await.unwrap();

        assert_eq!(near.read().await, Err(End::TooLarge));
    }

    #[tokio::test]
    async fn a_peer_that_never_reads_is_slow() {
        let (mut near, _far) = pair(1000, 100).await;

        assert_eq!(near.write(vec![0; 5000].into()).await, Err(End::Slow));
    }

    #[tokio::test]
    async fn a_flood_of_pings_from_a_peer_that_never_reads_ends_and_holds_nothing() {
        let (near, mut far) = duplex(500);
        let mut near =
            Socket::new(Patient::with(near, Duration::from_millis(100)), Bytes::new(), 100, READ_BUFFER).await;
        let flood = tokio::spawn(async move {
            while far.write_all(&[0x89, 0x84, 0, 0, 0, 0, 1, 2, 3, 4]).await.is_ok() {}
            let mut rest = Vec::new();
            let _ = far.read_to_end(&mut rest).await;
        });

        let end = near.read().await;
        drop(near);
        flood.await.unwrap();

        assert_eq!(end, Err(End::Slow));
    }
}

//! The one connection up to a relay: dials, proves the box's key, takes bridged streams, comes back by itself.
//!
//! A connection is a leg. It is replaced before it is left where that can be: when a relay says that it goes, a new leg
//! is dialled while the old one still carries its streams. After a break the first attempt follows at once, later ones
//! ever more slowly, and what the relay asks for is obeyed. A box that is told that a later start of it took its place
//! does not fight: it looks again once a minute.
//!
//! Every stream is handed to a [`BridgedHandler`] with its head read and nothing more. All tasks belong to the uplink
//! and end with it.

use std::collections::VecDeque;
use std::fmt;
use std::net::Ipv4Addr;
use std::net::Ipv6Addr;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use quinn::ClientConfig;
use quinn::Connection;
use quinn::ConnectionError;
use quinn::Endpoint;
use quinn::ReadExactError;
use quinn::RecvStream;
use quinn::SendStream;
use quinn::TransportConfig;
use quinn::VarInt;
use quinn::crypto::rustls::NoInitialCipherSuite;
use quinn::crypto::rustls::QuicClientConfig;
use tokio::sync::watch;
use tokio::task::AbortHandle;
use tokio::task::JoinHandle;
use tokio::task::JoinSet;
use tokio::time::sleep;
use tokio::time::timeout;
use vyre_certs::identity::BoxIdentity;
use vyre_certs::tls;
use vyre_certs::tls::TlsError;
use vyre_proto::backoff::Backoff;
use vyre_proto::head::BRIDGED_MAX;
use vyre_proto::head::Bridged;
use vyre_proto::head::CONTROL_MAX;
use vyre_proto::head::Control;
use vyre_proto::head::DelayRange;
use vyre_proto::head::End;
use vyre_proto::head::FIRST_RECORD_LIMIT;
use vyre_proto::head::Instance;
use vyre_proto::head::Leg;
use vyre_proto::head::Proof;
use vyre_proto::head::REGISTER_LABEL;
use vyre_proto::head::Register;
use vyre_proto::head::RelayHead;
use vyre_proto::head::Started;
use vyre_proto::head::register_message;
use vyre_proto::record::Decoder;
use vyre_proto::relay_url::RelayUrl;

use crate::clock::Clock;

/// Streams that a relay may have open at once.
pub const STREAMS_MAX: u32 = 256;

/// What QUIC has to grant for [`STREAMS_MAX`] to be usable: credit for streams that have ended goes back in batches of an
/// eighth.
const GRANTED: u32 = STREAMS_MAX + STREAMS_MAX / 8 + 1;

/// Window of one stream; with [`GRANTED`] of them, that of the connection, so that none eats another's credit.
const STREAM_WINDOW: u32 = 256 * 1024;

/// What may be on its way to the relay and not acknowledged, over all streams.
const SEND_WINDOW: u64 = 4 * 1024 * 1024;

/// A sign of life this often, so that no address translation on the way forgets this connection.
const KEEP_ALIVE: Duration = Duration::from_secs(5);

/// A relay that is silent for so long is gone.
const IDLE: Duration = Duration::from_secs(15);

/// Resolving a name, a handshake, and the answer to a register may each take so long.
const STEP_LIMIT: Duration = Duration::from_secs(5);

/// While nothing comes back, another attempt is begun this often.
const NEXT_ATTEMPT: Duration = Duration::from_millis(500);

/// Attempts in flight at once.
const ATTEMPTS_MAX: usize = 4;

/// Between attempts while a later start of this box stands in its place, or the relay does not want it.
const UNWANTED_WAIT: Duration = Duration::from_secs(60);

/// How long a leg that was left keeps the streams that it still has.
const LINGER: Duration = Duration::from_secs(30);

/// How long handlers have to end when the uplink stops.
const STOP_LIMIT: Duration = Duration::from_secs(2);

/// Takes the streams that a relay carries here.
pub trait BridgedHandler: Send + Sync + 'static {
    /// Serves one stream to its end. `head` has been read from `recv`, and nothing after it. The future is dropped when
    /// the uplink stops; a stream that is dropped unfinished looks finished to the other side, so finish or reset it.
    fn handle(&self, head: Bridged, send: SendStream, recv: RecvStream) -> impl Future<Output = ()> + Send;
}

/// Why a relay is not reached.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Down {
    /// The relay's name leads nowhere.
    #[error("the name {host} could not be resolved")]
    Name {
        /// The name.
        host: String,
    },
    /// This machine cannot send there.
    #[error("this machine has no way to {addr}: {why}")]
    NoWay {
        /// Where to.
        addr: SocketAddr,
        /// What the system said.
        why: String,
    },
    /// Nothing came back.
    #[error("no answer from {addr} within {} s: is UDP blocked, or the relay down?", STEP_LIMIT.as_secs())]
    NoAnswer {
        /// Where to.
        addr: SocketAddr,
    },
    /// Somebody answered who is not the relay that was meant.
    #[error("{addr} does not have the relay's key: {why}")]
    WrongKey {
        /// Where to.
        addr: SocketAddr,
        /// What TLS said.
        why: String,
    },
    /// The relay does not want this box now.
    #[error("the relay refused: {message}")]
    Refused {
        /// In one word.
        end: End,
        /// In the relay's words.
        message: String,
    },
    /// The relay ended the connection.
    #[error("the relay ended the connection: {end}")]
    Closed {
        /// Why.
        end: End,
    },
    /// The connection broke.
    #[error("the connection broke: {why}")]
    Broke {
        /// How it looked from here.
        why: String,
    },
}

/// How the uplink stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UplinkState {
    /// An attempt is under way, and there was no earlier one that failed.
    Connecting,
    /// Phones reach this box through the relay.
    Up,
    /// They do not; attempts go on.
    Down {
        /// Why the last attempt, or the last connection, ended.
        why: Down,
    },
}

impl fmt::Display for UplinkState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Connecting => f.write_str("connecting"),
            Self::Up => f.write_str("up"),
            Self::Down { why } => write!(f, "down: {why}"),
        }
    }
}

/// Why an uplink cannot even begin.
#[derive(Debug, thiserror::Error)]
pub enum UplinkError {
    /// TLS.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// QUIC cannot use the TLS configuration.
    #[error("QUIC cannot use this TLS configuration: {0}")]
    Cipher(#[from] NoInitialCipherSuite),
}

/// An uplink that runs. Dropped, it ends at once; [`Uplink::stop`] ends it politely.
#[derive(Debug)]
pub struct Uplink {
    state: watch::Receiver<UplinkState>,
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl Drop for Uplink {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Uplink {
    /// Begins to dial and goes on until it is stopped.
    ///
    /// # Errors
    /// [`UplinkError`], where no attempt could ever succeed.
    pub fn start<H: BridgedHandler>(
        relay: RelayUrl,
        identity: Arc<BoxIdentity>,
        clock: &Clock,
        handler: Arc<H>,
    ) -> Result<Self, UplinkError> {
        let mut client = ClientConfig::new(Arc::new(QuicClientConfig::try_from(tls::relay_client(&relay)?)?));
        client.transport_config(Arc::new(transport()));
        let (published, state) = watch::channel(UplinkState::Connecting);
        let stop = watch::Sender::new(false);
        let dialler = Dialler {
            relay,
            client,
            identity,
            instance: Instance(clock.random()),
            started: Started(clock.wall().0 / 1000),
        };
        let backoff = Backoff::new(u64::from_le_bytes(clock.random()));
        let task = tokio::spawn(run(dialler, backoff, handler, published, stop.subscribe()));
        Ok(Self { state, stop, task })
    }

    /// How it stands, now and from then on.
    pub fn state(&self) -> watch::Receiver<UplinkState> {
        self.state.clone()
    }

    /// Tells the relay that this box leaves, gives handlers a moment to end, and closes.
    pub async fn stop(mut self) {
        self.stop.send_replace(true);
        let _ = timeout(STOP_LIMIT + Duration::from_secs(1), &mut self.task).await;
    }
}

fn transport() -> TransportConfig {
    let mut t = TransportConfig::default();
    t.max_concurrent_bidi_streams(GRANTED.into())
        .max_concurrent_uni_streams(0u32.into())
        .stream_receive_window(STREAM_WINDOW.into())
        .receive_window((STREAM_WINDOW * GRANTED).into())
        .send_window(SEND_WINDOW)
        .keep_alive_interval(Some(KEEP_ALIVE))
        .max_idle_timeout(IDLE.try_into().ok())
        .allow_spin(false)
        .datagram_receive_buffer_size(None);
    t
}

fn code(end: End) -> VarInt {
    VarInt::from_u64(end.code()).unwrap_or(VarInt::MAX)
}

/// Everything that an attempt needs.
struct Dialler {
    relay: RelayUrl,
    client: ClientConfig,
    identity: Arc<BoxIdentity>,
    instance: Instance,
    started: Started,
}

/// A leg that is registered.
struct Registered {
    /// Holds the socket: a new one for each leg, since an old one may not survive a change of network.
    endpoint: Endpoint,
    conn: Connection,
    control: SendStream,
    down: RecvStream,
    decoder: Decoder,
}

/// What has to happen after an attempt or a leg has ended.
struct Ended {
    why: Down,
    /// What the relay asked for.
    delay: Option<DelayRange>,
}

impl From<Down> for Ended {
    fn from(why: Down) -> Self {
        Self { why, delay: None }
    }
}

impl Dialler {
    /// Resolves, dials and registers: the first address that works.
    async fn dial(&self, leg: Leg) -> Result<Registered, Ended> {
        let host = self.relay.host();
        let unknown = || Down::Name { host: host.to_owned() };
        let lookup = tokio::net::lookup_host((host, self.relay.quic_port()));
        let addresses: Vec<_> = match timeout(STEP_LIMIT, lookup).await {
            Ok(Ok(addresses)) => addresses.take(8).collect(),
            Ok(Err(_)) | Err(_) => return Err(unknown().into()),
        };
        let mut last = Ended::from(unknown());
        for addr in addresses {
            match self.dial_one(addr, leg).await {
                Ok(registered) => return Ok(registered),
                Err(ended) => last = ended,
            }
        }
        Err(last)
    }

    /// Dials one address, again each half second while nothing comes back: an attempt that began while the path was
    /// dark waits ever longer between its own probes, a new one does not. The first that gets through is taken.
    async fn dial_one(&self, addr: SocketAddr, leg: Leg) -> Result<Registered, Ended> {
        let mut attempts = JoinSet::new();
        let mut oldest = VecDeque::new();
        let mut due = tokio::time::interval(NEXT_ATTEMPT);
        let race = async {
            loop {
                tokio::select! {
                    _ = due.tick() => {
                        if oldest.len() >= ATTEMPTS_MAX && let Some(given_up) = oldest.pop_front() {
                            AbortHandle::abort(&given_up);
                        }
                        oldest.push_back(attempts.spawn(connect(addr, self.client.clone(), self.relay.host().to_owned())));
                    }
                    Some(ended) = attempts.join_next() => match ended {
                        Ok(Ok(up)) => return Ok(up),
                        // A plain word is an answer; only silence is tried again.
                        Ok(Err(down)) => return Err(down),
                        Err(_) => {}
                    },
                }
            }
        };
        let (endpoint, conn) = timeout(STEP_LIMIT, race).await.unwrap_or(Err(Down::NoAnswer { addr }))?;
        attempts.abort_all();
        match timeout(STEP_LIMIT, self.register(endpoint, conn, leg)).await {
            Ok(registered) => registered,
            Err(_) => Err(Down::NoAnswer { addr }.into()),
        }
    }

    async fn register(&self, endpoint: Endpoint, conn: Connection, leg: Leg) -> Result<Registered, Ended> {
        let broke = |_| Ended::from(closed(&conn.close_reason().unwrap_or(ConnectionError::LocallyClosed)));
        let (mut control, down) = conn.open_bi().await.map_err(|e| Ended::from(closed(&e)))?;
        let mut exported = [0; 32];
        if conn.export_keying_material(&mut exported, REGISTER_LABEL, b"").is_err() {
            return Err(Down::Broke { why: "TLS gives no key to sign".to_owned() }.into());
        }
        let register = RelayHead::Register(Register {
            box_id: self.identity.box_id(),
            instance: self.instance,
            leg,
            started: self.started,
            proof: Proof(self.identity.sign(&register_message(&exported))),
        });
        control.write_all(&register.to_record()).await.map_err(|_| broke(()))?;
        let mut registered =
            Registered { endpoint, conn: conn.clone(), control, down, decoder: Decoder::with_max(CONTROL_MAX) };
        match registered.next_control().await {
            Ok(Control::Registered { .. }) => Ok(registered),
            Ok(Control::Refused { end, message, retry_after }) => {
                let delay = DelayRange { min: retry_after, max: retry_after + retry_after / 2 };
                Err(Ended { why: Down::Refused { end, message }, delay: Some(delay) })
            }
            Ok(Control::Bye { end, delay }) => Err(Ended { why: Down::Closed { end }, delay: Some(delay) }),
            Err(why) => Err(why.into()),
        }
    }
}

/// One attempt, on a socket of its own.
async fn connect(addr: SocketAddr, client: ClientConfig, name: String) -> Result<(Endpoint, Connection), Down> {
    let no_way = |why: String| Down::NoWay { addr, why };
    let from: SocketAddr =
        if addr.is_ipv6() { (Ipv6Addr::UNSPECIFIED, 0).into() } else { (Ipv4Addr::UNSPECIFIED, 0).into() };
    let endpoint = Endpoint::client(from).map_err(|e| no_way(e.to_string()))?;
    let connecting = endpoint.connect_with(client, addr, &name).map_err(|e| no_way(e.to_string()))?;
    match connecting.await {
        Ok(conn) => Ok((endpoint, conn)),
        Err(ConnectionError::TransportError(e)) => Err(Down::WrongKey { addr, why: e.to_string() }),
        Err(ConnectionError::TimedOut) => Err(Down::NoAnswer { addr }),
        Err(e) => Err(closed(&e)),
    }
}

impl Registered {
    /// The next thing that the relay says. Kinds that are not known are passed over. Cancel-safe.
    async fn next_control(&mut self) -> Result<Control, Down> {
        loop {
            let breach = || Down::Broke { why: "the relay does not keep to the protocol".to_owned() };
            while let Some(record) = self.decoder.next().map_err(|_| breach())? {
                if let Some(control) = Control::decode(&record).map_err(|_| breach())? {
                    return Ok(control);
                }
            }
            match self.down.read_chunk(CONTROL_MAX, true).await {
                Ok(Some(chunk)) => self.decoder.push(&chunk.bytes),
                // After its last word the relay closes the connection, and that says more.
                Ok(None) => return Err(closed(&self.conn.closed().await)),
                Err(quinn::ReadError::ConnectionLost(e)) => return Err(closed(&e)),
                Err(quinn::ReadError::Reset(code)) => return Err(Down::Closed { end: end_of(code) }),
                Err(e) => return Err(Down::Broke { why: e.to_string() }),
            }
        }
    }
}

fn end_of(code: VarInt) -> End {
    End::from_code(code.into_inner()).unwrap_or(End::Lost)
}

fn closed(e: &ConnectionError) -> Down {
    match e {
        ConnectionError::ApplicationClosed(close) => Down::Closed { end: end_of(close.error_code) },
        // The relay has started anew and does not know this connection.
        ConnectionError::Reset => Down::Closed { end: End::Restart },
        other => Down::Broke { why: other.to_string() },
    }
}

/// Waits between attempts: as the relay asks, as is fitting for one who is not wanted, or by the back-off.
fn wait_after(ended: &Ended, backoff: &mut Backoff) -> Duration {
    let unwanted = match &ended.why {
        Down::Refused { end, .. } | Down::Closed { end } => matches!(end, End::Replaced | End::Denied | End::Invalid),
        Down::Name { .. } | Down::NoWay { .. } | Down::NoAnswer { .. } | Down::WrongKey { .. } | Down::Broke { .. } => {
            false
        }
    };
    match ended.delay {
        Some(delay) => {
            let floor = if unwanted { UNWANTED_WAIT } else { Duration::ZERO };
            backoff.obey(delay.min.max(floor), delay.max.max(floor))
        }
        None if unwanted => backoff.obey(UNWANTED_WAIT, UNWANTED_WAIT + UNWANTED_WAIT / 4),
        None => backoff.next_wait(),
    }
}

/// The uplink's whole life.
async fn run<H: BridgedHandler>(
    dialler: Dialler,
    mut backoff: Backoff,
    handler: Arc<H>,
    state: watch::Sender<UplinkState>,
    stop: watch::Receiver<bool>,
) {
    // Legs that were left and still carry streams.
    let mut legs: JoinSet<()> = JoinSet::new();
    let mut number = 0u32;
    let mut next: Option<Registered> = None;
    loop {
        let leg = match next.take() {
            Some(leg) => leg,
            None => {
                let dialled = tokio::select! {
                    dialled = dialler.dial(Leg(number % 2)) => dialled,
                    () = stopped(stop.clone()) => break,
                };
                match dialled {
                    Ok(leg) => leg,
                    Err(ended) => {
                        let wait = wait_after(&ended, &mut backoff);
                        tracing::warn!(relay = dialler.relay.host(), ?wait, "not connected: {}", ended.why);
                        state.send_replace(UplinkState::Down { why: ended.why });
                        tokio::select! {
                            () = sleep(wait) => continue,
                            () = stopped(stop.clone()) => break,
                        }
                    }
                }
            }
        };
        // Two numbers are enough: the leg of now and the one before it.
        number = number.wrapping_add(1);
        tracing::info!(relay = dialler.relay.host(), "connected");
        state.send_replace(UplinkState::Up);
        let began = tokio::time::Instant::now();
        let (left, leaving) = watch::channel(false);
        let (told, mut hears) = watch::channel(None);
        let conn = leg.conn.clone();
        let mut task = pin!(spawn_in(&mut legs, serve(leg, handler.clone(), told, leaving, stop.clone())));
        // Until the relay says that it goes, or is gone.
        let mut over = false;
        let said = tokio::select! {
            () = &mut task => {
                over = true;
                None
            }
            said = hears.wait_for(Option::is_some) => said.ok().and_then(|s| *s),
            () = stopped(stop.clone()) => break,
        };
        backoff.stream_lived(began.elapsed());
        match said {
            Some(Said { end: End::Restart, delay }) => {
                tracing::info!(relay = dialler.relay.host(), "the relay goes; dialling again before leaving");
                let mut ended = Ended { why: Down::Closed { end: End::Restart }, delay: Some(delay) };
                // While the old leg stands, phones still come through it; without it, the state says so.
                loop {
                    let wait = wait_after(&ended, &mut backoff);
                    let dialled = async {
                        sleep(wait).await;
                        dialler.dial(Leg(number % 2)).await
                    };
                    let dialled = tokio::select! {
                        dialled = dialled => dialled,
                        () = stopped(stop.clone()) => break,
                    };
                    match dialled {
                        Ok(leg) => {
                            next = Some(leg);
                            break;
                        }
                        Err(e) => ended = e,
                    }
                    if conn.close_reason().is_some() {
                        break;
                    }
                }
                left.send_replace(true);
                if conn.close_reason().is_some() && next.is_none() {
                    state.send_replace(UplinkState::Down { why: ended.why });
                }
            }
            other => {
                if !over {
                    task.await;
                }
                let why = match other {
                    Some(said) => Down::Closed { end: said.end },
                    None => conn.close_reason().map_or(Down::Closed { end: End::Lost }, |e| closed(&e)),
                };
                let ended = Ended { why, delay: other.map(|s| s.delay) };
                let wait = wait_after(&ended, &mut backoff);
                tracing::warn!(relay = dialler.relay.host(), ?wait, "connection lost: {}", ended.why);
                state.send_replace(UplinkState::Down { why: ended.why });
                tokio::select! {
                    () = sleep(wait) => {}
                    () = stopped(stop.clone()) => break,
                }
            }
        }
    }
    // Legs see the stop by themselves, and are given the time that they give their handlers.
    let _ = timeout(STOP_LIMIT + STOP_LIMIT / 4, async { while legs.join_next().await.is_some() {} }).await;
}

async fn stopped(mut stop: watch::Receiver<bool>) {
    // A sender that is gone means the same.
    drop(stop.wait_for(|s| *s).await);
}

/// Spawns into a set, and gives what resolves when it has ended.
fn spawn_in(legs: &mut JoinSet<()>, task: impl Future<Output = ()> + Send + 'static) -> impl Future<Output = ()> {
    let (alive, mut over) = watch::channel(());
    legs.spawn(async move {
        task.await;
        drop(alive);
    });
    // Those that have ended need no place.
    while legs.try_join_next().is_some() {}
    async move { while over.changed().await.is_ok() {} }
}

/// What a relay says at the end.
#[derive(Debug, Clone, Copy)]
struct Said {
    end: End,
    delay: DelayRange,
}

/// Serves a leg until it is gone, or has been left and its streams are over.
async fn serve<H: BridgedHandler>(
    mut leg: Registered,
    handler: Arc<H>,
    told: watch::Sender<Option<Said>>,
    leaving: watch::Receiver<bool>,
    stop: watch::Receiver<bool>,
) {
    let conn = leg.conn.clone();
    let mut streams = JoinSet::new();
    let mut left = pin!(stopped(leaving));
    let mut stopping = pin!(stopped(stop));
    let mut listens = true;
    loop {
        tokio::select! {
            stream = conn.accept_bi() => match stream {
                Ok((send, recv)) => {
                    streams.spawn(bridged(send, recv, handler.clone()));
                }
                Err(_) => break,
            },
            Some(over) = streams.join_next() => if let Err(e) = over {
                tracing::error!("the handler of a bridged stream ended badly: {e}");
            },
            control = leg.next_control(), if listens => match control {
                Ok(Control::Bye { end, delay }) => {
                    told.send_replace(Some(Said { end, delay }));
                }
                Ok(Control::Registered { .. } | Control::Refused { .. }) => {}
                Err(_) => listens = false,
            },
            () = &mut left => {
                let _ = leg.control.finish();
                tokio::select! {
                    () = drain(&conn, &mut streams, LINGER) => conn.close(code(End::Done), b"left"),
                    () = &mut stopping => stop_leg(&conn, &mut streams).await,
                }
                break;
            }
            () = &mut stopping => {
                let _ = leg.control.finish();
                stop_leg(&conn, &mut streams).await;
                break;
            }
        }
    }
    // The connection is gone: handlers see it at their next read or write.
    let _ = timeout(STOP_LIMIT, async { while streams.join_next().await.is_some() {} }).await;
    streams.shutdown().await;
    // The close is a packet that has to leave before the socket does.
    let _ = timeout(Duration::from_millis(500), leg.endpoint.wait_idle()).await;
}

async fn stop_leg(conn: &Connection, streams: &mut JoinSet<()>) {
    drain(conn, streams, STOP_LIMIT).await;
    conn.close(code(End::Restart), End::Restart.sentence().as_bytes());
}

/// Waits until no stream is left, or the connection is gone, or for so long.
async fn drain(conn: &Connection, streams: &mut JoinSet<()>, limit: Duration) {
    tokio::select! {
        () = async { while streams.join_next().await.is_some() {} } => {}
        _ = conn.closed() => {}
        () = sleep(limit) => {}
    }
}

/// Reads the head of one stream and hands it on.
async fn bridged<H: BridgedHandler>(mut send: SendStream, mut recv: RecvStream, handler: Arc<H>) {
    let end = match timeout(FIRST_RECORD_LIMIT, read_head(&mut recv)).await {
        Ok(Ok(head)) => return handler.handle(head, send, recv).await,
        Ok(Err(end)) => end,
        Err(_) => End::Slow,
    };
    let _ = send.reset(code(end));
    let _ = recv.stop(code(end));
}

/// Reads exactly the head: what follows belongs to the handler.
async fn read_head(recv: &mut RecvStream) -> Result<Bridged, End> {
    let failed = |e: ReadExactError| match e {
        ReadExactError::FinishedEarly(_) => End::Invalid,
        ReadExactError::ReadError(_) => End::Cancelled,
    };
    let (mut len, mut shift) = (0usize, 0);
    loop {
        let mut byte = [0; 1];
        recv.read_exact(&mut byte).await.map_err(failed)?;
        len |= usize::from(byte[0] & 0x7f) << shift;
        shift += 7;
        if len > BRIDGED_MAX {
            return Err(End::TooLarge);
        }
        if byte[0] & 0x80 == 0 {
            break;
        }
        if shift > 21 {
            return Err(End::Invalid);
        }
    }
    let mut record = vec![0; len];
    recv.read_exact(&mut record).await.map_err(failed)?;
    Bridged::decode(&record).map_err(|_| End::Invalid)
}

#[cfg(test)]
mod tests;

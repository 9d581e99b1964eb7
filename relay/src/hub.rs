//! Where a phone meets its box: looks the box up, holds the quotas, opens the stream, says how the phone came.
//!
//! Everything here is bounded in time. A box that is away is an answer at once, a box whose streams are all taken is
//! one at once where the relay counts them and within [`OPEN_LIMIT`] where only the box does.

use std::net::IpAddr;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::PoisonError;
use std::time::Duration;
use std::time::Instant;

use bytes::Bytes;
use quinn::Connection;
use quinn::ConnectionError;
use tokio::sync::watch;
use tokio::time::timeout;
use vyre_proto::head::Bridged;
use vyre_proto::head::End;
use vyre_proto::head::Register;
use vyre_proto::ids::BoxId;
use vyre_proto::tick::Tick;

use crate::bridge::Halves;
use crate::bridge::Terms;
use crate::bridge::behind::Readers;
use crate::metrics::Metrics;
use crate::quota::Address;
use crate::quota::Dial;
use crate::quota::Limits;
use crate::quota::Network;
use crate::quota::Quota;
use crate::registry::Generation;
use crate::registry::RegisterRefused;
use crate::registry::Registry;
use crate::seat::Seats;

/// How long opening a stream to a box may take before it counts as overloaded.
pub const OPEN_LIMIT: Duration = Duration::from_secs(2);

/// Connections that one start of a box may hold here side by side.
const LEGS_MAX: usize = 8;

/// One connection of a box.
#[derive(Debug)]
pub struct BoxLink {
    /// The box.
    pub id: BoxId,
    connection: Connection,
    /// Set once, when this side wants it to go.
    leave: watch::Sender<Option<End>>,
}

impl BoxLink {
    /// A connection that has proved its key.
    pub fn new(id: BoxId, connection: Connection) -> Arc<Self> {
        Arc::new(Self { id, connection, leave: watch::Sender::new(None) })
    }

    /// Asks the task of this connection to say goodbye.
    pub fn ask_to_leave(&self, end: End) {
        self.leave.send_if_modified(|l| l.replace(end).is_none());
    }

    /// Resolves when this side wants the connection to go.
    pub async fn asked_to_leave(&self) -> End {
        let mut asked = self.leave.subscribe();
        match asked.wait_for(Option::is_some).await {
            Ok(end) => end.unwrap_or(End::Restart),
            Err(_) => End::Restart,
        }
    }

    /// What a phone is told when this connection has broken under its stream.
    pub fn lost(&self) -> End {
        match self.connection.close_reason() {
            // Closed from here: a newer one stands in its place, or the relay restarts. Either way: come back at once.
            Some(ConnectionError::LocallyClosed) => End::Restart,
            _ => End::Away,
        }
    }
}

/// A stream to a box that has been told how the phone came.
#[derive(Debug)]
pub struct Opened {
    /// The stream.
    pub at_box: Halves,
    /// Over which connection.
    pub link: Arc<BoxLink>,
    /// Its place in the quotas.
    pub permit: Permit,
    /// Where its directions are counted while they are behind.
    pub readers: Readers,
}

/// A place in the quotas, given back when dropped.
#[derive(Debug)]
pub struct Permit {
    hub: Arc<Hub>,
    id: BoxId,
    from: Network,
}

impl Drop for Permit {
    fn drop(&mut self) {
        lock(&self.hub.quota).give_back(&self.id, self.from);
        self.hub.metrics.streams.drop_one();
    }
}

/// See the module.
#[derive(Debug)]
pub struct Hub {
    registry: Mutex<Registry<Arc<BoxLink>>>,
    quota: Mutex<Quota>,
    /// What is counted.
    pub metrics: Metrics,
    /// Who is in the middle of a QUIC handshake.
    pub handshakes: Arc<Seats<Network>>,
    /// Who is connected over TCP and has not brought a whole request yet.
    pub half_made: Arc<Seats<Network>>,
    /// Directions of streams whose readers are behind.
    behind: Arc<Seats<BoxId>>,
    limits: Limits,
    stall: Duration,
    started: Instant,
}

/// A lock whose holder never panics between two states that do not belong together.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Hub {
    /// Nobody here yet.
    pub fn new(limits: Limits, max_boxes: usize, stall: Duration) -> Arc<Self> {
        Arc::new(Self {
            registry: Mutex::new(Registry::new(max_boxes, LEGS_MAX)),
            quota: Mutex::new(Quota::new(limits)),
            metrics: Metrics::default(),
            handshakes: Seats::new(limits.half_made()),
            half_made: Seats::new(limits.half_made()),
            behind: Seats::new(limits.behind()),
            limits,
            stall,
            started: Instant::now(),
        })
    }

    /// The limits in force.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// What bridges have to know.
    pub fn terms<'a>(&'a self, readers: &'a Readers) -> Terms<'a> {
        Terms { stall: self.stall, metrics: &self.metrics, readers }
    }

    /// Whether one more connection from this address may begin now. Counted here.
    pub fn dial(&self, address: IpAddr, known: Address) -> Dial {
        let now = Tick(u64::try_from(self.started.elapsed().as_micros()).unwrap_or(u64::MAX));
        let dial = lock(&self.quota).dial(now, address, known);
        match dial {
            Dial::Granted => {}
            Dial::Prove => self.metrics.dials_retried.add_one(),
            Dial::Refused => self.metrics.dials_refused.add_one(),
        }
        dial
    }

    /// A box whose proof holds takes its place. Connections that it replaces are asked to leave.
    ///
    /// # Errors
    /// [`RegisterRefused`].
    pub fn register(&self, register: &Register, link: Arc<BoxLink>) -> Result<Generation, RegisterRefused> {
        let r = register;
        let registered = lock(&self.registry).register(r.box_id, r.instance, r.started, r.leg, link)?;
        self.metrics.registered.add_one();
        for old in registered.ended {
            self.metrics.takeovers.add_one();
            // Two machines with one key show here as pairs of these.
            tracing::info!(r#box = %r.box_id, instance = ?r.instance, leg = r.leg.0, "a newer connection takes over");
            old.ask_to_leave(End::Replaced);
        }
        Ok(registered.generation)
    }

    /// A connection takes no new streams any more.
    pub fn leave(&self, id: &BoxId, generation: Generation) {
        lock(&self.registry).leave(id, generation);
    }

    /// Asks every box to leave, and says how many there are.
    pub fn ask_all_to_leave(&self) -> usize {
        let links: Vec<_> = lock(&self.registry).connections().cloned().collect();
        for link in &links {
            link.ask_to_leave(End::Restart);
        }
        links.len()
    }

    /// Boxes that are connected.
    pub fn boxes(&self) -> usize {
        lock(&self.registry).len()
    }

    /// The counters, as text that scrapers read.
    pub fn counters(&self) -> String {
        self.metrics.streams_behind.set(self.behind.taken() as u64);
        self.metrics.text()
    }

    /// Streams that are open.
    pub fn streams(&self) -> usize {
        lock(&self.quota).streams()
    }

    /// Opens a stream to a box and says how the phone came; `rest` came from the phone behind its head.
    ///
    /// # Errors
    /// What the phone is told: away, or overload. Counted here.
    pub async fn open(self: &Arc<Self>, id: &BoxId, bridged: &Bridged, rest: Bytes) -> Result<Opened, End> {
        let opened = self.try_open(id, bridged, rest).await;
        if let Err(end) = &opened {
            self.metrics.refused.add_one(*end);
        }
        opened
    }

    async fn try_open(self: &Arc<Self>, id: &BoxId, bridged: &Bridged, rest: Bytes) -> Result<Opened, End> {
        let link = lock(&self.registry).pick(id).cloned().ok_or(End::Away)?;
        // Held for no longer than this line: it asks whether there is room, and makes it at the cost of one whose reader
        // has been behind for longer than a reader may take nothing at all.
        if self.behind.take(*id, self.stall).is_err() {
            self.metrics.streams_no_memory.add_one();
            return Err(End::Overload);
        }
        let from = Network::of(bridged.peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |p| p.ip()));
        lock(&self.quota).take(id, from).map_err(|_| End::Overload)?;
        self.metrics.streams.add_one();
        let permit = Permit { hub: self.clone(), id: *id, from };
        let (send, recv) = match timeout(OPEN_LIMIT, link.connection.open_bi()).await {
            Ok(Ok(halves)) => halves,
            Ok(Err(_)) => return Err(link.lost()),
            Err(_) => return Err(End::Overload),
        };
        let mut at_box = Halves::new(send, recv);
        let mut first = [bridged.to_record(), rest];
        match timeout(OPEN_LIMIT, at_box.send.write_all_chunks(&mut first)).await {
            Ok(Ok(())) => Ok(Opened { at_box, link, permit, readers: Readers::of(&self.behind, *id) }),
            Ok(Err(_)) => Err(link.lost()),
            Err(_) => Err(End::Overload),
        }
    }
}

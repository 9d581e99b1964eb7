//! The assembled box: what starts in which order, and what stops in which.
//!
//! Start: the folder and its key, the store (which holds the folder alone), sessions and tools, the listeners, the
//! socket for commands beside it, the relays. Stop: nobody new comes in, assistants and terminals end and say so, readers
//! are told `bye` and what was taken is written, those inside leave, the store closes. Each task is owned here and seen to
//! end.

mod assistants;
pub mod certificate;
pub mod control;
pub mod inspect;
mod shells;

use std::io;
use std::net::IpAddr;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::timeout;
use vyre_certs::identity::BoxIdentity;
use vyre_certs::identity::IdentityError;
use vyre_certs::keyfile::KeyFileError;
use vyre_certs::tls::TlsError;
use vyre_proto::ids::BoxId;
use vyre_proto::relay_url::RelayUrl;

use crate::agent::Agents;
use crate::clock::Clock;
use crate::config::Config;
use crate::daemon::shells::Running;
use crate::edge::guard::DoorLimits;
use crate::edge::guard::Doors;
use crate::edge::http;
use crate::edge::origin::NotAnOrigin;
use crate::edge::origin::Pages;
use crate::edge::quic;
use crate::edge::quic::QuicError;
use crate::edge::uplink::Uplink;
use crate::edge::uplink::UplinkError;
pub use crate::edge::uplink::UplinkState;
use crate::policy::HttpPolicy;
use crate::policy::PolicyError;
use crate::policy::PolicySettings;
use crate::reach::Door;
use crate::reach::Reach;
use crate::rules::caller::Caller;
use crate::session::Sessions;
use crate::store::Limits;
use crate::store::Store;
use crate::store::StoreError;
use crate::tools::Beside;
use crate::tools::Tools;
use crate::tools::error::ToolError;
use crate::tools::gate::Authority;
use crate::tools::gate::Participants;
use crate::tools::new_token;
use crate::tools::term;

/// How long those inside may take to leave once the doors are closed.
const LEAVE_LIMIT: Duration = Duration::from_secs(8);

/// Why a box did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The data folder.
    #[error("the data folder cannot be used: {0}")]
    Folder(#[from] KeyFileError),
    /// The box's key, or the certificate of its HTTP listener.
    #[error(transparent)]
    Identity(#[from] IdentityError),
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// TLS of the HTTP listener.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// An address is taken, or is not this machine's.
    #[error("HTTP cannot listen on {addr}: {source}; choose another with --http")]
    Http {
        /// The address.
        addr: SocketAddr,
        /// Why.
        source: io::Error,
    },
    /// The same for QUIC.
    #[error("{0}; choose another address with --quic")]
    Quic(#[from] QuicError),
    /// A setting that only shows here.
    #[error("`origin` {text:?}: {why}")]
    Origin {
        /// What was written.
        text: String,
        /// What is wrong with it.
        why: NotAnOrigin,
    },
    /// The policy beside the box.
    #[error(transparent)]
    Policy(#[from] PolicyError),
    /// A relay could never be dialled.
    #[error("the relay {relay} cannot be dialled: {source}")]
    Relay {
        /// Its address.
        relay: RelayUrl,
        /// Why.
        source: UplinkError,
    },
    /// The socket for commands.
    #[error("the socket for commands beside this box cannot be made at {path}: {source}")]
    Control {
        /// Where.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A part of the start broke off.
    #[error("the start broke off; the log says why")]
    Broken,
}

/// Where a started box answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ready {
    /// HTTP.
    pub http: Option<SocketAddr>,
    /// Whether that is under TLS.
    pub tls: bool,
    /// QUIC.
    pub quic: Option<SocketAddr>,
    /// The box.
    pub box_id: BoxId,
}

/// A running box. Stop it with [`Daemon::stop`]; dropped, it ends like a power cut, and recovers like after one.
pub struct Daemon {
    ready: Ready,
    store: Store,
    sessions: Sessions,
    tools: Tools,
    doors: Doors,
    agents: Agents,
    shells: Running,
    control: control::Server,
    uplinks: Vec<Uplink>,
    /// Listeners: they end when the doors close.
    listeners: JoinSet<()>,
    /// What runs for ever: it is ended.
    chores: JoinSet<()>,
}

impl Daemon {
    /// Starts a box.
    pub async fn start(config: &Config) -> Result<Daemon, StartError> {
        Self::start_at(config, Clock::system()).await
    }

    /// Starts a box that goes by this clock.
    pub async fn start_at(config: &Config, clock: Clock) -> Result<Daemon, StartError> {
        let pages = pages(config)?;
        vyre_certs::keyfile::make_folder(&config.data)?;
        let identity = Arc::new(BoxIdentity::load_or_create(&config.data)?);
        let store = open_store(config, &clock).await?;
        let sessions = Sessions::new(store.clone(), clock.clone());
        let agents = assistants::start(config, &sessions, &clock);
        let reach = Reach::new();
        sessions.resume_within(config.resume_wait);
        sessions.retain_for(config.retain);
        let authority: Box<dyn Authority> = match &config.authority {
            Some(a) => {
                let settings = PolicySettings { url: a.url.clone(), timeout: a.timeout, space: a.space.clone() };
                Box::new(HttpPolicy::new(&settings)?)
            }
            None => Box::new(Participants),
        };
        let (shells, lines) = shells::start(config, &clock);
        let terminals = shells.terminals.clone();
        let beside = Beside { authority, shells };
        let tools = Tools::with(sessions.clone(), store.clone(), clock.clone(), reach.clone(), beside);
        let defaults = DoorLimits::default();
        let limits = DoorLimits {
            all: config.connections.unwrap_or(defaults.all),
            per_address: config.connections_per_address.unwrap_or(defaults.per_address),
        };
        let doors = Doors::new(tools.clone(), pages, limits);
        let mut listeners = JoinSet::new();
        let mut chores = JoinSet::new();
        let mut ready = Ready { http: None, tls: config.tls.is_some(), quic: None, box_id: identity.box_id() };

        if let Some(addr) = config.http {
            let tls = match &config.tls {
                Some((cert, key)) => {
                    let (files, shown) = certificate::Files::read(cert, key)?;
                    let now = shown.subscribe();
                    chores.spawn(files.follow(shown));
                    Some(now)
                }
                None => None,
            };
            let scheme = if tls.is_some() { "https" } else { "http" };
            let bind = async { TcpListener::bind(addr).await.and_then(|l| l.local_addr().map(|a| (l, a))) };
            let (listener, at) = bind.await.map_err(|source| StartError::Http { addr, source })?;
            ready.http = Some(at);
            reach.open(Door::Http, format!("{scheme}://{}", seen_at(at)));
            listeners.spawn(http::serve(doors.clone(), listener, tls));
        }
        if let Some(addr) = config.quic {
            let endpoint = quic::listen(&identity, addr)?;
            let at = endpoint.local_addr().map_err(|source| QuicError::Bind { addr, source })?;
            ready.quic = Some(at);
            reach.open(Door::Quic, format!("quic://{}@{}", identity.box_id(), seen_at(at)));
            listeners.spawn(quic::serve(doors.clone(), endpoint));
        }
        let control = control::Server::start(&config.data, store.clone(), tools.sessions().clone(), clock.clone())?;

        let mut uplinks = Vec::new();
        for (n, relay) in config.relays.iter().enumerate() {
            let uplink = Uplink::start(relay.clone(), identity.clone(), &clock, Arc::new(doors.clone()))
                .map_err(|source| StartError::Relay { relay: relay.clone(), source })?;
            chores.spawn(follow(uplink.state(), reach.clone(), n, format!("{relay}#{}", identity.box_id())));
            uplinks.push(uplink);
        }
        chores.spawn({
            let sessions = sessions.clone();
            async move { sessions.sweep().await }
        });
        chores.spawn({
            let tickets = tools.tickets().clone();
            async move { tickets.sweep().await }
        });
        let recorder = lines.map(|lines| tokio::spawn(term::record(sessions.clone(), lines)));
        let shells = Running { terminals, recorder };
        Ok(Daemon { ready, store, sessions, tools, doors, agents, shells, control, uplinks, listeners, chores })
    }

    /// Where it answers.
    pub fn ready(&self) -> &Ready {
        &self.ready
    }

    /// Its tools: for those who run a box in their own process.
    pub fn tools(&self) -> &Tools {
        &self.tools
    }

    /// Makes a bearer token. Blocks until its hash is on disk.
    pub fn new_token(&self, caller: &Caller) -> Result<String, ToolError> {
        new_token(&self.store, self.tools.clock(), caller)
    }

    /// How its uplinks stand, in the order of the relays in the settings.
    pub fn uplinks(&self) -> Vec<watch::Receiver<UplinkState>> {
        self.uplinks.iter().map(Uplink::state).collect()
    }

    /// Its doors.
    pub fn doors(&self) -> &Doors {
        &self.doors
    }

    /// Stops in order. Everything that was taken is on disk when it returns.
    pub async fn stop(mut self) {
        self.doors.close();
        // What their end breaks off is said in the sessions while these still take it.
        tokio::join!(self.agents.stop(), self.shells.stop());
        self.sessions.shutdown().await;
        let left = async {
            while self.listeners.join_next().await.is_some() {}
            self.doors.empty().await;
        };
        if timeout(LEAVE_LIMIT, left).await.is_err() {
            tracing::warn!(inside = self.doors.count(), "some did not leave in time");
        }
        for uplink in self.uplinks {
            uplink.stop().await;
        }
        self.control.stop().await;
        self.chores.shutdown().await;
        self.listeners.shutdown().await;
        let store = self.store.clone();
        if tokio::task::spawn_blocking(move || store.close()).await.is_err() {
            tracing::error!("closing the store broke off");
        }
    }
}

/// Says in the log how an uplink stands, and in `stream.open` whether the box answers there.
async fn follow(mut state: watch::Receiver<UplinkState>, reach: Reach, n: usize, address: String) {
    loop {
        let now = state.borrow_and_update().clone();
        tracing::info!(relay = n, state = %now, "uplink");
        match now {
            UplinkState::Up => reach.open(Door::Relay(n), address.clone()),
            UplinkState::Connecting | UplinkState::Down { .. } => reach.close(Door::Relay(n)),
        }
        if state.changed().await.is_err() {
            return;
        }
    }
}

async fn open_store(config: &Config, clock: &Clock) -> Result<Store, StartError> {
    let defaults = Limits::default();
    let limits = Limits {
        log_frames: config.log_frames.unwrap_or(defaults.log_frames),
        log_bytes: config.log_bytes.unwrap_or(defaults.log_bytes),
    };
    let (data, clock) = (config.data.clone(), clock.clone());
    let opened = tokio::task::spawn_blocking(move || Store::open(&data, clock, limits)).await;
    Ok(opened.map_err(|_| StartError::Broken)??)
}

fn pages(config: &Config) -> Result<Pages, StartError> {
    let origins =
        config.origins.iter().map(|text| text.parse().map_err(|why| StartError::Origin { text: text.clone(), why }));
    Ok(Pages { names: config.names.clone(), origins: origins.collect::<Result<_, _>>()? })
}

/// An address at which others find this listener. One that listens everywhere is found where the way out begins.
fn seen_at(at: SocketAddr) -> SocketAddr {
    if !at.ip().is_unspecified() {
        return at;
    }
    // No packet is sent: the system only says which address it would send from.
    let (here, there): (IpAddr, &str) = match at.ip() {
        IpAddr::V4(ip) => (ip.into(), "192.0.2.1:9"),
        IpAddr::V6(ip) => (ip.into(), "[2001:db8::1]:9"),
    };
    let found = std::net::UdpSocket::bind((here, 0)).and_then(|s| s.connect(there).and_then(|()| s.local_addr()));
    found.map_or(at, |found| SocketAddr::new(found.ip(), at.port()))
}

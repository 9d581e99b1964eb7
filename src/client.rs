//! The client: drives the resume machine over real carriers.
//!
//! A [`Client`] is one running program that talks to one box, over the LAN ([`Target::Web`]), straight over QUIC
//! ([`Target::Box`]), through a relay ([`Target::Relay`]), or by whichever of two answers ([`Target::Both`]). It dials nothing before it is used, and then as often as
//! it takes. [`Client::attach`] reads a session and goes on through every break; [`Client::call`] asks a tool once and
//! says honestly what became of it; a [`Courier`] brings what a person sends, from an [`Outbox`] on disk; a [`Publisher`]
//! brings events; a [`Terminal`] is a screen on one of the box's terminals.
//!
//! What is known here of the box is the contract and nothing else. Every await has a limit ([`limits`]), and every
//! future may be dropped at any point.

pub mod call;
pub mod carrier;
pub mod courier;
mod dial;
pub mod limits;
pub mod outbox;
pub mod publisher;
mod quic;
mod race;
pub mod reading;
pub mod target;
pub mod term;
pub mod upgrade;
mod way;
mod web;

use std::sync::Arc;

use vyre_certs::tls::TlsError;
use vyre_proto::ids::ClientId;
use vyre_proto::ids::SessionId;
use vyre_proto::resume::Position;

pub use call::CallError;
pub use courier::Courier;
pub use courier::Told;
pub use outbox::Outbox;
pub use outbox::Write;
pub use publisher::Progress;
pub use publisher::PublishFailed;
pub use publisher::Publisher;
pub use reading::Reading;
pub use reading::Update;
pub use target::Both;
pub use target::RelayCarrier;
pub use target::Target;
pub use target::Token;
pub use term::Terminal;

use crate::clock::Clock;
use dial::Ways;

/// Why a client cannot be had at all.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// No way to verify the other side.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// No socket.
    #[error("no socket for QUIC can be opened: {0}")]
    Socket(#[from] std::io::Error),
    /// A host that is no host.
    #[error("{host} is not a host name that TLS can verify")]
    Host {
        /// What was given.
        host: String,
    },
}

/// One running program's line to one box. Cheap to clone.
#[derive(Clone)]
pub struct Client {
    ways: Arc<Ways>,
    clock: Clock,
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Client({})", self.ways.target)
    }
}

impl Client {
    /// A client of the box at `target`. Dials nothing yet; must be called inside a runtime.
    ///
    /// # Errors
    /// If there is no way to verify the other side, or no socket.
    pub fn connect(target: Target, token: Token) -> Result<Client, ConnectError> {
        let clock = Clock::system();
        let id = ClientId(clock.random());
        Ok(Client { ways: Arc::new(Ways::new(target, token, id)?), clock })
    }

    /// Where it talks to.
    pub fn target(&self) -> &Target {
        &self.ways.target
    }

    /// Whose outbox belongs to this box, this person and a session.
    pub fn owner(&self, session: &SessionId) -> outbox::Owner {
        outbox::Owner::of(&self.ways.target.to_string(), self.ways.token.secret(), session.as_str())
    }

    /// Bytes that nobody can guess, for ids that are made here.
    pub fn random<const N: usize>(&self) -> [u8; N] {
        self.clock.random()
    }

    /// Reads a session on from `at`, through every break, until it is dropped or refused for good.
    pub fn attach(&self, session: SessionId, at: Position) -> Reading {
        Reading::new(self.ways.clone(), self.clock.clone(), session, at)
    }

    /// A publisher of events. The token must be a producer's.
    pub fn publisher(&self) -> Publisher {
        Publisher::new(self.ways.clone(), self.clock.clone())
    }
}

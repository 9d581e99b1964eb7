//! The paths to one box, and which of them an attempt takes.
//!
//! Where there are two, the straight one goes first and the one through a relay after 300 ms, or as soon as the straight
//! one has failed; the first that answers is taken and the other is closed. A relay that says that the box is away has
//! not spoken for the box: the straight path is waited for.

use std::sync::Arc;

use bytes::Bytes;
use rustls::pki_types::ServerName;
use tokio_rustls::TlsConnector;
use vyre_certs::identity::server_name;
use vyre_certs::tls;
use vyre_proto::ids::BoxId;
use vyre_proto::ids::ClientId;
use vyre_proto::ids::SessionId;
use vyre_proto::pb::stream as pb;
use vyre_proto::relay_url::RelayUrl;
use vyre_proto::resume::AttemptId;
use vyre_proto::resume::Ending;
use vyre_proto::resume::Position;

use super::ConnectError;
use super::call::CallError;
use super::carrier::Carrier;
use super::carrier::Via;
use super::quic::Quic;
use super::race::Race;
use super::race::Word;
use super::target::RelayCarrier;
use super::target::Target;
use super::target::Token;
use super::way::Way;
use super::web::Web;

/// One path, or a straight one and one through a relay.
#[allow(clippy::large_enum_variant)] // A client has one of it.
enum Paths {
    One(Way),
    Two { straight: Way, relayed: Way, race: Race },
}

/// All paths to one box.
pub(super) struct Ways {
    pub target: Target,
    pub token: Token,
    id: ClientId,
    paths: Paths,
}

impl Ways {
    pub fn new(target: Target, token: Token, id: ClientId) -> Result<Self, ConnectError> {
        let paths = match &target {
            Target::Both(both) => Paths::Two {
                straight: way(both.straight(), &token)?,
                relayed: way(both.relayed(), &token)?,
                race: Race::default(),
            },
            one => Paths::One(way(one, &token)?),
        };
        Ok(Self { target, token, id, paths })
    }

    /// One attempt. `fresh`: another one is running, so no connection that is open is trusted.
    pub async fn open(
        &self,
        session: &SessionId,
        attempt: AttemptId,
        at: Position,
        fresh: bool,
    ) -> Result<(Carrier, Bytes), Ending> {
        let open = pb::StreamOpen {
            session: session.to_string(),
            from: at.last.get(),
            log: at.log.map(|l| l.to_string()).unwrap_or_default(),
            view: at.view.unwrap_or_default(),
        };
        let options = pb::AttachOptions { client: self.id.to_string(), attempt: attempt.get(), unmerged: false };
        match &self.paths {
            Paths::One(way) => way.open(&open, &options, fresh).await,
            Paths::Two { straight, relayed, race } => {
                let word = |e: &Ending| match e {
                    Ending::Broken => Word::Silent,
                    Ending::Later { .. } => Word::NotNow,
                    Ending::Refused { code, .. } if is_for_now(*code) => Word::NotNow,
                    Ending::Refused { .. } => Word::Last,
                };
                race.run(straight.open(&open, &options, fresh), relayed.open(&open, &options, fresh), word).await
            }
        }
    }

    /// A tool call, over the path that answers.
    pub async fn call(&self, tool: &str, key: Option<&str>, body: Bytes) -> Result<Bytes, CallError> {
        let (straight, relayed) = match &self.paths {
            Paths::One(way) => return way.call(tool, key, body).await,
            Paths::Two { straight, relayed, .. } => (straight, relayed),
        };
        let (one, other) = match self.near(false).await? {
            Near::Straight => (straight, relayed),
            Near::Relayed => (relayed, straight),
        };
        match one.call(tool, key, body.clone()).await {
            // Nothing was done: a relay has no such box now, or the path went away in between.
            Err(e @ (CallError::Unreachable(_) | CallError::Refused { code: pb::ErrorCode::Unavailable, .. })) => {
                match other.call(tool, key, body).await {
                    Err(CallError::Unreachable(_)) => Err(e),
                    answer => answer,
                }
            }
            answer => answer,
        }
    }

    /// The path on which a producer's line is made; what is connected there is there to be used. `fresh`: a connection
    /// that is open already is in doubt.
    pub async fn path(&self, fresh: bool) -> Result<(&Way, bool), CallError> {
        match &self.paths {
            Paths::One(way) => Ok((way, fresh)),
            Paths::Two { straight, relayed, .. } => match self.near(fresh).await? {
                Near::Straight => Ok((straight, false)),
                Near::Relayed => Ok((relayed, false)),
            },
        }
    }

    /// The path that needs no relay, where there are two.
    pub fn straight(&self) -> &Way {
        match &self.paths {
            Paths::One(way) | Paths::Two { straight: way, .. } => way,
        }
    }

    /// Which of two paths answers first. Connections alone are raced: what is asked is asked once.
    async fn near(&self, fresh: bool) -> Result<Near, CallError> {
        let Paths::Two { straight, relayed, race } = &self.paths else { return Ok(Near::Straight) };
        let first = async { straight.connect(fresh).await.map(|()| Near::Straight) };
        let second = async { relayed.connect(fresh).await.map(|()| Near::Relayed) };
        race.run(first, second, |_| Word::Silent).await
    }

    /// Whether there is something better than what a stream came by.
    pub fn has_better(&self, via: Via) -> bool {
        match &self.paths {
            Paths::One(way) => way.has_better(via),
            Paths::Two { .. } => matches!(via, Via::Relay | Via::RelayWeb),
        }
    }

    /// Whether something better than what a stream came by answers now.
    pub async fn is_better_there(&self, via: Via) -> bool {
        match &self.paths {
            Paths::One(way) => way.is_better_there().await,
            Paths::Two { straight, relayed, .. } => {
                straight.connect(true).await.is_ok() || (relayed.has_better(via) && relayed.is_better_there().await)
            }
        }
    }

    /// What is preferred has its head start again.
    pub fn prefer_the_better(&self) {
        match &self.paths {
            Paths::One(way) => way.forget(),
            Paths::Two { straight, relayed, race } => {
                straight.forget();
                relayed.forget();
                race.forget();
            }
        }
    }

    /// The machine is on another network.
    pub fn rebind(&self) {
        match &self.paths {
            Paths::One(way) => way.rebind(),
            Paths::Two { straight, relayed, race } => {
                straight.rebind();
                relayed.rebind();
                race.forget();
            }
        }
    }
}

/// Which of two paths.
enum Near {
    Straight,
    Relayed,
}

/// What a box that is there may say as well as a relay that has lost it.
fn is_for_now(code: pb::ErrorCode) -> bool {
    matches!(code, pb::ErrorCode::Unavailable | pb::ErrorCode::RateLimited)
}

fn way(target: &Target, token: &Token) -> Result<Way, ConnectError> {
    let token = token.clone();
    Ok(match target {
        Target::Web { tls, host, port } => {
            let tls = match tls {
                false => None,
                true => Some(connector(tls::authority_client(tls::public_authorities()?, tls::ALPN_HTTP)?, host)?),
            };
            Way::web(token, Web::new(Via::Lan, host.clone(), *port, String::new(), tls))
        }
        Target::Box { id, host, port } => {
            let name = server_name(id);
            Way::quic(token, Quic::new(Via::Quic, tls::box_client(*id)?, host.clone(), *port, name, None)?)
        }
        Target::Relay { url, id, carrier } => match carrier {
            RelayCarrier::Quic => Way::quic(token, relay_quic(url, *id)?),
            RelayCarrier::WebSocket => Way::web(token, relay_web(url, *id)?),
            RelayCarrier::Either => Way::either(token, relay_quic(url, *id)?, relay_web(url, *id)?),
        },
        // It has no third.
        Target::Both(both) => way(both.straight(), &token)?,
    })
}

fn relay_quic(url: &RelayUrl, id: BoxId) -> Result<Quic, ConnectError> {
    let host = url.host().to_owned();
    Quic::new(Via::Relay, tls::relay_client(url)?, host.clone(), url.quic_port(), host, Some(id))
}

fn relay_web(url: &RelayUrl, id: BoxId) -> Result<Web, ConnectError> {
    let host = url.host().to_owned();
    let tls = match url.is_plain() {
        true => None,
        false => Some(connector(tls::relay_web_client(url)?, &host)?),
    };
    Ok(Web::new(Via::RelayWeb, host, url.http_port(), format!("/b/{id}"), tls))
}

fn connector(config: rustls::ClientConfig, host: &str) -> Result<(TlsConnector, ServerName<'static>), ConnectError> {
    let name = ServerName::try_from(host.to_owned()).map_err(|_| ConnectError::Host { host: host.to_owned() })?;
    Ok((TlsConnector::from(Arc::new(config)), name))
}

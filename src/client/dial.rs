//! The ways to one box, and which of them an attempt takes.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::PoisonError;

use bytes::Bytes;
use rustls::pki_types::ServerName;
use tokio::time::Instant;
use tokio::time::sleep;
use tokio_rustls::TlsConnector;
use vyre_certs::identity::server_name;
use vyre_certs::tls;
use vyre_proto::ids::ClientId;
use vyre_proto::ids::SessionId;
use vyre_proto::pb::stream as pb;
use vyre_proto::resume::AttemptId;
use vyre_proto::resume::Ending;
use vyre_proto::resume::Position;

use super::ConnectError;
use super::call::CallError;
use super::carrier::Carrier;
use super::carrier::Via;
use super::limits;
use super::quic::Quic;
use super::target::RelayCarrier;
use super::target::Target;
use super::target::Token;
use super::web::Web;

/// All ways to one box. At least one is there.
pub(super) struct Ways {
    pub target: Target,
    pub token: Token,
    id: ClientId,
    pub quic: Option<Quic>,
    pub web: Option<Web>,
    /// When a WebSocket last won over QUIC.
    web_won: Mutex<Option<Instant>>,
}

impl Ways {
    pub fn new(target: Target, token: Token, id: ClientId) -> Result<Self, ConnectError> {
        let (quic, web) = match &target {
            Target::Web { tls, host, port } => {
                let tls = match tls {
                    false => None,
                    true => Some(connector(tls::authority_client(tls::public_authorities()?, tls::ALPN_HTTP)?, host)?),
                };
                (None, Some(Web::new(Via::Lan, host.clone(), *port, String::new(), tls)))
            }
            Target::Box { id, host, port } => {
                let name = server_name(id);
                (Some(Quic::new(Via::Quic, tls::box_client(*id)?, host.clone(), *port, name, None)?), None)
            }
            Target::Relay { url, id, carrier } => {
                let host = url.host().to_owned();
                let quic = match carrier {
                    RelayCarrier::WebSocket => None,
                    RelayCarrier::Either | RelayCarrier::Quic => Some(Quic::new(
                        Via::Relay,
                        tls::relay_client(url)?,
                        host.clone(),
                        url.quic_port(),
                        host.clone(),
                        Some(*id),
                    )?),
                };
                let web = match carrier {
                    RelayCarrier::Quic => None,
                    RelayCarrier::Either | RelayCarrier::WebSocket => {
                        let tls = match url.is_plain() {
                            true => None,
                            false => Some(connector(tls::relay_web_client(url)?, &host)?),
                        };
                        Some(Web::new(Via::RelayWeb, host, url.http_port(), format!("/b/{id}"), tls))
                    }
                };
                (quic, web)
            }
        };
        Ok(Self { target, token, id, quic, web, web_won: Mutex::new(None) })
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
        match (&self.quic, &self.web) {
            (Some(quic), None) => self.over_quic(quic, open, options, fresh).await,
            (None, Some(web)) => self.over_web(web, &open, &options).await,
            (Some(quic), Some(web)) => {
                self.either(
                    self.over_quic(quic, open.clone(), options.clone(), fresh),
                    self.over_web(web, &open, &options),
                )
                .await
            }
            (None, None) => Err(Ending::Broken),
        }
    }

    async fn over_quic(
        &self,
        quic: &Quic,
        open: pb::StreamOpen,
        options: pb::AttachOptions,
        fresh: bool,
    ) -> Result<(Carrier, Bytes), Ending> {
        let want = pb::stream_head::Want::Open(pb::OpenAttach { open: Some(open), options: Some(options) });
        let head = pb::StreamHead { v: 1, bearer: self.token.secret().to_owned(), want: Some(want) };
        let stream = quic.start(&head, &[], fresh, true).await.map_err(CallError::of_open)?;
        match stream.answer {
            pb::stream_answer::Answer::Opened(_) => {
                let rest = stream.decoder.into_rest();
                Ok((Carrier::quic(quic.via, stream.recv, stream.connection), rest))
            }
            pb::stream_answer::Answer::Error(e) => Err(CallError::of(e).of_open()),
            pb::stream_answer::Answer::Accepted(_) => Err(Ending::Broken),
        }
    }

    async fn over_web(
        &self,
        web: &Web,
        open: &pb::StreamOpen,
        options: &pb::AttachOptions,
    ) -> Result<(Carrier, Bytes), Ending> {
        let socket = web.attach(&self.token, open, options).await.map_err(CallError::of_open)?;
        Ok((Carrier::web(web.via, socket), Bytes::new()))
    }

    /// QUIC, and a WebSocket beside it where QUIC does not answer soon. The first that stands is taken.
    async fn either(
        &self,
        quic: impl Future<Output = Result<(Carrier, Bytes), Ending>>,
        web: impl Future<Output = Result<(Carrier, Bytes), Ending>>,
    ) -> Result<(Carrier, Bytes), Ending> {
        let mut quic = pin!(quic);
        let won = *self.web_won.lock().unwrap_or_else(PoisonError::into_inner);
        if won.is_none_or(|t| t.elapsed() > limits::FALLBACK_MEMORY) {
            tokio::select! {
                done = &mut quic => match done {
                    // What the box itself says is the same over every carrier.
                    Ok(_) | Err(Ending::Refused { .. } | Ending::Later { .. }) => return done,
                    Err(Ending::Broken) => return web.await,
                },
                () = sleep(limits::FALLBACK) => {}
            }
        }
        let mut web = pin!(web);
        tokio::select! {
            done = &mut quic => match done {
                Err(Ending::Broken) => web.await,
                other => other,
            },
            done = &mut web => match done {
                Ok(stream) => {
                    *self.web_won.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
                    Ok(stream)
                }
                Err(Ending::Broken) => quic.await,
                Err(said) => Err(said),
            },
        }
    }

    /// A tool call, over the way that is likely to be open.
    pub async fn call(&self, tool: &str, key: Option<&str>, body: Bytes) -> Result<Bytes, CallError> {
        match (&self.quic, &self.web) {
            (Some(quic), web) => {
                let web_won = self.web_won.lock().unwrap_or_else(PoisonError::into_inner).is_some();
                if let (Some(web), true, false) = (web, web_won, quic.is_connected()) {
                    return web.call(&self.token, tool, key, body).await;
                }
                match (quic.call(self.token.secret(), tool, key, body.clone()).await, web) {
                    // Nothing was sent: the other way may do.
                    (Err(CallError::Unreachable(_)), Some(web)) => web.call(&self.token, tool, key, body).await,
                    (answer, _) => answer,
                }
            }
            (None, Some(web)) => web.call(&self.token, tool, key, body).await,
            (None, None) => Err(CallError::NotABox),
        }
    }

    /// The machine is on another network.
    pub fn rebind(&self) {
        if let Some(quic) = &self.quic {
            quic.rebind();
        }
        *self.web_won.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

fn connector(config: rustls::ClientConfig, host: &str) -> Result<(TlsConnector, ServerName<'static>), ConnectError> {
    let name = ServerName::try_from(host.to_owned()).map_err(|_| ConnectError::Host { host: host.to_owned() })?;
    Ok((TlsConnector::from(Arc::new(config)), name))
}

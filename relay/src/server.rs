//! Puts the relay together, and takes it apart in order.
//!
//! Stopping: nothing new is taken; boxes are told `bye {restart}` with a time over which to come back; what is open goes
//! on until it has left or the drain limit has passed; then WebSockets are closed with 4503 and QUIC connections with
//! `restart`, so that everybody knows that the next start will know them again.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use quinn::Endpoint;
use rustix::process::Resource;
use rustix::process::Rlimit;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use vyre_certs::identity::IdentityError;
use vyre_certs::tls;
use vyre_certs::tls::TlsError;
use vyre_proto::head::End;
use vyre_proto::relay_url::RelayUrl;
use vyre_proto::relay_url::RelayUrlError;

use crate::bridge::code;
use crate::certificate;
use crate::certificate::Shown;
use crate::certificate::Source;
use crate::config::Config;
use crate::hub::Hub;
use crate::quic;
use crate::quic::QuicError;
use crate::web;
use crate::web::Phase;
use crate::web::Web;

/// How long closing may take once everything has been told to close.
const CLOSE_LIMIT: Duration = Duration::from_secs(3);

/// Why a relay does not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Its keys.
    #[error(transparent)]
    Identity(#[from] IdentityError),
    /// TLS.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// QUIC.
    #[error(transparent)]
    Quic(#[from] QuicError),
    /// TCP.
    #[error("--http {addr}: {source}")]
    Bind {
        /// What was to be listened on.
        addr: SocketAddr,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
    /// Its own address does not make one.
    #[error("host: {0}")]
    Url(#[from] RelayUrlError),
}

/// A relay that runs. Dropped, everything ends at once.
#[derive(Debug)]
pub struct Server {
    http: SocketAddr,
    quic: SocketAddr,
    url: RelayUrl,
    addresses: watch::Sender<RelayUrl>,
    hub: Arc<Hub>,
    endpoint: Endpoint,
    drain: Duration,
    stopping: watch::Sender<bool>,
    phase: watch::Sender<Phase>,
    follow: Owned,
    tasks: Vec<JoinHandle<()>>,
}

impl Server {
    /// Loads or makes the keys, listens, and serves from then on.
    ///
    /// # Errors
    /// [`StartError`].
    pub async fn start(config: Config) -> Result<Self, StartError> {
        let source =
            Source { data: config.data.clone(), certificate: config.certificate.clone(), host: config.host.clone() };
        let stamp = source.stamp();
        let identity = source.load()?;
        let bind = |source| StartError::Bind { addr: config.http, source };
        let listener = TcpListener::bind(config.http).await.map_err(bind)?;
        let http = listener.local_addr().map_err(bind)?;
        let endpoint = quic::endpoint(config.quic, &identity)?;
        let quic = endpoint.local_addr().map_err(|source| QuicError::Bind { addr: config.quic, source })?;
        let tls = if config.plain_http {
            None
        } else {
            Some(watch::Sender::new(Arc::new(tls::web_server(identity.certified_key().clone())?)))
        };
        let pins = source.pins(&identity);
        let url = RelayUrl::new(config.plain_http, &config.host, http.port(), quic.port(), pins)?;

        let hub = Hub::new(config.limits, config.max_boxes, config.stall);
        let stopping = watch::Sender::new(false);
        let phase = watch::Sender::new(Phase::Up);
        let web = Web {
            hub: hub.clone(),
            tls: tls.as_ref().map(watch::Sender::subscribe),
            metrics: config.metrics,
            stall: config.stall,
        };
        let addresses = watch::Sender::new(url.clone());
        let shown = Shown { endpoint: endpoint.clone(), web: tls, url: addresses.clone() };
        let follow = tokio::spawn(certificate::follow(source, stamp, identity, shown));
        let tasks = vec![
            tokio::spawn(quic::serve(endpoint.clone(), hub.clone(), stopping.subscribe())),
            tokio::spawn(web::serve(listener, web, phase.subscribe())),
        ];
        Ok(Self {
            http,
            quic,
            url,
            addresses,
            hub,
            endpoint,
            drain: config.drain,
            stopping,
            phase,
            follow: Owned(follow),
            tasks,
        })
    }

    /// Where HTTPS is spoken.
    pub fn http(&self) -> SocketAddr {
        self.http
    }

    /// Where QUIC is spoken.
    pub fn quic(&self) -> SocketAddr {
        self.quic
    }

    /// What boxes and phones take as `--relay`, as it was at the start.
    pub fn url(&self) -> &RelayUrl {
        &self.url
    }

    /// The same as it is now: its pins change with the relay's key.
    pub fn addresses(&self) -> watch::Receiver<RelayUrl> {
        self.addresses.subscribe()
    }

    /// Boxes that are connected.
    pub fn boxes(&self) -> usize {
        self.hub.boxes()
    }

    /// Streams that are open.
    pub fn streams(&self) -> usize {
        self.hub.streams()
    }

    /// The counters, as text.
    pub fn metrics(&self) -> String {
        self.hub.counters()
    }

    /// Stops in order; see the module. Its ports are free afterwards.
    pub async fn stop(mut self) {
        self.close().await;
        let quic = self.quic;
        drop(self);
        // The socket goes with the endpoint's own task, which nobody can wait for; that its place is free can be seen.
        let free = async {
            while std::net::UdpSocket::bind(quic).is_err() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        let _ = timeout(CLOSE_LIMIT, free).await;
    }

    async fn close(&mut self) {
        // A certificate that is shown anew would open the endpoint again.
        self.follow.0.abort();
        let _ = (&mut self.follow.0).await;
        self.endpoint.set_server_config(None);
        self.stopping.send_replace(true);
        self.phase.send_replace(Phase::Draining);
        let boxes = self.hub.ask_all_to_leave();
        tracing::info!(boxes, streams = self.hub.streams(), "stopping");
        let gone = async {
            while self.hub.metrics.boxes.get() > 0 || self.hub.streams() > 0 {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        let _ = timeout(self.drain, gone).await;
        self.phase.send_replace(Phase::Closing);
        // Sockets first: closing QUIC takes the boxes' streams away, and a phone on a socket would be told of that.
        if let Some(web) = self.tasks.pop() {
            let mut web = Owned(web);
            let _ = timeout(CLOSE_LIMIT, &mut web.0).await;
        }
        self.endpoint.close(code(End::Restart), End::Restart.sentence().as_bytes());
        let _ = timeout(CLOSE_LIMIT, self.endpoint.wait_idle()).await;
    }
}

/// A task that ends with its owner.
#[derive(Debug)]
struct Owned(JoinHandle<()>);

impl Drop for Owned {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
        self.endpoint.close(code(End::Restart), End::Restart.sentence().as_bytes());
    }
}

/// Takes as many descriptors as the system allows: the usual first limit of 1,024 is a few hundred phones. Gives the
/// limit in force.
pub fn raise_descriptor_limit() -> Option<u64> {
    let limit = rustix::process::getrlimit(Resource::Nofile);
    let raised = Rlimit { current: limit.maximum, maximum: limit.maximum };
    match rustix::process::setrlimit(Resource::Nofile, raised) {
        Ok(()) => limit.maximum,
        Err(_) => limit.current,
    }
}

//! [`Proxy`]: a line that can be cut, and that cuts itself again and again.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::task::JoinHandle;
use vyre_proto::relay_url::RelayUrl;
use vyre_stream::cli::demo::line::Cut;
use vyre_stream::cli::demo::line::Line;

/// A forwarder of TCP and QUIC between a client and a box or a relay.
pub struct Proxy {
    line: Arc<Line>,
    cuts: Arc<AtomicU64>,
    cutter: Option<JoinHandle<()>>,
}

impl Proxy {
    /// Forwards, and cuts nothing by itself.
    pub async fn start(tcp: SocketAddr, udp: SocketAddr) -> Proxy {
        let line = Arc::new(Line::start(tcp, udp).await.unwrap());
        Proxy { line, cuts: Arc::default(), cutter: None }
    }

    /// Cuts everything that runs, this often: TCP connections see a reset, QUIC connections nothing.
    pub fn cutting(mut self, every: Duration) -> Proxy {
        let (line, cuts) = (self.line.clone(), self.cuts.clone());
        self.cutter = Some(tokio::spawn(async move {
            let mut beat = tokio::time::interval(every);
            beat.tick().await;
            loop {
                beat.tick().await;
                line.cut(Cut::Told);
                cuts.fetch_add(1, Ordering::SeqCst);
            }
        }));
        self
    }

    /// Cuts now.
    pub fn cut(&self) {
        self.line.cut(Cut::Told);
        self.cuts.fetch_add(1, Ordering::SeqCst);
    }

    /// Cuts so far.
    pub fn cuts(&self) -> u64 {
        self.cuts.load(Ordering::SeqCst)
    }

    /// Where TCP is taken.
    pub fn tcp(&self) -> SocketAddr {
        self.line.tcp()
    }

    /// The address of a relay behind this line.
    pub fn relay(&self, url: &RelayUrl) -> RelayUrl {
        let (tcp, udp) = (self.line.tcp(), self.line.udp());
        RelayUrl::new(url.is_plain(), "127.0.0.1", tcp.port(), udp.port(), url.pins().to_vec()).unwrap()
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        if let Some(cutter) = &self.cutter {
            cutter.abort();
        }
    }
}

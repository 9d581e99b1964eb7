//! [`Way`]: the network between QUIC clients and a relay, which can fall silent in either direction.

use std::net::IpAddr;
use std::net::Ipv4Addr;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering;

use tokio::net::UdpSocket;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use vyre_proto::relay_url::RelayUrl;

/// What passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pass {
    /// All.
    All,
    /// All towards the relay, and nothing back: an address that somebody else wrote on its packets.
    There,
    /// All towards the relay, and Retry alone back: one who proves its address and then falls silent.
    ThereAndRetry,
    /// Nothing: a machine that is gone without a word.
    Nothing,
}

/// See the module. One endpoint at a time may use it.
pub struct Way {
    near: SocketAddr,
    pass: watch::Sender<Pass>,
    retries: Arc<AtomicU64>,
    task: JoinHandle<()>,
}

impl Way {
    /// A way to the relay, which sees packets come from `address`.
    pub async fn lay(relay: SocketAddr, address: IpAddr, pass: Pass) -> Way {
        let near = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let far = UdpSocket::bind((address, 0)).await.unwrap();
        far.connect(relay).await.unwrap();
        let addr = near.local_addr().unwrap();
        let (pass, passes) = watch::channel(pass);
        let retries = Arc::new(AtomicU64::new(0));
        let task = tokio::spawn(carry(near, far, passes, retries.clone()));
        Way { near: addr, pass, retries, task }
    }

    /// Where this way begins.
    pub fn near(&self) -> SocketAddr {
        self.near
    }

    /// The relay as it is reached by this way.
    pub fn url(&self, url: &RelayUrl) -> RelayUrl {
        RelayUrl::new(url.is_plain(), "127.0.0.1", url.http_port(), self.near().port(), url.pins().to_vec()).unwrap()
    }

    /// From now on this passes.
    pub fn set(&self, pass: Pass) {
        self.pass.send_replace(pass);
    }

    /// How often the relay has asked for proof.
    pub fn retries(&self) -> u64 {
        self.retries.load(Ordering::Relaxed)
    }
}

impl Drop for Way {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn carry(near: UdpSocket, far: UdpSocket, pass: watch::Receiver<Pass>, retries: Arc<AtomicU64>) {
    let (mut up, mut down) = ([0; 2048], [0; 2048]);
    let mut client = None;
    loop {
        tokio::select! {
            Ok((n, from)) = near.recv_from(&mut up) => {
                client = Some(from);
                if *pass.borrow() != Pass::Nothing {
                    let _ = far.send(&up[..n]).await;
                }
            }
            Ok(n) = far.recv(&mut down) => {
                // A long header of the type of a Retry.
                let retry = down[0] & 0xf0 == 0xf0;
                retries.fetch_add(u64::from(retry), Ordering::Relaxed);
                let passes = match *pass.borrow() {
                    Pass::All => true,
                    Pass::ThereAndRetry => retry,
                    Pass::There | Pass::Nothing => false,
                };
                if let Some(client) = client.filter(|_| passes) {
                    let _ = near.send_to(&down[..n], client).await;
                }
            }
        }
    }
}

//! Who is let in over TCP, how long one may be half made, and how one is noticed that is gone.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering;
use std::time::Duration;

use rustix::net::sockopt;
use tokio::net::TcpStream;

use crate::hub::Hub;
use crate::quota::Address;
use crate::quota::Dial;
use crate::quota::Network;
use crate::seat::Seat;

/// TCP connections in all.
const CONNECTIONS_MAX: u64 = 16 * 1024;

/// A connection that has not brought a whole request in this time leaves when others need its place. Four round trips of
/// a bad line.
const HALF_MADE_GRACE: Duration = Duration::from_secs(1);

/// The kernel gives up a peer that acknowledges nothing for so long.
const USER_TIMEOUT: Duration = Duration::from_secs(20);

/// So long nothing may come before the kernel asks whether the peer is there, and asks again.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// What is asked before anything is read.
pub(super) fn admit(hub: &Arc<Hub>, peer: SocketAddr) -> Option<HalfMade> {
    if hub.metrics.web_connections.get() >= CONNECTIONS_MAX {
        hub.metrics.dials_overload.add_one();
        return None;
    }
    if hub.dial(peer.ip(), Address::Proved) != Dial::Granted {
        return None;
    }
    match hub.half_made.take(Network::of(peer.ip()), HALF_MADE_GRACE) {
        Ok(seat) => Some(HalfMade::new(hub, seat)),
        Err(_) => {
            hub.metrics.dials_overload.add_one();
            None
        }
    }
}

/// A phone that is gone without a word is given up after [`KEEP_ALIVE`] and [`USER_TIMEOUT`], whether or not there is
/// something to say to it. Neither is longer than a reader may take nothing.
pub(super) fn notice_silence(tcp: &TcpStream, stall: Duration) {
    let user_timeout = USER_TIMEOUT.min(stall);
    let ask = KEEP_ALIVE.min(stall);
    // Where the kernel cannot, the limits on writing are left.
    let _ = sockopt::set_tcp_user_timeout(tcp, u32::try_from(user_timeout.as_millis()).unwrap_or(u32::MAX));
    let _ = sockopt::set_tcp_keepidle(tcp, ask);
    let _ = sockopt::set_tcp_keepintvl(tcp, ask.div_f64(3.0).max(Duration::from_secs(1)));
    let _ = sockopt::set_socket_keepalive(tcp, true);
}

/// Counts a connection as half made until its first request is whole.
pub(super) struct HalfMade {
    hub: Arc<Hub>,
    seat: Seat<Network>,
    counted: AtomicBool,
}

impl HalfMade {
    fn new(hub: &Arc<Hub>, seat: Seat<Network>) -> Self {
        hub.metrics.web_half_made.add_one();
        Self { hub: hub.clone(), seat, counted: AtomicBool::new(true) }
    }

    /// Resolves when another one has got its place.
    pub async fn lost(&self) {
        self.seat.lost().await;
    }

    /// Its first request is whole: it cannot be put out any more.
    pub fn whole(&self) {
        if self.counted.swap(false, Ordering::Relaxed) {
            self.seat.leave();
            self.hub.metrics.web_half_made.drop_one();
        }
    }
}

impl Drop for HalfMade {
    fn drop(&mut self) {
        self.whole();
    }
}

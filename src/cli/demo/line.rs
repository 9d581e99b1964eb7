//! [`Line`]: the way between a screen and its relay, which can be cut.
//!
//! It forwards TCP connections and QUIC connections and looks into neither. A cut ends every connection that runs at
//! that moment for good: nothing of it passes any more, in either direction, whatever address it is tried from. New
//! connections pass at once. The two ends of a TCP connection are told of it or not, as [`Cut`] says; of a QUIC
//! connection nobody is ever told, because a network that is gone says no farewell.
//!
//! What would surprise: a QUIC connection outlives a change of address, so a forwarder that only forgets addresses cuts
//! nothing. This one goes by connection ids. It learns them from the long headers with which every connection begins,
//! and lets nothing else pass.

use std::collections::HashMap;
use std::io;
use std::net::Ipv4Addr;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;
use tokio::net::TcpStream;
use tokio::net::UdpSocket;
use tokio::sync::mpsc;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::timeout;

/// Connections of each kind that are carried at once; the oldest makes room.
const CARRIED_MAX: usize = 256;

/// Packets from the relay that wait for the screen's socket. More are dropped, as a network would.
const PACKETS_MAX: usize = 256;

/// Longest UDP packet.
const PACKET_MAX: usize = 65_535;

/// How long the relay's TCP may take to answer.
const CONNECT_LIMIT: Duration = Duration::from_secs(5);

/// What the ends of a TCP connection see of a cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// A reset: both know at once.
    Told,
    /// Nothing: both have to find out.
    Silent,
}

/// The last cut: how many there were, and of which kind it was.
type Cuts = watch::Receiver<(u64, Cut)>;

/// A forwarder that runs. Dropped, everything on it is cut.
#[derive(Debug)]
pub struct Line {
    tcp: SocketAddr,
    udp: SocketAddr,
    cuts: watch::Sender<(u64, Cut)>,
    _tasks: JoinSet<()>,
}

impl Line {
    /// Forwards to these addresses from free ports on loopback.
    ///
    /// # Errors
    /// If there is no port.
    pub async fn start(to_tcp: SocketAddr, to_udp: SocketAddr) -> io::Result<Line> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let (tcp, udp) = (listener.local_addr()?, socket.local_addr()?);
        let cuts = watch::Sender::new((0, Cut::Told));
        let mut tasks = JoinSet::new();
        tasks.spawn(forward_tcp(listener, to_tcp, cuts.subscribe()));
        tasks.spawn(forward_udp(Arc::new(socket), to_udp, cuts.subscribe()));
        Ok(Line { tcp, udp, cuts, _tasks: tasks })
    }

    /// Where TCP is taken.
    pub fn tcp(&self) -> SocketAddr {
        self.tcp
    }

    /// Where QUIC is taken.
    pub fn udp(&self) -> SocketAddr {
        self.udp
    }

    /// Cuts everything that runs now.
    pub fn cut(&self, cut: Cut) {
        self.cuts.send_modify(|(n, last)| (*n, *last) = (*n + 1, cut));
    }
}

async fn forward_tcp(listener: TcpListener, to: SocketAddr, cuts: Cuts) {
    let mut carried = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                // A listener that fails for a moment, as when descriptors run out, is asked again.
                let Ok((near, _)) = accepted else { continue };
                let mut cuts = cuts.clone();
                cuts.mark_unchanged();
                carried.spawn(carry_tcp(near, to, cuts));
                if carried.len() > CARRIED_MAX {
                    carried.shutdown().await;
                }
            }
            Some(_) = carried.join_next(), if !carried.is_empty() => {}
        }
    }
}

async fn carry_tcp(mut near: TcpStream, to: SocketAddr, mut cuts: Cuts) {
    let Ok(Ok(mut far)) = timeout(CONNECT_LIMIT, TcpStream::connect(to)).await else { return };
    // What is forwarded is forwarded at once.
    let _ = (near.set_nodelay(true), far.set_nodelay(true));
    let cut = tokio::select! {
        _ = tokio::io::copy_bidirectional(&mut near, &mut far) => {
            let _ = (near.shutdown().await, far.shutdown().await);
            return;
        }
        changed = cuts.changed() => match changed {
            Ok(()) => cuts.borrow().1,
            Err(_) => Cut::Told,
        },
    };
    match cut {
        Cut::Told => {
            // Without a farewell: what was written and not sent is lost as well.
            let _ = (near.set_zero_linger(), far.set_zero_linger());
        }
        // Both sockets stay open, and nobody reads them: that is what a dead network looks like.
        Cut::Silent => std::future::pending().await,
    }
}

/// One QUIC connection.
struct Flow {
    number: u64,
    /// Where its screen was last heard.
    near: SocketAddr,
    far: Arc<UdpSocket>,
    _reader: JoinSet<()>,
}

/// What runs over UDP, and by which connection ids it is known.
#[derive(Default)]
struct Flows {
    flows: HashMap<u64, Flow>,
    ids: HashMap<Vec<u8>, u64>,
    /// Lengths that the relay's connection ids have had: short headers do not say.
    lengths: Vec<usize>,
    next: u64,
}

impl Flows {
    fn clear(&mut self) {
        self.flows.clear();
        self.ids.clear();
    }

    fn learn(&mut self, id: &[u8], flow: u64) {
        if id.is_empty() || self.ids.len() >= 8 * CARRIED_MAX {
            return;
        }
        if !self.lengths.contains(&id.len()) {
            self.lengths.push(id.len());
        }
        self.ids.insert(id.to_vec(), flow);
    }

    /// The flow of a packet from a screen.
    fn of(&self, packet: &[u8]) -> Option<u64> {
        match long_ids(packet) {
            Some((to, _)) => self.ids.get(to).copied(),
            None => self.lengths.iter().find_map(|len| self.ids.get(packet.get(1..1 + len)?).copied()),
        }
    }

    async fn begin(&mut self, near: SocketAddr, to: SocketAddr, down: &mpsc::Sender<(u64, Vec<u8>)>) -> Option<u64> {
        if self.flows.len() >= CARRIED_MAX {
            let oldest = self.flows.keys().copied().min()?;
            self.flows.remove(&oldest);
            self.ids.retain(|_, n| *n != oldest);
        }
        let far = Arc::new(UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).await.ok()?);
        far.connect(to).await.ok()?;
        self.next += 1;
        let number = self.next;
        let mut reader = JoinSet::new();
        reader.spawn(read_far(far.clone(), number, down.clone()));
        self.flows.insert(number, Flow { number, near, far, _reader: reader });
        Some(number)
    }
}

async fn read_far(far: Arc<UdpSocket>, number: u64, down: mpsc::Sender<(u64, Vec<u8>)>) {
    let mut packet = vec![0; PACKET_MAX];
    loop {
        match far.recv(&mut packet).await {
            // A full queue drops, and QUIC sends again.
            Ok(n) => drop(down.try_send((number, packet[..n].to_vec()))),
            // The relay is away: it may come back on this port.
            Err(_) => tokio::time::sleep(Duration::from_millis(10)).await,
        }
    }
}

async fn forward_udp(socket: Arc<UdpSocket>, to: SocketAddr, mut cuts: Cuts) {
    let (down, mut from_far) = mpsc::channel(PACKETS_MAX);
    let mut flows = Flows::default();
    let mut packet = vec![0; PACKET_MAX];
    loop {
        tokio::select! {
            biased;
            changed = cuts.changed() => match changed {
                Ok(()) => flows.clear(),
                Err(_) => return,
            },
            Some((number, packet)) = from_far.recv() => {
                let packet: Vec<u8> = packet;
                let Some(near) = flows.flows.get(&number).map(|f| f.near) else { continue };
                if let Some((_, from)) = long_ids(&packet) {
                    flows.learn(from, number);
                }
                let _ = socket.send_to(&packet, near).await;
            }
            got = socket.recv_from(&mut packet) => {
                // An error is about a screen that is gone; the next packet is another's.
                let Ok((n, near)) = got else { continue };
                let packet = &packet[..n];
                let number = match flows.of(packet) {
                    Some(number) => Some(number),
                    None => match long_ids(packet).filter(|_| begins(packet)) {
                        Some((to_id, _)) => {
                            let number = flows.begin(near, to, &down).await;
                            if let Some(number) = number {
                                flows.learn(to_id, number);
                            }
                            number
                        }
                        None => None, // Of a connection that was cut.
                    },
                };
                if let Some(flow) = number.and_then(|n| flows.flows.get_mut(&n)) {
                    debug_assert!(number == Some(flow.number));
                    flow.near = near;
                    let _ = flow.far.send(packet).await;
                }
            }
        }
    }
}

/// Destination and source connection id of a packet with a long header.
fn long_ids(packet: &[u8]) -> Option<(&[u8], &[u8])> {
    if packet.first()? & 0x80 == 0 {
        return None;
    }
    let to_len = usize::from(*packet.get(5)?);
    let to = packet.get(6..6 + to_len)?;
    let from_len = usize::from(*packet.get(6 + to_len)?);
    let from = packet.get(7 + to_len..7 + to_len + from_len)?;
    Some((to, from))
}

/// Whether a packet with a long header begins a connection: an Initial, or early data that overtook it.
fn begins(packet: &[u8]) -> bool {
    packet.first().is_some_and(|first| matches!(first & 0x30, 0x00 | 0x10))
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt;

    use super::*;

    async fn echo() -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let at = listener.local_addr().unwrap();
        tokio::spawn(async move {
            while let Ok((mut tcp, _)) = listener.accept().await {
                tokio::spawn(async move {
                    let (mut read, mut write) = tcp.split();
                    tokio::io::copy(&mut read, &mut write).await
                });
            }
        });
        at
    }

    async fn round(tcp: &mut TcpStream) -> io::Result<u8> {
        tcp.write_all(b"x").await?;
        tcp.read_u8().await
    }

    #[tokio::test]
    async fn a_told_cut_is_a_reset_and_the_next_connection_passes() {
        let at = echo().await;
        let line = Line::start(at, at).await.unwrap();
        let mut tcp = TcpStream::connect(line.tcp()).await.unwrap();
        assert_eq!(round(&mut tcp).await.unwrap(), b'x');

        line.cut(Cut::Told);

        let end = tcp.read_u8().await.unwrap_err();
        assert_eq!(end.kind(), io::ErrorKind::ConnectionReset);
        let mut next = TcpStream::connect(line.tcp()).await.unwrap();
        assert_eq!(round(&mut next).await.unwrap(), b'x');
    }

    #[tokio::test]
    async fn a_silent_cut_says_nothing() {
        let at = echo().await;
        let line = Line::start(at, at).await.unwrap();
        let mut tcp = TcpStream::connect(line.tcp()).await.unwrap();
        assert_eq!(round(&mut tcp).await.unwrap(), b'x');

        line.cut(Cut::Silent);

        assert!(timeout(Duration::from_millis(300), round(&mut tcp)).await.is_err());
        let mut next = TcpStream::connect(line.tcp()).await.unwrap();
        assert_eq!(round(&mut next).await.unwrap(), b'x');
    }

    #[test]
    fn ids_stand_in_long_headers_only_and_no_bytes_are_too_few() {
        let initial = [0xc0, 0, 0, 0, 1, 2, 7, 8, 1, 9, 0, 0];
        assert_eq!(long_ids(&initial), Some((&[7, 8][..], &[9][..])));
        assert!(begins(&initial));
        for n in 0..10 {
            assert_eq!(long_ids(&initial[..n]), None);
        }
        assert_eq!(long_ids(&[0x40, 1, 2, 3, 4, 5, 6, 7, 8]), None);
    }
}

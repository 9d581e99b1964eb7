//! What one box, one network and all together may use. Pure: counts and moments in, yes or no out.
//!
//! A box's streams share one connection, and the connection's receive window is the number of streams times the window
//! of one, so that a stream that nobody reads never eats the credit of the others. The number is therefore what bounds
//! memory, and it is held here.

use std::collections::HashMap;
use std::net::IpAddr;
use std::net::Ipv6Addr;
use std::time::Duration;

use vyre_proto::ids::BoxId;
use vyre_proto::tick::Tick;

use crate::backlog::Room;

/// Most networks whose rate is remembered. Those that have been quiet for long are forgotten first.
const NETWORKS_MAX: usize = 8192;

/// The numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Streams that one box may have open at once. One [`Network`] has half of them: whoever knows a box's id can ask for
    /// streams, and the box is still reached from elsewhere.
    pub streams_per_box: usize,
    /// Streams that all boxes together may have open at once.
    pub streams: usize,
    /// New connections a second that one [`Network`] may begin, over time.
    pub dials_per_second: u32,
    /// New connections that one [`Network`] may begin at once.
    pub dials_burst: u32,
    /// Connections that may be half made at once: QUIC handshakes, and as many on TCP that have not brought a request.
    /// One network has a quarter of them.
    pub handshakes: usize,
    /// Bytes of memory for what slow readers leave lying. One box has half of it.
    pub buffer: u64,
}

/// What one direction of a stream may hold while its reader is behind: a window from its source, and what its sink has
/// not acknowledged.
pub const BEHIND: u64 = 768 * 1024;

impl Limits {
    /// Room for half-made connections, on QUIC and on TCP each.
    pub fn half_made(&self) -> Room {
        Room { all: self.handshakes, of_source: (self.handshakes / 4).max(1) }
    }

    /// Room for directions of streams whose readers are behind.
    pub fn behind(&self) -> Room {
        let all = usize::try_from(self.buffer / BEHIND).unwrap_or(usize::MAX).max(1);
        Room { all, of_source: all.div_ceil(2) }
    }

    /// With so many QUIC handshakes in flight, an address has to be proved before anything is computed for it. What
    /// those who only claim an address can fill is an eighth.
    pub fn claimed(&self) -> usize {
        (self.handshakes / 8).max(1)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            streams_per_box: 256,
            streams: 8192,
            dials_per_second: 200,
            dials_burst: 2000,
            handshakes: 2048,
            buffer: 1 << 30,
        }
    }
}

/// Which limit was met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum QuotaRefused {
    /// Of the box.
    #[error("this box has {max} streams open here, which is the limit")]
    Box {
        /// The limit.
        max: usize,
    },
    /// Of one network, of those of the box.
    #[error("{max} streams are open from there to this box, which is the share of one network")]
    Network {
        /// The share.
        max: usize,
    },
    /// Of the relay.
    #[error("this relay has {max} streams open, which is its limit")]
    All {
        /// The limit.
        max: usize,
    },
}

/// Whom a limit for strangers counts as one: an IPv4 address, or the 64 bits of an IPv6 address that a provider gives to
/// one customer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Network(IpAddr);

impl Network {
    /// The network of this address.
    pub fn of(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V4(four) => four.into(),
            IpAddr::V6(six) => Ipv6Addr::from_bits(six.to_bits() & !u128::from(u64::MAX)).into(),
        })
    }
}

/// Whether somebody is known to be where it says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Address {
    /// Anybody can write this address on a packet.
    Claimed,
    /// It has answered from there.
    Proved,
}

/// What becomes of a dial.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dial {
    /// It goes on.
    Granted,
    /// It goes on once the address is proved. Nothing was charged to it.
    Prove,
    /// This network dials too often.
    Refused,
}

/// Tokens that come back with time.
#[derive(Debug, Clone, Copy)]
struct Bucket {
    tokens: f64,
    at: Tick,
}

/// Streams of one box, and from where.
#[derive(Debug, Default)]
struct InUse {
    all: usize,
    from: HashMap<Network, usize>,
}

/// What is in use.
#[derive(Debug)]
pub struct Quota {
    limits: Limits,
    streams: usize,
    boxes: HashMap<BoxId, InUse>,
    networks: HashMap<Network, Bucket>,
}

impl Quota {
    /// Nothing in use.
    pub fn new(limits: Limits) -> Self {
        Self { limits, streams: 0, boxes: HashMap::new(), networks: HashMap::new() }
    }

    /// One more stream of this box, from there. Each one that is granted is given back with [`Quota::give_back`], once.
    ///
    /// # Errors
    /// Which limit was met; nothing is taken then.
    pub fn take(&mut self, id: &BoxId, from: Network) -> Result<(), QuotaRefused> {
        let in_use = self.boxes.get(id);
        if in_use.map_or(0, |u| u.all) >= self.limits.streams_per_box {
            return Err(QuotaRefused::Box { max: self.limits.streams_per_box });
        }
        let share = self.limits.streams_per_box.div_ceil(2);
        if in_use.and_then(|u| u.from.get(&from)).is_some_and(|n| *n >= share) {
            return Err(QuotaRefused::Network { max: share });
        }
        if self.streams >= self.limits.streams {
            return Err(QuotaRefused::All { max: self.limits.streams });
        }
        self.streams += 1;
        let in_use = self.boxes.entry(*id).or_default();
        in_use.all += 1;
        *in_use.from.entry(from).or_default() += 1;
        Ok(())
    }

    /// A stream of this box from there has ended.
    pub fn give_back(&mut self, id: &BoxId, from: Network) {
        let Some(in_use) = self.boxes.get_mut(id) else { return };
        let Some(n) = in_use.from.get_mut(&from) else { return };
        *n -= 1;
        if *n == 0 {
            in_use.from.remove(&from);
        }
        in_use.all -= 1;
        self.streams -= 1;
        if in_use.all == 0 {
            self.boxes.remove(id);
        }
    }

    /// Streams in use, of all boxes.
    pub fn streams(&self) -> usize {
        self.streams
    }

    /// Whether one more connection from this address may begin now.
    ///
    /// Who only claims an address spends at most half of what it has, and takes at most half of the table: the rest is
    /// for those who are there. So nobody is kept out by packets that somebody else wrote its address on.
    pub fn dial(&mut self, now: Tick, address: IpAddr, known: Address) -> Dial {
        let network = Network::of(address);
        let (rate, burst) = (f64::from(self.limits.dials_per_second), f64::from(self.limits.dials_burst));
        let (table, kept) = match known {
            Address::Claimed => (NETWORKS_MAX / 2, burst / 2.0),
            Address::Proved => (NETWORKS_MAX, 0.0),
        };
        let short = match known {
            Address::Claimed => Dial::Prove,
            Address::Proved => Dial::Refused,
        };
        if self.networks.len() >= table && !self.networks.contains_key(&network) {
            // Those whose bucket is full again are as good as unknown.
            self.networks.retain(|_, b| b.tokens + rate * now.since(b.at).as_secs_f64() < burst);
            if self.networks.len() >= table {
                return short;
            }
        }
        let bucket = self.networks.entry(network).or_insert(Bucket { tokens: burst, at: now });
        bucket.tokens = (bucket.tokens + rate * now.since(bucket.at).as_secs_f64()).min(burst);
        bucket.at = bucket.at.max(now);
        if bucket.tokens < kept + 1.0 {
            return short;
        }
        bucket.tokens -= 1.0;
        Dial::Granted
    }
}

/// Over how much time a fleet of this many clients should come back, so that the handshakes of all fit one core.
///
/// A core does about a thousand handshakes a second; half of it is planned with.
pub fn spread(clients: usize, cores: usize) -> Duration {
    let per_second = 500 * cores.max(1);
    let millis = clients.saturating_mul(1000) / per_second;
    Duration::from_millis(u64::try_from(millis).unwrap_or(u64::MAX))
        .clamp(Duration::from_millis(200), Duration::from_secs(120))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const HOME: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    fn quota(streams_per_box: usize, streams: usize) -> Quota {
        Quota::new(Limits { streams_per_box, streams, dials_per_second: 10, dials_burst: 20, ..Limits::default() })
    }

    fn network(n: u8) -> Network {
        Network::of(IpAddr::from([10, 0, 0, n]))
    }

    #[test]
    fn the_stream_over_the_limit_is_refused_and_one_that_ends_makes_room() {
        let mut q = quota(2, 3);
        let (a, b) = (BoxId([1; 32]), BoxId([2; 32]));
        assert_eq!([q.take(&a, network(1)), q.take(&a, network(2))], [Ok(()), Ok(())]);
        assert_eq!(q.take(&a, network(3)), Err(QuotaRefused::Box { max: 2 }));
        assert_eq!(q.take(&b, network(1)), Ok(()));
        assert_eq!(q.take(&b, network(2)), Err(QuotaRefused::All { max: 3 }));
        q.give_back(&a, network(1));
        assert_eq!(q.take(&b, network(2)), Ok(()));
    }

    #[test]
    fn one_network_does_not_use_up_the_streams_of_a_box() {
        let mut q = quota(5, 100);
        let (a, b) = (BoxId([1; 32]), BoxId([2; 32]));
        assert_eq!((0..5).filter(|_| q.take(&a, network(1)).is_ok()).count(), 3);
        assert_eq!(q.take(&a, network(1)), Err(QuotaRefused::Network { max: 3 }));
        // It reaches other boxes, and others reach this one.
        assert_eq!(q.take(&b, network(1)), Ok(()));
        assert_eq!(q.take(&a, network(2)), Ok(()));
        q.give_back(&a, network(1));
        assert_eq!(q.take(&a, network(1)), Ok(()));
    }

    /// How many of so many dials are granted.
    fn granted(q: &mut Quota, now: Tick, address: IpAddr, known: Address, of: usize) -> usize {
        (0..of).filter(|_| q.dial(now, address, known) == Dial::Granted).count()
    }

    #[test]
    fn an_address_that_dials_too_fast_waits_and_others_do_not() {
        let mut q = quota(1, 1);
        let now = Tick(1_000_000);
        assert_eq!(granted(&mut q, now, HOME, Address::Proved, 30), 20);
        assert_eq!(q.dial(now, IpAddr::from([10, 0, 0, 1]), Address::Proved), Dial::Granted);
        let later = now + Duration::from_secs(1);
        assert_eq!(granted(&mut q, later, HOME, Address::Proved, 30), 10);
        // A clock that went back gives nothing and takes nothing.
        assert_eq!(q.dial(now, HOME, Address::Proved), Dial::Refused);
    }

    #[test]
    fn packets_with_somebodys_address_do_not_use_up_what_that_address_may_dial() {
        let mut q = quota(1, 1);
        assert_eq!(granted(&mut q, Tick(0), HOME, Address::Claimed, 100), 10);
        assert_eq!(q.dial(Tick(0), HOME, Address::Claimed), Dial::Prove);
        assert_eq!(granted(&mut q, Tick(0), HOME, Address::Proved, 100), 10);
    }

    #[test]
    fn the_addresses_of_one_home_share_what_it_may_dial() {
        let mut q = quota(1, 1);
        let home = |host: u128| IpAddr::from(Ipv6Addr::from_bits((0x2001_0db8_0001_0002 << 64) | host));
        let next_door = IpAddr::from(Ipv6Addr::from_bits(0x2001_0db8_0001_0003 << 64));
        let dials = (0..30).filter(|host| q.dial(Tick(0), home(*host), Address::Proved) == Dial::Granted).count();
        assert_eq!(dials, 20);
        assert_eq!(q.dial(Tick(0), next_door, Address::Proved), Dial::Granted);
        // An IPv4 address is one, whichever socket it came by.
        let mapped = IpAddr::from(std::net::Ipv4Addr::LOCALHOST.to_ipv6_mapped());
        assert_eq!(Network::of(mapped), Network::of(HOME));
        assert_ne!(Network::of(HOME), Network::of(IpAddr::from([127, 0, 0, 2])));
    }

    #[test]
    fn many_addresses_do_not_fill_memory_and_claimed_ones_leave_room_for_proved_ones() {
        let mut q = quota(1, 1);
        for i in 0..20_000u32 {
            q.dial(Tick(u64::from(i)), IpAddr::from(i.to_be_bytes()), Address::Claimed);
        }
        assert_eq!(q.networks.len(), NETWORKS_MAX / 2);
        assert_eq!(q.dial(Tick(20_000), HOME, Address::Claimed), Dial::Prove);
        assert_eq!(q.dial(Tick(20_000), HOME, Address::Proved), Dial::Granted);
        for i in 0..20_000u32 {
            q.dial(Tick(20_000), IpAddr::from(i.to_be_bytes()), Address::Proved);
        }
        assert!(q.networks.len() <= NETWORKS_MAX);
        // Once the flood is over, a new address is served again.
        assert_eq!(q.dial(Tick(60_000_000), IpAddr::from([9, 9, 9, 9]), Address::Claimed), Dial::Granted);
    }

    #[test]
    fn a_large_fleet_is_spread_and_a_small_one_is_not_kept_waiting() {
        assert_eq!(spread(1, 2), Duration::from_millis(200));
        assert_eq!(spread(10_000, 2), Duration::from_secs(10));
        assert_eq!(spread(usize::MAX, 1), Duration::from_secs(120));
    }

    proptest! {
        #[test]
        fn what_is_taken_and_given_back_comes_to_nothing(
            steps in prop::collection::vec((0u8..3, 0u8..3, any::<bool>()), 0..100),
        ) {
            let mut q = quota(4, 8);
            let mut held: Vec<(u8, u8)> = Vec::new();
            for (id, from, take) in steps {
                if take {
                    let of_box = held.iter().filter(|h| h.0 == id).count();
                    let of_network = held.iter().filter(|h| **h == (id, from)).count();
                    let ok = q.take(&BoxId([id; 32]), network(from)).is_ok();
                    prop_assert_eq!(ok, of_box < 4 && of_network < 2 && held.len() < 8);
                    if ok { held.push((id, from)); }
                } else if let Some(at) = held.iter().position(|h| *h == (id, from)) {
                    held.remove(at);
                    q.give_back(&BoxId([id; 32]), network(from));
                }
                prop_assert_eq!(q.streams(), held.len());
            }
            for (id, from) in held { q.give_back(&BoxId([id; 32]), network(from)); }
            prop_assert_eq!(q.streams(), 0);
            prop_assert!(q.boxes.is_empty());
        }
    }
}

//! Tickets: the right to open one stream, once, soon.
//!
//! One is minted after authority has said yes, and only then. It remembers caller, device, viewer, session and purpose,
//! so that an edge decides nothing. It is bound to no address: a phone may mint on one network and arrive from another.
//! Unknown, late, spent and foreign are one answer, [`Refused`]: to tell them apart helps a guesser. A ticket that is
//! shown is gone, also where it is refused: in the wrong hands it was stolen.
//!
//! The table holds SHA-256 digests and never a ticket. It is looked up by half of the digest and compared by the other
//! half without an early exit, so that time tells nothing of what is in it.

use std::collections::BTreeMap;
use std::collections::VecDeque;
use std::fmt;
use std::time::Duration;

use vyre_proto::ids::SessionId;
use vyre_proto::limits::TICKET_LIFE;
use vyre_proto::term::TermId;
use vyre_proto::tick::Tick;

use crate::rules::caller::Caller;
use crate::rules::caller::Roles;
use crate::rules::room::RoomVer;

/// SHA-256 of a ticket.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct TicketDigest(pub [u8; 32]);

impl fmt::Debug for TicketDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TicketDigest(..)")
    }
}

/// What a ticket may be spent on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Purpose {
    /// The frames of a session.
    Session,
    /// The bytes of this terminal.
    Terminal(TermId),
}

/// What somebody who shows a ticket wants of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// The frames of a session.
    Session,
    /// The bytes of a terminal.
    Terminal,
}

impl Purpose {
    const fn is(self, wanted: Wanted) -> bool {
        matches!((self, wanted), (Purpose::Session, Wanted::Session) | (Purpose::Terminal(_), Wanted::Terminal))
    }
}

pub use crate::rules::caller::DeviceKey;

/// What a ticket was minted for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grant {
    /// Who called.
    pub caller: Caller,
    /// From which device, where one proved itself.
    pub device: Option<DeviceKey>,
    /// What the person was cleared for: a ticket does not outlive a change of it.
    pub roles: Roles,
    /// The version of the room with which the person's stay began: a ticket does not outlive it.
    pub since: RoomVer,
    /// Of which session.
    pub session: SessionId,
    /// For what.
    pub purpose: Purpose,
}

/// What an upgrade shows beside its ticket.
#[derive(Debug, Clone, Copy)]
pub struct Shown<'a> {
    /// The caller, where the upgrade names one. Then it must be the one who minted.
    pub caller: Option<&'a Caller>,
    /// The device, where the connection proved one. It must be the one that minted, where that proved itself as well.
    pub device: Option<DeviceKey>,
    /// The session, where the upgrade names one.
    pub session: Option<&'a SessionId>,
    /// What the upgrade is for.
    pub wanted: Wanted,
}

/// The ticket does not open this: unknown, late, spent or foreign, and nobody is told which.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("this ticket does not open a stream; ask for a new one, with stream.open or term.attach")]
pub struct Refused;

/// No ticket now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("too many tickets wait to be used; use them or try again in {} s", .retry_after.as_secs_f32().ceil())]
pub struct TooMany {
    /// When the oldest of them has run out.
    pub retry_after: Duration,
}

/// How many tickets may wait to be spent.
#[derive(Debug, Clone, Copy)]
pub struct TicketLimits {
    /// Of all callers.
    pub all: usize,
    /// Of one caller.
    pub per_caller: usize,
}

impl Default for TicketLimits {
    /// A caller may mint 68 a second for ever, or a burst of 1,024 at once: a person with dozens of tabs on a bad network
    /// stays far below. In all it is a table of some 10 MB at most.
    fn default() -> Self {
        Self { all: 32_768, per_caller: 1024 }
    }
}

type Half = [u8; 16];

#[derive(Debug)]
struct Entry {
    rest: Half,
    until: Tick,
    grant: Grant,
}

/// All tickets that can still be spent, and some that run out soon.
#[derive(Debug)]
pub struct Tickets {
    limits: TicketLimits,
    entries: BTreeMap<Half, Entry>,
    /// In the order of minting, which is that of running out. Holds spent ones too until then; bounded by `limits.all`
    /// as well, because [`Tickets::mint`] counts what stands here.
    order: VecDeque<(Tick, Half)>,
    of_caller: BTreeMap<Caller, usize>,
}

impl Tickets {
    /// An empty table.
    pub fn new(limits: TicketLimits) -> Self {
        Self { limits, entries: BTreeMap::new(), order: VecDeque::new(), of_caller: BTreeMap::new() }
    }

    /// Makes the ticket of this digest good for [`TICKET_LIFE`] from `now`.
    pub fn mint(&mut self, now: Tick, digest: TicketDigest, grant: Grant) -> Result<(), TooMany> {
        self.expire(now);
        let (half, rest) = halves(digest);
        let of_caller = self.of_caller.get(&grant.caller).copied().unwrap_or(0);
        let full = self.order.len() >= self.limits.all || of_caller >= self.limits.per_caller;
        if full || self.entries.contains_key(&half) {
            let oldest = self.order.front().map_or(Duration::ZERO, |(until, _)| until.since(now));
            return Err(TooMany { retry_after: oldest });
        }
        let until = now + TICKET_LIFE;
        self.of_caller.insert(grant.caller.clone(), of_caller + 1);
        self.order.push_back((until, half));
        self.entries.insert(half, Entry { rest, until, grant });
        Ok(())
    }

    /// Takes the ticket and says what it was for. Of two that show the same one, one gets it.
    pub fn spend(&mut self, now: Tick, digest: TicketDigest, shown: Shown<'_>) -> Result<Grant, Refused> {
        let (half, rest) = halves(digest);
        // What is taken stays in `order` until it would have run out; to search for it there would cost more.
        let entry = self.entries.remove(&half).ok_or(Refused)?;
        self.forget(&entry.grant.caller);
        let g = &entry.grant;
        let fits = same(&entry.rest, &rest)
            && now < entry.until
            && shown.caller.is_none_or(|c| *c == g.caller)
            && (g.device.is_none() || shown.device == g.device)
            && shown.session.is_none_or(|s| *s == g.session)
            && g.purpose.is(shown.wanted);
        if fits { Ok(entry.grant) } else { Err(Refused) }
    }

    /// Drops what has run out.
    pub fn expire(&mut self, now: Tick) {
        while let Some((until, half)) = self.order.front().copied() {
            if now < until {
                break;
            }
            self.order.pop_front();
            // Only the entry that this line of `order` belongs to: a later one of the same half has a later end.
            if self.entries.get(&half).is_some_and(|e| e.until <= until)
                && let Some(entry) = self.entries.remove(&half)
            {
                self.forget(&entry.grant.caller);
            }
        }
    }

    /// When [`Tickets::expire`] has something to do next. `None`: the table is empty.
    pub fn next_expiry(&self) -> Option<Tick> {
        self.order.front().map(|(until, _)| *until)
    }

    /// Tickets that can be spent, as far as [`Tickets::expire`] has been told.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// None can be spent.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    fn forget(&mut self, caller: &Caller) {
        if let Some(n) = self.of_caller.get_mut(caller) {
            *n = n.saturating_sub(1);
            if *n == 0 {
                self.of_caller.remove(caller);
            }
        }
    }
}

fn halves(digest: TicketDigest) -> (Half, Half) {
    let (mut a, mut b) = (Half::default(), Half::default());
    let (first, second) = digest.0.split_at(a.len());
    a.copy_from_slice(first);
    b.copy_from_slice(second);
    (a, b)
}

/// Compares every byte, whatever the first ones say.
fn same(a: &Half, b: &Half) -> bool {
    a.iter().zip(b).fold(0, |acc, (x, y)| acc | (x ^ y)) == 0
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use vyre_proto::ids::Author;

    use super::*;
    use crate::rules::caller::Person;

    fn caller(name: &str) -> Caller {
        Caller::Person(Person::new(Author::person(name).unwrap()).unwrap())
    }

    fn session(name: &str) -> SessionId {
        SessionId::parse(name).unwrap()
    }

    fn digest(n: u8) -> TicketDigest {
        TicketDigest([n; 32])
    }

    fn grant(name: &str) -> Grant {
        Grant {
            caller: caller(name),
            device: None,
            roles: Roles::default(),
            since: RoomVer(1),
            session: session("s"),
            purpose: Purpose::Session,
        }
    }

    const BARE: Shown<'_> = Shown { caller: None, device: None, session: None, wanted: Wanted::Session };
    const NOW: Tick = Tick(1_000_000);

    fn with_one() -> Tickets {
        let mut t = Tickets::new(TicketLimits::default());
        t.mint(NOW, digest(1), grant("robin")).unwrap();
        t
    }

    #[test]
    fn a_ticket_admits_once() {
        let mut t = with_one();

        assert_eq!(t.spend(NOW, digest(1), BARE), Ok(grant("robin")));
        assert_eq!(t.spend(NOW, digest(1), BARE), Err(Refused));
    }

    #[test]
    fn late_spent_unknown_and_foreign_are_one_refusal() {
        let late = with_one().spend(NOW + TICKET_LIFE, digest(1), BARE);
        let unknown = with_one().spend(NOW, digest(2), BARE);
        let other = caller("sam");
        let foreign = with_one().spend(NOW, digest(1), Shown { caller: Some(&other), ..BARE });
        let elsewhere = session("t");
        let misused = with_one().spend(NOW, digest(1), Shown { session: Some(&elsewhere), ..BARE });
        let terminal = with_one().spend(NOW, digest(1), Shown { wanted: Wanted::Terminal, ..BARE });

        for refused in [late, unknown, foreign, misused, terminal] {
            assert_eq!(refused, Err(Refused));
        }
    }

    #[test]
    fn a_ticket_is_good_until_the_last_microsecond() {
        let end = NOW + TICKET_LIFE;

        assert!(with_one().spend(Tick(end.0 - 1), digest(1), BARE).is_ok());
        assert!(with_one().spend(end, digest(1), BARE).is_err());
    }

    #[test]
    fn a_ticket_in_the_wrong_hands_is_gone() {
        let mut t = with_one();
        let other = caller("sam");

        assert!(t.spend(NOW, digest(1), Shown { caller: Some(&other), ..BARE }).is_err());
        assert!(t.spend(NOW, digest(1), BARE).is_err());
    }

    #[test]
    fn a_device_that_proved_itself_must_be_the_one_that_comes() {
        let mint = |device| {
            let mut t = Tickets::new(TicketLimits::default());
            t.mint(NOW, digest(1), Grant { device, ..grant("robin") }).unwrap();
            t
        };
        let (a, b) = (Some(DeviceKey([1; 32])), Some(DeviceKey([2; 32])));

        assert!(mint(a).spend(NOW, digest(1), Shown { device: a, ..BARE }).is_ok());
        assert!(mint(a).spend(NOW, digest(1), Shown { device: b, ..BARE }).is_err());
        assert!(mint(a).spend(NOW, digest(1), BARE).is_err());
        assert!(mint(None).spend(NOW, digest(1), Shown { device: b, ..BARE }).is_ok());
    }

    #[test]
    fn half_a_digest_opens_nothing() {
        let mut t = with_one();
        let mut almost = [1; 32];
        almost[31] = 0;

        assert_eq!(t.spend(NOW, TicketDigest(almost), BARE), Err(Refused));
    }

    #[test]
    fn one_caller_cannot_take_all_the_room() {
        let mut t = Tickets::new(TicketLimits { all: 10, per_caller: 3 });
        for n in 0..3 {
            t.mint(NOW, digest(n), grant("robin")).unwrap();
        }

        assert_eq!(t.mint(NOW, digest(9), grant("robin")), Err(TooMany { retry_after: TICKET_LIFE }));
        assert!(t.mint(NOW, digest(10), grant("sam")).is_ok());
        assert!(t.spend(NOW, digest(0), BARE).is_ok());
        assert!(t.mint(NOW, digest(11), grant("robin")).is_ok());
    }

    #[test]
    fn a_million_mints_leave_a_table_of_bounded_size_that_empties_by_itself() {
        let mut t = Tickets::new(TicketLimits { all: 100, per_caller: 60 });
        for n in 0..1_000_000u32 {
            let mut d = [0; 32];
            d[..4].copy_from_slice(&n.to_be_bytes());
            let _ = t.mint(NOW, TicketDigest(d), grant(if n % 2 == 0 { "robin" } else { "sam" }));
        }
        assert_eq!(t.len(), 100);
        let end = t.next_expiry().unwrap();
        t.expire(end);

        assert!(t.is_empty() && t.next_expiry().is_none());
        assert!(t.of_caller.is_empty() && t.order.is_empty());
    }

    #[derive(Debug, Clone)]
    enum Step {
        Mint { n: u8, who: u8 },
        Spend { n: u8, who: Option<u8> },
        Wait { ms: u64 },
        Expire,
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            (0u8..12, 0u8..3).prop_map(|(n, who)| Step::Mint { n, who }),
            (0u8..12, prop::option::of(0u8..3)).prop_map(|(n, who)| Step::Spend { n, who }),
            (0u64..9_000).prop_map(|ms| Step::Wait { ms }),
            Just(Step::Expire),
        ]
    }

    proptest! {
        /// Against a list that is plainly right: every ticket ever minted, with its end and whether it was shown.
        #[test]
        fn agrees_with_a_plain_list(steps in prop::collection::vec(step(), 1..80)) {
            let names = ["robin", "sam", "kim"];
            let limits = TicketLimits { all: 6, per_caller: 3 };
            let mut table = Tickets::new(limits);
            let mut list: Vec<(u8, u8, Tick, bool)> = Vec::new();
            let mut now = NOW;
            for s in steps {
                match s {
                    Step::Mint { n, who } => {
                        let young = list.iter().filter(|t| now < t.2).count();
                        let open = |t: &&(u8, u8, Tick, bool)| now < t.2 && !t.3;
                        let mine = list.iter().filter(open).filter(|t| t.1 == who).count();
                        let again = list.iter().filter(open).any(|t| t.0 == n);
                        let want = young < limits.all && mine < limits.per_caller && !again;
                        let got = table.mint(now, digest(n), grant(names[who as usize])).is_ok();
                        prop_assert_eq!(got, want);
                        if want { list.push((n, who, now + TICKET_LIFE, false)); }
                    }
                    Step::Spend { n, who } => {
                        let by = who.map(|w| caller(names[w as usize]));
                        let got = table.spend(now, digest(n), Shown { caller: by.as_ref(), ..BARE });
                        let held = list.iter_mut().find(|t| t.0 == n && now < t.2 && !t.3);
                        let want = held.is_some_and(|t| { t.3 = true; who.is_none_or(|w| w == t.1) });
                        prop_assert_eq!(got.is_ok(), want);
                    }
                    Step::Wait { ms } => now = now + Duration::from_millis(ms),
                    Step::Expire => table.expire(now),
                }
                prop_assert!(table.order.len() <= limits.all);
                prop_assert_eq!(table.of_caller.values().sum::<usize>(), table.len());
            }
        }
    }
}

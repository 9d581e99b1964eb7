//! The table of tickets with its lock, its secrets and the task that empties it.

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::PoisonError;
use std::time::Duration;

use data_encoding::BASE64URL_NOPAD;
use ring::digest::SHA256;
use ring::digest::digest;
use tokio::sync::Notify;
use tokio::time::sleep;

use crate::clock::Clock;
use crate::rules::ticket::Grant;
use crate::rules::ticket::Refused;
use crate::rules::ticket::Shown;
use crate::rules::ticket::TicketDigest;
use crate::rules::ticket::TicketLimits;
use crate::rules::ticket::Tickets;
use crate::rules::ticket::TooMany;

/// Length of a ticket or a token as text: 32 bytes in base64url.
const SECRET_LEN: usize = 43;

/// Tickets that wait to be spent. Cheap to clone.
#[derive(Clone)]
pub struct TicketDesk(Arc<Inner>);

struct Inner {
    clock: Clock,
    table: Mutex<Tickets>,
    minted: Notify,
}

impl TicketDesk {
    /// An empty desk.
    pub fn new(clock: Clock, limits: TicketLimits) -> Self {
        Self(Arc::new(Inner { clock, table: Mutex::new(Tickets::new(limits)), minted: Notify::new() }))
    }

    /// A new ticket for this grant, as text. It exists nowhere else.
    pub fn mint(&self, grant: Grant) -> Result<String, TooMany> {
        let ticket = new_secret(&self.0.clock);
        self.table().mint(self.0.clock.tick(), TicketDigest(sha256(&ticket)), grant)?;
        self.0.minted.notify_one();
        Ok(ticket)
    }

    /// Takes a ticket and says what it was for.
    pub fn spend(&self, ticket: &str, shown: Shown<'_>) -> Result<Grant, Refused> {
        if ticket.len() != SECRET_LEN {
            return Err(Refused);
        }
        self.table().spend(self.0.clock.tick(), TicketDigest(sha256(ticket)), shown)
    }

    /// Tickets that wait.
    pub fn waiting(&self) -> usize {
        self.table().len()
    }

    /// Drops tickets as they run out, for ever. Sleeps without a timer while there are none.
    pub async fn sweep(&self) {
        loop {
            match self.sweep_once() {
                None => self.0.minted.notified().await,
                // A second more, so that a stream of tickets costs a round a second and not one each.
                Some(wait) => sleep(wait + Duration::from_secs(1)).await,
            }
        }
    }

    /// Drops what has run out, and says how long the next one has.
    fn sweep_once(&self) -> Option<Duration> {
        let now = self.0.clock.tick();
        let mut table = self.table();
        table.expire(now);
        table.next_expiry().map(|at| at.since(now))
    }

    fn table(&self) -> MutexGuard<'_, Tickets> {
        // No code that holds the lock panics half-way through a change.
        self.0.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// 32 random bytes as text: a ticket or a token.
pub fn new_secret(clock: &Clock) -> String {
    BASE64URL_NOPAD.encode(&clock.random::<32>())
}

/// What is kept of a secret.
pub fn sha256(secret: &str) -> [u8; 32] {
    let mut out = [0; 32];
    out.copy_from_slice(digest(&SHA256, secret.as_bytes()).as_ref());
    out
}

#[cfg(test)]
mod tests {
    use vyre_proto::ids::Author;
    use vyre_proto::ids::SessionId;
    use vyre_proto::limits::TICKET_LIFE;
    use vyre_proto::tick::Tick;
    use vyre_proto::tick::Wall;

    use super::*;
    use crate::rules::caller::Caller;
    use crate::rules::caller::Person;
    use crate::rules::caller::Roles;
    use crate::rules::room::RoomVer;
    use crate::rules::ticket::Purpose;
    use crate::rules::ticket::Wanted;

    fn grant() -> Grant {
        Grant {
            caller: Caller::Person(Person::new(Author::person("robin").unwrap()).unwrap()),
            device: None,
            roles: Roles::default(),
            since: RoomVer(1),
            session: SessionId::parse("s").unwrap(),
            purpose: Purpose::Session,
        }
    }

    const BARE: Shown<'_> = Shown { caller: None, device: None, session: None, wanted: Wanted::Session };

    #[test]
    fn of_64_threads_with_one_ticket_one_wins() {
        for _ in 0..50 {
            let desk = TicketDesk::new(Clock::system(), TicketLimits::default());
            let ticket = desk.mint(grant()).unwrap();

            let won = std::thread::scope(|s| {
                let hands: Vec<_> = (0..64).map(|_| s.spawn(|| desk.spend(&ticket, BARE).is_ok())).collect();
                hands.into_iter().map(|h| h.join().unwrap()).filter(|won| *won).count()
            });

            assert_eq!(won, 1);
        }
    }

    #[test]
    fn what_is_no_ticket_is_refused() {
        let desk = TicketDesk::new(Clock::system(), TicketLimits::default());
        let ticket = desk.mint(grant()).unwrap();

        for wrong in ["", "x", &ticket[1..], &format!("{ticket}="), &"é".repeat(30), &ticket.to_lowercase()] {
            assert_eq!(desk.spend(wrong, BARE), Err(Refused), "{wrong:?}");
        }
        assert!(desk.spend(&ticket, BARE).is_ok());
    }

    #[test]
    fn tickets_nobody_uses_go_without_a_new_one_being_made() {
        let clock = Clock::settable(Tick(0), Wall(0));
        let desk = TicketDesk::new(clock.clone(), TicketLimits::default());
        for _ in 0..1000 {
            desk.mint(grant()).unwrap();
        }
        assert_eq!(desk.sweep_once(), Some(TICKET_LIFE));

        clock.set(Tick(0) + TICKET_LIFE, Wall(0));

        assert_eq!(desk.sweep_once(), None);
        assert_eq!(desk.waiting(), 0);
    }
}

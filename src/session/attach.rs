//! Who reads a session: up to four attaches of one running program side by side, and how one is ended.

use std::sync::Arc;
use std::sync::atomic::AtomicU8;
use std::sync::atomic::Ordering;

use vyre_proto::ids::ClientId;
use vyre_proto::limits::ATTACHES_PER_CLIENT;
use vyre_proto::pb::stream::ByeReason;

use crate::rules::caller::Person;
use crate::rules::reader::Asked;
use crate::rules::room::RoomVer;

/// How to attach a reader.
#[derive(Debug, Clone, Copy, Default)]
pub struct AttachRequest {
    /// Where to begin.
    pub asked: Asked,
    /// Replay every frame by itself.
    pub unmerged: bool,
    /// The running program and the number of its attempt; more than four of one client end the lowest.
    pub client: Option<(ClientId, u64)>,
}

/// One person's unbroken time in a session. Whoever leaves and comes back has another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stay {
    pub(crate) who: Person,
    /// The version of the room with which it began.
    pub(crate) since: RoomVer,
}

impl Stay {
    /// Whose it is.
    pub fn who(&self) -> &Person {
        &self.who
    }

    /// The version of the room with which it began: no two stays of one person have the same.
    pub fn since(&self) -> RoomVer {
        self.since
    }
}

/// One attach, seen from both sides: the session may end it, the reader looks.
#[derive(Debug, Default)]
pub(crate) struct Ending(AtomicU8);

impl Ending {
    /// Ends the reader at its next look.
    pub(crate) fn end(&self, reason: ByeReason) {
        self.0.store(reason as u8, Ordering::Release);
    }

    /// Why the reader is to end, if it is.
    pub(crate) fn reason(&self) -> Option<ByeReason> {
        match self.0.load(Ordering::Acquire) {
            0 => None,
            n => ByeReason::try_from(i32::from(n)).ok(),
        }
    }
}

/// One attach.
#[derive(Debug)]
struct Attach {
    /// The running program that attached, with the number of its attempt, where it said so.
    client: Option<(ClientId, u64)>,
    /// Whose right it stands on. `None`: the box itself reads.
    stay: Option<Stay>,
    /// How to end it.
    ending: Arc<Ending>,
}

/// The attaches of one session.
#[derive(Debug, Default)]
pub(crate) struct Attaches {
    all: Vec<Attach>,
}

impl Attaches {
    /// Adds one. Where the client has too many, the one with the lowest attempt ends: true, and readers are to look.
    pub(crate) fn add(&mut self, client: Option<(ClientId, u64)>, stay: Option<Stay>) -> (Arc<Ending>, bool) {
        let ending = Arc::new(Ending::default());
        self.all.push(Attach { client, stay, ending: ending.clone() });
        let Some((client, _)) = client else { return (ending, false) };
        let of_client = |a: &&Attach| a.client.is_some_and(|(c, _)| c == client) && a.ending.reason().is_none();
        if self.all.iter().filter(of_client).count() <= ATTACHES_PER_CLIENT {
            return (ending, false);
        }
        let lowest = self.all.iter().filter(of_client).min_by_key(|a| a.client.map(|(_, attempt)| attempt));
        if let Some(lowest) = lowest {
            lowest.ending.end(ByeReason::Replaced);
        }
        (ending, true)
    }

    /// Ends all of them.
    pub(crate) fn end_all(&self, reason: ByeReason) {
        self.all.iter().for_each(|a| a.ending.end(reason));
    }

    /// Ends those that stand on the right of somebody who is not in any more. True: readers are to look.
    pub(crate) fn end_gone(&self, is_in: impl Fn(&Stay) -> bool) -> bool {
        let gone = self.all.iter().filter(|a| a.stay.as_ref().is_some_and(|s| !is_in(s)));
        gone.map(|a| a.ending.end(ByeReason::Denied)).count() > 0
    }

    /// Takes one away that has ended.
    pub(crate) fn remove(&mut self, ending: &Arc<Ending>) {
        if let Some(i) = self.all.iter().position(|a| Arc::ptr_eq(&a.ending, ending)) {
            self.all.swap_remove(i);
        }
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.all.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PHONE: ClientId = ClientId([1; 16]);
    const OTHER: ClientId = ClientId([2; 16]);

    #[test]
    fn a_fifth_attach_of_one_client_ends_the_lowest_attempt() {
        let mut all = Attaches::default();
        let held: Vec<_> = [7, 3, 5, 9].iter().map(|n| all.add(Some((PHONE, *n)), None)).collect();
        assert!(held.iter().all(|(_, looked)| !looked));
        let (fifth, look) = all.add(Some((PHONE, 8)), None);
        assert!(look && fifth.reason().is_none());
        let ended: Vec<_> = held.iter().map(|(e, _)| e.reason()).collect();
        assert_eq!(ended, [None, Some(ByeReason::Replaced), None, None]);
    }

    #[test]
    fn different_clients_never_replace_each_other() {
        let mut all = Attaches::default();
        for n in 0..4 {
            all.add(Some((PHONE, n)), None);
            all.add(Some((OTHER, n)), None);
            all.add(None, None);
        }
        assert!(all.all.iter().all(|a| a.ending.reason().is_none()));
        assert_eq!(all.count(), 12);
    }

    #[test]
    fn whoever_is_gone_is_told_so_on_every_attach_and_nobody_else_is() {
        let stay = |name: &str, since| {
            let who = Person::new(vyre_proto::ids::Author::person(name).unwrap()).unwrap();
            Stay { who, since: RoomVer(since) }
        };
        let mut all = Attaches::default();
        let (phone, _) = all.add(Some((PHONE, 0)), Some(stay("sam", 2)));
        let (tablet, _) = all.add(None, Some(stay("sam", 2)));
        let (other, _) = all.add(Some((OTHER, 0)), Some(stay("robin", 1)));
        let (box_s, _) = all.add(None, None);

        assert!(!all.end_gone(|_| true));
        assert!(all.end_gone(|s| *s != stay("sam", 2)));

        let told = [phone, tablet, other, box_s].map(|e| e.reason());
        assert_eq!(told, [Some(ByeReason::Denied), Some(ByeReason::Denied), None, None]);
    }

    #[test]
    fn an_attach_that_left_makes_room() {
        let mut all = Attaches::default();
        let (first, _) = all.add(Some((PHONE, 0)), None);
        (1..4).for_each(|n| drop(all.add(Some((PHONE, n)), None)));
        all.remove(&first);
        assert!(!all.add(Some((PHONE, 4)), None).1);
    }
}

//! Who reads a session: up to four attaches of one running program side by side, and how one is ended.

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::PoisonError;
use std::sync::atomic::AtomicU8;
use std::sync::atomic::Ordering;

use vyre_proto::ids::ClientId;
use vyre_proto::limits::ATTACHES_PER_CLIENT;
use vyre_proto::pb::stream::ByeReason;

use crate::rules::caller::Person;
use crate::rules::caller::Roles;
use crate::rules::caller::TokenId;
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

/// On whose right a reader reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Right {
    /// The person's time in the session. The reader ends with it.
    pub stay: Stay,
    /// What the person is cleared for.
    pub roles: Roles,
    /// Whoever reads is that person, and not somebody who reads for them.
    pub in_person: bool,
}

/// One attach, seen from both sides: the session may end it or change what it is cleared for, the reader looks.
#[derive(Debug, Default)]
pub(crate) struct Ending {
    reason: AtomicU8,
    /// Roles that the reader has not taken up yet.
    regranted: Mutex<Option<Roles>>,
}

impl Ending {
    /// Ends the reader at its next look.
    pub(crate) fn end(&self, reason: ByeReason) {
        self.reason.store(reason as u8, Ordering::Release);
    }

    /// Why the reader is to end, if it is.
    pub(crate) fn reason(&self) -> Option<ByeReason> {
        match self.reason.load(Ordering::Acquire) {
            0 => None,
            n => ByeReason::try_from(i32::from(n)).ok(),
        }
    }

    /// What the reader is cleared for from now on, if that has changed since it was asked last.
    pub(crate) fn take_regranted(&self) -> Option<Roles> {
        self.roles_to_take().take()
    }

    /// Whether it has changed.
    pub(crate) fn is_regranted(&self) -> bool {
        self.roles_to_take().is_some()
    }

    fn roles_to_take(&self) -> MutexGuard<'_, Option<Roles>> {
        self.regranted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One attach.
#[derive(Debug)]
struct Attach {
    /// The running program that attached, with the number of its attempt, where it said so.
    client: Option<(ClientId, u64)>,
    /// What it stands on. `None`: the box itself reads.
    right: Option<Right>,
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
    pub(crate) fn add(&mut self, client: Option<(ClientId, u64)>, right: Option<Right>) -> (Arc<Ending>, bool) {
        let ending = Arc::new(Ending::default());
        self.all.push(Attach { client, right, ending: ending.clone() });
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

    /// Ends those that came by this token. True: readers are to look.
    pub(crate) fn end_by_token(&self, id: TokenId) -> bool {
        let by_it = self.all.iter().filter(|a| a.right.as_ref().is_some_and(|r| r.stay.who.token() == Some(id)));
        by_it.map(|a| a.ending.end(ByeReason::Denied)).count() > 0
    }

    /// Ends those that stand on the right of somebody who is not in any more. True: readers are to look.
    pub(crate) fn end_gone(&self, is_in: impl Fn(&Stay) -> bool) -> bool {
        let gone = self.all.iter().filter(|a| a.right.as_ref().is_some_and(|r| !is_in(&r.stay)));
        gone.map(|a| a.ending.end(ByeReason::Denied)).count() > 0
    }

    /// This person is cleared for these from now on. True: readers are to look.
    pub(crate) fn regrant(&mut self, who: &Person, roles: &Roles) -> bool {
        let mut changed = false;
        for attach in &mut self.all {
            let Some(right) = attach.right.as_mut().filter(|r| r.in_person && r.stay.who == *who) else { continue };
            if right.roles != *roles {
                right.roles.clone_from(roles);
                *attach.ending.roles_to_take() = Some(roles.clone());
                changed = true;
            }
        }
        changed
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
        let right = |stay| Some(Right { stay, roles: Roles::default(), in_person: true });
        let (phone, _) = all.add(Some((PHONE, 0)), right(stay("sam", 2)));
        let (tablet, _) = all.add(None, right(stay("sam", 2)));
        let (other, _) = all.add(Some((OTHER, 0)), right(stay("robin", 1)));
        let (box_s, _) = all.add(None, None);

        assert!(!all.end_gone(|_| true));
        assert!(all.end_gone(|s| *s != stay("sam", 2)));

        let told = [phone, tablet, other, box_s].map(|e| e.reason());
        assert_eq!(told, [Some(ByeReason::Denied), Some(ByeReason::Denied), None, None]);
    }

    #[test]
    fn a_new_clearance_reaches_the_person_s_own_attaches_alone_and_only_where_it_is_new() {
        let who = |name: &str| Person::new(vyre_proto::ids::Author::person(name).unwrap()).unwrap();
        let right = |name: &str, in_person| {
            let stay = Stay { who: who(name), since: RoomVer(1) };
            Some(Right { stay, roles: Roles::default(), in_person })
        };
        let hr = Roles::new(["hr"]).unwrap();
        let mut all = Attaches::default();
        let (mine, _) = all.add(None, right("sam", true));
        let (for_me, _) = all.add(None, right("sam", false));
        let (other, _) = all.add(None, right("robin", true));

        assert!(!all.regrant(&who("sam"), &Roles::default()));
        assert!(all.regrant(&who("sam"), &hr) && !all.regrant(&who("sam"), &hr));

        assert!(mine.is_regranted() && !for_me.is_regranted() && !other.is_regranted());
        assert_eq!((mine.take_regranted(), mine.take_regranted()), (Some(hr), None));
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

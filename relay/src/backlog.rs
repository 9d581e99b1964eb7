//! Those who are half way: a bounded list in which whoever has been there longest makes room. Pure: moments in, who
//! leaves out.
//!
//! A place in it is meant to be held for a moment. So one that has been held for long says more about its holder than
//! one that is just asked for, and a flood of those who stay does not keep out those who pass. Each source has a share,
//! and one that has used it up makes room among its own.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::collections::HashMap;
use std::hash::Hash;
use std::time::Duration;

use vyre_proto::tick::Tick;

/// How many there may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    /// In all.
    pub all: usize,
    /// Of one source.
    pub of_source: usize,
}

/// A place in a [`Backlog`]. Never given twice; later places are greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place(u64);

/// No place is free and nobody has been there long enough to lose one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Full {
    /// For this source.
    #[error("{max} of one source are half way, which is its share")]
    Source {
        /// The share.
        max: usize,
    },
    /// For anybody.
    #[error("{max} are half way, which is the limit")]
    All {
        /// The limit.
        max: usize,
    },
}

/// Who has got a place, and who lost one for it.
#[derive(Debug, PartialEq, Eq)]
pub struct Entered<V> {
    /// The new place.
    pub place: Place,
    /// What the one that had to leave had brought.
    pub evicted: Option<V>,
}

#[derive(Debug)]
struct Entry<S, V> {
    source: S,
    since: Tick,
    brought: V,
}

/// See the module. `S` is what has a share, `V` is what each brings along.
#[derive(Debug)]
pub struct Backlog<S, V> {
    room: Room,
    next: u64,
    entries: BTreeMap<Place, Entry<S, V>>,
    sources: HashMap<S, BTreeSet<Place>>,
}

impl<S: Hash + Eq + Clone, V> Backlog<S, V> {
    /// Nobody here.
    pub fn new(room: Room) -> Self {
        Self { room, next: 0, entries: BTreeMap::new(), sources: HashMap::new() }
    }

    /// Takes one in. Where there is no room, the one that came first leaves, if it has been here for `grace`.
    ///
    /// # Errors
    /// [`Full`]; nothing has changed then.
    pub fn enter(&mut self, now: Tick, source: S, brought: V, grace: Duration) -> Result<Entered<V>, Full> {
        let first = match self.blocked(&source) {
            None => None,
            Some((first, full)) => {
                let old = first.and_then(|p| self.entries.get(&p)).is_some_and(|e| now.since(e.since) >= grace);
                if !old {
                    return Err(full);
                }
                first
            }
        };
        let evicted = first.and_then(|place| self.leave(place));
        let place = Place(self.next);
        self.next += 1;
        self.sources.entry(source.clone()).or_default().insert(place);
        self.entries.insert(place, Entry { source, since: now, brought });
        Ok(Entered { place, evicted })
    }

    /// Whether one more of this source would get a place without anybody's leaving.
    pub fn is_free(&self, source: &S) -> bool {
        self.blocked(source).is_none()
    }

    /// The limit that stands in the way of this source, and who would have to leave for it.
    fn blocked(&self, source: &S) -> Option<(Option<Place>, Full)> {
        let of_source = self.sources.get(source);
        if of_source.map_or(0, BTreeSet::len) >= self.room.of_source {
            let first = of_source.and_then(|places| places.first().copied());
            return Some((first, Full::Source { max: self.room.of_source }));
        }
        if self.entries.len() >= self.room.all {
            let first = self.entries.keys().next().copied();
            return Some((first, Full::All { max: self.room.all }));
        }
        None
    }

    /// One is through, or has given up; gives what it had brought, or `None` if it had to leave before.
    pub fn leave(&mut self, place: Place) -> Option<V> {
        let Entry { source, brought, .. } = self.entries.remove(&place)?;
        if let Some(places) = self.sources.get_mut(&source) {
            places.remove(&place);
            if places.is_empty() {
                self.sources.remove(&source);
            }
        }
        Some(brought)
    }

    /// How many are here.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether nobody is here.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// How many of this source are here.
    pub fn of(&self, source: &S) -> usize {
        self.sources.get(source).map_or(0, BTreeSet::len)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const GRACE: Duration = Duration::from_secs(1);

    fn at(seconds: u64) -> Tick {
        Tick(seconds * 1_000_000)
    }

    #[test]
    fn a_newcomer_takes_the_place_of_the_oldest_once_that_has_had_its_time() {
        let mut b = Backlog::new(Room { all: 2, of_source: 2 });
        b.enter(at(0), 'a', 1, GRACE).unwrap();
        b.enter(at(1), 'b', 2, GRACE).unwrap();
        let full = b.enter(Tick(999_999), 'c', 3, GRACE);
        assert_eq!(full, Err(Full::All { max: 2 }));
        assert_eq!(b.enter(at(1), 'c', 3, GRACE).unwrap().evicted, Some(1));
        // The one of second 1 is next.
        assert_eq!(b.enter(at(2), 'd', 4, GRACE).unwrap().evicted, Some(2));
    }

    #[test]
    fn a_source_that_has_used_its_share_makes_room_among_its_own() {
        let mut b = Backlog::new(Room { all: 10, of_source: 2 });
        b.enter(at(0), 'b', 1, GRACE).unwrap();
        b.enter(at(1), 'a', 2, GRACE).unwrap();
        b.enter(at(1), 'a', 3, GRACE).unwrap();
        assert_eq!(b.enter(at(1), 'a', 4, GRACE), Err(Full::Source { max: 2 }));
        assert_eq!(b.enter(at(2), 'a', 4, GRACE).unwrap().evicted, Some(2));
        assert_eq!((b.of(&'a'), b.of(&'b'), b.len()), (2, 1, 3));
    }

    #[test]
    fn one_that_had_to_leave_takes_nothing_along_when_it_leaves_again() {
        let mut b = Backlog::new(Room { all: 1, of_source: 1 });
        let old = b.enter(at(0), 'a', 1, GRACE).unwrap().place;
        let new = b.enter(at(5), 'b', 2, GRACE).unwrap().place;
        assert_eq!(b.leave(old), None);
        assert_eq!(b.len(), 1);
        assert_eq!(b.leave(new), Some(2));
        assert!(b.is_empty() && b.sources.is_empty());
    }

    proptest! {
        #[test]
        fn neither_limit_is_ever_passed_and_nobody_is_lost(steps in prop::collection::vec((0u8..4, any::<bool>(), 0u64..3), 0..200)) {
            let mut b = Backlog::new(Room { all: 5, of_source: 2 });
            let mut inside: Vec<(Place, u8)> = Vec::new();
            let mut now = 0;
            for (source, enter, pause) in steps {
                now += pause;
                if enter {
                    let free = b.is_free(&source);
                    if let Ok(entered) = b.enter(at(now), source, now, GRACE) {
                        prop_assert_eq!(free, entered.evicted.is_none());
                        if entered.evicted.is_some() {
                            let own = inside.iter().filter(|(_, s)| *s == source).count() >= 2;
                            let first = inside.iter().position(|(_, s)| !own || *s == source).unwrap();
                            inside.remove(first);
                        }
                        inside.push((entered.place, source));
                    }
                } else if !inside.is_empty() {
                    let (place, _) = inside.remove(usize::from(source) % inside.len());
                    prop_assert!(b.leave(place).is_some());
                }
                prop_assert_eq!(b.len(), inside.len());
                prop_assert!(b.len() <= 5);
                for s in 0..4 {
                    prop_assert_eq!(b.of(&s), inside.iter().filter(|(_, x)| *x == s).count());
                    prop_assert!(b.of(&s) <= 2);
                }
            }
        }
    }
}

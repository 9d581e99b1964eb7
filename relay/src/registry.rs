//! Which box is connected, and over which connections.
//!
//! Pure, and generic over what a connection is. Legs of one start of a box (an [`Instance`]) stand side by side. A later
//! start ends all legs of an earlier one and an earlier one is refused while a later one stands, so that two machines
//! with one key do not throw each other out for ever. Whoever leaves says by which [`Generation`] it came: what remains
//! of an old connection can then never end a new one.

use std::collections::HashMap;

use vyre_proto::head::Instance;
use vyre_proto::head::Leg;
use vyre_proto::head::Started;
use vyre_proto::ids::BoxId;

/// One registration. No two are ever the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Generation(u64);

/// Why a registration was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RegisterRefused {
    /// A later start of the same box is connected.
    #[error("a later start of this box is connected")]
    Older,
    /// As many boxes as may be.
    #[error("this relay holds {max} boxes, which is its limit")]
    Boxes {
        /// The limit.
        max: usize,
    },
    /// As many connections of this box as may be.
    #[error("this box holds {max} connections here, which is the limit")]
    Legs {
        /// The limit.
        max: usize,
    },
}

/// A registration that holds.
#[derive(Debug, PartialEq, Eq)]
pub struct Registered<C> {
    /// To leave with.
    pub generation: Generation,
    /// Connections that it took the place of; they are forgotten here and are to be closed.
    pub ended: Vec<C>,
}

#[derive(Debug)]
struct Entry<C> {
    /// When it started and which start it is; the second decides where two started in the same millisecond.
    start: (Started, [u8; 16]),
    legs: Vec<Standing<C>>,
}

#[derive(Debug)]
struct Standing<C> {
    leg: Leg,
    generation: Generation,
    connection: C,
}

/// The table.
#[derive(Debug)]
pub struct Registry<C> {
    boxes: HashMap<BoxId, Entry<C>>,
    next: u64,
    max_boxes: usize,
    max_legs: usize,
}

impl<C> Registry<C> {
    /// An empty table with its bounds.
    pub fn new(max_boxes: usize, max_legs: usize) -> Self {
        Self { boxes: HashMap::new(), next: 0, max_boxes, max_legs }
    }

    /// A box comes.
    ///
    /// # Errors
    /// [`RegisterRefused`]; the table is unchanged then.
    pub fn register(
        &mut self,
        id: BoxId,
        instance: Instance,
        started: Started,
        leg: Leg,
        connection: C,
    ) -> Result<Registered<C>, RegisterRefused> {
        let start = (started, instance.0);
        let full = self.boxes.len() >= self.max_boxes;
        let mut ended = Vec::new();
        match self.boxes.get_mut(&id) {
            None if full => return Err(RegisterRefused::Boxes { max: self.max_boxes }),
            None => {}
            Some(entry) if start < entry.start => return Err(RegisterRefused::Older),
            Some(entry) if start > entry.start => ended.extend(entry.legs.drain(..).map(|s| s.connection)),
            Some(entry) => {
                // The same leg again: the box gave the old connection up, whatever it looks like from here.
                if let Some(at) = entry.legs.iter().position(|s| s.leg == leg) {
                    ended.push(entry.legs.remove(at).connection);
                } else if entry.legs.len() >= self.max_legs {
                    return Err(RegisterRefused::Legs { max: self.max_legs });
                }
            }
        }
        let generation = Generation(self.next);
        self.next += 1;
        let entry = self.boxes.entry(id).or_insert_with(|| Entry { start, legs: Vec::new() });
        entry.start = start;
        entry.legs.push(Standing { leg, generation, connection });
        Ok(Registered { generation, ended })
    }

    /// A connection is gone, or takes no new streams. Gives it if it still stood; a newer one is never touched.
    pub fn leave(&mut self, id: &BoxId, generation: Generation) -> Option<C> {
        let entry = self.boxes.get_mut(id)?;
        let at = entry.legs.iter().position(|s| s.generation == generation)?;
        let gone = entry.legs.remove(at);
        if entry.legs.is_empty() {
            self.boxes.remove(id);
        }
        Some(gone.connection)
    }

    /// The connection that a new stream goes to: the one that came last, since it was alive last.
    pub fn pick(&self, id: &BoxId) -> Option<&C> {
        self.boxes.get(id)?.legs.last().map(|s| &s.connection)
    }

    /// Every connection.
    pub fn connections(&self) -> impl Iterator<Item = &C> {
        self.boxes.values().flat_map(|e| e.legs.iter().map(|s| &s.connection))
    }

    /// Boxes that are connected.
    pub fn len(&self) -> usize {
        self.boxes.len()
    }

    /// No box is connected.
    pub fn is_empty(&self) -> bool {
        self.boxes.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn registry() -> Registry<&'static str> {
        Registry::new(2, 2)
    }

    const A: BoxId = BoxId([1; 32]);
    const B: BoxId = BoxId([2; 32]);
    const FIRST: (Instance, Started) = (Instance([1; 16]), Started(100));
    const SECOND: (Instance, Started) = (Instance([2; 16]), Started(200));

    #[test]
    fn legs_of_one_instance_stand_side_by_side() {
        let mut r = registry();
        assert_eq!(r.register(A, FIRST.0, FIRST.1, Leg(0), "a").unwrap().ended, [""; 0]);
        assert_eq!(r.register(A, FIRST.0, FIRST.1, Leg(1), "b").unwrap().ended, [""; 0]);
        assert_eq!(r.pick(&A), Some(&"b"));
        assert_eq!(r.register(A, FIRST.0, FIRST.1, Leg(2), "c"), Err(RegisterRefused::Legs { max: 2 }));
        assert_eq!(r.register(A, FIRST.0, FIRST.1, Leg(0), "d").unwrap().ended, ["a"]);
        assert_eq!(r.pick(&A), Some(&"d"));
    }

    #[test]
    fn a_newer_instance_ends_all_legs_and_the_older_is_refused_from_then_on() {
        let mut r = registry();
        r.register(A, FIRST.0, FIRST.1, Leg(0), "a").unwrap();
        r.register(A, FIRST.0, FIRST.1, Leg(1), "b").unwrap();

        let taken = r.register(A, SECOND.0, SECOND.1, Leg(0), "c").unwrap();

        assert_eq!(taken.ended, ["a", "b"]);
        assert_eq!(r.register(A, FIRST.0, FIRST.1, Leg(0), "a2"), Err(RegisterRefused::Older));
        assert_eq!(r.pick(&A), Some(&"c"));
        assert_eq!(r.len(), 1);
    }

    #[test]
    fn the_end_of_an_old_connection_never_ends_a_new_one() {
        let mut r = registry();
        let old = r.register(A, FIRST.0, FIRST.1, Leg(0), "old").unwrap().generation;
        let new = r.register(A, FIRST.0, FIRST.1, Leg(0), "new").unwrap().generation;

        assert_eq!(r.leave(&A, old), None);
        assert_eq!(r.pick(&A), Some(&"new"));
        assert_eq!(r.leave(&B, new), None);
        assert_eq!(r.leave(&A, new), Some("new"));
        assert_eq!(r.pick(&A), None);
        assert!(r.is_empty());
    }

    #[test]
    fn an_older_start_is_welcome_again_once_the_later_one_is_gone() {
        let mut r = registry();
        let later = r.register(A, SECOND.0, SECOND.1, Leg(0), "later").unwrap().generation;
        r.leave(&A, later);
        assert!(r.register(A, FIRST.0, FIRST.1, Leg(0), "back").is_ok());
    }

    #[test]
    fn a_full_table_takes_no_new_box_but_a_known_one_comes_back() {
        let mut r = registry();
        r.register(A, FIRST.0, FIRST.1, Leg(0), "a").unwrap();
        r.register(B, FIRST.0, FIRST.1, Leg(0), "b").unwrap();
        assert_eq!(r.register(BoxId([3; 32]), FIRST.0, FIRST.1, Leg(0), "c"), Err(RegisterRefused::Boxes { max: 2 }));
        assert_eq!(r.register(A, SECOND.0, SECOND.1, Leg(0), "a2").unwrap().ended, ["a"]);
    }

    #[derive(Debug, Clone)]
    enum Step {
        Register { id: u8, instance: u8, leg: u32 },
        Leave { which: usize },
        Pick { id: u8 },
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            3 => (0u8..4, 0u8..4, 0u32..4).prop_map(|(id, instance, leg)| Step::Register { id, instance, leg }),
            2 => (0usize..40).prop_map(|which| Step::Leave { which }),
            1 => (0u8..4).prop_map(|id| Step::Pick { id }),
        ]
    }

    /// Everything that stands, in the order in which it came: id, instance, leg, name.
    type Naive = Vec<(u8, u8, u32, usize)>;

    proptest! {
        #[test]
        fn it_does_what_a_plain_list_does(steps in prop::collection::vec(step(), 1..80)) {
            let (max_boxes, max_legs) = (3, 3);
            let mut real = Registry::new(max_boxes, max_legs);
            let mut naive: Naive = Vec::new();
            let mut given: Vec<(u8, Generation)> = Vec::new();
            for step in steps {
                match step {
                    Step::Register { id, instance, leg } => {
                        let name = given.len();
                        let got = real.register(BoxId([id; 32]), Instance([instance; 16]), Started(instance.into()), Leg(leg), name);
                        let mine: Vec<_> = naive.iter().filter(|s| s.0 == id).copied().collect();
                        let mut boxes: Vec<u8> = naive.iter().map(|s| s.0).collect();
                        boxes.sort_unstable();
                        boxes.dedup();
                        let same_leg = mine.iter().any(|s| s.1 == instance && s.2 == leg);
                        let want = if mine.is_empty() && boxes.len() >= max_boxes {
                            Err(RegisterRefused::Boxes { max: max_boxes })
                        } else if mine.iter().any(|s| s.1 > instance) {
                            Err(RegisterRefused::Older)
                        } else if mine.iter().all(|s| s.1 == instance) && !same_leg && mine.len() >= max_legs {
                            Err(RegisterRefused::Legs { max: max_legs })
                        } else {
                            Ok(mine.iter().filter(|s| s.1 < instance || s.2 == leg).map(|s| s.3).collect::<Vec<_>>())
                        };
                        match (got, want) {
                            (Ok(got), Ok(want)) => {
                                prop_assert_eq!(&got.ended, &want);
                                naive.retain(|s| !want.contains(&s.3));
                                naive.push((id, instance, leg, name));
                                given.push((id, got.generation));
                            }
                            (Err(got), Err(want)) => prop_assert_eq!(got, want),
                            (got, want) => prop_assert!(false, "{:?} and not {:?}", got, want),
                        }
                    }
                    Step::Leave { which } => {
                        let Some((id, generation)) = given.get(which).copied() else { continue };
                        let stood = naive.iter().position(|s| s.3 == which).map(|i| naive.remove(i).3);
                        prop_assert_eq!(real.leave(&BoxId([id; 32]), generation), stood);
                    }
                    Step::Pick { id } => {
                        let want = naive.iter().rev().find(|s| s.0 == id).map(|s| s.3);
                        prop_assert_eq!(real.pick(&BoxId([id; 32])).copied(), want);
                    }
                }
                prop_assert_eq!(real.connections().count(), naive.len());
            }
        }
    }
}

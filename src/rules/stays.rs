//! When one person was in a room, and so which of its frames they may receive.
//!
//! Two rules. **People's words** belong to whoever takes part: somebody who comes later reads them, too. Nobody reads what
//! came while they were away. **What an assistant puts into a room** goes through a reply handle, and a viewer receives a
//! piece of it only if one unbroken stay covers both the opening of the handle and the piece: whoever comes while a reply
//! is being written gets none of it, whoever leaves gets nothing more of it, and coming back does not change that.
//!
//! Whoever was in from the start without a break has [`Stays::whole`], which is one value for all of them: frames are
//! drawn, merged and kept for a class of viewers, and this is part of the class.

use vyre_proto::cursor::Cursor;
use vyre_proto::pb::stream as pb;

use crate::rules::room::RoomVer;

/// One unbroken stay, by versions of the room and by cursors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stretch {
    /// The version of the room with which it began. 0: with the room itself.
    pub since: RoomVer,
    /// The head of the log before the frame of the event with which it began.
    pub after: Cursor,
    /// The head of the log before the frame of the event that ended it. `None`: it goes on.
    pub until: Option<Cursor>,
}

/// All stays of one person in one room, oldest first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Stays(Vec<Stretch>);

impl Stays {
    /// In from the start, without a break: receives everything.
    pub const fn whole() -> Stays {
        Stays(Vec::new())
    }

    /// Of these stretches, oldest first. None at all: never in, and receives nothing that a reply handle stands for.
    pub fn new(stretches: impl IntoIterator<Item = Stretch>) -> Stays {
        let all: Vec<_> = stretches.into_iter().collect();
        match all.as_slice() {
            [Stretch { since: RoomVer(0), until: None, .. }] => Stays::whole(),
            // Never in: a stretch that ended before it began.
            [] => Stays(vec![Stretch { since: RoomVer(u64::MAX), after: Cursor::ZERO, until: Some(Cursor::ZERO) }]),
            _ => Stays(all),
        }
    }

    /// Whether everything is received.
    pub fn is_whole(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the viewer may receive the frame at `cur`; `ver` is the version of the reply handle through which it was
    /// written, if it was.
    pub fn may_receive(&self, cur: Cursor, ver: Option<RoomVer>) -> bool {
        let Some(first) = self.0.first() else { return true };
        if cur <= first.after {
            // Before they came for the first time.
            return ver.is_none();
        }
        let within = |s: &&Stretch| s.after < cur && s.until.is_none_or(|until| cur <= until);
        self.0.iter().rev().find(within).is_some_and(|s| ver.is_none_or(|ver| s.since <= ver))
    }

    /// The same for a frame. Frames that no log holds are for everybody.
    pub fn receives(&self, frame: &pb::Frame) -> bool {
        if self.is_whole() || frame.cur == 0 {
            return true;
        }
        let ver = (!frame.rid.is_empty()).then_some(RoomVer(frame.ver));
        Cursor::new(frame.cur).is_some_and(|cur| self.may_receive(cur, ver))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn cursor(n: u64) -> Cursor {
        Cursor::new(n).unwrap()
    }

    fn stretch(since: u64, after: u64, until: Option<u64>) -> Stretch {
        Stretch { since: RoomVer(since), after: cursor(after), until: until.map(cursor) }
    }

    #[test]
    fn whoever_was_in_from_the_start_receives_everything() {
        let whole = Stays::new([stretch(0, 0, None)]);

        assert!(whole.is_whole());
        assert!(whole.may_receive(cursor(1), Some(RoomVer(7))) && whole.may_receive(cursor(9), None));
    }

    #[test]
    fn a_late_comer_reads_what_people_said_before_and_no_piece_of_a_reply_that_was_open() {
        let late = Stays::new([stretch(3, 10, None)]);

        assert!(late.may_receive(cursor(5), None));
        assert!(!late.may_receive(cursor(5), Some(RoomVer(2))));
        // The rest of that reply, which comes while they are in.
        assert!(!late.may_receive(cursor(12), Some(RoomVer(2))));
        assert!(late.may_receive(cursor(13), Some(RoomVer(3))));
        assert!(late.may_receive(cursor(11), None));
    }

    #[test]
    fn whoever_was_away_gets_nothing_from_in_between_and_no_rest_of_what_they_left_in() {
        let back = Stays::new([stretch(0, 0, Some(20)), stretch(5, 40, None)]);

        assert!(back.may_receive(cursor(20), Some(RoomVer(1))));
        for cur in [21, 30, 40] {
            assert!(!back.may_receive(cursor(cur), None), "{cur}");
            assert!(!back.may_receive(cursor(cur), Some(RoomVer(1))), "{cur}");
        }
        assert!(back.may_receive(cursor(41), None));
        assert!(!back.may_receive(cursor(42), Some(RoomVer(1))), "a reply that was open when they left");
        assert!(!back.may_receive(cursor(42), Some(RoomVer(4))), "a reply that was opened while they were away");
        assert!(back.may_receive(cursor(42), Some(RoomVer(5))));
    }

    #[test]
    fn who_was_never_in_receives_nothing() {
        let stranger = Stays::new([]);

        assert!(!stranger.is_whole());
        assert!(!stranger.may_receive(cursor(1), None) && !stranger.may_receive(cursor(1), Some(RoomVer(1))));
    }

    /// What happens in a room, plainly: who comes, who goes, a reply opens, a piece of a reply, a person's words.
    #[derive(Debug, Clone)]
    enum Step {
        Come,
        Go,
        Other,
        Open,
        Piece(usize),
        Say,
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            2 => Just(Step::Come),
            2 => Just(Step::Go),
            1 => Just(Step::Other),
            2 => Just(Step::Open),
            5 => (0usize..8).prop_map(Step::Piece),
            3 => Just(Step::Say),
        ]
    }

    proptest! {
        /// Against a viewer who sits in the room and writes down what they hear: a replay gives them exactly that, and of
        /// what came before their first coming the words of people.
        #[test]
        fn a_replay_gives_what_was_received_live(founder: bool, steps in prop::collection::vec(step(), 1..60)) {
            let (mut ver, mut head) = (1u64, 0u64);
            let mut stretches = Vec::new();
            let mut present = founder.then_some(0u64);
            if founder {
                stretches.push(stretch(0, 0, None));
            }
            let mut came = founder;
            // Replies: the version at which each opened, and the stay of ours in which it did.
            let mut replies: Vec<(u64, Option<u64>)> = Vec::new();
            let mut frames: Vec<(u64, Option<RoomVer>, bool)> = Vec::new();
            let mut stay = u64::from(founder);
            for s in steps {
                match s {
                    Step::Come if present.is_none() => {
                        ver += 1;
                        stay += 1;
                        stretches.push(stretch(ver, head, None));
                        (present, came) = (Some(ver), true);
                        head += 1;
                        frames.push((head, None, true));
                    }
                    Step::Go if present.is_some() => {
                        ver += 1;
                        present = None;
                        if let Some(last) = stretches.last_mut() {
                            last.until = Some(cursor(head));
                        }
                        head += 1;
                        frames.push((head, None, false));
                    }
                    Step::Other => {
                        ver += 1;
                        head += 1;
                        frames.push((head, None, present.is_some() || !came));
                    }
                    Step::Open => replies.push((ver, present.is_some().then_some(stay))),
                    Step::Piece(n) if !replies.is_empty() => {
                        let (at, in_stay) = replies[n % replies.len()];
                        head += 1;
                        let received = present.is_some() && in_stay == Some(stay);
                        frames.push((head, Some(RoomVer(at)), received));
                    }
                    Step::Say => {
                        head += 1;
                        frames.push((head, None, present.is_some() || !came));
                    }
                    Step::Come | Step::Go | Step::Piece(_) => {}
                }
            }
            if came {
                let stays = Stays::new(stretches);
                for (cur, ver, received) in frames {
                    prop_assert_eq!(stays.may_receive(cursor(cur), ver), received, "{} {:?} {:?}", cur, ver, stays);
                }
            }
        }
    }
}

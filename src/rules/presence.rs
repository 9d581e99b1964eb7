//! Who types or does something in one session, and how often that is told.
//!
//! Each author is told of at most once every [`EVERY`], whatever is said and from however many devices. Within that time
//! the latest word waits, and earlier ones are forgotten. What was shown fades after [`FADES`], on screens and here: so
//! somebody who goes on says so again every [`EVERY`], and somebody who vanishes is gone by himself.
//!
//! Nothing here is stored, and nothing is ever told twice to make up for what was missed.

use std::collections::BTreeMap;
use std::time::Duration;

use vyre_proto::ids::Author;
use vyre_proto::tick::Tick;

/// Each author's presence is shown at most this often.
pub const EVERY: Duration = Duration::from_secs(3);

/// What was shown counts for this long: three times, and a little for the way.
pub const FADES: Duration = Duration::from_secs(10);

/// Most authors that are present at once in one session. More are not shown.
pub const AUTHORS_MAX: usize = 1024;

/// Longest text of what somebody does, in bytes.
pub const DOING_MAX: usize = 256;

/// What somebody says of themselves.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Present {
    /// Nothing any more.
    #[default]
    Nothing,
    /// Types.
    Typing,
    /// Does something, in words.
    Doing(Box<str>),
}

/// One author.
#[derive(Debug, Clone)]
struct Shown {
    /// When it was told last.
    at: Tick,
    /// What was told last.
    present: Present,
    /// What is to be told next.
    waits: Option<Present>,
}

impl Shown {
    /// Whether it is of no more use: it keeps nobody from saying something, and nothing shows.
    fn is_over(&self, now: Tick) -> bool {
        let life = if self.present == Present::Nothing { EVERY } else { FADES };
        self.waits.is_none() && now >= self.at + life
    }
}

/// The presences of one session.
#[derive(Debug, Clone, Default)]
pub struct Presences {
    all: BTreeMap<Author, Shown>,
}

impl Presences {
    /// An author says something of themselves. Gives what is to be told now, if anything.
    pub fn say(&mut self, now: Tick, who: &Author, present: Present) -> Option<Present> {
        match self.all.get_mut(who) {
            Some(shown) if now < shown.at + EVERY => {
                // That nothing is done any more is no news to whom nothing was told.
                let idle = present == Present::Nothing && shown.present == Present::Nothing;
                shown.waits = (!idle).then_some(present);
                None
            }
            Some(shown) => {
                let news = shown.present != Present::Nothing || present != Present::Nothing;
                *shown = Shown { at: if news { now } else { shown.at }, present: present.clone(), waits: None };
                news.then_some(present)
            }
            None if present == Present::Nothing => None,
            None => {
                if self.all.len() >= AUTHORS_MAX {
                    self.all.retain(|_, s| !s.is_over(now));
                }
                if self.all.len() >= AUTHORS_MAX {
                    return None;
                }
                self.all.insert(who.clone(), Shown { at: now, present: present.clone(), waits: None });
                Some(present)
            }
        }
    }

    /// What waited and is to be told now. Forgets what is over.
    pub fn due(&mut self, now: Tick) -> Vec<(Author, Present)> {
        let mut due = Vec::new();
        for (who, shown) in &mut self.all {
            if now >= shown.at + EVERY
                && let Some(present) = shown.waits.take()
            {
                due.push((who.clone(), present.clone()));
                (shown.at, shown.present) = (now, present);
            }
        }
        self.all.retain(|_, s| !s.is_over(now));
        due
    }

    /// When [`Presences::due`] has something to do next. `None`: there is nothing left.
    pub fn next(&self) -> Option<Tick> {
        let next = self.all.values().map(|s| match s.waits {
            Some(_) => s.at + EVERY,
            None if s.present == Present::Nothing => s.at + EVERY,
            None => s.at + FADES,
        });
        next.min()
    }

    /// Forgets somebody who has gone: nothing of them is told any more.
    pub fn forget(&mut self, who: &Author) {
        self.all.remove(who);
    }

    /// Authors that are held.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether nobody is.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn person(n: u8) -> Author {
        Author::person(&n.to_string()).unwrap()
    }

    fn secs(n: u64) -> Tick {
        Tick(n * 1_000_000)
    }

    #[test]
    fn the_first_word_is_told_at_once_and_the_next_after_three_seconds() {
        let mut all = Presences::default();

        assert_eq!(all.say(secs(0), &person(1), Present::Typing), Some(Present::Typing));
        assert_eq!(all.say(secs(1), &person(1), Present::Doing("reads".into())), None);
        assert_eq!(all.say(secs(2), &person(1), Present::Typing), None);
        assert!(all.due(Tick(2_999_999)).is_empty());
        assert_eq!(all.due(secs(3)), [(person(1), Present::Typing)]);
        assert!(all.due(secs(3)).is_empty());
        assert_eq!(all.say(secs(6), &person(1), Present::Typing), Some(Present::Typing));
    }

    #[test]
    fn one_author_does_not_keep_another_waiting() {
        let mut all = Presences::default();
        all.say(secs(0), &person(1), Present::Typing);

        assert_eq!(all.say(secs(0), &person(2), Present::Typing), Some(Present::Typing));
    }

    #[test]
    fn that_nothing_is_done_is_told_once_and_to_nobody_who_knows_of_nothing() {
        let mut all = Presences::default();

        assert_eq!(all.say(secs(0), &person(1), Present::Nothing), None);
        all.say(secs(0), &person(1), Present::Typing);
        assert_eq!(all.say(secs(1), &person(1), Present::Nothing), None);
        assert_eq!(all.due(secs(3)), [(person(1), Present::Nothing)]);
        assert_eq!(all.say(secs(4), &person(1), Present::Nothing), None);
        assert!(all.due(secs(7)).is_empty() && all.is_empty());
    }

    #[test]
    fn who_vanishes_fades_and_costs_nothing_more() {
        let mut all = Presences::default();
        all.say(secs(0), &person(1), Present::Typing);
        assert_eq!(all.next(), Some(Tick(0) + FADES));

        assert!(all.due(Tick(0) + FADES).is_empty());

        assert!(all.is_empty());
        assert_eq!(all.next(), None);
    }

    #[test]
    fn a_crowd_is_bounded_and_those_who_vanished_make_room() {
        let mut all = Presences::default();
        let crowd: Vec<_> = (0..AUTHORS_MAX + 5).map(|n| Author::person(&n.to_string()).unwrap()).collect();

        let told = crowd.iter().filter(|who| all.say(secs(0), who, Present::Typing).is_some()).count();

        assert_eq!((told, all.len()), (AUTHORS_MAX, AUTHORS_MAX));
        assert!(all.say(secs(10), &crowd[AUTHORS_MAX], Present::Typing).is_some());
    }

    #[derive(Debug, Clone)]
    enum Step {
        Say(u8, Present),
        Pass(u64),
        Due,
    }

    fn step() -> impl Strategy<Value = Step> {
        let present = prop_oneof![Just(Present::Nothing), Just(Present::Typing), Just(Present::Doing("x".into()))];
        prop_oneof![
            (0..3u8, present).prop_map(|(who, p)| Step::Say(who, p)),
            (0..4_000_000u64).prop_map(Step::Pass),
            Just(Step::Due),
        ]
    }

    proptest! {
        /// However it is driven: nobody is told of more often than every three seconds, the last word gets through, and
        /// in the end nothing is held.
        #[test]
        fn each_author_is_told_of_at_most_every_three_seconds(steps in prop::collection::vec(step(), 0..60)) {
            let mut all = Presences::default();
            let mut now = Tick(1);
            let mut told: Vec<(Author, Present, Tick)> = Vec::new();
            let mut said: BTreeMap<Author, Present> = BTreeMap::new();
            for step in steps {
                match step {
                    Step::Say(n, present) => {
                        let who = person(n);
                        if let Some(p) = all.say(now, &who, present.clone()) {
                            prop_assert_eq!(&p, &present);
                            told.push((who.clone(), p, now));
                        }
                        said.insert(who, present);
                    }
                    Step::Pass(micros) => now = Tick(now.0 + micros),
                    Step::Due => told.extend(all.due(now).into_iter().map(|(w, p)| (w, p, now))),
                }
            }
            now = now + EVERY;
            told.extend(all.due(now).into_iter().map(|(w, p)| (w, p, now)));
            for n in 0..3 {
                let of = |(w, _, _): &&(Author, Present, Tick)| *w == person(n);
                let times: Vec<_> = told.iter().filter(of).map(|(_, _, t)| *t).collect();
                prop_assert!(times.windows(2).all(|w| w[1].since(w[0]) >= EVERY));
                let last = told.iter().rfind(of).map(|(_, p, _)| p.clone()).unwrap_or_default();
                let want = said.get(&person(n)).cloned().unwrap_or_default();
                // What has faded by itself needs no word that it has ended.
                if want != Present::Nothing {
                    prop_assert_eq!(last, want);
                }
            }
            all.due(now + FADES);
            prop_assert!(all.is_empty());
        }
    }
}

//! What becomes of a message that a person sends while the assistant works: one reading, shared by box and screens.
//!
//! A message only moves forward: said, queued, and then one of two ends. Picking up and taking back race; whichever
//! stands first in the log wins, and every later word about that message changes nothing. So the same steps seen twice,
//! or seen again after a crash, lead to the same place.

use crate::pb::stream::UserState;

/// What happened to a queued message, as a producer's event tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum QueueStep {
    /// `thread.queued`: it waits for the next safe point.
    Queued,
    /// `thread.sent` with `via` `steer`: handed to the running turn, which has not taken it yet.
    SentToSteer,
    /// `thread.sent` any other way: the assistant has it.
    Sent,
    /// `thread.steered`: the running turn took it.
    Steered,
    /// `thread.unqueued`: the person took it back.
    Unqueued,
}

impl QueueStep {
    /// The step of a `thread.sent` event with this `via`.
    pub fn sent(via: &str) -> QueueStep {
        if via == "steer" { QueueStep::SentToSteer } else { QueueStep::Sent }
    }

    /// The state that this step asks for.
    pub const fn state(self) -> UserState {
        match self {
            QueueStep::Queued | QueueStep::SentToSteer => UserState::Queued,
            QueueStep::Sent | QueueStep::Steered => UserState::PickedUp,
            QueueStep::Unqueued => UserState::Cancelled,
        }
    }
}

/// The state after a step; `None` if the step changes nothing and so needs no frame.
///
/// `now` is `None` for a message that nothing is known of.
pub fn step(now: Option<UserState>, step: QueueStep) -> Option<UserState> {
    match now {
        None => Some(step.state()),
        Some(now) => advance(now, step.state()),
    }
}

/// The state of a message at `now` that is told to be at `next`; `None` if it stays where it is.
pub fn advance(now: UserState, next: UserState) -> Option<UserState> {
    (rank(next) > rank(now)).then_some(next)
}

/// Whether nothing moves a message out of this state.
pub const fn is_final(state: UserState) -> bool {
    matches!(state, UserState::PickedUp | UserState::Cancelled)
}

/// The state's name on every text surface.
pub const fn name(state: UserState) -> &'static str {
    match state {
        UserState::Said => "said",
        UserState::Queued => "queued",
        UserState::PickedUp => "picked-up",
        UserState::Cancelled => "cancelled",
    }
}

/// Both ends rank alike, so that neither follows the other.
const fn rank(state: UserState) -> u8 {
    match state {
        UserState::Said => 0,
        UserState::Queued => 1,
        UserState::PickedUp | UserState::Cancelled => 2,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn run(steps: &[QueueStep]) -> Option<UserState> {
        steps.iter().fold(None, |now, s| step(now, *s).or(now))
    }

    #[test]
    fn a_steered_message_waits_until_the_turn_takes_it() {
        assert_eq!(run(&[QueueStep::Queued, QueueStep::sent("steer")]), Some(UserState::Queued));
        assert_eq!(run(&[QueueStep::Queued, QueueStep::sent("steer"), QueueStep::Steered]), Some(UserState::PickedUp));
        assert_eq!(run(&[QueueStep::Queued, QueueStep::sent("")]), Some(UserState::PickedUp));
        assert_eq!(run(&[QueueStep::Queued, QueueStep::sent("turn")]), Some(UserState::PickedUp));
    }

    #[test]
    fn of_taking_back_and_picking_up_the_first_wins() {
        assert_eq!(run(&[QueueStep::Queued, QueueStep::Unqueued, QueueStep::Steered]), Some(UserState::Cancelled));
        assert_eq!(run(&[QueueStep::Queued, QueueStep::Steered, QueueStep::Unqueued]), Some(UserState::PickedUp));
    }

    fn steps() -> impl Strategy<Value = Vec<QueueStep>> {
        let one = prop::sample::select(vec![
            QueueStep::Queued,
            QueueStep::SentToSteer,
            QueueStep::Sent,
            QueueStep::Steered,
            QueueStep::Unqueued,
        ]);
        prop::collection::vec(one, 1..12)
    }

    proptest! {
        #[test]
        fn a_message_only_moves_forward_and_ends_once(steps in steps()) {
            let mut now = None;
            let mut end = None;
            for s in &steps {
                let next = step(now, *s).or(now);
                if let (Some(a), Some(b)) = (now, next) {
                    prop_assert!(rank(b) >= rank(a));
                }
                if let Some(end) = end {
                    prop_assert_eq!(next, Some(end));
                }
                now = next;
                end = now.filter(|s| is_final(*s));
            }
            // The end is what the first step with an end asks for.
            let first_end = steps.iter().map(|s| s.state()).find(|s| is_final(*s));
            prop_assert_eq!(end, first_end);
        }

        #[test]
        fn steps_seen_again_change_nothing(steps in steps(), again in 0usize..12) {
            let mut twice = steps.clone();
            twice.extend(steps.iter().skip(again).copied());
            prop_assert_eq!(run(&twice), run(&steps));
        }

        #[test]
        fn frames_lead_where_the_steps_lead(steps in steps()) {
            // What the box logs (only changes) and what a screen makes of it end in the same state.
            let (mut now, mut logged) = (None, Vec::new());
            for s in &steps {
                if let Some(next) = step(now, *s) {
                    logged.push(next);
                    now = Some(next);
                }
            }
            let screen = logged.iter().fold(UserState::Said, |now, next| advance(now, *next).unwrap_or(now));
            prop_assert_eq!(Some(screen), now);
        }
    }
}

//! Two ways to the same end of which one is preferred: it has a head start, and whichever comes first is taken.
//!
//! The one that loses is dropped, and with it what it had opened. After the second has won both start together for
//! [`limits::FALLBACK_MEMORY`], and then the first is preferred again: that a way does not work is never kept for longer.

use std::future::Future;
use std::pin::pin;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::time::Duration;

use tokio::time::Instant;
use tokio::time::sleep;

use super::limits;

/// How much the failure of one way says about the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Word {
    /// Nothing: this way is not there.
    Silent,
    /// It is there and has said no for now. The other may be asked, and if it is silent this holds.
    NotNow,
    /// The same would be said on the other.
    Last,
}

/// Remembers which way won.
#[derive(Debug, Default)]
pub(super) struct Race {
    second_won: Mutex<Option<Instant>>,
}

impl Race {
    /// Runs both as the module says. `word` judges a failure.
    pub async fn run<T, E>(
        &self,
        first: impl Future<Output = Result<T, E>>,
        second: impl Future<Output = Result<T, E>>,
        word: impl Fn(&E) -> Word,
    ) -> Result<T, E> {
        let (mut first, mut second) = (pin!(first), pin!(second));
        let head_start = if self.has_second_won() { Duration::ZERO } else { limits::FALLBACK };
        let early = tokio::select! {
            biased;
            done = &mut first => Some(done),
            () = sleep(head_start) => None,
        };
        match early {
            Some(Ok(won)) => return Ok(won),
            Some(Err(e)) => return after(e, second, word).await,
            None => {}
        }
        tokio::select! {
            biased;
            done = &mut first => match done {
                Ok(won) => Ok(won),
                Err(e) => after(e, second, word).await,
            },
            done = &mut second => match done {
                Ok(won) => {
                    *self.second_won.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
                    Ok(won)
                }
                Err(e) => after(e, first, word).await,
            },
        }
    }

    /// Whether the second won not long ago.
    fn has_second_won(&self) -> bool {
        let won = *self.second_won.lock().unwrap_or_else(PoisonError::into_inner);
        won.is_some_and(|t| t.elapsed() <= limits::FALLBACK_MEMORY)
    }

    /// Another network, or the first is known to be there again: it is preferred.
    pub fn forget(&self) {
        *self.second_won.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// One has failed so: what the other comes to, unless the failure was the last word. Of two failures the one that says more
/// is given.
async fn after<T, E>(failed: E, other: impl Future<Output = Result<T, E>>, word: impl Fn(&E) -> Word) -> Result<T, E> {
    if word(&failed) == Word::Last {
        return Err(failed);
    }
    match other.await {
        Ok(won) => Ok(won),
        Err(e) if word(&e) > word(&failed) => Err(e),
        Err(_) if word(&failed) > Word::Silent => Err(failed),
        Err(e) => Err(e),
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use super::*;

    type Done = Result<&'static str, (&'static str, Word)>;

    async fn at(ms: u64, done: Done) -> Done {
        sleep(Duration::from_millis(ms)).await;
        done
    }

    async fn never() -> Done {
        pending().await
    }

    /// What it comes to, and after how many milliseconds.
    async fn run(race: &Race, first: impl Future<Output = Done>, second: impl Future<Output = Done>) -> (Done, u128) {
        let began = Instant::now();
        let done = race.run(first, second, |e| e.1).await;
        (done, began.elapsed().as_millis())
    }

    #[tokio::test(start_paused = true)]
    async fn the_first_has_three_hundred_milliseconds_for_itself() {
        let race = Race::default();
        assert_eq!(run(&race, at(299, Ok("first")), at(0, Ok("second"))).await, (Ok("first"), 299));
        assert_eq!(run(&race, at(310, Ok("first")), at(50, Ok("second"))).await, (Ok("first"), 310));
        assert_eq!(run(&race, never(), at(50, Ok("second"))).await, (Ok("second"), 350));
    }

    #[tokio::test(start_paused = true)]
    async fn after_the_second_won_both_start_together_for_a_minute() {
        let race = Race::default();
        run(&race, never(), at(0, Ok("second"))).await.0.unwrap();
        assert_eq!(run(&race, never(), at(50, Ok("second"))).await, (Ok("second"), 50));
        assert_eq!(run(&race, at(20, Ok("first")), at(50, Ok("second"))).await, (Ok("first"), 20));
        sleep(limits::FALLBACK_MEMORY).await;
        sleep(Duration::from_millis(100)).await;
        assert_eq!(run(&race, at(299, Ok("first")), at(0, Ok("second"))).await, (Ok("first"), 299));
        run(&race, never(), at(0, Ok("second"))).await.0.unwrap();
        race.forget();
        assert_eq!(run(&race, at(299, Ok("first")), at(0, Ok("second"))).await, (Ok("first"), 299));
    }

    #[tokio::test(start_paused = true)]
    async fn a_first_that_is_not_there_is_not_waited_for() {
        let race = Race::default();
        let gone = || at(5, Err(("refused", Word::Silent)));
        assert_eq!(run(&race, gone(), at(50, Ok("second"))).await, (Ok("second"), 55));
        // Nor is it remembered as one that is slow.
        assert!(!race.has_second_won());
    }

    #[tokio::test(start_paused = true)]
    async fn of_two_failures_the_one_that_says_more_is_told() {
        let (silent, not_now, last) = (("s", Word::Silent), ("n", Word::NotNow), ("l", Word::Last));
        let race = Race::default();
        assert_eq!(run(&race, at(1, Err(last)), at(0, Ok("second"))).await.0, Err(last));
        assert_eq!(run(&race, at(1, Err(silent)), at(0, Err(not_now))).await.0, Err(not_now));
        assert_eq!(run(&race, at(1, Err(not_now)), at(0, Err(silent))).await.0, Err(not_now));
        assert_eq!(run(&race, at(1, Err(not_now)), at(0, Err(last))).await.0, Err(last));
        // The second says no for now, and the first still comes.
        assert_eq!(run(&race, at(900, Ok("first")), at(0, Err(not_now))).await, (Ok("first"), 900));
        assert_eq!(run(&race, at(900, Err(silent)), at(0, Err(not_now))).await, (Err(not_now), 900));
    }
}

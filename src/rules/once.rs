//! A call that is to happen once, however often it is asked for: known by its caller and the key that the caller chose.
//!
//! The same key with the same body is the same call, and gets the answer that the first got; with another body it is
//! refused. What is kept of one call is its body's hash and its answer. [`ONCE_MAX`] calls of one caller are kept, the
//! latest ones.

use vyre_proto::ids::IdError;
use vyre_proto::limits::ID_MAX;

/// Calls kept of one caller. A key that was used before the last so many is unknown again.
pub const ONCE_MAX: usize = 1024;

/// Longest answer that is kept, in bytes: ids and nothing else.
pub const ANSWER_MAX: usize = 1024;

/// A key of one caller. Both are hashes: nothing of them can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OnceKey {
    /// Of who calls.
    pub caller: u128,
    /// Of the key that they chose.
    pub key: u128,
}

/// What is kept of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// Hash of the tool's name and the body.
    pub body: u128,
    /// What was answered.
    pub answer: Vec<u8>,
}

/// What a call with a key is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Judged {
    /// It was not made before.
    New,
    /// It was made before, and answered so.
    Again(Vec<u8>),
    /// The key was used for another call.
    OtherBody,
}

/// Judges a call by what is kept under its key.
pub fn judge(kept: Option<&Kept>, body: u128) -> Judged {
    match kept {
        None => Judged::New,
        Some(kept) if kept.body == body => Judged::Again(kept.answer.clone()),
        Some(_) => Judged::OtherBody,
    }
}

/// Checks a key as a caller wrote it: 1 to 128 bytes without control characters.
pub fn check_key(key: &str) -> Result<(), IdError> {
    let what = "an idempotency key";
    if key.is_empty() {
        return Err(IdError::Empty { what });
    }
    if key.len() > ID_MAX {
        return Err(IdError::TooLong { what, len: key.len() });
    }
    match key.chars().find(|c| c.is_control()) {
        Some(ch) => Err(IdError::BadChar { what, ch }),
        None => Ok(()),
    }
}

/// A kept call as bytes: its place among those of its caller, the body's hash, the answer.
pub fn encode(place: u64, kept: &Kept) -> Vec<u8> {
    let mut row = Vec::with_capacity(24 + kept.answer.len());
    row.extend_from_slice(&place.to_le_bytes());
    row.extend_from_slice(&kept.body.to_le_bytes());
    row.extend_from_slice(&kept.answer);
    row
}

/// Reads a kept call back. `None`: it is damaged, and the key counts as unknown.
pub fn decode(row: &[u8]) -> Option<(u64, Kept)> {
    let (place, rest) = row.split_first_chunk::<8>()?;
    let (body, answer) = rest.split_first_chunk::<16>()?;
    let kept = Kept { body: u128::from_le_bytes(*body), answer: answer.to_vec() };
    (answer.len() <= ANSWER_MAX).then_some((u64::from_le_bytes(*place), kept))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_same_body_is_the_same_call_and_another_one_is_refused() {
        let kept = Kept { body: 7, answer: b"ok".to_vec() };

        assert_eq!(judge(None, 7), Judged::New);
        assert_eq!(judge(Some(&kept), 7), Judged::Again(b"ok".to_vec()));
        assert_eq!(judge(Some(&kept), 8), Judged::OtherBody);
    }

    #[test]
    fn keys_are_short_texts_of_one_line() {
        assert!(check_key("3f2a 9b").is_ok());
        for bad in ["", "a\nb", &"k".repeat(129)] {
            assert!(check_key(bad).is_err(), "{bad:?}");
        }
    }

    proptest! {
        #[test]
        fn what_is_kept_is_read_back(
            place in any::<u64>(), body in any::<u128>(), answer in prop::collection::vec(any::<u8>(), 0..100),
        ) {
            let kept = Kept { body, answer };
            prop_assert_eq!(decode(&encode(place, &kept)), Some((place, kept)));
        }

        #[test]
        fn no_bytes_make_it_panic(row in prop::collection::vec(any::<u8>(), 0..60)) {
            let _ = decode(&row);
        }
    }
}

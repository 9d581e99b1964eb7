//! Changing keys.
//!
//! **A relay's key** changes with an overlap, so that no box is cut off. [`prepare_relay`] makes the next key beside the
//! one in use; from its next start the relay prints an address with both pins. When that address has reached the boxes,
//! [`switch_relay`] puts the next key in place; after a restart the relay shows it, and boxes that hold both pins come
//! back as if nothing had been. The derived keys (`relay.seed`) stay: they tell nobody who the relay is.
//!
//! **A box's key** is its name, so a new key is a new box: a new box id, no overlap, and every device pairs again.
//! [`rotate_box`] keeps the old key beside the new one, named by the id that it was. To be done while the box is stopped.

use std::path::Path;
use std::path::PathBuf;

use vyre_proto::ids::BoxId;
use vyre_proto::relay_url::Pin;

use crate::identity::BOX_KEY;
use crate::identity::BoxIdentity;
use crate::identity::IdentityError;
use crate::identity::RELAY_CERT;
use crate::identity::RELAY_KEY;
use crate::identity::RELAY_NEXT_KEY;
use crate::identity::RELAY_SEED;
use crate::identity::new_p256;
use crate::identity::p256;
use crate::identity::pin_of_pair;
use crate::keyfile;
use crate::keyfile::KeyFileError;

/// Makes the key that a relay takes next, if none is prepared yet, and gives its pin.
///
/// # Errors
/// If the file cannot be read or made.
pub fn prepare_relay(data: &Path) -> Result<Pin, IdentityError> {
    let path = data.join(RELAY_NEXT_KEY);
    let pem = keyfile::read_or_create(&path, || new_p256(&path))?;
    Ok(pin_of_pair(&p256(&pem, &path)?))
}

/// Puts the prepared key in the place of the one in use, which is gone then, and gives its pin.
///
/// # Errors
/// [`KeyFileError::Missing`] where [`prepare_relay`] was not called before: without it every box would be cut off.
pub fn switch_relay(data: &Path) -> Result<Pin, IdentityError> {
    let next = data.join(RELAY_NEXT_KEY);
    let pin = pin_of_pair(&p256(&keyfile::read_text(&next)?, &next)?);
    // The certificate of the old key is noticed as such when the relay reads its key, and made anew.
    keyfile::rename(&next, &data.join(RELAY_KEY))?;
    Ok(pin)
}

/// Gives a box a new key, and with it a new id. Gives the old id and the new one.
///
/// # Errors
/// If there is no key yet, or a file cannot be read or made.
pub fn rotate_box(data: &Path) -> Result<(BoxId, BoxId), IdentityError> {
    let old = BoxIdentity::load(data)?;
    let fresh = BoxIdentity::generate()?;
    let kept = data.join(format!("{BOX_KEY}.{}", old.box_id()));
    keyfile::create(&kept, old.pem().as_bytes())?;
    keyfile::replace(&data.join(BOX_KEY), fresh.pem().as_bytes())?;
    Ok((old.box_id(), fresh.box_id()))
}

/// Every key file in `data` and what is wrong with it, if anything.
pub fn check(data: &Path) -> Vec<(PathBuf, Result<(), KeyFileError>)> {
    [BOX_KEY, RELAY_KEY, RELAY_NEXT_KEY, RELAY_SEED, RELAY_CERT]
        .iter()
        .map(|name| data.join(name))
        .filter(|path| path.symlink_metadata().is_ok())
        .map(|path| {
            let verdict = keyfile::read(&path).map(|_| ());
            (path, verdict)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;
    use crate::identity::RelayIdentity;

    #[test]
    fn a_relay_shows_both_pins_before_it_changes_its_key() {
        let dir = tempfile::tempdir().unwrap();
        let names = ["localhost".to_owned()];
        let before = RelayIdentity::load_or_create(dir.path(), &names).unwrap();

        let next = prepare_relay(dir.path()).unwrap();
        let overlap = RelayIdentity::load_or_create(dir.path(), &names).unwrap();
        let switched = switch_relay(dir.path()).unwrap();
        let after = RelayIdentity::load_or_create(dir.path(), &names).unwrap();

        assert_eq!(before.pins(), [before.pin()]);
        assert_eq!(overlap.pins(), [before.pin(), next]);
        assert_eq!(overlap.certified_key().cert, before.certified_key().cert);
        assert_eq!(switched, next);
        assert_eq!(after.pins(), [next]);
        assert!(after.certified_key().keys_match().is_ok());
        assert_eq!(after.seed().stateless_reset_key(), before.seed().stateless_reset_key());
    }

    #[test]
    fn preparing_twice_prepares_one_key_and_switching_unprepared_does_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let before = RelayIdentity::load_or_create(dir.path(), &["localhost".to_owned()]).unwrap();
        assert!(switch_relay(dir.path()).is_err());
        assert_eq!(prepare_relay(dir.path()).unwrap(), prepare_relay(dir.path()).unwrap());
        let after = RelayIdentity::load_or_create(dir.path(), &["localhost".to_owned()]).unwrap();
        assert_eq!(before.pin(), after.pin());
    }

    #[test]
    fn a_box_with_a_new_key_is_a_new_box_and_the_old_key_is_kept() {
        let dir = tempfile::tempdir().unwrap();
        let before = BoxIdentity::load_or_create(dir.path()).unwrap();

        let (old, new) = rotate_box(dir.path()).unwrap();

        assert_eq!(old, before.box_id());
        assert_eq!(BoxIdentity::load(dir.path()).unwrap().box_id(), new);
        assert_ne!(old, new);
        let kept = fs::metadata(dir.path().join(format!("{BOX_KEY}.{old}"))).unwrap();
        assert_eq!(kept.permissions().mode() & 0o7777, 0o600);
    }

    #[test]
    fn a_check_finds_the_file_that_others_can_read() {
        let dir = tempfile::tempdir().unwrap();
        RelayIdentity::load_or_create(dir.path(), &["localhost".to_owned()]).unwrap();
        assert!(check(dir.path()).iter().all(|(_, v)| v.is_ok()));
        let seed = dir.path().join(RELAY_SEED);
        fs::set_permissions(&seed, fs::Permissions::from_mode(0o604)).unwrap();

        let wrong: Vec<_> = check(dir.path()).into_iter().filter(|(_, v)| v.is_err()).map(|(p, _)| p).collect();

        assert_eq!(wrong, [seed]);
    }
}

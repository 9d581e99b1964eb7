//! Who a box is and who a relay is: key pairs, where they are kept, and their names as text.
//!
//! [`BoxIdentity`] is an Ed25519 key in `box.key`; the public half is the box id. [`RelayIdentity`] is a P-256 key in
//! `relay.key` with a certificate in `relay.crt`, and [`RelaySeed`], 32 bytes in `relay.seed`, from which the keys are
//! derived that must outlive a restart: without the same stateless-reset and connection-id keys, clients of a relay
//! that restarted wait out their idle timeout before they learn of it.

use std::fmt;
use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;

use data_encoding::HEXLOWER;
use rcgen::CertificateParams;
use rcgen::KeyPair;
use ring::digest;
use ring::hkdf;
use ring::rand::SecureRandom;
use ring::rand::SystemRandom;
use ring::signature::Ed25519KeyPair;
use ring::signature::KeyPair as _;
use ring::signature::UnparsedPublicKey;
use rustls::crypto::CryptoProvider;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::PrivateKeyDer;
use rustls::pki_types::PrivatePkcs8KeyDer;
use rustls::pki_types::pem::PemObject;
use rustls::sign::CertifiedKey;
use vyre_proto::ids::BoxId;
use vyre_proto::relay_url::Pin;

use crate::keyfile;
use crate::keyfile::KeyFileError;

/// Name of a box's key file in its data folder.
pub const BOX_KEY: &str = "box.key";
/// Name of a relay's key file in its data folder.
pub const RELAY_KEY: &str = "relay.key";
/// Name of the file with the key that a relay takes next.
pub const RELAY_NEXT_KEY: &str = "relay.next.key";
/// Name of a relay's certificate in its data folder.
pub const RELAY_CERT: &str = "relay.crt";
/// Name of the file with the seed of a relay's other keys.
pub const RELAY_SEED: &str = "relay.seed";

/// What stands before the names for which `relay.crt` was made. PEM readers skip it.
const NAMES_LINE: &str = "# names: ";

/// Why an identity could not be had.
#[derive(Debug, thiserror::Error)]
pub enum IdentityError {
    /// Its file.
    #[error(transparent)]
    File(#[from] KeyFileError),
    /// A certificate could not be made.
    #[error("a certificate could not be made: {0}")]
    Certificate(#[from] rcgen::Error),
    /// A certificate could not be used.
    #[error("{} holds no certificate that can be used: {why}", path.display())]
    NotACertificate {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// A certificate belongs to another key.
    #[error("the certificate in {} was not made for the key in {}", cert.display(), key.display())]
    Mismatch {
        /// File of the certificate.
        cert: PathBuf,
        /// File of the key.
        key: PathBuf,
    },
    /// TLS has no use for it.
    #[error("the key cannot be used for TLS: {0}")]
    Tls(#[from] rustls::Error),
    /// No randomness.
    #[error("the operating system gives no randomness")]
    NoRandomness,
}

/// A signature that does not belong to this box, or to this message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the signature is not this box's")]
pub struct BadProof;

/// A box's key pair.
pub struct BoxIdentity {
    pair: Ed25519KeyPair,
    pem: String,
    id: BoxId,
}

impl fmt::Debug for BoxIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BoxIdentity({})", self.id)
    }
}

impl BoxIdentity {
    /// A new one, in memory only.
    ///
    /// # Errors
    /// If there is no randomness.
    pub fn generate() -> Result<Self, IdentityError> {
        let pair = KeyPair::generate_for(&rcgen::PKCS_ED25519).map_err(|_| IdentityError::NoRandomness)?;
        Self::from_pem(pair.serialize_pem(), Path::new(BOX_KEY))
    }

    /// The one in `data`, made if there is none.
    ///
    /// # Errors
    /// If the file can be read by others, is no Ed25519 key, or cannot be read or made.
    pub fn load_or_create(data: &Path) -> Result<Self, IdentityError> {
        let path = data.join(BOX_KEY);
        let pem = keyfile::read_or_create(&path, || {
            KeyPair::generate_for(&rcgen::PKCS_ED25519)
                .map(|k| k.serialize_pem())
                .map_err(|_| KeyFileError::not_a_key(&path, "the operating system gives no randomness"))
        })?;
        Self::from_pem(pem, &path)
    }

    /// The one in `data`.
    ///
    /// # Errors
    /// As [`BoxIdentity::load_or_create`], and if there is none.
    pub fn load(data: &Path) -> Result<Self, IdentityError> {
        let path = data.join(BOX_KEY);
        Self::from_pem(keyfile::read_text(&path)?, &path)
    }

    fn from_pem(pem: String, path: &Path) -> Result<Self, IdentityError> {
        let not_a_key = || KeyFileError::not_a_key(path, "it holds no Ed25519 key in PKCS#8 PEM form");
        let der = PrivatePkcs8KeyDer::from_pem_slice(pem.as_bytes()).map_err(|_| not_a_key())?;
        let pair = Ed25519KeyPair::from_pkcs8_maybe_unchecked(der.secret_pkcs8_der()).map_err(|_| not_a_key())?;
        let key = pair.public_key().as_ref().try_into().map_err(|_| not_a_key())?;
        Ok(Self { pair, pem, id: BoxId(key) })
    }

    /// The public half: the box's name.
    pub fn box_id(&self) -> BoxId {
        self.id
    }

    /// Signs `message`; [`verify`] checks it.
    pub fn sign(&self, message: &[u8]) -> [u8; 64] {
        let mut out = [0; 64];
        // Ed25519 signatures are 64 bytes; a shorter copy would be a signature that nobody accepts.
        for (to, from) in out.iter_mut().zip(self.pair.sign(message).as_ref()) {
            *to = *from;
        }
        out
    }

    /// A self-signed certificate of this key, for the box's own QUIC listener. Its clients look at the key alone.
    ///
    /// # Errors
    /// If the certificate cannot be made.
    pub fn certified_key(&self) -> Result<CertifiedKey, IdentityError> {
        let pair = KeyPair::from_pem(&self.pem)?;
        let cert = CertificateParams::new(vec![server_name(&self.id)])?.self_signed(&pair)?;
        certified(vec![cert.der().clone()], pair.serialize_der())
    }

    pub(crate) fn pem(&self) -> &str {
        &self.pem
    }
}

/// The name under which a client dials a box over QUIC. It resolves nowhere; TLS sessions are kept by it.
pub fn server_name(id: &BoxId) -> String {
    format!("{id}.box.invalid")
}

/// Whether `signature` is that of the box `id` over `message`.
///
/// # Errors
/// [`BadProof`].
pub fn verify(id: &BoxId, message: &[u8], signature: &[u8; 64]) -> Result<(), BadProof> {
    UnparsedPublicKey::new(&ring::signature::ED25519, id.0).verify(message, signature).map_err(|_| BadProof)
}

/// A relay's seed: 32 secret bytes, from which it derives what must outlive a restart.
#[derive(Clone)]
pub struct RelaySeed([u8; 32]);

impl fmt::Debug for RelaySeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RelaySeed(..)")
    }
}

/// A length for ring's HKDF.
struct Len(usize);

impl hkdf::KeyType for Len {
    fn len(&self) -> usize {
        self.0
    }
}

impl RelaySeed {
    /// A seed from its bytes.
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The one in `data`, made if there is none.
    ///
    /// # Errors
    /// If the file can be read by others, does not hold 64 hex digits, or cannot be read or made.
    pub fn load_or_create(data: &Path) -> Result<Self, IdentityError> {
        let path = data.join(RELAY_SEED);
        let text = keyfile::read_or_create(&path, || {
            let mut seed = [0; 32];
            SystemRandom::new()
                .fill(&mut seed)
                .map_err(|_| KeyFileError::not_a_key(&path, "the operating system gives no randomness"))?;
            Ok(format!("{}\n", HEXLOWER.encode(&seed)))
        })?;
        let bytes = HEXLOWER.decode(text.trim().as_bytes()).ok().and_then(|b| b.try_into().ok());
        Ok(Self(bytes.ok_or_else(|| KeyFileError::not_a_key(&path, "it does not hold 64 hex digits"))?))
    }

    /// Key of the tokens by which a client learns that this server knows nothing of its connection any more.
    pub fn stateless_reset_key(&self) -> [u8; 64] {
        self.derive(b"vyre-relay/1 stateless reset")
    }

    /// Key by which connection ids of this server are told from others'.
    pub fn connection_id_key(&self) -> u64 {
        u64::from_le_bytes(self.derive(b"vyre-relay/1 connection id"))
    }

    /// Key of the tokens by which a client proves that it has been at its address before.
    pub fn address_token_key(&self) -> [u8; 32] {
        self.derive(b"vyre-relay/1 address token")
    }

    fn derive<const N: usize>(&self, label: &[u8]) -> [u8; N] {
        let mut out = [0; N];
        let prk = hkdf::Salt::new(hkdf::HKDF_SHA256, b"vyre-relay/1").extract(&self.0);
        // Fails only above 255 hash lengths, and no key here is longer than two.
        let filled = prk.expand(&[label], Len(N)).and_then(|okm| okm.fill(&mut out));
        debug_assert!(filled.is_ok());
        out
    }
}

/// A relay's key, certificate and seed.
#[derive(Clone)]
pub struct RelayIdentity {
    certified: Arc<CertifiedKey>,
    pin: Pin,
    next_pin: Option<Pin>,
    seed: RelaySeed,
}

impl fmt::Debug for RelayIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RelayIdentity({})", self.pin)
    }
}

impl RelayIdentity {
    /// The one in `data`, made if there is none. `names` are those that its certificate carries: host names and
    /// addresses. With other names than last time the certificate is made anew, with the same key.
    ///
    /// # Errors
    /// If a file can be read by others, does not hold what it should, or cannot be read or made.
    pub fn load_or_create(data: &Path, names: &[String]) -> Result<Self, IdentityError> {
        let key_path = data.join(RELAY_KEY);
        let pem = keyfile::read_or_create(&key_path, || new_p256(&key_path))?;
        let pair = p256(&pem, &key_path)?;
        let cert_path = data.join(RELAY_CERT);
        let kept = kept_certificate(&cert_path, names, &pair);
        let chain = match kept {
            Some(chain) => chain,
            None => {
                let cert = CertificateParams::new(names.to_vec())?.self_signed(&pair)?;
                // Not a secret, but written like one: whoever can change it can stop the relay.
                let text = format!("{NAMES_LINE}{}\n{}", names.join(" "), cert.pem());
                keyfile::replace(&cert_path, text.as_bytes())?;
                vec![cert.der().clone()]
            }
        };
        let certified = certified(chain, pair.serialize_der())?;
        let next_path = data.join(RELAY_NEXT_KEY);
        let next_pin = match keyfile::read_text(&next_path) {
            Ok(pem) => Some(pin_of_pair(&p256(&pem, &next_path)?)),
            Err(KeyFileError::Missing { .. }) => None,
            Err(e) => return Err(e.into()),
        };
        let pin = pin_of_pair(&pair);
        Ok(Self { certified: Arc::new(certified), pin, next_pin, seed: RelaySeed::load_or_create(data)? })
    }

    /// A certificate and key from elsewhere, with the seed in `data`.
    ///
    /// # Errors
    /// If the key file can be read by others, either holds not what it should, or they do not belong together.
    pub fn from_files(data: &Path, cert: &Path, key: &Path) -> Result<Self, IdentityError> {
        let certified = load_certified(cert, key)?;
        let pin = pin_of_key(&certified)?;
        Ok(Self { certified: Arc::new(certified), pin, next_pin: None, seed: RelaySeed::load_or_create(data)? })
    }

    /// Certificate and key, as TLS takes them.
    pub fn certified_key(&self) -> &Arc<CertifiedKey> {
        &self.certified
    }

    /// The key by which this relay is known.
    pub fn pin(&self) -> Pin {
        self.pin
    }

    /// The keys by which this relay is known: the one of now and, while a change is prepared, the one after it.
    pub fn pins(&self) -> Vec<Pin> {
        std::iter::once(self.pin).chain(self.next_pin).collect()
    }

    /// The seed of its other keys.
    pub fn seed(&self) -> &RelaySeed {
        &self.seed
    }
}

/// A certificate chain and its key from PEM files.
///
/// # Errors
/// If the key file can be read by others, either holds not what it should, or they do not belong together.
pub fn load_certified(cert: &Path, key: &Path) -> Result<CertifiedKey, IdentityError> {
    let key_der = PrivateKeyDer::from_pem_slice(&keyfile::read(key)?)
        .map_err(|_| KeyFileError::not_a_key(key, "it holds no private key in PEM form"))?;
    let bad = |why: String| IdentityError::NotACertificate { path: cert.to_owned(), why };
    let chain: Vec<_> =
        CertificateDer::pem_file_iter(cert).and_then(Iterator::collect).map_err(|e| bad(e.to_string()))?;
    if chain.is_empty() {
        return Err(bad("it is empty".to_owned()));
    }
    let signing = provider().key_provider.load_private_key(key_der)?;
    let certified = CertifiedKey::new(chain, signing);
    match certified.keys_match() {
        Ok(()) => Ok(certified),
        Err(rustls::Error::InconsistentKeys(_)) => {
            Err(IdentityError::Mismatch { cert: cert.to_owned(), key: key.to_owned() })
        }
        Err(e) => Err(bad(e.to_string())),
    }
}

/// The cryptography that all of this uses, given explicitly everywhere so that nothing depends on a process default.
pub fn provider() -> Arc<CryptoProvider> {
    Arc::new(rustls::crypto::ring::default_provider())
}

/// The pin of a certificate's key.
///
/// # Errors
/// If there is no certificate, or it cannot be parsed.
pub fn pin_of_key(certified: &CertifiedKey) -> Result<Pin, IdentityError> {
    let spki = rustls::server::ParsedCertificate::try_from(certified.end_entity_cert()?)?.subject_public_key_info();
    Ok(pin_of_spki(&spki))
}

pub(crate) fn pin_of_spki(spki: &[u8]) -> Pin {
    let mut pin = [0; 32];
    pin.copy_from_slice(digest::digest(&digest::SHA256, spki).as_ref());
    Pin(pin)
}

pub(crate) fn pin_of_pair(pair: &KeyPair) -> Pin {
    use rcgen::PublicKeyData;
    pin_of_spki(&pair.subject_public_key_info())
}

pub(crate) fn new_p256(path: &Path) -> Result<String, KeyFileError> {
    KeyPair::generate_for(&rcgen::PKCS_ECDSA_P256_SHA256)
        .map(|k| k.serialize_pem())
        .map_err(|_| KeyFileError::not_a_key(path, "the operating system gives no randomness"))
}

pub(crate) fn p256(pem: &str, path: &Path) -> Result<KeyPair, KeyFileError> {
    KeyPair::from_pem(pem)
        .ok()
        .filter(|k| k.is_compatible(&rcgen::PKCS_ECDSA_P256_SHA256))
        .ok_or_else(|| KeyFileError::not_a_key(path, "it holds no P-256 key in PKCS#8 PEM form"))
}

/// The certificate in `path`, if it was made for these names and this key.
fn kept_certificate(path: &Path, names: &[String], pair: &KeyPair) -> Option<Vec<CertificateDer<'static>>> {
    let text = keyfile::read_text(path).ok()?;
    let kept: Vec<&str> = text.lines().next()?.strip_prefix(NAMES_LINE)?.split(' ').collect();
    if kept != names {
        return None;
    }
    let cert = CertificateDer::from_pem_slice(text.as_bytes()).ok()?;
    let spki = rustls::server::ParsedCertificate::try_from(&cert).ok()?.subject_public_key_info();
    (pin_of_spki(&spki) == pin_of_pair(pair)).then_some(vec![cert])
}

fn certified(chain: Vec<CertificateDer<'static>>, pkcs8: Vec<u8>) -> Result<CertifiedKey, IdentityError> {
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(pkcs8));
    Ok(CertifiedKey::new(chain, provider().key_provider.load_private_key(key)?))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn names() -> Vec<String> {
        vec!["localhost".to_owned(), "127.0.0.1".to_owned()]
    }

    #[test]
    fn a_box_stays_the_same_box() {
        let dir = tempfile::tempdir().unwrap();

        let first = BoxIdentity::load_or_create(dir.path()).unwrap();
        let again = BoxIdentity::load_or_create(dir.path()).unwrap();
        let loaded = BoxIdentity::load(dir.path()).unwrap();

        assert_eq!(first.box_id(), again.box_id());
        assert_eq!(first.box_id(), loaded.box_id());
        assert_ne!(first.box_id(), BoxIdentity::generate().unwrap().box_id());
        let mode = fs::metadata(dir.path().join(BOX_KEY)).unwrap().permissions().mode();
        assert_eq!(mode & 0o7777, 0o600);
    }

    #[test]
    fn a_box_key_that_others_can_read_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        BoxIdentity::load_or_create(dir.path()).unwrap();
        let path = dir.path().join(BOX_KEY);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();

        let refused = BoxIdentity::load_or_create(dir.path()).unwrap_err();

        assert!(refused.to_string().contains("can be read or changed by others"), "{refused}");
    }

    #[test]
    fn a_broken_box_key_is_an_error_and_never_a_new_box() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(BOX_KEY);
        keyfile::create(&path, b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n").unwrap();
        assert!(BoxIdentity::load_or_create(dir.path()).is_err());
        keyfile::replace(&path, b"").unwrap();
        assert!(BoxIdentity::load_or_create(dir.path()).is_err());
        assert!(BoxIdentity::load(&dir.path().join("nowhere")).is_err());
        assert_eq!(fs::read(&path).unwrap(), b"");
    }

    #[test]
    fn a_signature_proves_one_box_and_one_message() {
        let (one, two) = (BoxIdentity::generate().unwrap(), BoxIdentity::generate().unwrap());
        let mut signature = one.sign(b"message");
        assert_eq!(verify(&one.box_id(), b"message", &signature), Ok(()));
        assert_eq!(verify(&two.box_id(), b"message", &signature), Err(BadProof));
        assert_eq!(verify(&one.box_id(), b"massage", &signature), Err(BadProof));
        signature[7] ^= 1;
        assert_eq!(verify(&one.box_id(), b"message", &signature), Err(BadProof));
    }

    #[test]
    fn keys_are_not_printed() {
        let dir = tempfile::tempdir().unwrap();
        let one = BoxIdentity::generate().unwrap();
        assert_eq!(format!("{one:?}"), format!("BoxIdentity({})", one.box_id()));
        let relay = RelayIdentity::load_or_create(dir.path(), &names()).unwrap();
        assert_eq!(format!("{relay:?}"), format!("RelayIdentity({})", relay.pin()));
        assert_eq!(format!("{:?}", relay.seed()), "RelaySeed(..)");
    }

    #[test]
    fn a_relay_keeps_key_certificate_and_derived_keys_over_a_restart() {
        let dir = tempfile::tempdir().unwrap();

        let first = RelayIdentity::load_or_create(dir.path(), &names()).unwrap();
        let again = RelayIdentity::load_or_create(dir.path(), &names()).unwrap();

        assert_eq!(first.pin(), again.pin());
        assert_eq!(first.certified_key().cert, again.certified_key().cert);
        assert_eq!(first.seed().stateless_reset_key(), again.seed().stateless_reset_key());
        assert_eq!(first.seed().connection_id_key(), again.seed().connection_id_key());
        assert_eq!(first.seed().address_token_key(), again.seed().address_token_key());
        assert_eq!(pin_of_key(first.certified_key()).unwrap(), first.pin());
        for file in [RELAY_KEY, RELAY_SEED] {
            assert_eq!(fs::metadata(dir.path().join(file)).unwrap().permissions().mode() & 0o7777, 0o600);
        }
    }

    #[test]
    fn a_relay_with_another_name_keeps_its_key() {
        let dir = tempfile::tempdir().unwrap();
        let first = RelayIdentity::load_or_create(dir.path(), &names()).unwrap();

        let moved = RelayIdentity::load_or_create(dir.path(), &["relay.example.org".to_owned()]).unwrap();

        assert_eq!(first.pin(), moved.pin());
        assert_ne!(first.certified_key().cert, moved.certified_key().cert);
    }

    #[test]
    fn derived_keys_differ_from_each_other_and_by_seed() {
        let (a, b) = (RelaySeed::new([1; 32]), RelaySeed::new([2; 32]));
        assert_ne!(a.stateless_reset_key()[..32], a.address_token_key());
        assert_ne!(a.stateless_reset_key(), b.stateless_reset_key());
        assert_ne!(a.connection_id_key(), b.connection_id_key());
        assert_ne!(a.stateless_reset_key(), [0; 64]);
    }

    #[test]
    fn a_certificate_of_another_key_is_refused() {
        let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        RelayIdentity::load_or_create(one.path(), &names()).unwrap();
        RelayIdentity::load_or_create(two.path(), &names()).unwrap();

        let mixed = load_certified(&one.path().join(RELAY_CERT), &two.path().join(RELAY_KEY));

        assert!(matches!(mixed, Err(IdentityError::Mismatch { .. })), "{mixed:?}");
        assert!(load_certified(&one.path().join(RELAY_CERT), &one.path().join(RELAY_KEY)).is_ok());
    }
}

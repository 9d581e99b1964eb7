//! A certificate authority for development: it vouches for leaf certificates on machines that believe it.
//!
//! Only for development. Its key is made for one set of files and is not kept, so that nobody who finds the set later
//! can make more.

use std::path::Path;
use std::path::PathBuf;

use rcgen::BasicConstraints;
use rcgen::CertificateParams;
use rcgen::DnType;
use rcgen::ExtendedKeyUsagePurpose;
use rcgen::IsCa;
use rcgen::Issuer;
use rcgen::KeyPair;
use rcgen::KeyUsagePurpose;

use crate::identity::IdentityError;
use crate::keyfile;

/// An authority, in memory only.
pub struct DevAuthority {
    issuer: Issuer<'static, KeyPair>,
    pem: String,
}

impl std::fmt::Debug for DevAuthority {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("DevAuthority(..)")
    }
}

/// A leaf certificate and its key, as PEM.
pub struct Leaf {
    /// The certificate, without the authority's.
    pub cert_pem: String,
    /// Its private key.
    pub key_pem: String,
}

impl std::fmt::Debug for Leaf {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Leaf(..)")
    }
}

/// Where a development set was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DevSet {
    /// The authority's certificate: what a client has to believe.
    pub authority: PathBuf,
    /// The leaf certificate, for `--tls-cert`.
    pub cert: PathBuf,
    /// Its key, for `--tls-key`.
    pub key: PathBuf,
}

impl DevAuthority {
    /// A new authority of this name.
    ///
    /// # Errors
    /// If there is no randomness.
    pub fn new(name: &str) -> Result<Self, IdentityError> {
        let mut params = CertificateParams::new(Vec::new())?;
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
        let key = KeyPair::generate_for(&rcgen::PKCS_ECDSA_P256_SHA256)?;
        let pem = params.self_signed(&key)?.pem();
        Ok(Self { issuer: Issuer::new(params, key), pem })
    }

    /// The authority's certificate.
    pub fn cert_pem(&self) -> &str {
        &self.pem
    }

    /// A leaf certificate for these host names and addresses.
    ///
    /// # Errors
    /// If a name cannot stand in a certificate.
    pub fn issue(&self, names: &[String]) -> Result<Leaf, IdentityError> {
        let key = KeyPair::generate_for(&rcgen::PKCS_ECDSA_P256_SHA256)?;
        let mut params = CertificateParams::new(names.to_vec())?;
        if let Some(name) = names.first() {
            params.distinguished_name.push(DnType::CommonName, name.as_str());
        }
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        params.use_authority_key_identifier_extension = true;
        let cert = params.signed_by(&key, &self.issuer)?;
        Ok(Leaf { cert_pem: cert.pem(), key_pem: key.serialize_pem() })
    }

    /// Writes `ca.crt`, and a leaf for `names` as `tls.crt` and `tls.key`, in the place of what is there.
    ///
    /// # Errors
    /// If a name cannot stand in a certificate, or a file cannot be written.
    pub fn write_set(&self, dir: &Path, names: &[String]) -> Result<DevSet, IdentityError> {
        keyfile::make_folder(dir)?;
        let leaf = self.issue(names)?;
        let set = DevSet { authority: dir.join("ca.crt"), cert: dir.join("tls.crt"), key: dir.join("tls.key") };
        keyfile::replace(&set.authority, self.pem.as_bytes())?;
        keyfile::replace(&set.cert, leaf.cert_pem.as_bytes())?;
        keyfile::replace(&set.key, leaf.key_pem.as_bytes())?;
        Ok(set)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_is_whole_and_its_key_is_for_the_owner_alone() {
        let dir = tempfile::tempdir().unwrap();
        let authority = DevAuthority::new("development").unwrap();

        let set = authority.write_set(dir.path(), &["localhost".to_owned(), "::1".to_owned()]).unwrap();

        assert!(keyfile::read(&set.key).is_ok());
        assert!(crate::identity::load_certified(&set.cert, &set.key).is_ok());
        assert_eq!(std::fs::read_to_string(&set.authority).unwrap(), authority.cert_pem());
        assert_eq!(format!("{:?}", authority.issue(&["x".to_owned()]).unwrap()), "Leaf(..)");
    }

    #[test]
    fn a_name_that_cannot_stand_in_a_certificate_is_refused() {
        assert!(DevAuthority::new("x").unwrap().issue(&["nä me".to_owned()]).is_err());
    }
}

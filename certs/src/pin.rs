//! Verifiers that believe exactly one key, or one of a few, and nothing else.
//!
//! Names, dates and issuers of a certificate do not matter here: who holds the private half of the pinned key is the
//! one that was meant, and nobody else is. TLS proves the holding; TLS 1.2 is not spoken.

use std::sync::Arc;

use rustls::CertificateError;
use rustls::DigitallySignedStruct;
use rustls::Error;
use rustls::SignatureScheme;
use rustls::client::danger::HandshakeSignatureValid;
use rustls::client::danger::ServerCertVerified;
use rustls::client::danger::ServerCertVerifier;
use rustls::crypto::WebPkiSupportedAlgorithms;
use rustls::crypto::verify_tls13_signature;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::ServerName;
use rustls::pki_types::UnixTime;
use rustls::server::ParsedCertificate;
use vyre_proto::ids::BoxId;
use vyre_proto::relay_url::Pin;

use crate::identity::pin_of_spki;
use crate::identity::provider;

/// What precedes the 32 bytes of the key in the SubjectPublicKeyInfo of every Ed25519 key.
const ED25519_SPKI: [u8; 12] = [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00];

/// Which keys are believed.
#[derive(Debug)]
enum Believed {
    Box(BoxId),
    Relay(Vec<Pin>),
}

/// A verifier of servers by their key.
#[derive(Debug)]
pub struct PinnedServer {
    believed: Believed,
    algorithms: WebPkiSupportedAlgorithms,
}

impl PinnedServer {
    /// Believes this box.
    pub fn of_box(id: BoxId) -> Arc<Self> {
        Arc::new(Self { believed: Believed::Box(id), algorithms: provider().signature_verification_algorithms })
    }

    /// Believes a relay that has one of these keys. With none it believes nobody.
    pub fn of_relay(pins: &[Pin]) -> Arc<Self> {
        let believed = Believed::Relay(pins.to_vec());
        Arc::new(Self { believed, algorithms: provider().signature_verification_algorithms })
    }

    fn believes(&self, spki: &[u8]) -> bool {
        match &self.believed {
            Believed::Box(id) => spki.strip_prefix(&ED25519_SPKI) == Some(&id.0),
            Believed::Relay(pins) => pins.contains(&pin_of_spki(spki)),
        }
    }
}

impl ServerCertVerifier for PinnedServer {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let spki = ParsedCertificate::try_from(end_entity)?.subject_public_key_info();
        if self.believes(&spki) {
            Ok(ServerCertVerified::assertion())
        } else {
            Err(CertificateError::ApplicationVerificationFailure.into())
        }
    }

    fn verify_tls12_signature(
        &self,
        _message: &[u8],
        _cert: &CertificateDer<'_>,
        _dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Err(Error::General("TLS 1.2 is not spoken here".to_owned()))
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, cert, dss, &self.algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        match &self.believed {
            Believed::Box(_) => vec![SignatureScheme::ED25519],
            Believed::Relay(_) => self.algorithms.supported_schemes(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::BoxIdentity;
    use crate::identity::RelayIdentity;

    fn ask(verifier: &PinnedServer, cert: &CertificateDer<'_>) -> Result<ServerCertVerified, Error> {
        let name = ServerName::try_from("anything.example").unwrap();
        verifier.verify_server_cert(cert, &[], &name, &[], UnixTime::since_unix_epoch(std::time::Duration::ZERO))
    }

    #[test]
    fn a_box_is_believed_by_its_id_and_no_other() {
        let (one, two) = (BoxIdentity::generate().unwrap(), BoxIdentity::generate().unwrap());
        let cert = one.certified_key().unwrap();

        assert!(ask(&PinnedServer::of_box(one.box_id()), cert.end_entity_cert().unwrap()).is_ok());
        assert!(ask(&PinnedServer::of_box(two.box_id()), cert.end_entity_cert().unwrap()).is_err());
    }

    #[test]
    fn a_relay_is_believed_by_either_of_two_pins() {
        let dir = tempfile::tempdir().unwrap();
        let relay = RelayIdentity::load_or_create(dir.path(), &["localhost".to_owned()]).unwrap();
        let cert = relay.certified_key().end_entity_cert().unwrap();
        let other = Pin([3; 32]);

        assert!(ask(&PinnedServer::of_relay(&[relay.pin()]), cert).is_ok());
        assert!(ask(&PinnedServer::of_relay(&[other, relay.pin()]), cert).is_ok());
        assert!(ask(&PinnedServer::of_relay(&[other]), cert).is_err());
        assert!(ask(&PinnedServer::of_relay(&[]), cert).is_err());
    }

    #[test]
    fn a_box_certificate_is_no_relay_and_rubbish_is_nobody() {
        let one = BoxIdentity::generate().unwrap();
        let rubbish = CertificateDer::from(vec![0x30, 0x03, 1, 2, 3]);
        assert!(ask(&PinnedServer::of_box(one.box_id()), &rubbish).is_err());
        assert!(
            ask(
                &PinnedServer::of_relay(&[Pin(one.box_id().0)]),
                one.certified_key().unwrap().end_entity_cert().unwrap()
            )
            .is_err()
        );
    }
}

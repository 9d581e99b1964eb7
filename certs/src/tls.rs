//! TLS configurations of servers and clients, one function for each pair of who and what.
//!
//! All speak TLS 1.3 only, name their cryptography explicitly, and carry exactly one protocol in ALPN, so that a
//! mismatch ends the handshake. QUIC servers keep sessions in memory (stateful, single use), which is the only way in
//! which early data is safe from being taken twice by the same process; nothing of them survives a restart.
//!
//! A client configuration is made once and kept: sessions to resume live in it.

use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;

use rustls::ClientConfig;
use rustls::RootCertStore;
use rustls::ServerConfig;
use rustls::client::Resumption;
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::ServerCertVerifier;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::ServerName;
use rustls::pki_types::UnixTime;
use rustls::pki_types::pem::PemObject;
use rustls::server::ServerSessionMemoryCache;
use rustls::sign::CertifiedKey;
use rustls::sign::SingleCertAndKey;
use rustls::version::TLS13;
use vyre_proto::head::ALPN_BOX;
use vyre_proto::head::ALPN_RELAY;
use vyre_proto::ids::BoxId;
use vyre_proto::relay_url::RelayUrl;

use crate::identity::provider;
use crate::pin::PinnedServer;

/// ALPN of HTTP over TLS on TCP, with WebSocket upgrades. HTTP/2 has no place here: an upgrade needs HTTP/1.1.
pub const ALPN_HTTP: &[u8] = b"http/1.1";

/// Sessions that a box keeps for resuming: its devices, with room for several connections each.
pub const BOX_SESSIONS: usize = 1024;

/// Sessions that a relay keeps for resuming. Each is below 1 KiB.
pub const RELAY_SESSIONS: usize = 16 * 1024;

/// Where systems keep the certificates of public authorities. `SSL_CERT_FILE` names another place.
const SYSTEM_ROOTS: &[&str] =
    &["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem"];

/// Why a TLS configuration could not be made.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// TLS itself refused.
    #[error("TLS cannot be set up: {0}")]
    Tls(#[from] rustls::Error),
    /// There are no public authorities to ask.
    #[error(
        "no certificates of public authorities were found (looked at {looked}): install ca-certificates, set \
         SSL_CERT_FILE, or use a relay address with a key in it"
    )]
    NoAuthorities {
        /// Where was looked.
        looked: String,
    },
    /// A file of authorities could not be read.
    #[error("{} holds no authority's certificate that can be used: {why}", path.display())]
    BadAuthority {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// The verifier could not be made.
    #[error("certificates cannot be verified: {0}")]
    Verifier(#[from] rustls::client::VerifierBuilderError),
}

/// The QUIC listener of a box.
///
/// # Errors
/// If TLS refuses the key.
pub fn box_server(key: CertifiedKey) -> Result<ServerConfig, TlsError> {
    let mut config = server(Arc::new(key), ALPN_BOX, BOX_SESSIONS)?;
    config.max_early_data_size = u32::MAX; // QUIC knows only none and this; what a stream may do early, the box decides.
    Ok(config)
}

/// The QUIC listener of a relay.
///
/// # Errors
/// If TLS refuses the key.
pub fn relay_server(key: Arc<CertifiedKey>) -> Result<ServerConfig, TlsError> {
    let mut config = server(key, ALPN_RELAY, RELAY_SESSIONS)?;
    config.max_early_data_size = u32::MAX;
    Ok(config)
}

/// An HTTPS listener, of a relay or of a box.
///
/// # Errors
/// If TLS refuses the key.
pub fn web_server(key: Arc<CertifiedKey>) -> Result<ServerConfig, TlsError> {
    server(key, ALPN_HTTP, RELAY_SESSIONS)
}

fn server(key: Arc<CertifiedKey>, alpn: &[u8], sessions: usize) -> Result<ServerConfig, TlsError> {
    let mut config = ServerConfig::builder_with_provider(provider())
        .with_protocol_versions(&[&TLS13])?
        .with_no_client_auth()
        .with_cert_resolver(Arc::new(SingleCertAndKey::from(key)));
    config.alpn_protocols = vec![alpn.to_vec()];
    config.session_storage = ServerSessionMemoryCache::new(sessions);
    config.send_tls13_tickets = 1;
    Ok(config)
}

/// A client that dials this box directly over QUIC, and believes its key alone.
///
/// # Errors
/// If TLS cannot be set up.
pub fn box_client(id: BoxId) -> Result<ClientConfig, TlsError> {
    client(PinnedServer::of_box(id), ALPN_BOX, true)
}

/// A box or a phone that dials this relay over QUIC.
///
/// # Errors
/// If the address holds no key and there are no public authorities to ask.
pub fn relay_client(url: &RelayUrl) -> Result<ClientConfig, TlsError> {
    client(verifier(url)?, ALPN_RELAY, true)
}

/// A client that dials this relay over HTTPS.
///
/// # Errors
/// If the address holds no key and there are no public authorities to ask.
pub fn relay_web_client(url: &RelayUrl) -> Result<ClientConfig, TlsError> {
    client(verifier(url)?, ALPN_HTTP, false)
}

/// A client that believes whom these authorities vouch for, for one protocol.
///
/// # Errors
/// If the authorities cannot be used.
pub fn authority_client(roots: RootCertStore, alpn: &[u8]) -> Result<ClientConfig, TlsError> {
    client(WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider()).build()?, alpn, alpn != ALPN_HTTP)
}

fn verifier(url: &RelayUrl) -> Result<Arc<dyn ServerCertVerifier>, TlsError> {
    if url.pins().is_empty() {
        Ok(WebPkiServerVerifier::builder_with_provider(Arc::new(public_authorities()?), provider()).build()?)
    } else {
        Ok(PinnedServer::of_relay(url.pins()))
    }
}

fn client(verifier: Arc<dyn ServerCertVerifier>, alpn: &[u8], early: bool) -> Result<ClientConfig, TlsError> {
    let mut config = ClientConfig::builder_with_provider(provider())
        .with_protocol_versions(&[&TLS13])?
        .dangerous()
        .with_custom_certificate_verifier(verifier)
        .with_no_client_auth();
    config.alpn_protocols = vec![alpn.to_vec()];
    config.resumption = Resumption::in_memory_sessions(64);
    config.enable_early_data = early;
    Ok(config)
}

/// The public authorities that this system believes.
///
/// # Errors
/// If no file of them is found, or the one that is named cannot be used.
pub fn public_authorities() -> Result<RootCertStore, TlsError> {
    if let Some(path) = std::env::var_os("SSL_CERT_FILE") {
        return authorities(Path::new(&path));
    }
    match SYSTEM_ROOTS.iter().map(Path::new).find(|p| p.is_file()) {
        Some(path) => authorities(path),
        None => Err(TlsError::NoAuthorities { looked: SYSTEM_ROOTS.join(", ") }),
    }
}

/// The authorities in one PEM file.
///
/// # Errors
/// If it cannot be read, or holds none that can be used.
pub fn authorities(path: &Path) -> Result<RootCertStore, TlsError> {
    let bad = |why: String| TlsError::BadAuthority { path: path.to_owned(), why };
    let certs = CertificateDer::pem_file_iter(path).map_err(|e| bad(e.to_string()))?;
    let mut roots = RootCertStore::empty();
    // A system's bundle may hold one that this TLS does not take; the others still stand.
    roots.add_parsable_certificates(certs.filter_map(Result::ok));
    if roots.is_empty() { Err(bad("none was found".to_owned())) } else { Ok(roots) }
}

/// Whether a public authority vouches for this certificate under this name: then an address needs no key.
pub fn publicly_vouched(key: &CertifiedKey, name: &str) -> bool {
    let Ok(roots) = public_authorities() else { return false };
    vouched(key, name, roots)
}

fn vouched(key: &CertifiedKey, name: &str, roots: RootCertStore) -> bool {
    let Ok(name) = ServerName::try_from(name.to_owned()) else { return false };
    let Ok(verifier) = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider()).build() else {
        return false;
    };
    match key.cert.split_first() {
        Some((leaf, rest)) => verifier.verify_server_cert(leaf, rest, &name, &[], UnixTime::now()).is_ok(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use rustls::ClientConnection;
    use rustls::ServerConnection;
    use vyre_proto::relay_url::Pin;

    use super::*;
    use crate::dev::DevAuthority;
    use crate::identity::BoxIdentity;
    use crate::identity::RelayIdentity;
    use crate::identity::server_name;

    /// Runs a handshake in memory.
    fn shake(client: &ClientConfig, server: &ServerConfig, name: &str) -> Result<(), rustls::Error> {
        let name = ServerName::try_from(name.to_owned()).unwrap();
        let mut c = ClientConnection::new(Arc::new(client.clone()), name)?;
        let mut s = ServerConnection::new(Arc::new(server.clone()))?;
        for _ in 0..8 {
            let mut wire = Vec::new();
            while c.wants_write() {
                c.write_tls(&mut wire).unwrap();
            }
            let mut rest = &wire[..];
            while !rest.is_empty() {
                s.read_tls(&mut rest).unwrap();
                s.process_new_packets()?;
            }
            let mut wire = Vec::new();
            while s.wants_write() {
                s.write_tls(&mut wire).unwrap();
            }
            let mut rest = &wire[..];
            while !rest.is_empty() {
                c.read_tls(&mut rest).unwrap();
                c.process_new_packets()?;
            }
        }
        assert!(!c.is_handshaking() && !s.is_handshaking());
        assert_eq!(c.protocol_version(), Some(rustls::ProtocolVersion::TLSv1_3));
        Ok(())
    }

    fn relay(dir: &Path) -> RelayIdentity {
        RelayIdentity::load_or_create(dir, &["localhost".to_owned()]).unwrap()
    }

    #[test]
    fn a_client_reaches_its_box_and_no_other() {
        let (one, two) = (BoxIdentity::generate().unwrap(), BoxIdentity::generate().unwrap());
        let server = box_server(one.certified_key().unwrap()).unwrap();
        let id = one.box_id();

        assert!(shake(&box_client(id).unwrap(), &server, &server_name(&id)).is_ok());
        assert!(shake(&box_client(two.box_id()).unwrap(), &server, &server_name(&id)).is_err());
    }

    #[test]
    fn another_protocol_ends_the_handshake() {
        let dir = tempfile::tempdir().unwrap();
        let relay = relay(dir.path());
        let url = RelayUrl::new(false, "localhost", 1, 2, relay.pins()).unwrap();
        let quic = relay_server(relay.certified_key().clone()).unwrap();
        let web = web_server(relay.certified_key().clone()).unwrap();

        assert!(shake(&relay_client(&url).unwrap(), &quic, "localhost").is_ok());
        assert!(shake(&relay_web_client(&url).unwrap(), &web, "localhost").is_ok());
        assert!(shake(&relay_web_client(&url).unwrap(), &quic, "localhost").is_err());
        assert!(shake(&relay_client(&url).unwrap(), &web, "localhost").is_err());
    }

    #[test]
    fn a_relay_with_another_key_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let relay = relay(dir.path());
        let url = RelayUrl::new(false, "localhost", 1, 2, vec![Pin([7; 32])]).unwrap();
        let server = relay_server(relay.certified_key().clone()).unwrap();
        assert!(shake(&relay_client(&url).unwrap(), &server, "localhost").is_err());
    }

    #[test]
    fn an_authority_vouches_for_the_names_it_signed() {
        let dir = tempfile::tempdir().unwrap();
        let authority = DevAuthority::new("test").unwrap();
        let set = authority.write_set(dir.path(), &["relay.example".to_owned()]).unwrap();
        let key = crate::identity::load_certified(&set.cert, &set.key).unwrap();
        let roots = authorities(&set.authority).unwrap();

        assert!(vouched(&key, "relay.example", roots.clone()));
        assert!(!vouched(&key, "other.example", roots.clone()));
        assert!(!vouched(&key, "relay.example", {
            let other =
                DevAuthority::new("other").unwrap().write_set(&dir.path().join("o"), &["x".to_owned()]).unwrap();
            authorities(&other.authority).unwrap()
        }));
        let server = web_server(Arc::new(key)).unwrap();
        let client = authority_client(roots, ALPN_HTTP).unwrap();
        assert!(shake(&client, &server, "relay.example").is_ok());
        assert!(shake(&client, &server, "other.example").is_err());
    }

    #[test]
    fn a_file_without_authorities_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("empty.pem");
        std::fs::write(&path, "nothing").unwrap();
        assert!(authorities(&path).unwrap_err().to_string().contains("empty.pem"));
    }
}

//! What the relay shows of itself, and shows anew when its files change: a certificate is renewed and a key is changed
//! without a restart.
//!
//! The files are looked at every [`LOOK`]. New connections see the new certificate, those that are open go on. Files that
//! do not make a certificate, because they are half written or wrong, change nothing: the relay goes on with what it had
//! and says so once.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use quinn::Endpoint;
use rustls::ServerConfig;
use tokio::sync::watch;
use tokio::time::sleep;
use vyre_certs::identity::IdentityError;
use vyre_certs::identity::RELAY_KEY;
use vyre_certs::identity::RELAY_NEXT_KEY;
use vyre_certs::identity::RelayIdentity;
use vyre_certs::stamp::Stamp;
use vyre_certs::tls;
use vyre_proto::relay_url::Pin;
use vyre_proto::relay_url::RelayUrl;

use crate::config::Certificate;
use crate::quic;
use crate::server::StartError;

/// How often the files are looked at.
pub const LOOK: Duration = Duration::from_secs(5);

/// Where key and certificate come from.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    pub data: PathBuf,
    pub certificate: Certificate,
    pub host: String,
}

impl Source {
    /// Reads them; makes the relay's own where there are none.
    pub fn load(&self) -> Result<RelayIdentity, IdentityError> {
        match &self.certificate {
            Certificate::Own => RelayIdentity::load_or_create(&self.data, &names(&self.host)),
            Certificate::Files { cert, key } => RelayIdentity::from_files(&self.data, cert, key),
        }
    }

    /// What an address has to carry so that its reader believes this key: nothing where a public authority vouches.
    pub fn pins(&self, identity: &RelayIdentity) -> Vec<Pin> {
        let vouched =
            self.certificate != Certificate::Own && tls::publicly_vouched(identity.certified_key(), &self.host);
        if vouched { Vec::new() } else { identity.pins() }
    }

    pub fn stamp(&self) -> Stamp {
        match &self.certificate {
            // The certificate is made from the key.
            Certificate::Own => Stamp::of(&[self.data.join(RELAY_KEY), self.data.join(RELAY_NEXT_KEY)]),
            Certificate::Files { cert, key } => Stamp::of(&[cert, key]),
        }
    }
}

/// Where a certificate is shown.
pub(crate) struct Shown {
    pub endpoint: Endpoint,
    /// For connections over TCP; none where they are plain.
    pub web: Option<watch::Sender<Arc<ServerConfig>>>,
    /// The relay's address, which carries its pins.
    pub url: watch::Sender<RelayUrl>,
}

impl Shown {
    /// Shows this one to everybody who comes from now on.
    fn show(&self, identity: &RelayIdentity, pins: Vec<Pin>) -> Result<(), StartError> {
        let old = self.url.borrow().clone();
        let url = RelayUrl::new(old.is_plain(), old.host(), old.http_port(), old.quic_port(), pins)?;
        let quic = quic::server_config(identity)?;
        if let Some(web) = &self.web {
            web.send_replace(Arc::new(tls::web_server(identity.certified_key().clone())?));
        }
        self.endpoint.set_server_config(Some(quic));
        self.url.send_if_modified(|u| std::mem::replace(u, url.clone()) != url);
        Ok(())
    }
}

/// What a look at the files has found.
struct Look {
    stamp: Stamp,
    read: Option<Result<(RelayIdentity, Vec<Pin>), IdentityError>>,
}

/// Looks at the files for as long as it is polled. `now` is what is shown already, as it was read after `stamp` was taken.
pub(crate) async fn follow(source: Source, mut stamp: Stamp, mut now: RelayIdentity, shown: Shown) {
    let source = Arc::new(source);
    loop {
        sleep(LOOK).await;
        let (from, last) = (source.clone(), stamp.clone());
        let look = tokio::task::spawn_blocking(move || {
            // Taken before they are read: what changes meanwhile is seen at the next look.
            let stamp = from.stamp();
            let read = (stamp != last).then(|| {
                from.load().map(|identity| {
                    let pins = from.pins(&identity);
                    (identity, pins)
                })
            });
            Look { stamp, read }
        });
        let Ok(look) = look.await else { continue };
        stamp = look.stamp;
        match look.read {
            None => {}
            Some(Ok((identity, _))) if is_same(&identity, &now) => {}
            Some(Ok((identity, pins))) => match shown.show(&identity, pins) {
                Ok(()) => {
                    now = identity;
                    tracing::info!(pin = %now.pin(), "key or certificate has changed");
                }
                Err(e) => tracing::error!("key or certificate has changed and cannot be used, the old one stays: {e}"),
            },
            Some(Err(e)) => {
                tracing::error!("key or certificate has changed and cannot be read, the old one stays: {e}")
            }
        }
    }
}

fn is_same(one: &RelayIdentity, other: &RelayIdentity) -> bool {
    one.certified_key().cert == other.certified_key().cert && one.pins() == other.pins()
}

/// What stands in the relay's own certificate.
fn names(host: &str) -> Vec<String> {
    let mut names = vec![host.to_owned()];
    names.extend(["localhost", "127.0.0.1", "::1"].iter().filter(|n| **n != host).map(|n| (*n).to_owned()));
    names
}

//! The certificate of the HTTP listener, read again when its files change: it is renewed without a restart.
//!
//! New connections see the new one, those that are open go on. Files that do not make a certificate, because they are half
//! written or wrong, change nothing: the box goes on with what it had and says so once.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::sleep;
use vyre_certs::identity::load_certified;
use vyre_certs::stamp::Stamp;
use vyre_certs::tls::web_server;

use crate::daemon::StartError;

/// How often the files are looked at.
pub const LOOK: Duration = Duration::from_secs(5);

/// Certificate and key in PEM files.
#[derive(Debug, Clone)]
pub(super) struct Files {
    cert: PathBuf,
    key: PathBuf,
    /// How they stood before they were last read.
    stamp: Stamp,
}

/// TLS as it is now.
pub(super) type Shown = watch::Sender<Arc<rustls::ServerConfig>>;

impl Files {
    /// Reads them for the first time.
    pub fn read(cert: &PathBuf, key: &PathBuf) -> Result<(Files, Shown), StartError> {
        let stamp = Stamp::of(&[cert, key]);
        let files = Files { cert: cert.clone(), key: key.clone(), stamp };
        let shown = watch::Sender::new(Arc::new(files.load()?));
        Ok((files, shown))
    }

    fn load(&self) -> Result<rustls::ServerConfig, StartError> {
        Ok(web_server(Arc::new(load_certified(&self.cert, &self.key)?))?)
    }

    /// What they make now, if they have changed.
    fn look(&mut self) -> Option<Result<rustls::ServerConfig, StartError>> {
        // Taken before they are read: what changes meanwhile is seen at the next look.
        let stamp = Stamp::of(&[&self.cert, &self.key]);
        let changed = std::mem::replace(&mut self.stamp, stamp.clone()) != stamp;
        changed.then(|| self.load())
    }

    /// Looks at them for as long as it is polled.
    pub async fn follow(self, shown: Shown) {
        let mut files = self;
        loop {
            sleep(LOOK).await;
            let mut looking = files.clone();
            let looked = tokio::task::spawn_blocking(move || (looking.look(), looking)).await;
            // A look that failed of itself is made again.
            let Ok((found, looked)) = looked else { continue };
            files = looked;
            match found {
                None => {}
                Some(Ok(config)) => {
                    shown.send_replace(Arc::new(config));
                    tracing::info!("the certificate has changed");
                }
                Some(Err(e)) => {
                    tracing::error!("the certificate has changed and cannot be used, the old one stays: {e}")
                }
            }
        }
    }
}

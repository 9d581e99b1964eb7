//! [`TestRelay`]: a whole relay on ports of its own, with plain HTTP so that tests speak to it without TLS.

use tempfile::TempDir;
use vyre_relay::config::Config;
use vyre_relay::server::Server;

/// A relay that ends at once when it is dropped.
pub struct TestRelay {
    pub server: Server,
    _folder: TempDir,
}

impl TestRelay {
    pub async fn start() -> TestRelay {
        let folder = tempfile::tempdir().unwrap();
        let config = Config { plain_http: true, ..Config::on_loopback(folder.path().to_owned()) };
        TestRelay { server: Server::start(config).await.unwrap(), _folder: folder }
    }
}

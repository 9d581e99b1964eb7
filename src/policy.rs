//! The policy beside the box: an HTTP endpoint that is asked whether somebody may do something in a session.
//!
//! It is asked by a POST, one connection a question, and has a limit of time for all of it: waiting for its turn, dialling,
//! the answer. Whatever goes wrong is a refusal, and the log says what went wrong and never what was asked or answered. At
//! most [`AT_ONCE`] questions are open; one more waits for its turn within its own limit.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::BodyExt;
use http_body_util::Full;
use http_body_util::Limited;
use hyper::Request;
use hyper::Uri;
use hyper::client::conn::http1;
use hyper::header;
use hyper_util::rt::TokioIo;
use rustls::pki_types::ServerName;
use tokio::io::AsyncRead;
use tokio::io::AsyncWrite;
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use vyre_certs::tls::ALPN_HTTP;
use vyre_certs::tls::TlsError;
use vyre_certs::tls::authority_client;
use vyre_certs::tls::public_authorities;
use vyre_proto::ids::SessionId;

use crate::rules::authority::Act;
use crate::rules::authority::Policy;
use crate::rules::caller::Caller;
use crate::rules::policy::ANSWER_MAX;
use crate::rules::policy::NoAnswer;
use crate::rules::policy::answer;
use crate::rules::policy::question;
use crate::tools::gate::Answer;
use crate::tools::gate::Authority;

/// Questions that are open at once. An endpoint that takes 100 ms for each answers 640 a second.
pub const AT_ONCE: usize = 64;

/// Where a policy is, and how it is asked.
#[derive(Clone, PartialEq, Eq)]
pub struct PolicySettings {
    /// Its address: `http://` or `https://`. May hold what is nobody's business.
    pub url: String,
    /// How long a question may take.
    pub timeout: Duration,
    /// The name of this space in resources.
    pub space: String,
}

impl fmt::Debug for PolicySettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PolicySettings").field("timeout", &self.timeout).field("space", &self.space).finish()
    }
}

/// Why a policy cannot be asked at all. Does not repeat the address.
#[derive(Debug, thiserror::Error)]
pub enum PolicyError {
    /// Not an address.
    #[error("`authority.url` must be http://HOST[:PORT]/PATH or https://HOST[:PORT]/PATH")]
    Url,
    /// TLS towards it.
    #[error("`authority.url` is https, and {0}")]
    Tls(#[from] TlsError),
}

/// Why one question has no answer.
#[derive(Debug, thiserror::Error)]
enum Failed {
    #[error("it did not answer in time")]
    Late,
    #[error("it cannot be reached")]
    Unreachable,
    #[error("it broke off")]
    Broken,
    #[error("it answered with status {0}")]
    Status(u16),
    #[error("its answer is too long")]
    TooLong,
    #[error(transparent)]
    Answer(#[from] NoAnswer),
}

/// A policy that is asked over HTTP.
pub struct HttpPolicy {
    host: String,
    port: u16,
    target: String,
    /// The `Host` header.
    named: String,
    tls: Option<(TlsConnector, ServerName<'static>)>,
    timeout: Duration,
    space: String,
    turns: Arc<Semaphore>,
}

impl fmt::Debug for HttpPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpPolicy").field("timeout", &self.timeout).finish_non_exhaustive()
    }
}

impl HttpPolicy {
    /// A policy at this address. Dials nothing yet.
    pub fn new(settings: &PolicySettings) -> Result<HttpPolicy, PolicyError> {
        let uri: Uri = settings.url.parse().map_err(|_| PolicyError::Url)?;
        let secure = match uri.scheme_str() {
            Some("http") => false,
            Some("https") => true,
            _ => return Err(PolicyError::Url),
        };
        let authority = uri.authority().ok_or(PolicyError::Url)?;
        if authority.as_str().contains('@') {
            return Err(PolicyError::Url);
        }
        let host = authority.host().trim_start_matches('[').trim_end_matches(']').to_owned();
        let port = authority.port_u16().unwrap_or(if secure { 443 } else { 80 });
        let tls = if secure {
            let config = authority_client(public_authorities()?, ALPN_HTTP)?;
            let name = ServerName::try_from(host.clone()).map_err(|_| PolicyError::Url)?;
            Some((TlsConnector::from(Arc::new(config)), name))
        } else {
            None
        };
        Ok(HttpPolicy {
            host,
            port,
            target: uri.path_and_query().map_or_else(|| "/".to_owned(), ToString::to_string),
            named: authority.to_string(),
            tls,
            timeout: settings.timeout,
            space: settings.space.clone(),
            turns: Arc::new(Semaphore::new(AT_ONCE)),
        })
    }

    async fn ask(&self, question: Bytes) -> Result<Policy, Failed> {
        let asked = async {
            // Closed never: the semaphore lives as long as this.
            let _turn = self.turns.acquire().await.map_err(|_| Failed::Unreachable)?;
            let tcp = TcpStream::connect((self.host.as_str(), self.port)).await.map_err(|_| Failed::Unreachable)?;
            let _ = tcp.set_nodelay(true);
            match &self.tls {
                None => self.exchange(tcp, question).await,
                Some((tls, name)) => {
                    let secure = tls.connect(name.clone(), tcp).await.map_err(|_| Failed::Unreachable)?;
                    self.exchange(secure, question).await
                }
            }
        };
        timeout(self.timeout, asked).await.map_err(|_| Failed::Late)?
    }

    async fn exchange<S>(&self, io: S, question: Bytes) -> Result<Policy, Failed>
    where
        S: AsyncRead + AsyncWrite + Unpin + Send,
    {
        let (mut sender, connection) = http1::handshake(TokioIo::new(io)).await.map_err(|_| Failed::Broken)?;
        let request = Request::post(&self.target)
            .header(header::HOST, &self.named)
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::ACCEPT, "application/json")
            .header(header::CONNECTION, "close")
            .body(Full::new(question))
            .map_err(|_| Failed::Broken)?;
        let answered = async {
            let reply = sender.send_request(request).await.map_err(|_| Failed::Broken)?;
            if !reply.status().is_success() {
                return Err(Failed::Status(reply.status().as_u16()));
            }
            let body = Limited::new(reply.into_body(), ANSWER_MAX).collect().await.map_err(|e| {
                if e.is::<http_body_util::LengthLimitError>() { Failed::TooLong } else { Failed::Broken }
            })?;
            Ok(answer(&body.to_bytes())?)
        };
        // The connection is driven here and nowhere else: it ends with the question.
        tokio::pin!(connection, answered);
        tokio::select! {
            biased;
            got = &mut answered => return got,
            _ = &mut connection => {}
        }
        answered.await
    }
}

impl Authority for HttpPolicy {
    fn policy<'a>(&'a self, caller: &'a Caller, act: Act, session: &'a SessionId) -> Answer<'a, Policy> {
        Box::pin(async move {
            let Some(question) = question(caller, act, &self.space, session) else { return Policy::Deny };
            match self.ask(question.to_string().into()).await {
                Ok(policy) => policy,
                Err(why) => {
                    tracing::warn!(act = ?act, %why, "the policy gave no answer, so this is refused");
                    Policy::Deny
                }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(url: &str) -> PolicySettings {
        PolicySettings { url: url.into(), timeout: Duration::from_secs(1), space: "home".into() }
    }

    #[test]
    fn what_is_no_address_is_refused_without_being_repeated() {
        for bad in ["", "x", "ftp://a/b", "http://", "/path", "http://user:hush@host/"] {
            let e = HttpPolicy::new(&settings(bad)).unwrap_err();

            assert!(matches!(e, PolicyError::Url), "{bad}");
            assert!(!e.to_string().contains("hush"));
        }
        assert!(HttpPolicy::new(&settings("http://[::1]:9/authorize?space=x")).is_ok());
    }

    #[test]
    fn its_address_is_in_no_debug_output() {
        let s = settings("http://127.0.0.1:1/authorize?key=hush");

        assert!(!format!("{s:?}{:?}", HttpPolicy::new(&s).unwrap()).contains("hush"));
    }
}

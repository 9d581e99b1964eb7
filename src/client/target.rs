//! Where a box is, and by what right one asks.

use std::fmt;
use std::str::FromStr;

use vyre_proto::ids::BoxId;
use vyre_proto::ids::IdError;
use vyre_proto::relay_url::RelayUrl;

/// Why a text is no target.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TargetError {
    /// Another scheme.
    #[error("a box is at http://HOST:PORT, https://HOST:PORT or quic://BOX@HOST:PORT")]
    Scheme,
    /// More than an address.
    #[error("the address of a box ends after its port")]
    Extra,
    /// No host, or no port where one is needed.
    #[error("the address needs a host and a port from 1 to 65535")]
    Place,
    /// Not a box id before the `@`.
    #[error("a quic:// address begins with the box id: {0}")]
    Box(#[from] IdError),
}

/// Over what a relay is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RelayCarrier {
    /// QUIC, and a WebSocket where it does not answer.
    #[default]
    Either,
    /// QUIC alone.
    Quic,
    /// WebSocket alone.
    WebSocket,
}

/// Where a box is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// Its own HTTP listener.
    Web {
        /// HTTPS.
        tls: bool,
        /// Name or address, without brackets.
        host: String,
        /// TCP port.
        port: u16,
    },
    /// Its own QUIC listener.
    Box {
        /// Whose key is believed.
        id: BoxId,
        /// Name or address, without brackets.
        host: String,
        /// UDP port.
        port: u16,
    },
    /// Behind a relay.
    Relay {
        /// The relay.
        url: RelayUrl,
        /// The box.
        id: BoxId,
        /// Over what.
        carrier: RelayCarrier,
    },
}

impl FromStr for Target {
    type Err = TargetError;

    fn from_str(s: &str) -> Result<Self, TargetError> {
        let (scheme, rest) = s.split_once("://").ok_or(TargetError::Scheme)?;
        let rest = rest.strip_suffix('/').unwrap_or(rest);
        if rest.contains(['/', '?', '#']) {
            return Err(TargetError::Extra);
        }
        match scheme {
            "http" | "https" => {
                let tls = scheme == "https";
                let (host, port) = place(rest, Some(if tls { 443 } else { 80 }))?;
                Ok(Target::Web { tls, host, port })
            }
            "quic" => {
                let (id, rest) = rest.split_once('@').ok_or(TargetError::Scheme)?;
                let (host, port) = place(rest, None)?;
                Ok(Target::Box { id: id.parse()?, host, port })
            }
            _ => Err(TargetError::Scheme),
        }
    }
}

/// Host and port; a user name or spaces are no place.
fn place(s: &str, default: Option<u16>) -> Result<(String, u16), TargetError> {
    let colon = s.rfind(':').filter(|i| s.rfind(']').is_none_or(|b| b < *i));
    let (host, port) = match colon {
        Some(i) => (&s[..i], s[i + 1..].parse::<u16>().ok().filter(|p| *p > 0).ok_or(TargetError::Place)?),
        None => (s, default.ok_or(TargetError::Place)?),
    };
    let bare = host.strip_prefix('[').and_then(|h| h.strip_suffix(']')).unwrap_or(host);
    let v6 = bare.contains(':');
    let sound = if v6 {
        bare != host && bare.parse::<std::net::Ipv6Addr>().is_ok()
    } else {
        !bare.is_empty() && bare.bytes().all(|b| b.is_ascii_alphanumeric() || b".-_".contains(&b))
    };
    if sound { Ok((bare.to_owned(), port)) } else { Err(TargetError::Place) }
}

/// `host:port`, with brackets where needed.
pub(super) fn authority(host: &str, port: u16) -> String {
    if host.contains(':') { format!("[{host}]:{port}") } else { format!("{host}:{port}") }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Web { tls, host, port } => {
                write!(f, "{}://{}", if *tls { "https" } else { "http" }, authority(host, *port))
            }
            Self::Box { id, host, port } => write!(f, "quic://{id}@{}", authority(host, *port)),
            Self::Relay { url, id, .. } => write!(f, "box {id} behind {url}"),
        }
    }
}

/// A bearer token. It is sent, and shown nowhere.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// Takes a token as it was printed; spaces around it do not count.
    ///
    /// # Errors
    /// If it could not stand in a header.
    pub fn parse(s: &str) -> Result<Self, TokenError> {
        let s = s.trim();
        if s.is_empty() || s.len() > 512 || !s.bytes().all(|b| b.is_ascii_graphic()) {
            return Err(TokenError);
        }
        Ok(Self(s.to_owned()))
    }

    pub(super) fn secret(&self) -> &str {
        &self.0
    }
}

/// A text that is no token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a token is what `vyre token` printed: letters, digits, - and _")]
pub struct TokenError;

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_come_back_as_they_were_written() {
        let id = BoxId([7; 32]);
        for text in
            ["http://127.0.0.1:8080", "https://box.local:443", "http://[::1]:1", &format!("quic://{id}@10.0.0.1:4433")]
        {
            assert_eq!(text.parse::<Target>().unwrap().to_string(), *text);
        }
        assert_eq!("http://box/".parse::<Target>().unwrap().to_string(), "http://box:80");
    }

    #[test]
    fn what_is_no_target_is_refused() {
        let no_port = format!("quic://{}@host", BoxId([7; 32]));
        for text in [
            "",
            "box",
            "ftp://x",
            "http://",
            "http://a:0",
            "http://a:99999",
            "http://u@a",
            "http://a/v1",
            "http://::1:80",
            "quic://x@a:1",
            "quic://a:1",
            &no_port,
            "http://a b",
        ] {
            assert!(text.parse::<Target>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_token_is_never_printed() {
        assert_eq!(format!("{:?}", Token::parse(" abc\n").unwrap()), "Token(..)");
        assert!(Token::parse("a\r\nb").is_err());
        assert!(Token::parse("").is_err());
    }
}

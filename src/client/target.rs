//! Where a box is, and by what right one asks.

use std::fmt;
use std::net::IpAddr;
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
    /// Both straight and through a relay.
    Both(Box<Both>),
}

/// One box by two paths: straight where that answers, and through a relay where it does not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Both {
    straight: Target,
    relayed: Target,
}

/// Why two targets are not two paths to one box.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BothError {
    /// Not one of each.
    #[error("two paths to a box are its own address and a relay")]
    Kinds,
    /// Two boxes.
    #[error("the address names another box than the one behind the relay")]
    OtherBox,
    /// Whoever has that address on another network would be given the token.
    #[error("beside a relay the address of the box must be quic:// or https://, which a stranger cannot answer at")]
    Clear,
}

impl Both {
    /// Two paths to one box. Which network a machine is on changes, and with it who answers at an address: so the straight
    /// one has to be one at which nobody but the box can answer, or on this machine.
    ///
    /// # Errors
    /// [`BothError`].
    pub fn new(straight: Target, relayed: Target) -> Result<Self, BothError> {
        let Target::Relay { id: behind, .. } = &relayed else { return Err(BothError::Kinds) };
        match &straight {
            Target::Box { id, .. } if id != behind => Err(BothError::OtherBox),
            Target::Web { tls: false, host, .. } if !is_this_machine(host) => Err(BothError::Clear),
            Target::Box { .. } | Target::Web { .. } => Ok(Self { straight, relayed }),
            Target::Relay { .. } | Target::Both(_) => Err(BothError::Kinds),
        }
    }

    /// The box's own address.
    pub fn straight(&self) -> &Target {
        &self.straight
    }

    /// The box behind its relay.
    pub fn relayed(&self) -> &Target {
        &self.relayed
    }
}

fn is_this_machine(host: &str) -> bool {
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
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
            // A straight path may be added and left out again: it is the same box, and what waits for it.
            Self::Both(both) => both.relayed.fmt(f),
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
    fn two_paths_lead_to_one_box_and_no_stranger_is_given_the_token() {
        let (id, pins) = (BoxId([7; 32]), vec![vyre_proto::relay_url::Pin([1; 32])]);
        let url = RelayUrl::new(false, "relay.example", 443, 443, pins).unwrap();
        let relayed = Target::Relay { url, id, carrier: RelayCarrier::Either };
        let both = |straight: &str| Both::new(straight.parse().unwrap(), relayed.clone()).map(|_| ());
        assert_eq!(both(&format!("quic://{id}@192.168.1.5:4433")), Ok(()));
        assert_eq!(both("https://box.example"), Ok(()));
        assert_eq!(both("http://127.0.0.1:8080"), Ok(()));
        assert_eq!(both("http://192.168.1.5:8080"), Err(BothError::Clear));
        assert_eq!(both(&format!("quic://{}@10.0.0.1:1", BoxId([8; 32]))), Err(BothError::OtherBox));
        assert_eq!(Both::new(relayed.clone(), relayed.clone()), Err(BothError::Kinds));
        let straight: Target = "https://box.example".parse().unwrap();
        assert_eq!(Both::new(relayed, straight), Err(BothError::Kinds));
    }

    #[test]
    fn a_token_is_never_printed() {
        assert_eq!(format!("{:?}", Token::parse(" abc\n").unwrap()), "Token(..)");
        assert!(Token::parse("a\r\nb").is_err());
        assert!(Token::parse("").is_err());
    }
}

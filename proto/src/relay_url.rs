//! Where a relay is and how one knows it: what every `--relay` takes.
//!
//! `https://HOST:HTTPPORT/?quic=QUICPORT&key=PIN`. Without `key`, the relay's certificate must be vouched for by a
//! public authority. Two keys (`key=A&key=B`) stand while a relay moves from one to the other: either is accepted.
//! `http://` says that the relay's HTTP side is plain, which is for tests and for a proxy in front of it; QUIC is
//! encrypted and pinned all the same.

use std::fmt;
use std::net::Ipv6Addr;
use std::str::FromStr;

use data_encoding::BASE32_NOPAD;

/// Most keys that an address may carry.
pub const PINS_MAX: usize = 4;

/// Longest address in bytes.
const URL_MAX: usize = 2048;

/// Why a text is not a relay's address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RelayUrlError {
    /// Neither `https://` nor `http://`.
    #[error("a relay's address begins with https:// or http://")]
    Scheme,
    /// No host, or one that is neither a name nor an address.
    #[error("a relay's address needs a host: a name, an IPv4 address, or an IPv6 address in brackets")]
    Host,
    /// A port that is not 1 to 65535.
    #[error("{what} must be a port from 1 to 65535")]
    Port {
        /// Which one.
        what: &'static str,
    },
    /// A key that is not one.
    #[error("key must be 52 characters of lowercase base32, as the relay prints it")]
    Key,
    /// More than [`PINS_MAX`] keys.
    #[error("a relay's address holds at most {PINS_MAX} keys")]
    ManyKeys,
    /// Something after the host that does not belong there.
    #[error("a relay's address has no {what}")]
    Extra {
        /// What it is.
        what: &'static str,
    },
    /// Over 2048 bytes.
    #[error("a relay's address has at most 2048 bytes")]
    Long,
}

/// A relay by its key: SHA-256 of the SubjectPublicKeyInfo. As text: lowercase unpadded base32, 52 characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pin(pub [u8; 32]);

impl FromStr for Pin {
    type Err = RelayUrlError;

    fn from_str(s: &str) -> Result<Self, RelayUrlError> {
        if s.len() != 52 || s.bytes().any(|b| b.is_ascii_uppercase()) {
            return Err(RelayUrlError::Key);
        }
        let bytes = BASE32_NOPAD.decode(s.to_ascii_uppercase().as_bytes()).map_err(|_| RelayUrlError::Key)?;
        Ok(Self(bytes.try_into().map_err(|_| RelayUrlError::Key)?))
    }
}

impl fmt::Display for Pin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&BASE32_NOPAD.encode(&self.0).to_ascii_lowercase())
    }
}

impl fmt::Debug for Pin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A relay's address. Two that are equal print the same.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RelayUrl {
    plain: bool,
    host: String,
    http_port: u16,
    quic_port: u16,
    pins: Vec<Pin>,
}

impl RelayUrl {
    /// Checks and takes the parts. `host` is a name, an IPv4 address or an IPv6 address (brackets or not).
    ///
    /// # Errors
    /// Says which part is not as it must be.
    pub fn new(plain: bool, host: &str, http_port: u16, quic_port: u16, pins: Vec<Pin>) -> Result<Self, RelayUrlError> {
        if http_port == 0 {
            return Err(RelayUrlError::Port { what: "the port" });
        }
        if quic_port == 0 {
            return Err(RelayUrlError::Port { what: "quic" });
        }
        if pins.len() > PINS_MAX {
            return Err(RelayUrlError::ManyKeys);
        }
        Ok(Self { plain, host: parse_host(host)?, http_port, quic_port, pins })
    }

    /// The HTTP side is not encrypted.
    pub fn is_plain(&self) -> bool {
        self.plain
    }

    /// A name or an address, without brackets: what a resolver and a TLS client take.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// Port of HTTPS and WebSocket, on TCP.
    pub fn http_port(&self) -> u16 {
        self.http_port
    }

    /// Port of QUIC, on UDP.
    pub fn quic_port(&self) -> u16 {
        self.quic_port
    }

    /// Keys that the relay may have. None: a public authority vouches for it.
    pub fn pins(&self) -> &[Pin] {
        &self.pins
    }

    /// `host:port` of the HTTP side, with brackets where needed: what a `Host` header holds.
    pub fn http_authority(&self) -> String {
        format!("{}:{}", self.bracketed(), self.http_port)
    }

    fn bracketed(&self) -> String {
        if self.host.contains(':') { format!("[{}]", self.host) } else { self.host.clone() }
    }
}

/// A host in its one form: lowercase, without brackets.
fn parse_host(s: &str) -> Result<String, RelayUrlError> {
    let bare = s.strip_prefix('[').and_then(|s| s.strip_suffix(']'));
    if let Some(v6) = bare.or_else(|| s.contains(':').then_some(s)) {
        return v6.parse::<Ipv6Addr>().map(|a| a.to_string()).map_err(|_| RelayUrlError::Host);
    }
    let label = |l: &str| {
        !l.is_empty()
            && l.len() <= 63
            && !l.starts_with('-')
            && !l.ends_with('-')
            && l.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
    };
    if s.is_empty() || s.len() > 253 || !s.split('.').all(label) {
        return Err(RelayUrlError::Host);
    }
    Ok(s.to_ascii_lowercase())
}

fn parse_port(what: &'static str, s: &str) -> Result<u16, RelayUrlError> {
    // `parse` alone would take a sign.
    match s.parse::<u16>() {
        Ok(p) if p > 0 && s.bytes().all(|b| b.is_ascii_digit()) => Ok(p),
        _ => Err(RelayUrlError::Port { what }),
    }
}

impl FromStr for RelayUrl {
    type Err = RelayUrlError;

    fn from_str(s: &str) -> Result<Self, RelayUrlError> {
        if s.len() > URL_MAX {
            return Err(RelayUrlError::Long);
        }
        let (plain, rest) = match (s.strip_prefix("https://"), s.strip_prefix("http://")) {
            (Some(rest), _) => (false, rest),
            (None, Some(rest)) => (true, rest),
            (None, None) => return Err(RelayUrlError::Scheme),
        };
        if rest.contains('#') {
            return Err(RelayUrlError::Extra { what: "fragment" });
        }
        let (place, query) = rest.split_once('?').unwrap_or((rest, ""));
        let (authority, path) = place.split_once('/').unwrap_or((place, ""));
        if !path.is_empty() {
            return Err(RelayUrlError::Extra { what: "path" });
        }
        if authority.contains('@') {
            return Err(RelayUrlError::Extra { what: "user name" });
        }
        // The colon of a port stands behind the bracket that closes an IPv6 address.
        let colon = authority.rfind(':').filter(|i| authority.rfind(']').is_none_or(|b| b < *i));
        let (host, http_port) = match colon {
            Some(i) => (&authority[..i], parse_port("the port", &authority[i + 1..])?),
            None => (authority, if plain { 80 } else { 443 }),
        };
        if host.contains(':') && !host.starts_with('[') {
            return Err(RelayUrlError::Host);
        }
        let (mut quic_port, mut pins) = (http_port, Vec::new());
        // Parameters of a later version are left alone.
        for pair in query.split('&') {
            match pair.split_once('=') {
                Some(("quic", v)) => quic_port = parse_port("quic", v)?,
                Some(("key", v)) => pins.push(v.parse()?),
                _ => {}
            }
        }
        Self::new(plain, host, http_port, quic_port, pins)
    }
}

impl fmt::Display for RelayUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.plain { "http" } else { "https" };
        write!(f, "{scheme}://{}:{}/?quic={}", self.bracketed(), self.http_port, self.quic_port)?;
        for pin in &self.pins {
            write!(f, "&key={pin}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn host() -> impl Strategy<Value = String> {
        prop_oneof![
            "[a-z][a-z0-9]{0,10}(\\.[a-z0-9]{1,8}){0,3}",
            any::<[u8; 4]>().prop_map(|a| std::net::Ipv4Addr::from(a).to_string()),
            any::<[u8; 16]>().prop_map(|a| Ipv6Addr::from(a).to_string()),
        ]
    }

    #[test]
    fn the_printed_form_is_the_documented_one() {
        let pin = Pin([9; 32]);
        let url = RelayUrl::new(false, "relay.example.org", 8443, 4433, vec![pin]).unwrap();
        assert_eq!(url.to_string(), format!("https://relay.example.org:8443/?quic=4433&key={pin}"));
        assert_eq!(pin.to_string().len(), 52);
    }

    #[test]
    fn ports_have_defaults() {
        let url: RelayUrl = "https://relay.example.org".parse().unwrap();
        assert_eq!((url.http_port(), url.quic_port(), url.pins().len()), (443, 443, 0));
        let url: RelayUrl = "http://[::1]:8080/?later=1".parse().unwrap();
        assert_eq!((url.host(), url.http_port(), url.quic_port()), ("::1", 8080, 8080));
        assert_eq!(url.http_authority(), "[::1]:8080");
    }

    #[test]
    fn two_keys_stand_side_by_side_and_five_do_not() {
        let keys: String = (0..5).map(|i| format!("&key={}", Pin([i; 32]))).collect();
        let two = format!("https://r:1/?quic=2{}", &keys[..keys.len() / 5 * 2]);
        assert_eq!(two.parse::<RelayUrl>().unwrap().pins(), [Pin([0; 32]), Pin([1; 32])]);
        assert_eq!(format!("https://r:1/?quic=2{keys}").parse::<RelayUrl>(), Err(RelayUrlError::ManyKeys));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let cases = [
            ("relay.example.org:443", RelayUrlError::Scheme),
            ("ws://r", RelayUrlError::Scheme),
            ("https://", RelayUrlError::Host),
            ("https://a b", RelayUrlError::Host),
            ("https://::1", RelayUrlError::Host),
            ("https://[::1", RelayUrlError::Host),
            ("https://r:0", RelayUrlError::Port { what: "the port" }),
            ("https://r:+1", RelayUrlError::Port { what: "the port" }),
            ("https://r:70000", RelayUrlError::Port { what: "the port" }),
            ("https://r:1/?quic=0", RelayUrlError::Port { what: "quic" }),
            ("https://r:1/?key=short", RelayUrlError::Key),
            ("https://r:1/b/", RelayUrlError::Extra { what: "path" }),
            ("https://me@r:1/", RelayUrlError::Extra { what: "user name" }),
            ("https://r:1/#x", RelayUrlError::Extra { what: "fragment" }),
        ];
        for (text, want) in cases {
            assert_eq!(text.parse::<RelayUrl>(), Err(want), "{text}");
        }
    }

    proptest! {
        #[test]
        fn an_address_survives_its_text(
            plain: bool, host in host(), http in 1u16.., quic in 1u16.., keys in prop::collection::vec(any::<[u8; 32]>(), 0..=PINS_MAX),
        ) {
            let url = RelayUrl::new(plain, &host, http, quic, keys.into_iter().map(Pin).collect()).unwrap();
            prop_assert_eq!(url.to_string().parse::<RelayUrl>().unwrap(), url);
        }

        #[test]
        fn no_text_makes_it_panic_and_what_passes_has_one_form(text in "(https://)?[ -~]{0,60}") {
            if let Ok(url) = text.parse::<RelayUrl>() {
                prop_assert_eq!(url.to_string().parse::<RelayUrl>().unwrap(), url);
            }
        }
    }
}

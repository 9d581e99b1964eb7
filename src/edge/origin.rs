//! Which web pages may talk to this box.
//!
//! A browser sends requests to addresses at home for any page that asks it to. So a request that names a foreign
//! `Origin` is refused, whatever else it brings, and a direct one must name the box in `Host` by an address, by
//! `localhost` or by a name from the settings: a page's own name that was made to point here is none of those. Programs
//! that are not browsers send no `Origin` and are not concerned.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use hyper::HeaderMap;
use hyper::header;

/// A page's origin, `scheme://host[:port]`, taken apart. Two are equal if a browser would call them the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    secure: bool,
    host: String,
    port: u16,
}

/// It is not of the form `http://host`, `https://host` or with a port behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an origin is http:// or https://, a host and perhaps a port, and nothing behind it")]
pub struct NotAnOrigin;

impl FromStr for Origin {
    type Err = NotAnOrigin;

    fn from_str(s: &str) -> Result<Self, NotAnOrigin> {
        let (secure, rest) = match s.split_once("://") {
            Some(("http", rest)) => (false, rest),
            Some(("https", rest)) => (true, rest),
            _ => return Err(NotAnOrigin),
        };
        let (host, port) = host_and_port(rest).ok_or(NotAnOrigin)?;
        Ok(Self { secure, host, port: port.unwrap_or(if secure { 443 } else { 80 }) })
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.secure { "https" } else { "http" };
        write!(f, "{scheme}://{}:{}", self.host, self.port)
    }
}

/// Host in lower case and port. `None`: neither a name nor an address.
fn host_and_port(s: &str) -> Option<(String, Option<u16>)> {
    let (host, port) = match s.strip_prefix('[') {
        Some(rest) => {
            let (inside, behind) = rest.split_once(']')?;
            inside.parse::<std::net::Ipv6Addr>().ok()?;
            (&s[..inside.len() + 2], behind)
        }
        None => s.split_at(s.find(':').unwrap_or(s.len())),
    };
    let named = |c: char| c.is_ascii_alphanumeric() || "-._[]:".contains(c);
    if host.is_empty() || !host.chars().all(named) {
        return None;
    }
    let port = match port.strip_prefix(':') {
        Some(digits) => Some(digits.parse().ok()?),
        None if port.is_empty() => None,
        None => return None,
    };
    Some((host.trim_end_matches('.').to_ascii_lowercase(), port))
}

/// Which hosts name this box, and which foreign pages may talk to it.
#[derive(Debug, Clone, Default)]
pub struct Pages {
    /// Names of this box beside its addresses and `localhost`.
    pub names: Vec<String>,
    /// Pages of other origins that may talk to it.
    pub origins: Vec<Origin>,
}

/// Why a request is refused at the door.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Foreign {
    /// `Host` does not name this box.
    #[error("the Host header does not name this box; use its address, or add the name with --name")]
    Host,
    /// The page may not talk to it.
    #[error("pages of this origin may not talk to this box; its owner allows one with --origin")]
    Origin,
}

impl Pages {
    /// A request that came straight to the box.
    pub fn check_direct(&self, headers: &HeaderMap) -> Result<(), Foreign> {
        let (host, _) = host_of(headers).ok_or(Foreign::Host)?;
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        let ours = bare.parse::<IpAddr>().is_ok()
            || host == "localhost"
            || self.names.iter().any(|n| n.eq_ignore_ascii_case(&host));
        if ours { self.check_origin(headers) } else { Err(Foreign::Host) }
    }

    /// A request that a relay carried here: its `Host` names the relay.
    pub fn check_relayed(&self, headers: &HeaderMap) -> Result<(), Foreign> {
        self.check_origin(headers)
    }

    /// The allowed foreign origin of a request, for the headers that let a browser read the answer.
    pub fn allowed<'a>(&self, headers: &'a HeaderMap) -> Option<&'a str> {
        let text = one(headers, header::ORIGIN)?;
        let origin: Origin = text.parse().ok()?;
        self.origins.contains(&origin).then_some(text)
    }

    fn check_origin(&self, headers: &HeaderMap) -> Result<(), Foreign> {
        if headers.contains_key(header::ORIGIN) {
            let origin: Origin = one(headers, header::ORIGIN).and_then(|o| o.parse().ok()).ok_or(Foreign::Origin)?;
            let own = host_of(headers).is_some_and(|(host, port)| {
                let default = if origin.secure { 443 } else { 80 };
                host == origin.host && port.unwrap_or(default) == origin.port
            });
            return if own || self.origins.contains(&origin) { Ok(()) } else { Err(Foreign::Origin) };
        }
        // A browser that sends no origin still says when a page of another site asks.
        match headers.get("sec-fetch-site").map(|v| v.as_bytes()) {
            None | Some(b"same-origin" | b"none") => Ok(()),
            Some(_) => Err(Foreign::Origin),
        }
    }
}

/// The only value of a header; `None` where there is none, or several, or it is not text.
fn one(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    let mut all = headers.get_all(name).iter();
    let first = all.next()?.to_str().ok()?;
    all.next().is_none().then_some(first)
}

fn host_of(headers: &HeaderMap) -> Option<(String, Option<u16>)> {
    host_and_port(one(headers, header::HOST)?)
}

#[cfg(test)]
mod tests {
    use hyper::header::HeaderName;
    use hyper::header::HeaderValue;

    use super::*;

    fn headers(list: &[(&'static str, &str)]) -> HeaderMap {
        list.iter().map(|(n, v)| (HeaderName::from_static(n), HeaderValue::from_str(v).unwrap())).collect()
    }

    fn pages() -> Pages {
        Pages { names: vec!["box.home".into()], origins: vec!["https://app.example".parse().unwrap()] }
    }

    fn direct(list: &[(&'static str, &str)]) -> Result<(), Foreign> {
        pages().check_direct(&headers(list))
    }

    #[test]
    fn programs_without_an_origin_come_in() {
        for host in
            ["127.0.0.1:8080", "[::1]:8080", "192.168.1.5", "localhost:1", "LOCALHOST", "box.home", "Box.Home:80"]
        {
            assert_eq!(direct(&[("host", host)]), Ok(()), "{host}");
        }
    }

    #[test]
    fn a_name_that_was_made_to_point_here_is_not_the_box() {
        for host in [
            "evil.example",
            "evil.example:8080",
            "127.0.0.1.evil.example",
            "localhost.evil.example",
            "x@127.0.0.1",
            "",
            "[::1",
            "127.0.0.1:x",
        ] {
            assert_eq!(direct(&[("host", host)]), Err(Foreign::Host), "{host}");
        }
        assert_eq!(direct(&[]), Err(Foreign::Host));
        assert_eq!(direct(&[("host", "127.0.0.1"), ("host", "evil.example")]), Err(Foreign::Host));
    }

    #[test]
    fn a_page_of_another_origin_is_refused() {
        for origin in [
            "null",
            "http://evil.example",
            "http://127.0.0.1:8080.evil.example",
            "http://evil.example/http://127.0.0.1:8080",
            "http://127.0.0.1:8081",
            "http://127.0.0.1:80800",
            "https://127.0.0.1",
            "http://localhost:8080",
            "file://",
            "",
            "https://app.example.evil.example",
            "http://app.example",
        ] {
            assert_eq!(direct(&[("host", "127.0.0.1:8080"), ("origin", origin)]), Err(Foreign::Origin), "{origin}");
        }
        let twice =
            [("host", "127.0.0.1:8080"), ("origin", "http://127.0.0.1:8080"), ("origin", "http://evil.example")];
        assert_eq!(direct(&twice), Err(Foreign::Origin));
    }

    #[test]
    fn the_boxs_own_pages_and_named_ones_come_in() {
        assert_eq!(direct(&[("host", "127.0.0.1:8080"), ("origin", "http://127.0.0.1:8080")]), Ok(()));
        assert_eq!(direct(&[("host", "[::1]:8080"), ("origin", "http://[::1]:8080")]), Ok(()));
        assert_eq!(direct(&[("host", "box.home"), ("origin", "http://box.home")]), Ok(()));
        assert_eq!(direct(&[("host", "127.0.0.1:8080"), ("origin", "https://app.example")]), Ok(()));
        assert_eq!(direct(&[("host", "127.0.0.1:8080"), ("origin", "https://app.example:443")]), Ok(()));
    }

    #[test]
    fn a_foreign_page_that_hides_its_origin_is_refused() {
        assert_eq!(direct(&[("host", "127.0.0.1"), ("sec-fetch-site", "cross-site")]), Err(Foreign::Origin));
        assert_eq!(direct(&[("host", "127.0.0.1"), ("sec-fetch-site", "none")]), Ok(()));
    }

    #[test]
    fn over_a_relay_the_host_is_the_relays() {
        let relayed = |list: &[(&'static str, &str)]| pages().check_relayed(&headers(list));

        assert_eq!(relayed(&[]), Ok(()));
        assert_eq!(relayed(&[("host", "relay.example")]), Ok(()));
        assert_eq!(relayed(&[("origin", "https://app.example")]), Ok(()));
        assert_eq!(relayed(&[("origin", "https://evil.example")]), Err(Foreign::Origin));
    }
}

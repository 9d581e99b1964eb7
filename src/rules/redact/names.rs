//! Which names say that their value is secret.

/// Last parts of a name that make it secret.
const SECRET: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "pass",
    "secret",
    "secrets",
    "token",
    "apikey",
    "accesskey",
    "privatekey",
    "presharedkey",
    "secretkey",
    "authkey",
    "accesstoken",
    "authtoken",
    "refreshtoken",
    "clientsecret",
    "credential",
    "credentials",
    "csrftoken",
    "xsrftoken",
    "sessionid",
    "jsessionid",
    "phpsessid",
    "srcstorepass",
    "deststorepass",
    "srckeypass",
    "destkeypass",
    "storepass",
    "keypass",
    "sshpass",
    "requirepass",
    "masterauth",
    "mnemonic",
    "seedphrase",
    "psk",
    "bearer",
];

/// What stands in front of `key` and makes it secret.
pub(super) const SECRET_KEYS: &[&str] = &[
    "api",
    "access",
    "private",
    "secret",
    "auth",
    "signing",
    "encryption",
    "master",
    "session",
    "account",
    "license",
    "deploy",
    "service",
    "app",
    "client",
    "preshared",
    "shared",
    "subscription",
    "functions",
    "logged",
    "nonce",
    "jwt",
    "hmac",
    "cookie",
    "host",
];

/// Names that are secret in an address only.
const IN_QUERY: &[&str] = &["ticket", "key", "sig", "signature", "code", "t"];

/// Whether this name is secret in an address: `?sig=`, `&X-Amz-Signature=`.
pub(super) fn is_secret_in_query(name: &[u8]) -> bool {
    let last = name.rsplit(|c| matches!(c, b'-' | b'_')).next().unwrap_or_default();
    is_one_of(name, IN_QUERY) || is_one_of(last, &["signature", "sig"])
}

/// Last parts that say something about a secret without being it.
const ABOUT: &[&str] = &[
    "file", "path", "name", "id", "ids", "length", "len", "min", "max", "policy", "type", "manager", "dir", "field",
    "version", "arn", "ref", "count", "expires", "expiry", "ttl", "url", "env", "var", "prompt", "hint", "stdin", "fd",
    "limit", "size", "format", "pattern", "store", "provider", "label", "title", "error", "errors", "required",
    "enabled", "rotation", "kind", "status",
];

/// How many parts a name has.
pub(super) fn parts(name: &[u8]) -> usize {
    let mut parts = Parts { name };
    let mut count = 0;
    while parts.next().is_some() {
        count += 1;
    }
    count
}

pub(super) fn is_secret_name(name: &[u8]) -> bool {
    let mut parts = Parts { name };
    let (mut last, mut one_before): (&[u8], &[u8]) = (b"", b"");
    let (mut count, mut has_secret) = (0, false);
    while let Some(part) = parts.next() {
        (one_before, last) = (last, part);
        count += 1;
        has_secret |= is_one_of(part, &["password", "passwd", "passphrase", "secret"]);
    }
    is_one_of(last, SECRET)
        || is_one_of(name, &["connect.sid"])
        || (count > 1 && is_one_of(last, &["pwd", "auth", "pw"]))
        || (is_one_of(last, &["key"]) && is_one_of(one_before, SECRET_KEYS))
        || (is_one_of(last, &["data"]) && is_one_of(one_before, &["key"]))
        || (has_secret && !is_one_of(last, ABOUT))
        || (count == 1 && [&b"password"[..], b"passphrase"].iter().any(|end| ends_with(last, end)))
}

fn ends_with(part: &[u8], end: &[u8]) -> bool {
    part.len() >= end.len() && part[part.len() - end.len()..].eq_ignore_ascii_case(end)
}

pub(super) fn is_one_of(part: &[u8], words: &[&str]) -> bool {
    words.iter().any(|w| part.eq_ignore_ascii_case(w.as_bytes()))
}

/// The parts of a name: `DB_PASSWORD`, `api-key`, `authToken`. An empty part in front counts, as in `_auth`.
struct Parts<'a> {
    name: &'a [u8],
}

impl<'a> Parts<'a> {
    fn next(&mut self) -> Option<&'a [u8]> {
        let name = self.name;
        if name.is_empty() {
            return None;
        }
        let end = (0..name.len())
            .find(|&j| {
                matches!(name[j], b'_' | b'-' | b'.')
                    || (j > 0 && name[j].is_ascii_uppercase() && name[j - 1].is_ascii_lowercase())
            })
            .unwrap_or(name.len());
        let skip = usize::from(name.get(end).is_some_and(|c| matches!(c, b'_' | b'-' | b'.')));
        self.name = &name[end + skip..];
        Some(&name[..end])
    }
}

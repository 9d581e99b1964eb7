//! What is a secret by its own shape, wherever it stands.

use std::ops::Range;

use crate::rules::redact::values::is_quote;
use crate::rules::redact::values::run;

/// Beginnings of tokens, and how many token characters follow at least.
pub(super) const BEGINNINGS: &[(&str, usize)] = &[
    ("AGE-SECRET-KEY-", 32),
    ("AIza", 30),
    ("AKIA", 16),
    ("ASIA", 16),
    ("ATATT", 20),
    ("ATBB", 16),
    ("CCIPAT_", 16),
    ("CFPAT-", 20),
    ("EZAK", 40),
    ("FLWSECK", 12),
    ("GOCSPX-", 16),
    ("HRKU-", 24),
    ("LTAI", 16),
    ("NRAK-", 16),
    ("PMAK-", 24),
    ("SG.", 20),
    ("access-development-", 24),
    ("access-production-", 24),
    ("access-sandbox-", 24),
    ("bkua_", 16),
    ("cfat_", 16),
    ("cio", 32),
    ("dapi", 32),
    ("dckr_pat_", 16),
    ("doo_v1_", 16),
    ("dop_v1_", 16),
    ("dor_v1_", 16),
    ("dp.pt.", 16),
    ("dt0c01.", 20),
    ("duffel_live_", 16),
    ("eyJ", 24),
    ("figd_", 16),
    ("fm1", 32),
    ("fm2_", 24),
    ("gho_", 16),
    ("ghp_", 16),
    ("ghr_", 16),
    ("ghs_", 16),
    ("ghu_", 16),
    ("github_pat_", 16),
    ("glagent-", 16),
    ("glc_", 24),
    ("glcbt-", 16),
    ("gldt-", 16),
    ("glft-", 16),
    ("glpat-", 16),
    ("glptt-", 16),
    ("glrt-", 16),
    ("glsa_", 16),
    ("gsk_", 16),
    ("hf_", 16),
    ("hvb.", 20),
    ("hvs.", 20),
    ("key-", 32),
    ("lin_api_", 16),
    ("nfp_", 16),
    ("npm_", 16),
    ("ntn_", 16),
    ("nvapi-", 16),
    ("oy2", 40),
    ("ops_eyJ", 24),
    ("pplx-", 16),
    ("pscale_", 24),
    ("pul-", 32),
    ("pypi-", 16),
    ("r8_", 16),
    ("rdme_", 32),
    ("rk_live_", 16),
    ("rk_test_", 16),
    ("rubygems_", 32),
    ("sbp_", 24),
    ("secret_", 32),
    ("sess-", 24),
    ("shippo_live_", 16),
    ("shpat_", 16),
    ("shpca_", 16),
    ("shppa_", 16),
    ("shpss_", 16),
    ("sk-", 16),
    ("sk.eyJ", 24),
    ("sk_live_", 16),
    ("sk_test_", 16),
    ("sl.", 40),
    ("sntrys_", 16),
    ("sntryu_", 16),
    ("sq0atp-", 16),
    ("sq0csp-", 16),
    ("tfp_", 24),
    ("tskey-", 16),
    ("whsec_", 16),
    ("xai-", 16),
    ("xapp-", 16),
    ("xox", 16),
    ("ya29.", 16),
];

/// Where in [`BEGINNINGS`], which is in order, those with this first byte stand: most words begin none.
const BY_FIRST: [(u8, u8); 256] = {
    let mut by = [(0, 0); 256];
    let mut n = 0;
    while n < BEGINNINGS.len() {
        let first = BEGINNINGS[n].0.as_bytes()[0] as usize;
        if by[first].1 == 0 {
            by[first].0 = n as u8;
        }
        by[first].1 = n as u8 + 1;
        n += 1;
    }
    by
};

/// Beginnings behind which only so many hexadecimal digits make a token; with anything else they are words.
const HEXADECIMAL: &[&str] = &["key-", "dapi", "pul-", "rubygems_", "rdme_"];

/// Private keys in base64: `-----BEGIN PRIVATE` and its like.
const ENCODED_KEYS: &[&str] = &[
    "LS0tLS1CRUdJTiBQUklWQVRF",
    "LS0tLS1CRUdJTiBSU0EgUFJJVkFUR",
    "LS0tLS1CRUdJTiBFQyBQUklWQVRF",
    "LS0tLS1CRUdJTiBEU0EgUFJJVkFUR",
    "LS0tLS1CRUdJTiBPUEVOU1NIIFBSSVZBVE",
    "LS0tLS1CRUdJTiBFTkNSWVBURUQgUFJJVkFUR",
    "LS0tLS1CRUdJTiBQR1AgUFJJVkFUR",
];

/// Addresses that are secret from here on.
const ADDRESSES: &[&str] = &[
    "hooks.slack.com/services/",
    "hooks.slack.com/workflows/",
    "discord.com/api/webhooks/",
    "discordapp.com/api/webhooks/",
    "outlook.office.com/webhook/",
    "webhook.office.com/webhookb2/",
    "hooks.zapier.com/hooks/catch/",
    "maker.ifttt.com/use/",
];

/// Hashes of passwords begin so.
const HASHES: &[&str] = &[
    "$1$",
    "$2a$",
    "$2b$",
    "$2y$",
    "$5$",
    "$6$",
    "$7$",
    "$y$",
    "$apr1$",
    "$argon2",
    "$pbkdf2",
    "$scrypt$",
    "{CRYPT}",
    "{SHA}",
    "{SSHA}",
    "{SSHA256}",
    "{SSHA512}",
];

/// Longest token whose end is looked for to tell whether it is one; the rest goes with it all the same.
const LOOK: usize = 256;

fn is_part(c: u8) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, b'-' | b'_' | b'.')
}

/// A token that begins here, where a word begins.
pub(super) fn token(b: &[u8], i: usize) -> Option<Range<usize>> {
    // Inside a name with dashes or dots no token begins.
    if i > 0 && matches!(b[i - 1], b'-' | b'.') {
        return None;
    }
    known(b, i).or_else(|| address(b, i)).or_else(|| shaped(b, i))
}

fn known(b: &[u8], i: usize) -> Option<Range<usize>> {
    let rest = &b[i..];
    let (from, to) = BY_FIRST[usize::from(*rest.first()?)];
    if rest.starts_with(b"LS0t") && ENCODED_KEYS.iter().any(|p| rest.starts_with(p.as_bytes())) {
        return Some(i..run(b, i, |c| c.is_ascii_alphanumeric() || matches!(c, b'+' | b'/' | b'=' | b'-' | b'_')));
    }
    let of = |(p, least): &&(&str, usize)| {
        let random = |tail: &[u8]| match *p {
            // A signed token has its three parts; words in small letters are a name: `sk-learn-something-long`.
            "eyJ" => tail.contains(&b'.'),
            p if HEXADECIMAL.contains(&p) => tail.iter().take(*least).all(u8::is_ascii_hexdigit),
            _ => tail.iter().any(|c| c.is_ascii_digit() || c.is_ascii_uppercase()),
        };
        rest.starts_with(p.as_bytes()) && {
            let start = i + p.len();
            let tail = &b[start..run(b, start, is_part)];
            tail.len() >= *least && random(tail)
        }
    };
    BEGINNINGS[usize::from(from)..usize::from(to)].iter().find(of).map(|_| i..run(b, i, is_part))
}

fn address(b: &[u8], i: usize) -> Option<Range<usize>> {
    let rest = &b[i..];
    if !matches!(rest.first(), Some(b'h' | b'd' | b'o' | b'w' | b'm')) {
        return None;
    }
    let begins = ADDRESSES.iter().find(|p| rest.starts_with(p.as_bytes()))?;
    let mut start = i + begins.len();
    if begins.starts_with("discord") {
        // The number of the hook is none; what is behind it is.
        let number = run(b, start, |c| c.is_ascii_digit());
        start = if b.get(number) == Some(&b'/') { number + 1 } else { start };
    }
    let end = run(b, start, |c| !(c.is_ascii_whitespace() || is_quote(c) || matches!(c, b'<' | b'>' | b')')));
    (end >= start + 8).then_some(start..end)
}

/// Tokens that are known by the lengths of their parts.
fn shaped(b: &[u8], i: usize) -> Option<Range<usize>> {
    let near = &b[..b.len().min(i + LOOK)];
    let word = |c: u8| c.is_ascii_alphanumeric() || matches!(c, b'-' | b'_');
    // The token of a chat's bot: 8 to 10 digits, a colon, and 35 characters of which the first are `AA`.
    let digits = if b[i..].starts_with(b"bot") { i + 3 } else { i };
    let colon = run(near, digits, |c| c.is_ascii_digit());
    if (8..=10).contains(&(colon - digits)) && near[colon..].starts_with(b":AA") {
        let end = run(b, colon + 1, word);
        return (end - colon > 30).then_some(digits..end);
    }
    let first = run(near, i, word);
    let part = &near[i..first];
    // Thirty-two hexadecimal digits and where they belong: `-us14`.
    let hex = run(near, i, |c| c.is_ascii_hexdigit());
    if hex - i == 32 && near[hex..].starts_with(b"-us") && near.get(hex + 3).is_some_and(u8::is_ascii_digit) {
        return Some(i..run(b, hex, is_part));
    }
    if near.get(first) != Some(&b'.') {
        return None;
    }
    let mixed = |p: &[u8]| p.iter().any(u8::is_ascii_digit) && p.iter().any(u8::is_ascii_uppercase);
    let second = run(near, first + 1, word);
    let third = run(near, second + 1, word);
    let len = second - first - 1;
    let found = match part.len() {
        1 => part == b"s" && len >= 24 && mixed(&near[first + 1..second]) && near.get(second) != Some(&b'.'),
        14 => near[first..].starts_with(b".atlasv1.") && third > second + 16,
        17 => part.starts_with(b"pat") && len >= 40 && near[first + 1..second].iter().all(u8::is_ascii_hexdigit),
        23..=30 => {
            (6..=7).contains(&len)
                && near.get(second) == Some(&b'.')
                && third > second + 27
                && mixed(part)
                && mixed(&near[second + 1..third])
        }
        _ => false,
    };
    found.then(|| i..run(b, i, is_part))
}

/// The hash of a password, as in a table of users.
pub(super) fn hash(b: &[u8], i: usize) -> Option<Range<usize>> {
    let rest = &b[i..];
    let begins = HASHES.iter().find(|h| rest.starts_with(h.as_bytes()))?;
    let of = |c: u8| {
        c.is_ascii_alphanumeric() || matches!(c, b'$' | b'{' | b'}' | b'.' | b'/' | b'+' | b'=' | b',' | b'-' | b'_')
    };
    let end = run(b, i, of);
    (end >= i + begins.len() + 16).then_some(i..end)
}

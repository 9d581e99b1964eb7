use proptest::prelude::*;

use super::*;

/// Each `«…»` is what has to go; with them taken off, the text goes in.
fn check(marked: &str) {
    let text = marked.replace(['«', '»'], "");
    let mut want = String::new();
    for (n, piece) in marked.split(['«', '»']).enumerate() {
        want.push_str(if n % 2 == 1 { MARK } else { piece });
    }
    assert_eq!(redact(&text), want, "{marked}");
    assert_eq!(redact(&want), want, "again: {marked}");
}

#[test]
fn secrets_go_and_what_is_around_them_stays() {
    for marked in [
        "export API_KEY=«abc»",
        "export OPENAI_API_KEY=\"«ab cd»\" && run",
        "FOO_TOKEN='«x»' BAR=1 ./go",
        "DB_PASSWORD = «hunter2»\nnext = 1",
        "mysql --password=«geheim» -u root",
        "tool --password «geheim» --port 80",
        "tool --api-key \"«a b»\" x",
        "tool --token «t0» --token-file f",
        "curl -u robin:«pw» https://a.example/x",
        "curl --user 'robin:«p w»' x",
        "curl -H 'Authorization: «Bearer abc def»' https://a.example",
        "curl -H \"authorization:«Basic abc=»\" x",
        "Authorization: «Digest username=\"x\"»\r\nHost: a",
        "Set-Cookie: «sid=1; Path=/»\nok",
        "sends Bearer «abcd1234efgh» along",
        "git clone https://robin:«s3cret»@host.example/x.git",
        "postgres://u:«p/w@d»@db:5432/x",
        "redis://:«pw»@h",
        "https://«0123456789abcdef01234»@host/",
        "GET /x?access_token=«abc»&page=2",
        "GET /x?page=2&client_secret=«abc»#top",
        "wss://box.example/v1/streams/session?ticket=«abc»&from=3 key=4",
        "{\"password\": \"«a\\\"b»\", \"n\": 1}",
        "\"{\\\"token\\\":\\\"«abc»\\\",\\\"n\\\":1}\"",
        "password: «swordfish»",
        "let authToken = \"«x»\";",
        "token := \"«x»\"",
        "//registry.example/:_authToken=«abc»",
        "_auth=«abc»",
        "aws_secret_access_key = «wJalrXUtnFEMI/K7MDENG»",
        "SECRET_KEY_BASE=«0a»",
        "key «ghp_0123456789abcdefABCD» used",
        "«AKIAIOSFODNN7EXAMPLE»",
        "«sk-ant-api03-0123456789abcdef»",
        "«xoxb-1234567890-abcdefghij»",
        "jwt «eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-_1»!",
        "sshpass -p «geheim» ssh a",
        "mysql -u root -p«geheim» db",
        "a\n«-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl\nbnNz\n-----END OPENSSH PRIVATE KEY-----»\nb",
        "x=«-----BEGIN PRIVATE KEY-----\nMIIE»",
        "clé PASSWORD=«pässwörd🔑» 漢字",
    ] {
        check(marked);
    }
}

#[test]
fn what_is_no_secret_stays() {
    for text in [
        "",
        "ls -la /home",
        "max_tokens=4096 tokens: 12",
        "PWD=/home/robin OLDPWD=/",
        "password=$DB_PASSWORD --token ${TOKEN} secret=$(cat f)",
        "PASSWORD_FILE=/run/x token_count=3 SECRET_NAME=a",
        "fn new(token: &str, password: String) -> bool",
        "token == other && password != x",
        "token::Kind::Word => 1",
        "http://localhost:8080/a:b@c",
        "git@host.example:a/b.git and ssh://git@host/x",
        "docker run -u 1000:1000 -p 8080:80",
        "sk-learn-is-a-library-name",
        "basic authentication and a bearer token",
        "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
        "primary_key=id sort_key: name",
        "TOKEN=",
        "Password:\nnext line",
        "日本語のテキスト: ok",
    ] {
        assert_eq!(redact(text), text);
        assert!(matches!(redact(text), Cow::Borrowed(_)));
    }
}

#[test]
fn a_long_run_of_any_beginning_is_read_in_one_pass() {
    // Nothing is timed: what looked back over the text at each of these would not come back from this many of them.
    for piece in [
        "=",
        ":",
        "a=",
        "://",
        "://a:",
        "-----BEGIN ",
        "-",
        "--token ",
        "token=\"",
        "'",
        "eyJ",
        "x",
        "\\\"",
        "-p",
        "mysql ",
        "mysql -p ",
        "echo ",
        "echo a|",
        "echo a\n",
        "cargo login ",
        "login a password ",
        "set a_token ",
        "<password>",
        "('token',",
        "'token', ",
        "$6$",
        "a:1b@",
        "a:1b",
        "localhost:5432:a:b:",
        "localhost:5432:a:b:\n",
        "password ",
        "password is ",
        "\"token\" => ",
        "WIFI:",
        "WIFI:T;",
        "htpasswd -b ",
        "sqlplus a/",
        "token=&a",
        "token=f(",
        "token=a.",
        "{\"name\":\"token\",\"value\":",
        "\"d\":\"a",
        "-u a:",
        "curl -b ",
        "Private-Lines: ",
        "Private-Lines: Private-MAC: \n",
        "-----BEGIN PRIVATE KEY----------END -----",
        "-----BEGIN PRIVATE KEY-----",
        "12345678:AA",
        "aaaaaaaaaaaaaaaaaaaaaaaa.",
    ] {
        let text = piece.repeat((1 << 16) / piece.len());
        assert!(redact(&text).len() <= 2 * text.len(), "{piece}");
    }
}

#[test]
fn a_token_inside_a_key_block_s_first_line_hides_no_key() {
    for text in [
        "-----BEGIN ghp_0123456789abcdef0-{PRIVATE KEY-----",
        "-----BEGIN ghp_0123456789abcdef0-----{PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----",
    ] {
        assert_eq!(redact(text), MARK);
    }
}

pub(super) fn pieces() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        prop::sample::select(vec![
            "token",
            "password",
            "API_KEY",
            "=",
            ":",
            " ",
            "\"",
            "'",
            "\\",
            "\n",
            "://",
            "@",
            "/",
            "-",
            "--",
            "-u ",
            "-p",
            "mysql ",
            "Authorization",
            "Bearer ",
            "ghp_0123456789abcdef0",
            "eyJ",
            "-----BEGIN ",
            "PRIVATE KEY-----",
            "-----END ",
            "?",
            "&",
            "#",
            "$",
            "{",
            "}",
            "[redacted]",
            "é",
            "🇩🇰",
            "x",
            "0",
            "\t",
            ".",
            ";",
            ",",
            "Basic ",
            "echo ",
            " | sudo -S",
            "mysql -p",
            "docker login -p ",
            "<password>",
            "</password>",
            " => ",
            "('token', '",
            "login a password ",
            "localhost:5432:a:b:",
            "$6$",
            "Private-Lines: ",
            "Private-MAC: ",
            "name\":\"TOKEN\",\"value",
            "set A_TOKEN ",
            ":a1b2c3@h.example",
        ])
        .prop_map(str::to_owned),
        "[a-zA-Z0-9]{1,24}",
        any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|p| p.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]
    #[test]
    fn redacting_is_bounded_and_doing_it_twice_changes_nothing(text in pieces()) {
        let once = redact(&text).into_owned();
        prop_assert!(once.len() <= 3 * text.len() + MARK.len());
        prop_assert_eq!(redact(&once), &*once);
    }

    #[test]
    fn a_value_behind_a_secret_name_never_passes(secret in "[a-zA-Z0-9+/_,!-][a-zA-Z0-9+/_.,!-]{5,39}", form in 0..6usize) {
        let text = match form {
            0 => format!("x PASSWORD={secret} y"),
            1 => format!("x --password '{secret}' y"),
            2 => format!("{{\"client_secret\":\"{secret}\"}}"),
            3 => format!("db://user:a{secret}@host/"),
            4 => format!("Authorization: Bearer {secret}"),
            _ => format!("-----BEGIN RSA PRIVATE KEY-----\n{secret}\n-----END RSA PRIVATE KEY-----"),
        };
        prop_assert!(!redact(&text).contains(&secret));
    }
}

#[test]
fn beginnings_of_tokens_with_one_first_letter_stand_together() {
    let firsts: Vec<_> = tokens::BEGINNINGS.iter().map(|(p, _)| p.as_bytes()[0]).collect();
    assert!(firsts.is_sorted() && firsts.len() < usize::from(u8::MAX));
    for (beginning, least) in tokens::BEGINNINGS {
        // Random enough for each of them, whatever it asks for.
        let token =
            format!("{beginning}{}", "0aF1.".replace('.', if *beginning == "eyJ" { "." } else { "b" }).repeat(*least));
        assert_eq!(redact(&format!("a {token} b")), "a [redacted] b", "{beginning}");
    }
}

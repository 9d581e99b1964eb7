//! The documentation is true: commands of the README run, tables agree with the code, links lead somewhere.
//!
//! A block of the README that is marked `sh test` is run, in order, in one shell with a home of its own; `sh test
//! background` runs beside the rest, and the next block waits until it has said something. `text output` behind a block:
//! its lines are in what was printed, in that order.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::fs;
use std::net::TcpListener;
use std::net::UdpSocket;
use std::path::Path;
use std::path::PathBuf;
use std::process::Command;
use std::process::Stdio;

use clap::CommandFactory;
use vyre_proto::backoff;
use vyre_proto::event;
use vyre_proto::head;
use vyre_proto::json::code_name;
use vyre_proto::json::code_status;
use vyre_proto::kind::Class;
use vyre_proto::kind::Kind;
use vyre_proto::limits;
use vyre_proto::pb::stream as pb;
use vyre_proto::resume;
use vyre_stream::cli::serve;
use vyre_stream::rules::caller::Caller;
use vyre_stream::rules::caller::DeviceKey;
use vyre_stream::store::tables;
use vyre_stream::tools::CalledBy;
use vyre_stream::tools::Format;
use vyre_stream::tools::Via;
use vyre_stream::tools::name::Tool;

use crate::common::TestBox;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// The rows of the table with these column titles; cells without the marks of code.
fn table(path: &str, titles: &[&str]) -> Vec<Vec<String>> {
    let text = read(path);
    let cells = |line: &str| -> Vec<String> {
        let inside = line.trim().trim_start_matches('|').trim_end_matches('|');
        inside.split('|').map(|c| c.trim().replace('`', "")).collect()
    };
    let lines: Vec<&str> = text.lines().collect();
    let mut rows = Vec::new();
    for (n, line) in lines.iter().enumerate() {
        let head = line.starts_with('|') && lines.get(n + 1).is_some_and(|l| l.starts_with("|---"));
        if head && cells(line).iter().map(String::as_str).eq(titles.iter().copied()) {
            rows.extend(lines[n + 2..].iter().take_while(|l| l.starts_with('|')).map(|l| cells(l)));
        }
    }
    assert!(!rows.is_empty(), "{path} has no table {titles:?}");
    rows
}

fn first_two(rows: Vec<Vec<String>>) -> Vec<(String, String)> {
    rows.into_iter().map(|r| (r[0].clone(), r[1].clone())).collect()
}

fn pairs<N: ToString>(all: impl IntoIterator<Item = (&'static str, N)>) -> Vec<(String, String)> {
    all.into_iter().map(|(a, b)| (a.to_owned(), b.to_string())).collect()
}

const PROTOCOL: &str = "docs/protocol.md";
const OPERATING: &str = "docs/operating.md";

#[test]
fn the_kinds_are_those_of_the_code() {
    let said = first_two(table(PROTOCOL, &["kind", "class", "says"]));
    let class = |c| match c {
        Class::Logged => "logged",
        Class::Hidden => "hidden",
        Class::Control => "control",
        Class::Ephemeral => "ephemeral",
    };
    assert_eq!(said, pairs(Kind::ALL.iter().map(|k| (k.name(), class(k.class())))));
}

#[test]
fn the_error_codes_are_those_of_the_code() {
    let codes = (0..).map_while(|n| pb::ErrorCode::try_from(n).ok());
    let said = first_two(table(PROTOCOL, &["code", "status"]));
    assert_eq!(said, pairs(codes.map(|c| (code_name(c), code_status(c)))));
}

#[test]
fn the_endings_are_those_of_the_code() {
    let said = table(PROTOCOL, &["name", "QUIC code", "WebSocket", "status", "for a person"]);
    let rows: Vec<Vec<String>> = head::ENDS
        .iter()
        .map(|r| {
            vec![r.name.to_owned(), r.code.to_string(), r.ws.to_string(), r.status.to_string(), r.sentence.to_owned()]
        })
        .collect();
    assert_eq!(said, rows);
}

#[test]
fn the_reasons_of_resets_and_byes_are_those_of_the_schema() {
    let words = |known: &[&str]| known.iter().map(|w| (*w).to_owned()).collect::<Vec<_>>();
    let column = |titles: &[&str]| table(PROTOCOL, titles).into_iter().map(|r| r[0].clone()).collect::<Vec<_>>();
    let resets = (1..).map_while(|n| pb::ResetReason::try_from(n).ok());
    let resets: Vec<_> = resets.map(|r| r.as_str_name().trim_start_matches("RESET_REASON_")).collect();
    assert_eq!(column(&["reason", "when"]), words(&resets));
    let byes = (1..).map_while(|n| pb::ByeReason::try_from(n).ok());
    let byes: Vec<_> = byes.map(|r| r.as_str_name().trim_start_matches("BYE_REASON_")).collect();
    assert_eq!(column(&["reason", "come back"]), words(&byes));
}

#[test]
fn the_numbers_are_those_of_the_code() {
    let said = first_two(table(PROTOCOL, &["number", "value", ""]));
    let patience = limits::BEAT * limits::PATIENCE_HALF_BEATS / 2;
    let numbers = [
        ("longest record", limits::RECORD_MAX as u64),
        ("longest text of a frame", limits::TEXT_MAX as u64),
        ("longest content of a block", limits::BLOCK_MAX as u64),
        ("longest event", limits::EVENT_LINE_MAX as u64),
        ("longest id", limits::ID_MAX as u64),
        ("cursors end below", limits::CURSOR_END),
        ("life of a ticket", limits::TICKET_LIFE.as_secs()),
        ("beat", limits::BEAT.as_secs()),
        ("patience", patience.as_secs()),
        ("attaches of one client", limits::ATTACHES_PER_CLIENT as u64),
        ("provisional tail", limits::PROVISIONAL_TAIL as u64),
        ("parts of a merged frame", limits::MERGE_PARTS_MAX as u64),
        ("text of a merged frame", limits::MERGE_BYTES_MAX as u64),
        ("first wait that is not zero", u64::try_from(backoff::BASE.as_millis()).unwrap()),
        ("longest wait of one's own", u64::try_from(backoff::CAP.as_millis()).unwrap()),
        ("longest wait on request", backoff::OBEDIENCE.as_secs()),
        ("an opening gives up after", resume::limits::OPEN.as_secs()),
        ("an opening is joined after", resume::limits::RACE.as_secs()),
        ("first record of a native stream", head::FIRST_RECORD_LIMIT.as_secs()),
        ("longest RelayHead", head::RELAY_HEAD_MAX as u64),
        ("longest Bridged, BridgedReply", head::BRIDGED_MAX as u64),
        ("longest ControlDown", head::CONTROL_MAX as u64),
        ("longest request target", head::TARGET_MAX as u64),
        ("headers handed on", head::HEADERS_MAX as u64),
    ];
    assert_eq!(said, pairs(numbers));
}

#[tokio::test]
async fn every_tool_is_listed_and_served_as_the_page_says() {
    let said = first_two(table(PROTOCOL, &["tool", "served", ""]));
    let the_box = TestBox::start().await;
    let (person, producer) = (the_box.person("robin"), the_box.producer());

    let mut found = Vec::new();
    for tool in Tool::ALL {
        let reply = match tool {
            // Only a device alone may call it, and no token is one.
            Tool::PairClaim => {
                let by = CalledBy { caller: Caller::Device(DeviceKey([1; 32])), device: None, via: Via::Direct };
                let called =
                    the_box.daemon().tools().call(&by, tool.name(), "", Format::Json, bytes::Bytes::new()).await;
                called.map_or_else(|e| e.to_string(), |_| String::new())
            }
            Tool::EventsPublish => the_box.call(&producer, tool.name(), serde_json::json!({})).await.text(),
            _ => the_box.call(&person, tool.name(), serde_json::json!({})).await.text(),
        };
        let served = if reply.contains("does not serve it") { "no" } else { "yes" };
        found.push((tool.name(), served));
    }

    assert_eq!(said, pairs(found));
}

#[test]
fn the_events_and_their_fields_are_those_of_the_code() {
    let said = table(PROTOCOL, &["name", "data"]);
    let names: Vec<&str> = said.iter().map(|r| r[0].as_str()).collect();
    let known: BTreeSet<&str> = event::NAMES.iter().copied().collect();
    assert_eq!(names.iter().copied().collect::<BTreeSet<_>>(), known);

    // Where the text form is read, each name stands before the list of its fields.
    let source = read("proto/src/event/text.rs");
    for row in &said {
        let at = source.find(&format!("\"{}\" =>", row[0])).unwrap_or_else(|| panic!("{} is not read", row[0]));
        let list = source[at..].split_once("fields(&[").unwrap().1.split_once(']').unwrap().0;
        let read: BTreeSet<&str> =
            list.split(',').map(|f| f.trim().trim_matches('"')).filter(|f| !f.is_empty()).collect();
        let bare = row[1].split(" (").map(|s| s.split_once(')').map_or(s, |(_, rest)| rest)).collect::<String>();
        let written: BTreeSet<&str> =
            bare.split([',', ' ']).map(|f| f.trim_end_matches('?')).filter(|f| !f.is_empty() && *f != "or").collect();
        assert_eq!(written, read, "{}", row[0]);
    }
}

#[test]
fn the_headers_that_a_relay_hands_on_are_those_of_the_code() {
    let source = read("relay/src/web.rs");
    let list = source.split_once("const SHOWN: &[&str] = &[").unwrap().1.split_once("];").unwrap().0;
    let handed: Vec<&str> = list.lines().map(|l| l.trim().trim_matches([',', '"'])).filter(|l| !l.is_empty()).collect();
    let sentence = handed.iter().map(|h| format!("`{h}`")).collect::<Vec<_>>().join(", ");
    assert!(handed.len() > 10 && read(PROTOCOL).contains(&sentence), "{PROTOCOL} does not list {sentence}");
}

#[test]
fn the_layers_are_those_that_a_test_holds() {
    let said = first_two(table("docs/architecture.md", &["folder", "may name", "its work"]));
    let source = read("tests/layers.rs");
    let list = source.split_once("const LAYERS").unwrap().1.split_once("\n];").unwrap().0;
    // A long row stands on several lines.
    let held: Vec<(String, String)> = list
        .split_once("= &[")
        .unwrap()
        .1
        .split_inclusive(']')
        .filter_map(|row| row.split_once("&["))
        .map(|(name, rest)| {
            let name = name.split('"').nth(1).unwrap();
            let may = rest.split_once(']').unwrap().0.replace('"', "");
            let others =
                may.split(',').map(str::trim).filter(|m| !m.is_empty() && *m != name).collect::<Vec<_>>().join(", ");
            (name.to_owned(), if others.is_empty() { "nothing".to_owned() } else { others })
        })
        .collect();
    assert_eq!(said, held);
}

#[test]
fn the_tables_of_the_store_are_those_of_the_code() {
    let page = "docs/storage.md";
    let source = read("src/store/tables.rs");
    let names: Vec<&str> =
        source.split("TableDefinition::new(\"").skip(1).map(|s| s.split_once('"').unwrap().0).collect();
    let said: Vec<String> =
        table(page, &["table", "key", "value", "lives"]).into_iter().map(|r| r[0].clone()).collect();
    assert_eq!(said, names);

    let row = source.split_once("pub struct SessionRow {").unwrap().1.split_once("\n}").unwrap().0;
    let fields: Vec<&str> =
        row.lines().filter_map(|l| l.trim().strip_prefix("pub ")).map(|l| l.split_once(':').unwrap().0).collect();
    let said: Vec<String> = table(page, &["tag", "field", "meaning"]).into_iter().map(|r| r[1].clone()).collect();
    assert_eq!(said, fields);

    let said = first_two(table(page, &["number", "value", ""]));
    let limits = vyre_stream::store::Limits::default();
    let numbers = [
        ("layout version", tables::VERSION),
        ("records of a chunk", tables::CHUNK_BYTES as u64),
        ("head of a chunk", tables::CHUNK_HEAD as u64),
        ("lease", vyre_stream::rules::log::LEASE),
        ("frames of a log", limits.log_frames),
        ("bytes of a log", limits.log_bytes),
    ];
    assert_eq!(said, pairs(numbers));
}

/// What a reader that denies unknown fields says that it knows.
fn known_fields(error: &str) -> BTreeSet<String> {
    let list = error.split_once(", expected ").unwrap_or_else(|| panic!("{error}")).1;
    list.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Flags, variables and fields of a table of settings; `-` where there is none.
fn settings(titles: &[&str]) -> Vec<(String, String, String)> {
    table(OPERATING, titles).into_iter().map(|r| (r[0].clone(), r[1].clone(), r[2].clone())).collect()
}

fn flags_of(command: &clap::Command) -> BTreeSet<(String, String)> {
    command
        .get_arguments()
        .filter_map(|a| {
            let env = a.get_env().map_or("-".to_owned(), |e| e.to_string_lossy().into_owned());
            a.get_long().map(|long| (format!("--{long}"), env))
        })
        .filter(|(long, _)| long != "--help" && long != "--version")
        .collect()
}

#[test]
fn the_settings_of_a_box_are_those_of_the_code() {
    let said = settings(&["flag", "variable", "in the file", "default", "what"]);
    let flags: BTreeSet<_> = said.iter().filter(|(f, _, _)| f != "-").map(|(f, v, _)| (f.clone(), v.clone())).collect();
    assert_eq!(flags, flags_of(&<serve::Args as clap::Args>::augment_args(clap::Command::new("serve"))));

    let dir = tempfile::tempdir().unwrap();
    let unknown = |text: &str| {
        let path = dir.path().join("vyre.toml");
        fs::write(&path, text).unwrap();
        known_fields(&vyre_stream::config::read_file(&path).unwrap_err().to_string())
    };
    let mut fields = unknown("nonsense = 1");
    assert!(fields.remove("assistants"));
    let rows = table(OPERATING, &["field", "default", "what it says"]);
    assert_eq!(
        rows.into_iter().map(|r| r[0].clone()).collect::<BTreeSet<_>>(),
        unknown("[assistants.a]\nnonsense = 1")
    );
    for part in ["limits", "authority", "stream", "terminals"] {
        assert!(fields.remove(part), "{part}");
        fields.extend(unknown(&format!("[{part}]\nnonsense = 1")).into_iter().map(|f| format!("{part}.{f}")));
    }
    let said: BTreeSet<_> = said.into_iter().map(|(_, _, field)| field).filter(|f| f != "-").collect();
    assert_eq!(said, fields);
}

#[test]
fn the_settings_of_a_relay_are_those_of_the_code() {
    let said = settings(&["flag", "variable", "in the file", "default", "meaning"]);
    let flags: BTreeSet<_> = said.iter().map(|(f, v, _)| (f.clone(), v.clone())).collect();
    assert_eq!(flags, flags_of(&vyre_relay::config::Flags::command()));

    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("relay.toml");
    fs::write(&path, "nonsense = 1").unwrap();
    let flags = <vyre_relay::config::Flags as clap::Parser>::parse_from([
        "vyre-relay".into(),
        "--config".into(),
        path.into_os_string(),
    ]);
    let fields = known_fields(&vyre_relay::config::load(flags).unwrap_err().to_string());
    let said: BTreeSet<_> = said.into_iter().map(|(_, _, field)| field).filter(|f| f != "-").collect();
    assert_eq!(said, fields);
}

#[test]
fn the_examples_of_settings_are_taken() {
    let text = read(OPERATING);
    let dir = tempfile::tempdir().unwrap();
    let mut examples = text.split("```toml ").skip(1).map(|s| s.split_once("\n```").unwrap().0);
    let mut write = |name: &str| {
        let (what, body) = examples.next().unwrap().split_once('\n').unwrap();
        assert_eq!(what, name);
        let path = dir.path().join(name);
        fs::write(&path, body).unwrap();
        path
    };

    let path = write("vyre.toml");
    let settings = vyre_stream::config::read_file(&path).unwrap();
    vyre_stream::config::Config::new(Some((settings, path)), vyre_stream::config::Settings::default()).unwrap();

    let path = write("relay.toml").into_os_string();
    let flags = <vyre_relay::config::Flags as clap::Parser>::parse_from(["vyre-relay".into(), "--config".into(), path]);
    vyre_relay::config::load(flags).unwrap();
}

#[test]
fn every_command_is_listed() {
    let out = Command::new(TestBox::program()).arg("--help").output().unwrap();
    let help = String::from_utf8(out.stdout).unwrap();
    let list = help.split_once("Commands:\n").unwrap().1.split_once("\n\n").unwrap().0;
    let commands: Vec<&str> =
        list.lines().filter_map(|l| l.split_whitespace().next()).filter(|c| *c != "help").collect();
    let said: Vec<String> = table(OPERATING, &["command", "does"]).into_iter().map(|r| r[0].clone()).collect();
    assert_eq!(said, commands.iter().map(|c| format!("vyre {c}")).collect::<Vec<_>>());
}

/// Pages of people's documentation.
fn pages() -> Vec<String> {
    let mut all = vec!["README.md".to_owned(), "CHANGELOG.md".to_owned(), "fuzz/README.md".to_owned()];
    for folder in ["docs", "docs/decisions"] {
        for entry in fs::read_dir(root().join(folder)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            if name.ends_with(".md") {
                all.push(format!("{folder}/{name}"));
            }
        }
    }
    all
}

/// How a heading is named in a link.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().to_lowercase();
    kept.chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'))
        .map(|c| if c == ' ' { '-' } else { c })
        .collect()
}

#[test]
fn every_link_leads_somewhere() {
    for page in pages() {
        let text = read(&page);
        let folder = Path::new(&page).parent().unwrap();
        for link in text.split("](").skip(1).map(|s| s.split_once(')').unwrap().0) {
            if link.starts_with("https://") {
                continue;
            }
            let (path, heading) = link.split_once('#').unwrap_or((link, ""));
            let target = if path.is_empty() { PathBuf::from(&page) } else { folder.join(path) };
            assert!(root().join(&target).exists(), "{page}: {link}");
            if !heading.is_empty() {
                let there = read(target.to_str().unwrap());
                let found = there
                    .lines()
                    .filter_map(|l| l.strip_prefix('#'))
                    .any(|l| anchor(l.trim_start_matches('#')) == heading);
                assert!(found, "{page}: {link} names no heading");
            }
        }
    }
}

#[test]
fn the_command_that_shows_the_demonstration_means_one_program() {
    let shown = blocks(&read("README.md")).into_iter().any(|(_, body)| body.trim() == "cargo run --release -- demo");
    assert!(shown, "the README does not say how to run the demonstration");
    let manifest: toml::Table = read("Cargo.toml").parse().unwrap();
    assert_eq!(manifest["package"]["default-run"].as_str(), Some("vyre"), "there are three programs to choose from");
}

#[test]
fn a_heading_is_found_as_a_browser_finds_it() {
    assert_eq!(anchor(" 8. Events"), "8-events");
    assert_eq!(anchor("Files, and what they're for"), "files-and-what-theyre-for");
}

/// One fenced block of a page: what stands behind the fence, and what is in it.
fn blocks(text: &str) -> Vec<(String, String)> {
    let mut all = Vec::new();
    let mut open: Option<(String, String)> = None;
    for line in text.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(mark)) => open = Some((mark.to_owned(), String::new())),
            (Some(_), Some(_)) => all.extend(open.take()),
            (Some((_, body)), None) => {
                body.push_str(line);
                body.push('\n');
            }
            (None, None) => {}
        }
    }
    all
}

/// A port that is free for TCP and UDP, below those that the system gives out by itself: nobody takes it meanwhile.
fn free_port(taken: &mut BTreeSet<u16>) -> u16 {
    let start = 10_000 + u16::try_from(std::process::id() % 20_000).unwrap();
    let mut ports = (start..30_000).chain(10_000..start);
    let found = ports.find(|p| {
        !taken.contains(p) && TcpListener::bind(("127.0.0.1", *p)).is_ok() && UdpSocket::bind(("127.0.0.1", *p)).is_ok()
    });
    let port = found.expect("a free port");
    taken.insert(port);
    port
}

/// Each command beside the rest is a group of processes, and all of them end with the script.
const PROLOGUE: &str = "set -euo pipefail -m
pids=()
leave() { for p in \"${pids[@]}\"; do kill -- \"-$p\" 2>/dev/null || true; done; wait; }
trap leave EXIT
";

#[test]
fn the_commands_of_the_readme_do_what_it_says() {
    let home = tempfile::tempdir().unwrap();
    let program = TestBox::program();
    let bin = home.path().join("bin");
    fs::create_dir(&bin).unwrap();
    std::os::unix::fs::symlink(&program, bin.join("vyre")).unwrap();
    // The other two have no command line of this package's: they are built beside it where the workspace is.
    for name in ["vyre-relay", "vyre-certs"] {
        std::os::unix::fs::symlink(built(name), bin.join(name)).unwrap();
    }

    let mut script = String::from(PROLOGUE);
    let mut expected: Vec<String> = Vec::new();
    let mut run = 0;
    for (mark, body) in blocks(&read("README.md")) {
        match mark.as_str() {
            "sh test" => script.push_str(&body),
            "sh test background" => {
                let log = home.path().join(format!("background.{run}"));
                let log = log.display();
                script.push_str(&format!("({}) >{log} 2>{log}.err & pids+=($!)\n", body.trim_end()));
                let wait = "for _ in $(seq 300); do [ -s LOG ] && break; sleep 0.1; done; [ -s LOG ] || { cat LOG.err; exit 9; }\n";
                script.push_str(&wait.replace("LOG", &log.to_string()));
            }
            "text output" => expected.extend(body.lines().map(str::to_owned)),
            _ => continue,
        }
        run += 1;
    }
    assert!(run > 12, "the blocks of the README were not found");
    let mut taken = BTreeSet::new();
    let ports: BTreeMap<&str, u16> = ["8080", "4433", "8443"].into_iter().map(|p| (p, free_port(&mut taken))).collect();
    for (from, to) in &ports {
        script = script.replace(&format!("127.0.0.1:{from}"), &format!("127.0.0.1:{to}"));
    }

    // Whoever follows the page has a box at the default address; here it has another.
    let url = format!("http://127.0.0.1:{}", ports["8080"]);
    let script = script
        .replace("vyre publish first.jsonl --token", &format!("vyre publish first.jsonl --url {url} --token"))
        .replace("vyre rows first\n", &format!("vyre rows first --url {url}\n"))
        .replace("vyre attach first", &format!("vyre attach first --url {url}"));
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default());
    let done = Command::new("bash")
        .arg("-c")
        .arg(&script)
        .env("HOME", home.path())
        .env("PATH", path)
        .env_remove("VYRE_TOKEN")
        .current_dir(home.path())
        .stdin(Stdio::null())
        .output()
        .unwrap();

    let (out, err) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    assert!(done.status.success(), "{}\n{out}\n{err}", done.status);
    let mut rest = &*out;
    for line in &expected {
        let at = rest.find(line).unwrap_or_else(|| panic!("not printed, or not in its place: {line}\n{out}\n{err}"));
        rest = &rest[at + line.len()..];
    }
    let beside: String =
        (0..run).filter_map(|n| fs::read_to_string(home.path().join(format!("background.{n}"))).ok()).collect();
    for line in ["  There are three.", "event: session.hello", "https://127.0.0.1:", "Ctrl-C stops."] {
        assert!(beside.contains(line), "nothing beside the rest printed: {line}\n{beside}");
    }
}

/// A program of another package of the workspace. A test of the whole workspace has most of them built.
fn built(name: &str) -> PathBuf {
    let beside = TestBox::program().with_file_name(name);
    if !beside.exists() {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut build = Command::new(cargo);
        build.args(["build", "--quiet", "--locked", "--package", name, "--bin", name]).current_dir(root());
        build.arg("--target-dir").arg(beside.parent().and_then(Path::parent).unwrap());
        assert!(build.status().unwrap().success(), "{name} cannot be built");
    }
    beside
}

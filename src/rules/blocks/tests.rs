use proptest::prelude::*;
use vyre_proto::limits::BLOCK_MAX;
use vyre_proto::limits::EVENT_LINE_MAX;

use super::*;

/// What a call with this input and this result is shown by at its end.
fn call(tool: &str, input: &str, ok: bool, result: &str) -> pb::Block {
    let (_, asked) = asked(tool, input.as_bytes());
    answered(tool, &asked, ok, result.as_bytes(), "e9").unwrap()
}
fn kind(tool: &str, input: &str, result: &str) -> Kind {
    call(tool, input, true, result).kind.unwrap()
}
fn start(tool: &str, input: &str) -> Option<Kind> {
    asked(tool, input.as_bytes()).0.map(|b| b.kind.unwrap())
}
fn json(s: &str) -> String {
    serde_json::to_string(s).unwrap()
}

#[test]
fn shells_are_terminals() {
    let want = |command: &str, output: &str, exit| {
        Kind::Terminal(pb::TerminalBlock { command: command.into(), output: output.into(), exit })
    };
    assert_eq!(start("Bash", r#"{"command":"ls","description":"list"}"#), Some(want("ls", "", None)));
    assert_eq!(kind("Bash", r#"{"command":"ls"}"#, r#""a\nb""#), want("ls", "a\nb", None));
    assert_eq!(
        call("Bash", r#"{"command":"t"}"#, false, r#""Exit code 3\nno""#).kind.unwrap(),
        want("t", "no", Some(3))
    );
    assert_eq!(
        kind(
            "local_shell",
            r#"{"action":{"command":["bash","-lc","ls | wc"]}}"#,
            r#"{"stdout":"1","stderr":"w","exit_code":0}"#
        ),
        want("ls | wc", "1\nw", Some(0))
    );
    assert_eq!(
        kind(
            "shell",
            r#"{"commands":["a","b"]}"#,
            r#"{"output":[{"stdout":"x","outcome":{"type":"exit","exit_code":2}}]}"#
        ),
        want("a\nb", "x", Some(2))
    );
    assert_eq!(kind("bash_code_execution", "null", r#""""#), want("", "", None));
    assert_eq!(kind("code_interpreter", "", r#"{"code":"1+1","logs":["2\n","3"]}"#), want("1+1", "2\n3", None));
    let secret = kind("Bash", r#"{"command":"curl -u a:hush x"}"#, r#""TOKEN=hush""#);
    assert_eq!(secret, want("curl -u a:[redacted] x", "TOKEN=[redacted]", None));
}

#[test]
fn edits_are_diffs_from_start_to_end() {
    let input = r#"{"file_path":"/a.rs","old_string":"one\ntwo\nthree","new_string":"one\n2\nthree"}"#;
    let want = Kind::Diff(pb::DiffBlock {
        path: "/a.rs".into(),
        patch: "@@\n one\n-two\n+2\n three\n".into(),
        added: 1,
        removed: 1,
    });
    assert_eq!(start("Edit", input), Some(want.clone()));
    assert_eq!(kind("Edit", input, r#""The file was updated""#), want);
    let Some(Kind::Diff(d)) = start(
        "MultiEdit",
        r#"{"file_path":"f","edits":[{"old_string":"a","new_string":"b"},{"old_string":"c","new_string":""}]}"#,
    ) else {
        panic!()
    };
    assert_eq!((d.added, d.removed, &*d.patch), (1, 2, "@@\n-a\n+b\n@@\n-c\n"));
    let Kind::Diff(d) = kind("Write", r#"{"file_path":"f","content":"x\ny"}"#, r#""ok""#) else { panic!() };
    assert_eq!((&*d.patch, d.added), ("+x\n+y\n", 2));
    let Kind::Diff(d) = kind("apply_patch", r#"{"type":"create_file","path":"n.md"}"#, r#""+a\n+\n+b\n""#) else {
        panic!()
    };
    assert_eq!((&*d.path, d.added), ("n.md", 3));
    let Kind::Files(f) = kind("apply_patch", r#"{"type":"delete_file","path":"n.md"}"#, r#""""#) else { panic!() };
    assert_eq!((&*f.files[0].path, &*f.files[0].change), ("n.md", "deleted"));
    let result = r#"{"type":"x_result","old_start":9,"old_lines":2,"new_start":9,"new_lines":1,"lines":[" a","-b"]}"#;
    let Kind::Diff(d) = kind("text_editor_code_execution", "", result) else { panic!() };
    assert_eq!((&*d.patch, d.removed), ("@@ -9,2 +9,1 @@\n a\n-b\n", 1));
    let failed = call("Edit", input, false, r#""String not found""#).kind.unwrap();
    assert_eq!(failed, Kind::Text(pb::TextBlock { text: "String not found".into() }));
}

#[test]
fn a_diff_too_large_to_be_remembered_leaves_its_path() {
    let input = format!(r#"{{"file_path":"big.txt","content":{}}}"#, json(&"line\n".repeat(5000)));
    let Kind::Files(f) = kind("Write", &input, r#""ok""#) else { panic!() };
    assert_eq!(f.files[0].path, "big.txt");
}

#[test]
fn reading_and_finding_show_files() {
    let Kind::Files(f) = kind("Read", r#"{"file_path":"/a"}"#, r#""1\n2\n3""#) else { panic!() };
    assert_eq!((&*f.files[0].path, &*f.files[0].change, &*f.detail), ("/a", "read", "3 lines"));
    let Kind::Files(f) = kind("Glob", r#"{"pattern":"*.py"}"#, r#""/p/a.py\n/p/b c.py""#) else { panic!() };
    assert_eq!((f.files.len(), &*f.files[1].path, &*f.detail), (2, "/p/b c.py", "2 files for *.py"));
    let Kind::Files(f) =
        kind("Grep", r#"{"pattern":"def","path":"/p"}"#, r#""/p/a.py:6:def f(x: int):\n/p/a.py:9:def g()""#)
    else {
        panic!()
    };
    assert_eq!((f.files.len(), &*f.files[0].path, &*f.detail), (1, "/p/a.py", "2 matches for def"));
    let Kind::Files(f) = kind("Grep", r#"{"pattern":"z"}"#, r#""No matches found""#) else { panic!() };
    assert_eq!((f.files.len(), &*f.detail), (0, "No matches found"));
    let Some(Kind::Files(f)) = start("Grep", r#"{"pattern":"z","path":"/p"}"#) else { panic!() };
    assert_eq!(f.detail, "z in /p");
}

#[test]
fn lists_of_things_to_do_are_tasks() {
    let input =
        r#"{"todos":[{"content":"a","status":"completed"},{"content":"b","status":"in_progress"},{"content":"c"}]}"#;
    let Kind::Task(t) = kind("TodoWrite", input, r#""Todos updated""#) else { panic!() };
    let items: Vec<_> = t.items.iter().map(|i| (&*i.text, &*i.state)).collect();
    assert_eq!(items, [("a", "completed"), ("b", "in_progress"), ("c", "pending")]);
}

#[test]
fn the_web_and_other_assistants_answer() {
    let Kind::Answer(a) =
        kind("WebSearch", r#"{"query":"q"}"#, r#"[{"title":"T","url":"https://a.example","page_age":null}]"#)
    else {
        panic!()
    };
    assert_eq!((&*a.text, &*a.sources[0].title, &*a.sources[0].url), ("q", "T", "https://a.example"));
    let Kind::Answer(a) =
        kind("web_fetch", r#"{"url":"https://b.example"}"#, r#"{"url":"https://b.example","text":"words"}"#)
    else {
        panic!()
    };
    assert_eq!((&*a.text, &*a.sources[0].url), ("words", "https://b.example"));
    let Kind::Answer(a) =
        kind("web_search", "", r#"{"type":"search","query":"q","sources":[{"type":"url","url":"https://c.example"}]}"#)
    else {
        panic!()
    };
    assert_eq!((&*a.text, a.sources.len()), ("q", 1));
    let Kind::Answer(a) =
        kind("Task", r#"{"description":"look","prompt":"p"}"#, r#"[{"type":"text","text":"found it"}]"#)
    else {
        panic!()
    };
    assert_eq!(a.text, "found it");
}

#[test]
fn pictures_are_screens_without_their_bytes() {
    let data = "iVBORw0KGgo".repeat(2000);
    for result in [
        format!(
            r#"[{{"type":"text","text":"the page"}},{{"type":"image","source":{{"type":"base64","media_type":"image/png","data":"{data}"}}}}]"#
        ),
        format!(
            r#"{{"content":[{{"type":"text","text":"the page"}},{{"type":"image","data":"{data}","mimeType":"image/png"}}]}}"#
        ),
        format!(r#"{{"type":"computer_screenshot","image_url":"data:image/png;base64,{data}","title":"the page"}}"#),
    ] {
        let b = call("browser", "", true, &result);
        assert_eq!((b.total, &*b.r#ref), (result.len() as u64, "e9"));
        assert!(encode(&b).len() < 200);
        let Some(Kind::Screen(s)) = b.kind else { panic!() };
        assert_eq!((&*s.title, &*s.media_type), ("the page", "image/png"));
    }
}

#[test]
fn records_say_what_they_are_and_keep_no_sealed_value() {
    let b = call(
        "crm_get",
        "",
        true,
        r#"{"block":"record","type":"contact","id":"c1","title":"Robin","note":"n","read_roles":["owner"],"ref":"vyre://x",
            "fields":[{"name":"mail","value":"r@a.example"},
                      {"name":"iban","sealed":"iban","present":true,"valid_format":true,"value":"DE89","ref":"vyre://s/1"},
                      {"name":"pin","value":{"sealed":"pin","value":"1234"}},
                      {"name":"wage","hidden":"role","kind":"money","present":true,"value":"4200"},
                      {"name":"more","value":{"a":{"sealed":"x","value":"5678"}}},
                      {"name":"age","value":7,"read_roles":"owner"},
                      {"name":"none","value":null}]}"#,
    );
    let bytes = String::from_utf8_lossy(&encode(&b)).into_owned();
    for secret in ["DE89", "1234", "4200", "5678", "vyre://"] {
        assert!(!bytes.contains(secret), "{secret}");
    }
    let Some(Kind::Record(r)) = b.kind else { panic!() };
    use vyre_proto::block::hidden_by_role;
    use vyre_proto::block::sealed;
    use vyre_proto::pb::stream::field::Content;
    let content: Vec<_> = r.fields.iter().map(|f| (&*f.name, f.content.clone().unwrap())).collect();
    assert_eq!(content[0], ("mail", Content::Value("r@a.example".into())));
    assert_eq!(content[1], ("iban", sealed("iban", true, true, false)));
    assert_eq!(content[2], ("pin", sealed("pin", true, false, false)));
    assert_eq!(content[3], ("wage", hidden_by_role("money", true)));
    assert_eq!(r.fields[5].read_roles, ["-"]);
    assert_eq!((r.fields.len(), r.read_roles), (6, vec!["owner".to_owned()]));
}

#[test]
fn drafts_flow_changes_and_the_other_kinds_say_what_they_are() {
    let Kind::Draft(d) = kind(
        "x",
        "",
        r#"{"block":"draft","kind":"mail","title":"Hi","body":"text","fields":{"to":"a","cc":{"sealed":"mail"}}}"#,
    ) else {
        panic!()
    };
    assert_eq!((&*d.kind, &*d.body, d.fields.len()), ("mail", "text", 2));
    let Kind::FlowChange(f) =
        kind("x", "", r#"{"block":"flow-change","flow":"f1","summary":"s","steps":["a",{"title":"b"}]}"#)
    else {
        panic!()
    };
    assert_eq!(f.steps, ["a", "b"]);
    for (result, want) in [
        (r#"{"block":"terminal","command":"a","output":"b","exit":0}"#, "Terminal"),
        (r#"{"block":"diff","path":"a","patch":"+b"}"#, "Diff"),
        (r#"{"block":"files","files":["a",{"path":"b","change":"added"}]}"#, "Files"),
        (r#"{"block":"task","items":["a"]}"#, "Task"),
        (r#"{"block":"answer","text":"a","sources":["https://a.example"]}"#, "Answer"),
        (r#"{"block":"screen","title":"a","media_type":"image/png","width":1,"height":2}"#, "Screen"),
        (r#"{"block":"text","text":"a"}"#, "Text"),
        (r#"{"block":"hologram","text":"a"}"#, "Text"),
    ] {
        assert!(format!("{:?}", kind("x", "", result)).starts_with(want), "{want}");
    }
}

#[test]
fn the_unknown_is_told_in_words() {
    let say = |result: &str| match kind("odd_tool", "", result) {
        Kind::Text(t) => t.text,
        other => panic!("{other:?}"),
    };
    assert_eq!(say(r#""plain words""#), "plain words");
    assert_eq!(say(r#"{"alias":"","password":"hush","url":"u"}"#), "password: [redacted]\nurl: u");
    assert_eq!(
        say(
            r#"{"file_count":3,"ok":true,"gone":null,"tags":["a","b"],"at":{"x":1.5,"y":[]},"rows":[{"name":"n"},[1]]}"#
        ),
        "file count: 3\nok: yes\ntags: a, b\nat:\n  x: 1.5\n  y: none\nrows:\n  - n\n  - 1 entries"
    );
    assert_eq!(say(r#""{\"a\":1}""#), "a: 1");
    assert_eq!(say(r#"["x","y"]"#), "- x\n- y");
    assert_eq!(say("7"), "7");
    assert_eq!(say(&json(&"QUJD".repeat(1000))), "4000 bytes of data");
    assert_eq!(say(r#"{"content":[{"type":"text","text":"from a server"}]}"#), "from a server");
}

#[test]
fn depth_and_size_are_bounded() {
    let deep = format!("{}{}", "{\"a\":[".repeat(500), "]}".repeat(500));
    for tool in ["odd", "Bash", "Edit", "web_search", "TodoWrite"] {
        let b = call(tool, &deep, true, &deep);
        assert!(
            matches!(b.kind, Some(Kind::Text(t)) if t.text == "A result that nests too deep to be shown: 4000 bytes of data")
        );
    }
    let diff = "+l\n".repeat(200_000);
    let b = call("apply_patch", r#"{"path":"p"}"#, true, &json(&diff));
    assert!(encode(&b).len() <= BLOCK_MAX + 64);
    assert_eq!((b.total, &*b.r#ref), (diff.len() as u64 + 1, "e9"));
    let Some(Kind::Diff(d)) = b.kind else { panic!() };
    assert_eq!(d.added, 200_000);
    let line = json(&"x ".repeat(EVENT_LINE_MAX / 2 - 100));
    let Kind::Terminal(t) = kind("Bash", "", &line) else { panic!() };
    assert_eq!(t.output.len(), BLOCK_MAX);
    let long = call("odd", "", true, &line);
    assert_eq!(long.total as usize, line.len() - 2);
    assert!(matches!(long.kind, Some(Kind::Text(t)) if t.text.len() == SHORT));
    let wide = format!("[{}1]", "1,".repeat(300_000));
    let Kind::Text(t) = kind("odd", "", &wide) else { panic!() };
    assert!(t.text.ends_with("and 299989 more"));
}

#[test]
fn no_block_is_cut_inside_a_character() {
    for ch in ["é", "漢", "😀", "🇩🇰", "👩‍👩‍👧‍👦", "e\u{301}"] {
        for (tool, limit) in [("Bash", BLOCK_MAX), ("odd", SHORT), ("Task", ANSWER_MAX)] {
            for before in limit - 4 - ch.len()..limit + 5 {
                let s = format!(
                    "{}{ch}{ch} tail of words",
                    "x ".repeat(before / 2) + if before % 2 == 1 { "x" } else { "" }
                );
                let shown = match kind(tool, "", &json(&s)) {
                    Kind::Terminal(t) => t.output,
                    Kind::Text(t) => t.text,
                    Kind::Answer(a) => a.text,
                    other => panic!("{other:?}"),
                };
                assert!(s.starts_with(&shown) && shown.len() <= limit);
                let rest = shown.len().saturating_sub(before);
                assert!(rest >= 2 * ch.len() || rest % ch.len() == 0, "{tool} {ch} at {before}: {rest}");
            }
        }
    }
}

#[test]
fn a_call_without_input_or_result_is_shown_by_what_there_is() {
    assert_eq!(asked("Bash", b"").0, None);
    assert_eq!(asked("Bash", b"null").0, None);
    assert_eq!(answered("odd", &Asked::default(), true, b"", "e"), None);
    assert_eq!(answered("odd", &Asked::default(), true, b"null", "e"), None);
    assert!(matches!(call("Bash", r#"{"command":"true"}"#, true, "").kind, Some(Kind::Terminal(_))));
    assert!(matches!(
        call("Edit", r#"{"file_path":"a","old_string":"b","new_string":"c"}"#, true, "").kind,
        Some(Kind::Diff(_))
    ));
}

fn tree() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        any::<f64>().prop_map(Into::into),
        any::<String>().prop_map(Into::into),
        "[{\\[]\"?[a-z:,]{0,10}[}\\]]?".prop_map(Into::into),
    ];
    let keys = prop::sample::select(vec![
        "block",
        "type",
        "text",
        "content",
        "path",
        "file_path",
        "lines",
        "edits",
        "old_string",
        "new_string",
        "todos",
        "status",
        "stdout",
        "output",
        "exit_code",
        "code",
        "logs",
        "sources",
        "url",
        "query",
        "sealed",
        "hidden",
        "value",
        "name",
        "fields",
        "read_roles",
        "operation",
        "action",
        "command",
        "commands",
        "image",
        "media_type",
        "data",
        "structuredPatch",
        "x y",
    ]);
    leaf.prop_recursive(5, 40, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Into::into),
            prop::collection::vec((keys.clone(), inner), 0..5).prop_map(|f| f
                .into_iter()
                .map(|(k, v)| (k.to_owned(), v))
                .collect::<serde_json::Map<_, _>>()
                .into()),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn no_call_makes_it_panic_or_shows_json(
        tool in prop::sample::select(TOOLS.iter().map(|(n, _)| *n).chain(["odd"]).collect::<Vec<_>>()),
        input in tree(),
        result in tree(),
        ok in any::<bool>(),
    ) {
        let (start, asked) = asked(tool, input.to_string().as_bytes());
        let end = answered(tool, &asked, ok, result.to_string().as_bytes(), "e");
        for b in [&start, &end].into_iter().flatten() {
            prop_assert_eq!(&admit(b.clone()), b);
            if let (Some(Kind::Text(t)), serde_json::Value::Object(_) | serde_json::Value::Array(_)) = (&b.kind, &result) {
                let shown = serde_json::from_str::<serde_json::Value>(&t.text);
                prop_assert!(!matches!(shown, Ok(serde_json::Value::Object(_))), "{}", t.text);
            }
        }
        prop_assert_eq!(Asked::stored(&asked.subject, asked.block()), Some(asked));
    }
}

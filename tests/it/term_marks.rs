//! What a person ran in a real shell on a real terminal is recorded as it ran, and nothing else is.

use std::fs;

use vyre_stream::rules::term::ran::Reports;

use crate::common::shell::Shell;
use crate::common::shell::nonce;

const SHELLS: [&str; 3] = ["bash", "zsh", "fish"];

const UP: &str = "\x1b[A";

/// Each recorded line under the name of its typist.
fn who_ran(shell: &Shell) -> Vec<(String, String)> {
    shell.ran().iter().map(|r| (r.typist.author.to_string(), r.line.text().to_owned())).collect()
}

#[tokio::test]
async fn a_line_is_recorded_as_it_ran() {
    for program in SHELLS {
        let mut shell = Shell::start(program, &[]).await;
        let mut want: Vec<&str> = Vec::new();
        for line in [
            "echo one",
            "  echo 'behind  spaces'",
            "echo \"a;b\\\\c\"; true",
            "echo grüße 日本 \u{1f600}",
            "ls | cat # and a comment",
            "false",
        ] {
            shell.enter(&format!("{line}\r")).await;
            want.push(line);
        }
        // Nothing runs.
        shell.press("\r").await;
        shell.enter("true\r").await;
        want.push("true");
        assert_eq!(shell.lines(), want, "{program}");
        assert_eq!(shell.reports(), Reports::Yes);
    }
}

#[tokio::test]
async fn what_the_editor_of_lines_made_is_recorded_and_not_the_keys() {
    for program in SHELLS {
        let mut shell = Shell::start(program, &[("only-one-such-file", "x")]).await;
        shell.enter("echo recalled\r").await;
        shell.enter(&format!("{UP}\r")).await;
        shell.enter("echo wrongg\x7f\x01\x0b\x05echo right\r").await;
        shell.press("cat only-on\t").await;
        shell.until_written("only-one-such-file").await;
        shell.enter("\r").await;

        let lines: Vec<String> = shell.lines().iter().map(|line| line.trim_end().to_owned()).collect();
        assert_eq!(lines, ["echo recalled", "echo recalled", "echo right", "cat only-one-such-file"], "{program}");
    }
}

#[tokio::test]
async fn an_alias_is_recorded_as_it_was_typed() {
    for program in SHELLS {
        let mut shell = Shell::start(program, &[]).await;
        shell.enter("alias greet='echo hello'\r").await;
        shell.enter("greet world\r").await;
        shell.until_written("hello world").await;
        assert_eq!(shell.lines()[1], "greet world", "{program}");
    }
}

#[tokio::test]
async fn a_command_of_several_lines_is_one_line_that_ran() {
    for program in SHELLS {
        let mut shell = Shell::start(program, &[]).await;
        let (begin, end) = if program == "fish" { ("for i in 1 2", "end") } else { ("for i in 1 2; do", "done") };
        let prompts = shell.prompts();
        shell.press(&format!("{begin}\r")).await;
        shell.press("echo n$i\r").await;
        shell.press(&format!("{end}\r")).await;
        shell.until_prompt(prompts + 1).await;
        shell.until_written("n2").await;

        let lines = shell.lines();
        let [line] = lines.as_slice() else { panic!("{program}: {lines:?}") };
        // bash joins them, as in its history; fish indents.
        let words = line.replace(';', " ");
        let want = format!("{begin} echo n$i {end}").replace(';', " ");
        assert_eq!(words.split_whitespace().collect::<Vec<_>>(), want.split_whitespace().collect::<Vec<_>>());
    }
}

#[tokio::test]
async fn a_here_document_is_recorded_with_its_lines() {
    for program in ["bash", "zsh"] {
        let mut shell = Shell::start(program, &[]).await;
        let prompts = shell.prompts();
        shell.press("cat <<END\r").await;
        shell.press("in the document\r").await;
        shell.press("END\r").await;
        shell.until_prompt(prompts + 1).await;
        assert_eq!(shell.lines().iter().map(|l| l.trim_end()).collect::<Vec<_>>(), ["cat <<END\nin the document\nEND"]);
    }
}

#[tokio::test]
async fn a_paste_is_recorded_when_it_runs() {
    for program in SHELLS {
        let mut shell = Shell::start(program, &[]).await;
        shell.press("\x1b[200~echo first\necho second\x1b[201~").await;
        shell.until_written("second").await;
        assert!(shell.lines().is_empty(), "{program}");
        let prompts = shell.prompts();
        shell.press("\r").await;
        // A shell may see one command or two.
        shell.until_prompt(prompts + 1).await;
        shell.until_written("first\r\n").await;
        shell.enter("echo end\r").await;
        let said = shell.lines().join("\n");
        assert_eq!(said, "echo first\necho second\necho end", "{program}");
    }
}

#[tokio::test]
async fn lines_typed_ahead_are_recorded_when_they_run_with_their_typists() {
    for program in SHELLS {
        let mut shell = Shell::start(program, &[]).await;
        let prompts = shell.prompts();
        shell.press_as("anna", "cat; sleep 0.2\r").await;
        shell.until_ran(1).await;
        shell.press_as("anna", "to the program\n\x04").await;
        // Once by the terminal and once by the program.
        shell.until_written_times("to the program", 2).await;
        shell.press_as("ben", "echo ahead\r").await;
        shell.until_prompt(prompts + 2).await;
        let ran = who_ran(&shell);
        assert_eq!(ran.len(), 2, "{program}: {ran:?}");
        assert_eq!(ran[0], ("person:anna".into(), "cat; sleep 0.2".into()), "{program}");
        // Whose line the program ate cannot be seen from here, so it may stand under the other's name.
        assert_eq!(ran[1].1, "echo ahead", "{program}");

        // Where nothing ate any, each line is its typist's.
        let prompts = shell.prompts();
        shell.press_as("anna", "sleep 0.3\r").await;
        shell.until_ran(3).await;
        shell.press_as("ben", "echo bens\r").await;
        shell.press_as("anna", "echo annas\r").await;
        shell.until_prompt(prompts + 3).await;
        let want = [("person:anna", "sleep 0.3"), ("person:ben", "echo bens"), ("person:anna", "echo annas")];
        assert_eq!(who_ran(&shell)[2..], want.map(|(who, line)| (who.to_owned(), line.to_owned())), "{program}");
    }
}

#[tokio::test]
async fn a_password_is_never_recorded() {
    for program in SHELLS {
        let mut shell = Shell::start(program, &[]).await;
        shell.press("sh -c 'stty -echo; read x; stty echo; echo got $x' | cat\r").await;
        shell.until_ran(1).await;
        shell.until_password().await;
        shell.press("hunter2\r").await;
        shell.until_written("got hunter2").await;
        shell.until_prompt(2).await;
        // One line too many at the prompt: the shell runs it.
        shell.press("sh -c 'stty -echo; read x; stty echo'\r").await;
        shell.until_ran(2).await;
        shell.until_password().await;
        shell.press("hunter2\nhunter3\n").await;
        shell.until_written("hunter3").await;
        shell.until_prompt(4).await;
        shell.enter("echo after\r").await;

        let lines = shell.lines();
        assert_eq!(lines.len(), 3, "{program}: {lines:?}");
        assert!(!lines.concat().contains("hunter"), "{program}: {lines:?}");
        assert_eq!(lines[2], "echo after");
    }
}

#[tokio::test]
async fn the_shells_own_password_prompt_is_never_recorded() {
    for program in ["bash", "zsh"] {
        let mut shell = Shell::start(program, &[]).await;
        shell.press("read -s secret\r").await;
        shell.until_ran(1).await;
        shell.enter("hunter2\r").await;
        shell.enter("echo ${#secret}\r").await;
        assert_eq!(shell.lines(), ["read -s secret", "echo ${#secret}"], "{program}");
    }
}

#[tokio::test]
async fn what_was_typed_ahead_of_a_password_prompt_is_never_recorded() {
    for program in SHELLS {
        let mut shell = Shell::start(program, &[]).await;
        // It asks, but takes what it asks for from elsewhere.
        shell.press("sh -c 'echo begun; sleep 0.3; stty -echo; echo Password:; sleep 0.3; stty echo'\r").await;
        shell.until_written("begun\r\n").await;
        shell.press("hunter2\r").await;
        shell.until_prompt(3).await;
        shell.enter("echo after\r").await;
        let lines = shell.lines();
        assert_eq!(lines[1..], ["echo after"], "{program}: {lines:?}");
    }
}

#[tokio::test]
async fn nothing_from_inside_a_full_screen_program_is_recorded() {
    for program in SHELLS {
        let mut shell = Shell::start(program, &[("text", "x\n")]).await;
        shell.press("vim -u NONE -N text\r").await;
        shell.until_written("\x1b[?1049h").await;
        shell.press(":!echo from inside\r").await;
        shell.until_written("from inside\r\n").await;
        assert_eq!(shell.reports(), Reports::Inside, "{program}");
        shell.press("\r:q!\r").await;
        shell.until_prompt(2).await;
        assert_eq!(shell.reports(), Reports::Yes, "{program}");
        assert_eq!(shell.lines(), ["vim -u NONE -N text"], "{program}");
    }
}

#[tokio::test]
async fn output_forges_nothing() {
    for program in SHELLS {
        let mark =
            "\x1b]633;A;\x1b\\\x1b]633;E;rm -rf /;\x1b\\\x1b]633;E;rm -rf /;0123456789abcdef0123456789abcdef\x07";
        let mut shell = Shell::start(program, &[("evil", mark)]).await;
        shell.enter("cat evil\r").await;
        shell.enter("printf '\\033]633;E;rm -rf /;\\007'\r").await;
        let lines = shell.lines();
        assert_eq!(lines, ["cat evil", "printf '\\033]633;E;rm -rf /;\\007'"], "{program}");
    }
}

#[tokio::test]
async fn no_child_knows_the_nonce() {
    for program in SHELLS {
        let mut shell = Shell::start(program, &[]).await;
        assert!(!shell.home().join("private").exists(), "{program} has left its file");
        shell.enter("env > env; cat /proc/self/environ > environ; sh -c set > set\r").await;
        let pid = shell.pid();
        let mut seen = vec![fs::read(format!("/proc/{pid}/environ")).unwrap()];
        seen.push(fs::read(format!("/proc/{pid}/cmdline")).unwrap());
        seen.extend(["env", "environ", "set"].map(|file| fs::read(shell.home().join(file)).unwrap()));
        for text in seen {
            assert!(!text.is_empty());
            assert!(!String::from_utf8_lossy(&text).contains(&nonce().hex()), "{program}");
        }
        let env = fs::read_to_string(shell.home().join("env")).unwrap();
        assert!(!env.to_lowercase().contains("vyre"), "{program}: {env}");
        assert!(!env.contains("ZDOTDIR") && !env.contains("\nENV=") && !env.contains("POSIX"), "{program}: {env}");
    }
}

#[tokio::test]
async fn a_shell_inside_the_shell_reports_nothing() {
    for program in SHELLS {
        for inner in ["sh -i", "bash --norc", "bash -l", "zsh -f", "fish --no-config"] {
            let mut shell = Shell::start(program, &[]).await;
            shell.press(&format!("{inner}\r")).await;
            shell.until_ran(1).await;
            shell.press("echo in''side\r").await;
            shell.until_written("inside").await;
            assert_eq!(shell.reports(), Reports::Inside, "{program}: {inner}");
            shell.press("exit\r").await;
            shell.until_prompt(2).await;
            shell.enter("echo back\r").await;
            assert_eq!(shell.reports(), Reports::Yes);
            assert_eq!(shell.lines(), [inner, "echo back"], "{program}");
            assert!(!shell.output().contains("not found"), "{program}: {inner}: {}", shell.output());
        }
    }
}

#[tokio::test]
async fn a_shell_that_is_not_known_reports_nothing_and_says_so() {
    let mut shell = Shell::begin("dash", &[]).await;
    shell.press("echo in''side\r").await;
    shell.until_written("inside").await;
    assert_eq!(shell.reports(), Reports::No);
    assert!(shell.lines().is_empty());
}

#[tokio::test]
async fn a_very_long_line_is_recorded_cut() {
    for program in SHELLS {
        // A terminal takes 4096 bytes at once before its editor reads, so the line comes out of a file.
        let long = format!("true {}", "x".repeat(100 * 1024));
        let history = match program {
            "fish" => "- cmd: ".to_owned() + &long + "\n  when: 1\n",
            _ => long.clone() + "\n",
        };
        let file = match program {
            "bash" => ".bash_history",
            "zsh" => ".zhistory",
            _ => ".local/share/fish/fish_history",
        };
        let zshrc = "HISTFILE=~/.zhistory HISTSIZE=10 SAVEHIST=10";
        let mut shell = Shell::start(program, &[(file, &history), (".zshrc", zshrc)]).await;
        shell.enter(&format!("{UP}\r")).await;
        let ran = shell.ran();
        assert_eq!(ran.len(), 1, "{program}");
        assert!(ran[0].line.is_cut(), "{program}");
        assert!(long.starts_with(ran[0].line.text()), "{program}");
        assert_eq!(ran[0].line.text().len(), 64 * 1024);
    }
}

/// What the person has set up themselves goes on working, and lines are recorded beside it.
#[tokio::test]
async fn bash_keeps_what_the_person_has_set_up() {
    let profile = r#"
shopt -q login_shell && echo "a login shell, $0"
. ~/.bashrc
"#;
    let bashrc = r#"
PROMPT_COMMAND='echo "theirs: $?"; history -a'
PS0='before-it-runs\n'
trap 'debugged=$BASH_COMMAND' DEBUG
HISTCONTROL=ignoreboth:erasedups
HISTIGNORE='ls*'
set -u -o noclobber
alias printf='echo no' local='echo no'
"#;
    let mut shell = Shell::start("bash", &[(".bash_profile", profile), (".bashrc", bashrc)]).await;
    let lines = [
        "false",
        "echo \"status $?\"",
        " echo hidden-from-history",
        "ls -d .",
        "echo twice",
        "echo twice",
        "echo control=$HISTCONTROL ignore=$HISTIGNORE",
        "shopt -po posix inherit_errexit",
        "echo $HISTFILE",
    ];
    for line in lines {
        shell.enter(&format!("{line}\r")).await;
    }
    assert_eq!(shell.lines(), lines);
    let output = shell.output();
    for want in [
        "a login shell, -bash",
        "theirs: 1",
        "status 1",
        "before-it-runs",
        "control=ignoreboth:erasedups ignore=ls*",
        "set +o posix",
        "/.bash_history\r\n",
    ] {
        assert!(output.contains(want), "{want}:\n{output}");
    }
    // A paste of which one line is not for the history.
    shell.press("\x1b[200~ echo hidden-too\necho pasted\x1b[201~").await;
    shell.enter("\r").await;
    assert_eq!(shell.lines()[lines.len()..], [" echo hidden-too", "echo pasted"]);
    shell.press("logout\r").await;
    shell.ended().await;
    let history = fs::read_to_string(shell.home().join(".bash_history")).unwrap();
    let want = "false\necho \"status $?\"\necho twice\necho control=$HISTCONTROL ignore=$HISTIGNORE\n\
                shopt -po posix inherit_errexit\necho $HISTFILE\necho pasted\nlogout\n";
    assert_eq!(history, want);
}

#[tokio::test]
async fn bash_reports_though_its_hooks_are_set_anew() {
    let profile = "PROMPT_COMMAND=('true' 'true')\n";
    let mut shell = Shell::start("bash", &[(".profile", profile)]).await;
    let lines = [
        "PROMPT_COMMAND='echo new'",
        "PS0='p'",
        "PROMPT_COMMAND[0]=true",
        "set -x",
        "echo traced",
        "set +x",
        "exec 2>&1",
        "true",
    ];
    for line in lines {
        shell.enter(&format!("{line}\r")).await;
    }
    assert_eq!(shell.lines(), lines);
    shell.enter("set +o history\r").await;
    shell.enter("echo unnamed\r").await;
    assert_eq!(shell.lines().len(), lines.len() + 1);
    assert_eq!(shell.lines().last().unwrap(), "set +o history");
}

#[tokio::test]
async fn zsh_keeps_what_the_person_has_set_up() {
    let zshenv = "export ZDOTDIR=$HOME/config\n";
    let zshrc = r#"
[[ -o login ]] && echo "a login shell, $0"
setopt HIST_IGNORE_SPACE KSH_ARRAYS SH_WORD_SPLIT NO_UNSET
theirs() { echo "theirs: $1" }
preexec_functions=(theirs)
precmd_functions=()
alias printf='echo no' local='echo no'
"#;
    let files = [(".zshenv", zshenv), ("config/.zshrc", zshrc), ("config/.zlogin", "echo read-at-login\n")];
    let mut shell = Shell::start("zsh", &files).await;
    let lines = ["echo one", " echo hidden", "echo $ZDOTDIR", "set -x", "echo traced", "set +x", "fc -l -10"];
    for line in lines {
        shell.enter(&format!("{line}\r")).await;
    }
    assert_eq!(shell.lines(), lines);
    let output = shell.output();
    for want in ["a login shell, -zsh", "theirs: echo one", "read-at-login", "/config\r\n"] {
        assert!(output.contains(want), "{want}:\n{output}");
    }
}

#[tokio::test]
async fn fish_keeps_what_the_person_has_set_up() {
    let config = r#"
status is-login; and echo a login shell
function theirs --on-event fish_preexec
    echo "theirs: $argv"
end
function fish_prompt
    echo "$status> "
end
"#;
    let mut shell = Shell::start("fish", &[(".config/fish/config.fish", config)]).await;
    let lines = ["false", "echo \"status $status\"", " echo hidden", "true"];
    for line in lines {
        shell.enter(&format!("{line}\r")).await;
    }
    assert_eq!(shell.lines(), lines);
    for want in ["a login shell", "theirs: false", "status 1", "1> "] {
        assert!(shell.output().contains(want), "{want}:\n{}", shell.output());
    }
}

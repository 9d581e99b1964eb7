use super::*;
use crate::rules::term::marks::Marks;
use crate::rules::term::marks::Nonce;

const SHOWN: Mode = Mode { echo: true, canonical: true };
const EDITOR: Mode = Mode { echo: false, canonical: false };
const PASSWORD: Mode = Mode { echo: false, canonical: true };

/// A terminal of two people, and what was recorded: who and what.
struct Table {
    recorder: Recorder,
    marks: Marks,
    recorded: Vec<(String, String)>,
}

impl Table {
    /// At its first prompt.
    fn new() -> Table {
        let marks = Marks::new(Nonce::new([7; 16]));
        Table { recorder: Recorder::new(true), marks, recorded: Vec::new() }.prompt()
    }

    fn types(mut self, who: &str, keys: &str, mode: Mode) -> Table {
        let author = Author::person(who).unwrap();
        self.recorder.typed(&Typist { author, via: "relay".into(), surface: "deck".into() }, keys.as_bytes(), mode);
        self
    }

    fn says(mut self, what: &str) -> Table {
        let mark = format!("\x1b]633;{what};{}\x1b\\", "07".repeat(16));
        self.writes(&mark);
        self
    }

    fn writes(&mut self, output: &str) {
        let (recorder, recorded) = (&mut self.recorder, &mut self.recorded);
        self.marks.read(output.as_bytes(), |at, mark| {
            if let Some(ran) = recorder.mark(at, mark) {
                let who = ran.typist.author.as_str().trim_start_matches("person:").to_owned();
                recorded.push((who, ran.line.text().to_owned()));
            }
        });
    }

    fn prompt(self) -> Table {
        self.says("D;0").says("A")
    }

    fn runs(self, line: &str) -> Table {
        self.says(&format!("E;{line}")).says("C")
    }

    /// Somebody types a line at the prompt, and it begins to run.
    fn enters(self, who: &str, line: &str) -> Table {
        self.types(who, &format!("{line}\r"), EDITOR).runs(line)
    }

    #[track_caller]
    fn recorded(&self, want: &[(&str, &str)]) {
        let have: Vec<_> = self.recorded.iter().map(|(who, line)| (who.as_str(), line.as_str())).collect();
        assert_eq!(have, want);
    }
}

#[test]
fn a_line_is_its_that_pressed_enter() {
    Table::new()
        .types("anna", "rm -rf", EDITOR)
        .types("ben", " build\r", EDITOR)
        .runs("rm -rf build")
        .prompt()
        .enters("anna", "ls")
        .recorded(&[("ben", "rm -rf build"), ("anna", "ls")]);
}

#[test]
fn a_line_belongs_to_no_one_who_came_after_it() {
    Table::new()
        .enters("anna", "sleep 9")
        .types("ben", "ls\n", SHOWN)
        .types("anna", "pwd\n", SHOWN)
        .prompt()
        .runs("ls")
        .prompt()
        .runs("pwd")
        .recorded(&[("anna", "sleep 9"), ("ben", "ls"), ("anna", "pwd")]);
}

#[test]
fn lines_that_a_program_ate_give_their_typist_nothing() {
    Table::new()
        .enters("anna", "read x")
        .types("ben", "yes\n", SHOWN)
        .prompt()
        .enters("anna", "pwd")
        .recorded(&[("anna", "read x"), ("anna", "pwd")]);
}

#[test]
fn a_prompt_that_is_drawn_anew_takes_no_enter_away() {
    Table::new()
        .enters("anna", "sudo ls")
        .types("anna", "hunter2\n", PASSWORD)
        .prompt()
        .types("ben", "pwd\r", EDITOR)
        .says("A")
        .runs("pwd")
        .recorded(&[("anna", "sudo ls"), ("ben", "pwd")]);
}

#[test]
fn two_lines_pasted_at_once_are_both_recorded() {
    Table::new()
        .types("anna", "one\rtwo\r", EDITOR)
        .runs("one")
        .prompt()
        .runs("two")
        .recorded(&[("anna", "one"), ("anna", "two")]);
}

#[test]
fn a_line_that_nobody_typed_is_not_recorded() {
    Table::new().runs("from-a-start-file").recorded(&[]);
}

#[test]
fn a_password_is_no_line_and_costs_none() {
    Table::new()
        .enters("anna", "sudo ls")
        .types("anna", "hunter2\n", PASSWORD)
        .prompt()
        .enters("anna", "pwd")
        .recorded(&[("anna", "sudo ls"), ("anna", "pwd")]);
}

#[test]
fn a_password_that_the_shell_runs_is_not_recorded() {
    // The second line was left over when the prompt had its own.
    Table::new()
        .enters("anna", "read -s x")
        .types("anna", "wrong\nhunter2\n", PASSWORD)
        .prompt()
        .runs("hunter2")
        .prompt()
        .enters("anna", "pwd")
        .recorded(&[("anna", "read -s x"), ("anna", "pwd")]);
}

#[test]
fn what_was_typed_ahead_of_a_password_prompt_is_not_recorded() {
    let mut table = Table::new().enters("anna", "./deploy").types("anna", "hunter2\n", SHOWN);
    table.recorder.mode(PASSWORD);
    table.prompt().runs("hunter2").prompt().enters("anna", "pwd").recorded(&[("anna", "./deploy"), ("anna", "pwd")]);
}

#[test]
fn what_was_typed_ahead_of_a_program_that_may_ask_is_not_recorded() {
    // It had been asked a minute ago, so no prompt came.
    Table::new()
        .enters("anna", "cd /srv && /usr/bin/sudo make install")
        .types("anna", "hunter2\n", SHOWN)
        .prompt()
        .runs("hunter2")
        .prompt()
        .enters("anna", "ls")
        .recorded(&[("anna", "cd /srv && /usr/bin/sudo make install"), ("anna", "ls")]);
}

#[test]
fn a_password_that_was_pasted_behind_its_command_is_not_recorded() {
    Table::new()
        .types("anna", "sudo make\rhunter2\r", EDITOR)
        .runs("sudo make")
        .prompt()
        .runs("hunter2")
        .prompt()
        .enters("anna", "ls")
        .recorded(&[("anna", "sudo make"), ("anna", "ls")]);
}

#[test]
fn half_a_password_that_was_typed_ahead_keeps_the_line_out() {
    Table::new()
        .enters("anna", "sudo true")
        .types("anna", "hunter2", SHOWN)
        .prompt()
        .enters("anna", "")
        .prompt()
        .enters("anna", "ls")
        .recorded(&[("anna", "sudo true"), ("anna", "ls")]);
}

#[test]
fn a_password_asked_for_at_the_prompt_is_not_recorded() {
    Table::new().types("anna", "hunter2\n", PASSWORD).runs("hunter2").recorded(&[]);
}

#[test]
fn a_full_screen_program_records_nothing_until_the_shell_is_back() {
    let mut table = Table::new().enters("anna", "vim");
    table.writes("\x1b[?1049h");
    assert_eq!(table.recorder.reports(), Reports::Inside);
    let table = table.types("anna", ":!ls\r", EDITOR).runs("ls");
    table.recorded(&[("anna", "vim")]);

    // It was killed and never gave the screen back.
    table.prompt().enters("anna", "reset").recorded(&[("anna", "vim"), ("anna", "reset")]);
}

#[test]
fn a_terminal_says_whether_it_reports() {
    let silent = Recorder::new(false);
    assert_eq!(silent.reports(), Reports::No);
    assert_eq!(Recorder::new(true).reports(), Reports::Starting);

    let table = Table::new();
    assert_eq!(table.recorder.reports(), Reports::Yes);
    let table = table.enters("anna", "ssh far");
    assert_eq!(table.recorder.reports(), Reports::Yes);
    let table = table.types("anna", "ls\r", EDITOR);
    assert_eq!(table.recorder.reports(), Reports::Inside);
    let table = table.prompt();
    assert_eq!(table.recorder.reports(), Reports::Yes);
    let table = table.types("anna", "set +o history\r", EDITOR).says("C");
    assert_eq!(table.recorder.reports(), Reports::No, "the shell could not name what it ran");
}

#[test]
fn what_is_published_has_its_typist_and_no_secret() {
    let mut recorder = Recorder::new(true);
    let anna = Typist { author: Author::person("anna").unwrap(), via: "relay".into(), surface: "deck".into() };
    let mut marks = Marks::new(Nonce::new([7; 16]));
    let mut ran = Vec::new();
    let nonce = "07".repeat(16);
    let output = format!("\x1b]633;A;{nonce}\x07$ \x1b]633;E;API_TOKEN=hush-1234567 make;{nonce}\x07");
    recorder.typed(&anna, b"\r", EDITOR);
    marks.read(output.as_bytes(), |at, mark| ran.extend(recorder.mark(at, mark)));

    let (author, data) = ran.pop().unwrap().event("t1");

    assert_eq!(author.as_str(), "person:anna");
    let Data::TermCommand(typed) = data else { panic!("{data:?}") };
    assert_eq!(typed.line, "API_TOKEN=[redacted] make");
    assert_eq!((typed.term.as_str(), typed.offset), ("t1", 43));
    assert_eq!((typed.via.as_str(), typed.surface.as_str()), ("relay", "deck"));
}

#[test]
fn what_is_kept_of_typing_is_bounded() {
    let mut table = Table::new();
    for n in 0..10_000 {
        table = table.types(if n % 2 == 0 { "anna" } else { "ben" }, "x\r", SHOWN);
        if n % 100 == 0 {
            table = table.prompt();
        }
    }
    assert!(table.recorder.before.len() + table.recorder.since.len() <= 2 * TYPED_MAX);
}

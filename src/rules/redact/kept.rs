//! What is redacted in an event before anything keeps it.
//!
//! An event stands alone, and what a call prints goes over several of them. So of a piece every line that ends in it is
//! redacted, and its last one is left as it came: what is shown of it is decided where the pieces come together. A block of
//! a key whose end has not come is left, too, since without its beginning nobody knows the rest of it.

use vyre_proto::block::cut;
use vyre_proto::limits::TEXT_MAX;
use vyre_proto::pb::stream::event::Data;

use crate::rules::redact::redact;
use crate::rules::redact::redact_beginning;

/// Takes the secrets out of a command, of what it printed, and of a line that a person typed. `false`: nothing was changed.
pub fn redact_kept(data: &mut Data) -> bool {
    match data {
        Data::ThreadShell(d) => {
            let command = whole(&mut d.command, TEXT_MAX);
            let most = TEXT_MAX - d.command.len();
            let output = if d.exit.is_some() { ended(&mut d.output, most) } else { piece(&mut d.output, most) };
            command || output
        }
        Data::ThreadToolProgress(d) => piece(&mut d.text, TEXT_MAX),
        Data::ThreadToolStarted(d) => whole(&mut d.title, TEXT_MAX),
        Data::TermCommand(d) => whole(&mut d.line, TEXT_MAX),
        _ => false,
    }
}

fn whole(text: &mut String, most: usize) -> bool {
    let redacted = redact(text);
    // A mark may be longer than what it stands for.
    let redacted = cut(&redacted, most);
    if redacted == text {
        return false;
    }
    *text = redacted.to_owned();
    true
}

/// The last piece: its end is the end of a line.
fn ended(text: &mut String, most: usize) -> bool {
    // It may begin in a block of a key, or end in one: then it is as any other.
    if redact_beginning(text).1.is_some() { piece(text, most) } else { whole(text, most) }
}

fn piece(text: &mut String, most: usize) -> bool {
    let Some(end) = text.rfind('\n') else { return false };
    let (lines, open) = redact_beginning(&text[..end + 1]);
    if open.is_some() || *lines == text[..end + 1] {
        return false;
    }
    *text = cut(&(lines.into_owned() + &text[end + 1..]), most).to_owned();
    true
}

#[cfg(test)]
mod tests {
    use vyre_proto::pb::stream as pb;

    use super::*;
    use crate::rules::redact::Stream;
    use crate::rules::redact::table::secrets;
    use crate::rules::redact::table::shows;

    fn shell(output: &str, exit: Option<i32>) -> Data {
        let (call, command) = ("c".to_owned(), "ls".to_owned());
        Data::ThreadShell(pb::ThreadShell { call, command, output: output.to_owned(), exit })
    }

    fn kept(mut data: Data) -> String {
        redact_kept(&mut data);
        match data {
            Data::ThreadShell(d) => d.command + &d.output,
            Data::ThreadToolProgress(d) => d.text,
            Data::TermCommand(d) => d.line,
            _ => panic!(),
        }
    }

    #[test]
    fn nothing_keeps_a_secret_that_came_whole() {
        for case in secrets() {
            let progress = pb::ThreadToolProgress { call: "c".into(), text: format!("{}\n", case.text) };
            let command = pb::ThreadShell { call: "c".into(), command: case.text.clone(), ..Default::default() };
            let typed = pb::TermTyped { term: "t".into(), line: case.text.clone(), ..Default::default() };
            for data in [
                shell(&case.text, Some(0)),
                shell(&format!("{}\nmore", case.text), None),
                Data::ThreadToolProgress(progress),
                Data::ThreadShell(command),
                Data::TermCommand(typed),
            ] {
                let kept = kept(data);
                assert!(case.secrets.iter().all(|s| !shows(&kept, s)), "{kept}");
            }
        }
    }

    #[test]
    fn what_is_taken_out_of_a_piece_lets_nothing_through_where_the_pieces_come_together() {
        for case in secrets() {
            let cuts = (0..case.text.len()).filter(|n| case.text.is_char_boundary(*n));
            for at in cuts.step_by(3) {
                let (a, b) = case.text.split_at(at);
                let mut stream = Stream::default();
                let mut shown = stream.pass(&kept(shell(a, None))[2..], 2048);
                shown.push_str(&stream.pass(&kept(shell(b, Some(0)))[2..], 2048));
                shown.push_str(&stream.finish());
                assert!(case.secrets.iter().all(|s| !shows(&shown, s)), "{a}|{b}: {shown}");
            }
        }
    }

    #[test]
    fn what_is_kept_stays_as_long_as_it_may_be() {
        let mut data = shell(&"TOKEN=a\n".repeat(TEXT_MAX / 8), Some(0));
        assert!(redact_kept(&mut data));
        let Data::ThreadShell(d) = data else { panic!() };
        assert!(d.command.len() + d.output.len() <= TEXT_MAX);
        assert!(!redact_kept(&mut shell("nothing\nin it", Some(0))));
    }
}

//! `vyre token`: makes a bearer token, alone on a line; names those that there are; takes one back.

use std::path::Path;
use std::path::PathBuf;
use std::thread::sleep;
use std::time::Duration;

use crate::cli::Failure;
use crate::cli::print_line;
use crate::clock::Clock;
use crate::config::default_data;
use crate::daemon::control;
use crate::daemon::control::Ask;
use crate::daemon::control::Line;
use crate::rules::caller::TokenId;
use crate::store::Limits;
use crate::store::Store;
use crate::store::StoreError;

/// How often it is tried while a box is just starting or stopping: it holds the store and does not listen.
const TRIES: u32 = 30;

/// Flags of `vyre token`.
#[derive(Debug, clap::Args)]
#[command(group(clap::ArgGroup::new("who").required(true)))]
pub struct Args {
    /// Folder of the box. Default: `vyre` in the folder for data of your home.
    #[arg(long, env = "VYRE_DATA", value_name = "DIR")]
    data: Option<PathBuf>,
    /// A token with which this person reads and sends.
    #[arg(long, value_name = "NAME", group = "who")]
    person: Option<String>,
    /// The person's surface is the owner's own: it may edit what others wrote.
    #[arg(long, requires = "person")]
    owner: bool,
    /// A token with which this producer publishes.
    #[arg(long, value_name = "NAME", group = "who")]
    producer: Option<String>,
    /// A token with which this assistant reads what a person reads; say whom with --for.
    #[arg(long, value_name = "NAME", group = "who", requires = "asker")]
    assistant: Option<String>,
    /// The person for whom the assistant acts.
    #[arg(long = "for", id = "asker", value_name = "PERSON", requires = "assistant")]
    asker: Option<String>,
    /// Print every token's name and for whom it speaks. The tokens themselves are nowhere to be read.
    #[arg(long, group = "who")]
    list: bool,
    /// Take back the token of this name: its open streams end at once, and nobody is known by it any more.
    #[arg(long, value_name = "ID", group = "who")]
    revoke: Option<String>,
    /// With --list and --revoke: a line of JSON for each token.
    #[arg(long)]
    json: bool,
}

/// Makes a token and prints it; or names them, or takes one back.
pub fn run(args: &Args) -> Result<(), Failure> {
    if let Some(id) = &args.revoke {
        if TokenId::parse(id).is_none() {
            return Err(Failure::Usage("--revoke takes the name that `vyre token --list` prints".into()));
        }
        return rows(args, &Ask::RevokeToken(id.clone()));
    }
    if args.list {
        return rows(args, &Ask::Tokens);
    }
    let ask = match (&args.person, &args.producer) {
        (None, None) => match (&args.assistant, &args.asker) {
            (Some(name), Some(asker)) => {
                control::caller_of_assistant(name, asker).map_err(Failure::Usage)?;
                Ask::AssistantToken { assistant: name.clone(), asker: asker.clone() }
            }
            _ => return Err(Failure::Usage("give --person, --producer, or --assistant with --for".into())),
        },
        (Some(name), _) => {
            let caller = control::caller_of_person(name).map_err(|e| Failure::Usage(format!("--person: {e}")))?;
            if args.owner { Ask::OwnerToken(caller.to_string()) } else { Ask::PersonToken(caller.to_string()) }
        }
        (None, Some(name)) => {
            control::caller_of_producer(name).map_err(|e| Failure::Usage(format!("--producer: {e}")))?;
            Ask::ProducerToken(name.clone())
        }
    };
    let data = data_folder(args.data.as_deref())?;
    let mut token = None;
    let mut failed = None;
    ask_store(&data, &ask, true, &mut |line| {
        match line {
            Line::Token(text) => token = Some(text),
            Line::Failed(why) => failed = Some(why),
            Line::Row(_) | Line::End => {}
        }
        true
    })?;
    match (token, failed) {
        (Some(token), None) => {
            print_line(&token);
            Ok(())
        }
        (_, Some(why)) => Err(Failure::Run(why)),
        (None, None) => Err(Failure::Run("the box gave no token".into())),
    }
}

/// Asks for tokens by name, and prints them.
fn rows(args: &Args, ask: &Ask) -> Result<(), Failure> {
    let mut failed = None;
    ask_store(&data_folder(args.data.as_deref())?, ask, false, &mut |line| {
        match line {
            Line::Row(row) if args.json => return print_line(&row),
            Line::Row(row) => return print_line(&words(&row)),
            Line::Failed(why) => failed = Some(why),
            Line::Token(_) | Line::End => {}
        }
        true
    })?;
    failed.map_or(Ok(()), |why| Err(Failure::Run(why)))
}

/// A row for a person.
fn words(row: &str) -> String {
    let Ok(row) = serde_json::from_str::<serde_json::Value>(row) else { return row.to_owned() };
    let text = |key: &str| row.get(key).and_then(serde_json::Value::as_str).unwrap_or_default();
    let asker = if text("for").is_empty() { String::new() } else { format!(" for {}", text("for")) };
    format!("{}  {:<9}  {}{asker}", text("id"), text("kind"), text("name"))
}

/// The folder that was given, or the one by default.
pub fn data_folder(given: Option<&Path>) -> Result<PathBuf, Failure> {
    given.map(Path::to_owned).or_else(default_data).ok_or_else(|| Failure::Usage("give --data".into()))
}

/// Asks the box that runs on this folder; where none does, opens the store. `make`: also where there is none yet.
pub fn ask_store(data: &Path, ask: &Ask, make: bool, each: &mut dyn FnMut(Line) -> bool) -> Result<(), Failure> {
    for _ in 0..TRIES {
        match control::ask(data, ask, each) {
            Ok(Some(())) => return Ok(()),
            Ok(None) => {}
            Err(e) => return Err(Failure::Run(format!("the box on {} cannot be asked: {e}", data.display()))),
        }
        if make {
            vyre_certs::keyfile::make_folder(data).map_err(Failure::run)?;
        } else if !Store::is_in(data) {
            return Err(Failure::Run(format!("there is no store in {}", data.display())));
        }
        let clock = Clock::system();
        match Store::open(data, clock.clone(), Limits::default()) {
            Ok(store) => {
                control::answer(ask, &store, &clock, each);
                store.close();
                return Ok(());
            }
            Err(StoreError::InUse { .. }) => sleep(Duration::from_millis(100)),
            Err(e) => return Err(Failure::run(e)),
        }
    }
    Err(Failure::Run(format!("another program holds the store in {} and does not answer", data.display())))
}

//! `vyre-certs`: makes, checks and changes keys and certificates.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use clap::Subcommand;
use vyre_certs::dev::DevAuthority;
use vyre_certs::identity::BoxIdentity;
use vyre_certs::identity::IdentityError;
use vyre_certs::rotate;

/// Makes, checks and changes the keys and certificates of boxes and relays.
#[derive(Debug, Parser)]
#[command(name = "vyre-certs", version, arg_required_else_help = true)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Writes a development authority (ca.crt) and a certificate that it vouches for (tls.crt, tls.key).
    ///
    /// Give `--tls-cert tls.crt --tls-key tls.key` to a relay or a box, and let clients believe ca.crt, for example with
    /// SSL_CERT_FILE=ca.crt. The authority's own key is not kept.
    Dev {
        /// Folder to write to; made if it is not there. Files of the same names are replaced.
        dir: PathBuf,
        /// Host name or address that the certificate is for; may be given several times.
        #[arg(long = "name", default_values = ["localhost", "127.0.0.1", "::1"])]
        names: Vec<String>,
    },
    /// Prints the id of the box whose key is in this data folder.
    BoxId {
        /// Data folder of the box.
        data: PathBuf,
    },
    /// Checks that the key files in a data folder can be read by their owner alone.
    Check {
        /// Data folder of a box or a relay.
        data: PathBuf,
    },
    /// Prepares a relay's next key and prints its pin. A relay that runs prints its address again, with both pins.
    PrepareRelay {
        /// Data folder of the relay.
        data: PathBuf,
    },
    /// Puts the prepared key in place. A relay that runs takes it within 5 s; boxes need the address with both pins before.
    SwitchRelay {
        /// Data folder of the relay.
        data: PathBuf,
    },
    /// Gives a box a new key. It is a new box then: its id changes and every device pairs again. Stop it before.
    RotateBox {
        /// Data folder of the box.
        data: PathBuf,
    },
}

fn main() -> ExitCode {
    match run(Args::parse().command) {
        Ok(code) => code,
        Err(e) => {
            eprintln!("vyre-certs: {e}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> Result<ExitCode, IdentityError> {
    match command {
        Command::Dev { dir, names } => {
            let set = DevAuthority::new("vyre development authority")?.write_set(&dir, &names)?;
            for path in [set.authority, set.cert, set.key] {
                println!("{}", path.display());
            }
        }
        Command::BoxId { data } => println!("{}", BoxIdentity::load(&data)?.box_id()),
        Command::Check { data } => {
            let mut code = ExitCode::SUCCESS;
            for (path, verdict) in rotate::check(&data) {
                match verdict {
                    Ok(()) => println!("{}: fine", path.display()),
                    Err(e) => {
                        println!("{e}");
                        code = ExitCode::FAILURE;
                    }
                }
            }
            return Ok(code);
        }
        Command::PrepareRelay { data } => println!("{}", rotate::prepare_relay(&data)?),
        Command::SwitchRelay { data } => println!("{}", rotate::switch_relay(&data)?),
        Command::RotateBox { data } => {
            let (old, new) = rotate::rotate_box(&data)?;
            println!("{old} is now {new}");
        }
    }
    Ok(ExitCode::SUCCESS)
}

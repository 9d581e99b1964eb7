//! The flags by which a command says which box it means and by what right it asks.

use clap::Args;
use clap::ValueEnum;
use vyre_proto::ids::BoxId;
use vyre_proto::relay_url::RelayUrl;

use crate::cli::Failure;
use crate::client::Both;
use crate::client::Client;
use crate::client::RelayCarrier;
use crate::client::Target;
use crate::client::Token;
use crate::client::target::BothError;

/// Which box, and by what right. Where a command has commands of its own, these may stand behind them.
#[derive(Args)]
pub struct TargetArgs {
    /// The box: http://HOST:PORT, https://HOST:PORT or quic://BOX@HOST:PORT. Default: http://127.0.0.1:8080. With --relay too,
    /// this goes first and the relay 300 ms later, and what answers first is taken; http:// is then for this machine alone.
    #[arg(long, value_name = "URL", global = true)]
    url: Option<Target>,
    /// A relay that carries to the box, by the address that it prints.
    #[arg(long, value_name = "URL", requires = "box_id", global = true)]
    relay: Option<RelayUrl>,
    /// The box behind the relay, by its id.
    #[arg(long = "box", id = "box_id", value_name = "ID", requires = "relay", global = true)]
    box_id: Option<BoxId>,
    /// Over what the relay is reached. Default: QUIC, and a WebSocket where QUIC does not answer.
    #[arg(long, value_enum, requires = "relay", global = true)]
    carrier: Option<CarrierArg>,
    /// The token that `vyre token` printed. Others on this machine can see flags: the variable is safer.
    #[arg(
        long,
        env = "VYRE_TOKEN",
        hide_env_values = true,
        value_name = "TOKEN",
        allow_hyphen_values = true,
        global = true
    )]
    token: Option<String>,
}

/// A carrier, as a flag names it.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum CarrierArg {
    /// QUIC alone.
    Quic,
    /// WebSocket alone.
    Ws,
}

impl std::fmt::Debug for TargetArgs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // A token may be among the flags.
        f.write_str("TargetArgs(..)")
    }
}

impl TargetArgs {
    /// Where these flags point.
    ///
    /// # Errors
    /// If an address and a relay cannot be two paths to one box.
    pub fn target(&self) -> Result<Target, BothError> {
        let relayed = self.relay.as_ref().zip(self.box_id).map(|(url, id)| {
            let carrier = match self.carrier {
                None => RelayCarrier::Either,
                Some(CarrierArg::Quic) => RelayCarrier::Quic,
                Some(CarrierArg::Ws) => RelayCarrier::WebSocket,
            };
            Target::Relay { url: url.clone(), id, carrier }
        });
        Ok(match (self.url.clone(), relayed) {
            (Some(straight), Some(relayed)) => Target::Both(Box::new(Both::new(straight, relayed)?)),
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => Target::Web { tls: false, host: "127.0.0.1".to_owned(), port: 8080 },
        })
    }

    /// A client of that box. Must be called inside a runtime.
    ///
    /// # Errors
    /// If there is no token, or no way to the box at all.
    pub fn client(&self) -> Result<Client, Failure> {
        let Some(token) = &self.token else {
            return Err(Failure::Usage("give a token in VYRE_TOKEN: `vyre token` makes one".to_owned()));
        };
        let token = Token::parse(token).map_err(|e| Failure::Usage(e.to_string()))?;
        let target = self.target().map_err(|e| Failure::Usage(e.to_string()))?;
        Client::connect(target, token).map_err(Failure::run)
    }
}

//! One path to a box, straight or through a relay: QUIC, and a WebSocket where QUIC does not answer.

use bytes::Bytes;
use vyre_proto::pb::stream as pb;
use vyre_proto::resume::Ending;

use super::call::CallError;
use super::carrier::Carrier;
use super::carrier::Via;
use super::quic::Quic;
use super::race::Race;
use super::race::Word;
use super::target::Token;
use super::web::Web;

/// What carries on one path.
enum Carriers {
    Quic(Quic),
    Web(Web),
    Either(Quic, Web),
}

/// See the module.
pub(super) struct Way {
    token: Token,
    carriers: Carriers,
    race: Race,
}

impl Way {
    pub fn quic(token: Token, quic: Quic) -> Self {
        Self { token, carriers: Carriers::Quic(quic), race: Race::default() }
    }

    pub fn web(token: Token, web: Web) -> Self {
        Self { token, carriers: Carriers::Web(web), race: Race::default() }
    }

    pub fn either(token: Token, quic: Quic, web: Web) -> Self {
        Self { token, carriers: Carriers::Either(quic, web), race: Race::default() }
    }

    /// Its QUIC side, and its HTTP side.
    pub fn sides(&self) -> (Option<&Quic>, Option<&Web>) {
        match &self.carriers {
            Carriers::Quic(quic) => (Some(quic), None),
            Carriers::Web(web) => (None, Some(web)),
            Carriers::Either(quic, web) => (Some(quic), Some(web)),
        }
    }

    pub fn token(&self) -> &Token {
        &self.token
    }

    /// Opens a session and attaches to it. `fresh`: on no connection that is open already.
    pub async fn open(
        &self,
        open: &pb::StreamOpen,
        options: &pb::AttachOptions,
        fresh: bool,
    ) -> Result<(Carrier, Bytes), Ending> {
        match &self.carriers {
            Carriers::Quic(quic) => self.over_quic(quic, open, options, fresh).await,
            Carriers::Web(web) => self.over_web(web, open, options).await,
            Carriers::Either(quic, web) => {
                let (first, second) = (self.over_quic(quic, open, options, fresh), self.over_web(web, open, options));
                // What the box itself says is the same over every carrier.
                let word = |e: &Ending| match e {
                    Ending::Broken => Word::Silent,
                    Ending::Refused { .. } | Ending::Later { .. } => Word::Last,
                };
                self.race.run(first, second, word).await
            }
        }
    }

    async fn over_quic(
        &self,
        quic: &Quic,
        open: &pb::StreamOpen,
        options: &pb::AttachOptions,
        fresh: bool,
    ) -> Result<(Carrier, Bytes), Ending> {
        let attach = pb::OpenAttach { open: Some(open.clone()), options: Some(options.clone()) };
        let want = Some(pb::stream_head::Want::Open(attach));
        let head = pb::StreamHead { v: 1, bearer: self.token.secret().to_owned(), want };
        let stream = quic.start(&head, &[], fresh, true).await.map_err(CallError::of_open)?;
        match stream.answer {
            pb::stream_answer::Answer::Opened(_) => {
                let rest = stream.decoder.into_rest();
                Ok((Carrier::quic(quic.via, stream.recv, stream.connection), rest))
            }
            pb::stream_answer::Answer::Error(e) => Err(CallError::of(e).of_open()),
            pb::stream_answer::Answer::Accepted(_) => Err(Ending::Broken),
        }
    }

    async fn over_web(
        &self,
        web: &Web,
        open: &pb::StreamOpen,
        options: &pb::AttachOptions,
    ) -> Result<(Carrier, Bytes), Ending> {
        let socket = web.attach(&self.token, open, options).await.map_err(CallError::of_open)?;
        Ok((Carrier::web(web.via, socket), Bytes::new()))
    }

    /// A screen on a terminal, and what came behind the answer.
    pub async fn terminal(&self, stream: pb::TermStream) -> Result<(Carrier, Bytes), CallError> {
        match self.sides() {
            (Some(quic), _) => {
                // The ticket is the right.
                let want = Some(pb::stream_head::Want::Term(stream));
                let head = pb::StreamHead { v: 1, bearer: String::new(), want };
                let stream = quic.start(&head, &[], false, false).await?;
                super::quic::accepted(stream.answer)?;
                let rest = stream.decoder.into_rest();
                Ok((Carrier::both_ways(quic.via, stream.send, stream.recv, stream.connection), rest))
            }
            (None, Some(web)) => Ok((Carrier::web(web.via, web.terminal(&stream).await?), Bytes::new())),
            (None, None) => Err(CallError::NotABox),
        }
    }

    /// A tool call, over the carrier that answers. Connections alone are raced: what is asked is asked once.
    pub async fn call(&self, tool: &str, key: Option<&str>, body: Bytes) -> Result<Bytes, CallError> {
        match &self.carriers {
            Carriers::Quic(quic) => quic.call(self.token.secret(), tool, key, body).await,
            Carriers::Web(web) => web.call(&self.token, tool, key, body).await,
            Carriers::Either(quic, web) => {
                let first = async { quic.connect(false).await.map(|()| true) };
                let second = async { web.connect(false).await.map(|()| false) };
                if !self.race.run(first, second, |_| Word::Silent).await? {
                    return web.call(&self.token, tool, key, body).await;
                }
                match quic.call(self.token.secret(), tool, key, body.clone()).await {
                    // Nothing was sent: the other carrier may do.
                    Err(CallError::Unreachable(_)) => web.call(&self.token, tool, key, body).await,
                    answer => answer,
                }
            }
        }
    }

    /// Makes a connection that the next call goes on. `fresh`: one that is open already does not do.
    pub async fn connect(&self, fresh: bool) -> Result<(), CallError> {
        match &self.carriers {
            Carriers::Quic(quic) => quic.connect(fresh).await,
            Carriers::Web(web) => web.connect(fresh).await,
            Carriers::Either(quic, web) => {
                self.race.run(quic.connect(fresh), web.connect(fresh), |_| Word::Silent).await
            }
        }
    }

    /// Whether it has something better than this carrier.
    pub fn has_better(&self, via: Via) -> bool {
        via == Via::RelayWeb && matches!(&self.carriers, Carriers::Either(..))
    }

    /// Whether what is better than a WebSocket answers now.
    pub async fn is_better_there(&self) -> bool {
        match &self.carriers {
            Carriers::Either(quic, _) => quic.connect(true).await.is_ok(),
            Carriers::Quic(_) | Carriers::Web(_) => false,
        }
    }

    /// QUIC is preferred again.
    pub fn forget(&self) {
        self.race.forget();
    }

    /// The machine is on another network.
    pub fn rebind(&self) {
        if let (Some(quic), _) = self.sides() {
            quic.rebind();
        }
        self.race.forget();
    }
}

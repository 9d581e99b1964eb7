//! Which conversation of an agent belongs to which session, over a restart: one small file for each.
//!
//! It holds the agent's own name of the conversation and nothing that anybody said. Lost, the agent begins anew.

use std::fs;
use std::io;
use std::io::Write;
use std::path::Path;
use std::path::PathBuf;

use data_encoding::HEXLOWER;
use ring::digest::SHA256;
use ring::digest::digest;
use vyre_proto::ids::Author;
use vyre_proto::ids::SessionId;

/// Longest name of a conversation, in bytes.
const NAME_MAX: u64 = 4096;

/// Where the note on this session and assistant stands.
#[derive(Debug, Clone)]
pub(super) struct Note(PathBuf);

impl Note {
    /// In this folder.
    pub(super) fn of(folder: &Path, session: &SessionId, assistant: &Author) -> Note {
        let name = digest(&SHA256, format!("{session}\n{assistant}").as_bytes());
        Note(folder.join(HEXLOWER.encode(name.as_ref())))
    }

    /// The conversation, if one is known. Blocks.
    pub(super) fn read(&self) -> Option<String> {
        if fs::metadata(&self.0).ok()?.len() > NAME_MAX {
            return None;
        }
        fs::read_to_string(&self.0).ok().filter(|s| !s.is_empty())
    }

    /// Keeps it. Whole or not at all. Blocks.
    pub(super) fn write(&self, conversation: &str) -> io::Result<()> {
        if let Some(folder) = self.0.parent() {
            vyre_certs::keyfile::make_folder(folder).map_err(io::Error::other)?;
        }
        let new = self.0.with_extension("new");
        let mut file = fs::File::create(&new)?;
        file.write_all(conversation.as_bytes())?;
        file.sync_all()?;
        fs::rename(&new, &self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_is_read_back_and_belongs_to_one_session_and_assistant() {
        let folder = tempfile::tempdir().unwrap();
        let (s, helper) = (SessionId::parse("s").unwrap(), Author::parse("assistant:helper").unwrap());
        let note = Note::of(&folder.path().join("agents"), &s, &helper);
        assert_eq!(note.read(), None);

        note.write("conversation 7").unwrap();
        note.write("conversation 8").unwrap();

        assert_eq!(Note::of(&folder.path().join("agents"), &s, &helper).read().as_deref(), Some("conversation 8"));
        let other = Author::parse("assistant:other").unwrap();
        assert_eq!(Note::of(&folder.path().join("agents"), &s, &other).read(), None);
    }
}

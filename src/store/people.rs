//! What is kept of people: how far each has read each session.

use std::collections::HashMap;

use redb::ReadableDatabase;
use redb::ReadableTable;
use redb::TableDefinition;
use vyre_proto::ids::Author;
use vyre_proto::ids::SessionId;

use crate::rules::readmarks::Landmarks;
use crate::rules::readmarks::Mark;
use crate::store::Store;
use crate::store::StoreError;
use crate::store::commit;

/// (person, session id) to a [`Mark`]. Lives as long as the session. A store that never saw a mark has no such table.
pub const READ_MARKS: TableDefinition<(&str, &str), &[u8]> = TableDefinition::new("read_marks");

/// A mark that is to be moved.
#[derive(Debug, Clone)]
pub struct MoveMark {
    /// Whose.
    pub who: Author,
    /// In which session.
    pub session: SessionId,
    /// To where, in the log as it is now.
    pub mark: Mark,
    /// The places of that log.
    pub landmarks: Landmarks,
}

impl Store {
    /// Moves marks, each only forward, in one transaction. Gives for each where it stands now and whether it has moved.
    /// Durable when it returns. Blocks.
    pub fn move_marks(&self, moves: &[MoveMark]) -> Result<Vec<(Mark, bool)>, StoreError> {
        let db = self.shared.db()?;
        let mut txn = db.begin_write()?;
        commit::harden(&mut txn)?;
        let mut stand = Vec::with_capacity(moves.len());
        {
            let mut table = txn.open_table(READ_MARKS)?;
            for m in moves {
                let key = (m.who.as_str(), m.session.as_str());
                let old = table.get(key)?.and_then(|bytes| Mark::decode(bytes.value()));
                match old {
                    Some(old) if !m.mark.is_after(Some(&old), &m.landmarks) => stand.push((old, false)),
                    _ => {
                        table.insert(key, m.mark.encode().as_slice())?;
                        stand.push((m.mark.clone(), true));
                    }
                }
            }
        }
        txn.commit()?;
        Ok(stand)
    }

    /// All marks of one person, by session.
    pub fn marks_of(&self, who: &Author) -> Result<HashMap<SessionId, Mark>, StoreError> {
        self.shared.reading(|db| {
            let read = db.begin_read()?;
            let table = match read.open_table(READ_MARKS) {
                Ok(table) => table,
                Err(redb::TableError::TableDoesNotExist(_)) => return Ok(HashMap::new()),
                Err(e) => return Err(e.into()),
            };
            let mut all = HashMap::new();
            for entry in table.range((who.as_str(), "")..)? {
                let (key, value) = entry?;
                let (person, session) = key.value();
                if person != who.as_str() {
                    break;
                }
                if let (Ok(session), Some(mark)) = (SessionId::parse(session), Mark::decode(value.value())) {
                    all.insert(session, mark);
                }
            }
            Ok(all)
        })
    }

    /// The marks of these people in one session, in their order.
    pub fn marks_in(&self, session: &SessionId, people: &[Author]) -> Result<Vec<Option<Mark>>, StoreError> {
        self.shared.reading(|db| {
            let read = db.begin_read()?;
            let table = match read.open_table(READ_MARKS) {
                Ok(table) => table,
                Err(redb::TableError::TableDoesNotExist(_)) => return Ok(vec![None; people.len()]),
                Err(e) => return Err(e.into()),
            };
            let mark = |who: &Author| {
                let found = table.get((who.as_str(), session.as_str()))?;
                Ok(found.and_then(|bytes| Mark::decode(bytes.value())))
            };
            people.iter().map(mark).collect()
        })
    }
}

#[cfg(test)]
mod tests {
    use vyre_proto::cursor::Cursor;
    use vyre_proto::ids::LogId;
    use vyre_proto::ids::MessageId;

    use super::*;
    use crate::clock::Clock;
    use crate::store::Limits;

    fn to(who: &str, session: &str, cur: u64) -> MoveMark {
        let message = MessageId::parse(&format!("m{cur}")).unwrap();
        MoveMark {
            who: Author::person(who).unwrap(),
            session: SessionId::parse(session).unwrap(),
            mark: Mark { message, log: LogId([1; 16]), cur: Cursor::new(cur).unwrap() },
            landmarks: Landmarks::default(),
        }
    }

    #[test]
    fn marks_only_move_forward_are_each_person_s_own_and_stay_through_a_restart_and_a_backup() {
        let dir = tempfile::tempdir().unwrap();
        let open = || Store::open(dir.path(), Clock::system(), Limits::default()).unwrap();
        let store = open();
        let ana = Author::person("ana").unwrap();
        assert!(store.marks_of(&ana).unwrap().is_empty());

        let moves = [to("ana", "s", 80), to("ana", "s", 60), to("ana", "t", 5), to("ana2", "s", 7), to("an", "s", 8)];
        let stand: Vec<_> = store.move_marks(&moves).unwrap().into_iter().map(|(m, new)| (m.cur.get(), new)).collect();
        assert_eq!(stand, [(80, true), (80, false), (5, true), (7, true), (8, true)]);
        let copy = tempfile::tempdir().unwrap();
        store.backup(&copy.path().join("vyre.redb"), &mut |_, _| {}).unwrap();
        store.close();
        drop(store);

        let restored = Store::open(copy.path(), Clock::system(), Limits::default()).unwrap();
        for store in [open(), restored] {
            let mut of: Vec<_> =
                store.marks_of(&ana).unwrap().into_iter().map(|(s, m)| (s.to_string(), m.cur.get())).collect();
            of.sort();
            assert_eq!(of, [("s".to_owned(), 80), ("t".to_owned(), 5)]);
            let people = [Author::person("nobody").unwrap(), ana.clone()];
            let s = SessionId::parse("s").unwrap();
            let marks = store.marks_in(&s, &people).unwrap();
            assert_eq!(marks.into_iter().map(|m| m.map(|m| m.cur.get())).collect::<Vec<_>>(), [None, Some(80)]);
        }
    }
}

//! Where the row of a message, a call or an ask stands.

use std::collections::HashMap;

use crate::fold::row::Row;

/// The place of one row.
#[derive(Clone)]
pub(super) enum Place {
    /// Visible, at this index.
    Row(usize),
    /// Not visible yet: thinking alone, say.
    Held(Box<Row>),
    /// Taken out of the conversation. Nothing brings it back.
    Gone,
}

/// Places by id, for one family of rows.
#[derive(Clone, Default)]
pub(super) struct Index(HashMap<Box<str>, Place>);

impl Index {
    pub(super) fn get(&self, id: &str) -> Option<&Place> {
        self.0.get(id)
    }

    pub(super) fn get_mut(&mut self, id: &str) -> Option<&mut Place> {
        self.0.get_mut(id)
    }

    /// Puts one at a place.
    pub(super) fn set(&mut self, id: &str, place: Place) {
        match self.0.get_mut(id) {
            Some(there) => *there = place,
            None => {
                self.0.insert(id.into(), place);
            }
        }
    }

    /// Takes a row that is still held.
    pub(super) fn take_held(&mut self, id: &str) -> Option<Row> {
        let place = self.0.get_mut(id)?;
        match std::mem::replace(place, Place::Gone) {
            Place::Held(row) => Some(*row),
            other => {
                *place = other;
                None
            }
        }
    }
}

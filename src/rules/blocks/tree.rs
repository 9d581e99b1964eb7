//! JSON as a tree that keeps the order of fields, and the questions that blocks ask of it.
//!
//! Depth is bounded by the reader (128): what nests deeper is no tree, and is only told of by its size.

use std::fmt;

use serde::Deserialize;
use serde::Deserializer;
use serde::de;

/// One JSON value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Tree {
    Null,
    Bool(bool),
    /// As it is written for people.
    Number(String),
    Text(String),
    List(Vec<Tree>),
    Map(Vec<(String, Tree)>),
}

impl Tree {
    /// `None` for what is not JSON, or nests too deep.
    pub(crate) fn read(raw: &[u8]) -> Option<Tree> {
        serde_json::from_slice(raw).ok()
    }

    pub(crate) fn get(&self, key: &str) -> Option<&Tree> {
        match self {
            Tree::Map(fields) => fields.iter().find(|(k, _)| k == key).map(|(_, v)| v).filter(|v| **v != Tree::Null),
            _ => None,
        }
    }

    /// The first of these fields that is there.
    pub(crate) fn first(&self, keys: &[&str]) -> Option<&Tree> {
        keys.iter().find_map(|k| self.get(k))
    }

    pub(crate) fn as_text(&self) -> Option<&str> {
        match self {
            Tree::Text(s) => Some(s),
            _ => None,
        }
    }

    /// The first of these fields that is a text.
    pub(crate) fn text(&self, keys: &[&str]) -> Option<&str> {
        keys.iter().find_map(|k| self.get(k)?.as_text())
    }

    /// The same, or empty.
    pub(crate) fn word(&self, keys: &[&str]) -> String {
        self.text(keys).unwrap_or_default().to_owned()
    }

    pub(crate) fn list(&self, keys: &[&str]) -> Option<&[Tree]> {
        keys.iter().find_map(|k| self.get(k)?.as_list())
    }

    pub(crate) fn as_list(&self) -> Option<&[Tree]> {
        match self {
            Tree::List(items) => Some(items),
            _ => None,
        }
    }

    pub(crate) fn number<N: std::str::FromStr>(&self, keys: &[&str]) -> Option<N> {
        keys.iter().find_map(|k| match self.get(k)? {
            Tree::Number(n) => n.parse().ok(),
            _ => None,
        })
    }

    pub(crate) fn flag(&self, key: &str) -> Option<bool> {
        match self.get(key)? {
            Tree::Bool(b) => Some(*b),
            _ => None,
        }
    }

    /// The text of an answer in parts, as assistants and tool servers write them: a text, `{"type":"text","text":…}`, a
    /// list of such, or one of these under `content`. `None` if anything else is among them.
    pub(crate) fn parts(&self) -> Option<String> {
        match self {
            Tree::Text(s) => Some(s.clone()),
            Tree::List(items) if !items.is_empty() => {
                let parts: Option<Vec<_>> = items.iter().map(Tree::part).collect();
                Some(parts?.join("\n"))
            }
            Tree::Map(_) => match self.part() {
                Some(text) => Some(text.to_owned()),
                None => self.get("content").filter(|c| matches!(c, Tree::Text(_) | Tree::List(_)))?.parts(),
            },
            _ => None,
        }
    }

    fn part(&self) -> Option<&str> {
        let kind = self.text(&["type"])?;
        matches!(kind, "text" | "output_text" | "input_text").then(|| self.text(&["text"])).flatten()
    }
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        d.deserialize_any(Visitor)
    }
}

struct Visitor;

impl<'de> de::Visitor<'de> for Visitor {
    type Value = Tree;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }
    fn visit_unit<E>(self) -> Result<Tree, E> {
        Ok(Tree::Null)
    }
    fn visit_bool<E>(self, b: bool) -> Result<Tree, E> {
        Ok(Tree::Bool(b))
    }
    fn visit_i64<E>(self, n: i64) -> Result<Tree, E> {
        Ok(Tree::Number(n.to_string()))
    }
    fn visit_u64<E>(self, n: u64) -> Result<Tree, E> {
        Ok(Tree::Number(n.to_string()))
    }
    fn visit_f64<E>(self, n: f64) -> Result<Tree, E> {
        Ok(Tree::Number(n.to_string()))
    }
    fn visit_str<E>(self, s: &str) -> Result<Tree, E> {
        Ok(Tree::Text(s.to_owned()))
    }
    fn visit_string<E>(self, s: String) -> Result<Tree, E> {
        Ok(Tree::Text(s))
    }
    fn visit_seq<A: de::SeqAccess<'de>>(self, mut seq: A) -> Result<Tree, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Tree::List(items))
    }
    fn visit_map<A: de::MapAccess<'de>>(self, mut map: A) -> Result<Tree, A::Error> {
        let mut fields = Vec::new();
        while let Some(field) = map.next_entry()? {
            fields.push(field);
        }
        Ok(Tree::Map(fields))
    }
}

//! A store of preparations in memory, for the duration of the session.

use sinew::control::Store;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Keeps preparations in memory.
#[derive(Debug, Default)]
pub struct Memory(Mutex<BTreeMap<String, Vec<u8>>>);

impl Store for Memory {
    fn get(&self, key: &str) -> Option<Vec<u8>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
    }

    fn put(&self, key: &str, entry: &[u8]) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(key.to_owned(), entry.to_vec());
    }
}

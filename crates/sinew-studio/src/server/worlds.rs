//! All sessions by their tokens, so that a page that lost its connection finds its world again.

use super::worker::{self, Link};
use sinew::control::Registry;
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

/// Greatest number of worlds, including those that wait for their page.
const MOST: usize = 16;

/// The worlds.
#[derive(Debug)]
pub(super) struct Worlds {
    /// The controllers to choose from.
    systems: Arc<Registry>,
    worlds: Mutex<HashMap<String, Sender<Link>>>,
    closed: AtomicBool,
}

impl Worlds {
    /// An empty set.
    pub(super) fn new(systems: Arc<Registry>) -> Worlds {
        Worlds { systems, worlds: Mutex::default(), closed: AtomicBool::default() }
    }

    /// A connection to the world of a token, or to a new one; `None` when there are too many.
    pub(super) fn connect(self: &Arc<Worlds>, token: Option<&str>) -> Option<worker::Ends> {
        let mut worlds = self.worlds.lock().unwrap_or_else(PoisonError::into_inner);
        let (link, ends) = worker::link();
        let mut link = link;
        if let Some(waiting) = token.and_then(|token| worlds.get(token)) {
            match waiting.send(link) {
                Ok(()) => return Some(ends),
                Err(back) => link = back.0,
            }
        }
        if worlds.len() >= MOST {
            return None;
        }
        let (sender, links) = channel();
        let token = token_of();
        // the worker listens first
        sender.send(link).ok()?;
        worlds.insert(token.clone(), sender);
        let all = Arc::clone(self);
        let thread = std::thread::Builder::new().name("studio world".into());
        let began = thread.spawn(move || {
            worker::run(&token, Arc::clone(&all.systems), &links, &|| all.closed.load(Ordering::Relaxed));
            all.worlds.lock().unwrap_or_else(PoisonError::into_inner).remove(&token);
        });
        began.is_ok().then_some(ends)
    }

    /// Ends all worlds.
    pub(super) fn close(&self) {
        self.closed.store(true, Ordering::Relaxed);
    }
}

/// A random token that cannot be guessed.
fn token_of() -> String {
    let part = |salt: u64| RandomState::new().hash_one(salt);
    format!("{:016x}{:016x}", part(1), part(2))
}

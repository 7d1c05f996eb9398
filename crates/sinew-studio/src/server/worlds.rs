//! All sessions by their tokens, so that a page that lost its connection finds its world again.
//!
//! A page that says that it closes takes its world with it. A connection that breaks leaves the world waiting for a while; of those that
//! wait, the one that has waited longest makes room when somebody needs it. When every world has a page, a newcomer is told so and may take
//! the place of the page that has been quiet for longest.

use super::worker::{self, Link};
use sinew::control::Registry;
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// Greatest number of worlds, including those that wait for their page.
const MOST: usize = 16;

/// The worlds.
#[derive(Debug)]
pub(super) struct Worlds {
    /// The controllers to choose from.
    systems: Arc<Registry>,
    worlds: Mutex<HashMap<String, World>>,
    closed: AtomicBool,
    began: Instant,
}

/// One of them.
#[derive(Debug)]
struct World {
    links: Sender<Link>,
    pulse: Arc<Pulse>,
}

/// What becomes of a world, for those who look at it from outside. Times are in ms since the server began, from 1 on.
#[derive(Debug)]
pub(super) struct Pulse {
    began: Instant,
    /// Since when there is no page; 0: there is one.
    away: AtomicU64,
    /// When its page last said something.
    heard: AtomicU64,
    /// Somebody took its place.
    taken: AtomicBool,
}

impl Pulse {
    fn new(began: Instant) -> Pulse {
        let pulse =
            Pulse { began, away: AtomicU64::new(0), heard: AtomicU64::new(0), taken: AtomicBool::default() };
        pulse.heard();
        pulse
    }

    fn now(&self) -> u64 {
        1 + u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX - 1)
    }

    /// The page said something.
    pub(super) fn heard(&self) {
        self.heard.store(self.now(), Ordering::Relaxed);
    }

    /// The page is there or not.
    pub(super) fn attended(&self, yes: bool) {
        self.away.store(if yes { 0 } else { self.now() }, Ordering::Relaxed);
    }

    /// Whether the world is to end for somebody else.
    pub(super) fn taken(&self) -> bool {
        self.taken.load(Ordering::Relaxed)
    }
}

/// What becomes of a newcomer.
#[derive(Debug)]
pub(super) enum Come {
    /// A world.
    In(worker::Ends),
    /// Every world has a page.
    Full,
}

impl Worlds {
    /// An empty set.
    pub(super) fn new(systems: Arc<Registry>) -> Worlds {
        Worlds { systems, worlds: Mutex::default(), closed: AtomicBool::default(), began: Instant::now() }
    }

    /// A connection to the world of a token, or to a new one. When every world has a page, the newcomer takes the place of the
    /// quietest if it `takes` one.
    pub(super) fn connect(self: &Arc<Worlds>, token: Option<&str>, takes: bool) -> Come {
        let mut worlds = self.worlds.lock().unwrap_or_else(PoisonError::into_inner);
        let (link, ends) = worker::link();
        let mut link = link;
        if let Some(waiting) = token.and_then(|token| worlds.get(token)) {
            match waiting.links.send(link) {
                Ok(()) => {
                    waiting.pulse.attended(true);
                    return Come::In(ends);
                }
                Err(back) => link = back.0,
            }
        }
        if worlds.len() >= MOST && !make_room(&mut worlds, takes) {
            return Come::Full;
        }
        let (sender, links) = channel();
        let token = token_of();
        // the worker listens first
        if sender.send(link).is_err() {
            return Come::Full;
        }
        let pulse = Arc::new(Pulse::new(self.began));
        worlds.insert(token.clone(), World { links: sender, pulse: Arc::clone(&pulse) });
        let all = Arc::clone(self);
        let thread = std::thread::Builder::new().name("studio world".into());
        let key = token.clone();
        let began = thread.spawn(move || {
            let closed = || all.closed.load(Ordering::Relaxed);
            worker::run(&key, Arc::clone(&all.systems), &links, &pulse, &closed);
            all.worlds.lock().unwrap_or_else(PoisonError::into_inner).remove(&key);
        });
        match began {
            Ok(_) => Come::In(ends),
            Err(_) => {
                worlds.remove(&token);
                Come::Full
            }
        }
    }

    /// Ends all worlds.
    pub(super) fn close(&self) {
        self.closed.store(true, Ordering::Relaxed);
    }
}

/// Ends the world that has waited longest for its page, or if the new page `takes` a place, the one whose page has been silent for longest.
/// Returns whether there is one.
fn make_room(worlds: &mut HashMap<String, World>, takes: bool) -> bool {
    let away = |world: &World| world.pulse.away.load(Ordering::Relaxed);
    let waits = worlds.iter().filter(|(_, w)| away(w) > 0).min_by_key(|(_, w)| away(w));
    let quiet = || worlds.iter().min_by_key(|(_, w)| w.pulse.heard.load(Ordering::Relaxed));
    let token = waits.or_else(|| if takes { quiet() } else { None }).map(|(token, _)| token.clone());
    match token.and_then(|token| worlds.remove(&token)) {
        Some(world) => {
            world.pulse.taken.store(true, Ordering::Relaxed);
            true
        }
        None => false,
    }
}

/// A random token that cannot be guessed.
fn token_of() -> String {
    let part = |salt: u64| RandomState::new().hash_one(salt);
    format!("{:016x}{:016x}", part(1), part(2))
}

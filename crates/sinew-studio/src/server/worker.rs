//! The thread of one visitor: takes messages, lets time pass, makes frames.

use super::worlds::Pulse;
use crate::session::{Outgoing, Session};
use axum::body::Bytes;
use sinew::control::Registry;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::time::{Duration, Instant};
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{mpsc, watch};

/// Time between two frames.
const TICK: Duration = Duration::from_micros(16_667);
/// Most of a tick that is spent on steps.
const BUDGET: Duration = Duration::from_millis(13);
/// Interval of frames while the world is paused, so that the page knows that the connection is alive.
const STILL: Duration = Duration::from_millis(500);
/// How long a world waits for a page that went away.
const PATIENCE: Duration = Duration::from_secs(120);
/// Messages that may wait in either direction.
const WAITING: usize = 256;

/// What comes from the page.
#[derive(Debug)]
pub(super) enum Incoming {
    Text(String),
    File(Bytes),
    /// The page closes for good.
    Bye,
}

/// How a connection ended.
enum End {
    /// It broke: the page may come back.
    Broken,
    /// Nobody comes back.
    Over,
    /// The page came back before that.
    Next(Link),
}

/// The worker's ends of a connection.
#[derive(Debug)]
pub(super) struct Link {
    incoming: Receiver<Incoming>,
    outgoing: mpsc::Sender<Outgoing>,
    frames: watch::Sender<Bytes>,
}

/// The socket's ends.
#[derive(Debug)]
pub(super) struct Ends {
    pub(super) incoming: SyncSender<Incoming>,
    pub(super) outgoing: mpsc::Receiver<Outgoing>,
    pub(super) frames: watch::Receiver<Bytes>,
}

/// A connection.
pub(super) fn link() -> (Link, Ends) {
    let (to_worker, incoming) = sync_channel(WAITING);
    let (outgoing, to_page) = mpsc::channel(WAITING);
    let (frames, newest) = watch::channel(Bytes::new());
    (Link { incoming, outgoing, frames }, Ends { incoming: to_worker, outgoing: to_page, frames: newest })
}

/// Runs a world as long as it has a page, or one may come back.
pub(super) fn run(
    token: &str,
    systems: Arc<Registry>,
    links: &Receiver<Link>,
    pulse: &Pulse,
    closed: &dyn Fn() -> bool,
) {
    let mut session = Session::with_registry(systems);
    let mut resumed = false;
    let mut waited = Duration::ZERO;
    let wait = Duration::from_millis(200);
    while waited < PATIENCE && !closed() && !pulse.taken() {
        match links.recv_timeout(wait) {
            Ok(link) => {
                let mut next = End::Next(link);
                while let End::Next(link) = next {
                    pulse.attended(true);
                    session.greet(token, resumed);
                    resumed = true;
                    next = attend(&mut session, &link, links, pulse, closed);
                }
                if matches!(next, End::Over) {
                    return;
                }
                pulse.attended(false);
                waited = Duration::ZERO;
            }
            Err(RecvTimeoutError::Timeout) => waited += wait,
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

/// Serves one connection until it ends.
fn attend(
    session: &mut Session,
    link: &Link,
    links: &Receiver<Link>,
    pulse: &Pulse,
    closed: &dyn Fn() -> bool,
) -> End {
    let mut last = Instant::now();
    let mut next = last;
    let (mut shown, mut shown_at) = (None, last);
    let mut bytes = Vec::new();
    while !closed() {
        if pulse.taken() {
            // the page learns why, if it still listens
            let _ =
                link.outgoing.try_send(Outgoing::Text(crate::protocol::server::ServerMessage::TAKEN.into()));
            return End::Over;
        }
        for _ in 0..WAITING {
            let message = link.incoming.try_recv();
            if message.is_ok() {
                pulse.heard();
            }
            match message {
                Ok(Incoming::Text(text)) => session.handle(&text),
                Ok(Incoming::File(file)) => session.handle_file(&file),
                Ok(Incoming::Bye) => return End::Over,
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => return End::Broken,
            }
        }
        let now = Instant::now();
        session.advance((now - last).as_secs_f64(), BUDGET);
        last = now;
        let mut waiting: VecDeque<Outgoing> = session.outbox().collect();
        let told = !waiting.is_empty();
        while let Some(message) = waiting.pop_front() {
            // a page that receives nothing any more is dropped; its world and its files wait for it
            if let Err(TrySendError::Full(back) | TrySendError::Closed(back)) =
                link.outgoing.try_send(message)
            {
                waiting.push_front(back);
                session.keep(waiting);
                return End::Broken;
            }
        }
        let state = (session.time(), session.fingerprint());
        if told || shown != Some(state) || now - shown_at > STILL {
            session.frame(&mut bytes);
            link.frames.send_replace(Bytes::copy_from_slice(&bytes));
            (shown, shown_at) = (Some(state), now);
        }
        if let Ok(link) = links.try_recv() {
            return End::Next(link);
        }
        next = (next + TICK).max(Instant::now());
        std::thread::sleep(next.saturating_duration_since(Instant::now()));
        next = next.max(Instant::now() - TICK);
    }
    End::Over
}

//! A WebSocket: its messages go to the worker, the worker's messages and its newest frame go out.

use super::worker::{Ends, Incoming};
use crate::session::Outgoing;
use axum::extract::ws::{Message, WebSocket};
use std::sync::mpsc::TrySendError;
use std::time::Duration;

/// A page that receives nothing for this long counts as gone.
const STUCK: Duration = Duration::from_secs(30);
/// Time between two attempts to write to a full queue.
const FULL: Duration = Duration::from_millis(5);

/// Serves the socket until either side ends it.
pub(super) async fn run(mut socket: WebSocket, mut ends: Ends) {
    loop {
        let out = tokio::select! {
            // messages come before frames, because a frame may need the scene before it
            biased;
            message = ends.outgoing.recv() => match message {
                Some(Outgoing::Text(text)) => Message::Text(text.into()),
                Some(Outgoing::Binary(bytes)) => Message::Binary(bytes.into()),
                None => break,
            },
            changed = ends.frames.changed() => {
                if changed.is_err() {
                    break;
                }
                Message::Binary(ends.frames.borrow_and_update().clone())
            }
            message = socket.recv() => {
                let Some(Ok(message)) = message else { break };
                if !forward(message, &ends).await {
                    break;
                }
                continue;
            }
        };
        if !matches!(tokio::time::timeout(STUCK, socket.send(out)).await, Ok(Ok(()))) {
            break;
        }
    }
}

/// Hands a message to the worker; waits while its queue is full, which delays only this visitor.
async fn forward(message: Message, ends: &Ends) -> bool {
    let mut incoming = match message {
        Message::Text(text) => Incoming::Text(text.to_string()),
        Message::Binary(bytes) => Incoming::File(bytes),
        Message::Close(_) => return false,
        Message::Ping(_) | Message::Pong(_) => return true,
    };
    loop {
        match ends.incoming.try_send(incoming) {
            Ok(()) => return true,
            Err(TrySendError::Full(back)) => incoming = back,
            Err(TrySendError::Disconnected(_)) => return false,
        }
        tokio::time::sleep(FULL).await;
    }
}

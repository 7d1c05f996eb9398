//! A WebSocket: its messages go to the worker, the worker's messages and its newest frame go out.

use super::worker::{Ends, Incoming};
use crate::session::Outgoing;
use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
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

/// Tells a new page that every world has a page, and that it can take over one of them.
pub(super) async fn turn_away(mut socket: WebSocket) {
    let full = crate::protocol::server::ServerMessage::FULL;
    let _ = tokio::time::timeout(STUCK, socket.send(Message::Text(full.into()))).await;
    let _ = tokio::time::timeout(STUCK, socket.send(Message::Close(None))).await;
}

/// Hands a message to the worker; waits while its queue is full, which delays only this visitor.
async fn forward(message: Message, ends: &Ends) -> bool {
    let mut incoming = match message {
        Message::Text(text) => Incoming::Text(text.to_string()),
        Message::Binary(bytes) => Incoming::File(bytes),
        // a page that is closed or left says so (RFC 6455, section 7.4.1); whatever else ends a connection may be repaired
        Message::Close(Some(CloseFrame { code: close_code::AWAY, .. })) => {
            let _ = ends.incoming.try_send(Incoming::Bye);
            return false;
        }
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

//! HTTP and WebSocket around sessions.
//!
//! `/` is the page, `/live` the WebSocket. Nothing else is served, and no file of the machine is ever read or written for a
//! visitor. The server binds to loopback by default and answers only requests that name it as their host and
//! come from its own page (`guard`); so a page elsewhere cannot reach it, even by a name that points here.
//!
//! Every visitor has a thread of its own (`worker`) that steps the world and makes frames; the socket's task takes the newest
//! frame whenever the network is ready, so that a slow reader misses frames and delays no other visitor.

mod guard;
mod socket;
mod worker;
mod worlds;

use crate::pages;
use crate::session::Session;
use axum::Router;
use axum::extract::{Query, State, WebSocketUpgrade};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use sinew::control::Registry;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use tokio::net::TcpListener;
use worlds::{Come, Worlds};

/// Ports that are tried when none is asked for.
const PORTS: std::ops::Range<u16> = 8640..8660;

/// Where to listen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Address to bind to.
    pub host: IpAddr,
    /// Port; `None`: the first free one from 8640 on.
    pub port: Option<u16>,
}

impl Default for Options {
    fn default() -> Options {
        Options { host: IpAddr::V4(Ipv4Addr::LOCALHOST), port: None }
    }
}

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServerError {
    /// This build has no page.
    #[error(transparent)]
    Page(#[from] pages::Missing),
    /// The port is not available.
    #[error("cannot listen on {address}: {source}; choose another with --port")]
    Bind {
        /// What was asked for.
        address: SocketAddr,
        /// The system's error.
        source: std::io::Error,
    },
    /// The system has no more threads or sockets.
    #[error("the server stopped: {0}")]
    Io(#[from] std::io::Error),
}

/// Serves until Ctrl-C; `ready` receives the address.
///
/// # Errors
/// When the page was not built or the port is not available.
pub fn serve(options: Options, ready: impl FnOnce(SocketAddr)) -> Result<(), ServerError> {
    serve_with(Registry::built_in(), options, ready)
}

/// The same with controllers of one's own to choose from.
///
/// # Errors
/// As for [`serve`].
pub fn serve_with(
    registry: Registry,
    options: Options,
    ready: impl FnOnce(SocketAddr),
) -> Result<(), ServerError> {
    let page = pages::studio()?;
    // while the browser starts: the skin of the usual character, which the first visitor would wait for
    let systems = Arc::new(registry);
    let usual = Arc::clone(&systems);
    drop(std::thread::Builder::new().spawn(move || Session::with_registry(usual).greet("", false)));
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(async {
        let listener = bind(options).await?;
        let address = listener.local_addr()?;
        let worlds = Arc::new(Worlds::new(systems));
        let app = router(page, address, Arc::clone(&worlds));
        ready(address);
        let ended = tokio::select! {
            ended = axum::serve(listener, app) => ended,
            _ = tokio::signal::ctrl_c() => Ok(()),
        };
        worlds.close();
        ended.map_err(ServerError::from)
    })?;
    runtime.shutdown_timeout(std::time::Duration::from_millis(300));
    Ok(())
}

async fn bind(options: Options) -> Result<TcpListener, ServerError> {
    let address = |port| SocketAddr::new(options.host, port);
    if let Some(port) = options.port {
        let bound = TcpListener::bind(address(port)).await;
        return bound.map_err(|source| ServerError::Bind { address: address(port), source });
    }
    for port in PORTS {
        if let Ok(listener) = TcpListener::bind(address(port)).await {
            return Ok(listener);
        }
    }
    // any free port
    let bound = TcpListener::bind(address(0)).await;
    bound.map_err(|source| ServerError::Bind { address: address(0), source })
}

#[derive(Clone)]
struct Shared {
    page: &'static str,
    address: SocketAddr,
    worlds: Arc<Worlds>,
}

/// The routes of a server at an address.
fn router(page: &'static str, address: SocketAddr, worlds: Arc<Worlds>) -> Router {
    let shared = Shared { page, address, worlds };
    Router::new().route("/", get(index)).route("/live", get(live)).with_state(shared)
}

async fn index(State(shared): State<Shared>, headers: HeaderMap) -> Response {
    if let Err(refused) = guard::check(&headers, shared.address) {
        return refused.into_response();
    }
    let said = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CACHE_CONTROL, "no-store"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
    ];
    (said, shared.page).into_response()
}

#[derive(serde::Deserialize)]
struct Asked {
    /// Token of a world whose connection was lost.
    session: Option<String>,
    /// `over`: takes the place of the quietest page when there is none left.
    take: Option<String>,
}

async fn live(
    State(shared): State<Shared>,
    Query(come): Query<Asked>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    if let Err(refused) = guard::check(&headers, shared.address) {
        return refused.into_response();
    }
    let takes = come.take.as_deref() == Some("over");
    let most = crate::protocol::MOST_FILE + 1024;
    let upgrade = upgrade.max_message_size(most).max_frame_size(most);
    match shared.worlds.connect(come.session.as_deref(), takes) {
        Come::In(link) => upgrade.on_upgrade(move |socket| socket::run(socket, link)),
        Come::Full => upgrade.on_upgrade(socket::turn_away),
    }
}

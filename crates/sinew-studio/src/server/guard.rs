//! Access control: only the studio's own page and programs on this machine may talk to the server.
//!
//! A browser names the host it believes to talk to (`Host`) and the page that asks (`Origin`). A foreign page has a foreign
//! origin; a foreign domain name that resolves to this machine is a foreign host. Programs other than browsers send no origin.

use axum::http::{HeaderMap, StatusCode, header};
use std::net::{IpAddr, SocketAddr};

/// The refusal of a request.
pub(super) type Refusal = (StatusCode, &'static str);

/// Refuses foreign hosts and origins.
pub(super) fn check(headers: &HeaderMap, bound: SocketAddr) -> Result<(), Refusal> {
    let text = |name| headers.get(name).and_then(|v| v.to_str().ok());
    let host = text(header::HOST).ok_or((StatusCode::BAD_REQUEST, "a request without a host"))?;
    if !names(host, bound) {
        return Err((StatusCode::FORBIDDEN, "this server is called localhost"));
    }
    match headers.get(header::ORIGIN).map(|v| v.to_str().ok()) {
        None => Ok(()),
        Some(Some(origin)) if origin.strip_prefix("http://") == Some(host) => Ok(()),
        Some(_) => Err((StatusCode::FORBIDDEN, "another page may not use the studio")),
    }
}

/// Whether `host` (with port) is a name of the server.
fn names(host: &str, bound: SocketAddr) -> bool {
    let (name, port) = host.rsplit_once(':').unwrap_or((host, "80"));
    if port.parse() != Ok(bound.port()) {
        return false;
    }
    let address = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    match address {
        Ok(address) => address == bound.ip() || address.is_loopback() || bound.ip().is_unspecified(),
        Err(_) => name.eq_ignore_ascii_case("localhost"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(host: &str, origin: Option<&str>) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().expect("a header"));
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, origin.parse().expect("a header"));
        }
        check(&headers, "127.0.0.1:8640".parse().expect("an address")).is_ok()
    }

    #[test]
    fn only_the_studios_own_page_is_answered() {
        assert!(asked("localhost:8640", None));
        assert!(asked("127.0.0.1:8640", Some("http://127.0.0.1:8640")));
        assert!(asked("[::1]:8640", Some("http://[::1]:8640")));
        for (host, origin) in [
            ("localhost:8640", Some("http://evil.example")),
            ("localhost:8640", Some("null")),
            ("localhost:8640", Some("https://localhost:8640")),
            ("localhost:8640", Some("http://localhost:9999")),
            ("evil.example:8640", Some("http://evil.example:8640")),
            ("evil.example:8640", None),
            ("localhost:80", None),
            ("localhost", None),
        ] {
            assert!(!asked(host, origin), "{host} {origin:?}");
        }
    }
}

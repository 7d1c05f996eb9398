//! The server through its sockets: access control, and independence of visitors.

use crate::socket::{Client, ask};
use sinew_studio::pages;
use sinew_studio::server::{Options, serve};
use std::net::SocketAddr;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

/// A server that ends with the tests; nothing when there is no page to serve.
fn start() -> Option<SocketAddr> {
    if let Err(missing) = pages::studio() {
        println!("skipped: {missing}");
        return None;
    }
    let (ready, address) = channel();
    std::thread::spawn(move || {
        let options = Options { port: Some(0), ..Options::default() };
        serve(options, |address| ready.send(address).expect("the test waits")).expect("a server");
    });
    Some(address.recv_timeout(Duration::from_secs(10)).expect("an address"))
}

#[test]
fn the_page_is_served_at_once_and_foreign_hosts_are_refused() {
    let began = Instant::now();
    let Some(address) = start() else { return };
    let (_, head) = ask(address, "/", &format!("Host: {address}\r\n"));
    assert!(head.starts_with("HTTP/1.1 200") && head.contains("text/html"), "{head}");
    assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
    let upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n";
    for (path, headers) in [
        ("/", "Host: evil.example\r\n".to_owned()),
        ("/live", format!("Host: {address}\r\nOrigin: http://evil.example\r\n{upgrade}")),
        ("/live", format!("Host: evil.example:{}\r\n{upgrade}", address.port())),
    ] {
        let (_, head) = ask(address, path, &headers);
        assert!(head.starts_with("HTTP/1.1 403"), "{path} {headers}: {head}");
    }
    for path in ["/etc/passwd", "/../Cargo.toml", "/src/lib.rs"] {
        assert!(ask(address, path, &format!("Host: {address}\r\n")).1.starts_with("HTTP/1.1 404"));
    }
}

#[test]
fn four_visitors_have_independent_worlds() {
    let Some(address) = start() else { return };
    let mut clients: Vec<Client> = (0..4).map(|_| Client::connect(address)).collect();
    for client in &mut clients {
        assert!(client.frame().is_some());
    }
    // one stops, one never reads again, one sends rubbish
    assert!(clients[0].text(r#"{"type":"pause"}"#));
    for k in 0..10_000_u32 {
        let noise: Vec<u8> = (0..k % 97).map(|i| (k.wrapping_mul(2_654_435_761) >> (i % 25)) as u8).collect();
        if !clients[2].send(if k % 3 == 0 { 2 } else { 1 }, &noise) {
            // text that is no UTF-8 may end a connection, never the server
            clients[2] = Client::connect(address);
        }
    }
    let began = Instant::now();
    let first = clients[3].frame().expect("a frame");
    let mut last = first;
    while began.elapsed() < Duration::from_secs(3) {
        last = clients[3].frame().expect("a frame");
    }
    let rate = (last - first) / began.elapsed().as_secs_f64();
    println!("the quiet visitor's world ran at {rate:.2} of real time beside three others");
    assert!(rate > 0.25, "{rate}");
    let mut next = Client::connect(address);
    assert!(next.frame().is_some(), "the server still takes visitors");
    let stopped = (0..40).filter_map(|_| clients[0].frame()).last().expect("a frame");
    assert!(stopped < last, "{stopped} {last}");
}

#[test]
#[ignore = "needs two cores of its own: cargo test --release -p sinew-studio -- --ignored --nocapture --test-threads 1"]
fn four_visitors_at_once_walk_in_real_time() {
    let Some(address) = start() else { return };
    let watch = move || {
        let mut client = Client::connect(address);
        let (first, began) = (client.frame().expect("a frame"), Instant::now());
        let (mut last, mut frames) = (first, 0);
        while began.elapsed() < Duration::from_secs(20) {
            (last, frames) = (client.frame().expect("a frame"), frames + 1);
        }
        let seconds = began.elapsed().as_secs_f64();
        ((last - first) / seconds, f64::from(frames) / seconds)
    };
    let visitors: Vec<_> = (0..4).map(|_| std::thread::spawn(watch)).collect();
    let seen: Vec<(f64, f64)> = visitors.into_iter().map(|v| v.join().expect("a visitor")).collect();
    for (rate, frames) in &seen {
        println!("{rate:.3} of real time, {frames:.0} frames/s");
    }
    assert!(seen.iter().all(|(rate, _)| *rate > 0.97), "{seen:?}");
}

#[test]
fn a_message_that_is_too_large_ends_only_its_own_connection() {
    let Some(address) = start() else { return };
    let [mut bad, mut good] = [Client::connect(address), Client::connect(address)];
    // the header of a message of 4 GB
    let mut head = vec![0x82, 0xff];
    head.extend((4_u64 << 30).to_be_bytes());
    head.extend([0; 4]);
    bad.raw(&head);
    bad.raw(&vec![0; 1 << 20]);
    let ended = (0..2000).any(|_| bad.next().is_none_or(|(opcode, _)| opcode == 8));
    assert!(ended);
    assert!(good.frame().is_some());
}

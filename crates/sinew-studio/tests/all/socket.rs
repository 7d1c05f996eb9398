//! A small WebSocket client (RFC 6455) for tests: it can also misbehave.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// A connection.
pub(crate) struct Client {
    stream: TcpStream,
}

/// The answer to a plain request with these header lines.
pub(crate) fn ask(address: SocketAddr, path: &str, headers: &str) -> (TcpStream, String) {
    let mut stream = TcpStream::connect(address).expect("a connection");
    stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout");
    write!(stream, "GET {path} HTTP/1.1\r\n{headers}\r\n").expect("sent");
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") && stream.read(&mut byte).is_ok_and(|n| n == 1) {
        head.push(byte[0]);
    }
    (stream, String::from_utf8_lossy(&head).into_owned())
}

impl Client {
    /// Connects to the live world.
    pub(crate) fn connect(address: SocketAddr) -> Client {
        Client::connect_to(address, "/live")
    }

    /// The same with a query.
    pub(crate) fn connect_to(address: SocketAddr, path: &str) -> Client {
        let headers = format!(
            "Host: {address}\r\nOrigin: http://{address}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
             Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
        );
        let (stream, head) = ask(address, path, &headers);
        assert!(head.starts_with("HTTP/1.1 101"), "{head}");
        Client { stream }
    }

    /// Sends a frame with an opcode; false when the other side has gone.
    pub(crate) fn send(&mut self, opcode: u8, payload: &[u8]) -> bool {
        let mut bytes = vec![0x80 | opcode];
        match payload.len() {
            n if n < 126 => bytes.push(0x80 | n as u8),
            n if n < 1 << 16 => {
                bytes.push(0x80 | 126);
                bytes.extend((n as u16).to_be_bytes());
            }
            n => {
                bytes.push(0x80 | 127);
                bytes.extend((n as u64).to_be_bytes());
            }
        }
        bytes.extend([0; 4]);
        bytes.extend(payload);
        self.raw(&bytes)
    }

    /// Sends bytes as they are.
    pub(crate) fn raw(&mut self, bytes: &[u8]) -> bool {
        self.stream.write_all(bytes).is_ok()
    }

    pub(crate) fn text(&mut self, text: &str) -> bool {
        self.send(1, text.as_bytes())
    }

    /// The next message: opcode and content; nothing when the other side has gone.
    pub(crate) fn next(&mut self) -> Option<(u8, Vec<u8>)> {
        let mut head = [0; 2];
        self.stream.read_exact(&mut head).ok()?;
        let length = match head[1] & 0x7f {
            126 => {
                let mut more = [0; 2];
                self.stream.read_exact(&mut more).ok()?;
                u64::from(u16::from_be_bytes(more))
            }
            127 => {
                let mut more = [0; 8];
                self.stream.read_exact(&mut more).ok()?;
                u64::from_be_bytes(more)
            }
            short => u64::from(short),
        };
        let mut content = vec![0; usize::try_from(length).ok()?];
        self.stream.read_exact(&mut content).ok()?;
        Some((head[0] & 0xf, content))
    }

    /// Time of the world in the next frame.
    pub(crate) fn frame(&mut self) -> Option<f64> {
        loop {
            let (opcode, content) = self.next()?;
            if opcode == 2 && content.first() == Some(&1) {
                return Some(f64::from_le_bytes(content[8..16].try_into().ok()?));
            }
        }
    }
}

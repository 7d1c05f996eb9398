//! The studio's verb; the page itself is tested in a browser.

use crate::support::{command, sinew};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Stdio;

/// The first free port is printed, and the page is served there. Without a search path no browser is found.
#[test]
fn without_a_verb_the_studio_opens() {
    let help = sinew(&["--help"]).good();
    assert!(help.contains("Without a verb, opens the studio") && help.contains("studio "), "{help}");
    if let Err(missing) = sinew_studio::pages::studio() {
        println!("skipped: {missing}");
        return;
    }
    let mut studio = command(&[]).env("PATH", "").stdout(Stdio::piped()).spawn().expect("the binary runs");
    let mut line = String::new();
    let said = BufReader::new(studio.stdout.take().expect("a pipe")).read_line(&mut line);
    let answer = said.ok().and_then(|_| {
        let address = line.strip_prefix("The studio is at http://")?.trim_end().strip_suffix('/')?;
        let mut stream = TcpStream::connect(address).ok()?;
        write!(stream, "GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").ok()?;
        let mut page = String::new();
        stream.read_to_string(&mut page).ok().map(|_| page)
    });
    studio.kill().expect("it runs until it is ended");
    studio.wait().expect("it has ended");
    assert!(answer.is_some_and(|page| page.contains("<title>Sinew studio</title>")), "{line}");
}

#[test]
fn a_port_that_is_taken_is_named_with_a_remedy() {
    if let Err(missing) = sinew_studio::pages::studio() {
        println!("skipped: {missing}");
        return;
    }
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port().to_string();
    let refused = sinew(&["studio", "--port", &port, "--no-open"]);
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains(&port) && refused.stderr.contains("--port"), "{}", refused.stderr);
}

//! The studio's verb; the page itself is tested in a browser.

use crate::support::sinew;

#[test]
fn without_a_verb_the_studio_opens() {
    let help = sinew(&["--help"]).good();
    assert!(help.contains("Without a verb, opens the studio") && help.contains("studio "), "{help}");
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

//! From bytes to messages, and what must hold of a session that gets them.

use sinew_studio::session::{Outgoing, Session};

/// Takes an input.
pub(crate) fn run(input: &[u8]) {
    let mut session = Session::new();
    for line in input.split(|b| *b == b'\n').take(40) {
        match line {
            [1, ..] => session.handle_file(line),
            text => session.handle(&String::from_utf8_lossy(text)),
        }
        session.run(0.002);
        let mut frame = Vec::new();
        session.frame(&mut frame);
        for told in session.outbox() {
            if let Outgoing::Text(text) = told {
                assert!(text.len() < 4 << 20 && text.starts_with('{') && text.ends_with('}'));
            }
        }
    }
    // in any state, the session can be reset
    session.handle(r#"{"type":"setup","setup":{}}"#);
    session.handle(r#"{"type":"play"}"#);
    session.run(0.01);
    assert!(session.lanes()[0].world().actors()[0].q.iter().all(|x| x.is_finite()));
}

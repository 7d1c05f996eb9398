//! `sinew studio`: serves the page, and opens it.

use crate::cli::StudioArgs;
use crate::{Verdict, output};
use anyhow::Result;
use sinew_studio::server::{self, Options};
use std::process::{Command, Stdio};

/// Serves until Ctrl-C.
pub(crate) fn run(args: &StudioArgs) -> Result<Verdict> {
    let usual = Options::default();
    let options = Options { host: args.host.unwrap_or(usual.host), port: args.port };
    server::serve(options, |address| {
        let host = if address.ip().is_unspecified() { "localhost".into() } else { address.ip().to_string() };
        let url = format!(
            "http://{}:{}/",
            if host.contains(':') { format!("[{host}]") } else { host },
            address.port()
        );
        // the terminal may be closed
        let _ = output::print(&format!("The studio is at {url}\nCtrl-C ends it.\n"));
        if !args.no_open {
            open(&url);
        }
    })?;
    let _ = output::print("\nThe studio is closed.\n");
    Ok(Verdict::Good)
}

/// Opens the address in the user's browser; the address has been printed, in case there is none.
fn open(url: &str) {
    let mut command = if cfg!(target_os = "macos") {
        Command::new("open")
    } else if cfg!(windows) {
        Command::new("explorer")
    } else {
        Command::new("xdg-open")
    };
    let _ = command.arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
}

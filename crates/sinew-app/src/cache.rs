//! `sinew cache`: stored preparations of controllers.

use crate::cli::{CacheArgs, CacheVerb};
use crate::inspect::table;
use crate::{Verdict, output};
use anyhow::{Context, Result};
use serde::Serialize;
use sinew::lab::FolderStore;
use std::time::UNIX_EPOCH;

/// A stored preparation.
#[derive(Serialize)]
struct Kept {
    key: String,
    controller: String,
    bytes: u64,
    /// Seconds since 1970.
    made: Option<u64>,
}

/// The verb.
pub(crate) fn run(args: &CacheArgs) -> Result<Verdict> {
    let store = store()?;
    let shown = store.folder().display().to_string();
    match &args.verb {
        CacheVerb::List(args) => {
            let entries = store.entries().with_context(|| format!("cannot read `{shown}`"))?;
            let kept: Vec<Kept> = entries
                .into_iter()
                .map(|entry| Kept {
                    controller: entry.system().to_owned(),
                    made: entry.made.and_then(|t| t.duration_since(UNIX_EPOCH).ok()).map(|t| t.as_secs()),
                    bytes: entry.bytes,
                    key: entry.key,
                })
                .collect();
            if args.json {
                output::print(&output::json(&kept)?)?;
                return Ok(Verdict::Good);
            }
            let mut table = table(&["controller", "kB", "name"]);
            for entry in &kept {
                let size = format!("{:.0}", entry.bytes as f64 / 1000.0);
                table.add_row([entry.controller.clone(), size, entry.key.clone()]);
            }
            let count = kept.len();
            let empty = if count == 0 { String::new() } else { format!("{table}\n\n") };
            output::print(&format!("{empty}{count} in `{shown}`\n"))?;
        }
        CacheVerb::Clear => {
            let count = store.clear().with_context(|| format!("cannot clear `{shown}`"))?;
            output::print(&format!("{count} removed from `{shown}`\n"))?;
        }
    }
    Ok(Verdict::Good)
}

/// The folder of this user.
pub(crate) fn store() -> Result<FolderStore> {
    FolderStore::of_user()
        .context("no folder for caches was found; name one in the environment variable SINEW_CACHE")
}

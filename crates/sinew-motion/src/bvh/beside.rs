//! Foot contacts from the file beside a BVH file, `NAME.bvh.json`, which [`save`](super::save) writes.
//!
//! A file of that name that is not ours, or has no contacts, is let be. Contacts that do not fit the motion (it was edited, or
//! belongs to another) are left out with a warning: contacts that are wrong are worse than none.

use crate::FootContacts;
use crate::import::{ImportOptions, Imported, ReadError, WarningKind, text};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The file beside a motion.
fn name(path: &Path) -> PathBuf {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".json");
    PathBuf::from(beside)
}

pub(super) fn read(path: &Path, options: &ImportOptions, imported: &mut Imported) -> Result<(), ReadError> {
    let beside = name(path);
    if !beside.is_file() {
        return Ok(());
    }
    let Ok(Value::Object(mut about)) = serde_json::from_slice::<Value>(&text::load(&beside, options)?) else {
        return Ok(());
    };
    let Some(contacts) = about.remove("contacts") else { return Ok(()) };
    let mut warn = |problem: String| {
        let text = format!("`{}`: {problem}; its contacts are left out", beside.display());
        imported.report.warn(WarningKind::Contacts, text);
    };
    let contacts: FootContacts = match serde_json::from_value(contacts) {
        Ok(contacts) => contacts,
        Err(problem) => {
            warn(problem.to_string());
            return Ok(());
        }
    };
    let take = &mut imported.take;
    let (frames, rate) = (take.poses.len(), about.get("rate").and_then(Value::as_f64));
    if rate.is_some_and(|rate| (rate / take.rate - 1.0).abs() > 1e-3) {
        warn(format!("it is about a motion at {} Hz, not {} Hz", rate.unwrap_or_default(), take.rate));
    } else if contacts.len() == frames + 1 {
        // the first frame was left out
        take.contacts = Some(contacts.range(1..frames + 1));
    } else if contacts.len() == frames {
        take.contacts = Some(contacts);
    } else {
        warn(format!("it is about {} frames, not {frames}", contacts.len()));
    }
    Ok(())
}

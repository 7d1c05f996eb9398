//! Every command of the README and of the tutorials is run as it is written.
//!
//! Blocks of `sh` hold one command per line. Lines that begin with `sinew` are run, in a folder per page, in their order; a comment that
//! begins with `by hand` marks what cannot be: `cargo`, and the studio, which waits for visitors. A block whose fence names a file, as in
//! ` ```toml walk.toml `, is that file.

use crate::support::{command, finish};
use sinew_studio::pages;
use std::path::{Path, PathBuf};

/// What a page has its reader do.
#[derive(Debug, PartialEq)]
enum Deed {
    Write { name: String, content: String },
    Run(Vec<String>),
}

/// The deeds of a page.
fn deeds(text: &str, page: &str) -> Vec<Deed> {
    let mut deeds = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some(fence) = line.strip_prefix("```") else { continue };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        match fence.split_whitespace().collect::<Vec<_>>()[..] {
            ["sh"] => deeds.extend(block.iter().filter_map(|line| run(line, page))),
            [_, name] => deeds.push(Deed::Write { name: name.into(), content: block.join("\n") + "\n" }),
            _ => {}
        }
    }
    deeds
}

/// A line of a shell; nothing when it is to be done by hand.
fn run(line: &str, page: &str) -> Option<Deed> {
    let (told, comment) = line.split_once(" #").unwrap_or((line, ""));
    let words: Vec<String> = told.split_whitespace().map(|word| word.replace('\'', "")).collect();
    let first = words.first()?.as_str();
    if comment.trim_start().starts_with("by hand") {
        let waits =
            first == "cargo" || (first == "sinew" && words.get(1).is_none_or(|verb| verb == "studio"));
        assert!(waits, "{page}: `{line}` can be run; only cargo and the studio are left to hands");
        return None;
    }
    assert_eq!(first, "sinew", "{page}: `{line}` is no command of ours; mark it with `# by hand`");
    Some(Deed::Run(words[1..].to_vec()))
}

/// The README and all tutorials.
fn pages_with_commands() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let tutorials = std::fs::read_dir(root.join("docs/tutorials")).expect("tutorials");
    let mut pages: Vec<PathBuf> = tutorials.map(|entry| entry.expect("an entry").path()).collect();
    pages.sort();
    pages.push(root.join("README.md"));
    pages
}

#[test]
fn every_command_of_the_tutorials_does_what_it_says() {
    let everything = pages_with_commands();
    assert!(everything.len() >= 6, "{everything:?}");
    for page in everything {
        let name = page.file_stem().expect("a name").to_string_lossy().into_owned();
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("tutorials").join(&name);
        // a second run must not find the files of the first
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a folder");
        let deeds = deeds(&std::fs::read_to_string(&page).expect("a page"), &name);
        assert!(deeds.iter().filter(|d| matches!(d, Deed::Run(_))).count() >= 3, "{name}: {deeds:?}");
        for deed in deeds {
            match deed {
                Deed::Write { name, content } => {
                    std::fs::write(folder.join(name), content).expect("a file");
                }
                Deed::Run(words) => {
                    let words: Vec<&str> = words.iter().map(String::as_str).collect();
                    if words[0] == "export"
                        && words.iter().any(|w| w.ends_with(".html"))
                        && pages::viewer().is_err()
                    {
                        println!("skipped: {words:?}, this build has no pages");
                        continue;
                    }
                    let done = finish(command(&words).current_dir(&folder).output());
                    assert_eq!(done.code, Some(0), "{name}: sinew {}\n{}", words.join(" "), done.stderr);
                }
            }
        }
    }
}

#[test]
fn what_can_be_run_may_not_be_left_to_hands() {
    assert_eq!(run("cargo run --release   # by hand: opens the studio", "page"), None);
    assert_eq!(run("sinew   # by hand", "page"), None);
    assert_eq!(
        run("sinew lab list 'a.*' # all", "page"),
        Some(Deed::Run(["lab", "list", "a.*"].map(str::to_owned).into()))
    );
    for wrong in ["sinew bench   # by hand", "rm -r something"] {
        assert!(std::panic::catch_unwind(|| run(wrong, "page")).is_err(), "{wrong}");
    }
}

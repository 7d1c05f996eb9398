//! Every command of the README and of the tutorials is run as it is written.
//!
//! Blocks of `sh` hold one command per line. Lines that begin with `sinew` are run in order, in a folder per page, except the studio, which
//! waits for its user; lines with `cargo` are left out. A block whose fence names a file, as in ` ```toml walk.toml `, becomes that file.

use crate::support::{command, finish};
use sinew_studio::pages;
use std::path::{Path, PathBuf};

/// A task of a page for its reader.
#[derive(Debug, PartialEq)]
enum Task {
    Write { name: String, content: String },
    Run(Vec<String>),
}

/// The files and commands of a page.
fn tasks(text: &str, page: &str) -> Vec<Task> {
    let mut tasks = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some(fence) = line.strip_prefix("```") else { continue };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        match fence.split_whitespace().collect::<Vec<_>>()[..] {
            ["sh"] => tasks.extend(block.iter().filter_map(|line| run(line, page))),
            [_, name] => tasks.push(Task::Write { name: name.into(), content: block.join("\n") + "\n" }),
            _ => {}
        }
    }
    tasks
}

/// A command; `None` for those that a test cannot run: cargo, and the studio, which waits for its user.
fn run(line: &str, page: &str) -> Option<Task> {
    let command = line.split_once(" #").map_or(line, |(command, _)| command);
    let words: Vec<String> = command.split_whitespace().map(|word| word.replace('\'', "")).collect();
    let first = words.first()?.as_str();
    if first == "cargo" || (first == "sinew" && words.get(1).is_none_or(|verb| verb == "studio")) {
        return None;
    }
    assert_eq!(first, "sinew", "{page}: `{line}` is neither a command of sinew nor of cargo");
    Some(Task::Run(words[1..].to_vec()))
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
        let tasks = tasks(&std::fs::read_to_string(&page).expect("a page"), &name);
        assert!(tasks.iter().filter(|d| matches!(d, Task::Run(_))).count() >= 3, "{name}: {tasks:?}");
        for task in tasks {
            match task {
                Task::Write { name, content } => {
                    std::fs::write(folder.join(name), content).expect("a file");
                }
                Task::Run(words) => {
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
fn all_commands_but_cargo_and_the_studio_are_run() {
    for left_out in ["cargo run --release   # opens the studio", "sinew", "sinew studio --no-open", ""] {
        assert_eq!(run(left_out, "page"), None, "{left_out}");
    }
    assert_eq!(
        run("sinew lab list 'a.*' # all", "page"),
        Some(Task::Run(["lab", "list", "a.*"].map(str::to_owned).into()))
    );
    assert!(std::panic::catch_unwind(|| run("rm -r something", "page")).is_err());
}

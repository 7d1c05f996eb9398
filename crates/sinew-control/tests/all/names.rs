//! The name of a controller stands only in its own folder and in the registry; all other code reads the registry.

use sinew_control::Registry;
use std::path::{Path, PathBuf};

/// Where names of all controllers may stand: the registry, and runs that are worth a picture. Folders of experiments are found.
const ALLOWED: [&str; 2] = ["crates/sinew-control/src/registry.rs", "crates/sinew-lab/src/gallery.rs"];

/// Names that stand elsewhere on purpose: file and word.
const EXCEPTIONS: [(&str, &str); 4] = [
    // the prelude
    ("crates/sinew/src/lib.rs", "Walker"),
    // a controller made of controllers has these as its usual parts
    ("crates/sinew-control/src/bellman/systems.rs", "WALKER"),
    ("crates/sinew-control/src/bellman/systems.rs", "BALANCER"),
    // an equation
    ("crates/sinew-lab/src/error.rs", "Bellman"),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// All Rust and TypeScript sources, by their paths from the root.
fn sources() -> Vec<(String, String)> {
    let mut folders: Vec<PathBuf> =
        vec![root().join("studio/src"), root().join("xtask/src"), root().join("bindings")];
    let crates = std::fs::read_dir(root().join("crates")).unwrap();
    folders.extend(crates.map(|folder| folder.unwrap().path().join("src")));
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for path in entries.map(|entry| entry.unwrap().path()) {
            let name = path.strip_prefix(root()).unwrap().to_string_lossy().replace('\\', "/");
            let source = [".rs", ".ts"].iter().any(|end| name.ends_with(end));
            if path.is_dir() && !name.ends_with("target") {
                folders.push(path);
            } else if source {
                files.push((name, std::fs::read_to_string(&path).unwrap()));
            }
        }
    }
    files
}

/// The folder that a file is in.
fn folder(name: &str) -> &str {
    &name[..=name.rfind('/').unwrap()]
}

/// Folders with a file that contains a text.
fn folders_with<'s>(sources: &'s [(String, String)], within: &str, text: &str) -> Vec<&'s str> {
    let holds = |(name, source): &&(String, String)| name.starts_with(within) && source.contains(text);
    sources.iter().filter(holds).map(|(name, _)| folder(name)).collect()
}

/// The lines of code that have one of the words between quotes, or as a type or constant. Comments are documentation, tests are tests.
fn knowing<'t>(text: &'t str, words: &'t [String]) -> impl Iterator<Item = (usize, &'t str)> {
    let code =
        text.lines().enumerate().take_while(|(_, line)| !line.trim_start().starts_with("#[cfg(test)]"));
    let code = code.filter(|(_, line)| !["//", "*", "/*"].iter().any(|c| line.trim_start().starts_with(c)));
    code.filter(move |(_, line)| words.iter().any(|word| has(line, word)))
}

/// Whether a line has a whole word.
fn has(line: &str, word: &str) -> bool {
    let part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    line.match_indices(word).any(|(at, _)| {
        let (before, after) = (&line[..at], &line[at + word.len()..]);
        !part(before.chars().next_back()) && !part(after.chars().next())
    })
}

/// A name as it may stand in code: quoted in three ways, as a constant, as a type.
fn words(name: &str) -> Vec<String> {
    let quoted = ['"', '\'', '`'].map(|q| format!("{q}{name}{q}"));
    let constant = name.to_uppercase().replace('-', "_");
    let type_name: String = name.split('-').map(|part| part[..1].to_uppercase() + &part[1..]).collect();
    quoted.into_iter().chain([constant, type_name]).collect()
}

#[test]
fn a_controllers_name_stands_in_its_folder_and_the_registry_alone() {
    let sources = sources();
    let of = |end: &str| sources.iter().filter(|(name, _)| name.ends_with(end)).count();
    assert!(of(".rs") > 300 && of(".ts") > 40, "{} and {} sources", of(".rs"), of(".ts"));
    let experiments = folders_with(&sources, "crates/sinew-lab/src/", "EXPERIMENTS: &[Experiment]");
    let mut found = Vec::new();
    for system in Registry::built_in().iter() {
        let declares = format!("System::new(\"{}\"", system.name);
        let declares = [declares.clone(), declares.replace("(", "(\n        ")];
        let own = declares.iter().flat_map(|text| folders_with(&sources, "crates/sinew-control/src/", text));
        let mut allowed: Vec<&str> = own.chain(experiments.iter().copied()).chain(ALLOWED).collect();
        assert!(allowed.len() > experiments.len() + ALLOWED.len(), "{} has no folder", system.name);
        allowed.retain(|folder| *folder != "crates/sinew-control/src/" && *folder != "crates/sinew-lab/src/");
        let words = words(system.name);
        for (name, text) in sources.iter().filter(|(name, _)| !allowed.iter().any(|a| name.starts_with(a))) {
            let meant =
                |code: &str| EXCEPTIONS.iter().any(|(file, word)| name == file && code.contains(word));
            let lines = knowing(text, &words).filter(|(_, code)| !meant(code));
            found.extend(lines.map(|(line, code)| format!("{name}:{}: {}", line + 1, code.trim())));
        }
    }
    assert!(found.is_empty(), "names of controllers outside their folders:\n{}", found.join("\n"));
}

#[test]
fn the_search_finds_names_and_nothing_else() {
    let words = words("jumper");
    let count = |text: &str| knowing(text, &words).count();
    assert_eq!(count("if (setup.controller === 'jumper') return;"), 1);
    assert_eq!(count("let plan = ControllerPlan::new(&JUMPER);\nuse features::Jumper;"), 2);
    assert_eq!(count("/// asks a `jumper`\nlet jumpers = 1;\n#[cfg(test)]\nmod tests { \"jumper\" }"), 0);
}

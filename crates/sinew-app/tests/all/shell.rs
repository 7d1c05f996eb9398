//! Completions and manual pages know everything that the command line knows.

use crate::support::{scratch, sinew};
use std::collections::BTreeSet;

/// The verbs of a command, by its help.
fn verbs(of: &[&str]) -> Vec<String> {
    let help = sinew(&[of, &["--help"]].concat()).good();
    let Some((_, rest)) = help.split_once("\nCommands:\n") else { return Vec::new() };
    let lines = rest.lines().take_while(|line| !line.is_empty());
    let names = lines.filter_map(|line| line.split_whitespace().next().map(str::to_owned));
    names.filter(|name| name != "help").collect()
}

/// The options of a verb, by its help.
fn options(of: &[&str]) -> BTreeSet<String> {
    let help = sinew(&[of, &["--help"]].concat()).good();
    let lines = help.lines().map(str::trim_start).filter(|line| line.starts_with('-'));
    let words = lines.flat_map(|line| line.split([' ', ',']).take(4).collect::<Vec<_>>());
    words.filter(|word| word.starts_with("--") && word.len() > 2).map(str::to_owned).collect()
}

#[test]
fn completions_of_every_shell_know_every_verb() {
    let verbs = verbs(&[]);
    assert!(verbs.len() > 10, "{verbs:?}");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = sinew(&["completions", shell]).good();
        for verb in &verbs {
            assert!(script.contains(verb.as_str()), "{shell} does not know {verb}");
        }
        assert!(script.contains("max-penetration"), "{shell} does not know options");
    }
    let refused = sinew(&["completions", "tcsh"]).refused();
    assert!(refused.contains("possible values: bash"), "{refused}");
}

#[test]
fn the_manual_has_a_page_for_every_verb_with_every_option() {
    let folder = scratch("manual", "man1");
    let said = sinew(&["man", "--out", folder.to_str().expect("UTF-8")]).good();
    let read = |name: &str| std::fs::read_to_string(folder.join(format!("{name}.1"))).expect(name);
    let mut pages = 1;
    let top = read("sinew");
    for verb in verbs(&[]) {
        assert!(top.contains(&verb), "the first page does not name {verb}");
        let inner: Vec<Vec<String>> =
            verbs(&[&verb]).into_iter().map(|inner| vec![verb.clone(), inner]).collect();
        for path in [vec![vec![verb.clone()]], inner].concat() {
            let page = read(&format!("sinew-{}", path.join("-")));
            let words: Vec<&str> = path.iter().map(String::as_str).collect();
            let options = options(&words);
            assert!(options.contains("--help"), "{path:?}: {options:?}");
            for option in options {
                // roff escapes hyphens
                assert!(page.contains(&option.replace('-', "\\-")), "{path:?} does not name {option}");
            }
            pages += 1;
        }
    }
    assert!(said.starts_with(&format!("{pages} pages")), "{said}");
    assert!(sinew(&["man"]).good().starts_with(".ie"), "{}", sinew(&["man"]).good());
}

#[test]
fn an_error_says_each_cause_once() {
    let text = sinew(&["verify", "nowhere.npz"]).refused();
    assert_eq!(text.matches("No such file").count(), 1, "{text}");
    let text = sinew(&["export", "walkk", "--to", "walk.glb"]).refused();
    assert!(text.contains("did you mean the built-in motion `walk`?"), "{text}");
    let text = sinew(&["simulate", "--controller", "walker", "--character", "acrobot"]).refused();
    assert!(text.contains("the walker cannot move `acrobot`"), "{text}");
}

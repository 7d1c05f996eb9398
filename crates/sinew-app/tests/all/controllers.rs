//! `sinew controllers`, `sinew cache`, and options of `sinew simulate` that name parameters.

use crate::support::{command, finish, json, scratch, sinew};
use sinew::control::{Order, Registry};
use sinew::dynamics::characters;
use sinew::world::recording::Recording;

#[test]
fn controllers_are_listed_with_what_they_need_and_know() {
    let text = sinew(&["controllers"]).good();
    assert!(text.contains("walker") && text.contains("two feet"), "{text}");
    let listed = json(&sinew(&["controllers", "--json"]).good());
    let registry = Registry::built_in();
    assert_eq!(listed.as_array().map(Vec::len), Some(registry.iter().count()));
    let human = std::sync::Arc::new(characters::load("human").unwrap());
    for (entry, system) in listed.as_array().unwrap().iter().zip(registry.iter()) {
        assert!(text.contains(system.name) && text.contains(system.about), "{text}");
        assert_eq!(entry["name"], system.name);
        let peeks = (system.wants)(&Order::new(system, human.clone())).peeks;
        let known = [peeks.contact_forces, peeks.outside, peeks.law].iter().filter(|known| **known).count();
        assert_eq!(entry["knows"].as_array().map(Vec::len), Some(known), "{entry}");
    }
    let walker = &listed[0];
    assert!(walker["name"] == "walker" && walker["needs"][0] == "two feet", "{walker}");
    assert!(
        walker["knows"].as_array().is_some_and(Vec::is_empty) && walker["world"]["step"] == 0.001,
        "{walker}"
    );
}

#[test]
fn a_controller_is_shown_with_all_its_parameters() {
    let text = sinew(&["controllers", "jumper"]).good();
    for said in [
        "gait: ",
        "step_time",
        "√(leg/g)",
        "request `jump`",
        "hang, scissor, split",
        "from -270 to 270",
        "jump_phase",
    ] {
        assert!(text.contains(said), "no {said} in\n{text}");
    }
    let registry = Registry::built_in();
    let system = registry.get("jumper").unwrap();
    let groups = system.groups.iter().map(|group| group.params);
    let params = groups.chain(system.requests.iter().map(|request| request.params)).flatten();
    let names = params.map(|param| param.name).chain(system.signals().map(|signal| signal.name));
    for name in names.chain(system.styles.iter().map(|style| style.name)) {
        assert!(text.contains(name), "no {name} in\n{text}");
    }
    let jumper = json(&sinew(&["controllers", "jumper", "--json"]).good());
    let twist =
        jumper["requests"][0]["params"].as_array().and_then(|p| p.iter().find(|p| p["name"] == "twist"));
    assert!(twist.is_some_and(|twist| twist["unit"] == "°"), "{jumper}");
    assert!(sinew(&["controllers", "wlaker"]).refused().contains("did you mean `walker`?"));
    assert!(sinew(&["controllers", "zzzzzzzz"]).refused().contains("controllers are walker, "));
}

#[test]
fn parameters_are_set_on_the_command_line() {
    let run = |more: &[&str]| sinew(&[&["simulate", "--seconds", "0.2", "--json"], more].concat());
    // both by their names and by their paths, and over those of a style: the body stands lower
    let root = |more: &[&str]| {
        let file = scratch("parameters_are_set_on_the_command_line", "run.npz");
        let args = ["simulate", "--controller", "walker", "--seconds", "1", "--out", file.to_str().unwrap()];
        sinew(&[&args[..], more].concat()).good();
        Recording::open(&file).unwrap().frame(999).q[2]
    };
    let usual = root(&[]);
    for more in [&["--set", "height=0.8"][..], &["--style", "sad", "--set", "gait.height=0.8"]] {
        let lowered = root(more);
        assert!((0.1..0.25).contains(&(usual - lowered)), "{more:?}: {lowered} m instead of {usual} m");
    }
    assert!(run(&["--set", "heigth=1"]).refused().contains("`sinew controllers walker` lists them"));
    assert!(run(&["--set", "height"]).refused().contains("PARAMETER=VALUE"));
    assert!(
        run(&["--set", "height=high"])
            .refused()
            .contains("`height` must be a number from 0.6 to 1, not `high`")
    );
    assert!(run(&["--set", "height=7"]).refused().contains("a number from 0.6 to 1"));
    assert!(run(&["--style", "sda"]).refused().contains("normal, fast"));
    assert!(run(&["--controller", "limp", "--style", "sad"]).refused().contains("it has none"));
}

#[test]
fn the_cache_is_listed_and_cleared() {
    let folder = scratch("the_cache_is_listed_and_cleared", "cache");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("walker-00ff.prepared"), "gains").unwrap();
    std::fs::write(folder.join("mine.txt"), "mine").unwrap();
    let run = |args: &[&str]| finish(command(args).env("SINEW_CACHE", &folder).output());
    let listed = json(&run(&["cache", "list", "--json"]).good());
    assert!(listed[0]["controller"] == "walker" && listed[0]["bytes"] == 5, "{listed}");
    assert!(run(&["cache", "list"]).good().contains("1 in"));
    assert!(run(&["cache", "clear"]).good().starts_with("1 removed"));
    assert!(run(&["cache", "list"]).good().starts_with("0 in"));
    assert!(folder.join("mine.txt").is_file());
}

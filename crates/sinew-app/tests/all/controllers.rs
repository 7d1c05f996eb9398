//! `sinew controllers`, `sinew cache`, and options of `sinew simulate` that name parameters.

use crate::support::{command, finish, json, scratch, sinew};

#[test]
fn controllers_are_listed_with_what_they_need_and_know() {
    let text = sinew(&["controllers"]).good();
    assert!(text.contains("walker") && text.contains("two feet"), "{text}");
    let listed = json(&sinew(&["controllers", "--json"]).good());
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
    let height = json(&run(&["--set", "height=0.8", "--set", "gait.lift=0.12", "--style", "sad"]).good());
    assert!(height["controller"] == "walker" && height["fell"] == false, "{height}");
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

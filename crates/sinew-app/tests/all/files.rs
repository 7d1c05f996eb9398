//! What the command reads and writes: bounded inputs, outputs that harm nothing, numbers in their ranges, signals.

use crate::support::{Run, command, finish, json, scratch, sinew, written};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// What a folder holds, hidden files too.
fn inside(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> =
        entries.map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn new_folder(test: &str) -> std::path::PathBuf {
    let folder = scratch(test, "");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

#[test]
fn a_scenario_writes_only_below_its_folder() {
    let test = "a_scenario_writes_only_below_its_folder";
    let folder = new_folder(test);
    let home = folder.join("home");
    fs::create_dir(&home).expect("a folder");
    let victim = folder.join("victim.npz");
    fs::write(&victim, "precious").expect("a file");
    let absolute = victim.display().to_string();
    let run = |outputs: &str| {
        let path = home.join("s.toml");
        let text = format!("seconds = 0.05\n[outputs]\n{outputs}\n");
        fs::write(&path, &text).expect("a scenario");
        let said = sinew(&["simulate", path.to_str().expect("UTF-8")]);
        assert_eq!(fs::read_to_string(&path).expect("the scenario"), text, "the scenario is untouched");
        assert_eq!(fs::read_to_string(&victim).expect("the victim"), "precious");
        said
    };
    for (outputs, why) in [
        ("recording = \"../victim.npz\"", "s.toml:3: `recording` must be a file in the folder"),
        ("summary = \"below/../../victim.json\"", "s.toml:3: `summary` must be a file in the folder"),
        (&format!("recording = '{absolute}'"), "s.toml:3: `recording` must be a file in the folder"),
        ("recording = \"s.toml\"", "must end in .npz"),
        ("summary = \"summary.txt\"", "must end in .json"),
    ] {
        let said = run(outputs).refused();
        assert!(said.contains(why), "{outputs}: {said}");
    }
    assert_eq!(inside(&home), ["s.toml"]);
    run("recording = \"a.npz\"\nsummary = \"a.json\"").good();
    fs::create_dir(home.join("below")).expect("a folder");
    run("recording = \"below/b.npz\"").good();
    assert_eq!(inside(&home), ["a.json", "a.npz", "below", "s.toml"]);
    #[cfg(unix)]
    {
        // links that lead out: to a file that is there, to one that would be made, and of a folder
        for (link, to) in [("l.npz", "../victim.npz"), ("n.npz", "../new.npz"), ("up", "..")] {
            std::os::unix::fs::symlink(to, home.join(link)).expect("a link");
        }
        for outputs in ["\"l.npz\"", "\"n.npz\"", "\"up/victim.npz\"", "\"up/new.npz\""] {
            let said = run(&format!("recording = {outputs}")).refused();
            assert!(said.contains("is outside the folder"), "{outputs}: {said}");
        }
        assert_eq!(inside(&folder), ["home", "victim.npz"]);
    }
}

#[test]
fn inputs_are_never_replaced() {
    let test = "inputs_are_never_replaced";
    let folder = new_folder(test);
    let at = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
    sinew(&["export", "acrobot", "--to", &at("m.xml")]).good();
    fs::write(at("all.xml"), "<mujoco><include file=\"m.xml\"/></mujoco>").expect("a file");
    fs::write(at("states.json"), r#"[{"q": [0, 0], "v": [0, 0], "tau": [0, 0]}]"#).expect("a file");
    sinew(&["export", "walk", "--to", &at("w.bvh")]).good();
    sinew(&[
        "import",
        &at("w.bvh"),
        "--character",
        "human",
        "--save-map",
        &at("map.toml"),
        "--out",
        &at("w.npz"),
    ])
    .good();
    let before: Vec<(String, Vec<u8>)> =
        inside(&folder).into_iter().map(|n| (n.clone(), fs::read(at(&n)).expect("a file"))).collect();
    let attempts: [&[&str]; 7] = [
        &["export", &at("m.xml"), "--to", &at("m.xml")],
        &["export", &at("all.xml"), "--to", &at("m.xml")],
        &["import", &at("w.bvh"), "--out", &at("w.bvh")],
        &[
            "import",
            &at("w.bvh"),
            "--character",
            "human",
            "--map",
            &at("map.toml"),
            "--save-map",
            &at("map.toml"),
            "--out",
            &at("x.npz"),
        ],
        &["export", &at("w.npz"), "--to", &at("w.npz")],
        &["inspect", &at("m.xml"), "--json", "--at", &at("states.json"), "--out", &at("states.json")],
        &["verify", &at("w.npz"), "--out", &at("w.npz")],
    ];
    for args in attempts {
        let run = sinew(args);
        assert_eq!(run.code, Some(2), "{args:?}: {}", run.stderr);
        for (name, bytes) in &before {
            assert!(fs::read(at(name)).is_ok_and(|now| now == *bytes), "{args:?} changed {name}");
        }
    }
    let said = sinew(&["export", &at("all.xml"), "--to", &at("m.xml")]).refused();
    assert!(said.contains("m.xml` is an input of this command"), "{said}");
    assert!(sinew(&["simulate", "--seconds", "0.05", "--out", &at("x.txt")]).refused().contains(".npz"));
}

/// A pipe without a reader or writer.
#[cfg(unix)]
fn pipe(path: &Path) {
    let _ = fs::remove_file(path);
    assert!(Command::new("mkfifo").arg(path).status().expect("mkfifo").success());
}

#[cfg(unix)]
#[test]
fn pipes_are_written_to_and_links_are_followed() {
    use std::os::unix::fs::{FileTypeExt, symlink};
    let folder = new_folder("pipes_are_written_to_and_links_are_followed");
    let at = |name: &str| folder.join(name);
    for (name, args) in [
        ("text", vec!["inspect", "acrobot", "--json", "--out"]),
        ("run", vec!["simulate", "--character", "acrobot", "--seconds", "0.01", "--out"]),
    ] {
        pipe(&at(name));
        let mut child =
            command(&args).arg(at(name)).stdout(std::process::Stdio::null()).spawn().expect("a run");
        let bytes = fs::read(at(name)).expect("what was written");
        assert!(child.wait().expect("an end").success() && !bytes.is_empty());
        assert!(at(name).symlink_metadata().expect("still there").file_type().is_fifo(), "{name} is a pipe");
    }
    fs::create_dir(at("real")).expect("a folder");
    fs::write(at("real/old.json"), "old").expect("a file");
    symlink("real/old.json", at("link.json")).expect("a link");
    symlink("link.json", at("two.json")).expect("a link");
    symlink("real/new.json", at("dangling.json")).expect("a link");
    for link in ["two.json", "dangling.json"] {
        sinew(&["inspect", "acrobot", "--json", "--out", at(link).to_str().expect("UTF-8")]).good();
        assert!(at(link).is_symlink(), "{link}");
        assert_eq!(json(&fs::read_to_string(at(link)).expect("through the link"))["name"], "acrobot");
    }
    assert_eq!(inside(&at("real")), ["new.json", "old.json"]);
    // permissions stay
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(at("real/old.json"), fs::Permissions::from_mode(0o600)).expect("permissions");
    sinew(&["inspect", "acrobot", "--json", "--out", at("link.json").to_str().expect("UTF-8")]).good();
    let mode = fs::metadata(at("real/old.json")).expect("the file").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[cfg(unix)]
#[test]
fn pipes_devices_and_folders_are_no_inputs() {
    let folder = new_folder("pipes_devices_and_folders_are_no_inputs");
    let at = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
    let endings = ["xml", "urdf", "bvh", "amc", "asf", "npz", "toml", "json", "roles"];
    for ending in endings {
        pipe(&folder.join(format!("p.{ending}")));
        std::os::unix::fs::symlink("/dev/zero", folder.join(format!("z.{ending}"))).expect("a link");
        fs::create_dir(folder.join(format!("d.{ending}"))).expect("a folder");
    }
    for name in ["p", "z", "d"] {
        fs::write(
            at("body.xml"),
            "<mujoco><worldbody><body><freejoint/><geom size='0.1'/></body></worldbody></mujoco>",
        )
        .expect("a file");
        fs::copy(at("body.xml"), at(&format!("with-{name}.xml"))).expect("a file");
        std::os::unix::fs::symlink(format!("{name}.roles"), at(&format!("with-{name}.roles")))
            .expect("a link");
        let of = |ending: &str| at(&format!("{name}.{ending}"));
        let attempts: [Vec<String>; 11] = [
            vec!["inspect".into(), of("xml")],
            vec!["inspect".into(), of("urdf")],
            vec!["inspect".into(), of("bvh")],
            vec!["inspect".into(), of("amc"), "--skeleton".into(), of("asf")],
            vec!["inspect".into(), of("npz")],
            vec!["verify".into(), of("npz")],
            vec!["export".into(), of("npz"), "--to".into(), at("x.glb")],
            vec!["simulate".into(), of("toml")],
            vec!["inspect".into(), "acrobot".into(), "--json".into(), "--at".into(), of("json")],
            vec!["inspect".into(), at(&format!("with-{name}.xml"))],
            vec!["simulate".into(), "--character".into(), of("xml")],
        ];
        for args in attempts {
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            let begin = Instant::now();
            let said = quick(&args).refused();
            assert!(begin.elapsed() < Duration::from_secs(5), "{args:?}");
            assert!(said.contains("not a file") || said.contains("folder"), "{args:?}: {said}");
        }
    }
}

/// Runs, and ends what does not end.
#[cfg(unix)]
fn quick(args: &[&str]) -> Run {
    let mut timed = vec!["10", env!("CARGO_BIN_EXE_sinew")];
    timed.extend(args);
    finish(Command::new("timeout").args(timed).stdin(std::process::Stdio::null()).output())
}

#[test]
fn numbers_out_of_range_are_refused_by_name() {
    let test = "numbers_out_of_range_are_refused_by_name";
    let clip = scratch(test, "walk.bvh").to_str().expect("UTF-8").to_owned();
    sinew(&["export", "walk", "--to", &clip]).good();
    let out = scratch(test, "x.npz").to_str().expect("UTF-8").to_owned();
    let bvh = scratch(test, "x.bvh").to_str().expect("UTF-8").to_owned();
    for (args, option, values) in [
        (vec!["simulate"], "--seconds", vec!["0", "-1", "1e9", "nan"]),
        (vec!["simulate"], "--drop", vec!["-1", "1e9", "inf"]),
        (vec!["simulate"], "--speed", vec!["1e9", "nan"]),
        (vec!["simulate", "--controller", "walker"], "--push", vec!["1e20", "nan"]),
        (vec!["simulate", "--terrain", "stairs"], "--difficulty", vec!["2", "-1"]),
        (vec!["export", "walk", "--to", &bvh], "--fps", vec!["1e12", "0", "1e-9"]),
        (vec!["import", &clip, "--out", &bvh], "--out-rate", vec!["1e9", "1e-9", "0"]),
        (vec!["import", &clip, "--out", &out], "--rate", vec!["1e12", "0", "nan"]),
        (vec!["import", &clip, "--out", &out], "--scale", vec!["1e30", "0", "-1"]),
        (vec!["import", &clip, "--out", &bvh], "--unit", vec!["1e30", "0"]),
        (vec!["import", &clip, "--out", &out, "--character", "human"], "--smooth", vec!["-1", "0", "1e9"]),
        (
            vec!["import", &clip, "--out", &out, "--character", "human"],
            "--hold-hands",
            vec!["0..1e20", "2..1"],
        ),
        (vec!["verify", "x.npz"], "--max-penetration", vec!["-1", "nan"]),
        (vec!["bench"], "--budget", vec!["0", "1e20"]),
    ] {
        for value in values {
            let said = sinew(&[&args[..], &[&format!("{option}={value}")]].concat()).refused();
            assert!(said.contains(option), "{option}={value}: {said}");
        }
    }
    // each number alone may be fine
    let long = sinew(&["export", "walk", "--to", &bvh, "--fps", "10000"]);
    assert_eq!(long.code, Some(0), "{}", long.stderr);
}

#[test]
fn long_lists_and_names_do_no_harm() {
    let test = "long_lists_and_names_do_no_harm";
    let pushes = "[[push]]\nimpulse = [0, 0, 0]\n".repeat(200_000);
    let begin = Instant::now();
    let said = sinew(&["simulate", &written(test, "pushes.toml", &pushes)]).refused();
    assert!(said.contains("200000 `[[push]]`; 10000 are the most"), "{said}");
    assert!(begin.elapsed() < Duration::from_secs(10), "{:?}", begin.elapsed());
    let long = "x".repeat(100_000);
    for text in [
        format!("{long} = 1\n"),
        format!("seconds = \"{long}\"\n"),
        format!("seconds = 1{}\n", "0".repeat(100_000)),
        format!("controller = \"{long}\"\n"),
        format!("character = \"{long}\"\n"),
        format!("[controller]\n{long} = 1\n"),
        format!("[outputs]\nrecording = \"../{long}\"\n"),
        format!("[[request]]\nname = \"{long}\"\n"),
    ] {
        let said = sinew(&["simulate", &written(test, "long.toml", &text)]).refused();
        assert!(said.len() < 1500 && said.contains("long.toml:"), "{} bytes: {:.300}", said.len(), said);
    }
    let large = written(test, "large.toml", &"#".repeat(9 << 20));
    assert!(sinew(&["simulate", &large]).refused().contains("more than 8 MB"));
}

#[test]
fn errors_of_a_scenario_name_file_and_line() {
    let test = "errors_of_a_scenario_name_file_and_line";
    for (text, place) in [
        ("seconds = 0.1\ncharacter = \"nobody\"\n", "e.toml:2: "),
        ("seconds = 0.1\n\ncharacter = \"nobody.xml\"\n", "e.toml:3: "),
        (
            "character = \"acrobot\"\ncontroller = \"limp\"\n\n[[push]]\nimpulse = [1, 0, 0]\nbody = \"foot_left\"\n",
            "e.toml:4: ",
        ),
        (
            "[[change]]\nlimb = \"arms\"\nscale = 1.1\n[[change]]\nlimb = \"legs\"\nload = -900\n",
            "e.toml:4: ",
        ),
        ("character = \"ostrich\"\n[[object]]\nheld = \"hands\"\n", "e.toml:2: "),
    ] {
        let said = sinew(&["simulate", &written(test, "e.toml", text)]).refused();
        assert!(said.contains(place), "{text}: {said}");
    }
}

/// An interrupted run keeps what was simulated; an earlier output stays until then; no temporary file stays.
#[cfg(target_os = "linux")]
#[test]
fn signals_finish_a_recording_and_leave_nothing_behind() {
    let folder = new_folder("signals_finish_a_recording_and_leave_nothing_behind");
    let path = folder.join("run.npz");
    let out = path.to_str().expect("UTF-8");
    for (signal, number) in [("INT", 2), ("TERM", 15), ("HUP", 1)] {
        fs::write(&path, "an older run").expect("a file");
        let args = ["simulate", "--controller", "walker", "--seconds", "3600", "--out", out];
        let mut run = command(&args);
        run.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
        let child = run.spawn().expect("a run");
        // until some of it waits in files that have no names
        let descriptors = format!("/proc/{}/fd", child.id());
        let waits = |entry: fs::DirEntry| {
            fs::read_link(entry.path()).is_ok_and(|to| to.to_string_lossy().ends_with("(deleted)"))
        };
        let begin = Instant::now();
        while !fs::read_dir(&descriptors).is_ok_and(|all| all.flatten().any(waits)) {
            assert!(begin.elapsed() < Duration::from_secs(60), "it records");
            std::thread::sleep(Duration::from_millis(20));
        }
        // a column's file has a name for the moment in which it is made
        let alone = || {
            std::thread::sleep(Duration::from_millis(10));
            inside(&folder) == ["run.npz"]
        };
        assert!((0..200).any(|_| alone()), "while it runs: {:?}", inside(&folder));
        assert_eq!(fs::read(&path).expect("the older run"), b"an older run");
        let killed = Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status();
        assert!(killed.expect("kill").success());
        let run = finish(child.wait_with_output());
        assert_eq!(run.code, Some(130), "{signal} {number}: {}", run.stderr);
        assert!(run.stdout.contains("duration"), "{}", run.stdout);
        assert_eq!(inside(&folder), ["run.npz"]);
        let audit = sinew(&["verify", out]).good();
        assert!(audit.ends_with("everything holds\n"), "{audit}");
    }
    // without a run that could end by itself: at once
    fs::write(folder.join("in.txt"), "").expect("a file");
    let mut child =
        command(&["bench", "--budget", "60"]).stdout(std::process::Stdio::null()).spawn().expect("a run");
    std::thread::sleep(Duration::from_millis(500));
    assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().expect("kill").success());
    assert_eq!(child.wait().expect("an end").code(), Some(128 + 15));
    // started to ignore it
    let script = format!("trap '' HUP; exec {} simulate --seconds 3 --json", env!("CARGO_BIN_EXE_sinew"));
    let mut child =
        Command::new("sh").args(["-c", &script]).stdout(std::process::Stdio::null()).spawn().expect("a run");
    std::thread::sleep(Duration::from_millis(300));
    assert!(Command::new("kill").args(["-HUP", &child.id().to_string()]).status().expect("kill").success());
    assert!(child.wait().expect("an end").success());
    let _ = std::io::stdout().flush();
}

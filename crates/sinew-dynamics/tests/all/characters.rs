//! The built-in characters: all embedded, all valid, of the size that their page states.

use sinew_dynamics::{Role, Side, characters};

/// Name, nq, nv, motors, bodies, mass in kg: the table of `docs/characters.md`, which MuJoCo filled.
const TABLE: [(&str, usize, usize, usize, usize, f64); 13] = [
    ("human", 43, 35, 29, 14, 76.0),
    ("human29", 35, 29, 23, 18, 71.356),
    ("human42", 55, 42, 36, 13, 47.0),
    ("human-mocap", 79, 60, 54, 19, 69.953),
    ("human-simbicon", 41, 34, 28, 15, 89.57),
    ("child", 43, 35, 29, 14, 15.463),
    ("asymmetric", 43, 35, 29, 14, 82.5079),
    ("ostrich", 35, 29, 23, 12, 73.08),
    ("dinosaur", 49, 40, 34, 17, 73.0),
    ("walker2d", 9, 9, 6, 7, 90.0),
    ("diver", 9, 9, 6, 7, 32.0),
    ("acrobot", 2, 2, 1, 2, 2.0),
    ("three-link", 12, 9, 6, 3, 69.953),
];

#[test]
fn characters_have_the_size_of_their_page() {
    assert!(characters::names().eq(TABLE.iter().map(|row| row.0)));
    for (name, nq, nv, motors, bodies, mass) in TABLE {
        let model = characters::load(name).expect("built in");
        let size = (model.nq(), model.nv(), model.spec().actuators.len(), model.bodies().len());
        assert_eq!(size, (nq, nv, motors, bodies), "{name}");
        assert!((model.mass() - mass).abs() < 5e-5, "{name}: {} kg", model.mass());
        assert_eq!(model.name(), name);
    }
}

#[test]
fn no_file_is_forgotten() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/characters");
    let files = std::fs::read_dir(folder).expect("the folder of characters");
    let stem = |f: std::fs::DirEntry| f.path().file_stem().and_then(|s| s.to_str()).map(str::to_owned);
    let mut stems: Vec<_> = files.map(|f| stem(f.expect("an entry")).expect("a name")).collect();
    stems.sort();
    let mut names: Vec<_> = characters::names().collect();
    names.sort_unstable();
    assert_eq!(stems, names);
}

#[test]
fn bipeds_have_feet_with_soles() {
    for name in characters::names().filter(|n| !["acrobot", "three-link", "diver"].contains(n)) {
        let model = characters::load(name).expect("built in");
        for side in Side::BOTH {
            let ends = [Role::Foot(side), Role::Toe(side)].into_iter().filter_map(|role| model.role(role));
            let corners: usize = ends.map(|body| model.bodies()[body.0].sites.len()).sum();
            assert!(corners >= 2, "{name}: {corners} sites under the {side:?} foot");
        }
    }
}

#[test]
fn a_wrong_name_is_answered_with_the_nearest() {
    for (typo, nearest) in [("hunam", Some("human")), ("Ostritch", Some("ostrich")), ("spaceship", None)] {
        let error = characters::load(typo).expect_err("no such character");
        assert_eq!(error.nearest(), nearest);
        assert!(error.to_string().contains("walker2d"), "all names are listed: {error}");
    }
}

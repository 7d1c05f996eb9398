//! Damaged and hostile text gives an error, in bounded time and memory, and never a panic.

use crate::mjcf_read::model;
use sinew_dynamics::Model;
use sinew_dynamics::format::mjcf;

fn refused(text: &str) -> String {
    match Model::from_mjcf(text) {
        Err(e) => e.to_string(),
        Ok(_) => panic!("read a text of {} bytes", text.len()),
    }
}

#[test]
fn depth_and_counts_are_bounded() {
    let deep = "<body>".repeat(100_000);
    assert!(refused(&format!("<mujoco><worldbody>{deep}")).contains("not well-formed"));
    let deep = format!("{}{}", "<body>".repeat(10_000), "</body>".repeat(10_000));
    assert!(refused(&model("", &deep, "")).contains("nested more than 500 deep"));
    let nested: String = (0..100).map(|k| format!("<default class='c{k}'>")).collect();
    let classes = format!("<default>{nested}{}</default>", "</default>".repeat(100));
    assert!(refused(&model(&classes, "", "")).contains("default classes are nested more than 64 deep"));
    assert!(refused(&model(&"<default/>".repeat(100), "", "")).contains("more than 64 default sections"));
    assert!(refused(&model("", &"<body/>".repeat(20_000), "")).contains("more than 10000 bodies"));
    assert!(refused(&model("", &"<site/>".repeat(300_000), "")).contains("more than 200000 elements"));
    assert!(refused(&" ".repeat(17 << 20)).contains("more than 16 MB"));
}

#[test]
fn meshes_are_bounded() {
    let vertices: String = (0..10_000).map(|k| format!("{k} {} 1 ", k % 7)).collect();
    let asset = format!("<asset><mesh name='m' vertex='{vertices}'/></asset>");
    let geoms = "<geom type='mesh' mesh='m'/>".repeat(1000);
    assert!(
        refused(&model(&asset, &geoms, ""))
            .contains("the meshes of all geoms have more than 2000000 vertices")
    );
    // the points are flat: there is no mass to compute
    let body = "<body><geom type='mesh' mesh='m'/></body>";
    assert!(refused(&model(&asset, body, "")).contains("encloses no volume"));
}

#[test]
fn includes_are_bounded() {
    // every file includes the next one
    let endless = |path: &str| {
        let n: u32 = path.trim_end_matches(".xml").parse().map_err(|_| "not a number".to_owned())?;
        Ok(format!("<m><include file='{}.xml'/></m>", n + 1).into_bytes())
    };
    let text = "<mujoco><include file='1.xml'/></mujoco>";
    let e = mjcf::parse(text, &mjcf::Options { file: "f", load: &endless }).unwrap_err();
    assert!(e.problem.contains("nested more than 16 deep"), "{e}");
    // or very many
    let wide: String = (0..200).map(|k| format!("<include file='{k}.xml'/>")).collect();
    let load = |_: &str| Ok(b"<m/>".to_vec());
    let text = format!("<mujoco>{wide}</mujoco>");
    let e = mjcf::parse(&text, &mjcf::Options { file: "f", load: &load }).unwrap_err();
    assert!(e.problem.contains("more than 100 files"), "{e}");
}

#[test]
fn numbers_that_grow_are_refused() {
    for world in [
        "<body><geom size='1e20' density='1e20'/></body>",
        "<body><joint/><geom type='box' size='1e30 1e30 1e30' mass='1e30'/></body>",
        "<body><inertial pos='1e30 0 0' mass='1e30' diaginertia='1e30 1e30 1e30'/><body><geom size='1e-9' mass='1'/></body></body>",
    ] {
        assert!(mjcf::parse(&model("", world, ""), &mjcf::Options::default()).is_err(), "{world}");
    }
}

/// Steps of a linear congruential generator (Knuth's MMIX constants).
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n.max(1)
    }
}

const SEED_TEXT: &str = r#"<mujoco model="seed"><compiler angle="radian" eulerseq="zyx" settotalmass="9"/>
<option timestep="0.002" gravity="0 0 -9.81"><flag energy="enable"/></option>
<default><joint damping="1"/><geom density="900" size="0.1 0.2 0.3"/><position kp="9"/>
<default class="c"><geom type="capsule"/><motor ctrlrange="-1 1"/></default></default>
<asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1" scale="0.1 0.1 0.1"/><material name="q" rgba="1 1 1 1"/></asset>
<worldbody><geom type="plane" size="0 0 1"/><light pos="0 0 1"/>
<body name="a" pos="0 0 1" euler="0.1 0.2 0.3" childclass="c"><freejoint name="r"/><geom fromto="0 0 0 0 0 1"/><site name="s" zaxis="1 0 0"/>
<frame pos="0 0 1" quat="1 1 0 0"><body name="b"><joint name="h" axis="1 2 3" range="-1 1" ref="0.5"/><geom type="mesh" mesh="m"/>
<body name="d" xyaxes="1 1 0 0 1 1"><inertial pos="0 0 0.1" mass="2" fullinertia="1 1 1 0.1 0 0"/><joint name="k" type="ball"/></body></body></frame>
</body></worldbody><contact><exclude body1="a" body2="d"/></contact>
<actuator><motor joint="h" gear="20" class="c"/><position joint="h" kv="2" forcerange="-5 5"/><motor joint="k" gear="1 2 3"/></actuator>
<keyframe><key name="one" qpos="0 0 1 1 0 0 0 0.1 1 0 0 0"/></keyframe>
<custom><text name="sinew_roles" data="pelvis=a hand_left=d"/><text name="sinew_effort" data="1,2,3=k"/></custom></mujoco>"#;

/// Changes a text in one of the ways in which files go wrong.
fn damage(text: &str, dice: &mut Dice) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..1 + dice.below(3) {
        let (at, n) = (dice.below(bytes.len()), bytes.len());
        let until = (at + dice.below(60)).min(n);
        match dice.below(6) {
            0 => bytes[at] = b"<>\"'=/0123456789.-e nNaxyz&;"[dice.below(28)],
            1 => drop(bytes.drain(at..until)),
            2 => bytes.truncate(at),
            3 => {
                // a piece from elsewhere
                let piece = bytes[at..until].to_vec();
                let to = dice.below(n);
                bytes.splice(to..to, piece);
            }
            4 => {
                // a number that is none, or too large, or zero
                let odd: [&[u8]; 6] = [b"nan", b"1e308", b"-1", b"0", b"inf", b"1e-320"];
                let start = (at..n).find(|i| bytes[*i].is_ascii_digit()).unwrap_or(at);
                let end = (start..n).find(|i| !b"0123456789.e".contains(&bytes[*i])).unwrap_or(n);
                bytes.splice(start..end, odd[dice.below(6)].iter().copied());
            }
            _ => bytes[at] = dice.below(256) as u8,
        }
        if bytes.is_empty() {
            break;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn damaged_text_never_panics_and_what_is_read_can_be_written() {
    let (spec, _) = mjcf::parse(SEED_TEXT, &mjcf::Options::default()).unwrap();
    assert_eq!(mjcf::parse(&mjcf::write(&spec), &mjcf::Options::default()).unwrap().0, spec);
    let mut dice = Dice(42);
    let mut read = 0;
    for _ in 0..4000 {
        let text = damage(SEED_TEXT, &mut dice);
        let Ok((spec, _)) = mjcf::parse(&text, &mjcf::Options::default()) else { continue };
        read += 1;
        let ours = mjcf::write(&spec);
        let again =
            mjcf::parse(&ours, &mjcf::Options::default()).unwrap_or_else(|e| panic!("{e}\n{ours}\n{text}"));
        assert_eq!(again.0, spec, "{text}");
        let _ = Model::new(spec);
    }
    // the damage is of both kinds
    assert!((100..3900).contains(&read), "{read} of 4000 were read");
}

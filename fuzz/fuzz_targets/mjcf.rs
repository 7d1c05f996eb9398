//! Text from strangers: the MJCF reader gives an error or a model, and what it reads it can write and read again.
//!
//! `cargo +nightly fuzz run mjcf -- -max_total_time=600 -dict=fuzz/mjcf.dict`. The first byte says which of our own small
//! models the rest of the input is spliced into, so that the fuzzer starts from well-formed text; 0 takes the input as
//! it is.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sinew_dynamics::Model;
use sinew_dynamics::format::mjcf;

/// Before and after the place where the input goes.
const AROUND: [(&str, &str); 6] = [
    ("", ""),
    ("<mujoco>", "</mujoco>"),
    ("<mujoco><worldbody>", "</worldbody></mujoco>"),
    (
        "<mujoco><default><default class='c'><geom type='capsule' size='.1 .2'/></default></default><worldbody>\
         <body name='a' childclass='c'><joint name='j'/><geom fromto='0 0 0 0 0 1'/>",
        "</body></worldbody><actuator><motor joint='j'/></actuator></mujoco>",
    ),
    ("<mujoco><worldbody><body><geom ", "/></body></worldbody></mujoco>"),
    (
        "<mujoco><worldbody><body name='a'><freejoint/><geom size='1'/><body name='b'><joint name='j' range='-1 1'/>\
         <joint name='k' type='slide'/><geom size='1'/></body></body></worldbody>",
        "<keyframe><key qpos='0 0 0 1 0 0 0 0 0'/></keyframe></mujoco>",
    ),
];

fuzz_target!(|input: &[u8]| {
    let Some((&which, rest)) = input.split_first() else { return };
    let Ok(text) = core::str::from_utf8(rest) else { return };
    let (before, after) = AROUND[which as usize % AROUND.len()];
    let text = format!("{before}{text}{after}");
    // an include may name the text itself, or small files
    let load = |path: &str| match path {
        "self" => Ok(text.clone().into_bytes()),
        "m.obj" => Ok(b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n".to_vec()),
        "b.xml" => Ok(b"<m><body><geom size='1'/></body></m>".to_vec()),
        _ => Err("no such file".to_owned()),
    };
    let Ok((spec, _)) = mjcf::parse(&text, &mjcf::Options { file: "fuzz", load: &load }) else { return };
    let ours = mjcf::write(&spec);
    match mjcf::parse(&ours, &mjcf::Options::default()) {
        Ok((again, _)) => assert_eq!(again, spec, "{ours}"),
        Err(e) => panic!("our own text is not read: {e}\n{ours}"),
    }
    let _ = Model::new(spec);
});

//! Any text as URDF: a model, or an error with a place; never a panic, a hang or an explosion of memory.
//!
//! `cargo +nightly fuzz run urdf -- -max_total_time=600`
#![no_main]

use libfuzzer_sys::fuzz_target;
use sinew_dynamics::format::urdf::{UrdfOptions, UrdfRoot, parse};
use sinew_dynamics::{Change, MassRule, Model, Scale, Span, guess_roles};

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let load = |_: &str| Ok(b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n".to_vec());
    let strict = UrdfOptions { load: &load, ..UrdfOptions::default() };
    let lenient = UrdfOptions { root: UrdfRoot::Fixed, skip_unknown: true, weld_mimics: true, ..strict };
    for options in [strict, lenient] {
        let Ok((mut spec, _)) = parse(text, &options) else { continue };
        // what follows an import must hold for every description that one gives
        let _ = guess_roles(&spec);
        spec.complete_roles(None);
        let _ = spec.asymmetries(1e-6);
        if let Some(body) = spec.bodies.first() {
            let (body, span) = (body.name.clone(), Span::Subtree);
            let longer = Change::Scale { body, span, scale: Scale::Length(1.5), mass: MassRule::Density };
            let _ = spec.changed(&[longer, Change::Ground]);
        }
        if let Ok(model) = Model::new(spec) {
            let _ = model.warnings();
        }
    }
});

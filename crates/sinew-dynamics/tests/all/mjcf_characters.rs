use crate::shared::shared;
use sinew_dynamics::Model;
use sinew_dynamics::format::mjcf;

#[test]
fn dump() {
    let Some(folder) = shared("characters") else { return };
    for f in ["humanoid", "humanoid_CMU", "humanoid_CMU_V2020", "unitree_h1", "walker", "acrobot"] {
        let (spec, report) = mjcf::read(folder.join(format!("{f}.xml"))).unwrap_or_else(|e| panic!("{e}"));
        println!("== {f}");
        for a in &report.assumed {
            println!("  assumed: {a}");
        }
        for w in &report.warnings {
            println!("  warning: {w}");
        }
        let text = mjcf::write(&spec);
        let (again, _) = mjcf::parse(&text, &mjcf::Options::default()).unwrap();
        assert_eq!(again, spec);
        let ng = spec.world_geoms.len() + spec.bodies.iter().map(|b| b.geoms.len()).sum::<usize>();
        let m = Model::new(spec.clone()).unwrap();
        println!(
            "nq {} nv {} nu {} bodies {} geoms {} mass {}",
            m.nq(),
            m.nv(),
            spec.actuators.len(),
            spec.bodies.len() + 1,
            ng,
            m.mass()
        );
    }
}

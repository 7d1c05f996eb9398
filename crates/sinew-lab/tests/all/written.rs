//! Scenarios written as text: every setting is read back to the bit.

use proptest::prelude::*;
use sinew_control::{Command, Kind, Order, Param, Registry, Request, System, Value, WorldPlan};
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{Model, Role, characters};
use sinew_lab::Scenario;
use sinew_lab::scenario::{
    BodyPlan, ChangePlan, ControllerPlan, GroundPlan, Held, Limb, Outputs, PlatformPlan, PushPlan, Reshape,
    Setting, Strength, Thing, ThingPlan,
};
use sinew_world::terrain::Course;
use sinew_world::{Anchor, Cone, ContactModel, Integrator, Path, Penalty};
use std::sync::{Arc, LazyLock};

fn number(low: f64, high: f64) -> BoxedStrategy<f64> {
    // plain numbers of files, and any others
    prop_oneof![(0..=1000).prop_map(move |k| low + (high - low) * f64::from(k) / 1000.0), low..=high].boxed()
}

/// An angle as a file can say it.
fn angle(low: f64, high: f64) -> BoxedStrategy<f64> {
    number(low, high).prop_map(f64::to_radians).boxed()
}

fn vector(low: f64, high: f64) -> BoxedStrategy<Vec3> {
    [number(low, high), number(low, high), number(low, high)].prop_map(Vec3::from).boxed()
}

fn text() -> BoxedStrategy<String> {
    prop_oneof!["[a-z]{1,8}", "[\\PC\n\t\"\\\\]{1,12}"].boxed()
}

fn times<T: std::fmt::Debug + Clone + 'static>(what: BoxedStrategy<T>) -> BoxedStrategy<Vec<(f64, T)>> {
    let add = |list: Vec<(f64, T)>| {
        let later = |time: &mut f64, (after, what)| {
            *time += after;
            Some((*time - 0.001, what))
        };
        list.into_iter().scan(0.0, later).collect()
    };
    prop::collection::vec((number(0.001, 3.0), what), 0..4).prop_map(add).boxed()
}

fn value(param: &'static Param) -> BoxedStrategy<Value> {
    match param.kind {
        Kind::Number { range: [low, high], .. } => {
            let scale = param.scale();
            let number = number(low.max(-1e3) / scale, high.min(1e3) / scale).prop_map(move |x| x * scale);
            let number = number.prop_filter("in its range", move |x| (low..=high).contains(x));
            let ends = prop_oneof![Just(low), Just(high)];
            // the ends of a range of angles may be no numbers of degrees
            if scale == 1.0 {
                prop_oneof![8 => number, 1 => ends].prop_map(Value::Number).boxed()
            } else {
                number.prop_map(Value::Number).boxed()
            }
        }
        Kind::Flag { .. } => any::<bool>().prop_map(Value::Flag).boxed(),
        Kind::Choice { names, .. } => {
            prop::sample::select(names).prop_map(|name| Value::Name(name.to_owned())).boxed()
        }
        Kind::Numbers { .. } => {
            prop::collection::vec(number(0.001, 9.0), 0..4).prop_map(Value::Numbers).boxed()
        }
    }
}

fn values(system: &'static System) -> BoxedStrategy<Vec<(String, Value)>> {
    let all: Vec<(String, &'static Param)> = system
        .groups
        .iter()
        .flat_map(|group| group.params.iter().map(|param| (format!("{}.{}", group.name, param.name), param)))
        .collect();
    if all.is_empty() {
        return Just(Vec::new()).boxed();
    }
    let most = all.len().min(4);
    let pairs = |chosen: Vec<(String, &'static Param)>| {
        chosen.into_iter().map(|(path, param)| (Just(path), value(param))).collect::<Vec<_>>()
    };
    prop::sample::subsequence(all, 0..most).prop_flat_map(pairs).boxed()
}

fn system() -> BoxedStrategy<&'static System> {
    prop::sample::select(Registry::built_in().iter().collect::<Vec<_>>()).boxed()
}

fn controller(system: &'static System) -> BoxedStrategy<ControllerPlan> {
    let style = prop::option::of(prop::sample::select((0..=system.styles.len()).collect::<Vec<_>>()));
    let clips = prop::collection::vec(text().prop_map(Into::into), 0..3);
    (values(system), style, clips)
        .prop_map(move |(values, style, clips)| ControllerPlan {
            system,
            style: style.and_then(|k| system.styles.get(k)),
            values: values.into_iter().collect(),
            clips,
        })
        .boxed()
}

fn settings(system: &'static System) -> BoxedStrategy<Vec<(f64, Setting)>> {
    let style = prop::option::of(prop::sample::select((0..=system.styles.len()).collect::<Vec<_>>()));
    let moment = (style, values(system)).prop_map(move |(style, values)| {
        let style = style.and_then(|k| system.styles.get(k)).map(Setting::Style);
        let values = values.into_iter().map(|(path, value)| Setting::Value(path, value));
        style.into_iter().chain(values).collect::<Vec<_>>()
    });
    let flat = |list: Vec<(f64, Vec<Setting>)>| {
        list.into_iter().flat_map(|(time, all)| all.into_iter().map(move |one| (time, one))).collect()
    };
    times(moment.boxed()).prop_map(flat).boxed()
}

fn requests(system: &'static System) -> BoxedStrategy<Vec<(f64, Request)>> {
    if system.requests.is_empty() {
        return Just(Vec::new()).boxed();
    }
    let request = prop::sample::select(system.requests).prop_flat_map(|kind| {
        let params: Vec<&'static Param> = kind.params.iter().collect();
        let most = params.len();
        let pairs = |chosen: Vec<&'static Param>| {
            chosen.into_iter().map(|param| (Just(param.name), value(param))).collect::<Vec<_>>()
        };
        let values = prop::sample::subsequence(params, 0..=most).prop_shuffle().prop_flat_map(pairs);
        values.prop_map(move |values| Request { name: kind.name, values })
    });
    times(request.boxed()).boxed()
}

fn world() -> BoxedStrategy<WorldPlan> {
    let contact = prop_oneof![
        Just(ContactModel::Complementarity { cone: Cone::Exact }),
        (3_usize..64).prop_map(|sides| ContactModel::Complementarity { cone: Cone::Polyhedral { sides } }),
        (
            number(1.0, 1e6),
            number(0.0, 1e4),
            number(0.001, 1.0),
            number(0.0, 1e4),
            number(0.0, 1e3),
            prop::option::of((number(1.0, 1e6), number(0.0, 1e4))),
        )
            .prop_map(|(stiffness, damping, lock_speed, limit_stiffness, limit_damping, anchor)| {
                let anchor = anchor.map(|(stiffness, damping)| Anchor { stiffness, damping });
                ContactModel::Penalty(Penalty {
                    stiffness,
                    damping,
                    lock_speed,
                    limit_stiffness,
                    limit_damping,
                    anchor,
                })
            }),
    ];
    let integrator =
        prop_oneof![Just(Integrator::SemiImplicitEuler), Just(Integrator::Rk4), Just(Integrator::Rk4Held)];
    let plan =
        (prop::option::of(number(2e-5, 0.02)), prop::option::of(contact), prop::option::of(integrator));
    plan.prop_map(|(step, contact, integrator)| WorldPlan { step, contact, integrator })
        .prop_filter("Runge-Kutta needs springs", |plan| {
            !plan.integrator.is_some_and(Integrator::is_runge_kutta)
                || matches!(plan.contact, Some(ContactModel::Penalty(_)))
        })
        .boxed()
}

fn ground() -> BoxedStrategy<GroundPlan> {
    let friction = || number(0.0, 2.0);
    let start = || number(0.1, 9.0);
    prop_oneof![
        friction().prop_map(|friction| GroundPlan::Flat { friction }),
        (start(), angle(-45.0, 45.0), friction()).prop_map(|(start, pitch, friction)| GroundPlan::Slope {
            start,
            pitch,
            friction
        }),
        (start(), number(0.1, 1.0), number(-0.3, 0.3), 0_usize..30, friction()).prop_map(
            |(start, run, rise, steps, friction)| GroundPlan::Stairs { start, run, rise, steps, friction }
        ),
        (start(), number(-0.3, 0.3), number(0.1, 3.0), 0_usize..30, friction()).prop_map(
            |(start, height, length, count, friction)| GroundPlan::Ledges {
                start,
                height,
                length,
                count,
                friction
            }
        ),
        (vector(-1.0, 1.0), number(0.0, 3.0), friction()).prop_map(|(amplitude, frequency, friction)| {
            GroundPlan::Platform { amplitude, frequency, friction }
        }),
        (prop::sample::select(&Course::ALL[..]), number(0.0, 1.0))
            .prop_map(|(course, difficulty)| GroundPlan::Course { course, difficulty }),
    ]
    .boxed()
}

fn things() -> BoxedStrategy<Vec<ThingPlan>> {
    let mass = || number(0.01, 100.0);
    let length = || number(0.01, 10.0);
    let thing = prop_oneof![
        (vector(0.01, 10.0), mass()).prop_map(|(size, mass)| Thing::Box { size, mass }),
        (length(), mass()).prop_map(|(radius, mass)| Thing::Ball { radius, mass }),
        (vector(0.01, 10.0), mass(), angle(1.0, 80.0)).prop_map(|(size, mass, tip)| Thing::Seesaw {
            size,
            mass,
            tip
        }),
        (length(), mass()).prop_map(|(length, mass)| Thing::Bar { length, mass }),
        (mass(), mass()).prop_map(|(bar, plate)| Thing::Barbell { bar, plate }),
    ];
    let one =
        (thing, vector(-9.0, 9.0), vector(-9.0, 9.0), number(0.0, 2.0), prop::sample::select(&Held::ALL[..]));
    let named = |list: Vec<(Thing, Vec3, Vec3, f64, Held)>| {
        let plan = |(k, (thing, at, velocity, friction, held))| ThingPlan {
            name: format!("\"thing\" {k}"),
            thing,
            at,
            velocity,
            friction,
            held,
        };
        list.into_iter().enumerate().map(plan).collect()
    };
    prop::collection::vec(one, 0..3).prop_map(named).boxed()
}

fn platforms() -> BoxedStrategy<Vec<PlatformPlan>> {
    let far = || vector(-9.0, 9.0);
    let path = prop_oneof![
        (far(), far(), far()).prop_map(|(position, velocity, spin)| Path::Steady {
            position,
            velocity,
            spin
        }),
        (far(), far(), number(0.0, 3.0), angle(-180.0, 180.0)).prop_map(
            |(centre, amplitude, frequency, phase)| Path::Harmonic { centre, amplitude, frequency, phase }
        ),
    ];
    let one = (vector(0.01, 10.0), path, number(0.0, 2.0));
    let named = |list: Vec<(Vec3, Path, f64)>| {
        let plan = |(k, (size, path, friction))| PlatformPlan {
            name: format!("platform {k}"),
            size,
            path,
            friction,
        };
        list.into_iter().enumerate().map(plan).collect()
    };
    prop::collection::vec(one, 0..3).prop_map(named).boxed()
}

fn pushes() -> BoxedStrategy<Vec<PushPlan>> {
    let strength = prop_oneof![
        vector(-99.0, 99.0).prop_map(Strength::Impulse),
        (angle(-360.0, 360.0), number(-2.0, 2.0))
            .prop_map(|(direction, impulse)| Strength::PerMass { direction, impulse }),
    ];
    let part = prop::sample::select(Role::all().collect::<Vec<_>>());
    let one = (number(0.0, 9.0), number(0.001, 2.0), strength, part)
        .prop_map(|(time, seconds, strength, part)| PushPlan { time, seconds, strength, part });
    prop::collection::vec(one, 0..3).boxed()
}

fn changes() -> BoxedStrategy<Vec<ChangePlan>> {
    let reshape = prop_oneof![
        number(-9.0, 9.0).prop_map(Reshape::Load),
        number(0.5, 2.0).prop_map(Reshape::Scale),
        number(0.5, 2.0).prop_map(Reshape::Grow),
        number(0.5, 2.0).prop_map(Reshape::Lengthen),
        number(0.5, 2.0).prop_map(Reshape::Weigh),
    ];
    let one = (number(0.0, 9.0), number(0.0, 9.0), prop::sample::select(&Limb::ALL[..]), reshape)
        .prop_map(|(time, seconds, limb, reshape)| ChangePlan { time, seconds, limb, reshape });
    prop::collection::vec(one, 0..3).boxed()
}

fn body() -> BoxedStrategy<BodyPlan> {
    let whole = (number(0.7, 1.4), number(0.7, 1.4), number(0.7, 1.4), number(0.0, 40.0));
    let rest = (number(0.2, 2.0), number(0.05, 1.0), number(0.0, 20.0));
    let plan = (whole, rest).prop_map(|((legs, arms, head, load), (strength, friction, gravity))| BodyPlan {
        legs,
        arms,
        head,
        load,
        strength,
        friction,
        gravity,
    });
    prop_oneof![Just(BodyPlan::default()), plan].boxed()
}

fn commands() -> BoxedStrategy<Vec<(f64, Command)>> {
    let one = ([number(-20.0, 20.0), number(-20.0, 20.0)], angle(-360.0, 360.0))
        .prop_map(|(velocity, heading)| Command { velocity, heading });
    times(one.boxed())
}

fn outputs() -> BoxedStrategy<Outputs> {
    let file = |ending: &str| {
        let name = format!("([a-z]{{1,8}}/)?[a-z \"\\\\]{{1,8}}\\.{ending}");
        prop::option::of(prop::string::string_regex(&name).expect("a pattern").prop_map(Into::into))
    };
    (file("npz"), file("json")).prop_map(|(recording, summary)| Outputs { recording, summary }).boxed()
}

/// Whether a controller, with its parameters, can live in a world.
fn suits(controller: &ControllerPlan, world: &WorldPlan) -> bool {
    static HUMAN: LazyLock<Arc<Model>> = LazyLock::new(|| Arc::new(characters::load("human").unwrap()));
    let system = controller.system;
    let mut order = Order::new(system, Arc::clone(&HUMAN));
    order.values = controller.values.clone();
    world.settle(system.name, &(system.wants)(&order)).is_ok()
}

fn scenario() -> BoxedStrategy<Scenario> {
    let acts = |system| (Just(system), controller(system), settings(system), requests(system));
    let who = (text(), text(), number(0.1, 100.0), 0..=i64::MAX as u64, [number(0.0, 1.0), number(0.0, 1.0)]);
    let place = (world(), any::<bool>(), ground(), any::<bool>(), things(), platforms());
    let happens = (commands(), pushes(), changes(), body(), outputs());
    (system().prop_flat_map(acts), who, place, happens)
        .prop_map(|(acts, who, place, happens)| {
            let (_, controller, settings, requests) = acts;
            let (name, character, seconds, seed, jitter) = who;
            let (world, unphysical, ground, unseen, things, platforms) = place;
            let world = if suits(&controller, &world) { world } else { WorldPlan::default() };
            let (commands, pushes, changes, body, outputs) = happens;
            Scenario {
                name,
                character,
                seconds,
                seed,
                jitter,
                body,
                controller,
                world,
                unphysical,
                ground,
                unseen,
                things,
                platforms,
                commands,
                settings,
                requests,
                pushes,
                changes,
                outputs,
            }
        })
        .boxed()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_written_scenario_is_read_back_exactly(scenario in scenario()) {
        let text = scenario.to_toml();
        let read = Scenario::parse(&text, "written.toml");
        let Ok(read) = read else { return Err(TestCaseError::fail(format!("{read:?}\n{text}"))) };
        // first as texts, which say what differs in few words
        prop_assert_eq!(read.to_toml(), text);
        prop_assert_eq!(read, scenario);
    }
}

#[test]
fn the_default_is_short() {
    let text = Scenario::default().to_toml();
    assert!(text.lines().count() < 10, "{text}");
    assert_eq!(Scenario::parse(&text, "default.toml").unwrap(), Scenario::default());
}

//! Preparations: computed once, found again, and computed again when damaged or when their inputs have changed.

use sinew_control::{
    Command, ControlError, ControlStatus, Controller, Group, Observation, Order, Out, Parameters, Registry,
    Stage, Start, Store, System, parameters,
};
use sinew_dynamics::{Model, characters};
use sinew_lab::{FolderStore, Scenario, Simulation};
use std::cell::Cell;
use std::path::PathBuf;
use std::sync::Arc;

thread_local! {
    /// How often the work was done.
    static WORK: Cell<usize> = const { Cell::new(0) };
}

parameters! {
    /// What a pusher does.
    pub struct Pushing {
        /// Torque of all joints.
        torque: number(1.0, [0.0, 10.0]);
        /// What the work is about.
        depth: number(2.0, [0.0, 10.0]).at(Stage::Prepare);
    }
}

/// A system with prepared torques.
static PREPARED: System = System {
    groups: &[Group { name: "pushing", about: "How it pushes", params: Pushing::PARAMS }],
    prepare: Some(|order, _, progress| {
        WORK.set(WORK.get() + 1);
        if !progress(0.5) {
            return Err(ControlError::Preparation("it was given up".to_owned()));
        }
        let Some(sinew_control::Value::Number(depth)) = order.value("depth") else { unreachable!() };
        Ok(depth.to_le_bytes().to_vec())
    }),
    ..System::new("prepared", "Has a preparation", |order, prepared| {
        let bytes = prepared
            .bytes()
            .try_into()
            .map_err(|_| ControlError::Preparation("of another form".to_owned()))?;
        Ok(Box::new(Pusher {
            model: Arc::clone(&order.model),
            pushing: Pushing::default(),
            depth: f64::from_le_bytes(bytes),
        }))
    })
};

#[derive(Clone, Debug)]
struct Pusher {
    model: Arc<Model>,
    pushing: Pushing,
    depth: f64,
}

impl Controller for Pusher {
    fn start(&self) -> Start {
        Start::standing(&self.model, &self.model.neutral())
    }

    fn reset(&mut self, _: &Observation<'_>) -> Result<(), ControlError> {
        Ok(())
    }

    fn act(&mut self, _: &Observation<'_>, _: &Command, out: &mut Out<'_>) -> ControlStatus {
        out.torque()[6..].fill(self.pushing.torque * self.depth);
        ControlStatus::Good
    }

    fn parameters(&mut self, group: &str) -> Option<&mut dyn Parameters> {
        (group == "pushing").then_some(&mut self.pushing)
    }
}

fn order(depth: f64, torque: f64) -> Order {
    let mut order = Order::new(&PREPARED, Arc::new(characters::load("human").unwrap()));
    order.set("depth", depth.into()).unwrap();
    order.set("torque", torque.into()).unwrap();
    order
}

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

#[test]
fn a_preparation_is_done_once_and_again_when_damaged_or_outdated() {
    let store = FolderStore::new(folder("prepared"));
    let done = |order: &Order| {
        let before = WORK.get();
        let prepared = order.prepare(&store, &|_| true).unwrap();
        (WORK.get() - before, f64::from_le_bytes(prepared.bytes().try_into().unwrap()))
    };
    assert_eq!(done(&order(3.0, 1.0)), (1, 3.0));
    assert_eq!(done(&order(3.0, 1.0)), (0, 3.0));
    // a parameter that acts at once changes nothing of it; one of the preparation does, and so does the body
    assert_eq!(done(&order(3.0, 2.0)), (0, 3.0));
    assert_eq!(done(&order(4.0, 1.0)), (1, 4.0));
    let child = Order { model: Arc::new(characters::load("child").unwrap()), ..order(3.0, 1.0) };
    assert_eq!(done(&child), (1, 3.0));
    assert_eq!(store.entries().unwrap().len(), 3);
    assert!(store.entries().unwrap().iter().all(|entry| entry.system() == "prepared"));

    // every byte counts, and so does the length
    let file = store.folder().join(format!("{}.prepared", order(3.0, 1.0).key().unwrap()));
    let sound = std::fs::read(&file).unwrap();
    for k in 0..=sound.len() {
        let mut damaged = sound.clone();
        match damaged.get_mut(k) {
            Some(byte) => *byte ^= 1,
            None => damaged.push(0),
        }
        std::fs::write(&file, damaged).unwrap();
        assert_eq!(done(&order(3.0, 1.0)), (1, 3.0), "byte {k}");
        assert_eq!(std::fs::read(&file).unwrap(), sound);
    }
    std::fs::write(&file, &sound[..sound.len() - 1]).unwrap();
    assert_eq!(done(&order(3.0, 1.0)), (1, 3.0));

    // cancelled: an error, and nothing is kept
    let given_up = order(5.0, 1.0).prepare(&store, &|_| false).unwrap_err();
    assert_eq!(given_up.to_string(), "the preparation failed: it was given up");
    assert!(store.get(&order(5.0, 1.0).key().unwrap()).is_none());

    // other files stay
    std::fs::write(store.folder().join("mine.txt"), "mine").unwrap();
    assert_eq!(store.clear().unwrap(), 3);
    assert!(store.entries().unwrap().is_empty() && store.folder().join("mine.txt").is_file());
}

#[test]
fn a_scenario_is_prepared_and_reports_progress() {
    let registry = Registry::built_in().with(&PREPARED);
    let text = "seconds = 0.01\ncontroller = { system = \"prepared\", depth = 7 }";
    let scenario = Scenario::parse_with(text, "prepared.toml", &registry).unwrap();
    let shares = std::sync::Mutex::new(Vec::new());
    let progress = |share: f64| {
        shares.lock().unwrap().push(share);
        true
    };
    let store = FolderStore::new(folder("scenario"));
    let model = scenario.built_in().unwrap();
    let mut simulation = Simulation::with_store(scenario, model, &store, &progress).unwrap();
    simulation.step().unwrap();
    assert_eq!(*shares.lock().unwrap(), [0.5]);
    assert_eq!(store.entries().unwrap().len(), 1);
}

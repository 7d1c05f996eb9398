//! All systems, by name. A new controller is a folder and one line here.

use crate::system::System;
use crate::{bellman, data_driven, features, nqr, passive, simbicon};

/// The systems of this library, the default one first.
const BUILT_IN: &[&System] = &[
    &features::WALKER, //
    &features::JUMPER,
    &features::BALANCER,
    &data_driven::DATA_DRIVEN,
    &simbicon::SIMBICON,
    &nqr::NQR,
    &nqr::NQR_PLANNER,
    &bellman::BELLMAN,
    &passive::LIMP,
];

/// The systems that users can choose by name.
///
/// ```
/// use sinew_control::Registry;
/// let registry = Registry::built_in();
/// assert!(registry.iter().all(|system| registry.get(system.name).is_some()));
/// assert!(registry.get("flyer").is_none());
/// ```
#[derive(Clone, Debug)]
pub struct Registry(Vec<&'static System>);

impl Registry {
    /// The systems of this library.
    pub fn built_in() -> Registry {
        Registry(BUILT_IN.to_vec())
    }

    /// With one more system, which replaces one of the same name.
    #[must_use]
    pub fn with(mut self, system: &'static System) -> Registry {
        self.0.retain(|other| other.name != system.name);
        self.0.push(system);
        self
    }

    /// A system by its name.
    pub fn get(&self, name: &str) -> Option<&'static System> {
        self.0.iter().copied().find(|system| system.name == name)
    }

    /// The default system.
    pub fn usual(&self) -> &'static System {
        self.0.first().copied().unwrap_or(&passive::LIMP)
    }

    /// The system that gives no torques, for any body.
    pub fn limp(&self) -> &'static System {
        &passive::LIMP
    }

    /// All systems, the default one first.
    pub fn iter(&self) -> impl Iterator<Item = &'static System> + '_ {
        self.0.iter().copied()
    }

    /// The names.
    pub fn names(&self) -> Vec<&'static str> {
        self.iter().map(|system| system.name).collect()
    }

    /// The first system that takes a request of this name.
    pub fn that_takes(&self, request: &str) -> Option<&'static System> {
        self.iter().find(|system| system.request(request).is_some())
    }
}

impl Default for Registry {
    fn default() -> Registry {
        Registry::built_in()
    }
}

//! Time: it stays continuous when the time step changes, and events planned in seconds keep their times.
//!
//! Between two changes of the step, `time = start + (steps − since)·dt`: a product, so that a long run does not collect rounding.

use crate::event::Event;
use crate::push::Push;
use crate::settings::Settings;
use crate::world::World;

impl World {
    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Changes the settings. With another time step, time stays continuous, planned events keep their times (to the nearest
    /// step), and pushes keep their remaining impulse and, to the nearest step, their remaining duration.
    ///
    /// ```
    /// use sinew_world::{Terrain, World};
    /// let mut world = World::new(Terrain::flat());
    /// (0..100).for_each(|_| drop(world.step(&[])));
    /// world.configure(|settings| settings.dt = 0.0005);
    /// assert_eq!(world.time(), 0.1);
    /// ```
    pub fn configure(&mut self, change: impl FnOnce(&mut Settings)) {
        let before = self.settings.dt;
        let now = self.time();
        change(&mut self.settings);
        let dt = self.settings.dt;
        if dt == before || !(dt > 0.0) {
            return;
        }
        (self.start, self.since) = (now, self.steps);
        let ratio = before / dt;
        for push in &mut self.pushes {
            push.rescale(ratio);
        }
        for (step, event) in &mut self.events {
            let ahead = step.saturating_sub(self.steps) as f64;
            *step = self.steps + (ahead * ratio).round() as u64;
            if let Event::Push(push) = event {
                push.rescale(ratio);
            }
        }
    }

    /// Time at the end of the last step, s.
    pub fn time(&self) -> f64 {
        self.start + (self.steps - self.since) as f64 * self.settings.dt
    }

    /// The step that begins at a time: the nearest one, and the next one if that is past.
    pub(crate) fn step_at(&self, time: f64) -> u64 {
        let ahead = ((time - self.start) / self.settings.dt).round();
        (self.since as f64 + ahead).max(self.steps as f64) as u64
    }
}

impl Push {
    /// The same impulse in `ratio` times as many steps.
    fn rescale(&mut self, ratio: f64) {
        let steps = (self.steps as f64 * ratio).round().max(1.0);
        // force · steps · dt stays what it was, dt being divided by the ratio
        self.force *= self.steps as f64 * ratio / steps;
        self.steps = steps as u64;
    }
}

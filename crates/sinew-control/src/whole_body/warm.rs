//! A solver whose clones keep the data of a warm start, without its megabyte of workspace.

use core::fmt;
use sinew_solve::hqp::{HqpSolver, LevelMemory};

/// A solver that is created on first use.
#[derive(Default)]
pub(super) struct WarmSolver {
    solver: Option<Box<HqpSolver>>,
    /// Warm start of the first solve, until there is a solver.
    memory: Vec<LevelMemory>,
}

impl WarmSolver {
    /// The solver, with its warm start.
    pub(super) fn get_or(&mut self, make: impl FnOnce() -> HqpSolver) -> &mut HqpSolver {
        self.solver.get_or_insert_with(|| {
            let mut solver = make();
            if !self.memory.is_empty() {
                solver.set_memory(&self.memory);
            }
            Box::new(solver)
        })
    }
}

impl Clone for WarmSolver {
    fn clone(&self) -> WarmSolver {
        let memory = self.solver.as_ref().map_or(&self.memory[..], |solver| solver.memory());
        WarmSolver { solver: None, memory: memory.to_vec() }
    }
}

impl fmt::Debug for WarmSolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WarmSolver")
    }
}

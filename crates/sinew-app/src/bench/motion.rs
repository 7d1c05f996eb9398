//! Time to put a motion of 5 s at 120 Hz on the default character: contacts, retargeting, planting, report. The motion is a built-in one of the
//! child, as if captured, so that nothing fits beforehand.

use super::Row;
use super::timing::measure_long;
use anyhow::{Context, Result};
use sinew::dynamics::characters;
use sinew::motion::{FitOptions, edit, fit, motions};
use std::hint::black_box;
use std::sync::Arc;

/// Rows of the suite `motion`.
pub(crate) const NAMES: [&str; 1] = ["fit_5s_120hz"];

pub(crate) fn time_all(budget: f64, asked: impl Fn(&str) -> bool) -> Result<Vec<Row>> {
    if !asked(NAMES[0]) {
        return Ok(Vec::new());
    }
    let [child, human] = ["child", "human"].map(|name| characters::load(name).map(Arc::new));
    let (child, human) = (child?, human?);
    let walk = motions::load("start", &child)?.resampled(120.0);
    let mut long = walk.clone();
    while long.duration() < 5.0 {
        long = edit::join(&long, &walk, 0.0)?;
    }
    let mut take = edit::cut(&long, 0..=600)?.to_take()?;
    // when feet are down is to be found
    take.contacts = None;
    fit(&take, &human, &FitOptions::default()).context("the motion fits")?;
    let samples = measure_long(budget, || {
        let _ = black_box(fit(&take, &human, &FitOptions::default()));
    });
    Ok(vec![Row { name: NAMES[0], samples }])
}

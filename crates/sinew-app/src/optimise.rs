//! `sinew optimise`: makes a clip physically feasible.

use crate::cli::OptimiseArgs;
use crate::inspect::table;
use crate::progress::{Bar, Shown};
use crate::{Verdict, motion_source, output, source};
use anyhow::{Context, Result, ensure};
use comfy_table::CellAlignment;
use serde::Serialize;
use sinew::control::spacetime::{self, Ends, Plan, Repeats, SpacetimeParams};
use sinew::world::recording::{Recorder, Recording, Setup};
use std::sync::Arc;
use std::time::Instant;

/// Greatest number of frames: the work grows with them.
const MOST_FRAMES: usize = 6000;

/// What `--json` prints.
#[derive(Serialize)]
struct Report {
    name: String,
    character: String,
    frames: usize,
    rate: f64,
    cycles: bool,
    seconds: f64,
    speed_mps: f64,
    turn_deg: f64,
    solved: bool,
    rounds: usize,
    steps: usize,
    spent_s: f64,
    root_residual_before_n: f64,
    root_residual_n: f64,
    slip_mps: f64,
    height_mm: f64,
    torque_nm: f64,
    effort: f64,
    off_root_mm: f64,
    off_joints_deg: f64,
    audit_holds: bool,
    file: Option<String>,
}

/// The verb.
pub(crate) fn run(args: &OptimiseArgs) -> Result<Verdict> {
    ensure!(
        (0.0..=0.3).contains(&args.clearance),
        "--clearance must be from 0 to 0.3 m, not {}",
        args.clearance
    );
    ensure!((1..=1000).contains(&args.cycles), "--cycles must be from 1 to 1000");
    let model = Arc::new(source::load_plain(&args.character)?.model);
    let clip = motion_source::load(&args.clip, &model, &args.options)?;
    let repeats = match (args.cycle, args.once) {
        (true, _) => Repeats::Cycle,
        (_, true) => Repeats::Once,
        _ => Repeats::Guess,
    };
    let reference = spacetime::reference_of(&clip, repeats)?;
    ensure!(
        reference.len() <= MOST_FRAMES,
        "`{}` has {} frames at 120 Hz, the limit is {MOST_FRAMES}; cut it, or take its cycle with --cycle",
        args.clip,
        reference.len()
    );
    let params = SpacetimeParams { clearance: args.clearance, ..SpacetimeParams::default() };
    let begin = Instant::now();
    let plan = {
        let shown = if args.json { Shown::Never } else { Shown::OnTerminal };
        let bar = Bar::new("optimising", shown);
        spacetime::optimise(&reference, &params, &|share| {
            bar.show((100.0 * share) as usize, 100);
            true
        })?
    };
    let spent = begin.elapsed().as_secs_f64();
    let setup = || Setup::new(&model, plan.meta());
    let mut proof = Recorder::in_memory(setup())?;
    spacetime::record(&plan, args.cycles, &mut proof)?;
    let audit = Recording::from_bytes(proof.into_bytes()?)?.audit(&Default::default());
    if let Some(path) = &args.out {
        ensure!(
            crate::import::is(path, "npz"),
            "`{}`: a plan is written as a recording, .npz",
            path.display()
        );
        let written = || format!("cannot write `{}`", path.display());
        let mut recorder = Recorder::create(path, setup()).with_context(written)?;
        spacetime::record(&plan, args.cycles, &mut recorder)?;
        recorder.finish().with_context(written)?;
    }
    let report = report(args, &plan, spent, audit.holds);
    output::print(&if args.json { output::json(&report)? } else { text(&report) })?;
    Ok(if report.solved && report.audit_holds { Verdict::Good } else { Verdict::CheckFailed })
}

fn report(args: &OptimiseArgs, plan: &Plan, spent_s: f64, audit_holds: bool) -> Report {
    let (reference, report) = (&plan.reference, &plan.report);
    let way = match reference.ends {
        Ends::Cycle(way) => way,
        Ends::Open { .. } => sinew::motion::Travel::between(
            &reference.model,
            plan.configuration(0),
            plan.configuration(plan.len() - 1),
        ),
    };
    let seconds = plan.len() as f64 / reference.rate;
    Report {
        name: reference.name.clone(),
        character: reference.model.name().to_owned(),
        frames: plan.len(),
        rate: reference.rate,
        cycles: matches!(reference.ends, Ends::Cycle(_)),
        seconds,
        speed_mps: way.shift.norm() / seconds,
        turn_deg: way.yaw.to_degrees(),
        solved: report.solved,
        rounds: report.rounds,
        steps: report.steps,
        spent_s,
        root_residual_before_n: report.root[0],
        root_residual_n: report.root[1],
        slip_mps: report.slip,
        height_mm: 1e3 * report.height,
        torque_nm: report.torque,
        effort: report.effort,
        off_root_mm: 1e3 * report.off_root,
        off_joints_deg: report.off_joints.to_degrees(),
        audit_holds,
        file: args.out.as_ref().map(|p| p.display().to_string()),
    }
}

fn text(report: &Report) -> String {
    let kind = if report.cycles { "a cycle" } else { "once" };
    let mut text = format!(
        "{} on {}: {} of {:.2} s, {} frames at {} Hz, {:.2} m/s, {:.0}° turn\n",
        report.name,
        report.character,
        kind,
        report.seconds,
        report.frames,
        report.rate,
        report.speed_mps,
        report.turn_deg
    );
    let mut rows = table(&["", "clip", "plan"]);
    let mut row = |name: &str, clip: String, plan: String| {
        rows.add_row([name.to_owned(), clip, plan]);
    };
    let [before, after] = [report.root_residual_before_n, report.root_residual_n];
    row("unexplained force on the root, N", format!("{before:.0}"), format!("{after:.1e}"));
    row("slip of standing feet, m/s", String::new(), format!("{:.1e}", report.slip_mps));
    row("height of standing soles, mm", String::new(), format!("{:.1e}", report.height_mm));
    row("greatest torque, N·m", String::new(), format!("{:.0}", report.torque_nm));
    row("greatest share of a limit", String::new(), format!("{:.2}", report.effort));
    row("root from the clip, mm", String::new(), format!("{:.1}", report.off_root_mm));
    row("joints from the clip, °", String::new(), format!("{:.2}", report.off_joints_deg));
    for column in rows.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let solved = if report.solved { "solved" } else { "NOT solved" };
    let audit = if report.audit_holds { "the audit holds" } else { "the audit FAILS" };
    let (rounds, steps, spent) = (report.rounds, report.steps, report.spent_s);
    text += &format!("\n{rows}\n\n{solved} in {rounds} rounds, {steps} steps, {spent:.1} s; {audit}\n");
    if let Some(file) = &report.file {
        text += &format!("written to {file}\n");
    }
    text
}

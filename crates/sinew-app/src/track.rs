//! `sinew track`: a character follows a clip, with any controller that follows clips.

mod faithful;

use crate::cli::TrackArgs;
use crate::inspect::table;
use crate::progress::{Bar, Shown};
use crate::{Verdict, cache, controllers, motion_source, output, source};
use anyhow::{Context, Result, bail, ensure};
use comfy_table::CellAlignment;
use faithful::{Faithful, Judge};
use serde::Serialize;
use sinew::control::{Beginning, Clips, Episode, EpisodeRecorder, Order, Prepared, Registry, System, Value};
use sinew::motion::export::recording;
use sinew::motion::gltf;
use sinew::world::metrics::Summary;
use sinew::world::recording::Recording;
use sinew::world::{Terrain, World};
use std::sync::Arc;
use std::time::Instant;

/// Default duration of a run that follows a repeated clip, s.
const USUAL_SECONDS: f64 = 20.0;

/// What `--json` prints.
#[derive(Serialize)]
struct Report {
    clip: String,
    controller: &'static str,
    character: String,
    cycles: Option<bool>,
    prepared_s: f64,
    notes: Vec<String>,
    /// Whether the character stayed up to the end.
    followed: bool,
    faithful: Option<Faithful>,
    audit_holds: bool,
    files: Vec<String>,
    summary: Summary,
}

/// The verb.
pub(crate) fn run(args: &TrackArgs) -> Result<Verdict> {
    let registry = Registry::built_in();
    let system = choose(&registry, args.controller.as_deref())?;
    let (model, mut notes) = source::load_standing(&args.character)?;
    let model = Arc::new(model);
    let clip = Arc::new(motion_source::load(&args.clip, &model, &args.options)?);
    let mut order = Order::new(system, model);
    order.clips.push(clip);
    for said in &args.set {
        let (path, text) = said.split_once('=').with_context(|| {
            format!("--set takes PARAMETER=VALUE, such as `--set gamma=0.01`, not `{said}`")
        })?;
        order.set(path, crate::simulate::parameter(system, path, text)?)?;
    }
    for (said, name) in [(args.once, "once"), (args.cycle, "cycle")] {
        if said {
            let play =
                || format!("the {} decides whether a clip is repeated; leave --{name} out", system.name);
            ensure!(system.param("play").is_some(), "{}", play());
            order.set("play", Value::Name(name.to_owned()))?;
        }
    }
    let begin = Instant::now();
    let prepared = prepare(args, &order)
        .with_context(|| format!("the {} cannot follow `{}`", system.name, args.clip))?;
    let prepared_s = begin.elapsed().as_secs_f64();
    let followed = match system.follows {
        Some(follows) => Some(follows(&order, &prepared)?),
        None => None,
    };
    let seconds = match (args.seconds, &followed) {
        (Some(seconds), _) => seconds,
        (None, Some(f)) if !f.cycles => f.clip.duration(),
        _ => USUAL_SECONDS,
    };
    ensure!(seconds > 0.0 && seconds <= 3600.0, "--seconds must be above 0 and at most 3600");
    let mut judge = followed.as_ref().map(|f| Judge::new(f, &order));
    let mut episode =
        Episode::new(World::new(Terrain::flat()), order.clone(), prepared, Beginning::default())?;
    let mut recorder = EpisodeRecorder::in_memory(&episode, EpisodeRecorder::meta(&episode))?;
    let (steps, begin) = ((seconds / episode.world().settings().dt).round() as usize, Instant::now());
    {
        let bar = Bar::new("following", if args.json { Shown::Never } else { Shown::OnTerminal });
        for step in 0..steps {
            if step % 100 == 0 {
                bar.show(step, steps);
            }
            episode.step()?;
            recorder.push(&episode)?;
            if let Some(judge) = &mut judge {
                judge.see(&episode);
            }
            if episode.metrics().fall().is_some() {
                break;
            }
        }
    }
    let mut summary = episode.metrics().summary();
    summary.realtime_factor = Some(episode.world().time() / begin.elapsed().as_secs_f64().max(1e-9));
    let bytes = recorder.into_bytes()?;
    let run = Recording::from_bytes(&bytes)?;
    let audit_holds = run.audit(&Default::default()).holds;
    let mut files = Vec::new();
    if let Some(path) = &args.out {
        ensure!(crate::import::is(path, "npz"), "`{}`: a run is written as .npz", path.display());
        output::write_whole(path, &bytes)?;
        files.push(path.display().to_string());
    }
    if let Some(path) = &args.export {
        ensure!(crate::import::is(path, "glb"), "`{}`: the animation is written as .glb", path.display());
        let moved = recording::clip(&run)?.resampled(60.0);
        gltf::save(path, &moved, &gltf::Options::default())?;
        files.push(path.display().to_string());
    }
    let faithful = judge.map(Judge::finish);
    notes.extend(followed.iter().flat_map(|f| f.notes.iter().cloned()));
    let report = Report {
        clip: args.clip.clone(),
        controller: system.name,
        character: order.model.name().to_owned(),
        cycles: followed.as_ref().map(|f| f.cycles),
        prepared_s,
        notes,
        followed: summary.fell != Some(true),
        faithful,
        audit_holds,
        files,
        summary,
    };
    output::print(&if args.json { output::json(&report)? } else { text(&report) })?;
    Ok(if report.followed && report.audit_holds { Verdict::Good } else { Verdict::CheckFailed })
}

/// A system that follows clips: the given one, or the first of the registry.
fn choose(registry: &Registry, named: Option<&str>) -> Result<&'static System> {
    let follows = |system: &&'static System| system.needs.clips != Clips::None;
    let known = || registry.iter().filter(follows).map(|s| s.name).collect::<Vec<_>>().join(", ");
    match named {
        None => {
            let exact = registry.iter().find(|s| s.needs.clips == Clips::One);
            exact.or_else(|| registry.iter().find(follows)).context("no controller follows clips")
        }
        Some(name) => {
            let system = registry.get(name).ok_or_else(|| controllers::unknown(registry, name))?;
            if !follows(&system) {
                bail!("{name} does not follow clips; controllers that do are {}", known());
            }
            Ok(system)
        }
    }
}

/// Prepares, or finds a stored preparation.
fn prepare(args: &TrackArgs, order: &Order) -> Result<Prepared> {
    let bar = Bar::new("preparing", if args.json { Shown::Never } else { Shown::OnTerminal });
    let progress = |share: f64| {
        bar.show((100.0 * share) as usize, 100);
        true
    };
    Ok(match cache::store() {
        Ok(store) => order.prepare(&store, &progress)?,
        Err(_) => order.prepare(&(), &progress)?,
    })
}

fn text(report: &Report) -> String {
    let how = match report.cycles {
        Some(true) => "repeated",
        Some(false) => "once",
        None => "",
    };
    let mut text = format!(
        "{} followed by {} with {}, {how}; prepared in {:.1} s\n",
        report.clip, report.character, report.controller, report.prepared_s
    );
    report.notes.iter().for_each(|note| text += &format!("{note}\n"));
    if let Some(f) = &report.faithful {
        let mut rows = table(&["how faithful", "mean", "worst"]);
        let mut row = |name: &str, mean: f64, worst: f64| {
            rows.add_row([name.to_owned(), format!("{mean:.1}"), format!("{worst:.1}")]);
        };
        row("joints, °", f.joints_deg, f.joints_worst_deg);
        row("path, cm", 100.0 * f.path_m, 100.0 * f.path_worst_m);
        row("heading, °", f.heading_deg, f.heading_worst_deg);
        row("landings, ms", f.landings_ms, f.landings_worst_ms);
        for column in rows.column_iter_mut().skip(1) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        text += &format!("\n{rows}\n\n");
    }
    text += &report.summary.to_string();
    text += if report.audit_holds { "\nthe audit holds\n" } else { "\nthe audit FAILS\n" };
    report.files.iter().for_each(|file| text += &format!("written to {file}\n"));
    text
}

//! `sinew import --character`: a motion on one of our bodies, with its feet on the ground.

use crate::cli::{GroundName, ImportArgs};
use crate::inspect::{short, table};
use crate::progress::{Bar, Shown};
use crate::{Verdict, import, output, source};
use anyhow::{Context, Result, bail, ensure};
use comfy_table::CellAlignment;
use serde_json::{Value, json};
use sinew::motion::cleanup::{Figures, Ground};
use sinew::motion::export::{csv, recording};
use sinew::motion::retarget::BoneMap;
use sinew::motion::{Clip, FitOptions, Fitted, Report, Take, bvh, reference};
use sinew::world::range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The verb, on a character.
pub(crate) fn run(args: &ImportArgs, character: &str, take: &Take, report: &Report) -> Result<Verdict> {
    if let Some(rate) = args.out_rate {
        range::frames(take.duration(), rate).context("--out-rate")?;
    }
    let model = Arc::new(source::load_plain(character)?.model);
    let made = make(args, take, &model)?;
    let clip = match args.out_rate {
        Some(rate) => made.clip.resampled(rate),
        None => made.clip.clone(),
    };
    let mut files = write(args, &clip)?;
    if let Some(path) = &args.retarget.save_map {
        let text = if import::is(path, "json") {
            output::json(&made.map.to_json(&take.skeleton))?
        } else {
            made.map.to_toml(&take.skeleton)
        };
        output::write_whole(output::target(path, &["toml", "json"])?, text.as_bytes())?;
        files.push(path.clone());
    }
    let files: Vec<String> = files.iter().map(|f| f.display().to_string()).collect();
    if args.json {
        output::print(&output::json(&summary(&made, &clip, take, report, &files))?)?;
    } else {
        output::print(&text(&made, &clip, take, report, &files))?;
    }
    Ok(Verdict::Good)
}

fn make(args: &ImportArgs, take: &Take, model: &Arc<sinew::dynamics::Model>) -> Result<Fitted> {
    let map = match &args.retarget.map {
        None => None,
        Some(path) => {
            let named = path.display().to_string();
            Some(BoneMap::parse(&source::text(path)?, &named, &take.skeleton)?)
        }
    };
    let ground = args.retarget.ground.map(|g| match g {
        GroundName::Flat => Ground::Flat,
        GroundName::Terrain => Ground::Terrain,
    });
    let options = FitOptions {
        map,
        ground,
        no_clean: args.retarget.no_clean,
        filter: args.retarget.smooth.unwrap_or_default(),
        hold_hands: args.retarget.hold_hands,
    };
    let fitted = {
        let bar = Bar::new("fitting", if args.json { Shown::Never } else { Shown::OnTerminal });
        reference::fit_watched(take, model, &options, &|share| bar.show((100.0 * share) as usize, 100))?
    };
    ensure!(
        fitted.found.is_some(),
        "the skeleton's feet were not recognised; name them in a map file (--map)"
    );
    Ok(fitted)
}

fn write(args: &ImportArgs, clip: &Clip) -> Result<Vec<PathBuf>> {
    let out = args.out.clone();
    let beside = PathBuf::from(format!("{}.json", out.display()));
    output::target(&out, import::WRITTEN)?;
    if !import::is(&out, "npz") {
        output::target(&beside, &["json"])?;
    }
    if import::is(&out, "npz") {
        recording::save(&out, clip).with_context(|| format!("cannot write `{}`", out.display()))?;
        return Ok(vec![out]);
    }
    if import::is(&out, "bvh") {
        let options = bvh::WriteOptions { rate: None, ..import::write_options(args) };
        bvh::save(&out, &clip.to_take()?, &options)?;
        return Ok(vec![out, beside]);
    }
    if import::is(&out, "csv") {
        output::write_whole(&out, csv::clip(clip, args.positions).as_bytes())?;
        output::write_whole(Path::new(&beside), output::json(&clip.provenance)?.as_bytes())?;
        return Ok(vec![out, beside]);
    }
    bail!("`{}`: a motion is written as .bvh, .csv or .npz", out.display())
}

fn ground_name(ground: Ground) -> &'static str {
    match ground {
        Ground::Flat => "level ground",
        Ground::Terrain => "terrain",
    }
}

fn summary(made: &Fitted, clip: &Clip, take: &Take, report: &Report, files: &[String]) -> Value {
    let bones: Vec<Value> = made
        .map
        .iter()
        .map(|(role, bone)| {
            let joint = &take.skeleton.joints()[bone.joint].name;
            json!({"part": role.to_string(), "joint": joint, "confidence": bone.confidence, "reason": bone.reason})
        })
        .collect();
    json!({
        "name": clip.name, "character": clip.model().name(), "files": files,
        "frames": clip.len(), "rate": clip.rate, "scale": made.retargeted.scale,
        "map": bones, "map_notes": made.map.notes, "ground": made.ground,
        "error_mean_deg": made.retargeted.error.mean.to_degrees(),
        "error_worst_deg": made.retargeted.error.worst.to_degrees(),
        "bridged_feet": made.retargeted.repaired,
        "before": made.before, "after": made.after, "turned_deg": made.turned.to_degrees(), "lost_contacts": made.lost,
        "hands_mm": made.hands.map(|m| 1e3 * m), "gait": made.gait, "changes": {"left": made.changes[0], "right": made.changes[1]},
        "missed_mm": 1e3 * made.missed, "missed_frame": made.missed_frame, "filter_hz": made.filter_hz,
        "plausibility": made.plausibility, "floor": floor(made), "notes": made.warnings,
        "assumed": report.assumed, "warnings": report.warnings,
    })
}

/// The captured floor: height under the origin, m, and rise per metre along x and y.
fn floor(made: &Fitted) -> Value {
    made.found.as_ref().map_or(Value::Null, |f| json!({"height_m": f.floor.height, "slope": f.floor.slope}))
}

fn text(made: &Fitted, clip: &Clip, take: &Take, report: &Report, files: &[String]) -> String {
    let mut text = format!(
        "{} on {}: {} frames at {} Hz written to {}\n",
        clip.name,
        clip.model().name(),
        clip.len(),
        clip.rate,
        files.join(", ")
    );
    report.assumed.iter().for_each(|a| text += &format!("assumed {a}\n"));
    report.warnings.iter().for_each(|w| text += &format!("warning: {}\n", w.text));
    made.warnings.iter().for_each(|w| text += &format!("warning: {w}\n"));
    made.map.notes.iter().for_each(|n| text += &format!("note: {n}\n"));
    for (role, bone) in made.map.iter().filter(|(_, bone)| bone.confidence < 0.5) {
        let joint = &take.skeleton.joints()[bone.joint].name;
        text += &format!("uncertain: {role} is \"{joint}\" ({}); --map corrects it\n", bone.reason);
    }
    if made.retargeted.repaired > 0 {
        text +=
            &format!("warning: {} frames of impossible foot orientation bridged\n", made.retargeted.repaired);
    }
    let mut rows = table(&[ground_name(made.ground), "before", "after"]);
    let mut row = |name: &str, of: &dyn Fn(&Figures) -> String| {
        rows.add_row([name.to_owned(), of(&made.before), of(&made.after)]);
    };
    row("skate per contact, mm", &|f| format!("{:.1}, worst {:.1}", f.skate_mm, f.skate_worst_mm));
    row("height of soles, mm", &|f| format!("{:.1}, worst {:.1}", f.height_mm, f.height_worst_mm));
    if made.ground == Ground::Flat {
        row("deepest sole, mm", &|f| format!("{:.1}", f.penetration_mm));
    }
    row("joint values beyond limits", &|f| f.limit_violations.to_string());
    row("contacts", &|f| f.contacts.to_string());
    if made.hands[0] > 0.0 {
        let [before, after] = made.hands.map(|m| format!("{:.1}", 1e3 * m));
        rows.add_row(["hands from their places, mm".to_owned(), before, after]);
    }
    for column in rows.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let error = &made.retargeted.error;
    text += &format!("\n{rows}\n\n");
    text += &legs(made);
    text += &format!(
        "bones point as captured within {}° (worst {}°); the clean-up turned parts by {}° on average\n",
        short(error.mean.to_degrees()),
        short(error.worst.to_degrees()),
        short(made.turned.to_degrees())
    );
    text
}

/// Changes of gait and legs, and the plausibility of the motion.
fn legs(made: &Fitted) -> String {
    let mut rows = table(&["degrees from the captured joint", "mean", "5 %", "95 %"]);
    for (side, changes) in ["left", "right"].iter().zip(&made.changes) {
        for (name, c) in [("hip", changes.hip), ("knee", changes.knee), ("ankle", changes.ankle)] {
            let numbers = [c.mean_deg, c.p5_deg, c.p95_deg].map(|x| format!("{x:+.1}"));
            rows.add_row([format!("{side} {name}")].into_iter().chain(numbers));
        }
    }
    for column in rows.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let gait = &made.gait;
    let mut text = format!("{rows}\n\n");
    let cycles = gait.down_in_cycles.map(|share| share.map_or("-".into(), |s| format!("{:.0} %", 100.0 * s)));
    text += &format!(
        "feet are down for {} and {} of whole gait cycles (left, right), land {} and {} times; {} flights\n",
        cycles[0], cycles[1], gait.landings[0], gait.landings[1], gait.flights
    );
    text += &match made.filter_hz {
        Some(hz) => format!(
            "filtered at {hz} Hz; planted soles are within {:.1} mm of their places\n",
            1e3 * made.missed
        ),
        None => {
            format!("not filtered; planted soles are within {:.1} mm of their places\n", 1e3 * made.missed)
        }
    };
    if let Some(p) = made.plausibility {
        text += &format!(
            "the motion needs vertical forces of {:.2} to {:.2} times the weight, and a centre of pressure up to {:.1} cm outside of the soles\n",
            p.force_p1,
            p.force_p99,
            100.0 * p.pressure_outside_p95_m
        );
    }
    text
}

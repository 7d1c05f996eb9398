//! `sinew import --character`: a motion on one of our bodies, with its feet on the ground.

use crate::cli::{GroundName, ImportArgs};
use crate::inspect::{short, table};
use crate::{Verdict, import, output, source};
use anyhow::{Context, Result, bail, ensure};
use comfy_table::CellAlignment;
use serde_json::{Value, json};
use sinew::motion::cleanup::{self, CleanParams, Figures, Grips, Ground};
use sinew::motion::export::{csv, recording};
use sinew::motion::retarget::{BoneMap, RetargetOptions, Retargeted, Retargeter};
use sinew::motion::{Clip, Report, Take, bvh};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What was made of a motion.
struct Made {
    clip: Clip,
    map: BoneMap,
    retargeted: Retargeted,
    ground: Ground,
    before: Figures,
    after: Figures,
    /// Degrees by which the clean-up turned parts, frames of feet at limits, and contacts lost to them.
    turned: f64,
    lost: usize,
    /// How far holding hands were from one place, before and after, mm.
    hands: [f64; 2],
}

/// The verb, on a character.
pub(crate) fn run(args: &ImportArgs, character: &str, take: &Take, report: &Report) -> Result<Verdict> {
    if let Some(rate) = args.out_rate {
        ensure!(rate > 0.0 && rate.is_finite(), "--out-rate {rate} is not a rate; give frames per second");
    }
    let model = Arc::new(source::load_plain(character)?.model);
    let made = make(args, take, model)?;
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
        output::write_whole(path, text.as_bytes())?;
        files.push(path.clone());
    }
    let files: Vec<String> = files.iter().map(|f| f.display().to_string()).collect();
    if args.json {
        output::print(&output::json(&summary(&made, &clip, take, report, &files))?)?;
    } else {
        output::print(&told(&made, &clip, take, report, &files))?;
    }
    Ok(Verdict::Good)
}

fn make(args: &ImportArgs, take: &Take, model: Arc<sinew::dynamics::Model>) -> Result<Made> {
    let map = match &args.retarget.map {
        None => BoneMap::guess(&take.skeleton),
        Some(path) => {
            let named = path.display().to_string();
            let text = std::fs::read_to_string(path).with_context(|| format!("cannot read `{named}`"))?;
            BoneMap::parse(&text, &named, &take.skeleton)?
        }
    };
    let options = RetargetOptions::default();
    let retargeted = Retargeter::new(take, &map, model, &options)?.retarget(take)?;
    let ground = args.retarget.ground.map(|g| match g {
        GroundName::Flat => Ground::Flat,
        GroundName::Terrain => Ground::Terrain,
    });
    let found = cleanup::find_contacts(take, &map, ground)
        .context("the skeleton has no two feet that are known; name them in a map file (--map)")?;
    let level = found.ground == Ground::Flat;
    if args.retarget.no_clean {
        let mut clip = retargeted.clip.clone();
        let figures = cleanup::measure(&clip, &found.contacts, level);
        clip.contacts = Some(found.contacts);
        let (before, after, ground) = (figures, figures, found.ground);
        return Ok(Made {
            clip,
            map,
            retargeted,
            ground,
            before,
            after,
            turned: 0.0,
            lost: 0,
            hands: [0.0; 2],
        });
    }
    let params = CleanParams { ground: found.ground, smooth: args.retarget.smooth, ..CleanParams::default() };
    let grips = grips(args, &retargeted.clip);
    let cleaned = cleanup::clean_holding(&retargeted.clip, &found.contacts, &grips, &params)?;
    Ok(Made {
        clip: cleaned.clip,
        map,
        retargeted,
        ground: found.ground,
        before: cleaned.before,
        after: cleaned.after,
        turned: cleaned.turned.to_degrees(),
        lost: cleaned.lost,
        hands: [1e3 * cleaned.hands_before, 1e3 * cleaned.hands_after],
    })
}

/// When hands hold on.
fn grips(args: &ImportArgs, clip: &Clip) -> Grips {
    let frame = |t: f64| ((t * clip.rate).round() as usize).min(clip.len());
    match args.retarget.hold_hands {
        Some([from, to]) => Grips::both(clip.len(), frame(from)..frame(to).saturating_add(1).min(clip.len())),
        None => Grips::none(clip.len()),
    }
}

fn write(args: &ImportArgs, clip: &Clip) -> Result<Vec<PathBuf>> {
    let out = args.out.clone();
    let beside = PathBuf::from(format!("{}.json", out.display()));
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

fn summary(made: &Made, clip: &Clip, take: &Take, report: &Report, files: &[String]) -> Value {
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
        "before": made.before, "after": made.after, "turned_deg": made.turned, "lost_contacts": made.lost, "hands_mm": made.hands,
        "assumed": report.assumed, "warnings": report.warnings,
    })
}

fn told(made: &Made, clip: &Clip, take: &Take, report: &Report, files: &[String]) -> String {
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
    made.map.notes.iter().for_each(|n| text += &format!("note: {n}\n"));
    for (role, bone) in made.map.iter().filter(|(_, bone)| bone.confidence < 0.5) {
        let joint = &take.skeleton.joints()[bone.joint].name;
        text += &format!("unsure: {role} is \"{joint}\" ({}); --map corrects it\n", bone.reason);
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
        let [before, after] = made.hands.map(|mm| format!("{mm:.1}"));
        rows.add_row(["hands from their place, mm".to_owned(), before, after]);
    }
    for column in rows.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let error = &made.retargeted.error;
    text += &format!("\n{rows}\n\n");
    text += &format!(
        "bones point as captured within {}° (worst {}°); the clean-up turned parts by {}° on average\n",
        short(error.mean.to_degrees()),
        short(error.worst.to_degrees()),
        short(made.turned)
    );
    text
}

//! A controller of one's own: this body stands, sways and draws a circle with its left hand. It is a list of features and priorities, given
//! to the whole-body optimisation. `cargo run --release --example own_controller` writes `own_controller.npz` for `sinew sheet`.

use sinew_control::whole_body::{Axes, Foothold, Goal, Objective, PoseGain, Sole, Task, WholeBody};
use sinew_control::{
    Command, ControlError, ControlStatus, Controller, Episode, EpisodeRecorder, Group, Needs, Observation,
    Out, Parameters, Start, System, parameters,
};
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{BodyId, Model, Role, Side, characters};
use std::sync::Arc;

parameters! {
    /// How it draws. What is declared here are sliders in the studio and keys of scenario files.
    pub struct Drawing {
        /// Radius of the circle.
        radius: number(0.15, [0.0, 0.3]).unit("m").main();
        /// How fast the hand goes round.
        speed: number(3.0, [0.0, 8.0]).unit("rad/s").main();
    }
}

/// What others must know of it. `Registry::built_in().with(&DRAWER)` makes it one that scenarios and the studio can choose.
pub static DRAWER: System = System {
    groups: &[Group { name: "drawing", about: "How it draws", params: Drawing::PARAMS }],
    needs: Needs { feet: true, ..Needs::NOTHING },
    ..System::new("drawer", "Stands, sways and draws a circle with its left hand", |order, _| {
        Ok(Box::new(Drawer::new(&order.model)?))
    })
};

#[derive(Clone, Debug)]
struct Drawer {
    drawing: Drawing,
    body: WholeBody,
    rest: Vec<f64>,
    hand: BodyId,
    soles: [Sole; 2],
    /// Where the centre of mass is at rest, m; and what is always asked for.
    stand: Vec3,
    fixed: Vec<Objective>,
    holds: Vec<Foothold>,
}

impl Drawer {
    fn new(model: &Arc<Model>) -> Result<Drawer, ControlError> {
        let (model_name, remedy) =
            (model.name().to_owned(), "choose a body with arms, such as `human`".to_owned());
        let lacks = |what: &str| ControlError::Body {
            model: model_name.clone(),
            what: what.to_owned(),
            remedy: remedy.clone(),
        };
        let key =
            model.spec().keyframes.iter().find(|k| k.name == "ready").ok_or_else(|| lacks("pose `ready`"))?;
        let hand = model.role(Role::LowerArm(Side::Left)).ok_or_else(|| lacks("left forearm"))?;
        let soles = [Sole::of(model, Side::Left)?, Sole::of(model, Side::Right)?];
        let hold = |body, point| Foothold { body, point, normal: Vec3::z(), friction: 0.7, cost: 1.0 };
        let holds = soles.iter().flat_map(|sole| sole.corners.map(|point| hold(sole.body, point))).collect();
        let (drawing, body, rest) = (Drawing::default(), WholeBody::new(model.clone()), key.q.clone());
        Ok(Drawer { drawing, body, rest, hand, soles, stand: Vec3::zeros(), fixed: Vec::new(), holds })
    }
}

impl Controller for Drawer {
    fn start(&self) -> Start {
        Start::standing(self.body.kinetics.model(), &self.rest)
    }

    /// What stays the same: planted feet first, the trunk and a relaxed pose last.
    fn reset(&mut self, seen: &Observation<'_>) -> Result<(), ControlError> {
        let k = &mut self.body.kinetics;
        k.update(seen.q, seen.v);
        self.stand = k.com();
        self.fixed.clear();
        for (body, point) in self.soles.iter().flat_map(|s| s.corners.map(|c| (s.body, c))) {
            let goal = Goal::hold(k.point(body, &point).0, 400.0);
            let corner = Task::Point { body, point, goal, axes: Axes::all(), from_com: false };
            self.fixed.push(Objective::new(1, 1.0, corner));
        }
        let gains =
            (0..seen.v.len()).map(|dof| PoseGain::new(40.0, if dof < 6 { 0.0 } else { 1.0 })).collect();
        self.fixed.push(Objective::new(3, 0.3, Task::Pose { target: self.rest.clone().into(), gains }));
        self.fixed.push(Objective::new(3, 1.0, Task::AngularMomentum { target: Vec3::zeros(), gain: 5.0 }));
        Ok(())
    }

    /// What moves: the centre of mass as second, the hand beside trunk and pose.
    fn act(&mut self, seen: &Observation<'_>, _: &Command, out: &mut Out<'_>) -> ControlStatus {
        let (s, c) = libm::sincos(self.drawing.speed * seen.time);
        let (r, axes) = (self.drawing.radius, Axes::all());
        self.body.kinetics.update(seen.q, seen.v);
        let sway = Goal::hold(self.stand + Vec3::new(0.0, 0.03 * s, -0.05 + 0.05 * c), 40.0);
        let circle = Goal::hold(self.stand + Vec3::new(0.35, 0.25 + r * c, 0.35 + r * s), 100.0);
        let (body, point) = (self.hand, Vec3::new(0.0, 0.0, -0.34));
        let mut objectives = self.fixed.clone();
        objectives.push(Objective::new(2, 1.0, Task::Com { goal: sway, axes }));
        let reach = Task::Point { body, point, goal: circle, axes, from_com: false };
        objectives.push(Objective::new(3, 10.0, reach));
        let status = self.body.solve(&objectives, &self.holds);
        out.torque().copy_from_slice(self.body.torque());
        status
    }

    fn parameters(&mut self, group: &str) -> Option<&mut dyn Parameters> {
        (group == "drawing").then_some(&mut self.drawing)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut episode = Episode::on_flat_ground(&DRAWER, characters::load("human")?)?;
    let mut recorder =
        EpisodeRecorder::create("own_controller.npz", &episode, EpisodeRecorder::meta(&episode))?;
    while episode.world().time() < 6.0 {
        episode.step()?;
        recorder.push(&episode)?;
    }
    recorder.finish()?;
    println!("stands {:.2} m high after 6 s; see own_controller.npz", episode.q()[2]);
    Ok(())
}

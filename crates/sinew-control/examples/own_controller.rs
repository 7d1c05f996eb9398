//! A controller of one's own: this body stands, sways and draws a circle with its left hand. It is a list of features and priorities, given
//! to the whole-body optimisation. `cargo run --release --example own_controller` runs it for six seconds.

use sinew_control::whole_body::{Axes, Foothold, Goal, Objective, PoseGain, Sole, Task, WholeBody};
use sinew_control::*;
use sinew_dynamics::{BodyId, Model, Role, Side, characters, spatial::Vec3};
use std::sync::Arc;

parameters! {
    /// Parameters: sliders in the studio and keys in scenario files.
    pub struct Drawing {
        /// Radius of the circle.
        radius: number(0.15, [0.0, 0.3]).unit("m").main();
        /// Rate at which the hand circles.
        speed: number(3.0, [0.0, 8.0]).unit("rad/s").main();
    }
}

/// The declaration. `Registry::built_in().with(&DRAWER)` makes it available to scenarios and the studio.
pub static DRAWER: System = System {
    groups: &[Group { name: "drawing", about: "How it draws", params: Drawing::PARAMS }],
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
    /// Centre of mass at rest, m; constant objectives; footholds.
    stand: Vec3,
    fixed: Vec<Objective>,
    holds: Vec<Foothold>,
}

impl Drawer {
    fn new(model: &Arc<Model>) -> Result<Drawer, ControlError> {
        let (name, remedy) = (model.name().to_owned(), "choose a body such as `human`".to_owned());
        let lacks = |what: &str| ControlError::Body { model: name, what: what.into(), remedy };
        let key = model.spec().keyframes.iter().find(|k| k.name == "ready");
        let arm = model.role(Role::LowerArm(Side::Left));
        let (Some(key), Some(hand)) = (key, arm) else { return Err(lacks("left forearm or pose `ready`")) };
        let hold = |body, point| Foothold { body, point, normal: Vec3::z(), friction: 0.7, cost: 1.0 };
        let of = |side| Sole::of(model, side).map(|sole| sole.corners.map(|point| hold(sole.body, point)));
        let holds = [of(Side::Left)?, of(Side::Right)?].concat();
        let (drawing, body, rest) = (Drawing::default(), WholeBody::new(model.clone()), key.q.clone());
        Ok(Drawer { drawing, body, rest, hand, stand: Vec3::zeros(), fixed: Vec::new(), holds })
    }
}

impl Controller for Drawer {
    fn start(&self) -> Start {
        Start::standing(self.body.kinetics.model(), &self.rest)
    }

    /// Constant objectives: planted feet have the highest priority, the trunk and a relaxed pose the lowest.
    fn reset(&mut self, seen: &Observation<'_>) -> Result<(), ControlError> {
        let (k, axes, from_com) = (&mut self.body.kinetics, Axes::all(), false);
        k.update(seen.q, seen.v);
        self.stand = k.com();
        let plant = |h: &Foothold| {
            let (body, point, goal) = (h.body, h.point, Goal::hold(k.point(h.body, &h.point).0, 400.0));
            Objective::new(1, 1.0, Task::Point { body, point, goal, axes, from_com })
        };
        self.fixed = self.holds.iter().map(plant).collect();
        let gains = (0..seen.v.len()).map(|dof| PoseGain::new(40.0, if dof < 6 { 0.0 } else { 1.0 }));
        let pose = Task::Pose { target: self.rest.clone().into(), gains: gains.collect() };
        self.fixed.push(Objective::new(3, 0.3, pose));
        Ok(())
    }

    /// Moving objectives: the centre of mass has the second priority, the hand the same as trunk and pose.
    fn act(&mut self, seen: &Observation<'_>, _: &Command, out: &mut Out<'_>) -> ControlStatus {
        let (s, c) = libm::sincos(self.drawing.speed * seen.time);
        let (r, axes, body) = (self.drawing.radius, Axes::all(), self.hand);
        self.body.kinetics.update(seen.q, seen.v);
        let sway = Goal::hold(self.stand + Vec3::new(0.0, 0.03 * s, -0.05 + 0.05 * c), 40.0);
        let goal = Goal::hold(self.stand + Vec3::new(0.35, 0.25 + r * c, 0.35 + r * s), 100.0);
        let reach = Task::Point { body, point: Vec3::new(0.0, 0.0, -0.34), goal, axes, from_com: false };
        let moving = [Objective::new(2, 1.0, Task::Com { goal: sway, axes }), Objective::new(3, 10.0, reach)];
        let status = self.body.solve(&[self.fixed.as_slice(), &moving].concat(), &self.holds);
        out.torque().copy_from_slice(self.body.torque());
        status
    }

    fn parameters(&mut self, group: &str) -> Option<&mut dyn Parameters> {
        (group == "drawing").then_some(&mut self.drawing)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut episode = Episode::on_flat_ground(&DRAWER, characters::load("human")?)?;
    episode.run(6.0)?;
    println!("stands {:.2} m high after 6 s", episode.q()[2]);
    Ok(())
}

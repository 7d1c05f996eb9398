//! scratch
use sinew_dynamics::characters;
use sinew_motion::motions;
fn main() {
    let model = std::sync::Arc::new(characters::load("human").unwrap());
    let name = std::env::args().nth(1).unwrap();
    let every: usize = std::env::args().nth(2).map_or(6, |x| x.parse().unwrap());
    let clip = motions::load(&name, &model).unwrap();
    let at = |n: &str| model.joints()[model.joint(n).unwrap().0].q;
    let c = clip.contacts.as_ref().unwrap();
    for (i, q) in clip.frames().enumerate().step_by(every) {
        let h = at("hip_l");
        let pitch = -2.0 * q[h + 2].atan2(q[h]).to_degrees();
        println!(
            "{:.3} x {:.3} y {:.3} z {:.3} hip {:6.1} knee {:6.1} ankle {:6.1} roll {:6.1}  {}{} {}{}",
            i as f64 / clip.rate,
            q[0],
            q[1],
            q[2],
            pitch,
            q[at("knee_l")].to_degrees(),
            q[at("ankle_pitch_l")].to_degrees(),
            q[at("ankle_roll_l")].to_degrees(),
            u8::from(c.heel[0][i]),
            u8::from(c.toe[0][i]),
            u8::from(c.heel[1][i]),
            u8::from(c.toe[1][i])
        );
    }
}

//! glTF files read back with an independent reader: frames of all bodies, the skin, times, provenance.

use crate::common::{clip_of, human, wave};
use gltf::animation::util::ReadOutputs;
use nalgebra::{Isometry3, Quaternion, Translation3, UnitQuaternion};
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{BodyId, Data, Model, characters, forward_kinematics};
use sinew_motion::gltf::{Options, bytes, character};
use sinew_motion::{Clip, Provenance, motions};
use std::sync::Arc;

fn coarse() -> Options {
    Options { fineness: 50, ..Options::default() }
}

/// A file, as the reader sees it.
struct File {
    document: gltf::Document,
    data: Vec<u8>,
}

impl File {
    fn read(bytes: &[u8]) -> File {
        let gltf::Gltf { document, blob } = gltf::Gltf::from_slice(bytes).expect("a valid file");
        File { document, data: blob.unwrap_or_default() }
    }

    fn node(&self, name: &str) -> gltf::Node<'_> {
        self.document.nodes().find(|n| n.name() == Some(name)).expect("a node of that name")
    }

    fn times(&self) -> Vec<f32> {
        let animation = self.document.animations().next().expect("an animation");
        let channel = animation.channels().next().expect("a channel");
        let reader = channel.reader(|_| Some(&self.data));
        reader.read_inputs().expect("times").collect()
    }

    /// Frames of all nodes in the world, in our axes, at a frame of the animation.
    fn placed(&self, frame: usize) -> Vec<Isometry3<f64>> {
        let mut local: Vec<Isometry3<f64>> = self
            .document
            .nodes()
            .map(|n| {
                let (t, r, s) = n.transform().decomposed();
                assert_eq!(s, [1.0; 3]);
                Isometry3::from_parts(place(t), turn(r))
            })
            .collect();
        for channel in self.document.animations().flat_map(|a| a.channels()) {
            let node = channel.target().node().index();
            match channel.reader(|_| Some(&self.data)).read_outputs() {
                Some(ReadOutputs::Translations(mut all)) => {
                    local[node].translation = place(all.nth(frame).unwrap())
                }
                Some(ReadOutputs::Rotations(all)) => {
                    local[node].rotation = turn(all.into_f32().nth(frame).unwrap())
                }
                _ => panic!("scales and morphs are not used"),
            }
        }
        let mut world = vec![Isometry3::identity(); local.len()];
        let scene = self.document.default_scene().expect("a scene");
        let mut waiting: Vec<_> = scene.nodes().map(|n| (n, Isometry3::identity())).collect();
        while let Some((node, above)) = waiting.pop() {
            let here = above * local[node.index()];
            world[node.index()] = here;
            waiting.extend(node.children().map(|child| (child, here)));
        }
        world
    }
}

/// Left, up, forward to forward, left, up.
fn place([x, y, z]: [f32; 3]) -> Translation3<f64> {
    Translation3::new(f64::from(z), f64::from(x), f64::from(y))
}

fn turn([x, y, z, w]: [f32; 4]) -> UnitQuaternion<f64> {
    let [x, y, z, w] = [x, y, z, w].map(f64::from);
    UnitQuaternion::from_quaternion(Quaternion::new(w, z, x, y))
}

/// Every joint where forward kinematics has it, in every frame.
fn agrees(clip: &Clip) {
    let model = clip.model();
    let file = File::read(&bytes(clip, &coarse()).unwrap());
    let mut data = Data::new(model);
    for (k, q) in clip.frames().enumerate() {
        forward_kinematics(model, &mut data, q);
        let placed = file.placed(k);
        for (i, body) in model.bodies().iter().enumerate() {
            let node = &placed[file.node(&body.name).index()];
            let wanted = data.body_placement(model, BodyId(i));
            let anchor = body.joints.first().map_or(Vec3::zeros(), |j| j.anchor);
            let off = (node.translation.vector - wanted.act(&anchor)).norm();
            assert!(off < 1e-6, "{} of {} in frame {k}: {off:e} m", body.name, model.name());
            let turned = (node.rotation.to_rotation_matrix().matrix() - wanted.rot).norm();
            assert!(turned < 2e-6, "{} of {} in frame {k}: {turned:e}", body.name, model.name());
        }
    }
}

#[test]
fn joints_are_where_kinematics_has_them() {
    agrees(&motions::load("walk", &human()).unwrap());
    for name in characters::names() {
        let model = Arc::new(characters::load(name).unwrap());
        agrees(&clip_of(&model, 30.0, 5, |t| wave(&model, t)));
    }
}

/// Joints off the body's origin, slides inside the tree, several roots.
#[test]
fn odd_models_are_written_too() {
    let text = r#"<mujoco model="odd"><worldbody>
        <body name="a" pos="0 0 1"><freejoint/><geom type="box" size=".1 .2 .3" mass="1"/>
          <body name="b" pos="0 .3 0" euler="0 90 0"><joint type="hinge" axis="1 0 0" pos=".1 .2 0"/>
            <geom type="cylinder" size=".1 .2" mass="1"/>
            <body name="c"><joint type="slide" axis="0 0 1"/><geom type="capsule" size=".05 .2" mass="1"/></body></body>
        </body>
        <body name="d" pos="1 0 1"><joint type="ball"/><geom type="sphere" size=".1" mass="1" rgba="1 0 0 .5"/></body>
      </worldbody></mujoco>"#;
    let (model, _) = Model::from_mjcf(text).unwrap();
    let model = Arc::new(model);
    agrees(&clip_of(&model, 60.0, 7, |t| wave(&model, t)));
}

#[test]
fn times_are_those_of_the_clip() {
    let model = human();
    for rate in [30.0, 29.97, 120.0, 1000.0] {
        let clip = clip_of(&model, rate, 40, |t| wave(&model, t));
        let times = File::read(&bytes(&clip, &coarse()).unwrap()).times();
        assert_eq!(times.len(), 40);
        assert!(times.iter().enumerate().all(|(k, t)| *t == (k as f64 / rate) as f32));
    }
}

/// A whole turn about z: neighbouring quaternions never change sides.
#[test]
fn quaternions_keep_their_sign() {
    let model = human();
    let spin = |t: f64| {
        let mut q = model.neutral();
        let (sin, cos) = (0.5 * t).sin_cos();
        q[3..7].copy_from_slice(&[cos, 0.0, 0.0, sin]);
        q
    };
    let clip = clip_of(&model, 10.0, 130, spin);
    let file = File::read(&bytes(&clip, &coarse()).unwrap());
    let mut turned = false;
    for channel in file.document.animations().flat_map(|a| a.channels()) {
        if let Some(ReadOutputs::Rotations(all)) = channel.reader(|_| Some(&file.data)).read_outputs() {
            let all: Vec<[f32; 4]> = all.into_f32().collect();
            let dot = |a: &[f32; 4], b: &[f32; 4]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f32>();
            assert!(all.windows(2).all(|w| dot(&w[0], &w[1]) > 0.9));
            turned |= all.iter().any(|q| dot(q, &all[0]) < -0.9);
        }
    }
    assert!(turned, "the root went round once");
}

/// In the reference placement the skin is where it grew: inverse bind matrices undo the nodes.
#[test]
fn the_skin_follows_the_bodies() {
    let model = human();
    let clip = clip_of(&model, 30.0, 2, |t| wave(&model, 1.0 + t));
    let file = File::read(&bytes(&clip, &coarse()).unwrap());
    let skin = file.document.skins().next().expect("a skin");
    let joints: Vec<_> = skin.joints().collect();
    assert_eq!(joints.len(), model.bodies().len());
    assert!(joints.iter().zip(model.bodies()).all(|(j, b)| j.name() == Some(&b.name)));

    // in frame 1 every vertex that follows one body alone is carried rigidly by it
    let (rest, placed) = (model.spec().reference_placements(), file.placed(1));
    let inverses: Vec<[[f32; 4]; 4]> =
        skin.reader(|_| Some(&file.data)).read_inverse_bind_matrices().expect("matrices").collect();
    let mut data = Data::new(&model);
    forward_kinematics(&model, &mut data, clip.frame(1));
    let (mut rigid, mut blended) = (0, 0);
    let mesh = file.document.meshes().next().expect("a mesh");
    for primitive in mesh.primitives() {
        let reader = primitive.reader(|_| Some(&file.data));
        let joints = reader.read_joints(0).expect("joints").into_u16();
        let weights = reader.read_weights(0).expect("weights").into_f32();
        let normals = reader.read_normals().expect("normals");
        let vertices = reader.read_positions().expect("positions").zip(normals).zip(joints.zip(weights));
        for ((position, normal), (joint, weight)) in vertices {
            assert!((weight.iter().sum::<f32>() - 1.0).abs() < 1e-6);
            assert!((place(normal).vector.norm() - 1.0).abs() < 1e-6);
            if weight[0] < 0.9999 {
                blended += 1;
                continue;
            }
            rigid += 1;
            let body = usize::from(joint[0]);
            // column-major, in glTF's axes
            let m = inverses[body].map(|column| column.map(f64::from));
            let p = position.map(f64::from);
            let local: [f64; 3] =
                core::array::from_fn(|r| m[0][r] * p[0] + m[1][r] * p[1] + m[2][r] * p[2] + m[3][r]);
            let local = place(local.map(|x| x as f32)).vector;
            let own = rest[body].inverse().act(&place(position).vector);
            assert!((local - own).norm() < 1e-6);
            let there = data.body_placement(&model, BodyId(body)).act(&own);
            assert!(
                (placed[body] * nalgebra::Point3::from(local) - nalgebra::Point3::from(there)).norm() < 2e-6
            );
        }
    }
    assert!(rigid > 1000 && blended > 300, "{rigid} {blended}");
}

#[test]
fn the_same_motion_gives_the_same_bytes_and_says_what_it_is() {
    let model = human();
    let mut clip = clip_of(&model, 30.0, 3, |t| wave(&model, t));
    clip.provenance = Provenance {
        source: "walk.bvh".into(),
        sha256: "00ff".into(),
        steps: vec!["cut".into()],
        ..Default::default()
    };
    let mut options = coarse();
    options.about.insert("seed".into(), 7.into());
    let first = bytes(&clip, &options).unwrap();
    assert_eq!(first, bytes(&clip, &options).unwrap());
    let file = File::read(&first);
    let extras = file.document.as_json().asset.extras.as_ref().expect("extras").get();
    let said: serde_json::Value = serde_json::from_str(extras).unwrap();
    let said = &said["sinew"];
    assert_eq!(
        (said["rate"].as_f64(), said["frames"].as_u64(), said["seed"].as_u64()),
        (Some(30.0), Some(3), Some(7))
    );
    assert_eq!(said["provenance"]["sha256"], "00ff");
    assert_eq!(said["character"], "human");

    let still = File::read(&character(&model, &coarse()).unwrap());
    assert_eq!(still.document.animations().count(), 0);
}

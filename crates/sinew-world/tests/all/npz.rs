//! Files of arrays: what is written is read, nothing half-written stays, and hostile bytes are refused without harm.

use rand::{RngExt, SeedableRng};
use sinew_world::npz::{Dtype, NpzError, Reader, Writer};
use std::io::Cursor;
use std::path::PathBuf;

fn scratch(test: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
    // what an earlier run left
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}

fn files(folder: &std::path::Path) -> Vec<String> {
    let names = std::fs::read_dir(folder).expect("readable").map(|f| f.expect("a file").file_name());
    names.map(|n| n.into_string().expect("UTF-8")).collect()
}

/// One array of every kind.
fn sample() -> Vec<u8> {
    let mut w = Writer::in_memory();
    w.array("f64", &[2, 3], &[0.1, -0.0, f64::MAX, f64::MIN_POSITIVE, f64::INFINITY, 1e-320]).expect("added");
    w.array("f32", &[3], &[0.1_f32, f32::MIN, f32::NEG_INFINITY]).expect("added");
    w.array("i64", &[], &[i64::MIN]).expect("added");
    w.array("i32", &[1, 2], &[i32::MIN, 7]).expect("added");
    w.array("u8", &[4], &[0_u8, 1, 254, 255]).expect("added");
    w.array::<f64>("empty", &[0, 3], &[]).expect("added");
    w.texts("texts", &["", "Grüße", "脚 foot 🦶"]).expect("added");
    w.texts::<&str>("no texts", &[]).expect("added");
    w.text("text", "line\nline\t<&>\"\u{0}x").expect("added");
    w.into_bytes().expect("written")
}

#[test]
fn every_kind_comes_back_bit_for_bit() {
    let mut r = Reader::new(Cursor::new(sample())).expect("an archive");
    let a = r.read::<f64>("f64").expect("f64");
    assert_eq!(a.shape, [2, 3]);
    let bits: Vec<u64> = a.data.iter().map(|x| x.to_bits()).collect();
    let want = [0.1, -0.0, f64::MAX, f64::MIN_POSITIVE, f64::INFINITY, 1e-320].map(f64::to_bits);
    assert_eq!(bits, want);
    assert_eq!(r.read::<f32>("f32").expect("f32").data, [0.1, f32::MIN, f32::NEG_INFINITY]);
    let scalar = r.read::<i64>("i64").expect("i64");
    assert_eq!((scalar.shape, scalar.data), (vec![], vec![i64::MIN]));
    assert_eq!(r.read::<i32>("i32").expect("i32").data, [i32::MIN, 7]);
    assert_eq!(r.read::<u8>("u8").expect("u8").data, [0, 1, 254, 255]);
    assert_eq!(r.read::<f64>("empty").expect("empty").shape, [0, 3]);
    assert_eq!(r.texts("texts").expect("texts"), ["", "Grüße", "脚 foot 🦶"]);
    assert!(r.texts("no texts").expect("none").is_empty());
    assert_eq!(r.text("text").expect("text"), "line\nline\t<&>\"\u{0}x");
    assert_eq!(r.shape("f64"), Some((Dtype::F64, &[2, 3][..])));
}

#[test]
fn the_bytes_depend_on_the_content_alone() {
    assert_eq!(sample(), sample());
}

#[test]
fn wrong_kinds_and_names_are_refused() {
    let mut r = Reader::new(Cursor::new(sample())).expect("an archive");
    let said = |e: NpzError| e.to_string();
    assert_eq!(r.read::<f64>("q").map_err(said).unwrap_err(), "array `q`: is missing");
    assert_eq!(r.read::<f64>("f32").map_err(said).unwrap_err(), "array `f32`: holds <f4 and should hold <f8");
    assert!(r.text("texts").is_err());
    assert!(r.texts("f64").is_err());
    let mut w = Writer::in_memory();
    w.text("a", "x").expect("added");
    assert!(w.text("a", "y").is_err(), "two of one name");
    assert!(w.text("b", "ends\0").is_err(), "numpy would drop the NUL");
}

/// More than the memory of a column: the rows go through temporary files and come back.
#[test]
fn a_long_run_uses_temporary_files() {
    let folder = scratch("npz_long");
    let path = folder.join("run.npz");
    let rows = 40_000;
    let mut w = Writer::create(&path).expect("writable");
    let a = w.column::<f64>("a", &[3]).expect("a column");
    let b = w.column::<i32>("b", &[]).expect("a column");
    for k in 0..rows {
        w.push(a, &[k as f64, 0.5, -(k as f64)]).expect("pushed");
        w.push(b, &[k]).expect("pushed");
    }
    let waiting = files(&folder);
    // where files without names live, not even a kill leaves any behind
    let hidden = waiting.iter().all(|f| f.starts_with(".sinew") && f.ends_with(".tmp"));
    assert!(if cfg!(unix) { waiting.is_empty() } else { waiting.len() == 2 && hidden }, "{waiting:?}");
    w.finish().expect("written");
    assert_eq!(files(&folder), ["run.npz"]);

    let mut r = Reader::open(&path).expect("an archive");
    assert_eq!(r.shape("a"), Some((Dtype::F64, &[rows as usize, 3][..])));
    let (mut a, mut b) = (r.cursor::<f64>("a").expect("a"), r.cursor::<i32>("b").expect("b"));
    for k in 0..rows {
        assert_eq!(a.next_row(&mut r).expect("a row"), [k as f64, 0.5, -(k as f64)]);
        assert_eq!(b.next_row(&mut r).expect("a row"), [k]);
    }
    assert!(a.next_row(&mut r).is_err(), "there is no further row");
}

#[test]
fn a_dropped_or_failed_writer_leaves_nothing_and_keeps_what_was_there() {
    let folder = scratch("npz_dropped");
    let path = folder.join("run.npz");
    std::fs::write(&path, "precious").expect("written");
    let mut w = Writer::create(&path).expect("writable");
    let a = w.column::<f64>("a", &[1000]).expect("a column");
    for _ in 0..20 {
        w.push(a, &[1.0; 1000]).expect("pushed");
    }
    assert_eq!(files(&folder).len(), if cfg!(unix) { 1 } else { 2 });
    drop(w);
    assert_eq!(files(&folder), ["run.npz"]);
    assert_eq!(std::fs::read_to_string(&path).expect("still there"), "precious");

    // the target cannot be replaced: a folder stands in its place, from the beginning or in the end
    let target = folder.join("taken");
    std::fs::create_dir_all(&target).expect("a folder");
    assert!(Writer::create(&target).is_err(), "told at once");
    std::fs::remove_dir(&target).expect("an empty folder");
    let w = Writer::create(&target).expect("writable");
    std::fs::create_dir_all(target.join("inside")).expect("a folder");
    assert!(w.finish().is_err());
    assert_eq!(files(&folder).len(), 2);
    assert!(Writer::create(folder.join("no/such/run.npz")).is_err(), "told at once");
}

#[test]
fn two_writers_of_one_target_do_not_interfere() {
    let folder = scratch("npz_two");
    let path = folder.join("run.npz");
    let mut writers = [1.0, 2.0].map(|x| {
        let mut w = Writer::create(&path).expect("writable");
        w.array("x", &[], &[x]).expect("added");
        Some(w)
    });
    for (k, x) in [(1, 2.0), (0, 1.0)] {
        writers[k].take().expect("a writer").finish().expect("written");
        assert_eq!(Reader::open(&path).expect("an archive").read::<f64>("x").expect("x").data, [x]);
    }
    assert_eq!(files(&folder), ["run.npz"]);
}

#[test]
fn a_changed_byte_is_noticed() {
    let bytes = sample();
    let at = bytes.windows(8).position(|w| w == f64::MAX.to_le_bytes()).expect("the number is there");
    let mut broken = bytes.clone();
    broken[at] ^= 1;
    let mut r = Reader::new(Cursor::new(&broken)).expect("an archive");
    assert!(r.read::<f64>("f64").is_err_and(|e| e.to_string().contains("checksum")));
    let mut cursor = r.cursor::<f64>("f64").expect("a column");
    assert!(cursor.next_row(&mut r).is_err_and(|e| e.to_string().contains("checksum")));
    assert_eq!(r.read::<u8>("u8").expect("untouched").data.len(), 4);
}

/// Every cut and thousands of random changes: an error or an answer, never a panic or a large allocation.
#[test]
fn hostile_bytes_are_survived() {
    let read_all = |bytes: &[u8]| {
        let Ok(mut r) = Reader::new(Cursor::new(bytes)) else { return };
        let names: Vec<String> = r.names().map(str::to_owned).collect();
        for name in &names {
            let numbers = r.read::<f64>(name).map_or(0, |a| a.data.len());
            let letters = r.texts(name).map_or(0, |t| t.iter().map(String::len).sum());
            assert!(numbers + letters <= bytes.len());
            if let Ok(mut cursor) = r.cursor::<f64>(name) {
                while cursor.next_row(&mut r).is_ok_and(|row| !row.is_empty()) {}
            }
        }
    };
    let bytes = sample();
    (0..bytes.len()).for_each(|cut| read_all(&bytes[..cut]));
    let mut rng = rand_pcg::Pcg64::seed_from_u64(7);
    for _ in 0..20_000 {
        let mut broken = bytes.clone();
        for _ in 0..rng.random_range(1..6) {
            let at = rng.random_range(0..broken.len());
            broken[at] = if rng.random_range(0..2) == 0 { 0xFF } else { rng.random() };
        }
        read_all(&broken);
    }
}

#[test]
fn rows_of_any_width_that_are_not_there_cost_nothing() {
    let mut w = Writer::in_memory();
    w.array::<f64>("wide", &[0, usize::MAX, 2], &[]).expect("added");
    let mut r = Reader::new(Cursor::new(w.into_bytes().expect("written"))).expect("an archive");
    assert!(r.read::<f64>("wide").expect("empty").data.is_empty());
    let mut cursor = r.cursor::<f64>("wide").expect("a column");
    assert!(cursor.next_row(&mut r).is_err());
}

#[test]
fn unsupported_arrays_are_refused_by_name() {
    let bytes = sample();
    // the method in the directory says deflate
    let at = bytes.windows(4).rposition(|w| w == [0x50, 0x4b, 1, 2]).expect("a directory");
    let mut packed = bytes.clone();
    packed[at + 10] = 8;
    let said = Reader::new(Cursor::new(packed)).expect_err("refused").to_string();
    assert!(said.contains("savez_compressed"), "{said}");
    let said = Reader::new(Cursor::new(b"PNG?".to_vec())).expect_err("refused").to_string();
    assert!(said.starts_with("not an .npz file"), "{said}");
    assert!(Reader::open("/dev/null").is_err());
}

use sinew_lab::{Scenario, run};
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let text = std::fs::read_to_string(&a[1]).unwrap();
    let s = Scenario::parse(&text, &a[1]).unwrap_or_else(|e| panic!("{e}"));
    let o = run(&s, s.built_in().unwrap(), Some(a[2].as_ref())).unwrap_or_else(|e| panic!("{e}"));
    println!("{} fell {:?} rt {:?}", a[1], o.summary.fell, o.summary.realtime_factor);
}

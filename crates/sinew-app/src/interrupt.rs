//! When the user or the system ends the program: Ctrl-C, a request to terminate, a terminal that closes.
//!
//! What is half-written is removed and outputs that were there stay. A run that is being recorded ends with the step it is at, and
//! its recording is finished; a second signal ends it at once. Signals that the program was started to ignore (`nohup`, jobs in the
//! background of a script) are left alone.

use std::sync::atomic::{AtomicBool, Ordering};

/// Somebody asked for the end.
static ASKED: AtomicBool = AtomicBool::new(false);
/// A run is on that can end by itself.
static PATIENT: AtomicBool = AtomicBool::new(false);

/// Until it is dropped the first signal only asks: [`asked`] tells.
pub(crate) struct Patience;

impl Patience {
    pub(crate) fn new() -> Patience {
        PATIENT.store(true, Ordering::SeqCst);
        Patience
    }
}

impl Drop for Patience {
    fn drop(&mut self) {
        PATIENT.store(false, Ordering::SeqCst);
    }
}

/// Whether the end was asked for.
pub(crate) fn asked() -> bool {
    ASKED.load(Ordering::SeqCst)
}

/// Listens from now on, in a thread of its own. A system that does not let us ends programs in its own way.
#[cfg(unix)]
pub(crate) fn listen() {
    use tokio::signal::unix::{SignalKind, signal};
    let ignored = ignored();
    let kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
    let wanted = kinds.into_iter().filter(move |kind| ignored >> (kind.as_raw_value() - 1) & 1 == 0);
    let (ready, until) = std::sync::mpsc::channel::<()>();
    let thread = std::thread::Builder::new().name("signals".into());
    let spawned = thread.spawn(move || {
        let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_io().build() else { return };
        let _context = runtime.enter();
        let mut tasks = Vec::new();
        for kind in wanted {
            let Ok(mut stream) = signal(kind) else { continue };
            tasks.push(runtime.spawn(async move {
                while stream.recv().await.is_some() {
                    heard(kind.as_raw_value());
                }
            }));
        }
        drop(ready);
        runtime.block_on(async {
            for task in tasks {
                // a task that ended hears nothing more
                let _ = task.await;
            }
        });
    });
    if spawned.is_ok() {
        // no signal is lost between here and the first file
        let _ = until.recv();
    }
}

/// Listens for Ctrl-C.
#[cfg(not(unix))]
pub(crate) fn listen() {
    let _ = std::thread::Builder::new().name("signals".into()).spawn(|| {
        let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_io().build() else { return };
        runtime.block_on(async {
            while tokio::signal::ctrl_c().await.is_ok() {
                heard(2);
            }
        });
    });
}

/// A signal came.
fn heard(number: i32) {
    let first = !ASKED.swap(true, Ordering::SeqCst);
    if first && PATIENT.load(Ordering::SeqCst) {
        eprintln!("\nending: what was simulated is kept; once more to leave at once");
        return;
    }
    sinew::world::file::discard_unfinished();
    std::process::exit(128 + number);
}

/// Signals that this process was started to ignore, as bits; where the system does not tell, none.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok()).unwrap_or(0)
}

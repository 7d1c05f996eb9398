//! Interruption by the user or the system: Ctrl-C, a termination signal, a closed terminal.
//!
//! Incomplete files are removed and existing outputs stay. A recorded run ends after the present step with a complete recording; a second
//! signal ends it at once. Signals that the program was started to ignore (`nohup`, background jobs of a script) stay
//! ignored.

use std::sync::atomic::{AtomicBool, Ordering};

/// Whether a signal has asked for the end.
static ASKED: AtomicBool = AtomicBool::new(false);
/// Whether a run is active that ends by itself after a signal.
static PATIENT: AtomicBool = AtomicBool::new(false);

/// Until it is dropped, the first signal does not end the program but sets [`asked`].
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

/// Whether a signal has asked for the end.
pub(crate) fn asked() -> bool {
    ASKED.load(Ordering::SeqCst)
}

/// Listens to signals from now on, in a thread of its own. Where this is impossible, the system's default holds.
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
                // tasks that have ended receive nothing
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

/// Handles a signal.
fn heard(number: i32) {
    let first = !ASKED.swap(true, Ordering::SeqCst);
    if first && PATIENT.load(Ordering::SeqCst) {
        eprintln!("\nending: the recording is completed; interrupt again to leave at once");
        return;
    }
    sinew::world::file::discard_unfinished();
    std::process::exit(128 + number);
}

/// Signals that this process was started to ignore, as bits; 0 where the system does not report them.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok()).unwrap_or(0)
}

//! The current work of the running stage. The stages report their work to this module, and [`progress`](crate::progress) shows it. The reports have
//! no effect on results.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// The current work.
#[derive(Debug)]
struct Activity {
    done: usize,
    total: usize,
    what: &'static str,
    name: String,
}

static IN_HAND: Mutex<Activity> = Mutex::new(Activity { done: 0, total: 0, what: "", name: String::new() });

fn in_hand() -> MutexGuard<'static, Activity> {
    // Each statement that holds the lock leaves the value consistent, so a panic of another thread does no harm.
    IN_HAND.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reports that `done` of `total` things are done, and that the next is called `name`. `what` names the kind of the things in the plural, for example
/// `functions`.
pub fn report(done: usize, total: usize, what: &'static str, name: &str) {
    let mut activity = in_hand();
    (activity.done, activity.total, activity.what) = (done, total, what);
    activity.name.clear();
    activity.name.push_str(name);
}

/// Resets the current work, at the start of a stage.
pub fn clear() {
    report(0, 0, "", "");
}

/// Returns the current work as text: `31 of 420 functions, core::fmt::write`. `None` if the stage has reported nothing.
pub fn text() -> Option<String> {
    let activity = in_hand();
    if activity.total == 0 {
        return None;
    }
    let name = if activity.name.is_empty() { String::new() } else { format!(", {}", activity.name) };
    Some(format!("{} of {} {}{name}", activity.done, activity.total, activity.what))
}

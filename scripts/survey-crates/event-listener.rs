//@ std
//@ event-listener = "=5.4.2"
//! Registers listeners, one of them pinned on the stack, and notifies some of them. Panics at some inputs while they are registered; then later calls
//! must find an empty list.
use event_listener::{Event, IntoNotification as _, Listener as _, listener};
use std::time::Duration;

static EVENT: Event = Event::new();

#[rustgo::export(stack = "256k")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let before = EVENT.total_listeners();
    let listeners: Vec<_> = input.iter().take(20).map(|_| EVENT.listen()).collect();
    listener!(EVENT => pinned);
    let notified = EVENT.notify((input.len() / 2).additional());
    assert!(input.len() % 3 != 1, "{notified} of {} are notified", listeners.len());
    let awake = listeners.into_iter().map(|listener| listener.wait_timeout(Duration::ZERO).is_some()).filter(|&is| is).count();
    assert!(input.len() % 5 != 2, "{awake} are awake");
    let pinned = pinned.wait_timeout(Duration::ZERO).is_some();
    put(out, format!("{before} before, {notified} notified, {awake} awake, {pinned}, {} left", EVENT.total_listeners()).as_bytes())
}

//! Reads the memory and the processor time that this process uses, as Linux reports them (proc(5)). On other systems the functions return `None`.

use std::time::Duration;

/// Starts a new measurement of the peak of the memory.
pub fn reset_peak() {
    // Ignore an error: a kernel may lack this file. The peak then counts from the start of the process.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

/// Returns the largest amount of memory in bytes that the process has used since the last [`reset_peak`].
pub fn peak() -> Option<u64> {
    peak_in(&std::fs::read_to_string("/proc/self/status").ok()?)
}

fn peak_in(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok()?.checked_mul(1024)
}

/// Returns the processor time that all threads of this process have used. Programs that the process has started do not count.
pub fn processor_time() -> Option<Duration> {
    processor_time_in(&std::fs::read_to_string("/proc/self/stat").ok()?)
}

fn processor_time_in(stat: &str) -> Option<Duration> {
    // The kernel reports times to programs in units of 10 ms (USER_HZ is 100), whatever the rate of its own clock.
    const TICK: Duration = Duration::from_millis(10);
    // The second field, the program's name in parentheses, may contain spaces. `utime` and `stime` are the fields 14 and 15.
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_whitespace().skip(11);
    let mut next = || fields.next()?.parse::<u32>().ok();
    Some(TICK * next()?.checked_add(next()?)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peak_is_in_bytes() {
        assert_eq!(peak_in("Name:\tx\nVmHWM:\t    2048 kB\nVmRSS:\t 1 kB\n"), Some(2 << 20));
        assert_eq!(peak_in("Name:\tx\n"), None);
    }

    #[test]
    fn processor_time_is_the_sum_of_user_and_system_time() {
        let stat = "77 (a b) c) S 1 77 77 0 -1 4194304 107 0 0 0 250 7 9000 9000 20 0 2 0";
        assert_eq!(processor_time_in(stat), Some(Duration::from_millis(2570)));
        assert_eq!(processor_time_in("77 (a) S 1"), None);
    }
}

//! The memory that this process uses, as Linux reports it (proc(5)). Other systems report nothing here.

/// Starts a new measurement of the peak.
pub fn reset_peak() {
    // The kernel may lack this file. Then the peak counts from the start of the process.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peak_is_in_bytes() {
        assert_eq!(peak_in("Name:\tx\nVmHWM:\t    2048 kB\nVmRSS:\t 1 kB\n"), Some(2 << 20));
        assert_eq!(peak_in("Name:\tx\n"), None);
    }
}

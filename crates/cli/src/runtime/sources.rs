//! The source files of the run-time packages, included at compile time from the folder of the Go module. build.rs finds this folder.

/// Lists files in a folder of the Go module, as pairs of name and text.
macro_rules! files {
    ($folder:literal: $($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!(env!("RUSTGO_GO_MODULE"), "/", $folder, "/", $name)))),*]
    };
}

pub const RT: &[(&str, &str)] = files!("rt":
    "blocking.go",
    "blocking_amd64.s",
    "blocking_arm64.s",
    "blocking_state.s",
    "blocking_state_none.s",
    "cpu.go",
    "cpu_amd64.go",
    "cpu_amd64.s",
    "cpu_arm64.go",
    "doc.go",
    "entry.go",
    "escape.go",
    "errors.go",
    "fault_windows_amd64.go",
    "fault_windows_amd64.s",
    "heap.go",
    "heap_amd64.s",
    "heap_arm64.s",
    "heap_callbacks.go",
    "heap_callbacks_overlap.go",
    "heap_callbacks_amd64.s",
    "heap_callbacks_arm64.s",
    "heap_kept.go",
    "heap_pin.go",
    "heap_pin_none.go",
    "heap_streams.go",
    "heap_tasks.go",
    "heap_thread.go",
    "norace.go",
    "object.go",
    "object_recent.go",
    "object_translated.go",
    "panic.go",
    "panic_amd64.s",
    "panic_arm64.s",
    "race.go",
    "race_amd64.s",
    "race_arm64.s",
    "race_known.go",
    "race_unknown.go",
    "rustgo.go",
    "rustgo_amd64.s",
    "rustgo_arm64.s",
    "stack.go",
    "stack_amd64.s",
    "stack_arm64.s",
    "system.go",
    "system_amd64.s",
    "system_arm64.s",
    "tasks.go",
    "tasks_amd64.s",
    "tasks_arm64.s",
    "unwind.go",
    "watch.go",
);

pub const HEAP: &[(&str, &str)] = files!("rt/heap":
    "doc.go",
    "heap.go",
);

pub const HWCAP: &[(&str, &str)] = files!("rt/internal/hwcap":
    "doc.go",
    "hwcap.go",
    "read_auxv.go",
    "read_darwin.go",
    "read_other.go",
    "read_windows.go",
);

pub const SYSTEM: &[(&str, &str)] = files!("rt/internal/system":
    "doc.go",
    "memory_darwin.go",
    "memory_freebsd.go",
    "memory_linux.go",
    "memory_other.go",
    "memory_unix.go",
    "memory_windows.go",
    "random_darwin.go",
    "random_none.go",
    "random_windows.go",
);

pub const TRANSLATED: &[(&str, &str)] = files!("rt/translated":
    "doc.go",
    "instance.go",
    "layout.go",
    "values.go",
);

pub const HANDLE: &[(&str, &str)] = files!("handle":
    "assert.go",
    "doc.go",
    "handle.go",
    "local.go",
    "of.go",
    "pin.s",
    "pin_none.go",
    "pin_runtime.go",
    "pin_steps.go",
    "steps_off.go",
    "steps_on.go",
    "table.go",
    "trace.go",
    "words_atomic.go",
    "words_plain.go",
);

pub const NATIVETEST: &[(&str, &str)] = files!("nativetest":
    "call.go",
    "doc.go",
    "generate.go",
    "native.go",
    "nativetest.go",
    "objects.go",
    "protocol.go",
    "show.go",
);

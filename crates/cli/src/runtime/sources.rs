//! The sources of the packages, as they are in the Go module.

pub const RT: &[(&str, &str)] = &[
    ("doc.go", include_str!("../../runtime/rt/doc.go")),
    ("entry.go", include_str!("../../runtime/rt/entry.go")),
    ("fault_windows_amd64.go", include_str!("../../runtime/rt/fault_windows_amd64.go")),
    ("fault_windows_amd64.s", include_str!("../../runtime/rt/fault_windows_amd64.s")),
    ("heap.go", include_str!("../../runtime/rt/heap.go")),
    ("heap_amd64.s", include_str!("../../runtime/rt/heap_amd64.s")),
    ("heap_arm64.s", include_str!("../../runtime/rt/heap_arm64.s")),
    ("heap_darwin.go", include_str!("../../runtime/rt/heap_darwin.go")),
    ("heap_freebsd.go", include_str!("../../runtime/rt/heap_freebsd.go")),
    ("heap_linux.go", include_str!("../../runtime/rt/heap_linux.go")),
    ("heap_other.go", include_str!("../../runtime/rt/heap_other.go")),
    ("heap_pin.go", include_str!("../../runtime/rt/heap_pin.go")),
    ("heap_pin_none.go", include_str!("../../runtime/rt/heap_pin_none.go")),
    ("heap_unix.go", include_str!("../../runtime/rt/heap_unix.go")),
    ("heap_windows.go", include_str!("../../runtime/rt/heap_windows.go")),
    ("panic.go", include_str!("../../runtime/rt/panic.go")),
    ("panic_amd64.s", include_str!("../../runtime/rt/panic_amd64.s")),
    ("panic_arm64.s", include_str!("../../runtime/rt/panic_arm64.s")),
    ("rustgo.go", include_str!("../../runtime/rt/rustgo.go")),
    ("rustgo_amd64.s", include_str!("../../runtime/rt/rustgo_amd64.s")),
    ("rustgo_arm64.s", include_str!("../../runtime/rt/rustgo_arm64.s")),
    ("system.go", include_str!("../../runtime/rt/system.go")),
    ("system_amd64.s", include_str!("../../runtime/rt/system_amd64.s")),
    ("system_arm64.s", include_str!("../../runtime/rt/system_arm64.s")),
    ("system_auxv.go", include_str!("../../runtime/rt/system_auxv.go")),
    ("system_darwin.go", include_str!("../../runtime/rt/system_darwin.go")),
    ("system_other.go", include_str!("../../runtime/rt/system_other.go")),
    ("system_windows.go", include_str!("../../runtime/rt/system_windows.go")),
];

pub const HEAP: &[(&str, &str)] =
    &[("doc.go", include_str!("../../runtime/rt/heap/doc.go")), ("heap.go", include_str!("../../runtime/rt/heap/heap.go"))];

pub const HANDLE: &[(&str, &str)] = &[
    ("assert.go", include_str!("../../runtime/handle/assert.go")),
    ("doc.go", include_str!("../../runtime/handle/doc.go")),
    ("handle.go", include_str!("../../runtime/handle/handle.go")),
    ("local.go", include_str!("../../runtime/handle/local.go")),
    ("of.go", include_str!("../../runtime/handle/of.go")),
    ("pin.s", include_str!("../../runtime/handle/pin.s")),
    ("pin_none.go", include_str!("../../runtime/handle/pin_none.go")),
    ("pin_runtime.go", include_str!("../../runtime/handle/pin_runtime.go")),
    ("pin_steps.go", include_str!("../../runtime/handle/pin_steps.go")),
    ("steps_off.go", include_str!("../../runtime/handle/steps_off.go")),
    ("steps_on.go", include_str!("../../runtime/handle/steps_on.go")),
    ("table.go", include_str!("../../runtime/handle/table.go")),
    ("trace.go", include_str!("../../runtime/handle/trace.go")),
    ("words_atomic.go", include_str!("../../runtime/handle/words_atomic.go")),
    ("words_plain.go", include_str!("../../runtime/handle/words_plain.go")),
];

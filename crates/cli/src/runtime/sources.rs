//! The sources of the packages, as they are in the Go module.

pub const RT: &[(&str, &str)] = &[
    ("doc.go", include_str!("../../runtime/rt/doc.go")),
    ("entry.go", include_str!("../../runtime/rt/entry.go")),
    ("fault_windows_amd64.go", include_str!("../../runtime/rt/fault_windows_amd64.go")),
    ("fault_windows_amd64.s", include_str!("../../runtime/rt/fault_windows_amd64.s")),
    ("panic.go", include_str!("../../runtime/rt/panic.go")),
    ("panic_amd64.s", include_str!("../../runtime/rt/panic_amd64.s")),
    ("panic_arm64.s", include_str!("../../runtime/rt/panic_arm64.s")),
];

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

//! Variable arguments: C's `va_list`, and functions that make one.

/// C's `va_list`. Source: System V ABI, AMD64 supplement, 3.5.7.
#[cfg(target_arch = "x86_64")]
#[repr(C)]
pub struct List {
    /// The offset of the next general register in `registers`, in bytes; 48 after the last register.
    general: u32,
    /// The offset of the next vector register in `registers`, in bytes; 176 after the last register.
    vector: u32,
    /// The next argument on the stack.
    stack: *const u64,
    registers: *const u8,
}

/// C's `va_list`. Source: Procedure Call Standard for the Arm 64-bit Architecture, appendix B.
#[cfg(target_arch = "aarch64")]
#[repr(C)]
pub struct List {
    /// The next argument on the stack.
    stack: *const u64,
    /// The end of the saved general registers.
    general_end: *const u8,
    /// The end of the saved vector registers.
    vector_end: *const u8,
    /// The offset of the next general register from `general_end`, in bytes: negative, and 0 after the last register.
    general: i32,
    /// The offset of the next vector register from `vector_end`, in bytes: negative, and 0 after the last register.
    vector: i32,
}

impl List {
    /// Returns the next argument, an integer or an address. The upper bits of an integer shorter than 64 bits are undefined.
    ///
    /// # Safety
    /// The next argument must be an integer or an address.
    pub unsafe fn integer(&mut self) -> u64 {
        #[cfg(target_arch = "x86_64")]
        if self.general < 48 {
            self.general += 8;
            // SAFETY: the variadic function has saved the registers at this address.
            return unsafe { self.registers.add(self.general as usize - 8).cast::<u64>().read() };
        }
        #[cfg(target_arch = "aarch64")]
        if self.general < 0 {
            self.general += 8;
            // SAFETY: the variadic function has saved the registers at this address.
            return unsafe { self.general_end.offset(self.general as isize - 8).cast::<u64>().read() };
        }
        // SAFETY: as promised by the caller.
        unsafe { self.word() }
    }

    /// Returns the next argument, a floating-point number.
    ///
    /// # Safety
    /// The next argument must be a `double`.
    pub unsafe fn float(&mut self) -> f64 {
        #[cfg(target_arch = "x86_64")]
        if self.vector < 176 {
            self.vector += 16;
            // SAFETY: the variadic function has saved the registers at this address.
            return unsafe { self.registers.add(self.vector as usize - 16).cast::<f64>().read() };
        }
        #[cfg(target_arch = "aarch64")]
        if self.vector < 0 {
            self.vector += 16;
            // SAFETY: the variadic function has saved the registers at this address.
            return unsafe { self.vector_end.offset(self.vector as isize - 16).cast::<f64>().read() };
        }
        // SAFETY: as promised by the caller.
        f64::from_bits(unsafe { self.word() })
    }

    /// Returns the next argument on the stack.
    ///
    /// # Safety
    /// There must be another argument on the stack.
    unsafe fn word(&mut self) -> u64 {
        // SAFETY: as promised by the caller.
        let word = unsafe { self.stack.read() };
        self.stack = self.stack.wrapping_add(1);
        word
    }
}

/// Defines a variadic function that calls another function with the same fixed arguments and the address of a [`List`]. Stable Rust cannot define
/// variadic functions, so the functions are written in assembly.
#[cfg(target_arch = "x86_64")]
macro_rules! variadic {
    ($($name:ident calls $of:ident after $fixed:tt;)*) => {
        $(
            /// The function of this name in C.
            ///
            /// # Safety
            /// The caller must meet the requirements of C's function.
            #[cfg_attr(rustgo, unsafe(no_mangle))]
            #[unsafe(naked)]
            pub unsafe extern "C" fn $name() {
                core::arch::naked_asm!(
                    // At RSP: the saved registers; at RSP + 176: the list; at RSP + 216: the return address; at RSP + 224: the stack arguments.
                    "sub rsp, 216",
                    "mov [rsp], rdi",
                    "mov [rsp + 8], rsi",
                    "mov [rsp + 16], rdx",
                    "mov [rsp + 24], rcx",
                    "mov [rsp + 32], r8",
                    "mov [rsp + 40], r9",
                    "movaps [rsp + 48], xmm0",
                    "movaps [rsp + 64], xmm1",
                    "movaps [rsp + 80], xmm2",
                    "movaps [rsp + 96], xmm3",
                    "movaps [rsp + 112], xmm4",
                    "movaps [rsp + 128], xmm5",
                    "movaps [rsp + 144], xmm6",
                    "movaps [rsp + 160], xmm7",
                    "mov dword ptr [rsp + 176], 8 * {fixed}",
                    "mov dword ptr [rsp + 180], 48",
                    "lea rax, [rsp + 224]",
                    "mov [rsp + 184], rax",
                    "lea rax, [rsp]",
                    "mov [rsp + 192], rax",
                    concat!("lea ", $crate::libc::variadic::argument!($fixed), ", [rsp + 176]"),
                    "call {of}",
                    "add rsp, 216",
                    "ret",
                    fixed = const $fixed,
                    of = sym $of,
                )
            }
        )*
    };
}

#[cfg(target_arch = "aarch64")]
macro_rules! variadic {
    ($($name:ident calls $of:ident after $fixed:tt;)*) => {
        $(
            /// The function of this name in C.
            ///
            /// # Safety
            /// The caller must meet the requirements of C's function.
            #[cfg_attr(rustgo, unsafe(no_mangle))]
            #[unsafe(naked)]
            pub unsafe extern "C" fn $name() {
                core::arch::naked_asm!(
                    // At SP: the return address; at SP + 16: the list; at SP + 48: the saved general registers; at SP + 112: the saved vector
                    // registers; at SP + 240: the stack arguments.
                    "sub sp, sp, #240",
                    "str x30, [sp]",
                    "stp x0, x1, [sp, #48]",
                    "stp x2, x3, [sp, #64]",
                    "stp x4, x5, [sp, #80]",
                    "stp x6, x7, [sp, #96]",
                    "stp q0, q1, [sp, #112]",
                    "stp q2, q3, [sp, #144]",
                    "stp q4, q5, [sp, #176]",
                    "stp q6, q7, [sp, #208]",
                    "add x8, sp, #240",
                    "add x9, sp, #112",
                    "stp x8, x9, [sp, #16]",
                    "str x8, [sp, #32]",
                    "mov w8, #-8 * (8 - {fixed})",
                    "mov w9, #-128",
                    "stp w8, w9, [sp, #40]",
                    concat!("add ", $crate::libc::variadic::argument!($fixed), ", sp, #16"),
                    "bl {of}",
                    "ldr x30, [sp]",
                    "add sp, sp, #240",
                    "ret",
                    fixed = const $fixed,
                    of = sym $of,
                )
            }
        )*
    };
}

/// The register in which the C ABI passes the argument that follows this number of arguments.
#[cfg(target_arch = "x86_64")]
macro_rules! argument {
    (1) => {
        "rsi"
    };
    (2) => {
        "rdx"
    };
    (3) => {
        "rcx"
    };
}

#[cfg(target_arch = "aarch64")]
macro_rules! argument {
    (1) => {
        "x1"
    };
    (2) => {
        "x2"
    };
    (3) => {
        "x3"
    };
}

pub(crate) use {argument, variadic};

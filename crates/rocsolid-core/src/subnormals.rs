//! Comparisons that see subnormal numbers, whatever the host has set.
//!
//! Some libraries (`torch.set_flush_denormal`, anything built with `-ffast-math`) tell the processor to read
//! subnormals as zero. Comparing floats would then tie `5e-324` with `0.0`. The guard clears that mode for as long as
//! it lives, on the thread that made it.

/// Restores the mode when dropped.
pub(crate) struct Subnormals(State);

#[cfg(all(target_arch = "x86_64", not(miri)))]
#[allow(unsafe_code)]
mod control {
    use std::arch::asm;

    pub(super) type State = u32;
    /// Denormals are zero (bit 6), flush to zero (bit 15).
    pub(super) const FLUSHING: State = 1 << 6 | 1 << 15;

    pub(super) fn read() -> State {
        let mut state: State = 0;
        // SAFETY: stores the four bytes of MXCSR, which every x86-64 processor has, into a local.
        unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut state, options(nostack, preserves_flags)) };
        state
    }

    pub(super) fn write(state: State) {
        // SAFETY: `state` came from `read` but for the two bits above, so it is a valid MXCSR; rounding and
        // exception masks, which the compiler counts on, are unchanged.
        unsafe {
            asm!("ldmxcsr [{}]", in(reg) &raw const state, options(nostack, preserves_flags))
        };
    }
}

#[cfg(all(target_arch = "aarch64", not(miri)))]
#[allow(unsafe_code)]
mod control {
    use std::arch::asm;

    pub(super) type State = u64;
    /// Flush to zero (bit 24).
    pub(super) const FLUSHING: State = 1 << 24;

    pub(super) fn read() -> State {
        let state: State;
        // SAFETY: reads FPCR, which every aarch64 processor has, into a register.
        unsafe { asm!("mrs {}, fpcr", out(reg) state, options(nomem, nostack, preserves_flags)) };
        state
    }

    pub(super) fn write(state: State) {
        // SAFETY: `state` came from `read` but for the bit above; everything else is unchanged.
        unsafe { asm!("msr fpcr, {}", in(reg) state, options(nostack, preserves_flags)) };
    }
}

/// No such mode, neither elsewhere nor in Miri, which knows no assembly.
#[cfg(any(miri, not(any(target_arch = "x86_64", target_arch = "aarch64"))))]
mod control {
    pub(super) type State = u32;
    pub(super) const FLUSHING: State = 0;
    pub(super) fn read() -> State {
        0
    }
    pub(super) fn write(_: State) {}
}

use control::{read, write, State, FLUSHING};

impl Subnormals {
    /// Subnormals are numbers from here on.
    pub fn seen() -> Self {
        let before = read();
        if before & FLUSHING != 0 {
            write(before & !FLUSHING);
        }
        Subnormals(before)
    }
}

impl Drop for Subnormals {
    fn drop(&mut self) {
        if self.0 & FLUSHING != 0 {
            write(self.0);
        }
    }
}

#[cfg(all(test, target_arch = "x86_64", not(miri)))]
mod tests {
    use super::*;
    use std::hint::black_box;

    #[test]
    fn the_mode_is_cleared_and_restored() {
        let (tiny, before) = (f64::from_bits(1), read());
        write(before | FLUSHING);
        assert!(black_box(tiny) == black_box(0.0));
        let guard = Subnormals::seen();
        assert!(black_box(tiny) > black_box(0.0));
        drop(guard);
        assert!(black_box(tiny) == black_box(0.0));
        write(before);
    }
}

//! Which instructions to use, decided at run time.
//!
//! Nothing is written twice: a [`Job`] is plain code over small arrays, inlined into one caller per instruction set,
//! and the compiler turns its inner loops into that set's vector instructions. Baseline builds get SSE2 or NEON.

/// An instruction set.
pub trait Isa {
    /// Whether `f64::mul_add` is one instruction, not a call of a library.
    const FUSED: bool;
    /// Whether there are vectors of 256 bits and AVX2's instructions for them.
    const AVX2: bool;
    /// Whether there are vectors of 512 bits and AVX-512's instructions for them.
    const AVX512: bool;
}

/// What every processor of the target has.
pub(crate) struct Baseline;

impl Isa for Baseline {
    const FUSED: bool = cfg!(any(target_arch = "aarch64", target_feature = "fma"));
    const AVX2: bool = false;
    const AVX512: bool = false;
}

/// 256-bit vectors and fused multiply-add.
#[cfg(target_arch = "x86_64")]
pub(crate) struct Avx2;

#[cfg(target_arch = "x86_64")]
impl Isa for Avx2 {
    const FUSED: bool = true;
    const AVX2: bool = true;
    const AVX512: bool = false;
}

/// 512-bit vectors.
#[cfg(target_arch = "x86_64")]
pub(crate) struct Avx512;

#[cfg(target_arch = "x86_64")]
impl Isa for Avx512 {
    const FUSED: bool = true;
    const AVX2: bool = true;
    const AVX512: bool = true;
}

/// Work that gains from vector instructions. `run`, and everything hot below it, is `#[inline(always)]`.
pub(crate) trait Job {
    type Output;

    fn run<I: Isa>(self) -> Self::Output;
}

/// Runs the job with the best instructions that this processor has.
pub(crate) fn dispatch<J: Job>(job: J) -> J::Output {
    #[cfg(target_arch = "x86_64")]
    #[allow(unsafe_code)]
    // SAFETY: the processor was just asked.
    if has_avx512() {
        return unsafe { with_avx512(job) };
    } else if has_avx2() {
        return unsafe { with_avx2(job) };
    }
    job.run::<Baseline>()
}

#[cfg(target_arch = "x86_64")]
#[inline]
fn has_avx2() -> bool {
    #[cfg(test)]
    if tests::BASELINE_ONLY.with(std::cell::Cell::get) {
        return false;
    }
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
}

#[cfg(target_arch = "x86_64")]
#[inline]
fn has_avx512() -> bool {
    has_avx2()
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512bw")
}

/// # Safety
/// The processor has the features named.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,avx512f,avx512dq,avx512vl,avx512bw")]
#[allow(unsafe_code)]
unsafe fn with_avx512<J: Job>(job: J) -> J::Output {
    job.run::<Avx512>()
}

/// # Safety
/// The processor has the features named.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,bmi1,bmi2")]
#[allow(unsafe_code)]
unsafe fn with_avx2<J: Job>(job: J) -> J::Output {
    job.run::<Avx2>()
}

#[cfg(test)]
pub(crate) mod tests {
    use std::cell::Cell;

    thread_local! {
        /// Lets a test run the portable code on a processor that has better.
        pub(crate) static BASELINE_ONLY: Cell<bool> = const { Cell::new(false) };
    }
}

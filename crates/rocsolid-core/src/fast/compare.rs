//! Counts of comparisons: a group of scores at once against each of some others.
//!
//! The compiler, left alone, would vectorise over the others and add up across vectors at the end, which costs more
//! than it gains for eight of them. So the few instructions that count are spelled out where they matter; the portable
//! form says what they do.

use super::isa::Isa;
use super::lane::Lane;
use super::precision::LANES;

/// Others that are compared without asking in between whether there are more: an end that nobody can predict costs
/// more than comparisons in vain. Callers that can let a slice end behind a whole number of these.
pub(crate) const STEP: usize = 8;

/// One number for each score of a group.
pub(crate) type Each = [f64; LANES];

/// The counts as integers, each below `2^31`.
#[inline(always)]
pub(crate) fn as_places(counts: Each) -> [usize; LANES] {
    // Beside 2^52 an integer stands in the low bits: cheaper than a conversion that minds overflow.
    counts.map(|count| (count + 4_503_599_627_370_496.0).to_bits() as u32 as usize)
}

/// How many of the others lie below each score of a group.
#[inline(always)]
pub(crate) fn below_portable<L: Lane>(group: [L; LANES], others: &[L]) -> Each {
    let mut below = [0u32; LANES];
    for &other in others {
        for i in 0..LANES {
            below[i] += u32::from(other < group[i]);
        }
    }
    below.map(f64::from)
}

/// How many of the others lie below each score of a group, and how many lie below or are equal.
#[inline(always)]
pub(crate) fn below_and_up_to_portable<L: Lane>(group: [L; LANES], others: &[L]) -> [Each; 2] {
    let (mut below, mut up_to) = ([0u32; LANES], [0u32; LANES]);
    for &other in others {
        for i in 0..LANES {
            below[i] += u32::from(other < group[i]);
            up_to[i] += u32::from(other <= group[i]);
        }
    }
    [below.map(f64::from), up_to.map(f64::from)]
}

/// Lanes that know the instructions for it. Others number fewer than `2^31`.
pub trait Compare: Lane {
    /// See [`below_portable`].
    #[inline(always)]
    fn below<I: Isa>(group: [Self; LANES], others: &[Self]) -> Each {
        let [below] = Self::each_below::<I, 1>([group], others);
        below
    }

    /// The same for several groups in one loop.
    fn each_below<I: Isa, const GROUPS: usize>(
        groups: [[Self; LANES]; GROUPS],
        others: &[Self],
    ) -> [Each; GROUPS];

    /// See [`below_and_up_to_portable`].
    fn below_and_up_to<I: Isa>(group: [Self; LANES], others: &[Self]) -> [Each; 2];
}

macro_rules! compare {
    ($lane:ty, $avx2:ident, $avx512:ident) => {
        impl Compare for $lane {
            #[inline(always)]
            fn each_below<I: Isa, const GROUPS: usize>(
                groups: [[Self; LANES]; GROUPS],
                others: &[Self],
            ) -> [Each; GROUPS] {
                // SAFETY: `dispatch` hands out an instruction set only if the processor has it.
                #[cfg(target_arch = "x86_64")]
                #[allow(unsafe_code)]
                if I::AVX512 {
                    return unsafe { x86::$avx512::each_below(&groups, others) };
                } else if I::AVX2 {
                    return unsafe { x86::$avx2::each_below(&groups, others) };
                }
                groups.map(|group| below_portable(group, others))
            }

            #[inline(always)]
            fn below_and_up_to<I: Isa>(group: [Self; LANES], others: &[Self]) -> [Each; 2] {
                // SAFETY: as above.
                #[cfg(target_arch = "x86_64")]
                #[allow(unsafe_code)]
                if I::AVX512 {
                    return unsafe { x86::$avx512::below_and_up_to(&group, others) };
                } else if I::AVX2 {
                    return unsafe { x86::$avx2::below_and_up_to(&group, others) };
                }
                below_and_up_to_portable(group, others)
            }
        }
    };
}

compare!(f32, single, single);
compare!(f64, double, wide_double);
compare!(i64, integer, wide_integer);

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod x86 {
    use std::arch::x86_64::*;

    use super::{Each, LANES, STEP};

    /// Visits all others, whole steps of them without a branch in between.
    #[inline(always)]
    fn by_steps<L>(others: &[L], mut visit: impl FnMut(&L)) {
        let mut steps = others.chunks_exact(STEP);
        for step in &mut steps {
            step[..STEP].iter().for_each(&mut visit);
        }
        steps.remainder().iter().for_each(visit);
    }

    /// The two functions, given the instruction set, how many vectors hold a group, an empty counter, how to load a
    /// vector, to repeat a score, to count where one vector lies below another, or up to it, and to read the counters.
    macro_rules! counting {
        ($name:ident, $lane:ty, $features:literal, $vectors:literal, $zero:expr, $load:expr, $repeat:expr, $below:expr, $up_to:expr, $read:expr) => {
            pub(in super::super) mod $name {
                use super::*;

                /// # Safety
                /// The processor has the features.
                #[inline]
                #[target_feature(enable = $features)]
                unsafe fn load<T>(
                    group: &[$lane; LANES],
                    load: impl Fn(*const $lane) -> T,
                ) -> [T; $vectors] {
                    std::array::from_fn(|i| load(group[i * (LANES / $vectors)..].as_ptr()))
                }

                /// # Safety
                /// The processor has the features.
                #[inline]
                #[target_feature(enable = $features)]
                pub unsafe fn each_below<const GROUPS: usize>(
                    groups: &[[$lane; LANES]; GROUPS],
                    others: &[$lane],
                ) -> [Each; GROUPS] {
                    let loaded = groups.each_ref().map(|group| load(group, $load));
                    let mut below = [[$zero; $vectors]; GROUPS];
                    by_steps(others, |other| {
                        let other = $repeat(other);
                        for (below, group) in below.iter_mut().zip(&loaded) {
                            for i in 0..$vectors {
                                below[i] = $below(below[i], other, group[i]);
                            }
                        }
                    });
                    let mut read = [[0.0; LANES]; GROUPS];
                    for (read, below) in read.iter_mut().zip(below) {
                        *read = $read(below);
                    }
                    read
                }

                /// # Safety
                /// The processor has the features.
                #[inline]
                #[target_feature(enable = $features)]
                pub unsafe fn below_and_up_to(
                    group: &[$lane; LANES],
                    others: &[$lane],
                ) -> [Each; 2] {
                    let (group, [mut below, mut up_to]) =
                        (load(group, $load), [[$zero; $vectors]; 2]);
                    by_steps(others, |other| {
                        let other = $repeat(other);
                        for i in 0..$vectors {
                            below[i] = $below(below[i], other, group[i]);
                            up_to[i] = $up_to(up_to[i], other, group[i]);
                        }
                    });
                    [$read(below), $read(up_to)]
                }
            }
        };
    }

    // A mask of all ones is minus one: subtracting it counts.
    counting!(
        double,
        f64,
        "avx2",
        2,
        _mm256_setzero_si256(),
        |four| _mm256_loadu_pd(four),
        |one: &f64| _mm256_set1_pd(*one),
        |n, a, b| _mm256_sub_epi64(n, _mm256_castpd_si256(_mm256_cmp_pd::<_CMP_LT_OQ>(a, b))),
        |n, a, b| _mm256_sub_epi64(n, _mm256_castpd_si256(_mm256_cmp_pd::<_CMP_LE_OQ>(a, b))),
        read_wide
    );
    counting!(
        integer,
        i64,
        "avx2",
        2,
        _mm256_setzero_si256(),
        |four: *const i64| _mm256_loadu_si256(four.cast()),
        |one: &i64| _mm256_set1_epi64x(*one),
        |n, a, b| _mm256_sub_epi64(n, _mm256_cmpgt_epi64(b, a)),
        // One for each, less one for each that is above.
        |n, a, b| _mm256_add_epi64(
            _mm256_add_epi64(n, _mm256_set1_epi64x(1)),
            _mm256_cmpgt_epi64(a, b)
        ),
        read_wide
    );
    counting!(
        single,
        f32,
        "avx2",
        1,
        _mm256_setzero_si256(),
        |eight| _mm256_loadu_ps(eight),
        |one: &f32| _mm256_set1_ps(*one),
        |n, a, b| _mm256_sub_epi32(n, _mm256_castps_si256(_mm256_cmp_ps::<_CMP_LT_OQ>(a, b))),
        |n, a, b| _mm256_sub_epi32(n, _mm256_castps_si256(_mm256_cmp_ps::<_CMP_LE_OQ>(a, b))),
        read_narrow
    );
    counting!(
        wide_double,
        f64,
        "avx512f,avx512dq",
        1,
        _mm512_setzero_si512(),
        |eight| _mm512_loadu_pd(eight),
        |one: &f64| _mm512_set1_pd(*one),
        |n, a, b| count_mask(n, _mm512_cmp_pd_mask::<_CMP_LT_OQ>(a, b)),
        |n, a, b| count_mask(n, _mm512_cmp_pd_mask::<_CMP_LE_OQ>(a, b)),
        read_eight
    );
    counting!(
        wide_integer,
        i64,
        "avx512f,avx512dq",
        1,
        _mm512_setzero_si512(),
        |eight| _mm512_loadu_epi64(eight),
        |one: &i64| _mm512_set1_epi64(*one),
        |n, a, b| count_mask(n, _mm512_cmplt_epi64_mask(a, b)),
        |n, a, b| count_mask(n, _mm512_cmple_epi64_mask(a, b)),
        read_eight
    );

    #[inline]
    #[target_feature(enable = "avx512f,avx512dq")]
    unsafe fn count_mask(counts: __m512i, mask: __mmask8) -> __m512i {
        _mm512_mask_add_epi64(counts, mask, counts, _mm512_set1_epi64(1))
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512dq")]
    unsafe fn read_eight([counts]: [__m512i; 1]) -> Each {
        let mut each = [0.0; LANES];
        _mm512_storeu_pd(each.as_mut_ptr(), _mm512_cvtepi64_pd(counts));
        each
    }

    /// Small 64-bit integers as floats: put them into the low bits of `2^52` and take that away again.
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn read_wide([low, high]: [__m256i; 2]) -> Each {
        let base = _mm256_set1_pd(4_503_599_627_370_496.0);
        let read = |counts| {
            let beside = _mm256_or_si256(counts, _mm256_castpd_si256(base));
            _mm256_sub_pd(_mm256_castsi256_pd(beside), base)
        };
        store(read(low), read(high))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn read_narrow([counts]: [__m256i; 1]) -> Each {
        let (low, high) = (
            _mm256_castsi256_si128(counts),
            _mm256_extracti128_si256::<1>(counts),
        );
        store(_mm256_cvtepi32_pd(low), _mm256_cvtepi32_pd(high))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn store(low: __m256d, high: __m256d) -> Each {
        let mut each = [0.0; LANES];
        _mm256_storeu_pd(each.as_mut_ptr(), low);
        _mm256_storeu_pd(each.as_mut_ptr().add(LANES / 2), high);
        each
    }
}

#[cfg(test)]
mod tests {
    use super::super::isa::{dispatch, tests::BASELINE_ONLY, Job};
    use super::*;
    use crate::testing::Rng;

    struct Both<'a, L>([L; LANES], &'a [L]);

    impl<L: Compare> Job for Both<'_, L> {
        type Output = [Each; 3];

        #[inline(always)]
        fn run<I: Isa>(self) -> [Each; 3] {
            let [below, up_to] = L::below_and_up_to::<I>(self.0, self.1);
            let each = L::each_below::<I, 2>([self.0; 2], self.1);
            assert_eq!(each, [below; 2]);
            [L::below::<I>(self.0, self.1), below, up_to]
        }
    }

    fn check<L: Compare>(values: &[L]) {
        let mut rng = Rng::new(30);
        let mut pick = || values[rng.below(values.len() as u64) as usize];
        for n in 0..if cfg!(miri) { 5 } else { 50 } {
            let group = std::array::from_fn(|_| pick());
            let others: Vec<L> = (0..n).map(|_| pick()).collect();
            let count = |below: &dyn Fn(L, L) -> bool| {
                group.map(|x| others.iter().filter(|&&other| below(other, x)).count() as f64)
            };
            let expected = [
                count(&|a, b| a < b),
                count(&|a, b| a < b),
                count(&|a, b| a <= b),
            ];
            for baseline in [true, false] {
                BASELINE_ONLY.with(|only| only.set(baseline));
                assert_eq!(dispatch(Both(group, &others)), expected);
            }
        }
    }

    #[test]
    fn every_lane_compares_as_it_says() {
        check(&[
            f64::NEG_INFINITY,
            -1.0,
            -5e-324,
            -0.0,
            0.0,
            5e-324,
            1.0,
            1.0 + f64::EPSILON,
            f64::INFINITY,
        ]);
        check(&[
            f32::NEG_INFINITY,
            -1.0,
            -0.0,
            0.0,
            f32::from_bits(1),
            1.0,
            f32::INFINITY,
        ]);
        check(&[i64::MIN, -1, 0, 1, 1 << 60, (1 << 60) + 1, i64::MAX]);
    }
}

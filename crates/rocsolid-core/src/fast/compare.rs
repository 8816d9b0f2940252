//! Counts of comparisons: four scores at once against each of some others.
//!
//! The compiler, left alone, would vectorise over the others and add up across vectors at the end, which costs more
//! than it gains for eight of them. So the few instructions that count are spelled out where they matter; the portable
//! form says what they do.

use super::isa::Isa;
use super::lane::Lane;
use super::precision::LANES;

/// The counts as integers, each below `2^31`.
#[inline(always)]
pub(crate) fn as_places(counts: Four) -> [usize; LANES] {
    // Beside 2^52 an integer stands in the low bits: cheaper than a conversion that minds overflow.
    counts.map(|count| (count + 4_503_599_627_370_496.0).to_bits() as u32 as usize)
}

/// One number for each of four scores.
pub(crate) type Four = [f64; LANES];

/// How many of the others lie below each of four scores.
#[inline(always)]
pub(crate) fn below_portable<L: Lane>(four: [L; LANES], others: &[L]) -> Four {
    let mut below = [0u32; LANES];
    for &other in others {
        for i in 0..LANES {
            below[i] += u32::from(other < four[i]);
        }
    }
    below.map(f64::from)
}

/// How many of the others lie below each of four scores, and how many lie below or are equal.
#[inline(always)]
pub(crate) fn below_and_up_to_portable<L: Lane>(four: [L; LANES], others: &[L]) -> [Four; 2] {
    let (mut below, mut up_to) = ([0u32; LANES], [0u32; LANES]);
    for &other in others {
        for i in 0..LANES {
            below[i] += u32::from(other < four[i]);
            up_to[i] += u32::from(other <= four[i]);
        }
    }
    [below.map(f64::from), up_to.map(f64::from)]
}

/// Lanes that know the instructions for it. Others number fewer than `2^31`.
pub trait Compare: Lane {
    /// See [`below_portable`].
    fn below<I: Isa>(four: [Self; LANES], others: &[Self]) -> Four;

    /// The same for several groups of four in one loop.
    fn each_below<I: Isa, const GROUPS: usize>(
        groups: [[Self; LANES]; GROUPS],
        others: &[Self],
    ) -> [Four; GROUPS];

    /// See [`below_and_up_to_portable`].
    fn below_and_up_to<I: Isa>(four: [Self; LANES], others: &[Self]) -> [Four; 2];
}

macro_rules! compare {
    ($lane:ty, $module:ident) => {
        impl Compare for $lane {
            #[inline(always)]
            fn below<I: Isa>(four: [Self; LANES], others: &[Self]) -> Four {
                #[cfg(target_arch = "x86_64")]
                if I::AVX2 {
                    // SAFETY: `dispatch` hands out an instruction set only if the processor has it.
                    #[allow(unsafe_code)]
                    return unsafe { avx2::$module::below(four, others) };
                }
                below_portable(four, others)
            }

            #[inline(always)]
            fn each_below<I: Isa, const GROUPS: usize>(
                groups: [[Self; LANES]; GROUPS],
                others: &[Self],
            ) -> [Four; GROUPS] {
                #[cfg(target_arch = "x86_64")]
                if I::AVX2 {
                    // SAFETY: as above.
                    #[allow(unsafe_code)]
                    return unsafe { avx2::$module::each_below(groups, others) };
                }
                groups.map(|four| below_portable(four, others))
            }

            #[inline(always)]
            fn below_and_up_to<I: Isa>(four: [Self; LANES], others: &[Self]) -> [Four; 2] {
                #[cfg(target_arch = "x86_64")]
                if I::AVX2 {
                    // SAFETY: as above.
                    #[allow(unsafe_code)]
                    return unsafe { avx2::$module::below_and_up_to(four, others) };
                }
                below_and_up_to_portable(four, others)
            }
        }
    };
}

compare!(f32, single);
compare!(f64, double);
compare!(i64, integer);

/// A mask of all ones is minus one: subtracting it counts.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx2 {
    use std::arch::x86_64::*;

    use super::{Four, LANES};

    /// The two functions, given how to load four scores, to repeat one, to compare, to count and to read the counter.
    macro_rules! counting {
        ($name:ident, $lane:ty, $load:expr, $repeat:expr, $below:expr, $up_to:expr, $zero:expr, $count:expr, $read:expr) => {
            pub(in super::super) mod $name {
                use super::*;

                /// # Safety
                /// The processor has AVX2.
                #[inline]
                #[target_feature(enable = "avx2")]
                pub unsafe fn below(four: [$lane; LANES], others: &[$lane]) -> Four {
                    let (four, mut below) = ($load(&four), $zero);
                    for other in others {
                        below = $count(below, $below($repeat(other), four));
                    }
                    $read(below)
                }

                /// # Safety
                /// The processor has AVX2.
                #[inline]
                #[target_feature(enable = "avx2")]
                pub unsafe fn each_below<const GROUPS: usize>(
                    groups: [[$lane; LANES]; GROUPS],
                    others: &[$lane],
                ) -> [Four; GROUPS] {
                    let (mut below, mut read) = ([$zero; GROUPS], [[0.0; LANES]; GROUPS]);
                    for other in others {
                        let other = $repeat(other);
                        for (below, group) in below.iter_mut().zip(&groups) {
                            *below = $count(*below, $below(other, $load(group)));
                        }
                    }
                    for (read, below) in read.iter_mut().zip(below) {
                        *read = $read(below);
                    }
                    read
                }

                /// # Safety
                /// The processor has AVX2.
                #[inline]
                #[target_feature(enable = "avx2")]
                pub unsafe fn below_and_up_to(four: [$lane; LANES], others: &[$lane]) -> [Four; 2] {
                    let (four, mut below, mut up_to) = ($load(&four), $zero, $zero);
                    for other in others {
                        let other = $repeat(other);
                        below = $count(below, $below(other, four));
                        up_to = $count(up_to, $up_to(other, four));
                    }
                    [$read(below), $read(up_to)]
                }
            }
        };
    }

    counting!(
        double,
        f64,
        |four: &[f64; LANES]| _mm256_loadu_pd(four.as_ptr()),
        |one: &f64| _mm256_set1_pd(*one),
        |a, b| _mm256_castpd_si256(_mm256_cmp_pd::<_CMP_LT_OQ>(a, b)),
        |a, b| _mm256_castpd_si256(_mm256_cmp_pd::<_CMP_LE_OQ>(a, b)),
        _mm256_setzero_si256(),
        |sum, mask| _mm256_sub_epi64(sum, mask),
        read_wide
    );
    counting!(
        integer,
        i64,
        |four: &[i64; LANES]| _mm256_loadu_si256(four.as_ptr().cast()),
        |one: &i64| _mm256_set1_epi64x(*one),
        |a, b| _mm256_cmpgt_epi64(b, a),
        |a, b| _mm256_or_si256(_mm256_cmpgt_epi64(b, a), _mm256_cmpeq_epi64(a, b)),
        _mm256_setzero_si256(),
        |sum, mask| _mm256_sub_epi64(sum, mask),
        read_wide
    );
    counting!(
        single,
        f32,
        |four: &[f32; LANES]| _mm_loadu_ps(four.as_ptr()),
        |one: &f32| _mm_set1_ps(*one),
        |a, b| _mm_castps_si128(_mm_cmplt_ps(a, b)),
        |a, b| _mm_castps_si128(_mm_cmple_ps(a, b)),
        _mm_setzero_si128(),
        |sum, mask| _mm_sub_epi32(sum, mask),
        |sum| store(_mm256_cvtepi32_pd(sum))
    );

    /// Small 64-bit integers as floats: put them into the low bits of `2^52` and take that away again.
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn read_wide(sum: __m256i) -> Four {
        let base = _mm256_set1_pd(4_503_599_627_370_496.0);
        let sum = _mm256_castsi256_pd(_mm256_or_si256(sum, _mm256_castpd_si256(base)));
        store(_mm256_sub_pd(sum, base))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn store(vector: __m256d) -> Four {
        let mut four = [0.0; LANES];
        _mm256_storeu_pd(four.as_mut_ptr(), vector);
        four
    }
}

#[cfg(test)]
mod tests {
    use super::super::isa::{dispatch, tests::BASELINE_ONLY, Job};
    use super::*;
    use crate::testing::Rng;

    struct Both<'a, L>([L; LANES], &'a [L]);

    impl<L: Compare> Job for Both<'_, L> {
        type Output = [Four; 3];

        #[inline(always)]
        fn run<I: Isa>(self) -> [Four; 3] {
            let [below, up_to] = L::below_and_up_to::<I>(self.0, self.1);
            let each = L::each_below::<I, 2>([self.0; 2], self.1);
            assert_eq!(each, [below; 2]);
            [L::below::<I>(self.0, self.1), below, up_to]
        }
    }

    fn check<L: Compare>(values: &[L]) {
        let mut rng = Rng::new(30);
        let mut pick = || values[rng.below(values.len() as u64) as usize];
        for n in 0..50 {
            let four = [pick(), pick(), pick(), pick()];
            let others: Vec<L> = (0..n).map(|_| pick()).collect();
            let count = |below: &dyn Fn(L, L) -> bool| {
                four.map(|x| others.iter().filter(|&&other| below(other, x)).count() as f64)
            };
            let expected = [
                count(&|a, b| a < b),
                count(&|a, b| a < b),
                count(&|a, b| a <= b),
            ];
            for baseline in [true, false] {
                BASELINE_ONLY.with(|only| only.set(baseline));
                assert_eq!(dispatch(Both(four, &others)), expected);
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

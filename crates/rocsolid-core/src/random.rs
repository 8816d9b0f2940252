//! Random numbers that depend on names, not on who asks when.
//!
//! Each replicate has a generator of its own, seeded by `(seed, replicate, purpose)`: replicate 17 is the same whether
//! 18 or 10,000 are drawn, on any number of threads. The generator is xoshiro256++ (Blackman & Vigna 2021, "Scrambled
//! linear pseudorandom number generators"); its state comes from splitmix64, as its authors recommend.

/// The step of splitmix64: 2^64 over the golden ratio.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The output function of splitmix64, a bijection.
#[inline]
fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// What a replicate's random numbers are for. Purposes do not disturb each other.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Purpose {
    /// Dealing draws to the urns of a collapsed sweep, or to rows.
    Deal = 0,
    /// Dealing the draws of a collapsed urn to what was collapsed.
    Refine = 1,
    /// Sampling keys before a sort, whose result does not depend on them.
    Sample = 2,
}

/// xoshiro256++.
#[derive(Debug, Clone)]
pub(crate) struct Random([u64; 4]);

impl Random {
    /// The generator of these names. Replicates of one seed never share a state: each step is a bijection.
    pub fn new(seed: u64, replicate: u64, purpose: Purpose) -> Self {
        let names = [seed, purpose as u64, replicate];
        Self::from_splitmix(
            names
                .iter()
                .fold(0, |hash: u64, name| mix((hash ^ name).wrapping_add(GOLDEN))),
        )
    }

    fn from_splitmix(mut state: u64) -> Self {
        Random(std::array::from_fn(|_| {
            state = state.wrapping_add(GOLDEN);
            mix(state)
        }))
    }

    /// 64 random bits.
    #[inline]
    pub fn next(&mut self) -> u64 {
        let s = &mut self.0;
        let out = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        out
    }

    /// A float in `[0, 1)`, a multiple of 2^-53.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 * (1.0 / 9_007_199_254_740_992.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn xoshiro_gives_the_published_numbers() {
        // The authors' C code with the state 1, 2, 3, 4.
        let mut random = Random([1, 2, 3, 4]);
        for expected in [
            41_943_041,
            58_720_359,
            3_588_806_011_781_223,
            3_591_011_842_654_386,
            9_228_616_714_210_784_205,
            9_973_669_472_204_895_162,
            14_011_001_112_246_962_877,
            12_406_186_145_184_390_807,
            15_849_039_046_786_891_736,
            10_450_023_813_501_588_000,
        ] {
            assert_eq!(random.next(), expected);
        }
    }

    #[test]
    fn splitmix_gives_the_published_numbers() {
        // The authors' C code with the seed 1477776061723855037.
        assert_eq!(
            Random::from_splitmix(1_477_776_061_723_855_037).0,
            [
                1_985_237_415_132_408_290,
                2_979_275_885_539_914_483,
                13_511_426_838_097_143_398,
                8_488_337_342_461_049_707,
            ]
        );
    }

    #[test]
    fn every_name_matters() {
        let mut seen = HashSet::new();
        for seed in 0..20 {
            for replicate in 0..20 {
                for purpose in [Purpose::Deal, Purpose::Refine] {
                    assert!(seen.insert(Random::new(seed, replicate, purpose).next()));
                }
            }
        }
    }

    #[test]
    fn units_fill_the_interval_evenly() {
        let mut random = Random::new(1, 2, Purpose::Deal);
        let mut bins = [0u32; 10];
        for _ in 0..100_000 {
            bins[(random.unit() * 10.0) as usize] += 1;
        }
        assert!(bins.iter().all(|&n| n.abs_diff(10_000) < 500), "{bins:?}");
    }
}

//! Poisson random numbers, for any whole mean.
//!
//! A small mean: walk up the distribution function. A large one: the transformed rejection with squeeze PTRS of
//! Hoermann 1993, "The transformed rejection method for generating Poisson random variables".

use crate::binomial::stirling_tail;
use crate::random::Random;

/// From this mean on, rejection is used; PTRS needs at least 10.
const MANY: u64 = 10;

/// No walk goes further: with a mean below 10, the chance to come here is below 1e-90.
const WALK_END: u64 = 128;

/// How many events happen where `mean` are expected.
pub(crate) fn poisson(random: &mut Random, mean: u64) -> u64 {
    if mean < MANY {
        walk(random, mean as f64)
    } else {
        reject(random, mean as f64)
    }
}

/// Inversion: subtracts the probabilities of 0, 1, 2, ... from a uniform number until it is used up.
fn walk(random: &mut Random, mean: f64) -> u64 {
    loop {
        let (mut left, mut chance, mut k) = (random.unit(), (-mean).exp(), 0);
        while left >= chance && k < WALK_END {
            left -= chance;
            k += 1;
            chance *= mean / k as f64;
        }
        if k < WALK_END {
            return k;
        }
    }
}

/// PTRS, in the names of the paper.
fn reject(random: &mut Random, mean: f64) -> u64 {
    let b = 0.931 + 2.53 * mean.sqrt();
    let a = -0.059 + 0.02483 * b;
    let inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
    let v_r = 0.9277 - 3.6224 / (b - 2.0);
    loop {
        // v is above 0, so nothing less likely than 2^-53 is ever taken.
        let (u, v) = (random.unit() - 0.5, 1.0 - random.unit());
        let us = 0.5 - u.abs();
        let k = ((2.0 * a / us + b) * u + mean + 0.43).floor();
        // us is 0 with u = -1/2: then k is minus infinity.
        if k < 0.0 {
            continue;
        }
        let squeezed = us >= 0.07 && v <= v_r;
        if squeezed || (v * inverse_alpha / (a / (us * us) + b)).ln() <= log_chance(mean, k) {
            return k as u64;
        }
    }
}

/// The logarithm of `mean^k exp(-mean) / k!`, by Stirling's series: what is large cancels before it is rounded.
fn log_chance(mean: f64, k: f64) -> f64 {
    let excess = mean - (k + 1.0);
    k * (excess / (k + 1.0)).ln_1p()
        - excess
        - 0.5 * (2.0 * std::f64::consts::PI * (k + 1.0)).ln()
        - stirling_tail(k)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Purpose;

    #[test]
    fn chances_are_those_of_the_formula() {
        for mean in [1.0, 10.0, 50.0] {
            let mut log_p = -mean;
            for k in 0..120 {
                let k = f64::from(k);
                assert!((log_chance(mean, k) - log_p).abs() < 1e-8, "{mean} {k}");
                log_p += (mean / (k + 1.0)).ln();
            }
        }
        // At the mode of a large mean: 1 / sqrt(2 pi mean), and its neighbour is as likely.
        let mean = 1e12;
        let expected = -0.5 * (2.0 * std::f64::consts::PI * mean).ln();
        assert!((log_chance(mean, mean) - expected).abs() < 1e-9);
        assert!((log_chance(mean, mean - 1.0) - expected).abs() < 1e-9);
    }

    /// Chi-square of 200,000 draws against the exact probabilities, cells of small expectation put together.
    #[test]
    fn draws_follow_the_distribution() {
        const DRAWS: u32 = 200_000;
        for mean in [1, 3, 9, 10, 17, 200, 5000] {
            let mut seen = vec![0u32; 2 * mean as usize + 100];
            let mut random = Random::new(mean, 8, Purpose::Deal);
            for _ in 0..DRAWS {
                seen[poisson(&mut random, mean) as usize] += 1;
            }
            let (mut log_p, mut statistic, mut cells) = (-(mean as f64), 0.0, -1f64);
            let mut pool = (0.0, 0.0);
            for (k, &seen) in seen.iter().enumerate() {
                pool = (
                    pool.0 + log_p.exp() * f64::from(DRAWS),
                    pool.1 + f64::from(seen),
                );
                log_p += (mean as f64 / (k + 1) as f64).ln();
                if pool.0 > 20.0 {
                    statistic += (pool.1 - pool.0).powi(2) / pool.0;
                    cells += 1.0;
                    pool = (0.0, 0.0);
                }
            }
            // Mean `cells`, variance twice that: five standard deviations.
            let most = cells + 5.0 * (2.0 * cells).sqrt() + 5.0;
            assert!(statistic < most, "{mean}: {statistic} on {cells}");
        }
    }

    #[test]
    fn none_and_huge_numbers() {
        let mut random = Random::new(5, 5, Purpose::Deal);
        assert!((0..100).all(|_| poisson(&mut random, 0) == 0));
        for mean in [1u64 << 40, 1 << 62] {
            let sd = (mean as f64).sqrt();
            let z: Vec<f64> = (0..4000)
                .map(|_| (poisson(&mut random, mean) as f64 - mean as f64) / sd)
                .collect();
            let (sum, square) = (z.iter().sum::<f64>(), z.iter().map(|z| z * z).sum::<f64>());
            assert!((sum / 4000.0).abs() < 5.0 / 4000f64.sqrt());
            assert!((square / 4000.0 - 1.0).abs() < 5.0 * (2.0 / 4000f64).sqrt());
        }
    }
}

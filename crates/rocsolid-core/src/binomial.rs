//! Binomial random numbers, for any number of trials.
//!
//! Few expected successes: walk up the distribution function. Many: the transformed rejection with squeeze BTRS of
//! Hoermann 1993, "The generation of binomial random variates", which needs about 1.15 pairs of uniforms.

use crate::random::Random;

/// From this many expected successes on, rejection is used; BTRS needs at least 10.
const MANY: f64 = 10.0;

/// No walk goes further: with a mean below 10, the chance to come here is below 1e-90.
const WALK_END: u64 = 128;

/// How many of `trials` draws, each from `whole` rows, hit one of `part` of them. `part` is at most `whole`.
pub(crate) fn binomial(random: &mut Random, trials: u64, part: u64, whole: u64) -> u64 {
    let rest = whole.saturating_sub(part);
    if rest == 0 {
        return trials;
    }
    if part > rest {
        return trials - binomial(random, trials, rest, whole);
    }
    if trials == 0 || part == 0 {
        return 0;
    }
    let p = part as f64 / whole as f64;
    if trials as f64 * p < MANY {
        walk(random, trials, p)
    } else {
        reject(random, trials, p)
    }
}

/// Inversion: subtracts the probabilities of 0, 1, 2, ... from a uniform number until it is used up.
fn walk(random: &mut Random, trials: u64, p: f64) -> u64 {
    let n = trials as f64;
    let odds = p / (1.0 - p);
    let of_none = (n * (-p).ln_1p()).exp();
    loop {
        let (mut left, mut chance, mut x) = (random.unit(), of_none, 0);
        while left >= chance && x < trials && x < WALK_END {
            left -= chance;
            x += 1;
            chance *= odds * ((n + 1.0) / x as f64 - 1.0);
        }
        if x < WALK_END {
            return x;
        }
    }
}

/// BTRS, in the names of the paper. Needs `p <= 1/2` and `n p >= 10`.
fn reject(random: &mut Random, trials: u64, p: f64) -> u64 {
    let n = trials as f64;
    let spread = (n * p * (1.0 - p)).sqrt();
    let b = 1.15 + 2.53 * spread;
    let a = -0.0873 + 0.0248 * b + 0.01 * p;
    let c = n * p + 0.5;
    let v_r = 0.92 - 4.2 / b;
    loop {
        let (u, v) = (random.unit() - 0.5, random.unit());
        let us = 0.5 - u.abs();
        let k = ((2.0 * a / us + b) * u + c).floor();
        // us is 0 with u = -1/2: then k is minus infinity.
        if !(0.0..=n).contains(&k) {
            continue;
        }
        let squeezed = us >= 0.07 && v <= v_r;
        let alpha = (2.83 + 5.1 / b) * spread;
        if squeezed || (v * alpha / (a / (us * us) + b)).ln() <= log_ratio(n, p, k) {
            return (k as u64).min(trials);
        }
    }
}

/// The logarithm of the probability of `k` over that of the mode.
fn log_ratio(n: f64, p: f64, k: f64) -> f64 {
    let mode = ((n + 1.0) * p).floor();
    let odds = p / (1.0 - p);
    let (above, above_mode) = (n - k + 1.0, n - mode + 1.0);
    (mode + 0.5) * ((mode + 1.0) / (odds * above_mode)).ln()
        + (n + 1.0) * (above_mode / above).ln()
        + (k + 0.5) * (odds * above / (k + 1.0)).ln()
        + stirling_tail(mode)
        + stirling_tail(n - mode)
        - stirling_tail(k)
        - stirling_tail(n - k)
}

/// `ln k!` less `ln sqrt(2 pi) + (k + 1/2) ln(k + 1) - (k + 1)`.
pub(crate) fn stirling_tail(k: f64) -> f64 {
    const SMALL: [f64; 10] = [
        0.081_061_466_795_327_26,
        0.041_340_695_955_409_29,
        0.027_677_925_684_998_34,
        0.020_790_672_103_765_09,
        0.016_644_691_189_821_19,
        0.013_876_128_823_070_75,
        0.011_896_709_945_891_77,
        0.010_411_265_261_972_09,
        0.009_255_462_182_712_733,
        0.008_330_563_433_362_87,
    ];
    if k < 10.0 {
        return SMALL[k as usize];
    }
    let square = (k + 1.0) * (k + 1.0);
    (1.0 / 12.0 - (1.0 / 360.0 - 1.0 / 1260.0 / square) / square) / (k + 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Purpose;

    #[test]
    fn the_tail_of_stirlings_series() {
        let half_log_two_pi = 0.5 * (2.0 * std::f64::consts::PI).ln();
        let mut log_factorial = 0.0;
        for k in 0..60 {
            log_factorial += f64::from(k.max(1)).ln();
            let k = f64::from(k);
            let series = half_log_two_pi + (k + 0.5) * (k + 1.0).ln() - (k + 1.0);
            assert!(
                (stirling_tail(k) - (log_factorial - series)).abs() < 1e-9,
                "{k}"
            );
        }
    }

    #[test]
    fn certain_outcomes() {
        let mut random = Random::new(1, 1, Purpose::Deal);
        for trials in [0, 1, 1000, u64::MAX] {
            assert_eq!(binomial(&mut random, trials, 0, 5), 0);
            assert_eq!(binomial(&mut random, trials, 5, 5), trials);
        }
        assert_eq!(binomial(&mut random, 0, 1, 2), 0);
    }

    /// Chi-square of 200,000 draws against the exact probabilities, cells of small expectation put together.
    fn chi_square(trials: u64, part: u64, whole: u64) -> (f64, f64) {
        const DRAWS: u32 = 200_000;
        let p = part as f64 / whole as f64;
        let mut seen = vec![0.0; trials as usize + 1];
        let mut random = Random::new(trials, part * 1000 + whole, Purpose::Deal);
        for _ in 0..DRAWS {
            seen[binomial(&mut random, trials, part, whole) as usize] += 1.0;
        }
        let (mut log_choose, n) = (0.0, trials as f64);
        let (mut statistic, mut cells, mut pool) = (0.0, -1.0, (0.0, 0.0));
        for (k, &seen) in seen.iter().enumerate() {
            let k = k as f64;
            let log_p = log_choose + k * p.ln() + (n - k) * (1.0 - p).ln();
            pool = (pool.0 + log_p.exp() * f64::from(DRAWS), pool.1 + seen);
            log_choose += ((n - k) / (k + 1.0)).ln();
            if pool.0 > 20.0 {
                statistic += (pool.1 - pool.0).powi(2) / pool.0;
                cells += 1.0;
                pool = (0.0, 0.0);
            }
        }
        (statistic, cells)
    }

    #[test]
    fn draws_follow_the_distribution() {
        let cases = [
            (1, 1, 3),
            (9, 1, 2),
            (50, 1, 50),
            (1000, 1, 150),
            (21, 10, 21),
            (40, 1, 4),
            (40, 3, 4),
            (500, 7, 100),
            (3000, 1, 3),
            (3000, 2999, 3000),
        ];
        for (trials, part, whole) in cases {
            let (statistic, cells) = chi_square(trials, part, whole);
            // Mean `cells`, variance twice that: five standard deviations.
            assert!(
                statistic < cells + 5.0 * (2.0 * cells).sqrt() + 5.0,
                "{trials} {part}/{whole}: {statistic} on {cells}"
            );
        }
    }

    #[test]
    fn huge_numbers_of_trials() {
        let mut random = Random::new(3, 3, Purpose::Deal);
        for trials in [1u64 << 40, 1 << 62] {
            let sd = (trials as f64 * 0.21).sqrt();
            let z = |k: u64| (k as f64 - 0.3 * trials as f64) / sd;
            let mean: f64 = (0..4000)
                .map(|_| z(binomial(&mut random, trials, 3, 10)))
                .sum::<f64>()
                / 4000.0;
            assert!(mean.abs() < 5.0 / 4000f64.sqrt(), "{mean}");
        }
    }
}

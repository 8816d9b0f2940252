//! How many rows a bootstrap replicate draws.

/// How many draws a replicate makes.
///
/// As many as there are rows is what a bootstrap means, and the default. [`Scheme::Poisson`] lets each row be drawn a
/// number of times of its own, with mean and variance 1, as a stream must, which does not know how many rows will come.
/// Given their total, such numbers are multinomial; so it is enough to draw the total. It varies by its square root,
/// which a ratio of counts does not notice, but a count does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    /// As many as there are rows.
    Multinomial,
    /// From each class as many as it has rows.
    Stratified,
    /// A Poisson number with the rows as its mean.
    Poisson,
}

impl Scheme {
    /// The one with this name, in small letters.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "multinomial" => Some(Scheme::Multinomial),
            "stratified" => Some(Scheme::Stratified),
            "poisson" => Some(Scheme::Poisson),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deal::{tests::drawn, Deal, Urn};
    use crate::error::Error;
    use crate::random::{Purpose, Random};

    /// Each row's count is a Poisson number of its own: mean and variance 1, the right share of each number, and no
    /// covariance, within a part and across.
    #[test]
    fn poisson_draws_of_rows_are_independent() {
        const ROWS: usize = 3000;
        const DRAWS: u64 = 2000;
        let urn = |slot| Urn {
            slot,
            positive: slot % 2 == 0,
            rows: 1,
        };
        let deal = Deal::new((0..ROWS).map(urn), ROWS, Scheme::Poisson).unwrap();
        let (mut shares, mut of_sum) = ([0.0; 4], 0.0);
        let [mut mean, mut square, mut neighbours, mut strangers] = [0.0; 4];
        let all = (ROWS as u64 * DRAWS) as f64;
        for replicate in 0..DRAWS {
            let counts: Vec<u32> = drawn(&deal, &mut Random::new(7, replicate, Purpose::Deal));
            for (i, &n) in counts.iter().enumerate() {
                if n < 4 {
                    shares[n as usize] += 1.0 / all;
                }
                let off = |i: usize| f64::from(counts[i % ROWS]) - 1.0;
                mean += off(i) / all;
                square += off(i) * off(i) / all;
                neighbours += off(i) * off(i + 1) / all;
                strangers += off(i) * off(i + ROWS / 2) / all;
            }
            let total = f64::from(counts.iter().sum::<u32>()) - ROWS as f64;
            of_sum += total * total / ROWS as f64 / DRAWS as f64;
        }
        let near = |x: f64, expected: f64, variance: f64| {
            (x - expected).abs() < 5.0 * (variance / all).sqrt()
        };
        let p = (-1f64).exp();
        for (share, expected) in shares.into_iter().zip([p, p, p / 2.0, p / 6.0]) {
            assert!(near(share, expected, expected), "{share} {expected}");
        }
        assert!(
            near(mean, 0.0, 1.0) && near(square, 1.0, 3.0),
            "{mean} {square}"
        );
        assert!(
            near(neighbours, 0.0, 1.0) && near(strangers, 0.0, 2.0),
            "{neighbours} {strangers}"
        );
        assert!(
            (of_sum - 1.0).abs() < 5.0 * (2.0 / DRAWS as f64).sqrt(),
            "{of_sum}"
        );
    }

    #[test]
    fn schemes_have_names() {
        let names = ["multinomial", "stratified", "poisson"].map(Scheme::named);
        let all = [Scheme::Multinomial, Scheme::Stratified, Scheme::Poisson];
        assert_eq!(names, all.map(Some));
        assert_eq!(Scheme::named("Poisson"), None);
    }

    #[test]
    fn more_draws_than_can_be_counted() {
        let urn = |rows| Urn {
            slot: 0,
            positive: true,
            rows,
        };
        let deal = |scheme| Deal::new([urn(1 << 63)].into_iter(), 1, scheme);
        assert!(deal(Scheme::Multinomial).is_ok());
        assert_eq!(deal(Scheme::Poisson).err(), Some(Error::CountOverflow));
    }
}

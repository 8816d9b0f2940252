//! Scores as unsigned integers in the same order.
//!
//! Sorting, comparing and finding ties all work on integer *keys*. Equal scores have equal keys and a larger score
//! has a larger key, so nothing is lost: not one ulp, not a subnormal, not the difference of `2^60` and `2^60 + 1`.
//!
//! An IEEE float is sign and magnitude: read as an integer, positive floats are already in order and negative ones
//! are in reverse. Setting the sign bit of the former and flipping all bits of the latter lines them up.

use std::ops::Not;

use crate::error::{Error, Result};
use crate::fast::compare::Compare;

/// An order-preserving stand-in for a score.
pub trait Key: Ord + Copy + Send + Sync + Default + Not<Output = Self> {}

impl Key for u32 {}
impl Key for u64 {}

/// A type of score.
pub trait Score: Copy + Send + Sync + 'static {
    /// The unsigned integer that sorts as the score does.
    type Key: Key;

    /// The number of the same width and order that the processor compares directly.
    type Lane: Compare;

    /// The key. `-0.0` and `0.0` share one; a NaN has none, so ask [`Score::is_nan`] first.
    fn to_key(self) -> Self::Key;

    /// The score with this key: exactly the one that went in, but `0.0` for `-0.0`.
    fn from_key(key: Self::Key) -> Self;

    /// Whether the score has no place in the order.
    fn is_nan(self) -> bool;

    /// The lane. Equal scores have equal lanes, a higher score a higher one, and a NaN stays one.
    fn lane(self) -> Self::Lane;

    /// The score with this lane: exactly the one that went in, but `0.0` for `-0.0`.
    fn of_lane(lane: Self::Lane) -> Self;
}

macro_rules! float_score {
    ($float:ty, $key:ty) => {
        impl Score for $float {
            type Key = $key;
            type Lane = $float;

            #[inline]
            fn to_key(self) -> $key {
                const SIGN: $key = 1 << (<$key>::BITS - 1);
                // On bits, not by adding 0.0: a host that flushes subnormals to zero must not reach us.
                match self.to_bits() {
                    SIGN => SIGN,
                    bits if bits & SIGN == 0 => bits | SIGN,
                    bits => !bits,
                }
            }

            #[inline]
            fn from_key(key: $key) -> $float {
                const SIGN: $key = 1 << (<$key>::BITS - 1);
                <$float>::from_bits(if key & SIGN == 0 { !key } else { key ^ SIGN })
            }

            #[inline]
            fn is_nan(self) -> bool {
                self.is_nan()
            }

            #[inline(always)]
            fn lane(self) -> $float {
                self
            }

            #[inline(always)]
            fn of_lane(lane: $float) -> $float {
                const SIGN: $key = 1 << (<$key>::BITS - 1);
                let bits = lane.to_bits();
                <$float>::from_bits(if bits == SIGN { 0 } else { bits })
            }
        }
    };
}

float_score!(f32, u32);
float_score!(f64, u64);

impl Score for i64 {
    type Key = u64;
    type Lane = i64;

    #[inline]
    fn to_key(self) -> u64 {
        // Two's complement with the sign bit flipped counts up from i64::MIN.
        (self as u64) ^ (1 << 63)
    }

    #[inline]
    fn from_key(key: u64) -> i64 {
        (key ^ (1 << 63)) as i64
    }

    #[inline]
    fn is_nan(self) -> bool {
        false
    }

    #[inline(always)]
    fn lane(self) -> i64 {
        self
    }

    #[inline(always)]
    fn of_lane(lane: i64) -> i64 {
        lane
    }
}

impl Score for u64 {
    type Key = u64;
    type Lane = i64;

    #[inline]
    fn to_key(self) -> u64 {
        self
    }

    #[inline]
    fn from_key(key: u64) -> u64 {
        key
    }

    #[inline]
    fn is_nan(self) -> bool {
        false
    }

    #[inline(always)]
    fn lane(self) -> i64 {
        (self ^ (1 << 63)) as i64
    }

    #[inline(always)]
    fn of_lane(lane: i64) -> u64 {
        (lane as u64) ^ (1 << 63)
    }
}

/// Which way is strict. Keys in this direction, sorted upwards, run from the strictest threshold to the most lenient.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Direction {
    /// High scores are strict: `score >= t` predicts positive.
    pub descending: bool,
}

impl Direction {
    /// The key that sorts strict to lenient, or [`Error::Nan`].
    #[inline]
    pub fn key<S: Score>(self, score: S) -> Result<S::Key> {
        if score.is_nan() {
            return Err(Error::Nan);
        }
        Ok(self.flip(score.to_key()))
    }

    /// The score of a key made by [`Direction::key`].
    #[inline]
    pub fn score<S: Score>(self, key: S::Key) -> S {
        S::from_key(self.flip(key))
    }

    #[inline]
    fn flip<K: Key>(self, key: K) -> K {
        if self.descending {
            !key
        } else {
            key
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LADDER: [f64; 15] = [
        f64::NEG_INFINITY,
        f64::MIN,
        -1.0000000000000002,
        -1.0,
        -f64::MIN_POSITIVE,
        -1e-323,
        -5e-324,
        0.0,
        5e-324,
        1e-323,
        f64::MIN_POSITIVE,
        1.0,
        1.0000000000000002,
        f64::MAX,
        f64::INFINITY,
    ];

    /// Keys rise strictly along the ladder and lead back to its scores.
    fn check<S: Score + PartialEq + std::fmt::Debug>(ladder: &[S]) {
        assert!(ladder.windows(2).all(|s| s[0].to_key() < s[1].to_key()));
        for &score in ladder {
            assert!(!score.is_nan());
            assert_eq!(S::of_lane(score.lane()), score);
            for descending in [false, true] {
                let direction = Direction { descending };
                assert_eq!(direction.score::<S>(direction.key(score).unwrap()), score);
            }
        }
    }

    #[test]
    fn keys_keep_the_order() {
        check(&LADDER);
        let tiny = f32::from_bits(1);
        check(&[
            f32::NEG_INFINITY,
            -1.0,
            -tiny,
            0.0,
            tiny,
            1.0,
            f32::MAX,
            f32::INFINITY,
        ]);
        check(&[i64::MIN, -1, 0, 1, 1 << 60, (1 << 60) + 1, i64::MAX]);
        check(&[0, 1, 1 << 60, (1 << 60) + 1, u64::MAX]);
    }

    #[test]
    fn the_two_zeros_are_one_score() {
        assert_eq!((-0.0f64).to_key(), 0.0f64.to_key());
        assert_eq!((-0.0f32).to_key(), 0.0f32.to_key());
        assert!(f64::from_key((-0.0f64).to_key()).is_sign_positive());
        assert!(f64::of_lane(-0.0).is_sign_positive() && f32::of_lane(-0.0).is_sign_positive());
    }

    #[test]
    fn strict_comes_first() {
        let high = Direction { descending: true };
        assert!(high.key(2.0).unwrap() < high.key(1.0).unwrap());
        let low = Direction { descending: false };
        assert!(low.key(1.0).unwrap() < low.key(2.0).unwrap());
    }

    #[test]
    fn nan_has_no_place() {
        let direction = Direction { descending: true };
        assert_eq!(direction.key(f64::NAN), Err(Error::Nan));
        assert_eq!(direction.key(-f32::NAN), Err(Error::Nan));
    }
}

//! What the fast path computes with: scores in a form that the processor compares directly.

use super::scratch::Plain;

/// A number that vector instructions compare: a float as it is, or a signed integer.
///
/// Nothing here is widened: a `f32` stays four bytes, and `2^60` and `2^60 + 1` stay apart.
pub trait Lane: Plain + Default + PartialOrd + Send + Sync + 'static {
    /// Whether it has no place in the order.
    fn is_nan(self) -> bool;

    /// An integer in the same order; the two zeros share one. Two lanes are equal if and only if these are.
    fn order(self) -> i64;

    /// The lane of an order; `0.0` for that of the zeros.
    fn of_order(order: i64) -> Self;

    /// The nearest float, for positions only: never decreasing, but neighbours may share one.
    fn number(self) -> f64;
}

macro_rules! float_lane {
    ($float:ty, $signed:ty) => {
        impl Lane for $float {
            #[inline(always)]
            fn is_nan(self) -> bool {
                self.is_nan()
            }

            #[inline(always)]
            fn order(self) -> i64 {
                // Sign and magnitude to two's complement, as in `Score::to_key`, with zero in the middle.
                let bits = self.to_bits() as $signed;
                let bits = if bits == <$signed>::MIN { 0 } else { bits };
                i64::from(bits ^ ((bits >> (<$signed>::BITS - 1)) & <$signed>::MAX))
            }

            #[inline(always)]
            fn of_order(order: i64) -> Self {
                // The flip undoes itself.
                let order = order as $signed;
                let bits = order ^ ((order >> (<$signed>::BITS - 1)) & <$signed>::MAX);
                Self::from_bits(bits as _)
            }

            #[inline(always)]
            fn number(self) -> f64 {
                f64::from(self)
            }
        }
    };
}

float_lane!(f32, i32);
float_lane!(f64, i64);

impl Lane for i64 {
    #[inline(always)]
    fn is_nan(self) -> bool {
        false
    }

    #[inline(always)]
    fn order(self) -> i64 {
        self
    }

    #[inline(always)]
    fn of_order(order: i64) -> i64 {
        order
    }

    #[inline(always)]
    fn number(self) -> f64 {
        self as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<L: Lane>(ladder: &[L]) {
        for pair in ladder.windows(2) {
            assert!(pair[0] < pair[1] && pair[0].order() < pair[1].order());
            assert!(pair[0].number() <= pair[1].number());
            assert!(L::of_order(pair[0].order()) == pair[0]);
            assert!(L::of_order(pair[1].order()) == pair[1]);
        }
    }

    #[test]
    fn orders_rise() {
        let tiny = f64::from_bits(1);
        check(&[
            f64::NEG_INFINITY,
            f64::MIN,
            -1.0,
            -tiny,
            0.0,
            tiny,
            1.0,
            f64::MAX,
            f64::INFINITY,
        ]);
        let tiny = f32::from_bits(1);
        check(&[
            f32::NEG_INFINITY,
            f32::MIN,
            -1.0,
            -tiny,
            0.0,
            tiny,
            1.0,
            f32::MAX,
            f32::INFINITY,
        ]);
        check(&[i64::MIN, -1, 0, 1 << 60, (1 << 60) + 1, i64::MAX]);
    }

    #[test]
    fn zeros_are_one() {
        assert_eq!((-0.0f64).order(), 0.0f64.order());
        assert_eq!((-0.0f32).order(), 0.0f32.order());
    }
}

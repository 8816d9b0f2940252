//! Monotone maps from scores to cells and from cells to buckets.
//!
//! A map may be as crude as it likes, as long as it never decreases: then equal scores share a bucket, a score in a
//! higher bucket is higher, and every answer stays exact. A crude map only costs time.

use super::lane::Lane;

/// Cells of a map; a power of two, so that a mask proves an index.
pub(crate) const CELLS: usize = 1 << 13;
/// Buckets at most: more write streams than this and the processor loses track of them.
pub(crate) const MOST_BUCKETS: usize = 1 << 10;

/// The cell of a score: monotone, below [`CELLS`], and anything at all for a NaN.
pub(crate) trait Cells<L: Lane>: Copy + Sync {
    fn cell(&self, lane: L) -> u32;
}

/// `floor((number - low) * scale)`, kept in `0 ..= last`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Affine {
    low: f64,
    scale: f64,
    last: f64,
}

impl Affine {
    /// Spreads `low ..= high` over `cells` cells. None if the span is no positive, finite number, or so small that
    /// its inverse is none.
    pub fn over(low: f64, high: f64, cells: u32) -> Option<Self> {
        let scale = f64::from(cells) / (high - low);
        let usable = cells < 1 << 30 && low.is_finite() && scale.is_finite() && scale > 0.0;
        usable.then(|| Affine {
            low,
            scale,
            last: f64::from(cells.saturating_sub(1)),
        })
    }
}

impl<L: Lane> Cells<L> for Affine {
    #[inline(always)]
    fn cell(&self, lane: L) -> u32 {
        let position = (lane.number() - self.low) * self.scale;
        // Written so that a NaN becomes 0.
        let position = if position > 0.0 { position } else { 0.0 };
        let position = if position < self.last {
            position
        } else {
            self.last
        };
        // SAFETY: no NaN, and between 0 and `last`, which is below 2^30 (see `over`).
        #[allow(unsafe_code)]
        unsafe {
            position.to_int_unchecked::<i32>() as u32
        }
    }
}

/// `(order - low) >> shift`, kept in `0 ..= last`: for floats nearly a logarithm.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bits {
    low: i64,
    shift: u32,
    last: u32,
}

impl Bits {
    /// Spreads `low ..= high` over at most `cells` cells.
    pub fn over(low: i64, high: i64, cells: u32) -> Self {
        let (span, last) = (high.wrapping_sub(low) as u64, cells.saturating_sub(1));
        let narrow = |shift: &u32| span >> shift <= u64::from(last);
        let shift = (0..63).find(narrow).unwrap_or(63);
        Bits { low, shift, last }
    }
}

impl<L: Lane> Cells<L> for Bits {
    #[inline(always)]
    fn cell(&self, lane: L) -> u32 {
        let above = lane.order().max(self.low).wrapping_sub(self.low) as u64;
        (above >> self.shift).min(u64::from(self.last)) as u32
    }
}

/// The number of splitters below the score, by halving: for data that no formula spreads.
#[derive(Clone, Copy)]
pub(crate) struct Splitters<'a, L, const PLACES: usize> {
    /// Strictly rising. All but the last of `PLACES`, a power of two, may be used; spare ones repeat the highest.
    sorted: &'a [L; MOST_BUCKETS],
}

impl<'a, L: Lane, const PLACES: usize> Splitters<'a, L, PLACES> {
    pub fn new(sorted: &'a [L; MOST_BUCKETS]) -> Self {
        Splitters { sorted }
    }
}

impl<L: Lane, const PLACES: usize> Cells<L> for Splitters<'_, L, PLACES> {
    #[inline(always)]
    fn cell(&self, lane: L) -> u32 {
        let (mut below, mut step) = (0, PLACES / 2);
        while step > 0 {
            // Without a branch, which nobody could predict.
            below +=
                step * usize::from(self.sorted[(below + step - 1) & (MOST_BUCKETS - 1)] < lane);
            step /= 2;
        }
        below as u32
    }
}

/// Pads at most `MOST_BUCKETS - 1` rising splitters to a full tree.
pub(crate) fn padded<L: Lane>(rising: &[L]) -> Option<Box<[L; MOST_BUCKETS]>> {
    let highest = *rising.last()?;
    let mut all = Box::new([highest; MOST_BUCKETS]);
    all[..rising.len().min(MOST_BUCKETS)]
        .copy_from_slice(&rising[..rising.len().min(MOST_BUCKETS)]);
    Some(all)
}

/// Everything in one cell.
#[derive(Clone, Copy)]
pub(crate) struct Single;

impl<L: Lane> Cells<L> for Single {
    #[inline(always)]
    fn cell(&self, _: L) -> u32 {
        0
    }
}

/// The bucket of each cell: never decreasing.
pub(crate) type BucketOfCell = [u16; CELLS];

#[cfg(test)]
mod tests {
    use super::*;

    const LADDER: [f64; 12] = [
        f64::NEG_INFINITY,
        f64::MIN,
        -3.0,
        -5e-324,
        -0.0,
        0.0,
        5e-324,
        0.1,
        2.9999999999999996,
        3.0,
        1e300,
        f64::INFINITY,
    ];

    fn check(map: impl Cells<f64>, cells: u32) {
        let found: Vec<u32> = LADDER.iter().map(|&x| map.cell(x)).collect();
        assert!(found.windows(2).all(|c| c[0] <= c[1]), "{found:?}");
        assert!(found.iter().all(|&c| c < cells));
        assert_eq!(found[4], found[5]); // the two zeros
        assert!(map.cell(f64::NAN) < cells);
    }

    #[test]
    fn maps_never_decrease() {
        for cells in [1, 2, 100, CELLS as u32] {
            check(Affine::over(-3.0, 3.0, cells).unwrap(), cells);
            check(Affine::over(0.0, 5e-300, cells).unwrap(), cells);
            check(Bits::over((-3.0f64).order(), 3.0f64.order(), cells), cells);
            check(Bits::over(i64::MIN, i64::MAX, cells), cells);
            check(Bits::over(7, 7, cells), cells);
        }
        let sorted = padded(&[-3.0, 0.0, 0.1, 3.0]).unwrap();
        check(Splitters::<_, 8>::new(&sorted), 8);
        check(
            Splitters::<_, MOST_BUCKETS>::new(&sorted),
            MOST_BUCKETS as u32,
        );
    }

    #[test]
    fn maps_spread_what_they_were_made_for() {
        let affine = Affine::over(0.0, 1.0, 100).unwrap();
        assert_eq!(
            [0.0, 0.005, 0.999, 1.0].map(|x: f64| affine.cell(x)),
            [0, 0, 99, 99]
        );
        let bits = Bits::over(1000, 1999, 1000);
        assert_eq!(
            [999i64, 1000, 1500, 1999, 5000].map(|x| bits.cell(x)),
            [0, 0, 500, 999, 999]
        );
        let wide = Bits::over(i64::MIN, i64::MAX, CELLS as u32);
        assert_eq!(
            [i64::MIN, 0, i64::MAX].map(|x| wide.cell(x)),
            [0, CELLS as u32 / 2, CELLS as u32 - 1]
        );
        let sorted = padded(&[1i64, 5]).unwrap();
        let splitters = Splitters::<_, 4>::new(&sorted);
        assert_eq!([0, 1, 2, 5].map(|x| splitters.cell(x)), [0, 0, 1, 1]);
        assert_eq!(splitters.cell(6), 3);
    }

    #[test]
    fn spans_that_no_float_spreads() {
        assert!(Affine::over(1.0, 1.0, 10).is_none());
        assert!(Affine::over(0.0, 5e-324, 10).is_none());
        assert!(Affine::over(f64::MIN, f64::MAX, 10).is_none());
        assert!(Affine::over(f64::NEG_INFINITY, 0.0, 10).is_none());
    }
}

//! Sums of products of columns over each class, exactly: all that a covariance of placements needs.
//!
//! With `a` the placements of two models over positives, `n` of them, `n sum a a' - (sum a)(sum a')` is their
//! covariance in whole numbers, and the one of the ROC areas is the sum of it over both classes, scaled (DeLong,
//! DeLong & Clarke-Pearson 1988).

use std::ops::Range;

use crate::call::Call;
use crate::error::{same_length, Result};
use crate::parallel::map;

/// Rows whose placements are parted by class at a time: a few columns of them fit the fastest cache.
const BLOCK: usize = 1024;

/// Blocks that a thread takes at a time.
const BATCH: usize = 64;

/// Values whose products are summed.
pub trait Value: Copy + Default + Sync + Send + Into<u64> {}

impl Value for u32 {}
impl Value for u64 {}

/// Sums over the rows of one class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassSums {
    /// The number of rows.
    pub rows: u64,
    /// The sum of each of the `k` columns.
    pub totals: Vec<u128>,
    /// The sums of products of columns `i` and `j`, at `i k + j`.
    pub products: Vec<u128>,
}

impl ClassSums {
    fn new(k: usize) -> Self {
        ClassSums {
            rows: 0,
            totals: vec![0; k],
            products: vec![0; k * k],
        }
    }

    fn add(&mut self, other: &ClassSums) -> Option<()> {
        self.rows = self.rows.checked_add(other.rows)?;
        let totals = self.totals.iter_mut().zip(&other.totals);
        let products = self.products.iter_mut().zip(&other.products);
        totals.chain(products).try_for_each(|(sum, &more)| {
            *sum = sum.checked_add(more)?;
            Some(())
        })
    }

    /// Adds the rows of a block: column `i` starts at `i BLOCK`.
    fn add_block<T: Value>(&mut self, columns: &[T], rows: usize) -> Option<()> {
        let k = self.totals.len();
        self.rows += rows as u64;
        let column = |i: usize| &columns[i * BLOCK..][..rows];
        // Bits set in any value: all are below the next power of two.
        let bits = |i: usize| {
            u64::BITS
                - column(i)
                    .iter()
                    .fold(0, |or, &v| or | v.into())
                    .leading_zeros()
        };
        let bits: Vec<u32> = (0..k).map(bits).collect();
        for i in 0..k {
            let total: u128 = column(i).iter().map(|&v| u128::from(v.into())).sum();
            self.totals[i] = self.totals[i].checked_add(total)?;
            for j in i..k {
                let fits = bits[i] + bits[j] + BLOCK.ilog2() <= u64::BITS;
                let sum = if fits {
                    narrow_dot(column(i), column(j))
                } else {
                    wide_dot(column(i), column(j))?
                };
                let cell = &mut self.products[i * k + j];
                *cell = cell.checked_add(sum)?;
            }
        }
        Some(())
    }

    /// Copies the upper triangle into the lower one.
    fn mirror(&mut self) {
        let k = self.totals.len();
        for i in 0..k {
            for j in 0..i {
                self.products[i * k + j] = self.products[j * k + i];
            }
        }
    }
}

/// The sum of products which is known to fit 64 bits.
fn narrow_dot<T: Value>(a: &[T], b: &[T]) -> u128 {
    a.iter()
        .zip(b)
        .map(|(&a, &b)| a.into() * b.into())
        .sum::<u64>()
        .into()
}

fn wide_dot<T: Value>(a: &[T], b: &[T]) -> Option<u128> {
    let products = a
        .iter()
        .zip(b)
        .map(|(&a, &b)| u128::from(a.into()) * u128::from(b.into()));
    products
        .into_iter()
        .try_fold(0u128, |sum, product| sum.checked_add(product))
}

/// The sums over the positives and over the negatives; `None` where one passes 128 bits.
pub fn gram<T: Value>(
    columns: &[&[T]],
    positive: &[u8],
    call: &Call,
) -> Result<Option<[ClassSums; 2]>> {
    for column in columns {
        same_length(&[column.len(), positive.len()])?;
    }
    let k = columns.len();
    let step = BATCH * BLOCK;
    let batches = (0..positive.len())
        .step_by(step)
        .map(|start| start..positive.len().min(start + step));
    let sum_up = |block: &mut Block<T>, rows: Range<usize>| {
        let mut sums = [ClassSums::new(k), ClassSums::new(k)];
        let fits = rows.clone().step_by(BLOCK).try_for_each(|start| {
            block.fill(columns, positive, start..rows.end.min(start + BLOCK));
            block.add_to(&mut sums)
        });
        Ok(fits.map(|()| sums))
    };
    let parts = map(call, call.threads, batches, || Block::new(k), sum_up)?;
    Ok(total(k, parts))
}

/// What all parts add up to.
fn total(k: usize, parts: Vec<Option<[ClassSums; 2]>>) -> Option<[ClassSums; 2]> {
    let mut sums = [ClassSums::new(k), ClassSums::new(k)];
    for part in parts {
        let part = part?;
        sums.iter_mut()
            .zip(&part)
            .try_for_each(|(sum, part)| sum.add(part))?;
    }
    sums.iter_mut().for_each(ClassSums::mirror);
    Some(sums)
}

/// The values of a block, positives and negatives apart.
struct Block<T> {
    values: [Vec<T>; 2],
    rows: [usize; 2],
}

impl<T: Value> Block<T> {
    fn new(k: usize) -> Self {
        Block {
            values: [vec![T::default(); k * BLOCK], vec![T::default(); k * BLOCK]],
            rows: [0, 0],
        }
    }

    fn fill(&mut self, columns: &[&[T]], positive: &[u8], rows: Range<usize>) {
        let labels = &positive[rows.clone()];
        let n_pos = labels.iter().filter(|&&label| label != 0).count();
        for (i, column) in columns.iter().enumerate() {
            let [pos, neg] = &mut self.values;
            let place = i * BLOCK..(i + 1) * BLOCK;
            part_by_class(
                &column[rows.clone()],
                labels,
                &mut pos[place.clone()],
                &mut neg[place],
            );
        }
        self.rows = [n_pos, rows.len() - n_pos];
    }

    fn add_to(&self, sums: &mut [ClassSums; 2]) -> Option<()> {
        let classes = self.values.iter().zip(self.rows);
        sums.iter_mut()
            .zip(classes)
            .try_for_each(|(sums, (values, rows))| sums.add_block(values, rows))
    }
}

/// Writes each value to both classes and moves on in its own: no branch on the label, which nobody could predict.
fn part_by_class<T: Copy>(values: &[T], labels: &[u8], pos: &mut [T], neg: &mut [T]) {
    let (mut p, mut n) = (0, 0);
    for (&value, &label) in values.iter().zip(labels) {
        pos[p] = value;
        neg[n] = value;
        p += usize::from(label != 0);
        n += usize::from(label == 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;
    use crate::testing::{on, Rng};

    /// The slow and obvious way.
    fn reference(columns: &[Vec<u64>], positive: &[u8], class: bool) -> ClassSums {
        let rows: Vec<usize> = (0..positive.len())
            .filter(|&r| (positive[r] != 0) == class)
            .collect();
        let k = columns.len();
        let product = |i: usize, j: usize| {
            rows.iter()
                .map(|&r| u128::from(columns[i][r]) * u128::from(columns[j][r]))
                .sum()
        };
        ClassSums {
            rows: rows.len() as u64,
            totals: columns
                .iter()
                .map(|c| rows.iter().map(|&r| u128::from(c[r])).sum())
                .collect(),
            products: (0..k * k).map(|cell| product(cell / k, cell % k)).collect(),
        }
    }

    fn slices<T>(columns: &[Vec<T>]) -> Vec<&[T]> {
        columns.iter().map(Vec::as_slice).collect()
    }

    #[test]
    fn sums_agree_with_products() {
        let mut rng = Rng::new(46);
        for round in 0..60 {
            let (k, n) = (round % 5, rng.below(5000) as usize);
            let bits = [8, 27, 28, 32, 58][rng.below(5) as usize];
            let columns: Vec<Vec<u64>> = (0..k)
                .map(|_| (0..n).map(|_| rng.next() >> (64 - bits)).collect())
                .collect();
            let positive: Vec<u8> = (0..n).map(|_| rng.below(2) as u8 * 9).collect();
            let expected = [true, false].map(|class| reference(&columns, &positive, class));
            let wide = gram(&slices(&columns), &positive, &on(1)).unwrap();
            assert_eq!(wide.as_ref(), Some(&expected));
            if bits <= 32 {
                let narrow: Vec<Vec<u32>> = columns
                    .iter()
                    .map(|c| c.iter().map(|&v| v as u32).collect())
                    .collect();
                assert_eq!(gram(&slices(&narrow), &positive, &on(2)).unwrap(), wide);
            }
        }
    }

    #[test]
    fn any_number_of_threads_gives_the_same() {
        let mut rng = Rng::new(47);
        let n = 5 * BATCH * BLOCK + 17;
        let columns: Vec<Vec<u64>> = (0..2)
            .map(|_| (0..n).map(|_| rng.below(1 << 40)).collect())
            .collect();
        let positive: Vec<u8> = (0..n).map(|_| rng.below(2) as u8).collect();
        let expected = [true, false].map(|class| reference(&columns, &positive, class));
        for threads in [0, 1, 2, 3] {
            assert_eq!(
                gram(&slices(&columns), &positive, &on(threads))
                    .unwrap()
                    .as_ref(),
                Some(&expected)
            );
        }
    }

    #[test]
    fn overflow_is_none() {
        let big = [u64::MAX, u64::MAX];
        assert_eq!(gram(&[&big[..]], &[1, 1], &on(1)), Ok(None));
        assert!(gram(&[&big[..]], &[1, 0], &on(1)).unwrap().is_some());
        assert_eq!(gram(&[&[1u32][..]], &[], &on(1)), Err(Error::Length));
        let nothing = gram::<u32>(&[], &[1], &on(1)).unwrap().unwrap();
        assert_eq!((nothing[0].rows, nothing[1].rows), (1, 0));
    }
}

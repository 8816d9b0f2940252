//! Which rows are positive, from labels 0 and 1 or -1 and 1 of any type of number: one pass, which is the check too.

use super::isa::{dispatch, Isa, Job};
use super::scratch::Scratch;
use super::{areas, Path};
use crate::area::Areas;
use crate::call::Call;
use crate::error::{same_length, Result};
use crate::order::Score;

/// Labels that are looked at before anything is decided: vectors run through them without a branch.
const STRIP: usize = 1 << 10;

/// A number that may be a label.
pub trait Label: Copy + Send + Sync {
    /// Whether it is 1, 0 and -1.
    fn is(self) -> [bool; 3];
}

macro_rules! labels {
    ($zero:expr, $minus:expr; $($number:ty)*) => {
        $(impl Label for $number {
            #[inline(always)]
            fn is(self) -> [bool; 3] {
                [self == 1 as $number, $zero(self), $minus(self)]
            }
        })*
    };
}

labels!(|v| v == 0, |v| v == -1; i8 i16 i32 i64);
labels!(|v| v == 0, |_| false; u8 u16 u32 u64);
// -0.0 is equal to 0.0, but printed as itself: it is left to whoever prints labels.
labels!(|v: f32| v.to_bits() == 0, |v| v == -1.0; f32);
labels!(|v: f64| v.to_bits() == 0, |v| v == -1.0; f64);

impl Label for bool {
    #[inline(always)]
    fn is(self) -> [bool; 3] {
        [self, !self, false]
    }
}

/// The labels found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    /// Rows labelled 1.
    pub n_pos: usize,
    /// The other label, 0 or -1, if any row has it.
    pub other: Option<i8>,
}

/// Writes 1 for each label 1 and 0 for the other one; `None` if the labels are neither 0 and 1 nor -1 and 1.
pub fn flags<T: Label>(labels: &[T], flags: &mut [u8]) -> Result<Option<Found>> {
    same_length(&[labels.len(), flags.len()])?;
    Ok(dispatch(Read { labels, flags }))
}

struct Read<'a, T> {
    labels: &'a [T],
    flags: &'a mut [u8],
}

impl<T: Label> Job for Read<'_, T> {
    type Output = Option<Found>;

    #[inline(always)]
    fn run<I: Isa>(self) -> Option<Found> {
        let (mut n_pos, mut zeros, mut minus) = (0, 0, 0);
        for (labels, flags) in self.labels.chunks(STRIP).zip(self.flags.chunks_mut(STRIP)) {
            let mut found = [0u16; 3];
            for (label, flag) in labels.iter().zip(flags) {
                let [one, zero, minus] = label.is();
                *flag = one.into();
                found[0] += u16::from(one);
                found[1] += u16::from(zero);
                found[2] += u16::from(minus);
            }
            let [p, z, m] = found.map(usize::from);
            if p + z + m < labels.len() {
                return None;
            }
            (n_pos, zeros, minus) = (n_pos + p, zeros + z, minus + m);
        }
        let other = match (zeros, minus) {
            (0, 0) => None,
            (_, 0) => Some(0),
            (0, _) => Some(-1),
            _ => return None,
        };
        Some(Found { n_pos, other })
    }
}

/// Both areas of rows with such labels; `None` if they are others. Where the flags lie is kept between calls.
pub fn areas_of_labels<S: Score, T: Label>(
    scores: &[S],
    labels: &[T],
    call: &Call,
) -> Result<Option<Areas>> {
    same_length(&[scores.len(), labels.len()])?;
    let mut scratch = Scratch::of::<f64>(labels.len().div_ceil(size_of::<f64>()))?;
    let positive = &mut scratch.bytes()[..labels.len()];
    match flags(labels, positive)? {
        Some(_) => areas(Path::Auto, scores, positive, call).map(Some),
        None => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;
    use crate::testing::Rng;

    fn read<T: Label>(labels: &[T]) -> Option<(Vec<u8>, Found)> {
        let mut positive = vec![9; labels.len()];
        flags(labels, &mut positive)
            .unwrap()
            .map(|found| (positive, found))
    }

    #[test]
    fn labels_of_every_type() {
        let found = |n_pos, other| Found { n_pos, other };
        assert_eq!(
            read(&[0i64, 1, 1]),
            Some((vec![0, 1, 1], found(2, Some(0))))
        );
        assert_eq!(read(&[-1i8, 1]), Some((vec![0, 1], found(1, Some(-1)))));
        assert_eq!(read(&[1u16, 0]), Some((vec![1, 0], found(1, Some(0)))));
        assert_eq!(read(&[true, false]), Some((vec![1, 0], found(1, Some(0)))));
        assert_eq!(
            read(&[1.0f32, -1.0]),
            Some((vec![1, 0], found(1, Some(-1))))
        );
        assert_eq!(read(&[0.0, 1.0]), Some((vec![0, 1], found(1, Some(0)))));
        assert_eq!(read(&[1u8; 5]), Some((vec![1; 5], found(5, None))));
        assert_eq!(read::<i32>(&[]), Some((vec![], found(0, None))));
        assert_eq!(read(&[0i64, -1, 1]), None);
        assert_eq!(read(&[255u8, 1]), None);
        assert_eq!(read(&[f64::NAN, 1.0]), None);
        assert_eq!(read(&[0.5, 1.0]), None);
        assert_eq!(read(&[-0.0, 1.0]), None);
        assert_eq!(flags(&[1u8], &mut []), Err(Error::Length));
    }

    #[test]
    fn one_wrong_label_anywhere_is_seen() {
        let mut labels: Vec<i64> = (0..3 * STRIP as i64 + 7).map(|i| i % 2).collect();
        assert!(read(&labels).is_some());
        for place in [0, STRIP - 1, STRIP, 3 * STRIP, labels.len() - 1] {
            for wrong in [2, -1, 1 << 32, i64::MIN] {
                let right = std::mem::replace(&mut labels[place], wrong);
                assert_eq!(read(&labels), None);
                labels[place] = right;
            }
        }
    }

    #[test]
    fn the_areas_are_those_of_the_flags() {
        let mut rng = Rng::new(70);
        let call = Call::uninterrupted(1);
        for n in [1, 7, 64, 5000] {
            let scores: Vec<f64> = (0..n).map(|_| rng.below(50) as f64).collect();
            let labels: Vec<f64> = (0..n).map(|_| rng.below(2) as f64 * 2.0 - 1.0).collect();
            let positive: Vec<u8> = labels.iter().map(|&v| u8::from(v > 0.0)).collect();
            let found = areas_of_labels(&scores, &labels, &call).unwrap().unwrap();
            let expected = areas(Path::Auto, &scores, &positive, &call).unwrap();
            assert_eq!((found.u2, found.n_pos), (expected.u2, expected.n_pos));
            assert_eq!(found.ap.to_bits(), expected.ap.to_bits());
        }
        assert_eq!(areas_of_labels(&[1.0], &[2], &call), Ok(None));
        assert_eq!(areas_of_labels(&[1.0], &[0, 1], &call), Err(Error::Length));
    }
}

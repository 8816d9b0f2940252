//! What can go wrong. The caller validates and words; these are what only the counting can meet.

use std::fmt;

/// A reason why the counting stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Error {
    /// Columns that describe the same rows differ in length.
    Length,
    /// A score is NaN, which has no place in an order.
    Nan,
    /// A weight is NaN, infinite or negative.
    Weight,
    /// A count passed `u64::MAX`.
    CountOverflow,
    /// More rows or replicates than the call can number or hold.
    TooMany,
    /// There is no memory for intermediate results.
    Memory,
    /// The caller no longer wants the result.
    Interrupted,
}

/// A result that fails with [`Error`].
pub type Result<T> = std::result::Result<T, Error>;

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Error::Length => "columns differ in length",
            Error::Nan => "a score is NaN",
            Error::Weight => "a weight is NaN, infinite or negative",
            Error::CountOverflow => "a count exceeds 64 bits",
            Error::TooMany => "more rows or replicates than can be held",
            Error::Memory => "out of memory",
            Error::Interrupted => "interrupted",
        })
    }
}

impl std::error::Error for Error {}

/// `Ok` if every length is the same.
pub(crate) fn same_length(lengths: &[usize]) -> Result<()> {
    let same = lengths.windows(2).all(|pair| pair[0] == pair[1]);
    same.then_some(()).ok_or(Error::Length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_must_agree() {
        assert_eq!(same_length(&[]), Ok(()));
        assert_eq!(same_length(&[3, 3, 3]), Ok(()));
        assert_eq!(same_length(&[3, 3, 2]), Err(Error::Length));
    }

    #[test]
    fn every_error_has_words() {
        let all = [
            Error::Length,
            Error::Nan,
            Error::Weight,
            Error::CountOverflow,
            Error::TooMany,
            Error::Memory,
            Error::Interrupted,
        ];
        for error in all {
            assert!(!error.to_string().is_empty());
        }
    }
}

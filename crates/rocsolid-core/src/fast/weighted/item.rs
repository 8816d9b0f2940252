//! A score with its weight, as it travels through the distribution.

use crate::fast::lane::Lane;
use crate::fast::scratch::Plain;
use crate::fast::streams::Load;

/// A row of a class.
#[derive(Clone, Copy, Default)]
#[repr(C)]
pub(crate) struct Item<L> {
    pub lane: L,
    pub weight: f64,
}

// SAFETY: two plain numbers; what lies between them is never looked at.
#[allow(unsafe_code)]
unsafe impl<L: Lane> Plain for Item<L> {}

/// A row of weight 0 is absent.
impl<L: Lane> Load<L> for f64 {
    type Item = Item<L>;

    #[inline(always)]
    fn counts(self) -> bool {
        self != 0.0
    }

    #[inline(always)]
    fn item(self, lane: L) -> Item<L> {
        Item { lane, weight: self }
    }
}

//! Random values for the property tests of markers, reproducible by their seed.

/// A small random number generator (xorshift).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(limit).expect("fits")).expect("fits")
    }

    pub(crate) fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// Returns between `least` and `most` distinct choices, in random order.
    pub(crate) fn some(&mut self, choices: &[&str], least: usize, most: usize) -> Vec<String> {
        let mut left = choices.to_vec();
        let count = least + self.below(most - least + 1);
        (0..count.min(left.len())).map(|_| left.swap_remove(self.below(left.len())).to_owned()).collect()
    }
}

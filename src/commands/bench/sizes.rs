//! Sorts the numbers of objects to measure.

use crate::error::hint;
use crate::{Error, Result};

/// Returns the numbers of objects to measure, from the smallest to the largest.
///
/// # Errors
/// Fails if a number is given twice.
pub(super) fn sort_sizes(objects: &[u32]) -> Result<Vec<u32>> {
    let mut sizes = objects.to_vec();
    sizes.sort_unstable();
    let twice = sizes.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0]);
    let Some(twice) = twice else { return Ok(sizes) };
    sizes.dedup();
    let sizes = sizes.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
    Err(Error::usage(format!("`--objects` has `{twice}` twice"))
        .caused_by(
            "the forecast fits a line to one measurement per number of objects, so each number may occur only \
                    once",
        )
        .hint(hint!("opctl bench --objects {sizes}", sizes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_grow_and_differ() {
        assert_eq!(sort_sizes(&[5000, 1000]).unwrap(), [1000, 5000]);
        assert_eq!(sort_sizes(&[7]).unwrap(), [7]);
        let error = sort_sizes(&[20, 60, 20]).unwrap_err();
        assert_eq!(error.message(), "`--objects` has `20` twice");
        assert_eq!(error.hint_text(), Some("opctl bench --objects 20,60"));
    }
}

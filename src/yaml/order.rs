//! The order of keys in go-yaml (go.yaml.in/yaml/v2 `sorter.go`): digits by value, letters after other characters.

use std::cmp::Ordering;

/// Returns the keys in the order of go-yaml.
///
/// This order has cycles (`1` before `01` before `0a` before `1`), on which the standard library's sort panics. This
/// function therefore takes the keys in byte order, and inserts each key into the result at the index that a binary
/// search by go-yaml's order finds.
pub(super) fn sort_keys<'a>(keys: impl Iterator<Item = &'a String>) -> Vec<&'a String> {
    let mut from: Vec<&String> = keys.collect();
    from.sort();
    let mut sorted = Vec::with_capacity(from.len());
    for key in from {
        let at = sorted.partition_point(|other: &&String| natural(other, key) != Ordering::Greater);
        sorted.insert(at, key);
    }
    sorted
}

/// Compares two keys by the order of go-yaml.
fn natural(one: &str, other: &str) -> Ordering {
    let (left, right): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let Some(at) = left.iter().zip(&right).position(|(left, right)| left != right) else {
        return left.len().cmp(&right.len());
    };
    match (left[at].is_alphabetic(), right[at].is_alphabetic()) {
        (true, true) => left[at].cmp(&right[at]),
        (true, false) => Ordering::Greater,
        (false, true) => Ordering::Less,
        (false, false) => {
            // A zero after other digits belongs to their number, and does not begin another.
            let within = (left[at] == '0' || right[at] == '0')
                && left[..at]
                    .iter()
                    .rev()
                    .take_while(|character| character.is_ascii_digit())
                    .any(|digit| *digit != '0');
            let start = u64::from(within);
            let number = |characters: &[char]| {
                let digits = characters[at..].iter().map_while(|character| character.to_digit(10));
                digits.fold((start, 0_usize), |(value, length), digit| {
                    (value.saturating_mul(10).saturating_add(u64::from(digit)), length + 1)
                })
            };
            number(&left).cmp(&number(&right)).then(left[at].cmp(&right[at]))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::sort_keys;

    #[test]
    fn keys_are_ordered_as_go_yaml_orders_them() {
        let keys = ["b", "a10", "a2", "a", "x-y", "xy", "A", "$ref", "a01", "1"].map(str::to_owned);
        assert_eq!(sort_keys(keys.iter()), ["$ref", "1", "A", "a", "a01", "a2", "a10", "b", "x-y", "xy"]);
    }

    #[test]
    fn keys_without_a_transitive_order_are_no_reason_to_panic() {
        let pieces = ["", "0", "1", "9", "a", "-", "ä", "_"];
        let two = || pieces.iter().flat_map(|one| pieces.map(|two| format!("{one}{two}")));
        let mut keys: Vec<String> = two().flat_map(|one| two().map(move |two| format!("{one}{two}"))).collect();
        let expected: Vec<String> = sort_keys(keys.iter()).into_iter().cloned().collect();
        assert_eq!(expected.len(), 8 * 8 * 8 * 8);
        keys.reverse();
        assert!(sort_keys(keys.iter()).into_iter().eq(&expected));
    }
}

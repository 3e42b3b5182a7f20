//! The order of keys (go.yaml.in/yaml/v2 `sorter.go`): digits by value, letters last.

use std::cmp::Ordering;

/// Compares two keys.
pub(super) fn natural(one: &str, other: &str) -> Ordering {
    let (left, right): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let Some(at) = left.iter().zip(&right).position(|(left, right)| left != right) else {
        return left.len().cmp(&right.len());
    };
    match (left[at].is_alphabetic(), right[at].is_alphabetic()) {
        (true, true) => left[at].cmp(&right[at]),
        (true, false) => Ordering::Greater,
        (false, true) => Ordering::Less,
        (false, false) => {
            // A zero within a number is a digit of it, not the beginning of another.
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
    use super::natural;

    #[test]
    fn keys_are_ordered_as_go_yaml_orders_them() {
        let mut keys = ["b", "a10", "a2", "a", "x-y", "xy", "A", "$ref", "a01", "1"];
        keys.sort_by(|one, other| natural(one, other));
        assert_eq!(keys, ["$ref", "1", "A", "a", "a01", "a2", "a10", "b", "x-y", "xy"]);
    }
}

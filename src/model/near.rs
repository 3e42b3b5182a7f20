//! How near a misspelt name is to a known one.

/// How many letters are to be changed, put in or taken out.
pub(super) fn distance(left: &str, right: &str) -> usize {
    if right.len() > 2 * left.len() + 3 {
        return right.len();
    }
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (line, left) in left.bytes().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], line + 1);
        for (column, right) in right.bytes().enumerate() {
            let changed = diagonal + usize::from(left != right);
            diagonal = row[column + 1];
            row[column + 1] = changed.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[right.len()]
}

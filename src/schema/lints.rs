//! All lints of schemas.

use super::{check, contracts, descriptions, flatten, nulls, recursion, root, rules, simplify, values, variants};
use crate::finding::Lint;

static OWN: &[&Lint] =
    &[&recursion::SELF_CONTAINED, &root::NO_OBJECT, &nulls::NULL_ENUM, &descriptions::NO_DESCRIPTION];

pub(crate) fn lints() -> impl Iterator<Item = &'static Lint> {
    let steps = [
        OWN,
        simplify::LINTS,
        variants::LINTS,
        check::LINTS,
        flatten::LINTS,
        values::LINTS,
        contracts::LINTS,
        rules::LINTS,
    ];
    steps.into_iter().flatten().copied()
}

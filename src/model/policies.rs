//! The admission policies of a kind.

/// The admission policies that were scaffolded for a kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Policies {
    /// True if a `ValidatingAdmissionPolicy` refuses objects.
    pub validating: bool,
    /// True if a `MutatingAdmissionPolicy` fills in fields.
    pub mutating: bool,
}

impl Policies {
    /// Returns true if at least one policy was scaffolded.
    pub fn any(self) -> bool {
        self != Policies::default()
    }

    /// Returns the policies that at least one of `self` and `other` has.
    #[must_use]
    pub fn with(self, other: Policies) -> Policies {
        Policies { validating: self.validating || other.validating, mutating: self.mutating || other.mutating }
    }

    /// Returns the names of the scaffolded policies, as `PROJECT` records them.
    pub fn names(self) -> Vec<&'static str> {
        let all = [("validating", self.validating), ("mutating", self.mutating)];
        all.into_iter().filter(|(_, is_there)| *is_there).map(|(name, _)| name).collect()
    }

    /// Returns the policies that have the given names; `None` if a name is unknown.
    pub fn parse<'a>(names: impl IntoIterator<Item = &'a str>) -> Option<Self> {
        let mut policies = Policies::default();
        for name in names {
            match name {
                "validating" => policies.validating = true,
                "mutating" => policies.mutating = true,
                _ => return None,
            }
        }
        Some(policies)
    }
}

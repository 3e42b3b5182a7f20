//! The admission policies of a kind.

/// The admission policies that were scaffolded for a kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Policies {
    /// True if a ValidatingAdmissionPolicy refuses objects.
    pub validating: bool,
    /// True if a MutatingAdmissionPolicy fills in fields.
    pub mutating: bool,
}

impl Policies {
    /// The name of each in `PROJECT`.
    const NAMES: [(&'static str, fn(&mut Policies) -> &mut bool); 2] =
        [("validating", |policies| &mut policies.validating), ("mutating", |policies| &mut policies.mutating)];

    /// Returns true if there is a policy.
    pub fn any(self) -> bool {
        self != Policies::default()
    }

    /// Returns the policies of both.
    #[must_use]
    pub fn with(self, other: Policies) -> Policies {
        Policies { validating: self.validating || other.validating, mutating: self.mutating || other.mutating }
    }

    /// The names of those that are there.
    pub fn names(mut self) -> Vec<&'static str> {
        Self::NAMES.iter().filter(|(_, is_there)| *is_there(&mut self)).map(|(name, _)| *name).collect()
    }

    /// The policies of these names; `None` if one is unknown.
    pub fn parse<'a>(names: impl IntoIterator<Item = &'a str>) -> Option<Self> {
        let mut policies = Policies::default();
        for name in names {
            let (_, is_there) = Self::NAMES.iter().find(|(known, _)| *known == name)?;
            *is_there(&mut policies) = true;
        }
        Some(policies)
    }
}

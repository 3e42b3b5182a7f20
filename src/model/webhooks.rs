//! The webhooks of a kind.

/// The admission webhooks that were scaffolded for a kind. kubebuilder's keys in `PROJECT` have the same names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Webhooks {
    /// True if a webhook fills in defaults.
    pub defaulting: bool,
    /// True if a webhook refuses objects.
    pub validation: bool,
}

impl Webhooks {
    /// Returns true if at least one admission webhook was scaffolded.
    pub fn any(self) -> bool {
        self != Webhooks::default()
    }

    /// Returns the webhooks that at least one of `self` and `other` has.
    #[must_use]
    pub fn with(self, other: Webhooks) -> Webhooks {
        Webhooks { defaulting: self.defaulting || other.defaulting, validation: self.validation || other.validation }
    }
}

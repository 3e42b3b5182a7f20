//! The arguments of `create webhook`.

use crate::error::{Hint, hint};
use crate::model::{Group, Kind, Plural, Version, Webhooks};
use crate::scaffold::ExternalIntent;
use crate::scaffold::flags::external_flags;
use crate::scaffold::own_kind::group_flag;

/// The arguments of `create webhook`.
#[derive(Clone, Debug)]
pub struct WebhookIntent {
    /// The part of the API group before the domain.
    pub group: Group,
    /// The API version of the kind, if the user states a version.
    pub version: Option<Version>,
    /// The kind for which the command creates webhooks.
    pub kind: Kind,
    /// The Rust type of a kind from another crate, if the user states a type.
    pub external: Option<ExternalIntent>,
    /// The plural of a kind from another crate, if it is not the usual plural.
    pub plural: Option<Plural>,
    /// The scope of a kind from another crate, if given: true for namespaced objects.
    pub namespaced: Option<bool>,
    /// The admission webhooks that the user requests.
    pub webhooks: Webhooks,
    /// True if the user requests a conversion webhook.
    pub conversion: bool,
    /// The versions that the conversion webhook converts to and from the hub version.
    pub spokes: Vec<Version>,
    /// True if opctl replaces existing files whose content differs from the content that opctl generates.
    pub force: bool,
}

impl WebhookIntent {
    /// Returns the `opctl create webhook` command line for the intent, for hints that users can run unchanged.
    pub fn command(&self) -> Hint {
        let mut command = Hint::from("opctl create webhook");
        command.push(self.group_flag());
        if let Some(version) = &self.version {
            command.push(hint!(" --version {version}", version));
        }
        command.push(hint!(" --kind {}", self.kind));
        let flags = [
            ("--defaulting", self.webhooks.defaulting),
            ("--validation", self.webhooks.validation),
            ("--conversion", self.conversion),
        ];
        for (flag, _) in flags.iter().filter(|(_, wanted)| *wanted) {
            command.push(hint!(" {flag}", flag));
        }
        for spoke in &self.spokes {
            command.push(hint!(" --spoke {spoke}", spoke));
        }
        if let Some(external) = &self.external {
            command.push(external_flags(external));
        }
        if let Some(plural) = &self.plural {
            command.push(hint!(" --plural {plural}", plural));
        }
        if let Some(namespaced) = self.namespaced {
            command.push(hint!(" --namespaced={namespaced}", namespaced));
        }
        command
    }

    /// Returns ` --group GROUP`, or an empty text if the group is empty.
    pub(in crate::scaffold) fn group_flag(&self) -> Hint {
        group_flag(&self.group)
    }
}

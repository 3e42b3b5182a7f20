//! Prepares the operator to measure and the sample to copy.

use super::args::BenchArgs;
use crate::commands::context::Context;
use crate::commands::explore::{Belong, Folders, Kinds, Subject, arguments, foreign, launch, samples};
use crate::commands::steps;
use crate::error::hint;
use crate::explore::{Launch, Samples, is_same_kind};
use crate::workspace::discover;
use crate::{Error, Result};
use serde_json::Value;

/// The namespace in which `opctl bench` creates the copies of the sample, unless the operator's flags name the
/// namespace that the operator watches.
const NAMESPACE: &str = "bench";

/// The operator, its kinds and its samples, which are the same in each measurement, regardless of the number of
/// objects.
pub(super) struct Prepared {
    pub(super) launch: Launch,
    pub(super) kinds: Kinds,
    pub(super) sample: Value,
    /// The samples that are created once, and not copied.
    pub(super) others: Vec<Value>,
    /// The namespace of the copies of `sample`.
    pub(super) namespace: String,
}

impl Prepared {
    /// Prepares the operator to measure: builds it, or reads the CRDs and samples that flags name.
    pub(super) fn new(args: &BenchArgs, context: &Context) -> Result<Prepared> {
        let (chosen, again) = (args.kind.as_deref().map(KindChoice::parse), args.repeat_command());
        let names: Vec<String> = chosen.iter().map(|chosen| chosen.kind.to_owned()).collect();
        let Subject { launch, samples, kinds } = match (&args.foreign.command, &args.foreign.crds) {
            (Some(line), Some(crds)) => {
                let folders = Folders { crds, samples: &args.foreign.samples, roles: args.foreign.roles.as_deref() };
                let mut subject = foreign(line, &folders, &names, again, context)?;
                subject.samples = one_kind(subject.samples, chosen)?;
                subject
            }
            _ => {
                let root = discover(&context.directory)?;
                let samples = samples(&root.join("config/samples"), &names, Belong::Project)?;
                let samples = one_kind(samples, chosen)?;
                let arguments = arguments(&root)?;
                steps::manifests(context, &[])?;
                let profile: &[&str] = if args.debug { &[] } else { &["--release"] };
                let launch = launch(&root, arguments, profile, again, context)?;
                Subject { launch, samples, kinds: Kinds::Project(root) }
            }
        };
        let namespace = watched_namespace(&launch.arguments).unwrap_or(NAMESPACE).to_owned();
        let Samples { explored, others, .. } = samples;
        let sample = explored.into_iter().next().unwrap_or_default();
        let others = others.into_iter().filter(|other| !is_same_kind(other, &sample)).collect();
        Ok(Prepared { launch, kinds, sample, others, namespace })
    }

    /// Returns the kind of the sample and its copies.
    pub(super) fn kind(&self) -> &str {
        self.sample["kind"].as_str().unwrap_or_default()
    }
}

/// The kind that the user has chosen: `Shop`, or `Shop.apps.example.com` if several groups have a kind of this name.
#[derive(Clone, Copy, Debug)]
struct KindChoice<'a> {
    kind: &'a str,
    group: Option<&'a str>,
}

impl KindChoice<'_> {
    fn parse(text: &str) -> KindChoice<'_> {
        match text.split_once('.') {
            Some((kind, group)) => KindChoice { kind, group: Some(group) },
            None => KindChoice { kind: text, group: None },
        }
    }

    fn has_group_of(self, sample: &Value) -> bool {
        self.group.is_none_or(|wanted| group(sample) == wanted)
    }
}

fn group(sample: &Value) -> &str {
    sample["apiVersion"].as_str().and_then(|version| version.split_once('/')).map_or("", |(group, _)| group)
}

/// Returns `samples` with only the sample to copy in the field `explored`; moves all other samples to the field
/// `others`.
///
/// # Errors
/// Fails unless exactly one sample in `explored` fits `chosen` (`None` fits all samples).
fn one_kind(samples: Samples, chosen: Option<KindChoice>) -> Result<Samples> {
    let Samples { explored, mut others, cluster_scoped } = samples;
    let all: Vec<String> =
        explored.iter().map(|one| format!("{}.{}", one["kind"].as_str().unwrap_or_default(), group(one))).collect();
    let (copied, left): (Vec<Value>, Vec<Value>) =
        explored.into_iter().partition(|sample| chosen.is_none_or(|chosen| chosen.has_group_of(sample)));
    if copied.len() != 1 {
        let first = all.first().map(|name| name.trim_end_matches('.')).unwrap_or_default();
        return Err(Error::user(format!("choose one of the kinds that have samples: `{}`", all.join("`, `")))
            .caused_by(
                "`opctl bench` makes many copies of the sample of one kind; it creates the samples of other kinds \
                 only once",
            )
            .hint(hint!("--kind {first}    # with the same command", first)));
    }
    others.extend(left);
    Ok(Samples { explored: copied, others, cluster_scoped })
}

/// Returns the first namespace that the operator's flag `--watch-namespace` names.
fn watched_namespace(arguments: &[String]) -> Option<&str> {
    let mut following = arguments.iter().skip(1);
    let found = arguments.iter().find_map(|argument| {
        let next = following.next();
        let value = argument.strip_prefix("--watch-namespace")?;
        if value.is_empty() { next.map(String::as_str) } else { value.strip_prefix('=') }
    })?;
    found.split(',').next().filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn copies_are_where_the_operator_looks() {
        for (arguments, expected) in [
            (&["--leader-elect"][..], None),
            (&["--watch-namespace=shop", "--leader-elect"], Some("shop")),
            (&["--leader-elect", "--watch-namespace", "shop,store"], Some("shop")),
            (&["--watch-namespace="], None),
            (&["--watch-namespace"], None),
            (&["--watch-namespaces=shop"], None),
        ] {
            let arguments: Vec<String> = arguments.iter().map(|argument| (*argument).to_owned()).collect();
            assert_eq!(watched_namespace(&arguments), expected, "{arguments:?}");
        }
    }

    #[test]
    fn one_of_several_kinds_is_chosen() {
        let object = |group: &str, kind: &str| json!({"apiVersion": format!("{group}/v1"), "kind": kind, "metadata": {"name": group}});
        let all = || vec![object("e.com", "Web"), object("a.e.com", "Shop"), object("b.e.com", "Shop")];
        let chosen = |kind: Option<&str>| {
            let chosen = kind.map(KindChoice::parse);
            let names: Vec<String> = chosen.iter().map(|chosen| chosen.kind.to_owned()).collect();
            one_kind(Samples::choose(all(), &names), chosen)
        };
        let error = chosen(None).unwrap_err();
        assert_eq!(
            error.message(),
            "choose one of the kinds that have samples: `Web.e.com`, `Shop.a.e.com`, `Shop.b.e.com`"
        );
        assert_eq!(error.hint_text(), Some("--kind Web.e.com    # with the same command"));
        assert!(chosen(Some("Shop")).unwrap_err().message().ends_with(" `Shop.a.e.com`, `Shop.b.e.com`"));
        assert!(chosen(Some("Shop.c.e.com")).is_err());
        for (kind, name) in [("Web", "e.com"), ("Web.e.com", "e.com"), ("Shop.b.e.com", "b.e.com")] {
            let Samples { explored, others, .. } = chosen(Some(kind)).unwrap();
            assert_eq!((explored.len(), explored[0]["metadata"]["name"].as_str(), others.len()), (1, Some(name), 2));
        }
    }
}

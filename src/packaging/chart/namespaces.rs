//! Makes the watched namespaces a value of the chart. The operator's roles are then bound in each watched namespace
//! instead of in the whole cluster.

use super::helm_yaml::Actions;
use crate::model::{BuiltIn, Project, manager};
use crate::packaging::operator_objects::OperatorObjects;
use crate::packaging::read_strings::text;
use serde_json::Value;

/// The flag that sets the namespaces to watch.
const FLAG: &str = "--watch-namespace";
/// The environment variable that sets the namespaces to watch, as [`FLAG`] does.
const VARIABLE: &str = "WATCH_NAMESPACE";

/// The scope of the resources that a role grants rights for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Namespaces,
    Cluster,
}

/// Returns the operator's cluster role bindings that grant rights only for namespaced resources. Returns no bindings if
/// one of the operator's cluster roles covers both namespaced and cluster-scoped resources, or if the `Deployment`
/// already sets the namespaces to watch.
pub(super) fn bindings_about_namespaces<'a>(project: &Project, operator: &OperatorObjects<'a>) -> Vec<&'a Value> {
    let container = manager(operator.deployment);
    let has = |key: &str, is_it: &dyn Fn(&Value) -> bool| {
        container[key].as_array().is_some_and(|items| items.iter().any(is_it))
    };
    let is_chosen = has("env", &|item| item["name"] == VARIABLE)
        || has("args", &|item| item.as_str().is_some_and(|argument| argument.starts_with(FLAG)));
    let mut found = Vec::new();
    for binding in operator.own_objects().filter(|object| object["kind"] == "ClusterRoleBinding") {
        match operator.role_of(binding).map(|role| place_of_role(role, project, operator)) {
            Some(None) => return Vec::new(),
            Some(Some(Place::Namespaces)) => found.push(binding),
            Some(Some(Place::Cluster)) | None => {}
        }
    }
    if is_chosen { Vec::new() } else { found }
}

/// Returns the scope of all resources in a role's rules; `None` if the rules mix scopes, contain `*` or are empty.
fn place_of_role(role: &Value, project: &Project, operator: &OperatorObjects<'_>) -> Option<Place> {
    let mut places = Vec::new();
    for rule in role["rules"].as_array().into_iter().flatten() {
        let words =
            |key: &str| rule[key].as_array().into_iter().flatten().filter_map(Value::as_str).collect::<Vec<_>>();
        if !words("nonResourceURLs").is_empty() {
            places.push(Place::Cluster);
        }
        for group in words("apiGroups") {
            for resource in words("resources") {
                let plural = resource.split('/').next().unwrap_or_default();
                if group == "*" || plural == "*" {
                    return None;
                }
                places.push(place_of(group, plural, project, operator));
            }
        }
    }
    let first = places.first().copied()?;
    places.iter().all(|place| *place == first).then_some(first)
}

/// Returns the scope of a resource. Treats an unknown resource as namespaced, because most resources are namespaced.
fn place_of(group: &str, plural: &str, project: &Project, operator: &OperatorObjects<'_>) -> Place {
    let built_in = BuiltIn::known_kinds().find(|known| known.group == group && known.plural == plural);
    let of_definition = |definition: &&Value| {
        text(definition, "/kind") == "CustomResourceDefinition"
            && text(definition, "/spec/group") == group
            && text(definition, "/spec/names/plural") == plural
    };
    let is_outside = built_in.is_some_and(|known| !known.namespaced)
        || operator
            .own_objects()
            .find(of_definition)
            .is_some_and(|definition| text(definition, "/spec/scope") == "Cluster")
        || project.resources.iter().any(|known| {
            known.api_group(&project.domain) == group && known.plural.as_str() == plural && !known.namespaced
        });
    if is_outside { Place::Cluster } else { Place::Namespaces }
}

/// Makes the binding a `RoleBinding` in the namespace that the template variable `$namespace` holds, or a
/// `ClusterRoleBinding` if the variable is empty.
pub(super) fn bind_in_namespace(binding: &mut Value, actions: &mut Actions) {
    let kind = "{{ ternary \"RoleBinding\" \"ClusterRoleBinding\" (ne $namespace \"\") }}";
    binding["kind"] = actions.inline(kind).into();
    let lines = "{{- with $namespace }}\nnamespace: {{ . | quote }}\n{{- end }}";
    if let Some(metadata) = binding["metadata"].as_object_mut() {
        metadata.insert(actions.lines(lines), Value::Null);
    }
}

/// Makes Helm render the template of a binding once for each watched namespace, or once for the whole cluster.
pub(super) fn for_each_namespace(template: &str) -> String {
    let all = "{{- range $namespace := .Values.watchNamespaces | default (list \"\") }}\n{{- with $ }}\n---\n";
    format!("{all}{template}{{{{- end }}}}\n{{{{- end }}}}\n")
}

/// Appends the flag that sets the namespaces to watch to the arguments of the operator's container.
pub(super) fn watch(container: &mut Value, actions: &mut Actions) {
    let lines = format!("{{{{- with .Values.watchNamespaces }}}}\n- {FLAG}={{{{ join \",\" . }}}}\n{{{{- end }}}}");
    if let Some(arguments) = container["args"].as_array_mut() {
        arguments.push(actions.lines(lines).into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Domain, ProjectName};
    use serde_json::json;

    /// Returns the number of bindings that the chart creates in each watched namespace, for an operator with these RBAC
    /// rules (`group/resource`) and arguments.
    fn bound(rules: &[&str], arguments: &[&str]) -> usize {
        let project = Project::new(ProjectName::parse("web").unwrap(), Domain::parse("example.com").unwrap(), "0.1.0");
        let rule = |text: &&str| match text.split_once('/') {
            Some((group, resource)) => json!({"apiGroups": [group], "resources": [resource], "verbs": ["list"]}),
            None => json!({"nonResourceURLs": [text], "verbs": ["get"]}),
        };
        let rules: Vec<Value> = rules.iter().map(rule).collect();
        let pod = json!({"serviceAccountName": "web", "containers": [{"name": "manager", "args": arguments}]});
        let crd = |plural: &str, scope: &str| {
            let spec = json!({"group": "example.com", "scope": scope, "names": {"plural": plural}});
            json!({"kind": "CustomResourceDefinition", "metadata": {"name": plural}, "spec": spec})
        };
        let objects = [
            json!({"kind": "Deployment", "metadata": {"name": "web", "namespace": "s"}, "spec": {"template": {"spec": pod}}}),
            json!({"kind": "ClusterRole", "metadata": {"name": "web"}, "rules": rules}),
            json!({"kind": "ClusterRoleBinding", "metadata": {"name": "web"}, "roleRef": {"kind": "ClusterRole", "name": "web"},
                "subjects": [{"kind": "ServiceAccount", "name": "web", "namespace": "s"}]}),
            crd("servers", "Namespaced"),
            crd("tenants", "Cluster"),
        ];
        let operator = OperatorObjects::find(&objects).unwrap();
        bindings_about_namespaces(&project, &operator).len()
    }

    #[test]
    fn roles_about_namespaces_alone_are_bound_in_them() {
        for (rules, arguments, expected) in [
            (
                &["example.com/servers", "/pods", "apps/deployments/scale", "cert-manager.io/certificates"][..],
                &[][..],
                1,
            ),
            (&["example.com/servers", "example.com/tenants/status"], &[], 0),
            (&["/pods", "/namespaces"], &[], 0),
            (&["/pods", "*"], &[], 0),
            (&["/pods", "apps/*"], &[], 0),
            (&["/pods", "/metrics"], &["--watch-namespace=a"], 0),
            (&["authentication.k8s.io/tokenreviews"], &[], 0),
            (&[], &[], 0),
        ] {
            assert_eq!(bound(rules, arguments), expected, "{rules:?}");
        }
    }
}

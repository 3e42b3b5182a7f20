//! Turns the operator's port numbers into values of the chart. Users can then change a port that another pod on the
//! node's network already uses.

use super::helm_yaml::Actions;
use crate::packaging::operator_objects::OperatorObjects;
use serde_json::Value;

/// A port on which the operator listens.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Port {
    /// The name of the chart's value below `ports`.
    pub(super) value: &'static str,
    /// The name of the container's port.
    name: &'static str,
    /// The flag that sets the address to listen on.
    flag: &'static str,
    /// The port number in the `Deployment`, which is the default of the chart's value.
    pub(super) number: u64,
    /// True if the container sets the environment variable of the flag.
    has_variable: bool,
}

/// The known ports, each with the name of the chart's value, the name of the container's port, the flag for the address
/// to listen on, and the port number on which the runtime listens by default; `None` without a default.
const KNOWN: [(&str, &str, &str, Option<u64>); 3] = [
    ("probes", "probes", "--health-probe-bind-address", Some(8081)),
    ("metrics", "metrics", "--metrics-bind-address", None),
    ("webhooks", "webhook-server", "--webhook-bind-address", Some(9443)),
];

impl Port {
    /// Returns the ports of the operator's container whose numbers become values of the chart. Includes a port only if
    /// the operator listens on the port's number: either the environment variable of the port's flag is `:NUMBER`, or
    /// the variable is not set and the number is the runtime's default. Skips a port if the container's arguments
    /// contain the port's flag.
    pub(super) fn of(container: &Value) -> Vec<Port> {
        let items = |key: &str| container[key].as_array().map(Vec::as_slice).unwrap_or_default();
        let known = KNOWN.into_iter().filter_map(|(value, name, flag, by_itself)| {
            let port = items("ports").iter().find(|port| port["name"] == name)?;
            let number = port["containerPort"].as_u64()?;
            if items("args").iter().any(|argument| argument.as_str().is_some_and(|text| text.starts_with(flag))) {
                return None;
            }
            let variable = items("env").iter().find(|item| item["name"] == variable(flag));
            let is_known = match variable {
                Some(variable) => variable["value"] == format!(":{number}"),
                None => by_itself == Some(number),
            };
            is_known.then_some(Port { value, name, flag, number, has_variable: variable.is_some() })
        });
        known.collect()
    }

    /// Replaces the number of the container's port with the chart's value, and makes the operator listen on this port.
    pub(super) fn parametrise(&self, container: &mut Value, actions: &mut Actions) {
        let number = actions.inline(format!("{{{{ {} }}}}", self.expression()));
        for port in list(container, "ports").filter(|port| port["name"] == self.name) {
            port["containerPort"] = number.clone().into();
        }
        if self.has_variable {
            let address = actions.inline(format!("{{{{ printf \":%d\" ({}) | quote }}}}", self.expression()));
            for item in list(container, "env").filter(|item| item["name"] == variable(self.flag)) {
                item["value"] = address.clone().into();
            }
        } else if let Some(arguments) = container["args"].as_array_mut() {
            let Port { flag, number, .. } = self;
            let expression = self.expression();
            let lines =
                format!("{{{{- if ne ({expression}) {number} }}}}\n- {flag}=:{{{{ {expression} }}}}\n{{{{- end }}}}");
            arguments.push(actions.lines(lines).into());
        }
    }

    /// Replaces the port number with the chart's value in another object: in a `Service` of the operator's pods, or in
    /// a `NetworkPolicy` for the operator's pods.
    pub(super) fn replace(&self, object: &mut Value, operator: &OperatorObjects<'_>, actions: &mut Actions) {
        let mut places: Vec<&mut Value> = match object["kind"].as_str() {
            Some("Service") if operator.serves(object) => {
                list(&mut object["spec"], "ports").filter_map(|port| port.get_mut("targetPort")).collect()
            }
            Some("NetworkPolicy") => {
                let rules = list(&mut object["spec"], "ingress");
                rules.flat_map(|rule| list(rule, "ports")).filter_map(|port| port.get_mut("port")).collect()
            }
            _ => return,
        };
        for place in places.iter_mut().filter(|place| place.as_u64() == Some(self.number)) {
            **place = actions.inline(format!("{{{{ {} }}}}", self.expression())).into();
        }
    }

    /// Returns the Helm expression for the port number, with a default: the values file of an earlier chart version may
    /// lack the value.
    fn expression(&self) -> String {
        format!("int ((.Values.ports).{} | default {})", self.value, self.number)
    }
}

/// Returns the name of the environment variable of a flag.
fn variable(flag: &str) -> String {
    flag.trim_start_matches('-').replace('-', "_").to_ascii_uppercase()
}

fn list<'a>(value: &'a mut Value, key: &str) -> impl Iterator<Item = &'a mut Value> {
    value.get_mut(key).and_then(Value::as_array_mut).into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn ports_with_a_known_address_are_values() {
        let named = |name: &str, number: u64| json!({"name": name, "containerPort": number});
        let metrics = json!([{"name": "METRICS_BIND_ADDRESS", "value": ":8443"}]);
        for (ports, env, arguments, expected) in [
            (
                json!([named("probes", 8081), named("metrics", 8443)]),
                metrics.clone(),
                json!(["--a"]),
                vec!["probes", "metrics"],
            ),
            (json!([named("webhook-server", 9443), named("other", 1)]), json!(null), json!([]), vec!["webhooks"]),
            (json!([named("probes", 8082), named("metrics", 8444)]), metrics, json!([]), vec![]),
            (json!([named("probes", 8081)]), json!(null), json!(["--health-probe-bind-address=:8081"]), vec![]),
            (json!(null), json!(null), json!(null), vec![]),
        ] {
            let container = json!({"ports": ports, "env": env, "args": arguments});
            let found: Vec<&str> = Port::of(&container).iter().map(|port| port.value).collect();
            assert_eq!(found, expected, "{container}");
        }
    }
}

//! Random commands, which are the same for the same seed.

/// A small generator (xorshift) with a seed, so that a failure can be reproduced.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// Returns a generator whose first numbers differ much also for seeds that differ by one.
    pub(crate) fn mixed(seed: u64) -> Self {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        for _ in 0..8 {
            random.below(2);
        }
        random
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(limit).unwrap()).unwrap()
    }

    pub(crate) fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }
}

const KINDS: [&str; 12] =
    ["WebServer", "HTTPRoute", "DNSZone", "Redis", "Index", "Proxy", "Data", "Config", "Kube", "Manager", "Lib", "Mod"];

const GROUPS: [&str; 6] = ["", "apps", "core", "type", "lib", "net-work"];
/// Built-in kinds: for each one, its group in the form that users of kubebuilder write, and its name.
pub(crate) const CORE: [(&str, &str); 6] = [
    ("apps", "Deployment"),
    ("core", "Pod"),
    ("core", "Namespace"),
    ("networking.k8s.io", "Ingress"),
    ("rbac", "ClusterRole"),
    ("autoscaling", "HorizontalPodAutoscaler"),
];

/// Returns the arguments of `create api` for one random API.
pub(crate) fn random_api(random: &mut Random) -> Vec<String> {
    let mut arguments = vec!["create".to_owned(), "api".to_owned()];
    let mut flag = |name: &str, value: &str| arguments.extend([name.to_owned(), value.to_owned()]);
    let origin = random.below(5);
    match origin {
        0 => {
            let (group, kind) = CORE[random.below(CORE.len())];
            flag("--group", group);
            flag("--kind", kind);
        }
        1 => {
            flag("--group", random.pick(&["cert-manager", "apps"]));
            flag("--kind", random.pick(&["Certificate", "Issuer"]));
            flag("--version", random.pick(&["v1", "v1beta1"]));
            flag("--external-api-domain", random.pick(&["io", "example.io"]));
            flag("--external-api-path", random.pick(&["certs::v1", "other_certs"]));
            flag("--external-api-module", random.pick(&["certs@1.2", "other-certs@>=1, <3"]));
        }
        _ => {
            flag("--kind", random.pick(&KINDS));
            match random.pick(&GROUPS) {
                "" => {}
                group => flag("--group", group),
            }
            flag("--version", random.pick(&["v1alpha1", "v1beta1", "v1"]));
            if random.below(5) == 0 {
                flag("--domain", random.pick(&["example.net", "old.example.org"]));
            }
            match random.below(6) {
                0 => flag("--category", "all"),
                1 => flag("--short-name", random.pick(&["x", "yy"])),
                2 => {
                    flag(
                        "--field",
                        random.pick(&[
                            "size:quantity=1Gi",
                            "mode:enum(fast|safe)?",
                            "hosts:[string]=a,b",
                            "tls?.a:map",
                        ]),
                    );
                }
                3 => flag("--image", random.pick(&["nginx", "registry.example.com/a:1"])),
                _ => {}
            }
        }
    }
    if random.below(4) == 0 {
        flag("--owns", random.pick(&["ConfigMap", "Secret,Job", "Namespace"]));
    }
    if random.below(3) == 0 {
        flag("--controller-name", random.pick(&["first", "backup-of-it", "x1"]));
    }
    for (often, more) in [(3, "--finalizer"), (5, "--controller=false"), (5, "--namespaced=false")] {
        if random.below(often) == 0 {
            arguments.push(more.to_owned());
        }
    }
    if origin < 2 || random.below(4) == 0 {
        arguments.push("--resource=false".to_owned());
    }
    arguments
}

/// Returns the beginning of the arguments of `create WHAT`, for one random kind.
fn create_for_a_kind(what: &str, random: &mut Random) -> Vec<String> {
    let mut arguments: Vec<String> = ["create", what, "--kind", random.pick(&KINDS)].map(str::to_owned).into();
    let group = random.pick(&GROUPS);
    if !group.is_empty() {
        arguments.extend(["--group".to_owned(), group.to_owned()]);
    }
    arguments
}

/// Returns the arguments of `create webhook` for one random kind that the project defines.
pub(crate) fn random_webhook(random: &mut Random) -> Vec<String> {
    let mut arguments = create_for_a_kind("webhook", random);
    arguments.push((*random.pick(&["--defaulting", "--validation"])).to_owned());
    arguments
}

/// Returns the arguments of `create policy` for a random kind in a random group, which may be a group of Kubernetes
/// such as `apps`.
pub(crate) fn random_policy(random: &mut Random) -> Vec<String> {
    let mut arguments = create_for_a_kind("policy", random);
    if random.below(2) == 0 {
        arguments.push("--mutating".to_owned());
    }
    arguments
}

//! Every name that opctl derives from long and odd names is valid: a real API server accepts the installer, the
//! chart of a release and the bundle. `NAMES` sets the number of projects, and `NAMES_SEED` the first seed.

use crate::bundle::validated;
use crate::config::{SERVICE_MONITORS, cert_manager};
use crate::installer::helm;
use crate::support::{Place, Plane, Random, asked, must, target_folder, text, tool};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Stdio;

/// Returns a DNS label that may begin with a digit. It is short, or has the length `longest`.
fn label(random: &mut Random, longest: usize) -> String {
    let start = random.pick(&["a", "1", "a-1", "1e3", "on", "null", "y"]);
    match random.below(3) {
        0 => start.to_owned(),
        _ => format!("{start}{}", "b".repeat(longest - start.len())),
    }
}

fn domain(random: &mut Random) -> String {
    match random.below(4) {
        0 => "1.2".to_owned(),
        1 => format!("{}.{}.{}", label(random, 63), label(random, 63), label(random, 53)),
        _ => format!("{}.example.com", label(random, 63)),
    }
}

fn kind(random: &mut Random) -> String {
    let start = random.pick(&["On", "Null", "K1", "X", "Y"]);
    if random.below(2) == 0 { start.to_owned() } else { format!("{start}{}", "k".repeat(59 - start.len())) }
}

/// Makes a project with long and odd names. If a command refuses a name and prints a hint, the function tries another
/// name for the project or kind, or does without the command.
fn project(random: &mut Random) -> Place {
    let place = Place::new();
    loop {
        let name = label(random, 28);
        if is_accepted(&place, &["init", "--name", &name, "--domain", &domain(random)]) {
            break;
        }
    }
    let (mut kinds, mut rounds) = (0, 0);
    while kinds < 2 && rounds < 60 {
        rounds += 1;
        let kind = kind(random);
        let version = random.pick(&["v1", "v999999999alpha999999999"]);
        let mut key = vec!["--kind".to_owned(), kind];
        match random.below(4) {
            0 => {}
            1 => key.extend(["--group".to_owned(), label(random, 63)]),
            _ => key.extend([
                "--group".to_owned(),
                format!("{}.{}.{}", label(random, 63), label(random, 63), label(random, 63)),
            ]),
        }
        let mut create = vec!["create".to_owned(), "api".to_owned(), "--version".to_owned(), version.to_owned()];
        let mut flag = |random: &mut Random, name: &str, longest| {
            if random.below(3) == 0 {
                create.extend([format!("--{name}"), label(random, longest)]);
            }
        };
        flag(random, "plural", 63);
        flag(random, "short-name", 63);
        flag(random, "category", 63);
        flag(random, "controller-name", 63);
        if random.below(2) == 0 {
            create.extend(["--finalizer".to_owned(), "--owns".to_owned(), "StatefulSet,CronJob".to_owned()]);
        }
        if !is_accepted(&place, &[create, key.clone()].concat()) {
            continue;
        }
        kinds += 1;
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        is_accepted(
            &place,
            &[words(&["create", "webhook", "--version", version, "--defaulting", "--validation"]), key.clone()]
                .concat(),
        );
        is_accepted(&place, &[words(&["create", "policy", "--version", version]), key.clone()].concat());
        is_accepted(&place, &[words(&["create", "policy", "--version", version, "--mutating"]), key.clone()].concat());
        if is_accepted(&place, &[words(&["create", "api", "--version", "v2beta888888888"]), key.clone()].concat()) {
            is_accepted(
                &place,
                &[
                    words(&["create", "webhook", "--conversion", "--version", version, "--spoke", "v2beta888888888"]),
                    key,
                ]
                .concat(),
            );
        }
    }
    assert!(kinds > 0, "{rounds} kinds are refused");
    let (group, external) = (label(random, 63), domain(random));
    let certificates = ["--group", &group, "--version", "v1", "--kind", "Certificate"];
    let from =
        ["--external-api-domain", &external, "--external-api-path", "certs::v1", "--external-api-module", "certs@1.2"];
    if is_accepted(&place, &[&["create", "api", "--resource=false"][..], &certificates, &from].concat()) {
        is_accepted(&place, &[&["create", "policy"][..], &certificates].concat());
    }
    for built_in in [
        ["--group", "core", "--version", "v1", "--kind", "Pod"],
        ["--group", "apps", "--version", "v1", "--kind", "Deployment"],
    ] {
        is_accepted(&place, &[&["create", "api", "--resource=false"][..], &built_in].concat());
        is_accepted(&place, &[&["create", "webhook", "--defaulting", "--validation"][..], &built_in].concat());
        is_accepted(&place, &[&["create", "policy", "--mutating"][..], &built_in].concat());
    }
    place
}

/// Returns true if the command succeeds. A refused command must exit with code 2 or 3 and print a hint.
fn is_accepted<Argument: AsRef<str>>(place: &Place, arguments: &[Argument]) -> bool {
    let arguments: Vec<&str> = arguments.iter().map(AsRef::as_ref).collect();
    let output = place.run(&arguments);
    let said = text(&output.stderr);
    match output.status.code() {
        Some(0) => true,
        // Another kind may have the name.
        Some(2 | 3) => {
            assert!(said.contains("\nhint: "), "{arguments:?}: {said}");
            false
        }
        code => panic!("{arguments:?}: {code:?} {said}"),
    }
}

fn kubectl(plane: &Plane, arguments: &[&str], input: &str) -> Vec<String> {
    use std::io::Write;
    let mut kubectl = tool("kubectl");
    kubectl.args(arguments).env("KUBECONFIG", &plane.kubeconfig);
    let mut child = kubectl.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let lines = text(&output.stderr);
    let failed = if output.status.success() { "Warning:" } else { "" };
    lines.lines().filter(|line| failed.is_empty() || line.starts_with(failed)).map(str::to_owned).collect()
}

fn documents(objects: &[&Value]) -> String {
    objects.iter().flat_map(|object| ["---\n".to_owned(), object.to_string(), "\n".to_owned()]).collect()
}

/// Creates the namespace `namespace`, applies the namespaces and CRDs in `objects`, and applies the other objects as a
/// dry run. Returns the errors of the API server.
fn refused(plane: &Plane, objects: &str, namespace: &str) -> Vec<String> {
    let objects: Vec<Value> = serde_yaml::from_multiple(objects).unwrap();
    let objects = objects.iter().filter(|object| !object.is_null());
    let (first, then): (Vec<&Value>, Vec<&Value>) = objects
        .partition(|object| ["Namespace", "CustomResourceDefinition"].iter().any(|kind| object["kind"] == *kind));
    let apply = ["apply", "--server-side", "--force-conflicts", "--validate=strict", "-f", "-"];
    let mut said = kubectl(plane, &["create", "namespace", namespace], "");
    said.retain(|line| !line.contains("already exists"));
    if !first.is_empty() {
        said.extend(kubectl(plane, &apply, &documents(&first)));
        must(
            tool("kubectl")
                .args(["wait", "--for=condition=Established", "crd", "--all"])
                .env("KUBECONFIG", &plane.kubeconfig),
        );
    }
    if !then.is_empty() {
        said.extend(kubectl(plane, &[&apply[..], &["--dry-run=server"]].concat(), &documents(&then)));
    }
    said
}

fn bundled(root: &Path) -> (String, Value) {
    let (mut objects, mut version) = (String::new(), Value::Null);
    for file in fs::read_dir(root.join("bundle/manifests")).unwrap() {
        let written = fs::read_to_string(file.unwrap().path()).unwrap();
        let value: Value = serde_yaml::from_str(&written).unwrap();
        if value["kind"] == "ClusterServiceVersion" { version = value } else { objects += &format!("---\n{written}") }
    }
    (objects, version)
}

#[test]
#[ignore = "it takes minutes: .ci/long"]
fn an_api_server_takes_every_name_that_commands_make() {
    let (first, count) = (asked("NAMES_SEED").unwrap_or(1), asked("NAMES").unwrap_or(2));
    let mut wrong = Vec::new();
    for seed in first..first + count {
        let place = project(&mut Random::mixed(seed));
        let root = place.root();
        let run = |arguments: &[&str]| must(place.command(arguments).env("CARGO_TARGET_DIR", target_folder()));
        run(&["manifests"]);
        for parts in ["prometheus,network-policy,grafana", "cert-manager"] {
            run(&["edit", "--enable", parts]);
            run(&["build-installer", "--chart", "--image", "web:1"]);
            run(&["bundle", "--image", "web:1", "--version", "999999.999999.999999-rc.1"]);
            let plane = Plane::start();
            let mut said = Vec::new();
            let mut checked = |what: &str, objects: &str, namespace: &str| {
                said.extend(refused(&plane, objects, namespace).into_iter().map(|line| format!("{what}: {line}")));
            };
            let others = [SERVICE_MONITORS, &cert_manager("Issuer"), &cert_manager("Certificate")].join("---\n");
            checked("others", &others, "default");
            checked("installer", &fs::read_to_string(root.join("dist/install.yaml")).unwrap(), "default");
            let samples = must(tool("kubectl").args(["kustomize", "config/samples"]).current_dir(&root));
            checked("samples", &text(&samples.stdout), "default");
            let release = "r".repeat(53);
            let namespace = "n".repeat(63);
            let mut helm = helm();
            helm.args(["template", &release, "dist/chart", "--namespace", &namespace]).current_dir(&root);
            checked("chart", &text(&must(&mut helm).stdout), &namespace);
            let (objects, version) = bundled(&root);
            checked("bundle", &objects, "default");
            assert!(version["metadata"]["name"].as_str().unwrap().len() <= 253);
            said.extend(validated(&root.join("bundle")).into_iter().filter(|said| said.starts_with("error")));
            // Objects of versions that are converted: nothing serves the conversion.
            said.retain(|line| !line.contains("conversion webhook for "));
            for line in &mut said {
                line.insert_str(0, &format!("seed {seed}, {parts}: "));
            }
            wrong.append(&mut said);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

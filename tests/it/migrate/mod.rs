//! Tests of `opctl migrate` on a real API server. The tests look into etcd to see in which version the API server has
//! stored each object.

mod stage;

use crate::support::{Plane, opctl, text};
use futures_util::StreamExt;
use futures_util::stream::iter;
use kube::Client;
use kube::api::{Api, ApiResource, DynamicObject, ListParams, Patch, PatchParams, PostParams};
use kube::core::GroupVersionKind;
use serde_json::{Value, json};
use stage::{
    Etcd, KINDS, Migrator, create, definition, definitions, etcd_of, exits, in_etcd, json_of, number_in, objects,
    project, stored_versions, write,
};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::Barrier;

/// The number of `Disk` objects. It is so large that the migration is still running when the test kills it.
const DISKS: usize = 600;

#[tokio::test(flavor = "multi_thread")]
async fn objects_move_to_the_storage_version() {
    let (plane, project) = (Plane::start(), project());
    let (root, client, etcd) = (project.root(), plane.client().await, etcd_of(&plane));
    let both = ["v1alpha1", "v1"];
    let run = |arguments: &[&str]| plane.run(&root, arguments);
    for kind in KINDS {
        write(&root, &definition(kind, &both, "v1alpha1"));
    }
    exits(
        &run(&["migrate"]),
        5,
        &["error: the CRD `disks.example.com` is not installed in the cluster", "hint: opctl install"],
    );
    plane.must(&root, &["install"]);
    create(&client, "Disk", (0..DISKS).map(|number| (format!("d{number}"), json!({"size": number})))).await;
    let owned = |owner: &str| (owner.to_owned(), json!({"owner": owner}));
    create(&client, "Pool", [owned("a"), ("bad".to_owned(), json!({})), owned("c")]).await;
    create(&client, "Tank", (0..20).map(|number| (format!("t{number}"), json!({"size": 0})))).await;
    exits(&run(&["migrate", "--check"]), 0, &["nothing to migrate"]);
    write(&root, &definition("Disk", &["v1"], "v1"));
    exits(
        &run(&["install"]),
        3,
        &["add the version v1alpha1 again with `storage = false`", "opctl install && opctl migrate Disk"],
    );
    write(&root, &definition("Disk", &both, "v1"));
    exits(
        &run(&["migrate", "Disk", "--check"]),
        0,
        &[
            "the storage version of `disks.example.com` is `v1alpha1` in the cluster and `v1` in the project: run `opctl install` first",
        ],
    );

    write(&root, &definition("Pool", &both, "v1"));
    write(&root, &definition("Tank", &both, "v1"));
    plane.must(&root, &["install"]);
    let other = "error: objects may be stored in versions other than the storage version";
    let has = "the CRD `disks.example.com` has 600 objects that may be stored in these versions: `v1alpha1`, `v1`; the storage version is `v1`";
    exits(&run(&["migrate", "--check"]), 3, &[other, has, "hint: opctl migrate\n"]);
    cannot_be_taken_out(&plane, &root, &client).await;
    disks_are_killed_and_go_on(&plane, &root, &client, &etcd).await;
    pools_with_an_invalid_object(&plane, &root, &client, &etcd).await;
    rights_that_are_missing(&plane, &root, &client).await;
    tanks_that_others_write(&plane, &root, &client, &etcd).await;
    exits(&run(&["migrate", "--check"]), 0, &["nothing to migrate"]);
    for kind in KINDS {
        write(&root, &definition(kind, &["v1"], "v1"));
    }
    plane.must(&root, &["install"]);
    assert_eq!(objects(&client, "Disk", "v1").get("d7").await.unwrap().data["spec"], json!({"size": 7}));
}

async fn cannot_be_taken_out(plane: &Plane, root: &Path, client: &Client) {
    let only = definition("Disk", &["v1"], "v1");
    let lacks = "error: the new CRD `disks.example.com` lacks versions that objects may still be stored in: `v1alpha1`";
    write(root, &only);
    exits(&plane.run(root, &["install"]), 3, &[lacks, "hint: opctl migrate Disk    # then run the same command again"]);
    write(root, &definition("Disk", &["v1alpha1", "v1"], "v1"));
    let parameters = PatchParams::apply("opctl").force();
    let refused = definitions(client).patch("disks.example.com", &parameters, &Patch::Apply(only)).await.unwrap_err();
    assert!(refused.to_string().contains("must remain in spec.versions until a storage migration"), "{refused}");
}

async fn disks_are_killed_and_go_on(plane: &Plane, root: &Path, client: &Client, etcd: &Etcd) {
    let before = in_etcd(etcd, "Disk");
    exits(&plane.run(root, &["migrate", "Disk", "--dry-run"]), 0, &["dry run, nothing was changed", "store in v1"]);
    assert_eq!(in_etcd(etcd, "Disk"), before);
    let mut migration = opctl(&["migrate", "Disk", "--parallel", "1"])
        .current_dir(root)
        .env("KUBECONFIG", &plane.kubeconfig)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while number_in(etcd, "Disk", "v1") == 0 {
        assert_eq!(migration.try_wait().unwrap(), None);
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    migration.kill().unwrap();
    migration.wait().unwrap();
    let part = number_in(etcd, "Disk", "v1");
    assert!((1..DISKS).contains(&part), "{part}");
    assert_eq!(stored_versions(client, "Disk").await, json!(["v1alpha1", "v1"]));

    let report = json_of(&plane.run(root, &["migrate", "Disk", "-o", "json"]));
    let rewritten = &report["data"]["definitions"][0]["rewritten"];
    let (written, passed) = (rewritten["written"].as_u64().unwrap(), rewritten["passed"].as_u64().unwrap());
    assert_eq!((report["outcome"].as_str(), written + passed), (Some("changed"), DISKS as u64), "{report}");
    assert!(passed >= part as u64, "{report}");
    let moved = in_etcd(etcd, "Disk");
    assert!(moved.values().all(|(version, _)| version == "v1"), "{moved:?}");
    assert_eq!(stored_versions(client, "Disk").await, json!(["v1"]));
    let disk = objects(client, "Disk", "v1").get("d7").await.unwrap();
    assert_eq!((disk.metadata.generation, &disk.data["spec"]), (Some(1), &json!({"size": 7})));

    // A second run finds nothing to migrate. With old versions in the status again, it still rewrites no object.
    exits(&plane.run(root, &["migrate", "Disk"]), 0, &["nothing to migrate"]);
    let patch = Patch::Merge(json!({"status": {"storedVersions": ["v1alpha1", "v1"]}}));
    definitions(client).patch_status("disks.example.com", &PatchParams::default(), &patch).await.unwrap();
    exits(&plane.run(root, &["migrate", "Disk"]), 0, &["stored in v1, 0 rewritten", "1 CRD migrated"]);
    assert_eq!((in_etcd(etcd, "Disk"), stored_versions(client, "Disk").await), (moved, json!(["v1"])));
}

/// Makes the API server refuse updates of `Pool` objects without an owner from now on. This needs an admission
/// policy, because the server accepts unchanged objects that violate a newer schema.
async fn require_owners(client: &Client) {
    let matched = json!({"resourceRules": [{
        "apiGroups": ["example.com"], "apiVersions": ["*"], "operations": ["UPDATE"], "resources": ["pools"],
    }]});
    let policy = json!({
        "matchConstraints": matched,
        "validations": [{"expression": "has(object.spec.owner)", "message": "a pool has an owner"}],
    });
    for (kind, spec) in [
        ("ValidatingAdmissionPolicy", policy),
        ("ValidatingAdmissionPolicyBinding", json!({"policyName": "owners", "validationActions": ["Deny"]})),
    ] {
        let resource = ApiResource::from_gvk(&GroupVersionKind::gvk("admissionregistration.k8s.io", "v1", kind));
        let resource = ApiResource { plural: resource.plural.replace("policys", "policies"), ..resource };
        let object = DynamicObject::new("owners", &resource).data(json!({"spec": spec}));
        Api::all_with(client.clone(), &resource).create(&PostParams::default(), &object).await.unwrap();
    }
    let parameters = PatchParams { dry_run: true, ..PatchParams::default() };
    let patch = Patch::Merge(json!({"spec": {"size": 1}}));
    while objects(client, "Pool", "v1").patch("bad", &parameters, &patch).await.is_ok() {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

async fn pools_with_an_invalid_object(plane: &Plane, root: &Path, client: &Client, etcd: &Etcd) {
    require_owners(client).await;
    let refused = [
        "error: the API server refuses to write 1 object still stored in an older version",
        "caused by: Pool `bad` in namespace `default`: pools.example.com \"bad\" is forbidden: \
         ValidatingAdmissionPolicy 'owners' with binding 'owners' denied request: a pool has an owner",
        "kubectl edit pools.example.com bad --namespace default",
        "opctl migrate Pool\n",
    ];
    for (arguments, moved) in [(&["migrate", "Pool", "--dry-run"][..], 0), (&["migrate", "Pool"], 2)] {
        exits(&plane.run(root, arguments), 5, &refused);
        assert_eq!(number_in(etcd, "Pool", "v1"), moved);
        assert_eq!(stored_versions(client, "Pool").await, json!(["v1alpha1", "v1"]));
    }
    let patch = Patch::Merge(json!({"spec": {"owner": "b"}}));
    objects(client, "Pool", "v1").patch("bad", &PatchParams::default(), &patch).await.unwrap();
    exits(&plane.run(root, &["migrate", "Pool"]), 0, &["1 CRD migrated"]);
    assert_eq!((number_in(etcd, "Pool", "v1"), stored_versions(client, "Pool").await), (3, json!(["v1"])));
}

/// Checks the errors of a user who has no rights at first, and then gets the missing rights one after the other.
async fn rights_that_are_missing(plane: &Plane, root: &Path, client: &Client) {
    let kubeconfig = std::fs::read_to_string(&plane.kubeconfig).unwrap();
    let mut kubeconfig: Value = serde_yaml::from_str(&kubeconfig).unwrap();
    kubeconfig["users"][0]["user"]["as"] = json!("jane");
    let path = plane.state().join("jane");
    std::fs::write(&path, kubeconfig.to_string()).unwrap();
    let api = |kind: &str| -> Api<DynamicObject> {
        let kind = GroupVersionKind::gvk("rbac.authorization.k8s.io", "v1", kind);
        Api::all_with(client.clone(), &ApiResource::from_gvk(&kind))
    };
    let rule = |group: &str, resource: &str, verb: &str| json!({"apiGroups": [group], "resources": [resource], "verbs": [verb]});
    let extensions = "apiextensions.k8s.io";
    let (get, status) = (
        rule(extensions, "customresourcedefinitions", "get"),
        rule(extensions, "customresourcedefinitions/status", "patch"),
    );
    let list = rule("example.com", "tanks", "list");
    let binding = json!({
        "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding", "metadata": {"name": "jane"},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "jane"},
        "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": "jane"}],
    });
    let apply = |object: Value| async move {
        let parameters = PatchParams::apply("test");
        api(object["kind"].as_str().unwrap()).patch("jane", &parameters, &Patch::Apply(object)).await.unwrap();
    };
    apply(binding).await;
    for (rules, lacking) in [
        (vec![], "get customresourcedefinitions"),
        (vec![get.clone()], "list tanks.example.com"),
        (vec![get.clone(), list.clone()], "patch customresourcedefinitions/status"),
        (vec![get, list, status], "patch tanks.example.com"),
    ] {
        apply(json!({
            "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": {"name": "jane"}, "rules": rules,
        }))
        .await;
        let mut command = opctl(&["migrate", "Tank", "--kubeconfig"]);
        let run = |command: &mut Command| command.output().unwrap();
        let command = command.arg(&path).current_dir(root);
        let mut output = run(command);
        // The authorizer sees a new role only after a moment.
        for _ in 0..20 {
            if text(&output.stderr).contains(&format!("error: you may not {lacking} in context `envtest`")) {
                break;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
            output = run(command);
        }
        exits(
            &output,
            5,
            &[&format!("error: you may not {lacking} in context"), &format!("kubectl auth can-i {lacking}")],
        );
    }
}

/// Runs opctl while the test continuously updates `tanks` objects of the kind `Tank`. Returns the output of opctl, and
/// for each object the number in its name and the last size that was written.
async fn migrate_while_written(
    plane: &Plane,
    root: &Path,
    client: &Client,
    tanks: usize,
    arguments: &[&str],
) -> (Output, Vec<(usize, u64)>) {
    let (api, over) = (&objects(client, "Tank", "v1alpha1"), &AtomicBool::new(false));
    // The migration begins when each object is being written, however slow one of the writers is.
    let begun = &Barrier::new(tanks + 1);
    let writer = |number: usize| async move {
        let mut size = 0;
        while !over.load(Ordering::Relaxed) {
            size += 1;
            let patch = Patch::Merge(json!({"spec": {"size": size}}));
            api.patch(&format!("t{number}"), &PatchParams::default(), &patch).await.unwrap();
            if size == 6 {
                begun.wait().await;
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        (number, size)
    };
    let mut command = opctl(arguments);
    command.current_dir(root).env("KUBECONFIG", &plane.kubeconfig);
    let migration = async {
        begun.wait().await;
        let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
        over.store(true, Ordering::Relaxed);
        output
    };
    let writers = iter(0..tanks).map(writer).buffer_unordered(tanks).collect::<Vec<_>>();
    tokio::join!(migration, writers)
}

async fn tanks_that_others_write(plane: &Plane, root: &Path, client: &Client, etcd: &Etcd) {
    let arguments = ["migrate", "Tank", "--parallel", "20"];
    let (output, written) = migrate_while_written(plane, root, client, 10, &arguments).await;
    exits(&output, 0, &["1 CRD migrated"]);
    assert_eq!((number_in(etcd, "Tank", "v1"), stored_versions(client, "Tank").await), (20, json!(["v1"])));
    for (number, size) in written {
        assert!(size > 5, "t{number} was written {size} times");
        let tank = objects(client, "Tank", "v1").get(&format!("t{number}")).await.unwrap();
        assert_eq!(tank.data["spec"]["size"], size, "nothing that others write is lost");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_cluster_migrates_where_a_controller_does() {
    let gate = [
        "--apiserver-arg=--runtime-config=api/all=true",
        "--apiserver-arg=--feature-gates=StorageVersionMigrator=true",
    ];
    let (plane, project) = (Plane::start_with(&gate), project());
    let (root, client, etcd) = (project.root(), plane.client().await, etcd_of(&plane));
    let install = |stored: &str| {
        for kind in KINDS {
            write(&root, &definition(kind, &["v1alpha1", "v1"], stored));
        }
        plane.must(&root, &["install"]);
    };
    install("v1alpha1");
    create(&client, "Tank", (0..20).map(|number| (format!("t{number}"), json!({"size": 0})))).await;
    let _migrator = Migrator::start(&plane);
    install("v1");
    // One object is written meanwhile, because the controller waits until its cache has seen a later write, which takes
    // a minute on an idle cluster.
    let (output, _) = migrate_while_written(&plane, &root, &client, 1, &["migrate", "Tank", "-o", "json"]).await;
    let rewritten = &json_of(&output)["data"]["definitions"][0]["rewritten"];
    assert_eq!(*rewritten, json!({"by": "StorageVersionMigration"}));
    assert_eq!((number_in(&etcd, "Tank", "v1"), stored_versions(&client, "Tank").await), (20, json!(["v1"])));
    let migrations = GroupVersionKind::gvk("storagemigration.k8s.io", "v1beta1", "StorageVersionMigration");
    let migrations: Api<DynamicObject> = Api::all_with(client, &ApiResource::from_gvk(&migrations));
    assert_eq!(migrations.list(&ListParams::default()).await.unwrap().items.len(), 0);
}

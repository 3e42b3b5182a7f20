//! Merges of branches that insert lines into a file which a user edited before the branches were made.

use super::{Repository, words};

const MAIN: &str = "src/main.rs";

#[test]
fn a_changed_line_stays_one_line_on_all_branches() {
    let repository = Repository::new(&[&["create", "api", "--kind", "WebServer"]]);
    repository.write(MAIN, |text| text.replace("manager.add(", "manager.add_with(7_u8, "));
    repository.commit("Change a line that a command inserted");
    repository
        .branch("shop", &[words("create api --kind Shop"), words("create webhook --kind WebServer --defaulting")]);
    repository.branch("item", &[words("create api --kind Item --owns ConfigMap")]);
    for branch in ["shop", "item"] {
        repository.finish(&repository.run_git(&["merge", branch]), &["commit", "--no-edit"]);
        repository.place.ok(&["update", "--check"]);
    }
    repository.place.ok(&["create", "api", "--kind", "Disk"]);
    repository.place.ok(&["create", "api", "--kind", "WebServer", "--finalizer"]);
    repository.place.ok(&["update", "--check"]);
    let main = repository.read(MAIN);
    for part in
        ["web_server::controller()", "shop::controller()", "item::controller()", "disk::controller()", "::setup("]
    {
        assert_eq!(main.matches(part).count(), 1, "{part}: {main}");
    }
}

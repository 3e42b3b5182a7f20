//! `include_dir!` notices a changed template but not an added or removed one.

fn main() {
    println!("cargo::rerun-if-changed=templates");
    println!("cargo::rerun-if-changed=src/build.rs");
}

//! Compiles a part of the api crate as a separate program.

use super::slim::slim;
use super::tree::{self, File};
use crate::Result;
use crate::report::Console;
use crate::source::cargo_manifest::read_manifest;
use crate::type_program::folder::{Shim, write_if_changed};
use crate::type_program::program_manifest::program_manifest;
use crate::type_program::request::Request;
use crate::type_program::{ask, build, program_files};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A part of the crate, which is compiled as a program.
pub(super) struct Part<'a> {
    /// The name of the program's folder below the shim's folder; this name is also the suffix of the program's name.
    pub(super) folder: &'a str,
    pub(super) needed: &'a BTreeSet<usize>,
    pub(super) asked: &'a [String],
    /// True to compile copies of the files without derives of `Deserialize`; false to compile the files in place.
    pub(super) slim: bool,
}

impl Part<'_> {
    /// Compiles this part of the crate. Returns the types' CRDs and schemas, and the program that printed them, or
    /// `None` if the caller must compile the whole crate instead.
    pub(super) fn compile(
        &self,
        shim: &Shim,
        request: &Request,
        crate_files: &[File],
        console: &Console,
    ) -> Option<Result<(String, PathBuf)>> {
        let folder = shim.folder.join(self.folder);
        self.write(shim, request, &folder, crate_files)?;
        let built = build::build_quietly(request.root, &folder, &shim.build_folder, console)?;
        let output = folder.join("answers.json");
        match ask::ask(&built.executable, &output, self.asked) {
            Ok(asked) if asked.endless.is_empty() => Some(Ok((asked.text, built.executable))),
            Ok(_) => None,
            Err(error) => Some(Err(error)),
        }
    }

    fn write(&self, shim: &Shim, request: &Request, folder: &Path, crate_files: &[File]) -> Option<()> {
        let api = request.folder();
        let api_manifest = read_manifest(&api.join("Cargo.toml")).ok()?;
        let leaves_out = self.slim && api_manifest.get("dependencies")?.as_table_like()?.contains_key("serde");
        let copy = |index: usize| folder.join(format!("file{index}.rs"));
        let mut copied = BTreeSet::new();
        for (index, file) in crate_files.iter().enumerate().filter(|(_, file)| leaves_out && file.children.is_empty()) {
            if let Some(text) = slim(&file.text) {
                write_if_changed(&copy(index), &text).ok()?;
                copied.insert(index);
            }
        }
        let place = |index: usize| match &crate_files[index] {
            file if file.children.is_empty() && !copied.contains(&index) => file.path.clone(),
            _ => copy(index),
        };
        for (index, file) in crate_files.iter().enumerate().filter(|(_, file)| !file.children.is_empty()) {
            let mut text = tree::narrowed_text(file, crate_files, self.needed, &place)?;
            if index == 0 {
                text = format!("{text}\n{}", program_files::program("crate", self.asked));
            }
            write_if_changed(&place(index), &text).ok()?;
        }
        let root_manifest = read_manifest(&request.root.join("Cargo.toml")).ok()?;
        let name = format!("{}-{}", shim.name, self.folder);
        let manifest = program_manifest(
            &name,
            "file0.rs",
            &request.api.features,
            (request.root, &root_manifest),
            (&api, api_manifest),
        )?;
        write_if_changed(&folder.join("Cargo.toml"), &manifest.to_string()).ok()?;
        shim.copy_lock(folder).ok()
    }
}

//! Finds the programs of a control plane.

use super::kubernetes_version::Selector;
use super::places::{API_SERVER, CONTROLLER_MANAGER, ETCD, ProgramPath, locate};
use super::store::{Entry, Store};
use crate::error::hint;
use crate::{Error, Result};
use std::path::{Path, PathBuf};

/// The paths of a control plane's programs, which all exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Programs {
    /// The path of etcd.
    pub etcd: PathBuf,
    /// The path of kube-apiserver.
    pub api_server: PathBuf,
    /// The path of kube-controller-manager, if installed: setup-envtest's archives lack this program.
    pub controller_manager: Option<PathBuf>,
}

impl Programs {
    /// Returns the installed programs that `wanted` selects. Without `wanted`, searches the places that
    /// controller-runtime uses: first the paths in `TEST_ASSET_*`, then the folder in `KUBEBUILDER_ASSETS`, and then an
    /// assets directory. As the assets directory, opctl uses the store's folder of the newest version within the
    /// default minor version. Returns `None` if programs must be set up first.
    pub fn find(wanted: Option<&Selector>, store: &Store) -> Result<Option<Self>> {
        let entry = store.newest(&wanted.copied().unwrap_or_default());
        if wanted.is_some() {
            // A version on the command line takes precedence over the environment.
            return Ok(entry.as_ref().map(Programs::of_entry));
        }
        let directory = entry.map(|entry| entry.directory);
        of(|name| locate(name, directory.as_deref()))
    }

    /// Returns the programs in an entry of the store.
    pub fn of_entry(entry: &Entry) -> Self {
        let program = |name: &str| entry.directory.join(name);
        Programs {
            etcd: program(ETCD),
            api_server: program(API_SERVER),
            controller_manager: entry.controller_manager.then(|| program(CONTROLLER_MANAGER)),
        }
    }

    /// Returns the folder that contains etcd and kube-apiserver, for `KUBEBUILDER_ASSETS`; `None` if they are in two
    /// folders.
    pub fn directory(&self) -> Option<&Path> {
        self.etcd.parent().filter(|directory| self.api_server.parent() == Some(directory))
    }
}

fn of(locate: impl Fn(&str) -> ProgramPath) -> Result<Option<Programs>> {
    let required = |name: &str| {
        let located = locate(name);
        let path = std::path::absolute(&located.path).unwrap_or(located.path);
        match located.variable {
            _ if path.is_file() => Ok(Some(path)),
            None => Ok(None),
            Some(variable) => Err(Error::environment(format!(
                "the environment variable `{variable}` does not give a path to the program `{name}`"
            ))
            .caused_by(format!("`{}` does not exist", path.display()))
            .hint(hint!("set the correct path, or let opctl choose: unset {variable}", variable))),
        }
    };
    let (Some(etcd), Some(api_server)) = (required(ETCD)?, required(API_SERVER)?) else { return Ok(None) };
    let controller_manager = Some(locate(CONTROLLER_MANAGER).path).filter(|path| path.is_file());
    Ok(Some(Programs { etcd, api_server, controller_manager }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_programs_are_an_error_only_if_a_variable_names_their_folder() {
        let folder = tempfile::tempdir().unwrap();
        let missing = |variable: Option<&str>| {
            of(|name| ProgramPath { path: folder.path().join(name), variable: variable.map(str::to_owned) })
        };
        assert_eq!(missing(None).unwrap(), None);
        let error = missing(Some("KUBEBUILDER_ASSETS")).unwrap_err();
        assert_eq!(
            error.message(),
            "the environment variable `KUBEBUILDER_ASSETS` does not give a path to the program `etcd`"
        );
        for name in [ETCD, API_SERVER] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        let programs = missing(Some("KUBEBUILDER_ASSETS")).unwrap().unwrap();
        assert_eq!(programs.directory(), Some(folder.path()));
        assert_eq!(programs.controller_manager, None);
    }
}

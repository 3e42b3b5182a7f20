//! The arguments that name a type of another crate.

use crate::Result;
use crate::model::{Dependency, RustPath};
use crate::scaffold::ExternalIntent;
use clap::Args;

/// A type of another crate.
#[derive(Args, Debug)]
pub(super) struct ExternalArgs {
    /// The module of the type in another crate, such as `certs::v1`; `create api` needs `--resource=false` too
    #[arg(id = "external_api_path", long = "external-api-path", value_name = "PATH")]
    path: Option<String>,
    /// The part of such a kind's API group behind `--group`, such as `io`
    #[arg(long = "external-api-domain", requires = "external_api_path", value_name = "DOMAIN")]
    domain: Option<String>,
    /// The crate, to be added to Cargo.toml: `gateway-api@0.19`, or a path [default: it is there already]
    #[arg(long = "external-api-module", requires = "external_api_path", value_name = "MODULE")]
    module: Option<String>,
}

impl ExternalArgs {
    pub(super) fn intent(&self) -> Result<Option<ExternalIntent>> {
        let Some(path) = &self.path else { return Ok(None) };
        Ok(Some(ExternalIntent {
            path: RustPath::parse(path)?,
            domain: self.domain.clone(),
            dependency: self.module.as_deref().map(Dependency::parse).transpose()?,
        }))
    }
}

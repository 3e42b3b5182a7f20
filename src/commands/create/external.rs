//! The arguments that name a type of another crate.

use crate::Result;
use crate::model::{Dependency, RustPath};
use crate::scaffold::ExternalIntent;
use clap::Args;

/// The flags that name a type of another crate.
#[derive(Args, Debug)]
pub(super) struct ExternalArgs {
    /// The module of the type in another crate, such as `certs::v1`; `create api` also needs `--resource=false`
    #[arg(id = "external_api_path", long = "external-api-path", value_name = "PATH")]
    path: Option<String>,
    /// The part of the API group after `--group`, such as `io`, for a kind of another crate
    #[arg(long = "external-api-domain", requires = "external_api_path", value_name = "DOMAIN")]
    domain: Option<String>,
    /// The crate to add to Cargo.toml: `gateway-api@0.19`, or a path [default: Cargo.toml has the crate already]
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

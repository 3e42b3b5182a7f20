//! The flags of webhooks.

use std::path::PathBuf;

#[derive(clap::Args, Clone, Debug)]
#[command(next_help_heading = "Webhooks")]
pub(crate) struct WebhookOptions {
    /// Address that serves webhooks, such as :9443; 0 for none
    #[arg(long, env, value_name = "ADDRESS", default_value = ":9443")]
    pub webhook_bind_address: String,
    /// Directory of tls.crt and tls.key, which may be renewed, and of ca.crt, the authority to trust
    #[arg(long, env, value_name = "PATH")]
    pub webhook_cert_path: Option<PathBuf>,
    /// Service by which the API server reaches the operator, where it is its own certificate authority
    #[arg(long, env, value_name = "NAME", requires = "webhook_secret_name")]
    pub webhook_service_name: Option<String>,
    /// Secret of the authority and the certificate, in the operator's namespace
    #[arg(long, env, value_name = "NAME")]
    pub webhook_secret_name: Option<String>,
    /// MutatingWebhookConfiguration that gets the CA bundle of the authority
    #[arg(long, env, value_name = "NAME")]
    pub mutating_webhook_configuration: Option<String>,
    /// ValidatingWebhookConfiguration that gets the CA bundle of the authority
    #[arg(long, env, value_name = "NAME")]
    pub validating_webhook_configuration: Option<String>,
    /// Authority of the API server's client certificate, as PEM: admission webhooks then answer nobody
    /// else. Conversions answer everybody, as the API server shows them no certificate
    #[arg(long, env, value_name = "FILE")]
    pub webhook_client_ca: Option<PathBuf>,
    /// Memory for requests in progress, in MiB: a quarter is the largest size of a request
    #[arg(long, env, value_name = "NUMBER", default_value = "64")]
    pub webhook_memory: u16,
    /// Serve webhooks, probes and metrics alone: no controller, no lease
    #[arg(long, env)]
    pub webhooks_only: bool,
}

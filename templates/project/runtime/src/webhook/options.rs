//! The flags of webhooks.

use std::path::PathBuf;

#[derive(clap::Args, Clone, Debug)]
#[command(next_help_heading = "Webhooks")]
pub(crate) struct WebhookOptions {
    /// Address that serves webhooks, such as :9443; 0 to disable
    #[arg(long, env, value_name = "ADDRESS", default_value = ":9443")]
    pub webhook_bind_address: String,
    /// Directory with tls.crt and tls.key, which may be renewed, and ca.crt, the authority to trust
    #[arg(long, env, value_name = "PATH")]
    pub webhook_cert_path: Option<PathBuf>,
    /// Service that leads to the operator, if the operator is its own certificate authority
    #[arg(long, env, value_name = "NAME", requires = "webhook_secret_name")]
    pub webhook_service_name: Option<String>,
    /// Secret for the authority and the certificate, in the operator's namespace
    #[arg(long, env, value_name = "NAME")]
    pub webhook_secret_name: Option<String>,
    /// MutatingWebhookConfiguration that gets the CA bundle of the authority
    #[arg(long, env, value_name = "NAME")]
    pub mutating_webhook_configuration: Option<String>,
    /// ValidatingWebhookConfiguration that gets the CA bundle of the authority
    #[arg(long, env, value_name = "NAME")]
    pub validating_webhook_configuration: Option<String>,
    /// PEM file with the authority of the API server's client certificate. Admission webhooks then
    /// answer only clients with such a certificate; conversions answer all clients
    #[arg(long, env, value_name = "FILE")]
    pub webhook_client_ca: Option<PathBuf>,
    /// Memory for requests in progress, in MiB; one request may take up to a quarter
    #[arg(long, env, value_name = "NUMBER", default_value = "64")]
    pub webhook_memory: u16,
    /// Serve only webhooks, probes and metrics, without controllers and leader election
    #[arg(long, env)]
    pub webhooks_only: bool,
}

//! Policies of `config/policy`, which `opctl test` applies: a module for each.
mod web_server;

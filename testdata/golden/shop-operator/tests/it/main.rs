//! The operator on a real API server, which `opctl test` starts: a module for each controller.
mod support;
mod web_server;

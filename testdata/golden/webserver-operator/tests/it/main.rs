//! The operator on a real API server, which `opctl test` starts: a module for each controller.
mod web_server;

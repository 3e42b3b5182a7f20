mod web_server;
pub use web_server::{WebServer, WebServerSpec, WebServerStatus};

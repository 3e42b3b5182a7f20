pub use crate::types::WebServer;

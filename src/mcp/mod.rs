//! A server of the [Model Context Protocol](https://modelcontextprotocol.io): every command of opctl is a tool of a coding
//! agent, and every page of help a resource.
//!
//! A call becomes the command line of another opctl process, so that a tool does what the command does. Agents may be led
//! by text that others wrote, so that a call changes nothing unless it says so, names no file outside of the project, and
//! changes no cluster whose context it does not name.

mod arguments;
mod child;
mod effect;
mod leaf;
mod limits;
mod result;
mod server;
mod tool;

#[cfg(test)]
pub use leaf::faults;
pub use server::{Page, serve};

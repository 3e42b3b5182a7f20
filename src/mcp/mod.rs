//! A server of the [Model Context Protocol](https://modelcontextprotocol.io): every command of opctl is a tool of a
//! coding agent, and every help page is a resource.
//!
//! A call runs its command line in another opctl process, so that a tool does the same as the command. Texts by others
//! can mislead an agent. Therefore, a call changes nothing without the argument `apply`, cannot name a file outside of
//! the project, and can change an existing cluster only if the call names the context of that cluster.

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

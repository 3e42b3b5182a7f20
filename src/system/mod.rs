//! Isolates the differences between operating systems: processes, signals, and the modes of files. A test checks
//! that the rest of the crate has no code for specific operating systems.

mod files;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(unix))]
mod other;
mod own_program;
mod private_file;
#[cfg(unix)]
mod served_user;
mod signal;
mod stack;
#[cfg(not(target_os = "linux"))]
mod unbound;
#[cfg(unix)]
mod unix;
mod usage;

pub use files::{
    copy_file, create_file, create_folder, create_folders, create_new_file, create_temporary, open_or_create,
    write_file,
};
#[cfg(target_os = "linux")]
pub use linux::{become_program, bound_to_this_process, first_child, guard, guarded_by_this_process, usage_of_group};
#[cfg(not(unix))]
pub use other::*;
pub use own_program::own_program;
pub use private_file::write_private_file;
#[cfg(unix)]
pub use served_user::{belongs_to_user, give_file, run_as_served_user};
#[cfg(unix)]
use served_user::{give_folder, give_temporary};
pub use signal::Signal;
pub use stack::with_large_stack;
#[cfg(not(target_os = "linux"))]
pub use unbound::{become_program, bound_to_this_process, first_child, guard, guarded_by_this_process, usage_of_group};
#[cfg(unix)]
pub use unix::*;
pub use usage::{Usage, measures_processes};

//! Attacks by repositories, servers and other users of the machine. `testdata/attacks.md` lists each with its test.

mod bounded;
mod downloads;
mod fuzz;
mod git;
mod hints;
mod journal;
mod limits;
mod long_commands;
mod mirrors;
mod mutation;
mod nesting;
mod other_users;
mod paths;
mod programs;
mod scene;
mod servers;
mod signals;
mod table;
mod text;

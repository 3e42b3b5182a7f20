//! Attacks by repositories, servers and other users of the machine. `testdata/attacks.md` lists each with its test.

mod downloads;
mod other_users;
mod table;
mod web;

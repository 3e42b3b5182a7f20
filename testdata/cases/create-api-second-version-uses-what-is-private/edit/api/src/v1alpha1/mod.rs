mod web_server;

pub use web_server::*;

fn usual() -> i32 {
    1
}

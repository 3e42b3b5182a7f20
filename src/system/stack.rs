//! A large stack for parsing untrusted text.

/// The size in bytes of the stack for parsing: several times the size needed for code with the nesting depth
/// `syntax::LEVELS` and for the deepest YAML and JSON that opctl reads. The system provides memory only for the used
/// part of the stack.
const LARGE_STACK: usize = 256 << 20;

/// Calls a function that parses untrusted text, with a large stack. The function runs on the calling thread, because
/// memory allocation on a new thread costs more than on the main thread.
pub fn with_large_stack<R>(parse: impl FnOnce() -> R) -> R {
    let mut room: Vec<u8> = Vec::new();
    // A process that may not have as much memory has to do with the stack that it has: to ask for another would panic.
    let has_room = room.try_reserve_exact(LARGE_STACK).is_ok();
    drop(std::hint::black_box(room));
    if has_room { stacker::grow(LARGE_STACK, parse) } else { parse() }
}

//! A stack for what others wrote.

/// The bytes of a stack that suffices for what `syntax::LEVELS` lets through, several times over, and for the deepest
/// YAML and JSON that are read. Memory is used only for the part of it that is needed.
const LARGE_STACK: usize = 256 << 20;

/// Calls a function that parses what others wrote. The stack is this thread's own, so that it allocates memory as the
/// main thread does, which costs less.
pub fn with_large_stack<R>(parse: impl FnOnce() -> R) -> R {
    let mut room: Vec<u8> = Vec::new();
    // A process that may not have as much memory has to do with the stack that it has: to ask for another would panic.
    let has_room = room.try_reserve_exact(LARGE_STACK).is_ok();
    drop(std::hint::black_box(room));
    if has_room { stacker::grow(LARGE_STACK, parse) } else { parse() }
}

//! The commands in the `sh` blocks of chapters.

use super::chapters::chapter;
use crate::support::words;

/// A block of commands.
pub(crate) struct Block {
    /// True if the last command must fail, which the chapter marks with `sh,fails`.
    pub(crate) fails: bool,
    /// The commands, each on a line.
    pub(crate) lines: Vec<String>,
}

/// Returns the blocks of commands in the chapter, such as `tutorials/adopt`.
pub(super) fn blocks(name: &str) -> Vec<Block> {
    of_text(&chapter(name))
}

/// Returns the blocks of commands in a text.
pub(super) fn of_text(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut inside = false;
    for line in text.replace("\\\n", " ").lines() {
        match line.strip_prefix("```") {
            Some(language) => {
                inside = !inside && ["sh", "sh,fails"].contains(&language);
                if inside {
                    blocks.push(Block { fails: language == "sh,fails", lines: Vec::new() });
                }
            }
            None if inside && !line.trim().is_empty() => {
                let command = line.split("  #").next().unwrap().trim();
                blocks.last_mut().unwrap().lines.push(command.to_owned());
            }
            None => {}
        }
    }
    blocks
}

/// Returns the commands of the chapter.
pub(crate) fn commands(name: &str) -> Vec<String> {
    blocks(name).into_iter().flat_map(|block| block.lines).collect()
}

/// Splits a line into words, without the quotes around them.
pub(crate) fn shell_words(line: &str) -> Vec<String> {
    words(&line.replace('\'', "\""))
}

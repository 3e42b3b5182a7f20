//! Finds the lines of fields in the text of a manifest.

/// A line of a text, with its line number, counted from 1.
type Line<'a> = (usize, std::borrow::Cow<'a, str>);

/// Returns the line number (from 1) of the field at a JSON pointer in the first document of a text. If the field has no
/// line, returns the line of the innermost enclosing field that has a line.
pub(super) fn line(text: &str, pointer: &str) -> usize {
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.into()));
    let mut block: Vec<Line> = lines.filter(|(_, line): &Line| is_content(line)).collect();
    let mut found = block.first().map_or(1, |(number, _)| *number);
    for segment in pointer.split('/').skip(1) {
        let segment = segment.replace("~1", "/").replace("~0", "~");
        let Some(inner) =
            segment.parse().ok().and_then(|index| element(&block, index)).or_else(|| field(&block, &segment))
        else {
            break;
        };
        found = inner.first().map_or(found, |(number, _)| *number);
        block = inner;
    }
    found
}

fn is_content(line: &str) -> bool {
    let line = line.trim_start();
    !line.is_empty() && !line.starts_with('#') && !line.starts_with("---")
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Returns the lines of the field `name`: the line with its name, and the lines below that belong to the field.
fn field<'a>(block: &[Line<'a>], name: &str) -> Option<Vec<Line<'a>>> {
    let (at, own) = below_key(block).into_iter().find(|(_, line)| {
        let line = line.trim_start();
        let rest = ["", "\"", "'"].iter().find_map(|quote| {
            line.strip_prefix(quote)?.strip_prefix(name)?.strip_prefix(quote)?.trim_start().strip_prefix(':')
        });
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    })?;
    let depth = indentation(own);
    let start = block.iter().position(|(number, _)| *number == at)?;
    let below = block[start + 1..].iter().take_while(|(_, line)| {
        // A list may begin as far to the left as its field.
        indentation(line) > depth || indentation(line) == depth && line.trim_start().starts_with("- ")
    });
    Some(std::iter::once((at, own.to_owned().into())).chain(below.cloned()).collect())
}

/// Returns the lines of the list element at `index`. The first returned line is empty, and has the line number of the
/// element. In the line after it, a space replaces the leading dash, so that all fields of the element are indented
/// equally.
fn element<'a>(block: &[Line<'a>], index: usize) -> Option<Vec<Line<'a>>> {
    let items = block.get(1..)?;
    let depth =
        items.first().filter(|(_, line)| line.trim_start().starts_with('-')).map(|(_, line)| indentation(line))?;
    let is_first = |line: &str| indentation(line) == depth && line.trim_start().starts_with('-');
    let start = items.iter().enumerate().filter(|(_, (_, line))| is_first(line)).nth(index)?.0;
    let (number, own) = &items[start];
    let own = own.replacen('-', " ", 1).into();
    let below = items[start + 1..].iter().take_while(|(_, line)| indentation(line) > depth);
    // Its first line stands twice: as the line of the element, and as that of its first field.
    Some(std::iter::once((*number, String::new().into())).chain([(*number, own)]).chain(below.cloned()).collect())
}

/// Returns the first line of each field directly below the field or list element at the start of `block`, with its line
/// number. If `block` is a whole document, returns the lines of the document's top-level fields.
fn below_key<'b>(block: &'b [Line]) -> Vec<(usize, &'b str)> {
    // The first line is that of the field or the element which the block belongs to, but in a whole text.
    let lines = || block.iter().map(|(number, line)| (*number, &**line));
    let all = |skipped: usize| {
        let depth = lines().nth(skipped).map_or(0, |(_, line)| indentation(line));
        lines().skip(skipped).filter(move |(_, line)| indentation(line) == depth).collect::<Vec<_>>()
    };
    let is_whole = lines().next().is_some_and(|(_, line)| !line.is_empty() && indentation(line) == 0)
        && lines().filter(|(_, line)| indentation(line) == 0).count() > 1;
    if is_whole { all(0) } else { all(1) }
}

#[cfg(test)]
mod tests {
    use super::line;

    #[test]
    fn fields_are_found_in_blocks_and_lists() {
        let text = "# a comment\n---\nkind: A\nmetadata:\n  name: a\n  annotations:\n    \"x/y\": |\n      name: b\n\
                    spec:\n  icon:\n  - base64data: a\n    mediatype: b\n  - mediatype: c\n  modes: [{type: A}]\n";
        for (pointer, expected) in [
            ("", 3),
            ("/kind", 3),
            ("/metadata/name", 5),
            ("/metadata/annotations/x~1y", 7),
            ("/metadata/labels", 4),
            ("/spec", 9),
            ("/spec/icon/0", 11),
            ("/spec/icon/0/mediatype", 12),
            ("/spec/icon/1/mediatype", 13),
            ("/spec/icon/2", 10),
            ("/spec/modes/0/type", 14),
            ("/spec/name", 9),
            ("/status", 3),
        ] {
            assert_eq!(line(text, pointer), expected, "{pointer}");
        }
        assert_eq!(line("", "/a"), 1);
    }
}

//! The colours of messages on a terminal.

use anstyle::{AnsiColor, Style};

pub(super) const VERB: Style = AnsiColor::Green.on_default().bold();
pub(super) const WARNING: Style = AnsiColor::Yellow.on_default().bold();
pub(super) const ERROR: Style = AnsiColor::Red.on_default().bold();
pub(super) const HINT: Style = AnsiColor::Cyan.on_default().bold();

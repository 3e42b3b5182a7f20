//! Judges the writes that an operator sends while another client holds the operator's lease.

use super::suspicion::{Oracle, Severity, Suspicion, suspicion};
use crate::explore::record::journal::Entry;

/// Returns a suspicion if the operator changed an object according to `meanwhile`, the journal entries that were
/// recorded while another client, or the second replica, held the operator's lease.
pub fn writes(meanwhile: &[Entry]) -> Option<Suspicion> {
    let mut entries = meanwhile.iter().filter_map(|entry| Some((entry, entry.request()?)));
    let (entry, write) = entries.find(|(_, request)| request.effective && !request.standby)?;
    let (verb, object) = write.parts();
    let text = format!("the operator still sends `{verb}` {object} after its lease has ended");
    Some(suspicion(Oracle::Lease, Severity::Error, text, object.to_owned(), entry.step))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::plan::fault_plan::Step;
    use crate::explore::record::journal::{Event, Request};
    use std::time::Duration;

    #[test]
    fn only_what_is_written_while_somebody_else_leads_counts() {
        let request = |request: &str, effective| {
            let request = Request { request: request.to_owned(), effective, ..Request::default() };
            Entry { at: Duration::ZERO, step: Step::Create, event: Event::Request(request) }
        };
        let journal = [
            request("create:services/w#1", true),
            request("list:services#1", false),
            request("patch:services/w#1", true),
        ];
        assert_eq!(writes(&[]), None);
        assert_eq!(writes(&journal[1..2]), None);
        let found = writes(&journal[1..3]).unwrap();
        assert_eq!(found.text, "the operator still sends `patch` services/w after its lease has ended");
    }
}

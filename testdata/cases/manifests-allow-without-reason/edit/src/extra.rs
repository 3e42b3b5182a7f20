// +opctl:allow:OP153
// +opctl:allow:OP153 reason="nothing is here"
pub struct Extra;

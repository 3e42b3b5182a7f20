// +opctl:allow:OP152
// +opctl:allow:OP152 reason="nothing is here"
pub struct Extra;

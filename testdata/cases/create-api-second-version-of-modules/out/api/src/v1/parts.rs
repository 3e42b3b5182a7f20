pub struct Part {}

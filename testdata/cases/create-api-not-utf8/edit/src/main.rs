fn main() {} // ÿş

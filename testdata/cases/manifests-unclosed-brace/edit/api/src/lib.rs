pub struct A {

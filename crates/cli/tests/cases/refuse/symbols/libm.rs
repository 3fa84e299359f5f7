//! Functions of C's mathematics, of both sizes: std calls the C library's. What brings one brings all, so they are one reason.
#[rustgo::export]
pub fn turn(angle: f64) -> f64 {
    angle.sin()
}

#[rustgo::export]
pub fn grow(rate: f32) -> f32 {
    rate.exp_m1()
}

//! Functions of C's mathematics, for both float types, which std calls. One feature adds all of them, so there is one reason.
#[rustgo::export]
pub fn turn(angle: f64) -> f64 {
    angle.sin()
}

#[rustgo::export]
pub fn grow(rate: f32) -> f32 {
    rate.exp_m1()
}

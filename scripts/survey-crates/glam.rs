//@ std
//@ support: libm
//@ glam = { version = "=0.30.10", features = ["scalar-math"] }
//! Computes with vectors and matrices for graphics. Vector instructions are off, because with them glam adds in another order on each architecture.
use glam::{Mat3, Mat4, Quat, Vec2, Vec3, Vec3A, Vec4, vec3};

#[rustgo::export]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let at = |i: usize| f32::from(input.get(i).copied().unwrap_or(i as u8 * 37)) / 16.0 - 5.0;
    let v = vec3(at(0), at(1), at(2));
    let m = Mat4::from_cols_array(&std::array::from_fn(at));
    let q = Quat::from_xyzw(at(3), at(4), at(5), 7.5).normalize();
    let mut text = format!("{} {:?} {}", m.determinant(), m.inverse(), m.project_point3(v));
    text += &format!("{:?} {:?} {:?}", q * v, q.inverse() * Vec3A::from(v), Mat3::from_quat(q).transpose());
    text += &format!("{:?} {:?}", v.cross(Vec3::Y).try_normalize(), v.reflect(Vec3::Z).clamp(Vec3::ZERO, Vec3::ONE));
    text +=
        &format!("{:?} {:?}", Vec4::new(at(7), at(8), at(9), 1.0).cmplt(Vec4::ONE).bitmask(), Vec2::new(at(1), at(2)).lerp(Vec2::X, 0.25));
    text += &format!("{:?}", Vec3::from_slice(&input.iter().map(|&b| f32::from(b)).collect::<Vec<_>>()));
    put(out, text.as_bytes())
}

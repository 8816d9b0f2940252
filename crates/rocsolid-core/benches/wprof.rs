#![allow(unsafe_code, missing_docs)]
use rocsolid_core::fast::{self, Call, Path};
fn cpu() -> f64 { let mut t = libc::timespec { tv_sec: 0, tv_nsec: 0 }; unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut t); } t.tv_sec as f64 + t.tv_nsec as f64 * 1e-9 }
fn main() {
    let n: usize = std::env::var("N").map(|s| s.parse().unwrap()).unwrap_or(1_000_000);
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut u = || { state ^= state << 13; state ^= state >> 7; state ^= state << 17; (state >> 11) as f64 / (1u64 << 53) as f64 };
    let y: Vec<u8> = (0..n).map(|_| u8::from(u() < 0.5)).collect();
    let s: Vec<f64> = y.iter().map(|&y| u() + u() + u() + f64::from(y) * 0.5).collect();
    let w: Vec<f64> = (0..n).map(|_| -(u() + 1e-18).ln() ).collect();
    let call = Call::uninterrupted(1);
    let mut best = f64::MAX;
    for _ in 0..200 {
        let t = cpu();
        std::hint::black_box(fast::weighted::areas(Path::Auto, &s, &y, &w, &call).unwrap());
        best = best.min(cpu() - t);
    }
    println!("{:.2} ns/row", best * 1e9 / n as f64);
}

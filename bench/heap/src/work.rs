//! The workloads. Each workload returns the time of one operation, a malloc and a free, in nanoseconds. With several threads it is the elapsed
//! time divided by the number of operations of all threads.

use std::hint::black_box;
use std::sync::Barrier;
use std::time::Instant;

use crate::peers::{Peer, run_on};

/// Random numbers: xorshift64*.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (((self.next() >> 32) * n as u64) >> 32) as usize
    }

    /// Returns a size from 16 bytes to 4 KiB; each order of magnitude is equally frequent.
    pub fn size(&mut self) -> usize {
        let bits = 4 + self.below(8);
        (1 << bits) + self.below(1 << bits)
    }
}

/// An object that one thread passes to another.
#[derive(Clone, Copy)]
struct Object(*mut u8, usize);

// SAFETY: only one thread at a time owns the object.
unsafe impl Send for Object {}

fn new<P: Peer>(size: usize) -> Object {
    // SAFETY: the size is not 0; the object has that many bytes.
    unsafe {
        let at = black_box(P::malloc(size));
        at.write(1);
        Object(at, size)
    }
}

fn free<P: Peer>(object: Object) {
    // SAFETY: nothing else uses the object.
    unsafe { P::free(object.0, object.1) }
}

/// Runs `work` on several threads, which start together. `operations` is the number of operations of each thread.
fn on_threads(threads: usize, operations: usize, work: impl Fn(usize) + Sync) -> f64 {
    let barrier = Barrier::new(threads);
    let times: Vec<_> = std::thread::scope(|scope| {
        let start = |thread| {
            let (barrier, work) = (&barrier, &work);
            scope.spawn(move || {
                run_on(thread + 1);
                barrier.wait();
                let began = Instant::now();
                work(thread);
                (began, Instant::now())
            })
        };
        let running: Vec<_> = (0..threads).map(start).collect();
        running.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let began = times.iter().map(|time| time.0).min().unwrap();
    let ended = times.iter().map(|time| time.1).max().unwrap();
    (ended - began).as_nanos() as f64 / (operations * threads) as f64
}

/// Allocates and frees one object at a time.
pub fn pairs<P: Peer>(size: usize, threads: usize) -> f64 {
    let n = 2_000_000 / threads;
    on_threads(threads, n, |_| (0..n).for_each(|_| free::<P>(new::<P>(size))))
}

/// Allocates 200 objects of one size, then frees them in the same order.
pub fn batches<P: Peer>(size: usize, threads: usize) -> f64 {
    let rounds = 5000 / threads;
    on_threads(threads, rounds * 200, |_| {
        let mut objects = [Object(std::ptr::null_mut(), 0); 200];
        for _ in 0..rounds {
            objects.fill_with(|| new::<P>(size));
            objects.iter().for_each(|object| free::<P>(*object));
        }
    })
}

/// Replaces random objects among 1000 objects of 16 bytes to 4 KiB.
pub fn mixed<P: Peer>(threads: usize) -> f64 {
    let n = 500_000 / threads;
    on_threads(threads, n, |thread| {
        let mut random = Random(thread as u64 + 1);
        let mut objects: Vec<_> = (0..1000).map(|_| new::<P>(random.size())).collect();
        for _ in 0..n {
            let index = random.below(objects.len());
            free::<P>(std::mem::replace(&mut objects[index], new::<P>(random.size())));
        }
        objects.into_iter().for_each(free::<P>);
    })
}

/// Larson's benchmark. It is like `mixed`, but after every 1000 operations each thread passes its objects to the next thread. So most objects are
/// freed by another thread than the thread that allocated them.
pub fn larson<P: Peer>(threads: usize) -> f64 {
    let rounds = 500 / threads;
    let (senders, receivers): (Vec<_>, Vec<_>) = (0..threads).map(|_| std::sync::mpsc::channel::<Vec<Object>>()).unzip();
    let receivers: Vec<_> = receivers.into_iter().map(std::sync::Mutex::new).collect();
    on_threads(threads, rounds * 1000, |thread| {
        let mut random = Random(thread as u64 + 1);
        let receiver = receivers[thread].lock().unwrap();
        let mut objects: Vec<_> = (0..1000).map(|_| new::<P>(random.size())).collect();
        for _ in 0..rounds {
            for _ in 0..1000 {
                let index = random.below(objects.len());
                free::<P>(std::mem::replace(&mut objects[index], new::<P>(random.size())));
            }
            senders[(thread + 1) % threads].send(objects).unwrap();
            objects = receiver.recv().unwrap();
        }
        objects.into_iter().for_each(free::<P>);
    })
}

/// Each thread frees an object of 8 bytes that the main thread has allocated next to the other threads' objects. Then it allocates an object and
/// writes to it 100 times. The benchmark is slow if the allocator gives objects in one cache line to different threads.
pub fn cache_scratch<P: Peer>(threads: usize) -> f64 {
    let rounds = 20_000;
    let first: Vec<_> = (0..threads).map(|_| std::sync::Mutex::new(Some(new::<P>(8)))).collect();
    on_threads(threads, rounds, |thread| {
        free::<P>(first[thread].lock().unwrap().take().unwrap());
        for _ in 0..rounds {
            let object = new::<P>(8);
            for value in 0..100 {
                // SAFETY: the object has 8 bytes.
                unsafe { object.0.write_volatile(value) };
            }
            free::<P>(object);
        }
    })
}

/// Returns the resident memory of the process, in bytes.
fn resident() -> usize {
    let statm = std::fs::read_to_string("/proc/self/statm").expect("linux");
    statm.split(' ').nth(1).and_then(|pages| pages.parse::<usize>().ok()).expect("two numbers") << 12
}

/// The total size of a workload's live objects, in bytes.
const LIVE: usize = 64 << 20;

/// Allocates 64 MiB of objects and touches all their pages. Then replaces random objects, twice as many as there are.
fn population<P: Peer>(random: &mut Random, size: impl Fn(&mut Random) -> usize) -> Vec<Object> {
    let mut objects = Vec::with_capacity(1 << 20);
    let mut bytes = 0;
    while bytes < LIVE {
        let object = touched::<P>(size(random));
        bytes += object.1;
        objects.push(object);
    }
    for _ in 0..2 * objects.len() {
        let index = random.below(objects.len());
        // Allocate the new object before the old object is freed, as a program does that replaces a value.
        let new = touched::<P>(size(random));
        free::<P>(std::mem::replace(&mut objects[index], new));
    }
    objects
}

/// Returns the resident memory divided by the size of the objects. `base` is the resident memory of the process without objects.
fn overhead(base: usize, objects: &[&[Object]]) -> f64 {
    let lists: usize = objects.iter().map(|list| size_of_val(*list)).sum();
    let bytes: usize = objects.iter().flat_map(|list| list.iter()).map(|object| object.1).sum();
    (resident() - base - lists) as f64 / bytes as f64
}

/// Returns a size as in most programs: small sizes are frequent, and one in 100 is large.
fn usual_size(random: &mut Random) -> usize {
    if random.below(100) == 0 { 1 + random.below(200_000) } else { random.size() }
}

/// Returns the resident memory per byte of objects after each object has been replaced twice, and the MiB that remain after all objects have been
/// freed. Must run in a process of its own.
pub fn churn<P: Peer>(trim: impl Fn()) -> [f64; 2] {
    run_on(0);
    let base = resident();
    let objects = population::<P>(&mut Random(7), usual_size);
    let ratio = overhead(base, &[&objects]);
    let lists = size_of_val(&*objects);
    objects.iter().for_each(|object| free::<P>(*object));
    trim();
    [ratio, (resident() - base - lists) as f64 / (1 << 20) as f64]
}

/// Does what `churn` does, for a program whose behaviour changes: four generations of objects with different sizes follow each other. One object
/// in a hundred is never freed, which keeps free memory from being used for other sizes.
pub fn generations<P: Peer>(trim: impl Fn()) -> [f64; 2] {
    run_on(0);
    let base = resident();
    let mut random = Random(7);
    let mut kept = Vec::with_capacity(1 << 16);
    let mut ratio = 0.0_f64;
    let sizes: [fn(&mut Random) -> usize; 4] =
        [|random| 16 + random.below(240), Random::size, |random| 1000 + random.below(9000), usual_size];
    for size in sizes {
        let objects = population::<P>(&mut random, size);
        ratio = ratio.max(overhead(base, &[&objects, &kept]));
        for (index, object) in objects.into_iter().enumerate() {
            if index % 100 == 0 { kept.push(object) } else { free::<P>(object) }
        }
    }
    trim();
    [ratio, (resident() - base - size_of_val(&*kept)) as f64 / (1 << 20) as f64]
}

/// Allocates an object and touches all its pages.
fn touched<P: Peer>(size: usize) -> Object {
    let object = new::<P>(size);
    // SAFETY: the object has that many bytes.
    (0..size).step_by(4096).for_each(|at| unsafe { object.0.add(at).write(1) });
    object
}

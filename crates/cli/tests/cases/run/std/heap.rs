//! The standard library's types that allocate.
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, LinkedList, VecDeque};
use std::fmt::Write as _;
use std::rc::{Rc, Weak};
use std::sync::Arc;

fn numbers(x: u64, count: u64) -> impl Iterator<Item = u64> {
    (0..count).scan(x | 1, |state, _| {
        *state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        Some(*state >> 33)
    })
}

fn hash(values: impl IntoIterator<Item = u64>) -> u64 {
    values.into_iter().fold(0xcbf2_9ce4_8422_2325, |hash, value| (hash ^ value).wrapping_mul(0x100_0000_01b3))
}

#[rustgo::export]
pub fn vectors(x: u64) -> u64 {
    let mut values: Vec<u64> = numbers(x, x % 1000).collect();
    values.sort();
    values.dedup_by_key(|value| *value % 512);
    values.sort_unstable_by_key(|value| value.rotate_left(20));
    values.shrink_to_fit();
    values.insert(values.len() / 2, x);
    let tail = values.split_off(values.len() / 3);
    hash(values.into_iter().chain(tail))
}

#[rustgo::export]
pub fn strings(x: u64) -> u64 {
    let mut text = String::new();
    for (at, number) in numbers(x, x % 200).enumerate() {
        let _ = write!(text, "{number:#x} {at:>6} {:.3} {:?};", number as f64 / 7.0, char::from_u32((number % 0x3000) as u32));
    }
    let upper = text.to_uppercase();
    let words: Vec<&str> = upper.split_ascii_whitespace().rev().collect();
    let joined = words.join("·").replace('A', "ß") + &format!("{words:?}");
    hash(joined.bytes().map(u64::from))
}

#[rustgo::export]
pub fn collections(x: u64) -> u64 {
    let mut map: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
    let mut queue = VecDeque::new();
    let mut heap = BinaryHeap::new();
    let mut list = LinkedList::new();
    for number in numbers(x, x % 700) {
        map.entry(number % 97).or_default().push(number);
        queue.push_front(number);
        heap.push(number);
        list.push_back(number);
        if number % 3 == 0 {
            queue.pop_back();
            map.remove(&(number % 89));
            list.pop_front();
        }
    }
    let set: BTreeSet<u64> = map.values().flatten().copied().collect();
    hash(set.into_iter().chain(queue).chain(heap.into_sorted_vec()).chain(list))
}

trait Shape {
    fn area(&self) -> u64;
}
struct Square(u64);
struct Named(String, Box<dyn Shape>);
impl Shape for Square {
    fn area(&self) -> u64 {
        self.0.wrapping_mul(self.0)
    }
}
impl Shape for Named {
    fn area(&self) -> u64 {
        self.1.area() ^ self.0.len() as u64
    }
}

#[rustgo::export]
pub fn boxes(x: u64) -> u64 {
    let shape = |number: u64| -> Box<dyn Shape> {
        match number % 3 {
            0 => Box::new(Square(number)),
            _ => Box::new(Named("n".repeat((number % 40) as usize), Box::new(Square(number)))),
        }
    };
    let shapes: Vec<Box<dyn Shape>> = numbers(x, x % 300).map(shape).collect();
    hash(shapes.iter().map(|shape| shape.area()))
}

struct Node {
    value: u64,
    parent: RefCell<Weak<Node>>,
    children: RefCell<Vec<Rc<Node>>>,
}

#[rustgo::export]
pub fn counted(x: u64) -> u64 {
    let node = |value| Rc::new(Node { value, parent: RefCell::default(), children: RefCell::default() });
    let root = node(x);
    let mut last = Rc::clone(&root);
    for number in numbers(x, x % 100) {
        let child = node(number);
        *child.parent.borrow_mut() = Rc::downgrade(&last);
        last.children.borrow_mut().push(Rc::clone(&child));
        if number % 2 == 0 {
            last = child;
        }
    }
    let mut up = Vec::new();
    let mut at = Some(last);
    while let Some(node) = at {
        up.push(node.value ^ node.children.borrow().len() as u64);
        at = node.parent.borrow().upgrade();
    }
    let shared: Arc<[u64]> = up.into();
    hash(shared.iter().copied()) ^ Arc::strong_count(&shared) as u64 ^ Rc::strong_count(&root) as u64
}

#[rustgo::export]
pub fn over_aligned(x: u64) -> u64 {
    #[repr(align(4096))]
    struct Page([u8; 4096]);
    let mut pages: Vec<Box<Page>> = (0..x % 5).map(|_| Box::new(Page([x as u8; 4096]))).collect();
    pages.iter_mut().for_each(|page| page.0[(x % 4096) as usize] = 7);
    let misaligned = pages.iter().map(|page| std::ptr::from_ref(&**page).addr() % 4096).sum::<usize>();
    misaligned as u64 ^ hash(pages.iter().map(|page| page.0.iter().map(|&byte| u64::from(byte)).sum()))
}

#[rustgo::export]
pub fn index_panics(x: u64) -> u64 {
    let values: Vec<String> = (0..3).map(|n| format!("value {n}")).collect();
    values[(x >> 62) as usize].len() as u64
}

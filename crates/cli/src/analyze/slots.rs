//! Defines [`Slots`], the words of a function's frame whose value the analysis knows.

use super::value::Value;
use std::ops::Range;

/// The words of the frame with a known value, by distance in bytes from SP on entry. Words may overlap only while a store is applied.
///
/// The words lie in one sorted array, because [`super::flow`] copies and compares all of them wherever two paths join, and changes few of them
/// between two joins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Slots(Vec<(i64, Slot)>);

/// A known word of the frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    pub value: Value,
    /// True if a push wrote the word. Then no pointer to the word exists.
    pub pushed: bool,
}

impl Slots {
    /// Returns the value of the word at this distance, if it is known.
    pub fn value(&self, at: i64) -> Option<&Value> {
        self.0.binary_search_by_key(&at, |slot| slot.0).ok().map(|index| &self.0[index].1.value)
    }

    /// Returns the words that begin in this range, from the lowest distance up.
    pub fn range(&self, range: Range<i64>) -> impl Iterator<Item = (i64, &Value)> {
        let slots = &self.0[self.indices(range)];
        slots.iter().map(|(at, slot)| (*at, &slot.value))
    }

    /// Returns the words that begin at this distance or above it.
    pub fn from(&self, at: i64) -> impl Iterator<Item = (i64, &Value)> {
        self.range(at..i64::MAX)
    }

    fn indices(&self, range: Range<i64>) -> Range<usize> {
        let start = self.0.partition_point(|slot| slot.0 < range.start);
        let end = start + self.0[start..].partition_point(|slot| slot.0 < range.end);
        start..end
    }

    /// Forgets every word that overlaps the bytes in this range.
    pub fn forget(&mut self, bytes: Range<i64>) {
        let indices = self.indices(bytes.start.saturating_sub(7)..bytes.end);
        self.0.drain(indices);
    }

    /// Forgets every word that begins below this distance.
    pub fn forget_below(&mut self, at: i64) {
        let indices = self.indices(i64::MIN..at);
        self.0.drain(indices);
    }

    /// Sets the word at this distance.
    pub fn set(&mut self, at: i64, value: Value, pushed: bool) {
        let slot = Slot { value, pushed };
        match self.0.binary_search_by_key(&at, |slot| slot.0) {
            Ok(index) => self.0[index].1 = slot,
            Err(index) => self.0.insert(index, (at, slot)),
        }
    }

    /// Forgets the words for which `keep` returns false. `keep` may change a word.
    pub fn retain(&mut self, mut keep: impl FnMut(&mut Slot) -> bool) {
        self.0.retain_mut(|(_, slot)| keep(slot));
    }

    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut Value> {
        self.0.iter_mut().map(|(_, slot)| &mut slot.value)
    }

    /// Returns the words that have a known value where two paths join; `None` if these words equal `self`. If a word is known on only one path, its
    /// value on the other path counts as [`Value::Unknown`].
    pub fn join(&self, other: &Slots) -> Option<Slots> {
        let unknown = Slot { value: Value::Unknown, pushed: true };
        let mut joined: Option<Vec<(i64, Slot)>> = None;
        let (mut ours, mut others) = (self.0.iter().enumerate().peekable(), other.0.iter().peekable());
        loop {
            let at = match (ours.peek(), others.peek()) {
                (Some((_, a)), Some(b)) => a.0.min(b.0),
                (Some((_, a)), None) => a.0,
                (None, Some(b)) => b.0,
                (None, None) => break,
            };
            let a = ours.next_if(|(_, slot)| slot.0 == at);
            let b = others.next_if(|slot| slot.0 == at).map_or(&unknown, |slot| &slot.1);
            let index = a.map_or_else(|| ours.peek().map_or(self.0.len(), |next| next.0), |(index, _)| index);
            let a = a.map(|(_, slot)| &slot.1);
            if a == Some(b) {
                joined.iter_mut().for_each(|joined| joined.push((at, b.clone())));
                continue;
            }
            let first = a.unwrap_or(&unknown);
            let slot = Slot { value: first.value.join(&b.value), pushed: first.pushed && b.pushed };
            let kept = !matches!(slot.value, Value::Unknown | Value::Kept);
            // At the first difference from `self`, copy all words before the difference.
            if joined.is_none() && (if kept { a != Some(&slot) } else { a.is_some() }) {
                joined = Some(self.0[..index].to_vec());
            }
            if let Some(joined) = &mut joined
                && kept
            {
                joined.push((at, slot));
            }
        }
        joined.map(Slots)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// Computes the result of [`Slots::join`] in a simpler way, for comparison: joins the values of each frame word on its own.
    fn joined(a: &Slots, b: &Slots) -> Slots {
        let words = |slots: &Slots| slots.0.iter().cloned().collect::<BTreeMap<i64, Slot>>();
        let (first, second, unknown) = (words(a), words(b), Slot { value: Value::Unknown, pushed: true });
        let mut found = Slots::default();
        for at in first.keys().chain(second.keys()) {
            let (a, b) = (first.get(at).unwrap_or(&unknown), second.get(at).unwrap_or(&unknown));
            let value = a.value.join(&b.value);
            if !matches!(value, Value::Unknown | Value::Kept) {
                found.set(*at, value, a.pushed && b.pushed);
            }
        }
        found
    }

    #[test]
    fn a_join_follows_the_rules_for_each_word() {
        let values = [Value::Entry(3), Value::Entry(5), Value::Sp(-8), Value::Lost, Value::Mixed, Value::Whole, Value::Number(7)];
        // A linear congruential generator with the constants of Knuth's MMIX.
        let mut seed = 1u64;
        let mut next = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        for _ in 0..5_000 {
            let [a, b] = [(); 2].map(|()| {
                let mut slots = Slots::default();
                for _ in 0..next(5) {
                    slots.set(-8 * next(5) as i64, values[next(7) as usize].clone(), next(2) == 0);
                }
                slots
            });
            let wanted = joined(&a, &b);
            let found = a.join(&b);
            assert_eq!(found.clone().unwrap_or_else(|| a.clone()), wanted, "{a:?} and {b:?}");
            assert_eq!(found.is_none(), wanted == a, "{a:?} and {b:?}");
        }
    }

    #[test]
    fn a_store_forgets_the_words_that_it_overlaps() {
        let mut all = Slots::default();
        (-4..0).for_each(|word| all.set(8 * word, Value::Whole, false));
        let left = |bytes: Range<i64>| {
            let mut slots = all.clone();
            slots.forget(bytes);
            slots.from(i64::MIN).map(|(at, _)| at).collect::<Vec<_>>()
        };
        assert_eq!(left(-16..-8), [-32, -24, -8]);
        assert_eq!(left(-9..-8), [-32, -24, -8]);
        assert_eq!(left(-17..-15), [-32, -8]);
        assert_eq!(left(-40..-32), [-32, -24, -16, -8]);
        assert!(left(-40..8).is_empty());
        let mut slots = all.clone();
        slots.forget_below(-16);
        assert_eq!(slots.range(-100..-8).map(|(at, _)| at).collect::<Vec<_>>(), [-16]);
    }
}

//! A few of many points in a plane: those that hold a body best.

/// Four of `count` points, which `at` gives with their heights: the farthest in four directions; and the lowest, as a fifth,
/// when none of them is as low.
///
/// The directions are fixed and off the diagonals: the choice does not follow small changes of height, and regular
/// polygons have no ties. Unused places are `usize::MAX`.
pub(super) fn four_of(count: usize, at: impl Fn(usize) -> ([f64; 2], f64)) -> [usize; 5] {
    let mut chosen = [usize::MAX; 5];
    if count <= 4 {
        for (index, place) in chosen.iter_mut().enumerate().take(count) {
            *place = index;
        }
        return chosen;
    }
    let mut reach = [f64::NEG_INFINITY; 4];
    let (mut lowest, mut least) = (0, f64::INFINITY);
    for index in 0..count {
        let ([x, y], height) = at(index);
        let (c, s) = (0.8 * x + 0.6 * y, 0.8 * y - 0.6 * x);
        for (slot, far) in [c, s, -c, -s].into_iter().enumerate() {
            if far > reach[slot] {
                (reach[slot], chosen[slot]) = (far, index);
            }
        }
        if height < least {
            (lowest, least) = (index, height);
        }
    }
    let low = (0..4).fold(f64::INFINITY, |low, k| at(chosen[k]).1.min(low));
    for slot in 1..4 {
        if chosen[..slot].contains(&chosen[slot]) {
            chosen[slot] = usize::MAX;
        }
    }
    // level up to this part of the width counts as equally low
    if least < low - 1e-6 * (reach[0] + reach[2]).max(reach[1] + reach[3]) {
        chosen[4] = lowest;
    }
    chosen
}

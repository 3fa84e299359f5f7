//@ std
//@ support: libm
//@ h3o = { version = "=0.11.1", default-features = false }
//@ input: 37.769377,-122.388903\n52.52,13.405\n-33.865,151.2094\n89.99,0\n0,180\n
//@ input: 48.8566,2.3522;48.86,2.36;48.87,2.34;58.15,8\n10.5,-10.25\n
//! The hexagons around places on the Earth: their neighbours, borders, areas and distances.
//! Without its feature std the crate computes with the crate libm, natively too, so that all digits are equal.
use h3o::{CellIndex, LatLng, Resolution};

fn describe(latitude: f64, longitude: f64, text: &mut String) -> Option<CellIndex> {
    let place = match LatLng::new(latitude, longitude) {
        Ok(place) => place,
        Err(error) => {
            *text += &format!("{error}\n");
            return None;
        }
    };
    for resolution in [Resolution::Zero, Resolution::Five, Resolution::Nine, Resolution::Fifteen] {
        let cell = place.to_cell(resolution);
        let disk: Vec<_> = cell.grid_disk::<Vec<_>>(1);
        *text += &format!("{cell} {} {:?} {:?} {:?} {disk:?}\n", cell.is_pentagon(), LatLng::from(cell), cell.area_km2(), cell.parent(Resolution::Zero));
        for corner in cell.boundary().iter() {
            *text += &format!("{corner} {:?}\n", place.distance_km(*corner));
        }
    }
    Some(place.to_cell(Resolution::Five))
}

#[rustgo::export(stack = "64k")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let input = String::from_utf8_lossy(input);
    let mut text = String::new();
    let mut cells = vec![];
    for line in input.split(['\n', ';']).take(30) {
        let (latitude, longitude) = line.split_once(',').unwrap_or((line, "0"));
        let number = |text: &str| text.trim().parse().unwrap_or(text.len() as f64 * 7.25);
        cells.extend(describe(number(latitude), number(longitude), &mut text));
        text += &format!("{:?}\n", line.parse::<CellIndex>());
    }
    if let [first, .., last] = cells[..] {
        text += &format!("{:?} {:?}\n", first.grid_distance(last), first.grid_path_cells(last).map(Iterator::count));
    }
    let mut children: Vec<_> = cells.first().into_iter().flat_map(|cell| cell.children(Resolution::Seven)).collect();
    text += &format!("{:?} {children:?}", CellIndex::compact(&mut children));
    put(out, text.as_bytes())
}

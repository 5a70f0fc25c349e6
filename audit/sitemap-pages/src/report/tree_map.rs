//! A tree map: rectangles whose areas represent numbers of pages.
//!
//! The layout is the "squarified" one of Bruls, Huizing and van Wijk (2000), which keeps the rectangles close to
//! squares.

use super::html::Html;
use super::row::Row;

const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 500.0;
/// The smallest width and height at which a label is readable.
const LABEL: (f64, f64) = (60.0, 18.0);
/// The width of one character in a label.
const CHARACTER: f64 = 7.5;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Rect {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

/// Writes a tree map of sections as SVG. The sections must be sorted by size.
pub(super) fn write(sections: &[Row], html: &mut Html) {
    let sizes: Vec<f64> = sections.iter().map(|row| as_f64(row.health.pages)).collect();
    let whole = Rect { x: 0.0, y: 0.0, width: WIDTH, height: HEIGHT };
    html.raw(
        "<svg viewBox=\"0 0 1000 500\" role=img aria-label=\"Sections by their numbers of pages; the table ",
    );
    html.raw("below has the numbers\">\n");
    for (row, place) in sections.iter().zip(squarify(&sizes, whole)) {
        let (name, health) = (&row.name, row.health);
        html.raw("<g class=").raw(health.class());
        if let Some(url) = row.with_findings() {
            html.raw(" data-section=\"").text(url).raw("\"");
        }
        html.raw("><rect x=").length(place.x).raw(" y=").length(place.y);
        html.raw(" width=").length((place.width - 1.0).max(0.5)).raw(" height=");
        html.length((place.height - 1.0).max(0.5)).raw("><title>").text(name).raw(": ");
        html.count(health.pages, "page", "pages").raw(", ").number(health.errors).raw(" with errors, ");
        html.number(health.warnings).raw(" with warnings</title></rect>");
        if place.width >= LABEL.0 && place.height >= LABEL.1 {
            html.raw("<text x=").length(place.x + 4.0).raw(" y=").length(place.y + 14.0).raw(">");
            html.text(&shortened(name, place.width - 8.0)).raw("</text>");
        }
        html.raw("</g>\n");
    }
    html.raw("</svg>\n");
}

/// Returns the label, cut to the length that fits.
fn shortened(name: &str, width: f64) -> String {
    let mut shown = String::new();
    let mut used = 0.0;
    for character in name.chars() {
        used += CHARACTER;
        if used + CHARACTER > width {
            shown.push('…');
            return shown;
        }
        shown.push(character);
    }
    shown
}

#[expect(clippy::cast_precision_loss, reason = "a size on a screen")]
fn as_f64(number: u64) -> f64 {
    number as f64
}

/// Divides a rectangle in proportion to the sizes, which must be sorted from large to small.
fn squarify(sizes: &[f64], whole: Rect) -> Vec<Rect> {
    let total: f64 = sizes.iter().sum();
    if total <= 0.0 {
        return Vec::new();
    }
    let scale = whole.width * whole.height / total;
    let mut places = Vec::with_capacity(sizes.len());
    let mut free = whole;
    let mut rest = sizes;
    while !rest.is_empty() {
        let side = free.width.min(free.height);
        let mut length = 1;
        while length < rest.len()
            && worst(&rest[..=length], side, scale) <= worst(&rest[..length], side, scale)
        {
            length += 1;
        }
        let (row, after) = rest.split_at(length);
        free = lay(row, free, scale, &mut places);
        rest = after;
    }
    places
}

/// Returns the highest aspect ratio in a row.
fn worst(row: &[f64], side: f64, scale: f64) -> f64 {
    let area: f64 = row.iter().sum::<f64>() * scale;
    let (largest, smallest) = (row[0] * scale, row[row.len() - 1] * scale);
    if area <= 0.0 || smallest <= 0.0 || side <= 0.0 {
        return f64::INFINITY;
    }
    (side * side * largest / (area * area)).max(area * area / (side * side * smallest))
}

/// Places a row along the shorter side, and returns the remaining rectangle.
fn lay(row: &[f64], free: Rect, scale: f64, places: &mut Vec<Rect>) -> Rect {
    let area: f64 = row.iter().sum::<f64>() * scale;
    let is_column = free.width >= free.height;
    let side = if is_column { free.height } else { free.width };
    let thickness = if side > 0.0 { area / side } else { 0.0 };
    let mut at = 0.0;
    for size in row {
        let length = if thickness > 0.0 { size * scale / thickness } else { 0.0 };
        places.push(if is_column {
            Rect { x: free.x, y: free.y + at, width: thickness, height: length }
        } else {
            Rect { x: free.x + at, y: free.y, width: length, height: thickness }
        });
        at += length;
    }
    if is_column {
        Rect { x: free.x + thickness, width: (free.width - thickness).max(0.0), ..free }
    } else {
        Rect { y: free.y + thickness, height: (free.height - thickness).max(0.0), ..free }
    }
}

#[cfg(test)]
mod tests {
    use super::{Rect, squarify};

    #[test]
    fn the_example_of_the_paper() {
        let whole = Rect { x: 0.0, y: 0.0, width: 6.0, height: 4.0 };
        let places = squarify(&[6.0, 6.0, 4.0, 3.0, 2.0, 2.0, 1.0], whole);
        assert_eq!(places[0], Rect { x: 0.0, y: 0.0, width: 3.0, height: 2.0 });
        assert_eq!(places[1], Rect { x: 0.0, y: 2.0, width: 3.0, height: 2.0 });
        for (place, size) in places.iter().zip([6.0, 6.0, 4.0, 3.0, 2.0, 2.0, 1.0]) {
            assert!((place.width * place.height - size).abs() < 1e-9, "{place:?}");
            assert!(place.x + place.width <= 6.0 + 1e-9 && place.y + place.height <= 4.0 + 1e-9, "{place:?}");
        }
    }

    #[test]
    fn nothing_to_divide() {
        let whole = Rect { x: 0.0, y: 0.0, width: 6.0, height: 4.0 };
        assert!(squarify(&[], whole).is_empty());
        assert_eq!(squarify(&[0.0], whole).len(), 0);
        assert_eq!(squarify(&[1.0], whole), [whole]);
    }
}

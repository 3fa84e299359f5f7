//! An estimate of the memory and the time for drawing, before anything is drawn.
//!
//! A group with opacity, a mask or a filter is drawn on a layer, which may have 25 times the area of the picture, and a layer may contain another one. So a
//! short document may need any amount of memory and time. The functions here follow those of the crate resvg with the same names (render, clip, mask,
//! filter, path, image), but only add up areas. The memory is about exact, the time is not.

use crate::draw::RawTarget;
use crate::error::{Failure, Reason};
use resvg::tiny_skia::{IntRect, Transform};
use resvg::usvg::filter::{Filter, Kind};
use resvg::usvg::{self, ClipPath, Group, Image, ImageKind, Mask, Node, Paint, Path, Rect, Tree};

/// The width and the height of the pixels that are drawn on.
type Canvas = (u32, u32);

/// Returns an error if drawing needs more memory than `target` allows, with `bytes` in any case, or probably more time.
pub fn check(tree: &Tree, transform: Transform, canvas: Canvas, bytes: u64, target: &RawTarget) -> Result<(), Failure> {
    let mut estimate = Estimate { nanoseconds: 0.0, most_nanoseconds: target.max_nanoseconds as f64, most_bytes: target.max_memory as f64 };
    estimate.hold(bytes as f64)?;
    estimate.spend(20_000.0 + area(canvas))?;
    estimate.tree(tree, transform, canvas, bytes as f64)
}

struct Estimate {
    nanoseconds: f64,
    most_nanoseconds: f64,
    most_bytes: f64,
}

/// The functions get the number of bytes that the callers hold, and fail if their own ones are too many.
impl Estimate {
    fn spend(&mut self, nanoseconds: f64) -> Result<(), Failure> {
        self.nanoseconds += nanoseconds;
        // The comparison is false for NaN.
        if self.nanoseconds <= self.most_nanoseconds {
            return Ok(());
        }
        let seconds = self.most_nanoseconds / 1e9;
        Err(Failure::new(Reason::TooLarge, format!("drawing would probably take more than {seconds} s (MaxTime)")))
    }

    fn hold(&self, bytes: f64) -> Result<f64, Failure> {
        if bytes <= self.most_bytes {
            return Ok(bytes);
        }
        Err(Failure::new(Reason::TooLarge, format!("drawing needs {bytes} bytes, with a limit of {} (MaxMemory)", self.most_bytes)))
    }

    fn tree(&mut self, tree: &Tree, ts: Transform, canvas: Canvas, held: f64) -> Result<(), Failure> {
        let side = |side: u32| i32::try_from(side).unwrap_or(i32::MAX).saturating_mul(-2);
        let (width, height) = canvas;
        let region = IntRect::from_xywh(side(width), side(height), width.saturating_mul(5), height.saturating_mul(5));
        let whole = || IntRect::from_ltrb(i32::MIN / 2, i32::MIN / 2, i32::MAX / 2, i32::MAX / 2);
        match region.or_else(whole) {
            Some(region) => self.nodes(tree.root(), region, ts, canvas, held),
            None => Ok(()),
        }
    }

    /// `region` bounds the layers.
    fn nodes(&mut self, parent: &Group, region: IntRect, ts: Transform, canvas: Canvas, held: f64) -> Result<(), Failure> {
        for node in parent.children() {
            self.spend(100.0)?;
            match node {
                Node::Group(group) => self.group(group, region, ts, canvas, held)?,
                Node::Text(text) => self.group(text.flattened(), region, ts, canvas, held)?,
                Node::Path(path) if path.is_visible() => self.path(path, true, region, ts, canvas, held)?,
                Node::Image(image) if image.is_visible() => self.image(image, ts, canvas, held)?,
                Node::Path(_) | Node::Image(_) => {}
            }
        }
        Ok(())
    }

    fn group(&mut self, group: &Group, region: IntRect, ts: Transform, canvas: Canvas, held: f64) -> Result<(), Failure> {
        let ts = ts.pre_concat(group.transform());
        if !group.should_isolate() {
            return self.nodes(group, region, ts, canvas, held);
        }
        let Some(layer) = layer(group, region, ts) else { return Ok(()) };
        let ts = Transform::from_translate(-(layer.x() as f32), -(layer.y() as f32)).pre_concat(ts);
        let inner = (layer.width(), layer.height());
        let held = self.hold(held + 4.0 * area(inner))?;
        self.spend(1000.0 + 1.5 * area(inner) + 6.0 * area(canvas).min(area(inner)))?;
        self.nodes(group, region, ts, inner, held)?;
        for filter in group.filters() {
            self.filter(filter, ts, inner, held)?;
        }
        if let Some(clip) = group.clip_path() {
            self.clip(clip, ts, inner, held)?;
        }
        if let Some(mask) = group.mask() {
            self.mask(mask, region, ts, inner, held)?;
        }
        Ok(())
    }

    fn clip(&mut self, clip: &ClipPath, ts: Transform, canvas: Canvas, held: f64) -> Result<(), Failure> {
        self.spend(15.0 * area(canvas))?;
        let held = self.hold(held + 5.0 * area(canvas))?;
        self.clip_children(clip.root(), ts.pre_concat(clip.transform()), canvas, held)?;
        match clip.clip_path() {
            Some(clip) => self.clip(clip, ts, canvas, held),
            None => Ok(()),
        }
    }

    fn clip_children(&mut self, parent: &Group, ts: Transform, canvas: Canvas, held: f64) -> Result<(), Failure> {
        // usvg has made all fills black, so there is no pattern that could need a layer.
        let Some(region) = IntRect::from_xywh(0, 0, 1, 1) else { return Ok(()) };
        for node in parent.children() {
            self.spend(100.0)?;
            match node {
                Node::Path(path) if path.is_visible() => self.path(path, false, region, ts, canvas, held)?,
                Node::Text(text) => self.clip_children(text.flattened(), ts, canvas, held)?,
                Node::Group(group) => {
                    let ts = ts.pre_concat(group.transform());
                    let Some(clip) = group.clip_path() else {
                        self.clip_children(group, ts, canvas, held)?;
                        continue;
                    };
                    self.spend(10.0 * area(canvas))?;
                    let held = self.hold(held + 4.0 * area(canvas))?;
                    self.clip_children(group, ts, canvas, held)?;
                    self.clip(clip, ts, canvas, held)?;
                }
                Node::Path(_) | Node::Image(_) => {}
            }
        }
        Ok(())
    }

    fn mask(&mut self, mask: &Mask, region: IntRect, ts: Transform, canvas: Canvas, held: f64) -> Result<(), Failure> {
        self.spend(25.0 * area(canvas))?;
        let held = self.hold(held + 5.0 * area(canvas))?;
        self.nodes(mask.root(), region, ts, canvas, held)?;
        match mask.mask() {
            Some(mask) => self.mask(mask, region, ts, canvas, held),
            None => Ok(()),
        }
    }

    fn filter(&mut self, filter: &Filter, ts: Transform, canvas: Canvas, held: f64) -> Result<(), Failure> {
        let Some(region) = filter.rect().transform(ts).map(|rect| rect.to_int_rect()) else { return Ok(()) };
        let Some(region) = IntRect::from_xywh(0, 0, canvas.0, canvas.1).and_then(|whole| fit(region, whole)) else { return Ok(()) };
        let size = (region.width(), region.height());
        let scale = ts.get_scale();
        let mut held = held;
        for (i, primitive) in filter.primitives().iter().enumerate() {
            // Most primitives convert the colours of their input and of their result, and copy both.
            let each = 60.0
                + match primitive.kind() {
                    Kind::GaussianBlur(_) | Kind::DropShadow(_) => 180.0,
                    Kind::ConvolveMatrix(fe) => 10.0 * fe.matrix().columns() as f64 * fe.matrix().rows() as f64,
                    Kind::Morphology(fe) => {
                        let cells = |radius: f32, scale: f32, most: u32| f64::from((radius * scale).ceil() * 2.0).min(f64::from(most));
                        2.0 * cells(fe.radius_x().get(), scale.0, size.0) * cells(fe.radius_y().get(), scale.1, size.1)
                    }
                    Kind::Turbulence(fe) => 100.0 * f64::from(fe.num_octaves()),
                    Kind::DiffuseLighting(_) | Kind::SpecularLighting(_) => 40.0,
                    Kind::ComponentTransfer(_) | Kind::Tile(_) => 30.0,
                    Kind::Merge(fe) => 20.0 * fe.inputs().len() as f64,
                    _ => 20.0,
                };
            // Its inputs are looked for among the results.
            self.spend(each * area(size) + 10.0 * i as f64)?;
            // The result stays, and up to five copies or buffers of 4 bytes for each pixel are made meanwhile.
            held = self.hold(held + 4.0 * area(size))?;
            self.hold(held + 20.0 * area(size))?;
            if let Kind::Image(fe) = primitive.kind() {
                let Some(whole) = IntRect::from_xywh(0, 0, size.0, size.1) else { continue };
                let place = primitive.rect().transform(ts).map(|rect| rect.to_int_rect());
                let at = place.map_or((0, 0), |rect| (rect.x(), rect.y()));
                let ts = Transform::from_row(scale.0, 0.0, 0.0, scale.1, at.0 as f32, at.1 as f32);
                self.nodes(fe.root(), whole, ts, size, held)?;
            }
        }
        Ok(())
    }

    fn path(&mut self, path: &Path, strokes: bool, region: IntRect, ts: Transform, canvas: Canvas, held: f64) -> Result<(), Failure> {
        let outline = Outline::new(path.data(), ts, canvas);
        let stroke = path.stroke().filter(|_| strokes);
        for (paint, is_stroke) in [(path.fill().map(usvg::Fill::paint), false), (stroke.map(usvg::Stroke::paint), true)] {
            let Some(paint) = paint else { continue };
            let bounds = if is_stroke { path.stroke_bounding_box() } else { path.bounding_box() };
            let each = match paint {
                Paint::Color(_) => 1.5,
                Paint::LinearGradient(gradient) => 10.0 + gradient.stops().len() as f64,
                Paint::RadialGradient(gradient) => 15.0 + gradient.stops().len() as f64,
                Paint::Pattern(_) => 60.0,
            };
            // Each row of pixels has four lines of samples.
            let stops = match paint {
                Paint::LinearGradient(gradient) => gradient.stops().len(),
                Paint::RadialGradient(gradient) => gradient.stops().len(),
                _ => 0,
            };
            let mut nanoseconds =
                20.0 * stops as f64 + 1200.0 + 150.0 * outline.segments + 450.0 * outline.rows + each * visible(bounds, ts, canvas);
            if let Some(stroke) = stroke.filter(|_| is_stroke) {
                nanoseconds += 400.0 * outline.segments + 800.0 * outline.rows;
                if let Some(dashes) = stroke.dasharray() {
                    let interval: f32 = dashes.iter().sum();
                    let count = (outline.length / f64::from(interval) * dashes.len() as f64 / 2.0).clamp(0.0, 1e6);
                    nanoseconds += 2000.0 * count;
                    self.hold(held + 300.0 * count)?;
                }
            }
            self.spend(nanoseconds)?;
            if let Paint::Pattern(pattern) = paint {
                let (sx, sy) = ts.pre_concat(pattern.transform()).get_scale();
                let size = ((pattern.rect().width() * sx).round() as u32, (pattern.rect().height() * sy).round() as u32);
                let held = self.hold(held + 4.0 * area(size))?;
                self.spend(1.5 * area(size))?;
                self.nodes(pattern.root(), region, Transform::from_scale(sx, sy), size, held)?;
            }
        }
        Ok(())
    }

    fn image(&mut self, image: &Image, ts: Transform, canvas: Canvas, held: f64) -> Result<(), Failure> {
        if let ImageKind::SVG(tree) = image.kind() {
            self.spend(10.0 * area(canvas))?;
            let held = self.hold(held + 4.0 * area(canvas))?;
            return self.tree(tree, ts, canvas, held);
        }
        let pixels = f64::from(image.size().width()) * f64::from(image.size().height());
        self.hold(held + 12.0 * pixels)?;
        let bounds = Rect::from_xywh(0.0, 0.0, image.size().width(), image.size().height());
        self.spend(30.0 * pixels + bounds.map_or(0.0, |bounds| 60.0 * visible(bounds, ts, canvas)))
    }
}

fn area((width, height): Canvas) -> f64 {
    f64::from(width) * f64::from(height)
}

/// Returns the rectangle of a group's layer.
fn layer(group: &Group, region: IntRect, ts: Transform) -> Option<IntRect> {
    let bounds = group.layer_bounding_box().transform(ts)?;
    let rect = if group.filters().is_empty() {
        IntRect::from_xywh(
            (bounds.x().floor() as i32).checked_sub(2)?,
            (bounds.y().floor() as i32).checked_sub(2)?,
            (bounds.width().ceil() as u32).checked_add(4)?,
            (bounds.height().ceil() as u32).checked_add(4)?,
        )?
    } else {
        IntRect::from_xywh(
            bounds.x().floor() as i32,
            bounds.y().floor() as i32,
            bounds.width().ceil().max(1.0) as u32,
            bounds.height().ceil().max(1.0) as u32,
        )?
    };
    fit(rect, region)
}

fn fit(rect: IntRect, bounds: IntRect) -> Option<IntRect> {
    IntRect::from_ltrb(
        rect.left().max(bounds.left()),
        rect.top().max(bounds.top()),
        rect.right().min(bounds.right()),
        rect.bottom().min(bounds.bottom()),
    )
}

/// Returns the number of pixels of a rectangle that are on the canvas.
fn visible(bounds: Rect, ts: Transform, canvas: Canvas) -> f64 {
    let Some(bounds) = bounds.transform(ts) else { return 0.0 };
    let side = |from: f32, to: f32, most: u32| (f64::from(to).min(f64::from(most)) - f64::from(from).max(0.0) + 1.0).max(0.0);
    side(bounds.left(), bounds.right(), canvas.0) * side(bounds.top(), bounds.bottom(), canvas.1)
}

/// The size of a path: its segments, the rows of pixels that they cross, and their length in coordinates of the path. Curves count as the lines between
/// their points, which are longer.
struct Outline {
    segments: f64,
    rows: f64,
    length: f64,
}

impl Outline {
    fn new(path: &resvg::tiny_skia::Path, ts: Transform, canvas: Canvas) -> Self {
        let mut outline = Self { segments: path.verbs().len() as f64, rows: 0.0, length: 0.0 };
        let row = |x: f32, y: f32| (ts.ky * x + ts.sy * y + ts.ty).clamp(0.0, canvas.1 as f32);
        for pair in path.points().windows(2) {
            let [from, to] = [pair[0], pair[1]];
            outline.rows += f64::from((row(to.x, to.y) - row(from.x, from.y)).abs());
            outline.length += f64::from((to.x - from.x).hypot(to.y - from.y));
        }
        outline
    }
}

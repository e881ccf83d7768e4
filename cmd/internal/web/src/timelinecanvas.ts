// The picture of a timeline. Everything here is geometry and drawing: what was drawn is a list of rectangles, which clicks and tests
// look at.

import type { Arrow, Boxes, Drawn, Envelopes, Lane, Occurrences, Path, View, Wait } from "./timelinedata";
import { count, duration, printable, rate } from "./units";

/** Heights in pixels. */
export const axisHeight = 26;
export const pathHeight = 24;
export const lateHeight = 24;
export const checkHeight = 22;
export const signalHeight = 48;
export const rowHeight = 18;
const gap = 6;

/** Row is a lane as it stands in the picture. */
export interface Row {
  place: number; // in the list of the server
  lane: Lane;
  top: number; // below the axis, before scrolling
  height: number;
  depths: number;
}

/** layout stacks lanes. */
export function layout(lanes: Lane[], places: number[], depths: number): Row[] {
  let top = 0;
  return places.map((place) => {
    const lane = lanes[place]!;
    const shown = Math.min(lane.depths, depths);
    const row = { place, lane, top, height: shown * rowHeight + gap, depths: shown };
    top += row.height;
    return row;
  });
}

/** Items are the rectangles that were drawn, as columns: an element each. Lengths are in pixels of the canvas. */
export interface Items {
  count: number;
  box: Int32Array;
  left: Float32Array;
  right: Float32Array;
  top: Float32Array;
  pale: Uint8Array; // 1: not what is looked for
}

function newItems(most: number): Items {
  return { count: 0, box: new Int32Array(most), left: new Float32Array(most), right: new Float32Array(most), top: new Float32Array(most), pale: new Uint8Array(most) };
}

/** Layer is what a canvas has below the axis, as a bitmap of its own: it is moved and scaled while data or time for a new one are lacking. */
export class Layer {
  readonly canvas = document.createElement("canvas");
  of?: Picture; // that was drawn
  items: Items = newItems(0);
  private pixels = new Uint32Array(0);

  /** cleared returns transparent pixels of a size. */
  cleared(width: number, height: number): Uint32Array<ArrayBuffer> {
    if (this.canvas.width !== width || this.canvas.height !== height) {
      this.canvas.width = width;
      this.canvas.height = height;
      this.pixels = new Uint32Array(width * height);
    } else {
      this.pixels.fill(0);
    }
    return this.pixels as Uint32Array<ArrayBuffer>;
  }
}

export interface Picture {
  width: number;
  height: number;
  view: View;
  rows: Row[];
  scroll: number; // how far the lanes are scrolled up
  drawn?: Drawn;
  path?: Path;
  selected?: number; // execution
  waits?: { lifeline: string; of: Wait[] }; // what its start and its finish wait for
  messages: boolean;
  find: string; // functions with this text are shown, the others are pale
  colour: string; // what colours say: function, component, duration, or values, as attribute:NAME
  meaning?: Meaning; // of values
  only: string; // boxes with another value are pale
  marks: number[]; // times
  late?: Late;
  broken?: Broken[];
  signals?: { asked: View; of: Envelopes };
}

/** Meaning is what values of boxes look like, and how they are called. */
export interface Meaning {
  hue: (value: string) => string;
  none?: string; // the colour of boxes without a value
  word: (value: string) => string; // "" where it says nothing
  mark?: (value: string) => "" | "line" | "frame"; // what tells boxes apart beside their colour
  follows?: Follows;
}

/** Late is a deadline, and how long the occurrences of a function took. */
export interface Late {
  deadline: number;
  of: Occurrences;
}

/** Broken is a check with the times of the states that break it, or a definition of one, and where it holds over time, if that is known. */
export interface Broken {
  name: string;
  at: number[];
  held?: { from_ns: number[]; to_ns: number[]; holds: boolean[] };
}

/** Follows are edges of critical paths between executions: those that a dependency of the trace asks for, and others. */
export interface Follows {
  from: number[];
  to: number[];
  applied: boolean[];
}

/** headOf is how high all is that stands above the lanes and does not scroll with them. */
export function headOf(p: Pick<Picture, "path" | "late" | "broken" | "signals">): number {
  return axisHeight + (p.path ? pathHeight : 0) + (p.late ? lateHeight : 0) + (p.broken?.length ?? 0) * checkHeight + (p.signals ? p.signals.of.signals.length * signalHeight : 0);
}

// Twelve colours on which white has a contrast of 4.5 or more. A function is told by its name; its colour only helps to find it again.
const hues = ["#3d6b9c", "#9a5a1a", "#1b7565", "#96396a", "#5f7016", "#5b4a9c", "#9c4a2b", "#1f7391", "#76591f", "#76427e", "#2f7a3f", "#a33f50"];

/** hueAt is one of the colours by its place; the first ones are told apart best. */
export function hueAt(i: number): string {
  return hues[i % hues.length]!;
}

/** colourOf is the colour of a function: always the same one. */
export function colourOf(name: string): string {
  let h = 2166136261;
  for (let i = 0; i < name.length; i++) h = Math.imul(h ^ name.charCodeAt(i), 16777619);
  return hues[(h >>> 0) % hues.length]!;
}

/** Ink is what pictures are drawn with: a canvas, or paper. */
export type Ink = Pick<CanvasRenderingContext2D, "fillStyle" | "strokeStyle" | "lineWidth" | "globalAlpha" | "font" | "textBaseline" | "textAlign" | "fillRect" | "strokeRect" | "fillText" | "measureText" | "beginPath" | "moveTo" | "lineTo" | "closePath" | "arc" | "stroke" | "fill" | "setLineDash">;

export interface Style {
  ink: string;
  muted: string;
  line: string;
  ground: string;
  panel: string;
  path: string;
  focus: string;
  worse: string;
  better: string;
  base: string;
  lengths: string[]; // colours by duration
}

/** styleOf reads the colours of the page, which follow the system. */
function styleOf(canvas: HTMLCanvasElement): Style {
  const s = getComputedStyle(canvas);
  const of = (name: string) => s.getPropertyValue(name).trim();
  return { ink: of("--ink"), muted: of("--muted"), line: of("--line"), ground: of("--ground"), panel: of("--panel"), path: of("--removed"), focus: of("--focus"), worse: of("--worse"), better: of("--better"), base: of("--base"), lengths: durations(matchMedia("(prefers-color-scheme: dark)").matches) };
}

/** draw draws a picture into a layer, and shows it. */
export function draw(canvas: HTMLCanvasElement, p: Picture, layer: Layer) {
  const ratio = window.devicePixelRatio || 1;
  const head = headOf(p);
  const wide = Math.max(1, Math.round(p.width * ratio));
  const high = Math.max(1, Math.round((p.height - head) * ratio));
  const pixels = layer.cleared(wide, high);
  const c = layer.canvas.getContext("2d");
  if (!c) return;
  const s = styleOf(canvas);
  const x = (ns: number) => ((ns - p.view.from) / (p.view.to - p.view.from)) * p.width;
  layer.of = p;
  layer.items = p.drawn ? boxes(c, p, s, p.drawn.boxes, { pixels, wide, high, ratio, head }) : newItems(0);
  c.putImageData(new ImageData(new Uint8ClampedArray(pixels.buffer), wide, high), 0, 0);
  c.setTransform(ratio, 0, 0, ratio, 0, -p.scroll * ratio);
  over(c, p, s, layer.items, x);
  show(canvas, p, layer);
}

/** over draws what stands over the boxes: lines between lanes, names, messages, paths. */
export function over(c: Ink, p: Picture, s: Style, items: Items, x: (ns: number) => number) {
  const head = headOf(p);
  lanes(c, p, s);
  if (p.drawn) names(c, p, s, p.drawn.boxes, items, p.scroll - head);
  if (p.messages && p.drawn) arrows(c, p, s, p.drawn.arrows.slowest, x);
  if (p.drawn && p.meaning?.follows) follows(c, s, p.drawn.boxes, items, p.meaning.follows, p.scroll - head);
  if (p.path) along(c, p, s, p.path, x);
  if (p.waits) constraints(c, p, s, p.waits, x);
}

/** show puts a layer onto the canvas where its time stands in a picture, with the axis and all that stands above the lanes. */
export function show(canvas: HTMLCanvasElement, p: Picture, layer: Layer) {
  const ratio = window.devicePixelRatio || 1;
  if (canvas.width !== Math.round(p.width * ratio) || canvas.height !== Math.round(p.height * ratio)) {
    canvas.width = Math.round(p.width * ratio);
    canvas.height = Math.round(p.height * ratio);
  }
  canvas.style.height = p.height + "px"; // with the bitmap, so that it is never stretched
  const c = canvas.getContext("2d");
  if (!c) return;
  const s = styleOf(canvas);
  c.setTransform(ratio, 0, 0, ratio, 0, 0);
  c.fillStyle = s.ground;
  c.fillRect(0, 0, p.width, p.height);
  const head = headOf(p);
  const x = (ns: number) => ((ns - p.view.from) / (p.view.to - p.view.from)) * p.width;
  grid(c, p, s, x);
  if (layer.of && p.height > head) c.drawImage(layer.canvas, x(layer.of.view.from), head, x(layer.of.view.to) - x(layer.of.view.from), p.height - head);
  above(c, p, s, x);
}

/** above draws the axis and all that stands above the lanes, and the marks. */
export function above(c: Ink, p: Picture, s: Style, x: (ns: number) => number) {
  axis(c, p, s, x);
  let top = axisHeight;
  if (p.path) {
    pathLane(c, p, s, p.path, x);
    top += pathHeight;
  }
  if (p.late) {
    lateLane(c, p, s, p.late, top, x);
    top += lateHeight;
  }
  for (const b of p.broken ?? []) {
    checkLane(c, p, s, b, top, x);
    top += checkHeight;
  }
  if (p.signals) signals(c, p, s, p.signals, top, x);
  marked(c, p, s, x);
}

/** moves reports whether a picture differs from the one in a layer by its window alone, so that the layer may stand in for it. */
export function moves(layer: Layer, p: Picture): boolean {
  const of = layer.of;
  return of !== undefined && (of.view.from !== p.view.from || of.view.to !== p.view.to) && (Object.keys(p) as (keyof Picture)[]).every((k) => k === "view" || k === "signals" || of[k] === p[k]);
}

/** tick is the distance of marks: 1, 2 or 5 times a power of ten, so that there are about ten. */
export function tick(span: number, width: number): number {
  const wanted = span / Math.max(2, width / 130);
  const power = 10 ** Math.floor(Math.log10(Math.max(wanted, 1)));
  return [1, 2, 5, 10].map((n) => n * power).find((n) => n >= wanted) ?? 10 * power;
}

function marks(p: Picture): number[] {
  const step = tick(p.view.to - p.view.from, p.width);
  const all: number[] = [];
  for (let at = Math.ceil(p.view.from / step) * step; at <= p.view.to; at += step) all.push(at);
  return all;
}

/** grid draws the lines of the axis through all lanes. */
export function grid(c: Ink, p: Picture, s: Style, x: (ns: number) => number) {
  c.fillStyle = s.line;
  for (const at of marks(p)) c.fillRect(Math.round(x(at)), 0, 1, p.height);
}

/** axis writes the times. Those of a narrow window are told from its first mark, which stands in full. */
function axis(c: Ink, p: Picture, s: Style, x: (ns: number) => number) {
  c.fillStyle = s.panel;
  c.fillRect(0, 0, p.width, axisHeight);
  c.fillStyle = s.line;
  c.fillRect(0, axisHeight - 1, p.width, 1);
  c.fillStyle = s.ink;
  c.font = "12px system-ui, sans-serif";
  c.textBaseline = "middle";
  c.textAlign = "left";
  const step = tick(p.view.to - p.view.from, p.width);
  for (const at of marks(p)) {
    const text = exact(at, step);
    if (x(at) + 4 + c.measureText(text).width <= p.width) c.fillText(text, x(at) + 4, axisHeight / 2); // a part of a number would be another one
  }
}

/** exact writes a time with as many digits as marks so far apart need. */
export function exact(ns: number, step: number): string {
  if (ns === 0) return "0";
  const sign = ns < 0 ? "-" : "";
  const of = Math.abs(ns);
  const [unit, size] = of >= 1e9 ? ["s", 1e9] : of >= 1e6 ? ["ms", 1e6] : of >= 1e3 ? ["us", 1e3] : ["ns", 1];
  const digits = Math.max(0, Math.min(9, Math.ceil(Math.log10((size as number) / step))));
  return `${sign}${(of / (size as number)).toFixed(digits)} ${unit}`;
}

function lanes(c: Ink, p: Picture, s: Style) {
  c.fillStyle = s.line;
  for (const r of p.rows) c.fillRect(0, r.top + r.height - 1, p.width, 1);
}

/** Ground is where boxes are drawn pixel by pixel: 75,000 of them take a third of the time that the rectangles of a canvas take. */
export interface Ground {
  pixels: Uint32Array;
  paths?: Map<number, string>; // on paper, the outlines of boxes by their colour, in place of the pixels
  wide: number; // pixels of the device
  high: number;
  ratio: number; // of them to those of the canvas
  head: number; // above the ground, in pixels of the canvas
}

/** boxes draws executions in the colour of their function, and sums paler, the more of their time is idle. Those out of sight are left out. */
export function boxes(c: Ink, p: Picture, s: Style, b: Boxes, g: Ground): Items {
  const tops = new Map(p.rows.map((r) => [r.place, r]));
  const rowOf = Array.from({ length: p.rows.reduce((most, r) => Math.max(most, r.place + 1), 0) }, (_, place) => tops.get(place));
  const mixed = new Map<string, number>();
  const mix = (colour: string) => {
    let code = mixed.get(colour);
    if (code === undefined) {
      c.fillStyle = colour;
      const hex = Number.parseInt(String(c.fillStyle).slice(1), 16); // a canvas gives #rrggbb back
      mixed.set(colour, (code = ((hex & 255) << 16) | (hex & 0xff00) | (hex >> 16)));
    }
    return code;
  };
  const byLane = p.colour === "component";
  const byTime = p.colour === "duration";
  const muted = mix(s.muted);
  const ofFunction = b.functions.map((name) => mix(name ? colourOf(name) : s.muted));
  const meaning = p.meaning;
  const ofValue = meaning ? (b.values ?? []).map((v) => mix(meaning.hue(v))) : [];
  const ofNone = mix(meaning?.none ?? s.muted);
  const wanted = p.find.toLowerCase();
  const isFound = b.functions.map((name) => wanted === "" || name.toLowerCase().includes(wanted));
  const others = (b.values ?? []).map((v) => p.only !== "" && v !== p.only);
  const items = newItems(b.lane.length);
  const scale = p.width / (p.view.to - p.view.from);
  const tall = Math.round((rowHeight - 2) * g.ratio);
  const above = g.head - p.scroll;
  for (let i = 0; i < b.lane.length; i++) {
    const r = rowOf[b.lane[i]!];
    const start = b.start_ns[i]!;
    const finish = b.finish_ns[i]!;
    const depth = b.depth[i]!;
    if (!r || depth >= r.depths || start > p.view.to || finish < p.view.from) continue;
    const top = r.top + 3 + depth * rowHeight;
    if (top + rowHeight < p.scroll || top > p.scroll + p.height - g.head) continue;
    const left = Math.max(-2, (start - p.view.from) * scale);
    const right = Math.max(Math.min(p.width + 2, (finish - p.view.from) * scale), left + 1);
    const place = b.function[i]!;
    const value = b.value ? b.value[i]! : -1;
    const sum = b.count[i]! > 1;
    const pale = place < 0 ? wanted !== "" : !isFound[place]!;
    const faint = pale || (value >= 0 && others[value]!);
    let colour = place < 0 ? muted : ofFunction[place]!;
    if (meaning) colour = value < 0 ? ofNone : ofValue[value]!;
    else if (byLane) colour = mix(colourOf(r.lane.component));
    else if (byTime) colour = mix(lengthColour(sum ? 0 : b.busy_ns[i]!, s));
    const alpha = (sum ? 0.3 + 0.7 * Math.min(1, b.busy_ns[i]! / Math.max(1, finish - start)) : 1) * (faint ? 0.12 : 1);
    fill(g, left, right - (right - left > 3 ? 1 : 0), top - p.scroll, tall, ((Math.round(alpha * 255) << 24) | colour) >>> 0);
    const n = items.count++;
    items.box[n] = i;
    items.left[n] = left;
    items.right[n] = right;
    items.top[n] = top + above;
    items.pale[n] = faint ? 1 : 0;
  }
  return items;
}

/** fill fills a rectangle with a colour, at least a pixel wide. */
function fill(g: Ground, left: number, right: number, top: number, tall: number, colour: number) {
  if (g.paths) {
    g.paths.set(colour, `${g.paths.get(colour) ?? ""}M${left.toFixed(1)} ${top.toFixed(1)}h${Math.max(right - left, 0.5).toFixed(1)}v${tall}h${(-Math.max(right - left, 0.5)).toFixed(1)}z`);
    return;
  }
  const from = Math.max(0, Math.round(left * g.ratio));
  const until = Math.min(g.wide, Math.max(from + 1, Math.round(right * g.ratio)));
  const first = Math.round(top * g.ratio);
  const last = Math.min(g.high, first + tall);
  for (let y = Math.max(0, first); y < last; y++) {
    const row = y * g.wide;
    if (until - from > 8) g.pixels.fill(colour, row + from, row + until);
    else for (let x = row + from; x < row + until; x++) g.pixels[x] = colour;
  }
}

/** names writes the names of boxes that have room for them, and frames the selection. down is how far items stand above their lanes. */
function names(c: Ink, p: Picture, s: Style, b: Boxes, items: Items, down: number) {
  c.font = "11px system-ui, sans-serif";
  c.textBaseline = "middle";
  const letter = c.measureText("abcdefghijklmnopqrstuvwxyz_ABC0123").width / 34;
  for (let n = 0; n < items.count; n++) {
    const [left, right] = [items.left[n]!, items.right[n]!];
    const value = b.values?.[b.value?.[items.box[n]!] ?? -1];
    const mark = value === undefined || items.pale[n] ? "" : p.meaning?.mark?.(value);
    if (mark) marking(c, s, mark, left, right, items.top[n]! + down);
    if (right - left > 26 && !items.pale[n]) write(c, b, items.box[n]!, Math.max(left, 0), Math.min(right, p.width), items.top[n]! + down, letter, p, s.ink);
  }
  if (p.selected === undefined) return;
  for (let n = 0; n < items.count; n++) {
    if (b.longest[items.box[n]!] === p.selected) return outline(c, s, items.left[n]!, items.right[n]!, items.top[n]! + down);
  }
}

/** marking tells a box apart also where nobody sees its colour: by a line below it, or by a frame. */
function marking(c: Ink, s: Style, mark: "line" | "frame", left: number, right: number, top: number) {
  c.fillStyle = s.ink;
  c.fillRect(left, top + rowHeight - 4, Math.max(1, right - left - 1), 3);
  if (mark === "line" || right - left < 3) return;
  c.strokeStyle = s.ink;
  c.lineWidth = 2;
  c.strokeRect(left, top, right - left - 1, rowHeight - 3);
}

/** follows draws edges of critical paths between boxes in sight: whole where a dependency of the trace asks for it, broken and red where none does. */
function follows(c: Ink, s: Style, b: Boxes, items: Items, of: Follows, down: number) {
  const at = new Map<number, number>();
  for (let n = 0; n < items.count; n++) if (b.count[items.box[n]!] === 1) at.set(b.longest[items.box[n]!]!, n);
  const middle = (n: number) => items.top[n]! + down + rowHeight / 2 - 1;
  for (const applied of [true, false]) {
    c.strokeStyle = c.fillStyle = applied ? s.ink : s.path;
    c.lineWidth = applied ? 1.5 : 2.5;
    c.setLineDash(applied ? [] : [4, 2]);
    for (let i = 0; i < of.from.length; i++) {
      const [from, to] = [at.get(of.from[i]!), at.get(of.to[i]!)];
      if (of.applied[i] !== applied || from === undefined || to === undefined) continue;
      const [x1, x2] = [items.right[from]! - 1, items.left[to]!];
      c.beginPath();
      c.moveTo(x1, middle(from));
      c.lineTo(x2, middle(to));
      c.stroke();
      c.beginPath();
      c.arc(x2, middle(to), 3, 0, 7);
      c.fill();
    }
  }
  c.setLineDash([]);
}

/** lengthColour is a colour by duration: a step farther from the ground is ten times longer; what is narrower than a pixel has none. */
function lengthColour(ns: number, s: Style): string {
  return ns <= 0 ? s.muted : s.lengths[Math.max(0, Math.min(s.lengths.length - 1, Math.floor(Math.log10(ns)) - 2))]!;
}

/** shade is a red, the deeper and the darker the greater a share from 0 to 1, on which white has a contrast of 4.5 or more. */
export function shade(share: number): string {
  const [from, to] = [[93, 115, 130], [128, 6, 34]];
  const part = share <= 0 ? 0 : 0.3 + 0.7 * Math.min(1, share); // what differs at all is seen
  return "rgb(" + from!.map((v, i) => Math.round(v + (to![i]! - v) * part)).join(" ") + ")";
}

/** durations are colours by length: below 1 us, 10 us, 100 us, 1 ms, 10 ms, 100 ms, 1 s, and above. White has a contrast of 4.5 or more on each. Each differs
 * from the one before in how light it is, by 4 of 100 or more, so that they are told apart in grey, too: on a light ground what is longer is darker, on a dark one lighter. */
export const durations = (dark: boolean): string[] =>
  dark ? ["#2a343b", "#283e49", "#27485c", "#384d76", "#5c4d8e", "#884795", "#b43b86", "#d92e62"] : ["#617887", "#466e81", "#35637e", "#3c537e", "#4c4076", "#572d5f", "#581d42", "#520f23"];

/** lateLane has a bar for every occurrence, up to the deadline pale and beyond it in full with a line at the deadline: late ones are seen however narrow. */
function lateLane(c: Ink, p: Picture, s: Style, l: Late, top: number, x: (ns: number) => number) {
  c.fillStyle = s.panel;
  c.fillRect(0, top, p.width, lateHeight);
  const o = l.of.occurrences;
  for (const late of [false, true]) {
    for (let i = 0; i < o.number.length; i++) {
      const start = o.start_ns[i]!;
      const finish = start + o.span_ns[i]!;
      if (o.span_ns[i]! > l.deadline !== late || finish < p.view.from || start > p.view.to) continue;
      const limit = Math.min(finish, start + l.deadline);
      c.fillStyle = s.muted;
      c.globalAlpha = 0.45;
      c.fillRect(x(start), top + 8, Math.max(1, x(limit) - x(start)), 8);
      c.globalAlpha = 1;
      if (!late) continue;
      c.fillStyle = s.worse;
      c.fillRect(x(limit), top + 5, Math.max(2, x(finish) - x(limit)), 13);
      c.fillRect(Math.round(x(limit)), top, 1.5, p.height - top); // the deadline itself, over all lanes
    }
  }
}

/** stretches are where a check holds, as they are drawn: high where it does, low where it does not. Those on one pixel are one, and what fails wins. */
export function stretches(p: Picture, of: NonNullable<Broken["held"]>): { left: number; right: number; holds: boolean }[] {
  const scale = p.width / (p.view.to - p.view.from);
  const all: { left: number; right: number; holds: boolean }[] = [];
  of.from_ns.forEach((from, i) => {
    const left = Math.max(0, (from - p.view.from) * scale);
    const right = Math.min(p.width, (of.to_ns[i]! - p.view.from) * scale);
    const holds = of.holds[i]!;
    const last = all[all.length - 1];
    if (right < 0 || left > p.width) return;
    if (last && right - left < 1 && Math.round(last.left) === Math.round(left)) last.holds &&= holds;
    else all.push({ left, right: Math.max(right, left + 1), holds });
  });
  return all;
}

/** checkLane has a triangle for every state that breaks a check, and a line from it over all lanes. Those on one pixel are one. Behind them stands where it
 * holds, green and high, and where it does not, red and low. */
function checkLane(c: Ink, p: Picture, s: Style, of: Broken, top: number, x: (ns: number) => number) {
  c.fillStyle = s.panel;
  c.fillRect(0, top, p.width, checkHeight);
  for (const one of of.held ? stretches(p, of.held) : []) {
    c.fillStyle = one.holds ? s.better : s.worse;
    c.fillRect(one.left, top + (one.holds ? 3 : 12), one.right - one.left, 7);
  }
  c.fillStyle = s.worse;
  let before = -9;
  for (const ns of of.at) {
    const at = Math.round(x(ns));
    if (at < -6 || at > p.width + 6 || at === before) continue;
    before = at;
    c.globalAlpha = 0.5;
    c.fillRect(at, top + 14, 1, p.height - top);
    c.globalAlpha = 1;
    c.beginPath();
    c.moveTo(at - 5, top + 4);
    c.lineTo(at + 6, top + 4);
    c.lineTo(at + 0.5, top + 15);
    c.fill();
  }
  c.fillStyle = s.line;
  c.fillRect(0, top + checkHeight - 1, p.width, 1);
}

/** signals draws areas between the least and the greatest value of every pixel, each on a scale of its own from 0. */
function signals(c: Ink, p: Picture, s: Style, of: { asked: View; of: Envelopes }, top: number, x: (ns: number) => number) {
  for (const one of of.of.signals) {
    c.fillStyle = s.panel;
    c.fillRect(0, top, p.width, signalHeight);
    const known = one.greatest.filter((v): v is number => v !== null);
    const most = known.reduce((a, b) => Math.max(a, b), 0);
    const least = one.least.reduce((a: number, b) => Math.min(a, b ?? 0), 0);
    const y = (v: number) => top + signalHeight - 4 - ((v - least) / (most - least || 1)) * (signalHeight - 22); // its scale is written above it
    const step = (of.asked.to - of.asked.from) / one.least.length;
    c.fillStyle = s.base;
    one.greatest.forEach((v, i) => {
      const left = Math.floor(x(of.asked.from + i * step)); // whole pixels, as half ones would overlap in stripes
      const wide = Math.max(1, Math.floor(x(of.asked.from + (i + 1) * step)) - left);
      if (v === null || left + wide < 0 || left > p.width) return;
      c.fillStyle = s.panel;
      c.fillRect(left, y(v), wide, y(least) - y(v));
      c.fillStyle = s.base;
      c.globalAlpha = 0.35;
      c.fillRect(left, y(v), wide, y(least) - y(v));
      c.globalAlpha = 1;
      c.fillRect(left, y(v), wide, Math.max(1.5, y(one.least[i] ?? v) - y(v)));
    });
    c.fillStyle = s.ink;
    c.font = "11px system-ui, sans-serif";
    c.textBaseline = "top";
    c.fillText(`0 to ${rate(most)}${one.unit ? " " + printable(one.unit) : ""}`, 4, top + 1);
    c.fillStyle = s.line;
    c.fillRect(0, top + signalHeight - 1, p.width, 1);
    top += signalHeight;
  }
}

/** letterOf names a mark. */
export function letterOf(i: number): string {
  return String.fromCharCode(65 + (i % 26)) + (i >= 26 ? String(Math.floor(i / 26)) : "");
}

/** marked draws the marks with their letters, and between neighbours how far they are apart. */
function marked(c: Ink, p: Picture, s: Style, x: (ns: number) => number) {
  const sorted = p.marks.map((ns, i) => ({ ns, letter: letterOf(i) })).sort((a, b) => a.ns - b.ns);
  c.font = "bold 12px system-ui, sans-serif";
  c.textBaseline = "middle";
  sorted.forEach((m, i) => {
    const at = x(m.ns);
    c.fillStyle = s.focus;
    c.fillRect(Math.round(at) - 1, 0, 2, p.height);
    c.fillRect(at, 3, 16, 18);
    c.fillStyle = s.ground;
    c.fillText(m.letter, at + 4, 12.5);
    const next = sorted[i + 1];
    if (!next) return;
    const text = duration(Math.round(next.ns - m.ns));
    const middle = (Math.max(0, at) + Math.min(p.width, x(next.ns))) / 2;
    const wide = c.measureText(text).width + 10;
    if (x(next.ns) - at < wide + 20 || x(next.ns) < 0 || at > p.width) return;
    c.fillStyle = s.focus;
    c.fillRect(at, 24, x(next.ns) - at, 1.5);
    c.fillStyle = s.ground;
    c.fillRect(middle - wide / 2, 4, wide, 17);
    c.fillStyle = s.focus;
    c.fillText(text, middle - wide / 2 + 5, 12.5);
  });
}

/** write writes the name of a box, cut to its width by how wide a letter is. */
function write(c: Ink, b: Boxes, i: number, left: number, right: number, top: number, letter: number, p: Picture, ink: string) {
  const name = b.function[i]! < 0 ? "" : printable(b.functions[b.function[i]!]!);
  const most = Math.floor((right - left - 6) / letter);
  if (most < 3) return;
  const value = b.values?.[b.value?.[i] ?? -1];
  const word = p.colour === "duration" && b.count[i] === 1 ? duration(b.busy_ns[i]!) : value === undefined || !p.meaning ? "" : p.meaning.word(value);
  const text = (b.count[i]! > 1 ? `${count(b.count[i]!)} × ` : "") + name + (word === "" || word === name ? "" : " · " + word);
  c.fillStyle = b.count[i]! > 1 ? ink : "#ffffff";
  c.fillText(text.length > most ? text.slice(0, most - 1) + "…" : text, left + 4, top + (rowHeight - 2) / 2 + 0.5);
}

function outline(c: Ink, s: Style, left: number, right: number, top: number) {
  c.strokeStyle = s.ink;
  c.lineWidth = 2.5;
  c.strokeRect(left - 1, top - 1, Math.max(3, right - left + 1), rowHeight);
}

/** arrows draws messages from the edge of one lane to the edge of another. Of several between the same pixels one is drawn. */
function arrows(c: Ink, p: Picture, s: Style, all: Arrow[], x: (ns: number) => number) {
  const rows = new Map(p.rows.map((r) => [r.place, r]));
  c.strokeStyle = s.muted;
  c.lineWidth = 1;
  c.beginPath();
  const seen = new Set<string>();
  for (const a of all) {
    const from = rows.get(a.from);
    const to = rows.get(a.to);
    if (!from || !to || a.send_ns > p.view.to || a.receive_ns < p.view.from) continue;
    const down = to.top > from.top;
    const y1 = from === to ? from.top + 2 : down ? from.top + from.height - 2 : from.top + 2;
    const y2 = from === to ? to.top + 2 : down ? to.top + 2 : to.top + to.height - 2;
    const x1 = x(a.send_ns);
    const x2 = x(a.receive_ns);
    const key = `${a.from} ${a.to} ${Math.round(x1 / 2)} ${Math.round(x2 / 2)}`;
    if (seen.has(key)) continue;
    seen.add(key);
    c.moveTo(x1, y1);
    c.lineTo(x2, y2);
    const angle = Math.atan2(y2 - y1, x2 - x1);
    for (const turn of [2.7, -2.7]) {
      c.moveTo(x2, y2);
      c.lineTo(x2 + 6 * Math.cos(angle + turn), y2 + 6 * Math.sin(angle + turn));
    }
  }
  c.globalAlpha = seen.size > 200 ? 0.3 : 0.7;
  c.stroke();
  c.globalAlpha = 1;
}

/** along marks the critical path on the lanes of components that have one lane: thick where a lane works or waits, thin along messages. */
function along(c: Ink, p: Picture, s: Style, path: Path, x: (ns: number) => number) {
  const of = new Map<string, Row | null>();
  for (const r of p.rows) of.set(r.lane.component, of.has(r.lane.component) ? null : r);
  c.strokeStyle = s.path;
  for (const messages of [true, false]) {
    const seen = new Set<string>();
    c.lineWidth = messages ? 1 : 3;
    c.beginPath();
    for (const step of path.steps) {
      if (step.message !== messages || step.finish_ns < p.view.from || step.start_ns > p.view.to) continue;
      const to = of.get(step.component);
      const from = messages ? of.get(step.sender) : to;
      if (!to || !from) continue;
      const left = x(step.start_ns);
      const right = x(step.finish_ns);
      const key = `${from.place} ${to.place} ${Math.round(left)} ${Math.round(right)}`;
      if (seen.has(key)) continue;
      seen.add(key);
      c.moveTo(left, from.top + from.height - 3);
      c.lineTo(Math.max(right, left + (messages ? 0 : 1)), to.top + to.height - 3);
    }
    c.globalAlpha = messages ? (seen.size > 200 ? 0.35 : 0.7) : 1;
    c.stroke();
    c.globalAlpha = 1;
  }
}

/** constraints draws what the ends of the selected execution wait for: red and whole what is critical, broken with its slack what is not. */
function constraints(c: Ink, p: Picture, s: Style, waits: { lifeline: string; of: Wait[] }, x: (ns: number) => number) {
  const home = p.rows.find((r) => r.lane.lifeline === waits.lifeline);
  if (!home) return;
  c.font = "11px system-ui, sans-serif";
  c.textBaseline = "bottom";
  for (const w of waits.of) {
    const from = w.sender ? p.rows.find((r) => r.lane.component === w.sender) : home;
    if (!from) continue;
    const y1 = from.top + from.height - 4;
    const y2 = home.top + home.height - 4;
    c.strokeStyle = w.critical ? s.path : s.ink;
    c.lineWidth = w.critical ? 2.5 : 1.5;
    c.setLineDash(w.critical ? [] : [5, 3]);
    c.beginPath();
    c.moveTo(x(w.from_ns), y1);
    c.lineTo(x(w.to_ns), y2);
    c.stroke();
    c.setLineDash([]);
    c.fillStyle = w.critical ? s.path : s.ink;
    c.beginPath();
    c.arc(x(w.to_ns), y2, 3.5, 0, 7);
    c.fill();
    if (!w.critical && w.slack_ns !== null && x(w.to_ns) - x(w.from_ns) > 60) c.fillText("slack " + duration(w.slack_ns), (x(w.from_ns) + x(w.to_ns)) / 2, (y1 + y2) / 2 - 2);
  }
}

/** pathLane draws the critical path as a lane of its own: what the time was spent on. */
function pathLane(c: Ink, p: Picture, s: Style, path: Path, x: (ns: number) => number) {
  c.fillStyle = s.panel;
  c.fillRect(0, axisHeight, p.width, pathHeight);
  c.font = "11px system-ui, sans-serif";
  c.textBaseline = "middle";
  for (const step of path.steps) {
    if (step.finish_ns < p.view.from || step.start_ns > p.view.to) continue;
    const left = Math.max(0, x(step.start_ns));
    const width = Math.max(1, Math.min(p.width, x(step.finish_ns)) - left);
    c.fillStyle = step.message || !step.function ? s.muted : colourOf(step.function);
    c.fillRect(left, axisHeight + 3, width, pathHeight - 8);
    if (width > 40) {
      c.fillStyle = "#ffffff";
      const text = printable(step.function ? `${step.component}.${step.function}` : "idle");
      const most = Math.floor((width - 8) / 5.6);
      if (most > 2) c.fillText(text.length > most ? text.slice(0, most - 1) + "…" : text, left + 4, axisHeight + pathHeight / 2 - 1);
    }
  }
  c.fillStyle = s.path;
  c.fillRect(Math.max(0, x(path.start_ns)), axisHeight + pathHeight - 4, Math.min(p.width, x(path.finish_ns)) - Math.max(0, x(path.start_ns)), 2);
}

/** at finds the box under a point: the narrowest one, with two pixels of room for those that are narrow; -1 where there is none. */
export function at(items: Items, x: number, y: number): number {
  let best = -1;
  for (let n = 0; n < items.count; n++) {
    if (y < items.top[n]! || y >= items.top[n]! + rowHeight - 1 || x < items.left[n]! - 2 || x > items.right[n]! + 2) continue;
    if (best < 0 || items.right[n]! - items.left[n]! <= items.right[best]! - items.left[best]!) best = n;
  }
  return best < 0 ? -1 : items.box[best]!;
}

/** say describes a box in a sentence. */
export function say(b: Boxes, i: number, lanes: Lane[], meaning: Meaning | undefined): string {
  const name = b.function[i]! < 0 ? "narrower executions" : printable(b.functions[b.function[i]!]!);
  const lane = printable(lanes[b.lane[i]!]!.lifeline);
  const value = b.values?.[b.value?.[i] ?? -1];
  const word = value === undefined || !meaning ? "" : meaning.word(value);
  if (b.count[i] === 1) return `${name}${word && ` (${word})`} on ${lane}: ${duration(b.busy_ns[i]!)}, from ${duration(b.start_ns[i]!)}`;
  const share = Math.round((100 * b.busy_ns[i]!) / Math.max(1, b.finish_ns[i]! - b.start_ns[i]!));
  const longest = b.function[i]! < 0 ? name : `the longest is ${name}`;
  return `${count(b.count[i]!)} executions on ${lane}, ${longest}: busy ${share} % of ${duration(b.finish_ns[i]! - b.start_ns[i]!)}, from ${duration(b.start_ns[i]!)}`;
}

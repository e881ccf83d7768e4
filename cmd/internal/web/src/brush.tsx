// A stretch of times that is chosen in one picture of a distribution and shown in all: by dragging along an axis of times, or in fields.

import { useEffect, useState } from "preact/hooks";
import type { Series, Side } from "./types";
import { count, duration, nanoseconds, share } from "./units";

/** Stretch is from a time to another one in nanoseconds, both included. */
export type Stretch = [from: number, to: number];

/** Brush is what pictures need to show a stretch and to choose another one. */
export interface Brush {
  stretch?: Stretch;
  choose: (stretch: Stretch | undefined) => void;
}

/** inside reports whether a time is chosen; all are where no stretch is. */
export const inside = (ns: number, brush?: Brush) => !brush?.stretch || (ns >= brush.stretch[0] && ns <= brush.stretch[1]);

/** Scale is what Plot tells of an axis. */
interface Scale {
  range: number[]; // pixels
  apply: (ns: number) => number;
  invert?: (at: number) => number;
}

/** Scaled is a picture of Plot, which tells its axes. */
export type Scaled = SVGSVGElement & { scale: (name: string) => Scale };

const least = 4; // pixels: what is dragged less is a click, which chooses nothing

/** attach lets a stretch be chosen in a picture, along one of its axes, and draws the one that is. */
export function attach(svg: Scaled, axis: "x" | "y", { stretch, choose }: Brush): void {
  const scale = svg.scale(axis);
  const [width, height] = [svg.viewBox.baseVal.width, svg.viewBox.baseVal.height];
  const band = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  band.setAttribute("class", "stretch");
  svg.append(band);
  const clamped = (at: number) => Math.min(Math.max(at, Math.min(...scale.range)), Math.max(...scale.range));
  const place = (a: number, b: number) => {
    const [from, long] = [Math.min(clamped(a), clamped(b)), Math.abs(clamped(b) - clamped(a))];
    const [x, y, w, h] = axis === "x" ? [from, 20, long, height - 50] : [56, from, width - 76, long];
    for (const [name, value] of Object.entries({ x, y, width: Math.max(w, 1), height: Math.max(h, 1) })) band.setAttribute(name, String(value));
  };
  if (stretch) place(scale.apply(stretch[0]), scale.apply(stretch[1]));
  const at = (e: PointerEvent) => {
    const box = svg.getBoundingClientRect();
    return axis === "x" ? ((e.clientX - box.left) * width) / box.width : ((e.clientY - box.top) * height) / box.height;
  };
  let begun: number | undefined;
  svg.classList.add("brushed", axis);
  svg.addEventListener("pointerdown", (e) => {
    if (e.button !== 0) return;
    begun = at(e);
    svg.setPointerCapture(e.pointerId);
  });
  svg.addEventListener("pointermove", (e) => begun !== undefined && place(begun, at(e)));
  svg.addEventListener("pointerup", (e) => {
    if (begun === undefined) return;
    const [a, b] = [clamped(begun), clamped(at(e))];
    begun = undefined;
    if (Math.abs(b - a) < least) return choose(undefined);
    const [x, y] = [scale.invert!(a), scale.invert!(b)];
    choose([Math.max(0, Math.round(Math.min(x, y))), Math.max(0, Math.round(Math.max(x, y)))]);
  });
}

/** Choice are the fields, and in words what lies in the stretch. */
export function Choice({ brush, base, cand, runs, alone }: { brush: Brush; base: Side | null; cand: Side | null; runs: Series[]; alone?: boolean }) {
  const { stretch, choose } = brush;
  const written = stretch?.map((ns) => duration(ns)) ?? ["", ""];
  const [fields, set] = useState(written);
  useEffect(() => set(written), [String(stretch)]);
  const ask = () => {
    if (fields.every((f) => f === "")) return choose(undefined);
    const end = (i: 0 | 1, open: number) => (stretch && fields[i] === written[i] ? stretch[i] : fields[i] ? nanoseconds(fields[i]!) : open); // what is not changed keeps all of its digits
    const [from, to] = [end(0, 0), end(1, Number.MAX_SAFE_INTEGER)];
    if (from !== undefined && to !== undefined && from <= to) choose([from, to]);
  };
  const field = (i: 0 | 1, label: string) => (
    <label>
      {label} <input type="text" size={9} value={fields[i]} placeholder={i ? "20 ms" : "1 ms"} onInput={(e) => set(i ? [fields[0]!, e.currentTarget.value] : [e.currentTarget.value, fields[1]!])} onKeyDown={(e) => e.key === "Enter" && ask()} />
    </label>
  );
  return (
    <div class="tools" role="group" aria-label="Times that are chosen in all pictures">
      {field(0, "Times from")} {field(1, "to")}
      <button type="button" onClick={ask}>Choose</button>
      {stretch && <button type="button" onClick={() => choose(undefined)}>All times</button>}
      <output>{stretch ? [told("baseline", base, runs.filter((r) => !r.cand), brush), ...(alone ? [] : [told("candidate", cand, runs.filter((r) => r.cand), brush)])].map((t) => (alone ? t.replace("baseline", "this run") : t)).join("; ") : "or drag along the times of a picture: the others show the same ones"}</output>
    </div>
  );
}

/** told says how much of a side is chosen. Where points stand for several samples, the share is that of the distribution. */
function told(name: string, side: Side | null, runs: Series[], brush: Brush): string {
  if (!side) return `${name} none`;
  const runsWith = runs.filter((r) => r.points.some((ns) => inside(ns, brush))).length;
  const all = runs.flatMap((r) => r.points);
  const exact = all.length === side.n;
  const of = exact ? all : side.ecdf;
  const chosen = of.filter((ns) => inside(ns, brush)).length;
  const part = of.length ? chosen / of.length : 0;
  return `${name} ${exact ? `${count(chosen)} of ${count(side.n)} samples` : `about ${share(part)} of ${count(side.n)} samples`}${runs.length > 1 && exact ? ` in ${count(runsWith)} of ${count(runs.length)} runs` : ""}`;
}

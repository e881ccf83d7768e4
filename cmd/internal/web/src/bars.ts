// Bars of times with their names: beside them where there is room, above them in a narrow page, as nobody could read what is left of a name there.

import * as Plot from "@observablehq/plot";
import { printable } from "./units";

/** Bar is a name with a value a side; two sides lie one under the other, the baseline above. */
export interface Bar {
  name: string;
  values: [number] | [number, number];
}

/** narrow is the width in pixels below which names stand above their bars. */
const narrow = 560;

/** named returns what Plot draws of bars at a width. Bars keep their order; values are written as write does, and those of the axis as axis does. */
export function named(bars: Bar[], width: number, write: (value: number) => string, axis = write): Record<string, unknown> {
  const above = width < narrow;
  const names = bars.map((b) => printable(b.name));
  const longest = Math.max(0, ...names.map((n) => n.length));
  const left = above ? 4 : Math.min(Math.round(width * 0.4), 16 + Math.ceil(longest * 5.8));
  const most = Math.floor(((above ? width : left) - 14) / 5.8);
  const slots = [...(above ? ["name"] : []), ...(bars[0]?.values ?? []).map((_, side) => side), "space"]; // of a name, from top to bottom
  const rows = bars.flatMap((b, at) => b.values.map((value, side) => ({ at, side, value })));
  return {
    height: 36 + bars.length * (slots.length === 2 ? 22 : 6 + 12 * slots.length), marginTop: 6, marginBottom: 30, marginLeft: left, marginRight: 76,
    x: { label: null, grid: true, zero: true, tickFormat: axis, ticks: Math.max(2, Math.floor(width / 200)) },
    y: { axis: null, domain: slots, padding: 0.06 },
    fy: { domain: bars.map((_, at) => at), label: null, axis: null, padding: 0 },
    marks: [
      Plot.barX(rows, { x: "value", y: "side", fy: "at", fill: (r: { side: number }) => (r.side ? "var(--cand)" : "var(--base)") }),
      Plot.text(rows, { x: (r: { value: number }) => Math.max(r.value, 0), y: "side", fy: "at", text: (r: { value: number }) => write(r.value), textAnchor: "start", dx: 4, fill: "var(--ink)" }),
      Plot.text(bars.map((_, at) => at), {
        fy: (at: number) => at, ...(above ? { y: () => "name", frameAnchor: "left" } : { y: () => (bars[0]!.values.length > 1 ? 1 : 0), frameAnchor: "left", dx: -6, dy: bars[0]!.values.length > 1 ? -7 : 0 }), textAnchor: above ? "start" : "end", text: (at: number) => cut(names[at]!, most), fill: "var(--ink)", fontSize: 11,
        title: (at: number) => names[at]!,
      }),
    ],
  };
}

/** partOf leaves out that a part of a path is an execution, which most are. */
export const partOf = (part: string) => part.replace(/^execution (?=\S)/, "");

/** cut leaves out the middle of a name: what it ends with tells it from others. */
function cut(name: string, most: number): string {
  return name.length <= most ? name : name.slice(0, Math.floor(most / 3)) + "…" + name.slice(name.length - Math.ceil((2 * most) / 3) + 1);
}

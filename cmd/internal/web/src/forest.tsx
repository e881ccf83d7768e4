// Effects with their intervals, one under the other.

import * as Plot from "@observablehq/plot";
import { useCallback } from "preact/hooks";
import { Figure, time } from "./figure";
import { difference, printable } from "./units";

/** Effect is what changed, by how much, and how sure that is; one run a side has no interval. */
export interface Effect {
  name: string; // differs from those of the others
  ns: number;
  lo: number | null;
  hi: number | null;
}

/** Forest draws effects. Those with whole dots have an interval without zero. */
export function Forest({ of, title, note, head }: { of: Effect[]; title: string; note: string; head: string }) {
  const options = useCallback(
    (width: number) => {
      const room = Math.min(320, width / 3);
      const short = (name: string) => (name.length > room / 7 ? name.slice(0, Math.max(8, room / 7 - 1)) + "…" : name);
      const isSure = (e: Effect) => e.lo !== null && e.hi !== null && (e.lo > 0 || e.hi < 0);
      return {
        height: 56 + 24 * of.length, marginLeft: room, marginRight: 24,
        x: { label: null, grid: true, zero: true, tickFormat: (ns: number) => difference(Math.round(ns)), ticks: Math.max(3, Math.floor(width / 140)) },
        y: { domain: of.map((e) => e.name), label: null, tickFormat: (name: string) => short(printable(name)) },
        marks: [
          Plot.ruleX([0], { stroke: "var(--ink)" }),
          Plot.link(of.filter((e) => e.lo !== null), { x1: "lo", x2: "hi", y1: "name", y2: "name", stroke: "var(--timing)", strokeWidth: 3 }),
          Plot.dot(of, { x: "ns", y: "name", fill: (e: Effect) => (isSure(e) ? "var(--timing)" : "var(--ground)"), stroke: "var(--timing)", r: 5, title: (e: Effect) => `${printable(e.name)}: ${difference(e.ns)}` }),
        ],
      };
    },
    [of],
  );
  const end = (ns: number | null) => (ns === null ? "unknown" : time(ns, difference));
  return (
    <Figure title={title} options={options} note={note + " A whole dot: the interval has no zero in it."}
      table={{ head: [head, "effect", "at least", "at most"], rows: of.map((e) => [printable(e.name), time(e.ns, difference), end(e.lo), end(e.hi)]) }} />
  );
}

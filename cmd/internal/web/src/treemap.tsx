// Functions by their own time as areas, those of a component within one frame: squarified (Bruls, Huizing and van Wijk 2000), so that areas compare.

import { useMemo, useRef } from "preact/hooks";
import { number, text } from "./columns";
import { useResource, type Data } from "./data";
import { useWidth } from "./figure";
import { change, to, type Place } from "./router";
import type { Table } from "./types";
import { sign, tone } from "./ui";
import { count, duration, printable, words } from "./units";

interface Area {
  name: string;
  rank: number;
  verdict: string;
  costs: [number, number];
}

/** Placed is something with a rectangle: left, top, width, height. */
type Placed<T> = [of: T, x: number, y: number, w: number, h: number];

/** squarified divides a rectangle among items, the greatest first: each row takes items for as long as that makes its rectangles more like squares. */
function squarified<T>(items: [of: T, value: number][], x: number, y: number, w: number, h: number): Placed<T>[] {
  const placed: Placed<T>[] = [];
  let rest = items.filter(([, v]) => v > 0).sort((a, b) => b[1] - a[1]);
  while (rest.length > 0 && w > 0 && h > 0) {
    const perValue = (w * h) / rest.reduce((n, [, v]) => n + v, 0);
    const side = Math.min(w, h);
    let taken = 0;
    let sum = 0;
    for (let worst = Infinity; taken < rest.length; taken++) {
      const next = sum + rest[taken]![1];
      const deep = (next * perValue) / side;
      const ratio = (v: number) => { const long = (v * perValue) / deep; return Math.max(long / deep, deep / long); };
      const now = Math.max(ratio(rest[0]![1]), ratio(rest[taken]![1]));
      if (now > worst) break;
      [worst, sum] = [now, next];
    }
    const deep = (sum * perValue) / side;
    let at = 0;
    for (const [of, v] of rest.slice(0, taken)) {
      const long = (v * perValue) / deep;
      placed.push(w >= h ? [of, x, y + at, deep, long] : [of, x + at, y, long, deep]);
      at += long;
    }
    [x, y, w, h] = w >= h ? [x + deep, y, w - deep, h] : [x, y + deep, w, h - deep];
    rest = rest.slice(taken);
  }
  return placed;
}

const high = 360;

/** Treemap is the picture of a comparison. Areas are times of the candidate, or with areas=base in the address those of the baseline. */
export function Treemap({ data, place }: { data: Data; place: Place }) {
  const { value } = useResource<Table>(data, "changes");
  const areas = useMemo(() => (value ? read(value) : []), [value]);
  return areas.length > 0 ? <Areas of={areas} place={place} /> : null;
}

function Areas({ of: areas, place }: { of: [component: string, area: Area][]; place: Place }) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const side = place.query.get("areas") === "base" ? 0 : 1;
  const shown = useMemo(() => {
    const by = new Map<string, Area[]>();
    for (const [component, area] of areas) by.set(component, [...(by.get(component) ?? []), area]);
    const parts = [...by].map((part): [[string, Area[]], number] => [part, part[1].reduce((n, a) => n + a.costs[side]!, 0)]);
    return squarified(parts, 0, 0, width, high).map(([[component, of], x, y, w, h]) => ({ component, x, y, w, h, of: squarified(of.map((a) => [a, a.costs[side]!]), x + 1, y + 1, Math.max(0, w - 2), Math.max(0, h - 2)) }));
  }, [areas, width, side]);
  const said = (a: Area) => `${printable(a.name)}: ${duration(a.costs[0])} → ${duration(a.costs[1])}, ${words(a.verdict)}`;
  return (
    <figure class="picture">
      <figcaption>
        <strong>Own times of all functions</strong>
        <span class="note">Areas are own time per root execution, functions of a component within one frame; what has a verdict leads to its numbers. All of it as a table: <a href={to("changes", [], { level: "function", sort: side ? "-cand" : "-base" })}>{count(areas.length)} functions</a>.</span>
      </figcaption>
      <p class="choice" role="radiogroup" aria-label="Whose times the areas are">
        {["baseline", "candidate"].map((name, i) => <label><input type="radio" name="areas" checked={side === i} onChange={() => change("areas", i ? "" : "base", true)} /> {name}</label>)}
      </p>
      <div ref={box} class="drawn">
        <svg class="treemap" width={width} height={high} viewBox={`0 0 ${width} ${high}`} role="group" aria-label="Own times of all functions as areas">
          {shown.map((c) => (
            <g>
              {c.of.filter(([, , , w, h]) => w > 1 && h > 1).map(([a, x, y, w, h]) => {
                const most = Math.floor((w - 10) / 6.2);
                const drawn = (
                  <>
                    <title>{said(a)}</title>
                    <rect x={x} y={y} width={w} height={h} />
                    {h > 18 && most > 6 && <text x={x + 5} y={y + 14}>{(sign(a.verdict) + " " + printable(a.name)).slice(0, most)}</text>}
                    {h > 34 && most > 18 && <text x={x + 5} y={y + 29}>{duration(a.costs[0])} → {duration(a.costs[1])}</text>}
                  </>
                );
                const leads = tone(a.verdict) !== "quiet" && h > 24 && most > 6; // it has a name, and is large enough to be hit
                return leads ? <a class={"area " + tone(a.verdict)} href={to("change", [a.rank])}>{drawn}</a> : <g class="area">{drawn}</g>;
              })}
              <rect class="frame" x={c.x} y={c.y} width={c.w} height={c.h} />
            </g>
          ))}
        </svg>
      </div>
    </figure>
  );
}

/** read finds the functions with their components. */
function read(of: Table): [component: string, area: Area][] {
  const [level, component, name, verdict] = ["level", "component", "subject", "verdict"].map((n) => text(of, n)) as ((row: number) => string)[];
  const [rank, base, cand] = ["rank", "cost_base_ns", "cost_cand_ns"].map((n) => number(of, n)) as ((row: number) => number | undefined)[];
  const all: [string, Area][] = [];
  for (let r = 0; r < of.rows; r++) {
    if (level!(r) === "function") all.push([component!(r), { name: name!(r), rank: rank!(r) ?? 0, verdict: verdict!(r), costs: [base!(r) ?? 0, cand!(r) ?? 0] }]);
  }
  return all;
}

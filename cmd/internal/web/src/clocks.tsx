// A reconciled run: the clocks of its units as lanes, relations between their occurrences as arrows, and within which bounds every clock is known
// (Garcés, Deantoni and Mallet 2011, Fig. 5 and 7).

import * as Plot from "@observablehq/plot";
import { useCallback, useMemo } from "preact/hooks";
import { useResource, type Data } from "./data";
import { Figure } from "./figure";
import { to, type Place } from "./router";
import { runPath } from "./timelinedata";
import { Failed, Name, PlainTable, Section, Waiting } from "./ui";
import { count, difference, duration, plural, printable } from "./units";

interface Bound {
  unit: string;
  reference: string;
  forth: number;
  back: number;
  possible: boolean;
  used: boolean;
  offset_ns: number;
  offset_least_ns: number | null;
  offset_most_ns: number | null;
  drift_ppm: number;
  drift_least_ppm: number | null;
  drift_most_ppm: number | null;
  gap_ns: number | null;
  moved: number;
  farthest_ns: number;
}

interface Relation {
  constraint: string;
  relation: string;
  left: string;
  left_index: number;
  left_ns: number | null;
  right: string;
  right_index: number;
  right_ns: number | null;
}

interface Clocks {
  run: string;
  duration_ns: number;
  bounds: Bound[];
  relations: Relation[];
  total: number;
}

/** Reconciled is the page #/clocks/RUN. */
export function Reconciled({ data, place }: { data: Data; place: Place }) {
  const run = place.of[0] ?? "";
  const { value, error } = useResource<Clocks>(data, runPath(run) + "clocks");
  if (error) return <Failed why={error} />;
  if (!value) return <Waiting />;
  return (
    <>
      <h1>
        Clocks of <Name of={run} />
        <span class="over">{plural(value.bounds.length, "pair")} of clocks, {plural(value.total, "relation")} between occurrences</span>
      </h1>
      <p><a href={to("timeline", [run])}>The timeline of this run</a>, on the clock that all share</p>
      {value.relations.length > 0 && <Relations of={value} />}
      <Bands bounds={value.bounds} />
      <Numbers bounds={value.bounds} />
    </>
  );
}

/** cut shortens a name that has no room on an axis, and says so. */
const cut = (name: string, most: number) => (name.length > most ? name.slice(0, most - 1) + "…" : name);

/** Relations has a lane for every clock, a dot for an occurrence and an arrow for a relation. */
function Relations({ of }: { of: Clocks }) {
  const known = useMemo(() => of.relations.filter((r) => r.left_ns !== null && r.right_ns !== null).slice(0, 300), [of]);
  const lanes = useMemo(() => [...new Set(known.flatMap((r) => [r.left, r.right]))], [known]);
  const options = useCallback(
    (width: number) => ({
      height: 60 + lanes.length * 46, marginLeft: 150, marginRight: 24,
      x: { label: null, tickFormat: (ns: number) => (ns === 0 ? "0" : duration(Math.round(ns))), ticks: Math.max(3, Math.floor(width / 130)), grid: true },
      y: { type: "point", domain: lanes, label: null, tickSize: 0, tickFormat: (n: string) => cut(printable(n), 24), padding: 0.6 },
      marks: [
        Plot.ruleY(lanes, { stroke: "var(--line)" }),
        Plot.arrow(known.filter((r) => r.relation !== "coincides"), { x1: "left_ns", x2: "right_ns", y1: "left", y2: "right", stroke: "var(--base)", strokeWidth: 1.2, headLength: 7, inset: 4, title: say }),
        Plot.link(known.filter((r) => r.relation === "coincides"), { x1: "left_ns", x2: "right_ns", y1: "left", y2: "right", stroke: "var(--timing)", strokeWidth: 2, strokeDasharray: "4 3", title: say }),
        Plot.dot(known.flatMap((r) => [{ x: r.left_ns, y: r.left }, { x: r.right_ns, y: r.right }]), { x: "x", y: "y", r: 3.5, fill: "var(--cand)" }),
      ],
    }),
    [known, lanes],
  );
  if (known.length === 0) return <p>None of the first relations is between two events of the traces.</p>;
  return (
    <Figure title="Relations between occurrences of clocks" note={`An arrow leads from what is before; a broken line joins what is one. ${known.length < of.total ? `The first ${count(known.length)} of ${count(of.total)}.` : ""}`} options={options}
      table={{ head: ["constraint", "relation", "from", "to", "later by"], rows: known.map((r) => [printable(r.constraint), r.relation, `${printable(r.left)}#${r.left_index}`, `${printable(r.right)}#${r.right_index}`, difference(r.right_ns! - r.left_ns!)]) }} />
  );
}

const say = (r: Relation) => `${r.left}#${r.left_index} ${r.relation} ${r.right}#${r.right_index} (${r.constraint})`;

/** Bands has for every pair of clocks the offsets that are possible, and the one that was taken. */
function Bands({ bounds }: { bounds: Bound[] }) {
  const rows = useMemo(() => bounds.filter((b) => b.unit !== b.reference).map((b) => ({ ...b, low: b.offset_least_ns === null ? null : b.offset_least_ns - b.offset_ns, high: b.offset_most_ns === null ? null : b.offset_most_ns - b.offset_ns, name: `${printable(b.unit)} to ${printable(b.reference)}` })), [bounds]);
  const options = useCallback(
    (width: number) => ({
      height: 72 + rows.length * 26, marginLeft: 190, marginBottom: 44, marginRight: 24,
      x: { label: "from the offset that was taken", tickFormat: (ns: number) => (ns === 0 ? "0" : difference(Math.round(ns))), ticks: Math.max(3, Math.floor(width / 150)), grid: true },
      y: { domain: rows.map((r) => r.name), label: null, tickSize: 0, tickFormat: (n: string) => cut(n, 30) },
      marks: [
        Plot.barX(rows.filter((r) => r.low !== null && r.high !== null), { x1: "low", x2: "high", y: "name", fill: "var(--base)", fillOpacity: 0.35, insetTop: 4, insetBottom: 4 }),
        Plot.tickX(rows, { x: () => 0, y: "name", stroke: "var(--cand)", strokeWidth: 3, insetTop: 2, insetBottom: 2 }),
      ],
    }),
    [rows],
  );
  if (rows.length === 0) return null;
  if (rows.every((r) => r.low === null || r.high === null)) return <p>The order of events bounds no offset on both sides: the numbers below say what is known.</p>;
  return (
    <Figure title="Within which bounds the clocks are known" note="A band is by how much an offset could be smaller or greater, as far as the order of events says. A pair without a band has no bound on one side." options={options}
      table={{ head: ["clocks", "offset", "at least", "at most"], rows: rows.map((r) => [r.name, difference(r.offset_ns), r.offset_least_ns === null ? "no bound" : difference(r.offset_least_ns), r.offset_most_ns === null ? "no bound" : difference(r.offset_most_ns)]) }} />
  );
}

function Numbers({ bounds }: { bounds: Bound[] }) {
  return (
    <Section title="Numbers" lead="Forth and back are the events that bound an offset from either side. Room is by how much an offset may move while all other clocks stand still; below zero, it is by how much the bounds contradict each other.">
      <div class="scrolls" tabIndex={0} role="region" aria-label="Clocks">
        <PlainTable title="Clocks" kind="plain">
          <thead>
            <tr>
              <th scope="col">clock</th>
              <th scope="col">reference</th>
              <th scope="col" class="right">forth</th>
              <th scope="col" class="right">back</th>
              <th scope="col" class="right">offset</th>
              <th scope="col" class="right">drift</th>
              <th scope="col" class="right">room</th>
              <th scope="col" class="right">events moved</th>
              <th scope="col">says</th>
            </tr>
          </thead>
          <tbody>
            {bounds.map((b) => (
              <tr>
                <td><Name of={b.unit} /></td>
                <td><Name of={b.reference} /></td>
                <td class="right">{count(b.forth)}</td>
                <td class="right">{count(b.back)}</td>
                <td class="right" data-ns={b.offset_ns}>{difference(b.offset_ns)}</td>
                <td class="right">{b.drift_ppm.toFixed(3)} ppm</td>
                <td class="right">{b.gap_ns === null ? "no bound" : difference(b.gap_ns)}</td>
                <td class="right">{count(b.moved)}{b.moved > 0 && ` by up to ${duration(b.farthest_ns)}`}</td>
                <td>{b.possible ? "an even clock is possible" : "no even clock is possible"}{b.used && "; times were set by this line"}</td>
              </tr>
            ))}
          </tbody>
        </PlainTable>
      </div>
    </Section>
  );
}

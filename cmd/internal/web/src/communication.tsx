// How fragments communicate (Hilbig 2023, figure 3.17): for every fragment the time of each communication metric on both sides and their
// ratio. The side that takes longer is marked, and what is shown to have changed has a purple frame.

import { useMemo } from "preact/hooks";
import { number, text } from "./columns";
import { useResource, type Data } from "./data";
import { Grid, type Column } from "./grid";
import { to, type Place } from "./router";
import type { Report, Table } from "./types";
import { Failed, Name, Waiting } from "./ui";
import { duration, words } from "./units";

/** metrics are those of communication, with what they measure. */
const metrics: [name: string, title: string][] = [
  ["blocked", "blocked"], ["waited", "async wait"], ["fcn_wait", "callback wait"], ["sync_handling", "sync handler"], ["async_handling", "async handler"],
  ["trigger_handling", "trigger handler"], ["event_handling", "event handler"],
];

/** PerRun are sums of metrics run by run, the baseline first. */
interface PerRun {
  runs: string[];
  base: number;
  fragments: string[];
  metrics: string[];
  totals_ns: number[][];
}

interface Cell {
  base: number;
  cand: number;
  rank: number;
  verdict: string;
}

interface Row {
  fragment: string;
  cells: Map<string, Cell>;
  total: Cell;
}

/** CommunicationPage is the page. */
export function CommunicationPage({ data, place }: { data: Data; report: Report; place: Place }) {
  const { value, error } = useResource<Table>(data, "changes");
  const { value: runs } = useResource<PerRun>(data, "communication");
  return (
    <>
      <h1>Communication</h1>
      <p class="lead">
        What fragments spend on waiting for others and on handling their messages, per root execution of the typical run: baseline, ratio, candidate. ▲ marks the side that takes longer by more than a tenth; a purple frame what is shown to have changed. The ratio leads to its numbers. A handler that blocks counts in both, so that sums serve only for sorting. The small pictures have a mark for every run, as high as what it spends in all: dots of the baseline, then triangles of the candidate.
      </p>
      {error ? <Failed why={error} /> : value ? <Communication of={value} runs={runs} place={place} /> : <Waiting />}
    </>
  );
}

function Communication({ of, runs, place }: { of: Table; runs?: PerRun; place: Place }) {
  const { rows, columns } = useMemo(() => {
    const rows = read(of);
    const totals = new Map(runs?.fragments.map((f, i) => [f + "\n" + runs.metrics[i], runs.totals_ns[i]!]));
    return { rows, columns: columnsOf(rows, (fragment, metric) => totals.get(fragment + "\n" + metric), runs?.base ?? 0) };
  }, [of, runs]);
  if (rows.length === 0) return <p>The runs have no metrics of communication.</p>;
  return <Grid label="communication" rows={rows.length} columns={columns} choices={[]} text={(r) => rows[r]!.fragment.toLowerCase()} place={place} initial="-total" />;
}

/** read puts the metrics of a fragment into a row. */
function read(of: Table): Row[] {
  const [level, fragment, metric, verdict] = ["level", "fragment", "metric", "verdict"].map((n) => text(of, n)) as ((row: number) => string)[];
  const [rank, base, cand] = ["rank", "cost_base_ns", "cost_cand_ns"].map((n) => number(of, n)) as ((row: number) => number | undefined)[];
  const known = new Set(metrics.map(([name]) => name));
  const rows = new Map<string, Row>();
  for (let r = 0; r < of.rows; r++) {
    if (level!(r) !== "metric" || !fragment!(r) || !known.has(metric!(r))) continue;
    let row = rows.get(fragment!(r));
    if (!row) rows.set(fragment!(r), (row = { fragment: fragment!(r), cells: new Map(), total: { base: 0, cand: 0, rank: 0, verdict: "" } }));
    const cell = { base: base!(r) ?? 0, cand: cand!(r) ?? 0, rank: rank!(r) ?? 0, verdict: verdict!(r) };
    row.cells.set(metric!(r), cell);
    row.total.base += cell.base;
    row.total.cand += cell.cand;
  }
  return [...rows.values()];
}

const ratioOf = (c: Cell) => (c.base > 0 ? c.cand / c.base : undefined);
const isChange = (verdict: string) => !["", "unchanged", "undetermined", "not_asked"].includes(verdict);
const longer = (a: number, b: number) => a > 1.1 * b;

/** columnsOf are three columns for every metric that some fragment has, and for their sum; of a metric also its runs. */
function columnsOf(rows: Row[], perRun: (fragment: string, metric: string) => number[] | undefined, base: number): Column[] {
  const shown = metrics.filter(([name]) => rows.some((r) => r.cells.has(name)));
  const triple = (name: string, title: string, of: (row: number) => Cell | undefined): Column[] => [
    { name: name + "-base", title: `${title}: base`, width: "7rem", right: true, key: (r) => of(r)?.base, file: [[name + "_base_ns", (r) => of(r)?.base]], cell: (r) => <Time c={of(r)} side="base" /> },
    { name, title: "ratio", width: "3.5rem", right: true, key: (r) => (name === "total" ? Math.max(of(r)?.base ?? 0, of(r)?.cand ?? 0) : of(r) && ratioOf(of(r)!)), file: [], cell: (r) => <Ratio c={of(r)} what={`${words(name)} of ${rows[r]!.fragment}`} /> },
    { name: name + "-cand", title: "cand", width: "5rem", right: true, key: (r) => of(r)?.cand, file: [[name + "_cand_ns", (r) => of(r)?.cand]], cell: (r) => <Time c={of(r)} side="cand" /> },
  ];
  return [
    { name: "fragment", title: "fragment", width: "minmax(12rem, 1fr)", key: (r) => rows[r]!.fragment, cell: (r) => <a href={to("fragment", [rows[r]!.fragment])}><Name of={rows[r]!.fragment} most={120} /></a> },
    ...shown.flatMap(([name, title]) => [
      ...triple(name, title, (r) => rows[r]!.cells.get(name)),
      { name: name + "-runs", title: "runs", width: "4.25rem", key: () => undefined, file: [], cell: (r: number) => <RunMarks of={perRun(rows[r]!.fragment, name)} base={base} what={`${words(name)} of ${rows[r]!.fragment}`} /> },
    ]),
    ...triple("total", "sum", (r) => rows[r]!.total),
  ];
}

const marks = { wide: 64, high: 22 };

/** RunMarks has a mark for each run. Its axis begins at zero: what varies little looks so. */
function RunMarks({ of, base, what }: { of?: number[]; base: number; what: string }) {
  if (!of || of.every((ns) => ns === 0)) return null;
  const most = Math.max(...of);
  const at = (i: number, ns: number) => `M${(4 + ((marks.wide - 8) * (i + 0.5)) / of.length).toFixed(1)} ${(marks.high - 4 - (ns / most) * (marks.high - 8)).toFixed(1)}`;
  const side = (from: number, to?: number) => of.slice(from, to).map(duration).join(", ");
  return (
    <svg class="runmarks" width={marks.wide} height={marks.high} viewBox={`0 0 ${marks.wide} ${marks.high}`} role="img" aria-label={`${what}: baseline ${side(0, base)}; candidate ${side(base)}`}>
      <path class="rule" d={`M0 ${marks.high - 4}H${marks.wide}`} />
      <path class="base dots" d={of.slice(0, base).map((ns, i) => at(i, ns) + "h0").join("")} />
      <path class="cand" d={of.slice(base).map((ns, i) => at(base + i, ns) + "m-2.2 1.9h4.4l-2.2-3.8z").join("")} />
    </svg>
  );
}

/** Time is one side of a cell. */
function Time({ c, side }: { c?: Cell; side: "base" | "cand" }) {
  if (!c) return null;
  const more = side === "base" ? longer(c.base, c.cand) : longer(c.cand, c.base);
  const less = side === "base" ? longer(c.cand, c.base) : longer(c.base, c.cand);
  return <span class={"time" + (more ? " more" : less ? " less" : "")}>{more && <span aria-label="longer">▲ </span>}{duration(c[side])}</span>;
}

/** Ratio leads to the numbers of a metric. */
function Ratio({ c, what }: { c?: Cell; what: string }) {
  if (!c) return null;
  const ratio = ratioOf(c);
  const written = ratio === undefined ? "–" : ratio < 10 ? ratio.toFixed(2) : ratio.toFixed(0);
  if (!c.rank) return <>{written}</>;
  return (
    <a class={isChange(c.verdict) ? "framed" : ""} href={to("change", [c.rank])} aria-label={`${what}: ratio ${written}, ${words(c.verdict)}`}>
      {written}
    </a>
  );
}

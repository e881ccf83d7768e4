// The pictures of the times of a step, after Hilbig 2023, figures 3.10 to 3.12. The baseline is blue, a circle, a whole line and above the
// axis; the candidate orange, a triangle, a dashed line and below it: nobody needs the colours.

import * as Plot from "@observablehq/plot";
import { useCallback, useMemo } from "preact/hooks";
import { Choice, inside, type Brush } from "./brush";
import { densities } from "./density";
import { Figure, time } from "./figure";
import type { Distribution, Series, Side } from "./types";
import { PlainTable } from "./ui";
import { count, difference, duration, relative, ticks } from "./units";

const base = "var(--base)";
const cand = "var(--cand)";
const sides: [string, string][] = [["base", "baseline"], ["cand", "candidate"]];

/** since says since when the times of a normalisation count. */
export const since: Record<string, string> = {
  relative: "since the event before it, in one call",
  fragment_absolute: "since the start of the fragment, in one call",
  stack_based: "since the enter of the call",
  absolute: "since the start of the trace",
};

const timeAxis = { tickFormat: ticks, label: null, ticks: 5 };

/** Distributions are all pictures of a distribution. */
export function Distributions({ of, normalisation, alone, brush }: { of: Distribution; normalisation: string; alone?: boolean; brush?: Brush }) {
  if (!of.histogram) return <p>There are no times to show: the first event of a fragment has none before it.</p>;
  const times = since[normalisation] ?? normalisation;
  return (
    <div>
      <SideTable base={of.base} cand={of.cand} alone={alone} />
      {brush && <Choice brush={brush} base={of.base} cand={of.cand} runs={of.runs} alone={alone} />}
      <div class="pictures">
        {of.runs.length > 1 && <PerRun runs={of.runs} />}
        <Histogram of={of} times={times} alone={alone} brush={brush} />
        <Density of={of} times={times} alone={alone} brush={brush} />
        <Cumulative of={of} times={times} alone={alone} brush={brush} />
        {of.runs.length > 0 && <ControlChart runs={of.runs} times={times} alone={alone} brush={brush} />}
        {of.shift.length > 0 && <Shift of={of} />}
      </div>
    </div>
  );
}

/** SideTable has n, minimum, quartiles and maximum of both sides. */
export function SideTable({ base, cand, alone }: { base: Side | null; cand: Side | null; alone?: boolean }) {
  const rows: [string, keyof Side][] = [["minimum", "min"], ["lower quartile", "q25"], ["median", "median"], ["upper quartile", "q75"], ["maximum", "max"]];
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Times of both sides">
      <PlainTable title="Times of both sides" kind="sides">
        <thead>
          <tr>
            <th scope="col">one time</th>
            {(alone ? ["in this run"] : ["baseline", "candidate", "change"]).map((side) => (
              <th scope="col">{side}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">samples</th>
            <td>{count(base?.n ?? 0)}</td>
            {!alone && <td>{count(cand?.n ?? 0)}</td>}
            {!alone && <td />}
          </tr>
          {rows.map(([name, key]) => {
            const b = base?.[key] as number | undefined;
            const c = cand?.[key] as number | undefined;
            return (
              <tr>
                <th scope="row">{name}</th>
                <td data-ns={b}>{b === undefined ? "–" : duration(b)}</td>
                {!alone && <td data-ns={c}>{c === undefined ? "–" : duration(c)}</td>}
                {!alone && <td>{b === undefined || c === undefined ? "" : difference(c - b) + (b > 0 ? ", " + relative((c - b) / b) : "")}</td>}
              </tr>
            );
          })}
        </tbody>
      </PlainTable>
    </div>
  );
}

/** PerRun shows what all calls of a run take together: runs are what a verdict compares. */
function PerRun({ runs }: { runs: Series[] }) {
  const options = useCallback(
    (width: number) => ({
      height: 120, marginLeft: 76, marginRight: 24,
      x: { ...timeAxis, grid: true, zero: true, inset: 8, ticks: Math.max(3, Math.floor(width / 110)) },
      y: { domain: ["baseline", "candidate"], label: null, tickSize: 0 },
      marks: [
        Plot.tickX(runs, { x: "total", y: sideOf, stroke: colourOf, strokeWidth: 2.5, insetTop: 6, insetBottom: 6 }),
        Plot.dot(runs, { x: "total", y: sideOf, fill: colourOf, symbol: symbolOf, r: 4, title: (r: Series) => `${r.run}: ${duration(r.total)} in ${r.n}` }),
      ],
    }),
    [runs],
  );
  return (
    <Figure title="Every run, all calls together" note="Runs are what the verdict compares: samples of one run depend on each other." legend={sides}
      options={options} table={{ head: ["run", "side", "samples", "all together", "median of one"], rows: runs.map((r) => [r.run, sideOf(r), r.n, time(r.total), time(r.median)]) }} />
  );
}

const sideOf = (r: Series) => (r.cand ? "candidate" : "baseline");
const colourOf = (r: Series) => (r.cand ? cand : base);
const symbolOf = (r: Series) => (r.cand ? "triangle" : "circle");

/** Histogram has the baseline above the axis and the candidate below it, each in percent of its samples. */
function Histogram({ of, times, alone, brush }: { of: Distribution; times: string; alone?: boolean; brush?: Brush }) {
  const h = of.histogram!;
  const bins = h.base.map((n, i) => ({
    from: Math.max(h.edges[i]!, h.log ? 1 : -Infinity), until: h.edges[i + 1]!, base: n, cand: h.cand[i]!,
    b: (100 * n) / (of.base?.n ?? 1), c: (-100 * h.cand[i]!) / (of.cand?.n ?? 1),
  }));
  const options = useCallback(
    (width: number) => ({
      height: 220, marginLeft: 48, marginRight: 24,
      x: { ...timeAxis, type: h.log ? "log" : "linear", ticks: Math.max(3, Math.floor(width / 110)) },
      y: { label: "% of samples", grid: true, tickFormat: (y: number) => String(Math.abs(y)), ticks: 5 },
      marks: [
        Plot.rect(bins.filter((b) => b.base), { x1: "from", x2: "until", y1: 0, y2: "b", fill: base, insetRight: 0.5, title: binTitle }),
        Plot.rect(bins.filter((b) => b.cand), { x1: "from", x2: "until", y1: 0, y2: "c", fill: cand, insetRight: 0.5, title: binTitle }),
        Plot.ruleY([0], { stroke: "var(--ink)" }),
      ],
    }),
    [of],
  );
  return (
    <Figure title="Histogram" brush={brush && { ...brush, axis: "x" }} note={"Times " + times + (h.log ? "; the axis is logarithmic." : ".")} legend={alone ? undefined : [["base", "baseline, up"], ["cand", "candidate, down"]]} options={options}
      table={{ head: ["from", "to", ...(alone ? ["samples"] : ["baseline", "candidate"])], rows: bins.filter((b) => b.base + b.cand).map((b) => [time(b.from), time(b.until), b.base, ...(alone ? [] : [b.cand])]) }} />
  );
}

const binTitle = (b: { from: number; until: number; base: number; cand: number }) =>
  `${duration(b.from)} to ${duration(b.until)}: baseline ${count(b.base)}, candidate ${count(b.cand)}`;

/** Density has both sides as curves, the baseline above the axis and the candidate below it, on the axes of the histogram. */
function Density({ of, times, alone, brush }: { of: Distribution; times: string; alone?: boolean; brush?: Brush }) {
  const { log, edges } = of.histogram!;
  const curve = useMemo(() => densities(of.base, of.cand, edges, log), [of]);
  const rows = curve?.at.map((ns, i) => ({ ns, base: curve.base?.[i], cand: curve.cand?.[i], below: -(curve.cand?.[i] ?? 0) })) ?? [];
  const options = useCallback(
    (width: number) => ({
      height: 220, marginLeft: 48, marginRight: 24,
      x: { ...timeAxis, type: log ? "log" : "linear", ticks: Math.max(3, Math.floor(width / 110)) },
      y: { label: "% of samples a bin", grid: true, tickFormat: (y: number) => String(Math.abs(y)), ticks: 5 },
      marks: [
        of.base && [Plot.areaY(rows, { x: "ns", y: "base", fill: base, fillOpacity: 0.14 }), Plot.line(rows, { x: "ns", y: "base", stroke: base, strokeWidth: 2 })],
        of.cand && [Plot.areaY(rows, { x: "ns", y: "below", fill: cand, fillOpacity: 0.14 }), Plot.line(rows, { x: "ns", y: "below", stroke: cand, strokeWidth: 2, strokeDasharray: "6 3" })],
        Plot.ruleY([0], { stroke: "var(--ink)" }),
      ],
    }),
    [of],
  );
  if (!curve) return null;
  const shown = (share?: number) => (share === undefined ? "–" : share.toFixed(2) + " %");
  return (
    <Figure title="Density" brush={brush && { ...brush, axis: "x" }} note={`Times ${times}, smoothed by Gaussian kernels of Silverman's width: the share of samples that a bin of the histogram around a time would have.`}
      legend={alone ? undefined : [["base line", "baseline, up"], ["cand dashed", "candidate, down"]]} options={options}
      table={{ head: ["time", ...(alone ? ["share of samples a bin"] : ["baseline a bin", "candidate a bin"])], rows: rows.filter((_, i) => i % 6 === 0).map((r) => [time(Math.round(r.ns)), shown(r.base), ...(alone ? [] : [shown(r.cand)])]) }} />
  );
}

/** Cumulative is the empirical distribution of both sides, as steps. */
function Cumulative({ of, times, alone, brush }: { of: Distribution; times: string; alone?: boolean; brush?: Brush }) {
  const log = of.histogram!.log;
  const points = (s: Side | null) => (s ? [{ x: Math.max(s.min, log ? 1 : -Infinity), y: 0 }, ...s.ecdf.map((ns, i) => ({ x: Math.max(ns, log ? 1 : -Infinity), y: (100 * (i + 1)) / s.ecdf.length }))] : []);
  const options = useCallback(
    (width: number) => ({
      height: 220, marginLeft: 48, marginRight: 24,
      x: { ...timeAxis, type: log ? "log" : "linear", ticks: Math.max(3, Math.floor(width / 110)) },
      y: { label: "% of samples at most", grid: true, domain: [0, 100], ticks: 5 },
      marks: [
        Plot.line(points(of.base), { x: "x", y: "y", curve: "step-after", stroke: base, strokeWidth: 2 }),
        Plot.line(points(of.cand), { x: "x", y: "y", curve: "step-after", stroke: cand, strokeWidth: 2, strokeDasharray: "6 3" }),
      ],
    }),
    [of],
  );
  const quarters = [0.1, 0.25, 0.5, 0.75, 0.9, 1];
  const at = (s: Side | null, p: number) => (s ? time(s.ecdf[Math.max(0, Math.ceil(p * s.ecdf.length) - 1)]!) : "–");
  return (
    <Figure title="Cumulative distribution" brush={brush && { ...brush, axis: "x" }} note={"Times " + times + "."} legend={alone ? undefined : [["base line", "baseline"], ["cand dashed", "candidate"]]} options={options}
      table={{ head: ["share of samples", ...(alone ? ["at most"] : ["baseline at most", "candidate at most"])], rows: quarters.map((p) => [100 * p + " %", at(of.base, p), ...(alone ? [] : [at(of.cand, p)])]) }} />
  );
}

/** ControlChart shows the times in the order in which they were taken, run by run, with the median of every run. */
function ControlChart({ runs, times, alone, brush }: { runs: Series[]; times: string; alone?: boolean; brush?: Brush }) {
  const points: { x: number; y: number; least: number; greatest: number; series: Series }[] = [];
  const bounds: { x1: number; x2: number; median: number; series: Series }[] = [];
  for (const r of runs) {
    const from = points.length;
    r.points.forEach((y, i) => points.push({ x: points.length, y, least: r.least?.[i] ?? y, greatest: r.greatest?.[i] ?? y, series: r }));
    bounds.push({ x1: from - 0.5, x2: points.length - 0.5, median: r.median, series: r });
  }
  const grouped = runs.some((r) => r.every > 1);
  const middle = (b: { x1: number; x2: number }) => (b.x1 + b.x2) / 2;
  const options = useCallback(
    (width: number) => ({
      height: 220, marginLeft: 64, marginRight: 24, marginBottom: 44,
      x: { axis: null, inset: 6 }, y: { ...timeAxis, grid: true, inset: 8 },
      marks: [
        Plot.ruleX(bounds.slice(1), { x: "x1", stroke: "var(--muted)", strokeOpacity: 0.6, strokeWidth: (b: { series: Series }) => (b.series === runs.find((r) => r.cand) ? 2.5 : 0.7) }),
        grouped ? Plot.link(points, { x1: "x", x2: "x", y1: "least", y2: "greatest", stroke: (p: { series: Series }) => colourOf(p.series), strokeOpacity: 0.45 }) : null,
        Plot.dot(points, { x: "x", y: "y", fill: (p: { series: Series }) => colourOf(p.series), symbol: (p: { series: Series }) => symbolOf(p.series), r: points.length > 300 ? 1.8 : 3, fillOpacity: (p: { y: number }) => (inside(p.y, brush) ? 1 : 0.2),
          title: (p: { series: Series; y: number }) => `${p.series.run}: ${duration(p.y)}` }),
        Plot.link(bounds, { x1: "x1", x2: "x2", y1: "median", y2: "median", stroke: "var(--ink)", strokeWidth: 1.5 }),
        Plot.text(bounds.filter((_, i) => bounds.length * 46 < width || i % Math.ceil((bounds.length * 46) / width) === 0), {
          x: middle, text: (b: { series: Series }) => (b.series.run.length > 9 ? b.series.run.slice(0, 8) + "…" : b.series.run), frameAnchor: "bottom", dy: 16, fill: "var(--muted)" }),
      ],
    }),
    [runs, String(brush?.stretch)],
  );
  return (
    <Figure title="Control chart" brush={brush && { ...brush, axis: "y" }} legend={alone ? undefined : sides} options={options}
      note={"Times " + times + ", in the order in which they were taken" + (alone ? "; the bar is their median." : ", run by run; a bar is the median of a run, a line is where one begins, and a thick one where the candidate does.") + (grouped ? " Where a run has many, a point is the median of several in a row, and its line their range." : "")}
      table={{ head: ["run", "side", "samples", "median", "least", "greatest"], rows: runs.map((r) => [r.run, sideOf(r), r.n, time(r.median), time(Math.min(...(r.least ?? r.points))), time(Math.max(...(r.greatest ?? r.points)))]) }} />
  );
}

/** Shift shows by how much every quantile moved. */
function Shift({ of }: { of: Distribution }) {
  const hasBand = of.shift[0]!.lo !== undefined;
  const options = useCallback(
    (width: number) => ({
      height: 220, marginLeft: 64, marginRight: 24,
      x: { label: "quantile in %", ticks: width < 420 ? 5 : 9, domain: [8, 92] }, y: { ...timeAxis, tickFormat: (ns: number) => (ns > 0 ? "+" : "") + ticks(ns), grid: true, zero: true, inset: 8 },
      marks: [
        Plot.ruleY([0], { stroke: "var(--base)", strokeWidth: 2 }),
        ...(!hasBand ? [] : [
          Plot.areaY(of.shift, { x: (s: { p: number }) => 100 * s.p, y1: "lo", y2: "hi", fill: cand, fillOpacity: 0.14 }),
          ...["lo", "hi"].map((end) => Plot.line(of.shift, { x: (s: { p: number }) => 100 * s.p, y: end, stroke: cand, strokeDasharray: "2 3" })),
        ]),
        Plot.arrow(of.shift.filter((s, i) => i % 2 === 0 && s.ns !== 0), { x1: (s: { p: number }) => 100 * s.p, x2: (s: { p: number }) => 100 * s.p, y1: 0, y2: "ns", stroke: "var(--muted)", headLength: 6 }),
        Plot.line(of.shift, { x: (s: { p: number }) => 100 * s.p, y: "ns", stroke: cand, strokeWidth: 2, marker: "dot" }),
      ],
    }),
    [of],
  );
  return (
    <Figure title="Shift function" options={options} legend={[["base line", "baseline"], ["cand line", "candidate − baseline"]]}
      note={"By how much each quantile lies above that of the baseline. Few samples decide about the outermost tenths, which are left out." + (hasBand ? " The band between dotted lines has the shift of each quantile with 95 % confidence: by how much it would differ without one of the runs." : " Two runs a side would give it a band.")}
      table={{ head: ["quantile", "candidate − baseline", ...(hasBand ? ["at least", "at most"] : [])], rows: of.shift.map((s) => [Math.round(100 * s.p) + " %", time(s.ns, difference), ...(hasBand ? [time(s.lo!, difference), time(s.hi!, difference)] : [])]) }} />
  );
}

// How long the claims of runs take, those of equal attributes together, with the histograms of all runs over each other (Hendriks et al. 2024, section
// 6.4.1 and figure 15).

import * as Plot from "@observablehq/plot";
import { useCallback, useState } from "preact/hooks";
import { useResource, type Data } from "./data";
import { Figure, time } from "./figure";
import { to, type Place } from "./router";
import { exact, hueAt, tick } from "./timelinecanvas";
import { runPath } from "./timelinedata";
import { Failed, Name, PlainTable, Section, Waiting } from "./ui";
import { count, duration, plural, printable } from "./units";

interface Stats {
  claims: number;
  least_ns: number;
  median_ns: number;
  mean_ns: number;
  p99_ns: number;
  greatest_ns: number;
  sum_ns: number;
}

interface Group {
  group: string;
  runs: Stats[];
  edges_ns: number[];
  counts: number[][];
}

interface Answer {
  by: string;
  runs: string[];
  groups: Group[];
  all: number;
}

/** Durations is the page #/durations/RUN?with=RUN,RUN&by=A,B. */
export function Durations({ data, place }: { data: Data; place: Place }) {
  const run = place.of[0] ?? "";
  const beside = place.query.get("with") ?? "";
  const by = place.query.get("by") ?? "";
  const query = new URLSearchParams({ ...(beside && { with: beside }), ...(by && { by }) }).toString();
  const { value, error } = useResource<Answer>(data, `${runPath(run)}durations?${query}`);
  return (
    <>
      <h1>
        Durations in <Name of={run} />
        <span class="over">how long executions and claims take, those of equal {by ? printable(by).replaceAll(",", ", ") : "name"} together</span>
      </h1>
      <Ask run={run} beside={beside} by={by} />
      {error ? <Failed why={error} /> : value ? <Groups of={value} /> : <Waiting />}
    </>
  );
}

function Ask({ run, beside, by }: { run: string; beside: string; by: string }) {
  const [values, set] = useState({ with: beside, by });
  const ask = () => (location.hash = to("durations", [run], values));
  return (
    <form class="tools query" role="search" onSubmit={(e) => { e.preventDefault(); ask(); }}>
      <label>
        beside runs <input type="search" data-search value={values.with} placeholder="RUN,RUN" onInput={(e) => set({ ...values, with: e.currentTarget.value })} />
      </label>
      <label>
        equal in <input type="text" value={values.by} placeholder="name" onInput={(e) => set({ ...values, by: e.currentTarget.value })} />
      </label>
      <button type="submit">Ask</button>
    </form>
  );
}

const mostPictures = 12;

function Groups({ of }: { of: Answer }) {
  return (
    <>
      {of.runs.length > 1 && <p class="note">A difference here is one of samples of one run each; <code>analyze compare</code> says whether releases differ.</p>}
      <Section title={of.groups.length > mostPictures ? `The ${mostPictures} that take most time` : "Histograms"} lead="Bars of all runs have the same edges; each counts from its left edge on.">
        <div class="pictures">{of.groups.slice(0, mostPictures).map((g) => <Overlay of={g} runs={of.runs} />)}</div>
      </Section>
      <Section title="Numbers" lead={`${plural(of.groups.length, "group")}${of.all > of.groups.length ? ` of ${count(of.all)}` : ""}, those that take most time first.`}>
        <div class="scrolls" tabIndex={0} role="region" aria-label="Durations">
          <PlainTable title="Durations" kind="plain">
            <thead>
              <tr>
                <th scope="col">equal {printable(of.by)}</th>
                <th scope="col">run</th>
                {["number", "least", "median", "mean", "p99", "greatest", "sum"].map((h) => <th scope="col" class="right">{h}</th>)}
              </tr>
            </thead>
            <tbody>
              {of.groups.flatMap((g) => g.runs.map((s, i) => (
                <tr>
                  <td>{i === 0 && <Name of={g.group} most={80} />}</td>
                  <td><Name of={of.runs[i]!} most={40} /></td>
                  <td class="right">{count(s.claims)}</td>
                  {[s.least_ns, s.median_ns, s.mean_ns, s.p99_ns, s.greatest_ns, s.sum_ns].map((ns) => <td class="right" data-ns={s.claims > 0 ? Math.floor(ns + 0.5) : undefined}>{s.claims > 0 && duration(Math.floor(ns + 0.5))}</td>)}
                </tr>
              )))}
            </tbody>
          </PlainTable>
        </div>
      </Section>
    </>
  );
}

/** narrow is a span of so few nanoseconds that marks would stand between them: all durations of a group are one then. */
const narrow = 20;

/** dashes are the outlines of runs, one beside the other: nobody needs their colours. */
const dashes = ["none", "5 2", "2 2", "8 3", "8 2 2 2", "1 3", "5 5", "8 2 2 2 2 2"];

function Overlay({ of, runs }: { of: Group; runs: string[] }) {
  const bars = of.counts.flatMap((counts, run) => counts.map((n, i) => ({ run, from: of.edges_ns[i]!, to: of.edges_ns[i + 1]!, n }))).filter((b) => b.n > 0);
  const span = of.edges_ns[of.edges_ns.length - 1]! - of.edges_ns[0]!;
  const options = useCallback(
    (width: number) => ({
      height: 190,
      x: { label: null, domain: [of.edges_ns[0], of.edges_ns[of.edges_ns.length - 1]], ...(span < narrow ? { tickFormat: duration, ticks: [of.edges_ns[0]] } : { tickFormat: (ns: number) => exact(ns, tick(span, width)), ticks: Math.max(2, Math.floor(width / 130)) }) },
      y: { label: "executions", grid: true, ticks: Math.min(4, Math.max(...bars.map((b) => b.n))), tickFormat: (n: number) => (Number.isInteger(n) ? count(n) : "") },
      marks: [
        ...runs.map((_, run) => Plot.rectY(bars.filter((b) => b.run === run), { x1: "from", x2: "to", y: "n", fill: hueAt(run), fillOpacity: 0.45, stroke: hueAt(run), strokeWidth: 1.5, strokeDasharray: dashes[run % dashes.length], insetLeft: 0.5, insetRight: 0.5 })),
        Plot.ruleY([0]),
      ],
    }),
    [of],
  );
  const rows = of.edges_ns.slice(0, -1).map((from, i) => [time(from), time(of.edges_ns[i + 1]!), ...of.counts.map((c) => c[i]!)]);
  return (
    <Figure title={printable(of.group).slice(0, 120)} options={options} table={{ head: ["from", "to", ...runs.map(printable)], rows }}
      note={<span class="legend">{runs.map((r, i) => <span><svg width="18" height="12" aria-hidden="true"><rect x="1" y="1" width="16" height="10" fill={hueAt(i)} fill-opacity="0.45" stroke={hueAt(i)} stroke-width="1.5" stroke-dasharray={dashes[i % dashes.length]} /></svg> <Name of={r} most={40} /> <small>{count(of.runs[i]!.claims)}</small></span>)}</span>} />
  );
}

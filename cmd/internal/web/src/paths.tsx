// Critical paths of a run: what those towards all occurrences of a function consist of, how long the occurrences took, and why some missed a
// deadline; another run beside it, where one is named. The documents are those that analyze critical-path prints.

import * as Plot from "@observablehq/plot";
import { useCallback, useState } from "preact/hooks";
import { named, partOf } from "./bars";
import { useResource, type Data } from "./data";
import { Figure, time } from "./figure";
import { to, type Place } from "./router";
import { runPath } from "./timelinedata";
import { Facts, Failed, Name, PlainTable, Section, Waiting } from "./ui";
import { count, difference, duration, nanoseconds, plural, printable, share, ticks } from "./units";

interface Part {
  category: string;
  component: string;
  function: string | null;
  sender: string | null;
  message: string | null;
  busy_component: string | null;
  occurrences: number;
  steps: number;
  total_ns: number;
  max_ns: number;
}

interface Cause {
  label: string;
  component: string;
  function: string | null;
  bound_ns: number;
  usual_ns: number;
  excess_ns: number;
}

interface Missed {
  occurrence: number;
  start_ns: number;
  span_ns: number;
  causes: Cause[] | null;
  sufficient: boolean;
}

interface Surplus {
  component: string;
  function: string | null;
  sender: string | null;
  message: string | null;
  missed: number;
  excess_ns: number;
  in_time_median_ns: number;
  in_time_max_ns: number;
}

interface Paths {
  occurrences: { number: number[]; seq: number[]; start_ns: number[]; span_ns: number[] };
  total: number;
  composed: { composition: Part[]; occurrences: number; spans_ns: { min: number; median: number; p95: number; max: number } };
  missed?: { reference: number; missed: Missed[] | null; surpluses: Surplus[] | null };
}

interface Fragments {
  fragments: { fragment: string; initial: boolean; total_ns: number }[];
}

/** where says where time was spent, in words. */
export function where(p: { component: string; function: string | null; sender?: string | null; message?: string | null; category?: string; busy_component?: string | null }): string {
  const at = p.component + (p.function ? "." + p.function : "");
  if (p.sender) return `${p.category ?? "message"} ${p.message ?? ""} from ${p.sender} to ${at}`.replace("  ", " ");
  if (p.busy_component && p.busy_component !== p.component) return `${p.category} ${at}, for which ${p.busy_component} waits`;
  return `${p.category ? p.category + " " : ""}${at}`;
}

/** exactly writes nanoseconds as flags take them, in the unit in which they are whole. */
function exactly(ns: number): string {
  const [unit, size] = ([["s", 1e9], ["ms", 1e6], ["us", 1e3]] as const).find(([, n]) => ns % n === 0) ?? ["ns", 1];
  return ns / size + unit;
}

/** CriticalPaths is the page #/paths/RUN?to=COMPONENT.FUNCTION&deadline=NS&with=RUN. */
export function CriticalPaths({ data, place }: { data: Data; place: Place }) {
  const run = place.of[0] ?? "";
  const { value: known, error } = useResource<Fragments>(data, runPath(run) + "fragments");
  if (error) return <Failed why={error} />;
  if (!known) return <Waiting />;
  const first = known.fragments[0];
  const towards = place.query.get("to") ?? (first ? functionOf(first.fragment) : "");
  const deadline = Number(place.query.get("deadline") ?? "0");
  const other = place.query.get("with") ?? "";
  return (
    <>
      <h1>
        Critical paths in <Name of={run} />
        <span class="over">to all occurrences of <Name of={towards} /></span>
      </h1>
      <Ask run={run} known={known} towards={towards} deadline={deadline} other={other} />
      {towards && <Answer data={data} run={run} other={other} towards={towards} deadline={deadline} />}
    </>
  );
}

/** functionOf is the function of a fragment: what stands before the component that starts it. */
function functionOf(fragment: string): string {
  return fragment.replace(/ (from|to) (?!.* (from|to) ).*$/, "");
}

function Ask({ run, known, towards, deadline, other }: { run: string; known: Fragments; towards: string; deadline: number; other: string }) {
  const [values, set] = useState({ to: towards, deadline: deadline ? duration(deadline) : "", with: other });
  const limit = values.deadline === "" ? 0 : nanoseconds(values.deadline);
  const ask = () => limit !== undefined && (location.hash = to("paths", [run], { to: values.to, deadline: limit || "", with: values.with }));
  const field = (name: "to" | "deadline" | "with") => (e: { currentTarget: HTMLInputElement }) => set({ ...values, [name]: e.currentTarget.value });
  return (
    <div class="query" role="search" aria-label="Which paths" onKeyDown={(e) => e.key === "Enter" && ask()}>
      <label>
        to <input type="search" data-search size={36} list="fragments" value={values.to} onInput={field("to")} />
      </label>
      <label>
        deadline <input type="text" size={8} placeholder="5 ms" value={values.deadline} onInput={field("deadline")} aria-invalid={limit === undefined} />
      </label>
      <label>
        beside run <input type="text" size={14} value={values.with} onInput={field("with")} />
      </label>
      <datalist id="fragments">{known.fragments.slice(0, 2000).map((f) => <option value={functionOf(f.fragment)} />)}</datalist>
      <button type="button" onClick={ask}>Ask</button>
    </div>
  );
}

function resourceOf(run: string, towards: string, deadline: number): string {
  return `${runPath(run)}paths?to=${encodeURIComponent(towards)}${deadline ? "&deadline=" + deadline : ""}`;
}

function Answer({ data, run, other, towards, deadline }: { data: Data; run: string; other: string; towards: string; deadline: number }) {
  const here = useResource<Paths>(data, resourceOf(run, towards, deadline));
  const there = useResource<Paths>(data, other ? resourceOf(other, towards, deadline) : "");
  if (here.error) return <Failed why={here.error} />;
  if (!here.value || (other && !there.value && !there.error)) return <Waiting />;
  const spans = here.value.composed.spans_ns;
  const missed = here.value.missed;
  return (
    <>
      {there.error && <Failed why={there.error} />}
      <Facts
        of={[
          ["occurrences", count(here.value.total)],
          ["median", duration(spans.median)],
          ["95 % are within", duration(spans.p95)],
          ["longest", duration(spans.max)],
          ...(missed ? ([["missed the deadline", `${count(missed.missed?.length ?? 0)} of ${count(here.value.total)}`]] as [string, string][]) : []),
          ["on the command line", <code>{`analyze critical-path ${run} --to '${printable(towards)}'${deadline ? ` --deadline ${exactly(deadline)}` : ""}`}</code>],
        ]}
      />
      <Composition here={here.value} there={there.value} run={run} other={other} />
      <Occurrences of={here.value} run={run} towards={towards} deadline={deadline} />
      {missed && <Late of={here.value} run={run} towards={towards} deadline={deadline} />}
    </>
  );
}

const mostBars = 15;

/** Composition has a bar for every part: the mean of an occurrence, so that runs with other numbers of them compare. */
function Composition({ here, there, run, other }: { here: Paths; there: Paths | undefined; run: string; other: string }) {
  const mean = (p: Paths | undefined, part: Part | undefined) => (p && part ? part.total_ns / Math.max(1, p.composed.occurrences) : 0);
  const elsewhere = new Map((there?.composed.composition ?? []).map((p) => [where(p), p]));
  const known = new Set(here.composed.composition.map(where));
  const all = [...here.composed.composition, ...(there?.composed.composition ?? []).filter((p) => !known.has(where(p)))]
    .map((p) => ({ name: printable(where(p)), part: p, a: known.has(where(p)) ? mean(here, p) : 0, b: mean(there, elsewhere.get(where(p))) }))
    .sort((x, y) => Math.max(y.a, y.b) - Math.max(x.a, x.b));
  const shown = all.slice(0, mostBars);
  const rest = all.slice(mostBars);
  if (rest.length > 0) shown.push({ name: `${count(rest.length)} other parts`, part: rest[0]!.part, a: rest.reduce((n, r) => n + r.a, 0), b: rest.reduce((n, r) => n + r.b, 0) });
  const key = shown.map((s) => s.name + s.a + s.b).join();
  const options = useCallback((width: number) => named(shown.map((s) => ({ name: partOf(s.name), values: there ? [s.a, s.b] : [s.a] })), width, (ns) => duration(Math.round(ns)), ticks), [key]);
  return (
    <Section title="What the time was spent on" lead="Mean of an occurrence, along its critical path: had any of it been shorter, the occurrence would have ended earlier.">
      <Figure title="Parts of the critical paths" legend={there ? [["base", run + ", above"], ["cand", other + ", below"]] : undefined} options={options}
        table={{ head: ["part", "occurrences", "steps", "in all", "most in one", `mean in ${run}`, ...(there ? [`mean in ${other}`, "difference"] : [])],
          rows: all.slice(0, 200).map((s) => [s.name, count(s.part.occurrences), count(s.part.steps), duration(s.part.total_ns), duration(s.part.max_ns), duration(Math.round(s.a)), ...(there ? [duration(Math.round(s.b)), difference(Math.round(s.b - s.a))] : [])]) }} />
    </Section>
  );
}

/** Occurrences has a dot for every occurrence; one of them leads to the timeline. */
function Occurrences({ of, run, towards, deadline }: { of: Paths; run: string; towards: string; deadline: number }) {
  const o = of.occurrences;
  const rows = o.number.map((n, i) => ({ n, start: o.start_ns[i]!, span: o.span_ns[i]!, late: deadline > 0 && o.span_ns[i]! > deadline }));
  const slow = [...rows].sort((a, b) => b.span - a.span).slice(0, 10);
  const options = useCallback(
    (width: number) => ({
      height: 220, marginLeft: 70, marginRight: 24, insetLeft: 8, insetRight: 8,
      x: { label: "since the start of the run", tickFormat: ticks, ticks: Math.max(3, Math.floor(width / 130)), grid: true },
      y: { label: null, tickFormat: ticks, grid: true, zero: true, ticks: 5, nice: true, domain: [0, Math.max(deadline, ...rows.map((r) => r.span))] },
      marks: [
        ...(deadline ? [Plot.ruleY([deadline], { stroke: "var(--worse)", strokeDasharray: "5 3", strokeWidth: 1.5 })] : []),
        Plot.dot(rows.filter((r) => !r.late), { x: "start", y: "span", r: 3, fill: "var(--base)", title: (r: { n: number; span: number }) => `#${r.n}: ${duration(r.span)}` }),
        Plot.dot(rows.filter((r) => r.late), { x: "start", y: "span", r: 4.5, symbol: "triangle", fill: "var(--worse)", title: (r: { n: number; span: number }) => `#${r.n}: ${duration(r.span)}` }),
      ],
    }),
    [of, deadline],
  );
  return (
    <Section title="Every occurrence" lead={of.total > o.number.length ? `The longest ${count(o.number.length)} of ${count(of.total)}.` : undefined}>
      {o.number.length > 1 && <Figure title="How long every occurrence took" legend={deadline ? [["base", "in time"], ["late", "late"]] : undefined} options={options}
        table={{ head: ["occurrence", "begins", "took", ""], rows: rows.slice(0, 500).map((r) => ["#" + r.n, time(r.start), time(r.span), r.late ? "late" : ""]) }} />}
      <p>
        In the timeline:{" "}
        {slow.map((r) => (
          <span class="jump"><a href={windowOf(run, towards, r, deadline)}>#{r.n} ({duration(r.span)})</a></span>
        ))}
      </p>
    </Section>
  );
}

/** windowOf is the address of an occurrence in the timeline, with its critical path. */
function windowOf(run: string, towards: string, r: { n: number; start: number; span: number }, deadline: number): string {
  const room = Math.max(Math.round(r.span / 10), 5);
  return to("timeline", [run], { from: r.start - room, to: r.start + r.span + room, path: `${towards}#${r.n}`, ...(deadline ? { late: towards, deadline } : {}) });
}

/** Late says why occurrences missed the deadline. */
function Late({ of, run, towards, deadline }: { of: Paths; run: string; towards: string; deadline: number }) {
  const m = of.missed!;
  const missed = m.missed ?? [];
  if (missed.length === 0) return <p>No occurrence took longer than {duration(deadline)}.</p>;
  const at = new Map(of.occurrences.number.map((n, i) => [n, of.occurrences.start_ns[i]!]));
  return (
    <Section title="Late against those in time" lead={`Usual is what ${plural(m.reference, "occurrence")} in time took.`}>
      <div class="scrolls" tabIndex={0} role="region" aria-label="Why occurrences were late">
        <PlainTable title="Why occurrences were late" kind="plain">
          <caption>The fewest steps without whose excess an occurrence would have been in time</caption>
          <thead>
            <tr>
              <th scope="col">occurrence</th>
              <th scope="col" class="right">took</th>
              <th scope="col" class="right">over</th>
              <th scope="col">because of</th>
              <th scope="col" class="right">took there</th>
              <th scope="col" class="right">usually up to</th>
            </tr>
          </thead>
          <tbody>
            {missed.slice(0, 100).flatMap((x) => (x.causes && x.causes.length > 0 ? x.causes : [undefined]).map((c, i) => (
              <tr>
                <td>{i === 0 && <a href={windowOf(run, towards, { n: x.occurrence, start: at.get(x.occurrence) ?? 0, span: x.span_ns }, deadline)}>#{count(x.occurrence)}</a>}</td>
                <td class="right">{i === 0 && duration(x.span_ns)}</td>
                <td class="right">{i === 0 && difference(x.span_ns - deadline)}</td>
                <td>{c ? <Name of={c.component + (c.function ? "." + c.function : "")} /> : "no step is unusual"}{i === 0 && !x.sufficient && <small> and more that is not explained</small>}</td>
                <td class="right">{c && duration(c.bound_ns)}</td>
                <td class="right">{c && duration(c.usual_ns)}</td>
              </tr>
            )))}
          </tbody>
        </PlainTable>
      </div>
      {(m.surpluses ?? []).length > 0 && (
        <div class="scrolls" tabIndex={0} role="region" aria-label="More on late paths">
          <PlainTable title="More on late paths" kind="plain">
            <caption>More on the critical paths of late occurrences than on any in time</caption>
            <thead>
              <tr>
                <th scope="col">where</th>
                <th scope="col" class="right">late ones</th>
                <th scope="col" class="right">share</th>
                <th scope="col" class="right">more</th>
                <th scope="col" class="right">in time</th>
                <th scope="col" class="right">at most</th>
              </tr>
            </thead>
            <tbody>
              {m.surpluses!.slice(0, 50).map((x) => (
                <tr>
                  <td><Name of={where(x)} /></td>
                  <td class="right">{count(x.missed)}</td>
                  <td class="right">{share(x.missed / missed.length)}</td>
                  <td class="right" data-ns={x.excess_ns}>{difference(x.excess_ns)}</td>
                  <td class="right" data-ns={x.in_time_median_ns}>{duration(x.in_time_median_ns)}</td>
                  <td class="right" data-ns={x.in_time_max_ns}>{duration(x.in_time_max_ns)}</td>
                </tr>
              ))}
            </tbody>
          </PlainTable>
        </div>
      )}
      {missed.length > 100 && <p class="note">The first 100 of {count(missed.length)} late occurrences; analyze critical-path prints all.</p>}
    </Section>
  );
}

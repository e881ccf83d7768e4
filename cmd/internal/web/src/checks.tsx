// What a run says of the checks of specifications: verdicts, margins, and where they fail, each with its window in the timeline.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { useResource, type Data } from "./data";
import { to, type Place } from "./router";
import { runPath } from "./timelinedata";
import { Failed, Name, PlainTable, Section, Waiting } from "./ui";
import { count, difference, duration, plural, printable, words } from "./units";

/** Check is a row of the table checks. */
export interface Check {
  spec: string;
  check_name: string;
  value: string | null;
  verdict: string;
  semantics: string;
  states: number;
  triggers: number | null;
  failures: number;
  open: number;
  vacuous: boolean;
  margin_ns: number | null;
  bound_ns: number | null;
  robustness: number | null;
  first_failure_ns: number | null;
  formula: string;
}

/** Checks are those of a run with the states that break them. */
export interface Checks {
  checks: Check[];
  failures: { check: number; seq: number; ns: number; function: string; delay_ns: number | null; excess_ns: number | null }[];
  kept: boolean; // it is known where they hold over time
  missing: string;
}

/** Stretches say where checks and their definitions hold over time. */
export interface Stretches {
  held: { spec: string; check: string; value: string; definition: string; from_ns: number[]; to_ns: number[]; holds: boolean[] }[];
  total: number;
}

const signs: Record<string, [sign: string, tone: string]> = {
  GOOD: ["✓", "better"], STILL_TRUE: ["✓", "better"], BAD: ["✗", "worse"], STILL_FALSE: ["✗", "worse"], UNDEFINED: ["?", "open"], "NON-INFORMATIVE": ["?", "open"],
};

/** signOf is the sign of a verdict, which stands beside its word. */
export const signOf = (verdict: string) => (signs[verdict] ?? ["•"])[0];

function Told({ of }: { of: string }) {
  const tone = (signs[of] ?? ["", "other"])[1];
  return <span class={"verdict " + tone}><span aria-hidden="true">{signOf(of)}</span> {words(of.toLowerCase())}</span>;
}

/** nameOf is a check with the values of its foralls. */
export const nameOf = (c: Check) => c.check_name + (c.value ? ` (${c.value})` : "");

/** ChecksPage is the page #/checks/RUN. */
export function ChecksPage({ data, place }: { data: Data; place: Place }) {
  const run = place.of[0] ?? "";
  const { value, error } = useResource<Checks>(data, runPath(run) + "checks");
  if (error) return <Failed why={error} />;
  if (!value) return <Waiting />;
  const broken = value.checks.filter(isBroken);
  return (
    <>
      <h1>
        Checks of <Name of={run} />
        <span class="over">{value.checks.length === 0 ? "none yet" : `${count(broken.length)} of ${plural(value.checks.length, "check")} broken`}</span>
      </h1>
      {value.checks.length === 0 && <p>This run was held against no specification yet: <code>{value.missing}</code> does it and keeps what comes out.</p>}
      {value.checks.length > 0 && (value.kept ? <p>A name leads to the timeline, where the check and its definitions hold or not.</p> : <p>Where checks hold over time is not kept: <code>{value.missing}</code> keeps it for the timeline.</p>)}
      {value.checks.length > 0 && <Table of={value} run={run} />}
      {value.failures.length > 0 && <Failures of={value} run={run} />}
    </>
  );
}

/** isBroken reports whether a check fails, or would if the run ended like that. */
export const isBroken = (c: Check) => c.failures > 0 || c.verdict === "BAD" || c.verdict === "STILL_FALSE";

const fewValues = 4;

/** together are the values of a check of which none breaks it, where there are many. */
function together(checks: Check[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const c of checks) if (c.value !== null && !isBroken(c)) sums.set(`${c.spec} ${c.check_name} ${c.verdict}`, (sums.get(`${c.spec} ${c.check_name} ${c.verdict}`) ?? 0) + 1);
  return new Map([...sums].filter(([, n]) => n > fewValues));
}

function Table({ of, run }: { of: Checks; run: string }) {
  const [all, setAll] = useState(false);
  const sums = all ? new Map<string, number>() : together(of.checks);
  const seen = new Set<string>();
  const keyOf = (c: Check) => `${c.spec} ${c.check_name} ${c.verdict}`;
  const rows = of.checks.map((c, i) => ({ c, i, values: c.value !== null && !isBroken(c) ? (sums.get(keyOf(c)) ?? 1) : 1 }))
    .filter((r) => r.values === 1 || (!seen.has(keyOf(r.c)) && seen.add(keyOf(r.c))))
    .sort((a, b) => Number(isBroken(b.c)) - Number(isBroken(a.c)) || a.i - b.i);
  return (
    <>
      <div class="scrolls" tabIndex={0} role="region" aria-label="Checks">
        <PlainTable title="Checks" kind="plain">
          <thead>
            <tr>
              <th scope="col">check</th>
              <th scope="col">verdict</th>
              <th scope="col" class="right">asked</th>
              <th scope="col" class="right">fail</th>
              <th scope="col" class="right">margin</th>
              <th scope="col" class="right">bound</th>
              <th scope="col">first failure</th>
              <th scope="col">what is asked</th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, 500).map(({ c, i, values }) => (
              <tr key={i}>
                <td><Shown run={run} of={c} kept={of.kept}>{values > 1 ? <><Name of={c.check_name} most={80} />, {count(values)} values</> : <Name of={nameOf(c)} most={80} />}</Shown> <small><Name of={c.spec} most={40} /></small></td>
                <td><Told of={c.verdict} />{c.vacuous && <small> never asked</small>}</td>
                <td class="right">{values > 1 ? "" : count(c.triggers ?? c.states)}</td>
                <td class="right">{count(c.failures)}</td>
                <td class="right">{c.margin_ns === null ? (c.robustness === null ? "" : c.robustness.toPrecision(3)) : difference(c.margin_ns)}</td>
                <td class="right">{c.bound_ns === null ? "" : duration(c.bound_ns)}</td>
                <td>{c.first_failure_ns !== null && <a href={windowOf(run, c.first_failure_ns, c.bound_ns, null)} aria-label={`${duration(c.first_failure_ns)}: first failure of ${printable(nameOf(c))} in the timeline`}>{duration(c.first_failure_ns)}</a>}</td>
                <td class="asked"><small>{values > 1 && <>of {printable(c.value ?? "")}: </>}{printable(c.formula)}</small></td>
              </tr>
            ))}
          </tbody>
        </PlainTable>
      </div>
      {sums.size > 0 && <p><button type="button" onClick={() => setAll(true)}>Show every value by itself</button></p>}
      {rows.length > 500 && <p class="note">The first 500 of {count(rows.length)}; analyze query "FROM checks" has all.</p>}
    </>
  );
}

/** Shown leads to where a check holds in the timeline, if that is known. */
function Shown({ run, of, kept, children }: { run: string; of: Check; kept: boolean; children: ComponentChildren }) {
  return kept ? <a href={to("timeline", [run], { checks: of.check_name })}>{children}</a> : <>{children}</>;
}

/** windowOf is the address of a failure in the timeline: its state, its bound, and its answer where one came. */
function windowOf(run: string, ns: number, bound: number | null, delay: number | null): string {
  const span = Math.max(delay ?? 0, 2 * (bound ?? 0), 1000);
  return to("timeline", [run], { from: Math.round(ns - span / 4), to: Math.round(ns + span * 1.25), checks: 1 });
}

function Failures({ of, run }: { of: Checks; run: string }) {
  const shown = [...of.failures].sort((a, b) => (b.excess_ns ?? 0) - (a.excess_ns ?? 0) || a.ns - b.ns).slice(0, 200);
  return (
    <Section title="Where they fail" lead={`${shown.length < of.failures.length ? `The worst ${count(shown.length)} of ${count(of.failures.length)} states` : plural(shown.length, "state")}, the farthest outside of a bound first. A time leads to its window in the timeline.`}>
      <div class="scrolls" tabIndex={0} role="region" aria-label="Failures">
        <PlainTable title="Failures" kind="plain">
          <thead>
            <tr>
              <th scope="col">at</th>
              <th scope="col">check</th>
              <th scope="col">event of</th>
              <th scope="col" class="right">answer after</th>
              <th scope="col" class="right">too late by</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((f) => {
              const c = of.checks[f.check]!;
              return (
                <tr>
                  <td><a href={windowOf(run, f.ns, c.bound_ns, f.delay_ns)} aria-label={`${duration(f.ns)}: ${printable(nameOf(c))} fails, in the timeline`}>{duration(f.ns)}</a></td>
                  <td><Name of={nameOf(c)} most={80} /></td>
                  <td><Name of={f.function} most={80} /></td>
                  <td class="right">{f.delay_ns === null ? "" : duration(f.delay_ns)}</td>
                  <td class="right">{f.excess_ns === null ? "" : duration(f.excess_ns)}</td>
                </tr>
              );
            })}
          </tbody>
        </PlainTable>
      </div>
    </Section>
  );
}

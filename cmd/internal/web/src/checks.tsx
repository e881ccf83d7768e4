// What a run says of the checks of specifications: verdicts, margins, and where they fail, each with its window in the timeline.

import { useResource, type Data } from "./data";
import { to, type Place } from "./router";
import { runPath } from "./timelinedata";
import { Failed, Name, Section, Waiting } from "./ui";
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
  missing: string;
}

const signs: Record<string, [sign: string, tone: string]> = {
  GOOD: ["✓", "better"], STILL_TRUE: ["✓", "better"], BAD: ["✗", "worse"], STILL_FALSE: ["✗", "worse"], UNDEFINED: ["?", "open"], "NON-INFORMATIVE": ["?", "open"],
};

function Told({ of }: { of: string }) {
  const [sign, tone] = signs[of] ?? ["•", "other"];
  return <span class={"verdict " + tone}><span aria-hidden="true">{sign}</span> {words(of.toLowerCase())}</span>;
}

/** nameOf is a check with the values of its foralls. */
export const nameOf = (c: Check) => c.check_name + (c.value ? ` (${c.value})` : "");

/** ChecksPage is the page #/checks/RUN. */
export function ChecksPage({ data, place }: { data: Data; place: Place }) {
  const run = place.of[0] ?? "";
  const { value, error } = useResource<Checks>(data, runPath(run) + "checks");
  if (error) return <Failed why={error} />;
  if (!value) return <Waiting />;
  const broken = value.checks.filter((c) => c.failures > 0 || c.verdict === "BAD" || c.verdict === "STILL_FALSE");
  return (
    <>
      <h1>
        Checks of <Name of={run} />
        <span class="over">{value.missing ? "none yet" : `${count(broken.length)} of ${plural(value.checks.length, "check")} broken`}</span>
      </h1>
      {value.missing && <p>This run was held against no specification yet: <code>{value.missing}</code> does it and keeps what comes out.</p>}
      {value.checks.length > 0 && <Table of={value} run={run} />}
      {value.failures.length > 0 && <Failures of={value} run={run} />}
    </>
  );
}

function Table({ of, run }: { of: Checks; run: string }) {
  const rows = of.checks.map((c, i) => ({ c, i })).sort((a, b) => Number(b.c.failures > 0) - Number(a.c.failures > 0) || a.i - b.i);
  return (
    <>
      <div class="scrolls" tabIndex={0} role="region" aria-label="Checks">
        <table class="plain">
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
            {rows.slice(0, 500).map(({ c, i }) => (
              <tr key={i}>
                <td><Name of={nameOf(c)} most={80} /> <small><Name of={c.spec} most={40} /></small></td>
                <td><Told of={c.verdict} />{c.vacuous && <small> never asked</small>}</td>
                <td class="right">{count(c.triggers ?? c.states)}</td>
                <td class="right">{count(c.failures)}</td>
                <td class="right">{c.margin_ns === null ? (c.robustness === null ? "" : c.robustness.toPrecision(3)) : difference(c.margin_ns)}</td>
                <td class="right">{c.bound_ns === null ? "" : duration(c.bound_ns)}</td>
                <td>{c.first_failure_ns !== null && <a href={windowOf(run, c.first_failure_ns, c.bound_ns, null)} aria-label={`${duration(c.first_failure_ns)}: first failure of ${printable(nameOf(c))} in the timeline`}>{duration(c.first_failure_ns)}</a>}</td>
                <td><small>{printable(c.formula)}</small></td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {of.checks.length > 500 && <p class="note">The first 500 of {count(of.checks.length)}; analyze query "FROM checks" has all.</p>}
    </>
  );
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
        <table class="plain">
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
        </table>
      </div>
    </Section>
  );
}

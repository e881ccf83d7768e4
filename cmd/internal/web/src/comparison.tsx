// The first page of a comparison: the verdict in a sentence, its root causes, and what adds up to the difference.

import * as Plot from "@observablehq/plot";
import { useCallback } from "preact/hooks";
import { named, partOf } from "./bars";
import { Figure, time } from "./figure";
import { Forest, type Effect } from "./forest";
import { to } from "./router";
import type { Finding, FindingSentences, PathPart, Report } from "./types";
import { Facts, Name, PlainTable, Section, Verdict } from "./ui";
import { count, difference, duration, ticks } from "./units";

/** ComparisonPage is the first page. */
export function ComparisonPage({ report }: { report: Report }) {
  const c = report.comparison!;
  const s = report.sentences!;
  const minor = s.findings.filter((f) => f.minor);
  const major = s.findings.filter((f) => !f.minor);
  return (
    <>
      <header class={"banner " + c.verdict}>
        <p class="over">Comparison <Name of={c.comparison} most={80} /></p>
        <h1>
          <strong>{s.verdict}</strong>: {s.summary}
        </h1>
        {[s.common, s.together].filter(Boolean).map((t) => (
          <p>{t}</p>
        ))}
      </header>
      {major.length > 0 && (
        <Section title="Root causes" lead={s.findings_title}>
          <Findings of={major} findings={c.findings} />
          {major.length > 1 && <Forest of={major.map((f) => effectOf(c.findings.find((g) => g.finding === f.finding)!))} title="Effects with their 95 % intervals" head="root cause" note="Per root execution, of the typical run." />}
          {minor.length > 0 && (
            <details>
              <summary>{s.minor}</summary>
              <Findings of={minor} findings={c.findings} />
            </details>
          )}
        </Section>
      )}
      {s.paths.length > 0 && (
        <Section title="What adds up to the difference" lead="Along the critical paths of root executions: mean of all root executions.">
          <Sum of={s.paths} />
          <PathBars parts={c.path_account!.parts} />
          {s.account.length > 0 && (
            <details>
              <summary>The same for the own times of all functions</summary>
              <Sum of={s.account} />
              {s.elapsed && <p class="note">{s.elapsed}</p>}
            </details>
          )}
        </Section>
      )}
      {s.paths.length === 0 && s.account.length > 0 && (
        <Section title="What adds up to the difference" lead="Own times of all functions, per root execution, mean of the runs.">
          <Sum of={s.account} />
          {s.elapsed && <p class="note">{s.elapsed}</p>}
        </Section>
      )}
      <Section title="How many subjects have which verdict">
        <Counts report={report} />
        {s.counts && <p>{s.counts}</p>}
      </Section>
      <Section title="What was compared">
        <Facts of={s.sides.map((l) => [l.name, l.text])} />
        {report.run_factors && report.run_factors.length > 0 && <RunFactors of={report.run_factors} />}
        <h3>What to do next</h3>
        <ul class="next">
          {c.next.map((n) => (
            <li>
              <code>{n}</code>
            </li>
          ))}
        </ul>
      </Section>
    </>
  );
}

const effectOf = (f: Finding): Effect => ({ name: `${f.finding} ${(f.function ?? f.component).slice(0, 30)}`, ns: f.effect_ns, lo: f.effect_lo_ns, hi: f.effect_hi_ns });

/** Findings are the root causes as a list; each leads to its page. */
function Findings({ of, findings }: { of: FindingSentences[]; findings: Finding[] }) {
  return (
    <ol class="findings">
      {of.map((f) => (
        <li value={f.finding}>
          <a class="card" href={to("finding", [f.finding])}>
            <span class="where">
              <Name of={f.where} /> {f.kind && <small>{f.kind}</small>}
            </span>
            <Verdict of={findings.find((g) => g.finding === f.finding)!.verdict} />
            <span class="effect">
              <strong>{f.effect}</strong> <small>95 % interval {f.interval}</small>
            </span>
            <span class="fromto">{f.from_to}</span>
            <span class="part">
              {f.share && <>{f.share} of the difference</>} {f.q && <small>q {f.q}</small>}
            </span>
            <span class="reason">{f.reason}; {f.critical}</span>
            {f.inherited && <span class="inherited">{f.inherited}</span>}
            {f.example && <span class="inherited">{f.example}</span>}
          </a>
        </li>
      ))}
    </ol>
  );
}

/** Sum is terms that add up to the last line. */
export function Sum({ of }: { of: { effect: string; text: string }[] }) {
  return (
    <PlainTable title="Account" kind="sum">
      <thead class="hidden">
        <tr>
          <th scope="col">effect</th>
          <th scope="col">of</th>
        </tr>
      </thead>
      <tbody>
        {of.map((l, i) => (
          <tr class={i === of.length - 1 ? "total" : ""}>
            <td class="right">
              {i === of.length - 1 ? "= " : ""}
              {l.effect}
            </td>
            <td>
              <Name of={l.text} />
            </td>
          </tr>
        ))}
      </tbody>
    </PlainTable>
  );
}

const shownParts = 12;

/** PathBars are the critical paths of both sides, one under the other. */
function PathBars({ parts }: { parts: PathPart[] }) {
  const shown = parts.slice().sort((a, b) => Math.max(b.base_ns, b.cand_ns) - Math.max(a.base_ns, a.cand_ns)).slice(0, shownParts);
  const options = useCallback(
    (width: number) => named(shown.map((p) => ({ name: partOf(p.part), values: [p.base_ns, p.cand_ns] })), width, duration, ticks),
    [parts],
  );
  return (
    <Figure title="Critical paths of both sides" options={options} legend={[["base", "baseline, above"], ["cand", "candidate, below"]]}
      note={`Time of a root execution by what its critical path is in, mean of all root executions: the ${shown.length} greatest of ${count(parts.length)} parts; the numbers have all.`}
      table={{ head: ["part", "baseline", "candidate", "difference"], rows: parts.map((p) => [p.part, time(p.base_ns), time(p.cand_ns), time(p.effect_ns, difference)]) }} />
  );
}

/** Counts are the numbers of subjects by level and verdict; each leads to its rows. */
function Counts({ report }: { report: Report }) {
  const counts = report.comparison!.verdicts;
  const order = ["regressed", "improved", "longer", "shorter", "candidate", "shape_changed", "count_changed", "appeared", "vanished", "moved", "later", "sooner", "undetermined", "unchanged", "not_asked"];
  const levels = ["function", "fragment", "transition", "metric", "message", "critical_path", "defined"].filter((l) => counts[l]);
  const verdicts = order.filter((v) => levels.some((l) => counts[l]![v]));
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Numbers of verdicts">
      <PlainTable title="Numbers of verdicts" kind="counts">
        <thead>
          <tr>
            <td />
            {verdicts.map((v) => (
              <th scope="col">
                <Verdict of={v} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {levels.map((l) => (
            <tr>
              <th scope="row">{report.sentences!.levels[l] ?? l}</th>
              {verdicts.map((v) => (
                <td class="right">{counts[l]![v] ? <a href={to("changes", [], { level: l, verdict: v })} aria-label={`${count(counts[l]![v]!)} ${report.sentences!.levels[l]}, ${v}`}>{count(counts[l]![v]!)}</a> : "0"}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </PlainTable>
    </div>
  );
}

/** RunFactors shows what all functions of a run have in common: the noise that is taken out. */
function RunFactors({ of }: { of: { run: string; side: string; factor: number; se: number }[] }) {
  const options = useCallback(
    (width: number) => ({
      height: 130, marginLeft: 76, marginRight: 24,
      x: { type: "log", label: "times the typical run", grid: true, ticks: Math.max(3, Math.floor(width / 120)), tickFormat: (x: number) => x.toFixed(2) },
      y: { domain: ["baseline", "candidate"], label: null, tickSize: 0 },
      marks: [
        Plot.ruleX([1], { stroke: "var(--ink)" }),
        Plot.dot(of, {
          x: "factor", y: (r: { side: string }) => (r.side === "base" ? "baseline" : "candidate"), r: 5, fill: (r: { side: string }) => (r.side === "base" ? "var(--base)" : "var(--cand)"),
          symbol: (r: { side: string }) => (r.side === "base" ? "circle" : "triangle"), title: (r: { run: string; factor: number }) => `${r.run}: ${r.factor.toFixed(3)}`,
        }),
      ],
    }),
    [of],
  );
  return (
    <Figure title="Noise: what all functions of a run have in common" options={options} legend={[["base", "baseline"], ["cand", "candidate"]]}
      note="A run in which all functions take twice as long stands at 2. This is taken out before functions are compared."
      table={{ head: ["run", "side", "factor", "standard error"], rows: of.map((r) => [r.run, r.side, r.factor.toFixed(3), r.se.toFixed(3)]) }} />
  );
}

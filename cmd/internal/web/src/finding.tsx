// The page of a root cause: what it is, why, where in the automaton, and what follows from it.

import { useMemo } from "preact/hooks";
import { number, rowsOf, text } from "./columns";
import { useResource, type Data } from "./data";
import { FragmentView } from "./fragment";
import { to, type Place } from "./router";
import type { Details, Finding, Report, Table } from "./types";
import { Facts, Failed, Name, PlainTable, Section, Verdict, Waiting } from "./ui";
import { count, difference } from "./units";
import { Why } from "./why";
import { WindowsView, windowOf } from "./windows";

/** FindingPage is the page of a root cause by its number. */
export function FindingPage({ data, report, place }: { data: Data; report: Report; place: Place }) {
  const n = Number(place.of[0]);
  const finding = report.comparison?.findings.find((f) => f.finding === n);
  const s = report.sentences?.findings.find((f) => f.finding === n);
  if (!finding || !s) return <Failed why={`This comparison has no root cause ${place.of[0] ?? ""}.`} />;
  const numbers = report.comparison!.findings.map((f) => f.finding);
  const at = numbers.indexOf(n);
  return (
    <>
      <h1>
        <span class="over">Root cause {n}</span>
        <Name of={s.where} />
      </h1>
      <p class="lead">
        <Verdict of={finding.verdict} /> <strong>{s.effect}</strong> per root execution (95 % interval {s.interval}): {s.from_to} <small>({s.means})</small>.
      </p>
      <Facts long of={[["what", <Name of={s.happening} />], ["in which way", s.reason]]} />
      {windowOf(report, n) && (
        <Section title="When it happens" lead={<>The longest execution of <Name of={`${finding.component}.${finding.function ?? ""}`} most={80} /> on both sides, with all that goes on around it.</>} id="window">
          <WindowsView data={data} resource={windowOf(report, n)} />
        </Section>
      )}
      <Section title="How much, and what follows">
        <Facts
          long
          of={[
            ["critical paths", s.critical],
            ...(s.share ? [["share of the difference", s.share] as [string, string]] : []),
            ...(s.q ? [["share of false alarms (q)", s.q] as [string, string]] : []),
            ["what follows", s.inherited || "no other change follows from it"],
            ...(s.example ? [["for example", s.example] as [string, string]] : []),
          ]}
        />
        <Alone data={data} finding={finding} />
        {(at > 0 || at < numbers.length - 1) && (
          <nav class="near" aria-label="Other root causes">
            {at > 0 && <a href={to("finding", [numbers[at - 1]!])}>← root cause {numbers[at - 1]}</a>}
            {at < numbers.length - 1 && <a href={to("finding", [numbers[at + 1]!])}>root cause {numbers[at + 1]} →</a>}
          </nav>
        )}
      </Section>
      {finding.fragment ? (
        <Section title="Where it happens" lead={<>In <a href={to("fragment", [finding.fragment])}><Name of={finding.fragment} /></a>: choose a step to see its times.</>}>
          <FragmentView data={data} report={report} place={place} fragment={finding.fragment} first={finding.level === "transition" ? finding.rank : undefined} />
        </Section>
      ) : (
        <OfFunction data={data} report={report} finding={finding} />
      )}
      <Numbers data={data} report={report} finding={finding} />
      <Followers data={data} finding={finding} />
    </>
  );
}

/** Alone says what the step at the root shows by itself, where that is another figure than that of the root cause. */
function Alone({ data, finding }: { data: Data; finding: Finding }) {
  const { value } = useResource<Details>(data, "details");
  const row = useMemo(() => (value ? rowsOf(value.changes, "rank", (r) => r === finding.rank)[0] : undefined), [value, finding]);
  if (!row || finding.level !== "transition" || typeof row.effect_ns !== "number" || row.effect_ns === finding.effect_ns) return null;
  return (
    <p class="note">
      Its effect is that of the whole function, from which is taken out what all functions of a run have in common. The step below shows {difference(row.effect_ns)} by itself.
    </p>
  );
}

/** OfFunction lists the fragments in which a function that changed over all runs. */
function OfFunction({ data, report, finding }: { data: Data; report: Report; finding: Finding }) {
  const { value, error } = useResource<Details>(data, "details");
  const steps = useMemo(
    () => (value ? rowsOf(value.changes, "function", (f) => f === finding.function).filter((r) => r.component === finding.component && r.level === "transition" && typeof r.fragment === "string") : []),
    [value, finding],
  );
  if (error) return <Failed why={error} />;
  if (!value) return <Waiting />;
  if (steps.length === 0) return null;
  return (
    <Section title="Where it happens" lead="It is found over all calls of the function. These of its steps changed:">
      <ul class="steps">
        {steps.slice(0, 20).map((r) => (
          <li>
            <Verdict of={String(r.verdict)} /> {typeof r.effect_ns === "number" ? difference(r.effect_ns) : ""} <Name of={String(r.subject)} most={100} /> in{" "}
            <a href={to("fragment", [String(r.fragment)])}><Name of={String(r.fragment)} most={100} /></a>
          </li>
        ))}
      </ul>
      {steps.length > 20 && <p>… and {count(steps.length - 20)} more: <a href={to("changes", [], { finding: finding.finding })}>all that belongs to root cause {finding.finding}</a></p>}
      {report.fragments.length === 0 && <p class="note">This file has no automata.</p>}
    </Section>
  );
}

/** Numbers is why the change at the root has its verdict, where no step of an automaton shows it. */
function Numbers({ data, report, finding }: { data: Data; report: Report; finding: Finding }) {
  const { value } = useResource<Details>(data, "details");
  const row = useMemo(() => (value && finding.level !== "transition" ? rowsOf(value.changes, "rank", (r) => r === finding.rank)[0] : undefined), [value, finding]);
  if (!row || !value) return null;
  return (
    <Section title="Its numbers">
      <Why row={row} details={value} report={report} />
    </Section>
  );
}

/** Followers are the changes that are folded under a root cause, and the callers that carry it on. */
function Followers({ data, finding }: { data: Data; finding: Finding }) {
  const { value, error } = useResource<Table>(data, "changes");
  const rows = useMemo(() => {
    if (!value) return [];
    const [of, rank] = [number(value, "finding"), number(value, "rank")];
    const found: number[] = [];
    for (let row = 0; row < value.rows; row++) if (of(row) === finding.finding && rank(row) !== finding.rank) found.push(row);
    return found;
  }, [value, finding]);
  const callers = (finding.inherited_at ?? "").split(" < ").slice(1);
  if (error) return <Failed why={error} />;
  if (!value) return <Waiting />;
  if (rows.length === 0 && callers.length === 0) return null;
  const [verdict, subject, fragment, effect, rank, level] = [text(value, "verdict"), text(value, "subject"), text(value, "fragment"), number(value, "effect_ns"), number(value, "rank"), text(value, "level")];
  const fragments = rows.filter((r) => level(r) === "fragment");
  const shown = [...fragments, ...rows.filter((r) => level(r) !== "fragment")].slice(0, 12);
  return (
    <Section title="What follows from it" lead={callers.length > 0 ? <>Carried on by its callers: {callers.map((c, i) => <>{i > 0 && " < "}<Name of={c} most={80} /></>)}</> : undefined}>
      <div class="scroll" tabIndex={0} role="region" aria-label="Changes that follow">
        <PlainTable title="Changes that follow">
          <thead>
            <tr>
              <th scope="col">#</th>
              <th scope="col">verdict</th>
              <th scope="col">effect</th>
              <th scope="col">subject</th>
              <th scope="col">in</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((r) => (
              <tr>
                <td>
                  <a href={to("change", [rank(r) ?? 0])} aria-label={`change ${rank(r)}`}>{rank(r)}</a>
                </td>
                <td>
                  <Verdict of={verdict(r)} />
                </td>
                <td class="right">{effect(r) === undefined ? "" : difference(effect(r)!)}</td>
                <td>
                  <Name of={subject(r)} most={100} />
                </td>
                <td>
                  {fragment(r) && <a href={to("fragment", [fragment(r)])}><Name of={fragment(r)} most={100} /></a>}
                </td>
              </tr>
            ))}
          </tbody>
        </PlainTable>
      </div>
      <p>
        <a href={to("changes", [], { finding: finding.finding })}>All {count(rows.length + 1)} changes of root cause {finding.finding}</a>
      </p>
    </Section>
  );
}

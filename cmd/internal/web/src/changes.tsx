// All changes of a comparison in a table, and one change with every number.

import { useMemo } from "preact/hooks";
import { number, rowsOf, text } from "./columns";
import { useResource, type Data } from "./data";
import { Grid, type Choice, type Column } from "./grid";
import { to, type Place } from "./router";
import type { Details, Report, Table } from "./types";
import { Facts, Failed, Name, Section, Verdict, Waiting } from "./ui";
import { difference, duration, interval, printable, probability, rate, words } from "./units";
import { Why } from "./why";

/** ChangesPage is the table of all changes. */
export function ChangesPage({ data, report, place }: { data: Data; report: Report; place: Place }) {
  const { value, error } = useResource<Table>(data, "changes");
  return (
    <>
      <h1>All changes</h1>
      <p class="lead">
        Every subject that was compared, one a row; what is unchanged or undetermined, too. Times are per root execution, effects those of the typical run.
      </p>
      {error ? <Failed why={error} /> : value ? <Changes of={value} place={place} report={report} /> : <Waiting />}
    </>
  );
}

/** Changes is the table over the rows that came. */
function Changes({ of, place, report }: { of: Table; place: Place; report: Report }) {
  const { columns, choices, search } = useMemo(() => describe(of, report), [of, report]);
  return <Grid label="all changes" rows={of.rows} columns={columns} choices={choices} text={search} place={place} initial="rank" />;
}

function describe(of: Table, report: Report): { columns: Column[]; choices: Choice[]; search: (row: number) => string } {
  const [rank, verdict, level, subject, fragment, component] = [number(of, "rank"), text(of, "verdict"), text(of, "level"), text(of, "subject"), text(of, "fragment"), text(of, "component")];
  const [effect, lo, hi, base, cand] = ["effect_ns", "effect_lo_ns", "effect_hi_ns", "cost_base_ns", "cost_cand_ns"].map((n) => number(of, n)) as ((row: number) => number | undefined)[];
  const [countBase, countCand, q, finding] = ["count_base", "count_cand", "q", "finding"].map((n) => number(of, n)) as ((row: number) => number | undefined)[];
  const ns = (v: number | undefined, write: (ns: number) => string) => (v === undefined ? "" : write(v));
  const columns: Column[] = [
    { name: "rank", title: "#", width: "2.75rem", right: true, key: rank, cell: (r) => <a href={to("change", [rank(r) ?? 0])} aria-label={`change ${rank(r)}`}>{rank(r)}</a> },
    { name: "verdict", title: "verdict", width: "8.25rem", key: verdict, cell: (r) => <Verdict of={verdict(r)} /> },
    { name: "subject", title: "subject", width: "minmax(9.5rem, 1.4fr)", key: subject, cell: (r) => <Name of={subject(r)} most={120} /> },
    { name: "effect", title: "effect", width: "4.5rem", right: true, key: effect!, file: [["effect_ns", effect!]], cell: (r) => ns(effect!(r), difference) },
    { name: "interval", title: "95 % interval", width: "9.6rem", right: true, key: lo!, file: [["effect_lo_ns", lo!], ["effect_hi_ns", hi!]], cell: (r) => (lo!(r) === undefined || hi!(r) === undefined ? "" : interval(lo!(r)!, hi!(r)!)) },
    { name: "base", title: "baseline", width: "4.25rem", right: true, key: base!, file: [["cost_base_ns", base!]], cell: (r) => ns(base!(r), duration) },
    { name: "cand", title: "candidate", width: "5rem", right: true, key: cand!, file: [["cost_cand_ns", cand!]], cell: (r) => ns(cand!(r), duration) },
    { name: "calls", title: "how often", width: "5rem", right: true, key: countCand!, file: [["count_base", countBase!], ["count_cand", countCand!]], cell: (r) => calls(countBase!(r), countCand!(r)) },
    { name: "q", title: "q", width: "3.25rem", right: true, key: q!, cell: (r) => ns(q!(r), probability) },
    { name: "finding", title: "cause", width: "2.75rem", right: true, key: finding!, cell: (r) => (finding!(r) === undefined ? "" : <a href={to("finding", [finding!(r)!])} aria-label={`root cause ${finding!(r)}`}>{finding!(r)}</a>) },
    { name: "level", title: "level", width: "5.4rem", key: level, cell: (r) => words(level(r)) },
    { name: "fragment", title: "in", width: "minmax(7rem, 1fr)", key: (r) => fragment(r) || component(r), cell: (r) => <Name of={fragment(r) || component(r)} most={120} /> },
  ];
  const choices: Choice[] = [
    { name: "verdict", title: "Verdict", of: verdict, word: words },
    { name: "level", title: "Level", of: level, word: (v) => report.sentences?.levels[v] ?? words(v) },
    { name: "finding", title: "Root cause", of: (r) => String(finding!(r) ?? "") },
  ];
  return { columns, choices, search: (r) => `${subject(r)} ${fragment(r)} ${component(r)}`.toLowerCase() };
}

const calls = (base: number | undefined, cand: number | undefined) =>
  base === undefined && cand === undefined ? "" : base === cand ? rate(base!) : `${rate(base ?? 0)} → ${rate(cand ?? 0)}`;

/** ChangePage is one change by its rank. */
export function ChangePage({ data, report, place }: { data: Data; report: Report; place: Place }) {
  const rank = Number(place.of[0]);
  const all = useResource<Table>(data, "changes");
  const details = useResource<Details>(data, "details");
  const error = all.error ?? details.error;
  if (error) return <Failed why={error} />;
  if (!all.value || !details.value) return <Waiting />;
  const full = rowsOf(details.value.changes, "rank", (r) => r === rank)[0];
  const row = full ?? rowsOf(all.value, "rank", (r) => r === rank)[0];
  if (!row) return <Failed why={`This page has no change ${place.of[0] ?? ""}.`} />;
  const fragment = typeof row.fragment === "string" ? row.fragment : "";
  return (
    <>
      <h1>
        <span class="over">Change {rank}, {words(String(row.level))}</span>
        <Name of={String(row.subject)} />
      </h1>
      <p>
        <Verdict of={String(row.verdict)} />
        {fragment && <> in <a href={to("fragment", [fragment])}><Name of={fragment} /></a></>}
        {typeof row.finding === "number" && <>; it belongs to <a href={to("finding", [row.finding])}>root cause {row.finding}</a></>}
      </p>
      {full ? <Why row={full} details={details.value} report={report} /> : <p class="note">The numbers behind verdicts on what is not shown to have changed are in the lake: <code>analyze query "FROM estimates WHERE comparison = '{report.title}' AND rank = {rank}"</code></p>}
      <Section title="Every column">
        <Facts of={Object.entries(row).filter(([, v]) => v !== null && v !== undefined).map(([name, v]) => [name, <Value name={name} of={v} />])} />
      </Section>
    </>
  );
}

/** Value writes a value of a table with all of its digits, and times in words beside it. */
function Value({ name, of }: { name: string; of: unknown }) {
  if (typeof of === "number" && name.endsWith("_ns")) return <>{duration(of)} <small>({of} ns)</small></>;
  return <>{typeof of === "string" ? printable(of) : String(of)}</>;
}


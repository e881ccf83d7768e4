// The page of a run: what its critical paths consist of, when its longest root execution happens, its slowest fragments and functions, and
// what was dropped, repaired or invented.

import * as Plot from "@observablehq/plot";
import type { ComponentChildren } from "preact";
import { useCallback, useMemo } from "preact/hooks";
import { number, rowsOf, text } from "./columns";
import { useResource, type Data } from "./data";
import { Figure, time } from "./figure";
import { resourceOf } from "./fragment";
import { Grid, type Column } from "./grid";
import { to, type Place } from "./router";
import type { Report, Table } from "./types";
import { Facts, Failed, Name, PlainTable, Section, Waiting } from "./ui";
import { count, duration, percent } from "./units";
import { WindowsView } from "./windows";

/** RunPage is the first page of a run. */
export function RunPage({ data, report, place }: { data: Data; report: Report; place: Place }) {
  const r = report.run!;
  const n = (name: string) => Number(r.run[name] ?? 0);
  const labels = Object.entries(r.labels ?? {});
  return (
    <>
      <header class="banner">
        <p class="over">Run</p>
        <h1>
          <Name of={report.title} /> takes <strong>{duration(n("duration_ns"))}</strong>
        </h1>
        <p>
          {count(n("executions"))} executions, {count(n("messages"))} messages and {count(n("events"))} events of {count(n("components"))} component{n("components") === 1 ? "" : "s"}.
        </p>
      </header>
      {r.path_ns > 0 && (
        <Section title="Where its time goes" lead="Critical paths of root executions, from their finish back to their start: what the finish waited for last. A delay of any step would have delayed it.">
          <Categories report={report} />
          <Parts data={data} total={r.path_ns} />
        </Section>
      )}
      {report.windows.map((w) => (
        <Section title="The longest root execution" lead={<>The longest execution of <Name of={w.function} most={80} />, with its critical path.</>} id="window">
          <WindowsView data={data} resource={w.resource} />
        </Section>
      ))}
      <Section title="Slowest fragments" lead="All that a component does in reaction to one event. Those that take the most time, all of their occurrences together.">
        <Slowest data={data} report={report} place={place} resource="fragments" />
      </Section>
      <Section title="Slowest functions" lead="Own times: without the calls of a function on its lifeline.">
        <Slowest data={data} report={report} place={place} resource="functions" />
      </Section>
      <Section title="What was dropped, repaired or invented" id="losses">
        {r.losses.length === 0 ? <p>Nothing.</p> : <Losses of={r.losses} />}
      </Section>
      <Section title="About this run">
        <Facts
          of={[
            ["trace", <Name of={String(r.run.source ?? "")} />],
            ["format", String(r.run.format ?? "")],
            ["SHA-256", <code>{String(r.run.sha256 ?? "")}</code>],
            ...labels.map(([k, v]) => [<>label <Name of={k} most={40} /></>, <Name of={v} />] as [ComponentChildren, ComponentChildren]),
          ]}
        />
        <h3>What to do next</h3>
        <ul class="next">
          <li><code>{`analyze query critical-share --param run=${report.title}`}</code></li>
          <li><code>{`analyze timeline ${report.title} -o timeline.svg`}</code></li>
          <li><code>{`analyze compare --base OTHER --cand ${report.title}`}</code></li>
        </ul>
      </Section>
    </>
  );
}

/** Categories is one bar over all critical paths. */
function Categories({ report }: { report: Report }) {
  const r = report.run!;
  const shown = r.categories.filter((c) => c.total_ns > 0);
  const options = useCallback(
    (_width: number) => ({
      height: 76, marginLeft: 12, marginRight: 12,
      x: { label: "% of the critical paths", domain: [0, 100], ticks: 6 },
      color: { domain: ["execution", "communication", "idle", "contention"], range: ["var(--part0)", "var(--part1)", "var(--part2)", "var(--part3)"] },
      marks: [Plot.barX(shown, Plot.stackX({ x: (c: { total_ns: number }) => (100 * c.total_ns) / r.path_ns, fill: "category", stroke: "var(--ink)", insetRight: 1, title: (c: { category: string; total_ns: number }) => `${c.category}: ${duration(c.total_ns)}` }))],
    }),
    [report],
  );
  return (
    <Figure title="What critical paths consist of" options={options} legend={shown.map((c) => ["is-" + c.category, `${c.category} ${percent(c.total_ns, r.path_ns)}`])}
      note={`All critical paths together take ${duration(r.path_ns)}.`} table={{ head: ["category", "time", "share"], rows: r.categories.map((c) => [c.category, time(c.total_ns), percent(c.total_ns, r.path_ns)]) }} />
  );
}

/** Parts are the greatest parts of critical paths. */
function Parts({ data, total }: { data: Data; total: number }) {
  const { value, error } = useResource<Table>(data, "paths");
  const rows = useMemo(() => (value ? rowsOf(value, "fragment", () => true).slice(0, 15) : []), [value]);
  if (error) return <Failed why={error} />;
  if (!value) return <Waiting />;
  const where = (r: Record<string, unknown>) => `${r.component}${r.function ? "." + r.function : ""}`;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Parts of critical paths">
      <PlainTable title="Parts of critical paths" kind="parts">
        <thead>
          <tr>
            <th scope="col">time</th>
            <th scope="col">share</th>
            <th scope="col">category</th>
            <th scope="col">where</th>
            <th scope="col">from</th>
            <th scope="col">paths</th>
            <th scope="col">longest</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((r) => (
            <tr>
              <td class="right" data-ns={Number(r.total_ns)}>{duration(Number(r.total_ns))}</td>
              <td class="right">{percent(Number(r.total_ns), total)}</td>
              <td>{String(r.category)}</td>
              <td><Name of={where(r)} most={100} /></td>
              <td>{typeof r.sender === "string" && <Name of={r.sender} most={60} />}</td>
              <td class="right">{count(Number(r.occurrences))}</td>
              <td class="right" data-ns={Number(r.max_ns)}>{duration(Number(r.max_ns))}</td>
            </tr>
          ))}
        </tbody>
      </PlainTable>
      {value.rows > rows.length && <p class="note">and {count(value.rows - rows.length)} smaller parts.</p>}
    </div>
  );
}

const columnsOf: [string, string, string][] = [["total_ns", "all together", "7rem"], ["n", "times", "6rem"], ["min_ns", "minimum", "6rem"], ["q50_ns", "median", "6rem"], ["q90_ns", "90 %", "6rem"], ["q99_ns", "99 %", "6rem"], ["max_ns", "maximum", "6rem"]];

/** Slowest is the table of fragments or functions. */
function Slowest({ data, report, place, resource }: { data: Data; report: Report; place: Place; resource: "fragments" | "functions" }) {
  const { value, error } = useResource<Table>(data, resource);
  const columns = useMemo<Column[]>(() => {
    if (!value) return [];
    const [component, name] = [text(value, "component"), text(value, resource === "fragments" ? "fragment" : "function")];
    const whole = (r: number) => (resource === "fragments" ? name(r) : `${component(r)}.${name(r)}`);
    return [
      { name: "name", title: resource === "fragments" ? "fragment" : "function", width: "minmax(16rem, 1fr)", key: whole,
        cell: (r) => (resource === "fragments" && resourceOf(report, name(r)) ? <a href={to("fragment", [name(r)])}><Name of={name(r)} most={120} /></a> : <Name of={whole(r)} most={120} />) },
      ...columnsOf.map(([column, title, width]) => {
        const of = number(value, column);
        return { name: column, title, width, right: true, key: of, cell: (r: number) => (of(r) === undefined ? "" : column === "n" ? count(of(r)!) : duration(Math.round(of(r)!))) };
      }),
    ];
  }, [value, report]);
  const search = useMemo(() => (value ? text(value, resource === "fragments" ? "fragment" : "function") : () => ""), [value]);
  const component = useMemo(() => (value ? text(value, "component") : () => ""), [value]);
  if (error) return <Failed why={error} />;
  if (!value) return <Waiting />;
  return <Grid label={resource} rows={value.rows} columns={columns} choices={[]} text={(r) => `${component(r)}.${search(r)}`.toLowerCase()} place={place} prefix={resource} initial="-total_ns" short />;
}

/** Losses is a table of reasons. */
function Losses({ of }: { of: Record<string, unknown>[] }) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Losses">
      <PlainTable title="Losses">
        <thead>
          <tr>
            <th scope="col">number</th>
            <th scope="col">what</th>
            <th scope="col">first at</th>
            <th scope="col">stage</th>
          </tr>
        </thead>
        <tbody>
          {of.map((l) => (
            <tr>
              <td class="right">{count(Number(l.count))}</td>
              <td>{String(l.meaning)} <small>({String(l.reason)})</small></td>
              <td><Name of={String(l.first_position ?? "")} most={120} /></td>
              <td>{String(l.stage)}</td>
            </tr>
          ))}
        </tbody>
      </PlainTable>
    </div>
  );
}

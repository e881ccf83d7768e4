// The pages of a lake: what there is in it, named queries with their results, and what a comparison found.

import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import { named } from "./bars";
import { saveTable } from "./files";
import { useResource, type Data } from "./data";
import { Figure, time } from "./figure";
import { change, to, type Place } from "./router";
import { Failed, Name, PlainTable, Section, Verdict, Waiting } from "./ui";
import { count, difference, duration, exactly, interval, plainly, plural, printable, probability, share, ticks } from "./units";

interface Loss {
  stage: string;
  reason: string;
  count: number;
  first_position: string;
  meaning: string;
}

interface Run {
  run: string;
  source: string;
  format: string;
  labels: Record<string, string> | null;
  events: number;
  executions: number;
  messages: number;
  components: number;
  duration_ns: number;
  losses: Loss[];
  clocks: boolean;
  missing: string;
}

interface Param {
  name: string;
  kind: string;
  default: string;
  doc: string;
}

interface Query {
  query: string;
  doc: string;
  sql: string;
  params: Param[];
}

interface Contents {
  lake: string;
  state: string;
  runs: Run[];
  comparisons: { comparison: string; stages: string[] | null; rows: number; bytes: number; findings: number | null; history: boolean; levels: boolean }[];
  baselines: { baseline: string; runs: string[] | null }[];
  tables: { table: string; doc: string; partitions: number; rows: number; bytes: number }[];
  queries: Query[];
  sql: boolean; // questions that readers write are answered
}

/** Verdict of a comparison, as analyze compare prints it. */
interface Judged {
  verdict: string;
  summary: string;
  base: string[];
  cand: string[];
}

/** useLake reads what there is, again whenever the lake has changed. */
function useLake(data: Data): { value?: Contents; error?: string } {
  const [loaded, set] = useState<{ value?: Contents; error?: string }>({});
  useEffect(() => {
    let state = "";
    let ended = false;
    const look = async () => {
      try {
        const now = await data.get<{ state: string }>("lake/state");
        if (ended || now.state === state) return;
        const value = await data.get<Contents>("lake");
        state = value.state;
        if (!ended) set({ value });
      } catch (e) {
        if (!ended) set((old) => ({ ...old, error: e instanceof Error ? e.message : String(e) }));
      }
    };
    void look();
    const timer = setInterval(() => document.visibilityState === "visible" && void look(), 3000);
    return () => {
      ended = true;
      clearInterval(timer);
    };
  }, [data]);
  return loaded;
}

/** pagesOf are the pages that a comparison has, the one that its name leads to first. */
function pagesOf(c: Contents["comparisons"][number]): [page: string, title: string][] {
  const all: [string, string, boolean][] = [["history", "history", c.history], ["comparison", "root causes", c.findings !== null], ["levels", "behaviour on six levels", c.levels]];
  return all.filter(([, , has]) => has).map(([page, title]) => [page, title]);
}

function Leads({ to: pages, of }: { to: [page: string, title: string][]; of: string }) {
  const [first, ...more] = pages;
  if (!first) return <Name of={of} />;
  return (
    <>
      <a href={to(first[0], [of])}><Name of={of} /></a> {more.map(([page, title]) => <span class="jump"><a href={to(page, [of])} aria-label={`${title} of ${printable(of)}`}>{title}</a></span>)}
    </>
  );
}

/** sideOf names the runs of a side: what their labels have in common, or the runs themselves. */
function sideOf(names: string[], runs: Run[]): string {
  const of = names.map((n) => runs.find((r) => r.run === n)?.labels ?? {});
  const shared = Object.entries(of[0] ?? {}).filter(([k, v]) => of.every((l) => l[k] === v) && runs.some((r) => r.labels?.[k] !== v));
  const words = shared.sort().map(([k, v]) => `${k}=${v}`).join(" ");
  return printable(`${words || (names.length > 2 ? `${names[0]} … ${names[names.length - 1]}` : names.join(", "))} (${plural(names.length, "run")})`);
}

const mostJudged = 50;

/** Comparisons has the verdict of each comparison in a sentence, and the pages that it has. */
function Comparisons({ data, lake }: { data: Data; lake: Contents }) {
  return (
    <ul class="entries">
      {lake.comparisons.map((c, i) => <Comparison key={c.comparison} data={data} lake={lake} of={c} judged={i < mostJudged} />)}
    </ul>
  );
}

function Comparison({ data, lake, of: c, judged }: { data: Data; lake: Contents; of: Contents["comparisons"][number]; judged: boolean }) {
  const byRuns = c.findings !== null;
  const { value } = useResource<Judged>(data, byRuns && judged ? `comparison/${encodeURIComponent(c.comparison)}/verdict?of=${lake.state}` : "");
  return (
    <li>
      <div class="title">
        <Leads to={pagesOf(c)} of={c.comparison} />
        {byRuns && <span class="jump"><a href={"/report/" + encodeURIComponent(c.comparison)} aria-label={`whole report of ${printable(c.comparison)}`}>whole report</a></span>}
      </div>
      {value && (
        <div>
          <Verdict of={value.verdict.toLowerCase().replaceAll(" ", "_")} /> {printable(value.summary)}
        </div>
      )}
      <small>
        {value && `${sideOf(value.base, lake.runs)} against ${sideOf(value.cand, lake.runs)}; `}
        {byRuns && plural(c.findings!, "finding") + "; "}
        made by {(c.stages ?? []).map((s) => "analyze " + s).join(", ")}; {plural(c.rows, "row")}
      </small>
    </li>
  );
}

/** Runs are runs as a table, with the pages that each has. */
function Runs({ of }: { of: Run[] }) {
  return (
    <div class="scrolls" tabIndex={0} role="region" aria-label="Runs">
      <PlainTable title="Runs" kind="plain">
        <thead>
          <tr>
            <th scope="col">run</th>
            <th scope="col">look at</th>
            <th scope="col">labels</th>
            <th scope="col">source</th>
            <th scope="col" class="right">duration</th>
            <th scope="col" class="right">events</th>
            <th scope="col" class="right">executions</th>
            <th scope="col" class="right">messages</th>
            <th scope="col" class="right">components</th>
            <th scope="col" class="right">losses</th>
          </tr>
        </thead>
        <tbody>
          {of.map((r) => (
            <tr key={r.run}>
              <td>{r.missing ? <><Name of={r.run} /> <small><code>{r.missing}</code> makes its timeline</small></> : <a href={to("timeline", [r.run])}><Name of={r.run} /></a>}</td>
              <td class="ways">
                {!r.missing && <span class="jump"><a href={to("timeline", [r.run])} aria-label={`timeline of ${printable(r.run)}`}>timeline</a></span>}
                {!r.missing && <span class="jump"><a href={to("paths", [r.run])} aria-label={`critical paths of ${printable(r.run)}`}>critical paths</a></span>}
                {!r.missing && <span class="jump"><a href={"/report/" + encodeURIComponent(r.run)} aria-label={`report of ${printable(r.run)}`}>report</a></span>}
                {!r.missing && <span class="jump"><a href={"/live/" + encodeURIComponent(r.run)} aria-label={`replay of ${printable(r.run)}`}>replay</a></span>}
                {r.clocks && <span class="jump"><a href={to("clocks", [r.run])} aria-label={`clocks of ${printable(r.run)}`}>clocks</a></span>}
              </td>
              <td class="whole">{Object.entries(r.labels ?? {}).sort().map(([k, v]) => <span class="labelled">{printable(k)}={printable(v)}</span>)}</td>
              <td class="whole"><Name of={r.source} most={60} /> <small>{r.format}</small></td>
              <td class="right" data-ns={r.duration_ns}>{duration(r.duration_ns)}</td>
              <td class="right">{count(r.events)}</td>
              <td class="right">{count(r.executions)}</td>
              <td class="right">{count(r.messages)}</td>
              <td class="right">{count(r.components)}</td>
              <td class="right">{count(r.losses.reduce((n, l) => n + l.count, 0))}</td>
            </tr>
          ))}
        </tbody>
      </PlainTable>
    </div>
  );
}

/** useRecordings reads which runs are being recorded, or were left behind: again every second, as recordings begin and end without a change of the lake. */
function useRecordings(data: Data): string[] {
  const [recordings, set] = useState<string[]>([]);
  useEffect(() => {
    let ended = false;
    const look = () => data.get<{ recordings: string[] }>("live").then(
      (now) => !ended && set((old) => (old.join("/") === now.recordings.join("/") ? old : now.recordings)),
      () => undefined, // what the lake itself cannot be asked is told by its page
    );
    void look();
    const timer = setInterval(() => document.visibilityState === "visible" && void look(), 1000);
    return () => {
      ended = true;
      clearInterval(timer);
    };
  }, [data]);
  return recordings;
}

/** Recorded are the runs that are being recorded, each with the page that shows it. */
function Recorded({ runs }: { runs: string[] }) {
  if (runs.length === 0) return null;
  return (
    <Section title="Being recorded" lead={<>What <code>ingest --follow</code> records is watched while it runs, and <a href="/live/">runs of the lake in the same way</a>.</>}>
      <ul class="entries">
        {runs.map((r) => <li key={r}><div class="title"><a href={"/live/" + encodeURIComponent(r)}><Name of={r} /></a></div></li>)}
      </ul>
    </Section>
  );
}

/** Lake is the first page. */
export function Lake({ data }: { data: Data; place: Place }) {
  const { value: lake, error } = useLake(data);
  const recordings = useRecordings(data);
  if (!lake) return error ? <Failed why={error} /> : <Waiting />;
  const lost = lake.runs.filter((r) => r.losses.length > 0);
  return (
    <>
      <h1>
        Lake <Name of={lake.lake} />
      </h1>
      {error && <Failed why={error} />}
      <Recorded runs={recordings} />
      <Section title="Comparisons" lead={lake.comparisons.length === 0 ? <>None yet: <code>analyze compare --base … --cand …</code> makes one.</> : undefined}>
        <Comparisons data={data} lake={lake} />
      </Section>
      <Section title="Runs" lead={lake.runs.length === 0 ? <>None yet: <code>ingest TRACE</code> makes one.</> : plural(lake.runs.length, "run")}>
        <Runs of={lake.runs} />
      </Section>
      {lost.length > 0 && (
        <details>
          <summary>What was dropped, repaired or invented, in {plural(lost.length, "run")}</summary>
          <PlainTable title="Losses" kind="plain">
            <thead>
              <tr>
                <th scope="col">run</th>
                <th scope="col">stage</th>
                <th scope="col" class="right">records</th>
                <th scope="col">what</th>
                <th scope="col">first at</th>
              </tr>
            </thead>
            <tbody>
              {lost.flatMap((r) => r.losses.map((l) => (
                <tr key={r.run + l.stage + l.reason}>
                  <td><Name of={r.run} /></td>
                  <td>{l.stage}</td>
                  <td class="right">{count(l.count)}</td>
                  <td><b>{l.reason}</b>: {printable(l.meaning)}</td>
                  <td><Name of={l.first_position} most={80} /></td>
                </tr>
              )))}
            </tbody>
          </PlainTable>
        </details>
      )}
      {lake.baselines.length > 0 && (
        <Section title="Baselines" lead={<>Runs under one name: <code>analyze compare --base @NAME</code> takes them.</>}>
          <ul class="entries">
            {lake.baselines.map((b) => (
              <li key={b.baseline}>
                <div class="title"><a href={to("baseline", [b.baseline])}><Name of={b.baseline} /></a></div>
                <small>{plural((b.runs ?? []).length, "run")}: {(b.runs ?? []).slice(0, 12).map(printable).join(", ")}{(b.runs ?? []).length > 12 && " …"}</small>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section title="Questions" lead={lake.sql ? <>Each has an answer as a table and a chart; and <a href={to("sql")}>any in SQL</a>.</> : <>Each has an answer as a table and a chart. <code>analyze serve --sql</code> answers any that you write in SQL, too.</>}>
        <ul class="plainlist questions">
          {lake.queries.map((q) => <li key={q.query}><a href={to("query", [q.query])}>{q.query}</a> <small>{q.doc}</small></li>)}
        </ul>
      </Section>
      <details>
        <summary>Tables</summary>
        <PlainTable title="Tables" kind="plain">
          <thead>
            <tr>
              <th scope="col">table</th>
              <th scope="col" class="right">partitions</th>
              <th scope="col" class="right">rows</th>
              <th scope="col" class="right">MB</th>
              <th scope="col">what it holds</th>
            </tr>
          </thead>
          <tbody>
            {lake.tables.filter((t) => t.partitions > 0).map((t) => (
              <tr key={t.table}>
                <td>{t.table}</td>
                <td class="right">{count(t.partitions)}</td>
                <td class="right">{count(t.rows)}</td>
                <td class="right">{(t.bytes / 1e6).toFixed(1)}</td>
                <td>{t.doc}</td>
              </tr>
            ))}
          </tbody>
        </PlainTable>
      </details>
    </>
  );
}

type Rows = Record<string, unknown>[];

/** Asked is the page of a named query: its parameters are those of the address. */
export function Asked({ data, place }: { data: Data; place: Place }) {
  const name = place.of[0] ?? "";
  const { value: lake, error } = useResource<Contents>(data, "lake");
  const query = lake?.queries.find((q) => q.query === name);
  if (error) return <Failed why={error} />;
  if (!lake) return <Waiting />;
  if (!query) return <Failed why={`There is no query ${printable(name)}.`} />;
  const chart = place.query.get("chart") ?? "";
  const parameters = new URLSearchParams([...place.query].filter(([name]) => name !== "chart"));
  const asked = parameters.toString();
  return (
    <>
      <h1>
        {query.query} <span class="over">{query.doc}</span>
      </h1>
      <Params query={query} runs={lake.runs.map((r) => r.run)} place={place} />
      <Answer data={data} resource={`query/${encodeURIComponent(query.query)}${asked ? "?" + asked : ""}`} command={`analyze query ${query.query}`} chart={chart} key={asked} />
      <details>
        <summary>SQL</summary>
        <pre>{query.sql}</pre>
      </details>
    </>
  );
}

/** Params are the fields of the parameters. Enter or the button asks. */
function Params({ query, runs, place }: { query: Query; runs: string[]; place: Place }) {
  const [values, set] = useState<Record<string, string>>(Object.fromEntries(place.query));
  if (query.params.length === 0) return null;
  const ask = () => (location.hash = to("query", [query.query], values));
  return (
    <div class="query" onKeyDown={(e) => e.key === "Enter" && ask()}>
      {query.params.map((p) => (
        <label key={p.name} title={p.doc}>
          {p.name} <input type="text" list={p.name === "run" ? "runs" : undefined} placeholder={p.default} value={values[p.name] ?? ""} onInput={(e) => set({ ...values, [p.name]: e.currentTarget.value })} /> <small>{p.doc}</small>
        </label>
      ))}
      <datalist id="runs">{runs.map((r) => <option value={r} />)}</datalist>
      <button type="button" onClick={ask}>Ask</button>
    </div>
  );
}

const example = "SELECT component, ms(sum(self_ns)) AS ms FROM executions GROUP BY ALL ORDER BY ms DESC LIMIT 20";

/** FreeQuestion is the page of a question in SQL, which stands in the address. */
export function FreeQuestion({ data, place }: { data: Data; place: Place }) {
  const q = place.query.get("q") ?? "";
  const [text, set] = useState(q || example);
  useEffect(() => set(q || example), [q]);
  const ask = () => (location.hash = to("sql", [], { q: text }));
  return (
    <>
      <h1>
        SQL <span class="over">A question that only selects rows, of the views that analyze query has, within the memory of the server and one minute.</span>
      </h1>
      <div class="query">
        <label class="sql">
          Question <textarea rows={6} spellcheck={false} value={text} onInput={(e) => set(e.currentTarget.value)} onKeyDown={(e) => e.key === "Enter" && (e.ctrlKey || e.metaKey) && ask()} />
        </label>
        <button type="button" onClick={ask}>Ask</button> <small>or <kbd>Ctrl</kbd> <kbd>Enter</kbd></small>
      </div>
      {q && <Answer data={data} resource={"sql?q=" + encodeURIComponent(q)} command="analyze query" chart={place.query.get("chart") ?? ""} key={q} />}
    </>
  );
}

/** Baseline is the page of runs that have one name together. */
export function Baseline({ data, place }: { data: Data; place: Place }) {
  const name = place.of[0] ?? "";
  const { value: lake, error } = useLake(data);
  const found = lake?.baselines.find((b) => b.baseline === name);
  if (!lake) return error ? <Failed why={error} /> : <Waiting />;
  if (!found) return <Failed why={`The lake has no baseline ${printable(name)}.`} />;
  const names = found.runs ?? [];
  const runs = lake.runs.filter((r) => names.includes(r.run));
  const gone = names.filter((n) => !runs.some((r) => r.run === n));
  const others = lake.runs.filter((r) => !names.includes(r.run));
  return (
    <>
      <h1>
        Baseline <Name of={name} />
        <span class="over">{sideOf(names, lake.runs)}</span>
      </h1>
      {gone.length > 0 && <p class="failed">The lake has no run {gone.map(printable).join(", ")} any more.</p>}
      <Runs of={runs} />
      {runs.length > 1 && <Spread of={runs} />}
      <Section title="What to do next">
        <ul class="next">
          <li><code>{`analyze detectable @${name}`}</code> says which changes would be found against it</li>
          <li><code>{`analyze compare --base @${name} --cand ${others[0]?.run ?? "RUN"}`}</code> compares with it</li>
          <li><code>{`analyze baseline set ${name} RUNS`}</code> sets it anew</li>
        </ul>
      </Section>
    </>
  );
}

/** Spread shows how alike the runs are before anything is compared with them. */
function Spread({ of }: { of: Run[] }) {
  const options = useCallback((width: number) => named(of.map((r) => ({ name: r.run, values: [r.duration_ns] })), width, duration, ticks), [of]);
  return <Figure title="How long its runs take" options={options} table={{ head: ["run", "duration"], rows: of.map((r) => [r.run, time(r.duration_ns)]) }} />;
}

/** plain is a value as a file has it. */
const plain = (value: unknown) => (value === null || value === undefined ? undefined : typeof value === "number" || typeof value === "string" ? value : JSON.stringify(value));

/** Answer is the result as a table. Columns of nanoseconds are shown as durations; a title gives the number. */
function Answer({ data, resource, command, chart }: { data: Data; resource: string; command: string; chart: string }) {
  const { value, error } = useResource<{ notes: string[]; rows: Rows }>(data, resource);
  if (error) return <Failed why={error} />;
  if (!value) return <Waiting />;
  const columns = Object.keys(value.rows[0] ?? {});
  const most = 1000;
  return (
    <>
      {value.notes.map((n) => <p class="note">{printable(n)}</p>)}
      <p>
        {plural(value.rows.length, "row")}
        {value.rows.length > most && `, of which these are the first ${count(most)}; ${command} prints all`}{" "}
        {value.rows.length > 0 && <button type="button" class="link file" onClick={() => saveTable(command, [columns, ...value.rows.map((row) => columns.map((c) => plain(row[c])))])}>All as CSV</button>}
      </p>
      <Chart rows={value.rows} columns={columns} chart={chart} />
      <div class="scrolls" tabIndex={0} role="region" aria-label="Result">
        <table class="plain">
          <thead>
            <tr>{columns.map((c) => <th scope="col" class={typeof value.rows[0]?.[c] === "number" ? "right" : ""}>{c}</th>)}</tr>
          </thead>
          <tbody>
            {value.rows.slice(0, most).map((row, i) => (
              <tr key={i}>{columns.map((c) => <Cell column={c} value={row[c]} run={typeof row["run"] === "string" ? row["run"] : ""} />)}</tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

const mostBars = 20;

/** toldBy names a row by its texts, without those that another one begins with. */
function toldBy(row: Rows[number], names: string[]): string {
  const texts = names.map((n) => row[n]).filter((v): v is string => typeof v === "string" && v !== "");
  return texts.filter((v, i) => !texts.some((other, j) => i !== j && other.startsWith(v + "."))).join(" ");
}

/** Chart has a bar for each of the first rows, as long as a column says. A column is left alone where the rows are numbered by it. */
function Chart({ rows, columns, chart }: { rows: Rows; columns: string[]; chart: string }) {
  const numbers = columns.filter((c) => !/^(rank|no|finding|position|number|seq|series)$/.test(c) && !isTime(c) && rows.some((r) => typeof r[c] === "number") && rows.every((r) => typeof r[c] === "number" || r[c] === null));
  const texts = columns.filter((c) => rows.some((r) => typeof r[c] === "string"));
  const telling = texts.filter((c) => new Set(rows.map((r) => r[c])).size > 1); // the others are the same in all rows
  const names = telling.length > 0 ? telling : texts;
  const of = numbers.includes(chart) ? chart : (numbers.find((c) => c.endsWith("_ns")) ?? numbers[0] ?? "");
  const bars = useMemo(
    () => rows.slice(0, mostBars).map((r, i) => ({ at: i, name: printable(toldBy(r, names)) || `row ${i + 1}`, value: (r[of] as number | null) ?? 0 })),
    [rows, of],
  );
  const words = of.endsWith("_ns") ? (v: number) => ticks(Math.round(v)) : (v: number) => (Number.isInteger(v) ? count(v) : String(Number(v.toPrecision(3))));
  const options = useCallback((width: number) => named(bars.map((b) => ({ name: b.name, values: [b.value] })), width, words), [bars]);
  if (rows.length < 2 || !of) return null;
  return (
    <>
      <div class="tools">
        <label>
          Chart of{" "}
          <select value={of} onChange={(e) => change("chart", e.currentTarget.value, true)}>
            {numbers.map((n) => <option value={n}>{n}</option>)}
          </select>
        </label>
      </div>
      <Figure title={`${of} of the first ${count(bars.length)} rows`} options={options} table={{ head: ["row", of], rows: bars.map((b) => [b.name, words(b.value)]) }} />
    </>
  );
}

/** isTime says whether a column is a time, and no duration. */
const isTime = (column: string) => /^(time|start|finish|send|receive|at)_ns$/.test(column);

function Cell({ column, value, run }: { column: string; value: unknown; run: string }) {
  if (value === null || value === undefined) return <td />;
  if (typeof value === "number") {
    const written = !column.endsWith("_ns") ? plainly(value) : isTime(column) ? exactly(value) : duration(Math.round(value));
    return <td class="right" title={String(value)}>{written}</td>;
  }
  if (column === "run" && run) return <td><a href={to("timeline", [run])}><Name of={run} /></a></td>;
  return <td><Name of={typeof value === "string" ? value : JSON.stringify(value)} most={120} /></td>;
}

interface Finding {
  finding: number;
  verdict: string;
  component: string;
  function: string | null;
  subject: string;
  fragment: string | null;
  effect_ns: number;
  effect_lo_ns: number;
  effect_hi_ns: number;
  base_ns: number;
  cand_ns: number;
  share: number | null;
  q: number | null;
  inherited: number;
  minor: boolean;
}

/** Compared is the page of a comparison: its root causes. */
export function Compared({ data, place }: { data: Data; place: Place }) {
  const name = place.of[0] ?? "";
  const { value, error } = useResource<{ comparison: string; findings: Finding[]; total: number }>(data, `comparison/${encodeURIComponent(name)}?most=0`);
  const { value: judged } = useResource<Judged>(data, `comparison/${encodeURIComponent(name)}/verdict`);
  if (error) return <Failed why={error} />;
  if (!value) return <Waiting />;
  return (
    <>
      <h1>
        Comparison <Name of={name} />
        <span class="over">{plural(value.findings.filter((f) => !f.minor).length, "root cause")}{value.findings.some((f) => f.minor) && `, ${plural(value.findings.filter((f) => f.minor).length, "finding")} below 1 % of the greatest`}, {plural(value.total, "subject")} compared</span>
      </h1>
      {judged && <p><Verdict of={judged.verdict.toLowerCase().replaceAll(" ", "_")} /> {printable(judged.summary)}</p>}
      <p>
        <a href={"/report/" + encodeURIComponent(name)}>The whole report: verdict, changes, automata and distributions</a>
      </p>
      <div class="scrolls" tabIndex={0} role="region" aria-label="Root causes">
        <PlainTable title="Root causes" kind="plain">
          <caption>Root causes, the greatest sure effect first; times are per root execution</caption>
          <thead>
            <tr>
              <th scope="col" class="right">no.</th>
              <th scope="col">verdict</th>
              <th scope="col">where</th>
              <th scope="col" class="right">effect</th>
              <th scope="col" class="right">95 % interval</th>
              <th scope="col" class="right">baseline</th>
              <th scope="col" class="right">candidate</th>
              <th scope="col" class="right">share</th>
              <th scope="col" class="right">q</th>
              <th scope="col" class="right">changes that follow</th>
            </tr>
          </thead>
          <tbody>
            {value.findings.map((f) => (
              <tr key={f.finding}>
                <td class="right">{f.finding}</td>
                <td><Verdict of={f.verdict} /></td>
                <td>
                  <a href={`/report/${encodeURIComponent(name)}#/finding/${f.finding}`}><Name of={f.component + (f.function ? "." + f.function : "")} /></a>
                  <br />
                  <small><Name of={f.subject} />{f.fragment && <> in <Name of={f.fragment} /></>}{f.minor && "; below 1 % of the greatest"}</small>
                </td>
                <td class="right" data-ns={f.effect_ns}>{difference(f.effect_ns)}</td>
                <td class="right">{interval(f.effect_lo_ns, f.effect_hi_ns)}</td>
                <td class="right" data-ns={f.base_ns}>{duration(f.base_ns)}</td>
                <td class="right" data-ns={f.cand_ns}>{duration(f.cand_ns)}</td>
                <td class="right">{f.share === null ? "" : share(f.share)}</td>
                <td class="right">{f.q === null ? "" : probability(f.q)}</td>
                <td class="right">{count(f.inherited)}</td>
              </tr>
            ))}
          </tbody>
        </PlainTable>
      </div>
    </>
  );
}

// The timing overview (Hilbig 2023, figures 3.14 and 3.15): how often fragments run and how long, on both sides; the five most called and
// the five longest; and every component with its fragments, those that changed most first.

import * as Plot from "@observablehq/plot";
import { useCallback, useMemo, useState } from "preact/hooks";
import { number, text } from "./columns";
import { useResource, type Data } from "./data";
import { Distributions } from "./distribution";
import { Figure, time, type FigureCell } from "./figure";
import { Forest } from "./forest";
import { resourceOf } from "./fragment";
import { change, to, type Place } from "./router";
import { Sparks } from "./sparks";
import { Treemap } from "./treemap";
import type { Details, Distribution, Fragment, Report, Table } from "./types";
import { Failed, Name, PlainTable, Section, Verdict, Waiting } from "./ui";
import { count, difference, duration, printable, relative, words } from "./units";

interface Row {
  rank: number;
  fragment: string;
  component: string;
  verdict: string;
  effect?: number;
  interval: [number | null, number | null];
  n: [number, number];
  times: (number | undefined)[][]; // minimum, quartiles, maximum; by side
}

/** OverviewPage is the page. */
export function OverviewPage({ data, report, place }: { data: Data; report: Report; place: Place }) {
  const { value, error } = useResource<Details>(data, "details");
  return (
    <>
      <h1>Timing overview</h1>
      {error ? <Failed why={error} /> : value ? <Overview of={value.changes} report={report} place={place} data={data} /> : <Waiting />}
    </>
  );
}

const names = ["min", "q25", "median", "q75", "max"];

function read(of: Table): Row[] {
  const [level, fragment, component, verdict] = ["level", "fragment", "component", "verdict"].map((n) => text(of, n)) as ((row: number) => string)[];
  const [rank, effect, lo, hi, nBase, nCand] = ["rank", "effect_ns", "effect_lo_ns", "effect_hi_ns", "n_base", "n_cand"].map((n) => number(of, n)) as ((row: number) => number | undefined)[];
  const times = ["base", "cand"].map((side) => names.map((n) => number(of, `${n}_${side}_ns`)));
  const rows: Row[] = [];
  for (let r = 0; r < of.rows; r++) {
    if (level!(r) !== "fragment") continue;
    rows.push({
      rank: rank!(r) ?? 0, fragment: fragment!(r), component: component!(r), verdict: verdict!(r), effect: effect!(r), interval: [lo!(r) ?? null, hi!(r) ?? null], n: [nBase!(r) ?? 0, nCand!(r) ?? 0],
      times: times.map((side) => side.map((get) => get(r))),
    });
  }
  return rows;
}

const changed = (r: Row) => !["unchanged", "undetermined", "not_asked"].includes(r.verdict);
const mostEffects = 15;
const size = (r: Row) => Math.abs(r.effect ?? 0);

function Overview({ of, report, place, data }: { of: Table; report: Report; place: Place; data: Data }) {
  const rows = useMemo(() => read(of), [of]);
  const verdict = place.query.get("verdict") ?? "";
  const verdicts = useMemo(() => [...new Set(rows.map((r) => r.verdict))].sort(), [rows]);
  const components = useMemo(() => {
    const by = new Map<string, Row[]>();
    for (const r of rows) if (!verdict || r.verdict === verdict) by.set(r.component, [...(by.get(r.component) ?? []), r]);
    for (const list of by.values()) list.sort((a, b) => Number(changed(b)) - Number(changed(a)) || size(b) - size(a) || a.rank - b.rank);
    return [...by].sort(([, a], [, b]) => Number(changed(b[0]!)) - Number(changed(a[0]!)) || size(b[0]!) - size(a[0]!));
  }, [rows, verdict]);
  const { effects, all } = useMemo(() => {
    const known = rows.filter((r) => changed(r) && r.effect !== undefined).sort((a, b) => size(b) - size(a));
    return { all: known.length, effects: known.slice(0, mostEffects).map((r) => ({ name: r.fragment, ns: r.effect!, lo: r.interval[0], hi: r.interval[1] })) };
  }, [rows]);
  const asked = place.query.get("open");
  const open = (components.find(([c]) => c === asked) ?? components[0])?.[0] ?? "";
  return (
    <>
      <Section title="All fragments" lead={`${count(rows.length)} fragments of ${count(new Set(rows.map((r) => r.component)).size)} components; ${count(rows.filter(changed).length)} changed.`}>
        <div class="pictures">
          <Spread title="How often fragments run" rows={rows} value={(r, side) => r.n[side]} write={(n) => count(Math.round(n))} cell={Math.round} what="samples in all runs of a side" />
          <Spread title="How long fragments run" rows={rows} value={(r, side) => r.times[side]![2]} write={(ns) => duration(Math.round(ns))} cell={(ns) => time(Math.round(ns))} what="median run time" />
        </div>
        <div class="pictures">
          <Top title="Most called" rows={rows} value={(r, side) => r.n[side]!} write={count} />
          <Top title="Longest, by median run time" rows={rows} value={(r, side) => r.times[side]![2] ?? 0} write={duration} />
        </div>
      </Section>
      <Treemap data={data} place={place} />
      {effects.length > 0 && (
        <Forest of={effects} title="Effects of all fragments that changed, with their 95 % intervals" head="fragment"
          note={"Per root execution, of the typical run" + (effects.length < all ? `: the ${count(effects.length)} greatest of ${count(all)}.` : ".")} />
      )}
      <Section title="Components" lead="Those whose fragments changed most come first; so do fragments within them. What changed has a thick purple frame.">
        <p class="tools">
          <label>
            Verdict{" "}
            <select value={verdict} onChange={(e) => change("verdict", e.currentTarget.value, true)}>
              <option value="">all</option>
              {verdicts.map((v) => <option value={v}>{words(v)}</option>)}
            </select>
          </label>
        </p>
        {components.map(([component, list]) => (
          <details class="component" open={component === open} onToggle={(e) => e.currentTarget.open && component !== open && change("open", component, false)}>
            <summary>
              <Name of={component} most={100} />{" "}
              <small>
                {count(list.length)} fragment{list.length === 1 ? "" : "s"}
                {list.some(changed) && <>, {count(list.filter(changed).length)} changed</>}
              </small>
            </summary>
            {component === open && list.slice(0, 60).map((r) => <Item of={r} report={report} data={data} />)}
            {component === open && list.length > 60 && <p>… and {count(list.length - 60)} more: <a href={to("changes", [], { q: component, level: "fragment" })}>all of them</a></p>}
          </details>
        ))}
      </Section>
    </>
  );
}

/** Spread is a histogram over fragments, on a logarithmic axis, baseline up and candidate down. */
function Spread({ title, rows, value, write, cell, what }: { title: string; rows: Row[]; value: (r: Row, side: 0 | 1) => number | undefined; write: (n: number) => string; cell: (n: number) => FigureCell; what: string }) {
  const bins = useMemo(() => {
    const all = [0, 1].map((side) => rows.map((r) => value(r, side as 0 | 1)).filter((v): v is number => v !== undefined && v > 0));
    const least = Math.min(...all.flat());
    const most = Math.max(...all.flat());
    if (!Number.isFinite(least)) return [];
    const n = 24;
    const edge = (i: number) => least * Math.pow(Math.max(most / least, 1.0001), i / n);
    return Array.from({ length: n }, (_, i) => {
      const inBin = (v: number) => v >= edge(i) * (i === 0 ? 0 : 1) && (i === n - 1 || v < edge(i + 1));
      return { from: edge(i), until: edge(i + 1), base: all[0]!.filter(inBin).length, cand: all[1]!.filter(inBin).length };
    });
  }, [rows]);
  const options = useCallback(
    (width: number) => ({
      height: 200, marginLeft: 48, marginRight: 24,
      x: { type: "log", label: null, tickFormat: (v: number) => write(v), ticks: Math.max(3, Math.floor(width / 130)) },
      y: { label: "fragments", grid: true, tickFormat: (y: number) => String(Math.abs(y)), ticks: 5 },
      marks: [
        Plot.rect(bins, { x1: "from", x2: "until", y1: 0, y2: "base", fill: "var(--base)", insetRight: 0.5 }),
        Plot.rect(bins, { x1: "from", x2: "until", y1: 0, y2: (b: { cand: number }) => -b.cand, fill: "var(--cand)", insetRight: 0.5 }),
        Plot.ruleY([0], { stroke: "var(--ink)" }),
      ],
    }),
    [bins],
  );
  if (bins.length === 0) return null;
  return (
    <Figure title={title} options={options} note={`Numbers of fragments by ${what}; the axis is logarithmic.`} legend={[["base", "baseline, up"], ["cand", "candidate, down"]]}
      table={{ head: ["from", "to", "baseline", "candidate"], rows: bins.filter((b) => b.base + b.cand).map((b) => [cell(b.from), cell(b.until), b.base, b.cand]) }} />
  );
}

/** Top has the five greatest of both sides; what only one side has among them is marked. */
function Top({ title, rows, value, write }: { title: string; rows: Row[]; value: (r: Row, side: 0 | 1) => number; write: (n: number) => string }) {
  const top = ([0, 1] as const).map((side) => rows.slice().sort((a, b) => value(b, side) - value(a, side)).slice(0, 5).filter((r) => value(r, side) > 0));
  return (
    <figure class="picture">
      <figcaption>
        <strong>{title}</strong>
      </figcaption>
      <PlainTable title={title} kind="top">
        <thead>
          <tr>
            <th scope="col">baseline</th>
            <th scope="col">candidate</th>
          </tr>
        </thead>
        <tbody>
          {[0, 1, 2, 3, 4].map((i) => (
            <tr>
              {([0, 1] as const).map((side) => {
                const r = top[side]![i];
                const alone = r && !top[1 - side]!.includes(r);
                return (
                  <td class={alone ? (side === 0 ? "gone" : "new") : ""}>
                    {r && (
                      <>
                        {alone && <span aria-label={side === 0 ? "only among those of the baseline" : "only among those of the candidate"}>{side === 0 ? "− " : "+ "}</span>}
                        <a href={to("fragment", [r.fragment])}><Name of={r.fragment} most={70} /></a> <small>{write(value(r, side))}</small>
                      </>
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </PlainTable>
    </figure>
  );
}

/** Item is a fragment with its numbers, and a preview of its automaton where the page has it. */
function Item({ of, report, data }: { of: Row; report: Report; data: Data }) {
  const resource = resourceOf(report, of.fragment);
  const median = of.times.map((t) => t[2]);
  const both = median[0] !== undefined && median[1] !== undefined;
  return (
    <article class={"fragment" + (changed(of) ? " changed" : "")}>
      <h3>
        <a href={to("fragment", [of.fragment])}><Name of={of.fragment} /></a> <Verdict of={of.verdict} />
      </h3>
      <p>
        {changed(of) && of.effect !== undefined ? `${difference(of.effect)} per root execution. ` : ""}
        {both && `Median run time ${duration(median[0]!)} → ${duration(median[1]!)}${median[0]! > 0 ? " (" + relative((median[1]! - median[0]!) / median[0]!) + ")" : ""}.`}{" "}
        <a href={to("change", [of.rank])} aria-label={"All numbers of " + printable(of.fragment)}>All numbers</a>
      </p>
      <div class="preview">
        <div class="times" tabIndex={0} role="region" aria-label={"Times of " + printable(of.fragment)}>
        <PlainTable title={"Times of " + printable(of.fragment)} kind="sides">
          <thead>
            <tr>
              <th scope="col">run time</th>
              <th scope="col">n</th>
              {["minimum", "lower quartile", "median", "upper quartile", "maximum"].map((n) => (
                <th scope="col">{n}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {(["baseline", "candidate"] as const).map((side, i) => (
              <tr>
                <th scope="row">{side}</th>
                <td>{count(of.n[i]!)}</td>
                {of.times[i]!.map((ns) => (
                  <td data-ns={ns}>{ns === undefined ? "–" : duration(ns)}</td>
                ))}
              </tr>
            ))}
            {both && (
              <tr>
                <th scope="row">change</th>
                <td>{of.n[1] === of.n[0] ? "0" : (of.n[1] > of.n[0] ? "+" : "-") + count(Math.abs(of.n[1] - of.n[0]))}</td>
                {names.map((_, i) => (
                  <td data-ns={of.times[1]![i]! - of.times[0]![i]!}>{difference(of.times[1]![i]! - of.times[0]![i]!)}</td>
                ))}
              </tr>
            )}
          </tbody>
        </PlainTable>
        </div>
        {resource && <Preview resource={resource} data={data} fragment={of.fragment} />}
        {resource && <Small resource={resource} data={data} fragment={of.fragment} />}
      </div>
      {resource && <Pictures resource={resource} data={data} fragment={of.fragment} />}
    </article>
  );
}

/** Pictures are those of the run time of a fragment: the times of its last event since its start. They are drawn when they are asked for. */
function Pictures({ resource, data, fragment }: { resource: string; data: Data; fragment: string }) {
  const [open, setOpen] = useState(false);
  const { value } = useResource<Fragment>(data, open ? resource : "");
  const times = useMemo(() => value && lastStep(value), [value]);
  return (
    <details onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary>
        Histogram, control chart and shift of its run time <span class="hidden">({printable(fragment)})</span>
      </summary>
      {open && value && (times ? <Distributions of={times} normalisation="fragment_absolute" /> : <p class="note">Its occurrences end in different steps: see its automaton.</p>)}
    </details>
  );
}

/** Small are the pictures of its run time in the height of a line; they lead to the large ones. */
function Small({ resource, data, fragment }: { resource: string; data: Data; fragment: string }) {
  const { value } = useResource<Fragment>(data, resource);
  const step = value && endOf(value);
  const times = step ? value.steps[step - 1]?.times.fragment_absolute : undefined;
  if (!times?.histogram) return null;
  return <a class="sparks" href={to("fragment", [fragment], { step, times: "fragment_absolute" })}><Sparks of={times} /></a>;
}

/** endOf is the number of the step that ends all occurrences of a fragment, 0 where there are several such steps. */
function endOf(of: Fragment): number {
  const shown = of.whole ?? of.short;
  const accepting = new Set(shown?.states.filter((s) => s.accepting).map((s) => s.n));
  const ends = new Set(shown?.transitions.filter((t) => accepting.has(t.to)).map((t) => t.step));
  return ends.size === 1 ? [...ends][0]! : 0;
}

/** lastStep are the times of the step that ends all occurrences of a fragment, since its start; nothing where there are several such steps. */
function lastStep(of: Fragment): Distribution | undefined {
  return of.steps[endOf(of) - 1]?.times.fragment_absolute;
}

/** Preview is the automaton, small. */
function Preview({ resource, data, fragment }: { resource: string; data: Data; fragment: string }) {
  const { value } = useResource<Fragment>(data, resource);
  const p = value && ((value.folded && value.short) || value.whole || value.short);
  if (!p) return null;
  return (
    <a class="thumb" href={to("fragment", [fragment])} aria-label={"Automaton of " + printable(fragment)}>
      <svg class="automaton" viewBox={`0 70 ${p.width} ${p.height - 70}`} aria-hidden="true" preserveAspectRatio="xMidYMid meet">
        {p.transitions.map((t) => (
          <g class={"transition " + t.look}>
            <path class="line" d={t.d} />
          </g>
        ))}
        {p.states.map((s) => (
          <g class={"state " + s.side}>
            <rect x={s.x} y={s.y - 11} width={s.w} height={22} rx={11} />
          </g>
        ))}
      </svg>
    </a>
  );
}

// The history of a series of releases: how the cost of a subject went, where its level changes, and how sure that is.

import * as Plot from "@observablehq/plot";
import { useCallback, useMemo } from "preact/hooks";
import { number, rowsOf, text } from "./columns";
import { useResource, type Data } from "./data";
import { Figure, time } from "./figure";
import { change, type Place } from "./router";
import type { Row, Table } from "./types";
import { Failed, Name, PlainTable, Section, Verdict, Waiting } from "./ui";
import { count, difference, duration, interval, plural, probability, relative, ticks } from "./units";

interface HistoryTables {
  history: string;
  values: Table;
  points: Table;
}

/** History is the page #/history/NAME?series=N&q=TEXT. */
export function History({ data, place }: { data: Data; place: Place }) {
  const name = place.of[0] ?? "";
  const { value, error } = useResource<HistoryTables>(data, "history/" + encodeURIComponent(name));
  if (error) return <Failed why={error} />;
  if (!value) return <Waiting />;
  return <Shown of={value} place={place} />;
}

/** subjectOf names a subject. A component or a fragment that its name begins with, or is, is not said twice. */
function subjectOf(r: Row): string {
  const [component, subject, fragment] = [r["component"], r["subject"], r["fragment"]].map((v) => String(v ?? ""));
  const named = !component || subject!.startsWith(component + ".") ? subject! : component + " " + subject;
  return fragment && fragment !== subject ? `${named} in ${fragment}` : named;
}

function Shown({ of, place }: { of: HistoryTables; place: Place }) {
  const points = useMemo(() => rowsOf(of.points, "rank", () => true), [of]);
  const q = (place.query.get("q") ?? "").toLowerCase();
  const found = points.filter((p) => subjectOf(p).toLowerCase().includes(q));
  const chosen = Number(place.query.get("series") ?? found[0]?.["series"] ?? points[0]?.["series"] ?? 1);
  const ofChosen = useMemo(() => points.filter((p) => p["series"] === chosen), [points, chosen]);
  const values = useMemo(() => rowsOf(of.values, "series", (s) => s === chosen), [of, chosen]);
  const releases = useMemo(() => {
    const at = number(of.values, "position");
    const name = text(of.values, "release");
    const all = new Map<number, string>();
    for (let i = 0; i < of.values.rows; i++) all.set(at(i) ?? 0, name(i));
    return all;
  }, [of]);
  return (
    <>
      <h1>
        History <Name of={of.history} />
        <span class="over">{plural(releases.size, "release")}, {plural(points.length, "change point")}</span>
      </h1>
      {values.length > 0 && <SeriesFigure values={values} points={ofChosen} />}
      <Section title="Where levels change" lead={points.length === 0 ? "No level changes by more than chance explains." : undefined}>
        <div class="tools" role="search" aria-label="Change points">
          <label>
            Subject <input type="search" data-search value={place.query.get("q") ?? ""} placeholder="filter" onInput={(e) => change("q", e.currentTarget.value, false)} />
          </label>
          <output>{count(found.length)} of {count(points.length)}</output>
        </div>
        <div class="scrolls" tabIndex={0} role="region" aria-label="Change points">
          <PlainTable title="Change points" kind="plain">
            <thead>
              <tr>
                <th scope="col" class="right">no.</th>
                <th scope="col">first in</th>
                <th scope="col">verdict</th>
                <th scope="col">subject</th>
                <th scope="col" class="right">before</th>
                <th scope="col" class="right">after</th>
                <th scope="col" class="right">effect</th>
                <th scope="col" class="right">95 % interval</th>
                <th scope="col" class="right">q</th>
              </tr>
            </thead>
            <tbody>
              {found.slice(0, 300).map((p) => (
                <tr aria-current={p["series"] === chosen ? "true" : undefined}>
                  <td class="right">{count(p["rank"] as number)}</td>
                  <td class="whole"><Name of={String(p["release"])} /></td>
                  <td><Verdict of={String(p["verdict"])} />{!p["confirmed"] && <small> unconfirmed</small>}{p["kind"] === "trend" && <small> trend to {String(p["last"])}</small>}</td>
                  <td><button type="button" class="link" onClick={() => { change("series", String(p["series"]), true); scrollTo(0, 0); }}><Name of={subjectOf(p)} most={120} /></button> <small>{String(p["level"])}</small></td>
                  <td class="right" data-ns={p["before_ns"] as number}>{duration(p["before_ns"] as number)}</td>
                  <td class="right" data-ns={p["after_ns"] as number}>{duration(p["after_ns"] as number)}</td>
                  <td class="right">{p["effect_ns"] === null ? "" : difference(p["effect_ns"] as number)}{p["ratio"] !== null && <><br /><small>{relative((p["ratio"] as number) - 1)}</small></>}</td>
                  <td class="right">{p["effect_lo_ns"] === null ? "" : interval(p["effect_lo_ns"] as number, p["effect_hi_ns"] as number)}</td>
                  <td class="right">{p["q"] === null ? "" : probability(p["q"] as number)}</td>
                </tr>
              ))}
            </tbody>
          </PlainTable>
        </div>
        {found.length > 300 && <p class="note">The first 300 of {count(found.length)}: filter them, or use analyze query.</p>}
      </Section>
    </>
  );
}

/** SeriesFigure draws a series: every release a dot, a segment's level a line, what stands alone a ring. */
function SeriesFigure({ values, points }: { values: Row[]; points: Row[] }) {
  const rows = useMemo(() => values.map((v) => ({ release: String(v["release"]), at: v["position"] as number, ns: v["value_ns"] as number, segment: v["segment"] as number, alone: v["outlier"] === true, runs: v["runs"] as number })).sort((a, b) => a.at - b.at), [values]);
  const levels = useMemo(() => {
    const of = new Map<number, typeof rows>();
    const open = new Set(points.filter((p) => !p["confirmed"]).map((p) => p["position"])); // the newest release, whose change is not confirmed
    for (const r of rows.filter((r) => !open.has(r.at))) of.set(r.segment, [...(of.get(r.segment) ?? []), r]);
    return [...of.values()].map((s) => {
      const sure = s.filter((r) => !r.alone).map((r) => r.ns).sort((a, b) => a - b);
      return { from: s[0]!.at - 0.4, until: s[s.length - 1]!.at + 0.4, ns: sure[Math.floor(sure.length / 2)] ?? s[0]!.ns };
    });
  }, [rows, points]);
  const options = useCallback(
    (width: number) => ({
      height: 260, marginLeft: 76, marginRight: 24, marginBottom: 60,
      x: { label: null, domain: [0.4, rows.length + 0.6], ticks: rows.filter((_, i) => i % Math.ceil((rows.length * 56) / width) === 0).map((r) => r.at), tickFormat: (at: number) => (rows.find((r) => r.at === at)?.release ?? "").slice(0, 14), tickRotate: rows.length * 56 > width * 0.8 ? -30 : 0 },
      y: { label: null, tickFormat: ticks, grid: true, zero: true, nice: true },
      marks: [
        Plot.ruleX(points, { x: (p: Row) => (p["position"] as number) - 0.5, stroke: "var(--timing)", strokeDasharray: "4 3" }),
        Plot.text(points, { x: (p: Row) => (p["position"] as number) - 0.5, y: () => Math.max(...rows.map((r) => r.ns)), text: (p: Row) => String(p["verdict"]), fill: "var(--timing)", textAnchor: "start", dx: 4, dy: -10 }),
        Plot.link(levels, { x1: "from", x2: "until", y1: "ns", y2: "ns", stroke: "var(--cand)", strokeWidth: 2.5 }),
        Plot.line(rows, { x: "at", y: "ns", stroke: "var(--base)", strokeOpacity: 0.5 }),
        Plot.dot(rows.filter((r) => !r.alone), { x: "at", y: "ns", r: 4, fill: "var(--base)", title: (r: { release: string; ns: number }) => `${r.release}: ${duration(r.ns)}` }),
        Plot.dot(rows.filter((r) => r.alone), { x: "at", y: "ns", r: 5, stroke: "var(--base)", strokeWidth: 2, title: (r: { release: string; ns: number }) => `${r.release} stands alone: ${duration(r.ns)}` }),
      ],
    }),
    [rows, levels, points],
  );
  const first = values[0]!;
  return (
    <Figure title={subjectOf(first)} note={<>{String(first["level"])}; cost per root execution, median of the runs of a release. A line is the median of the releases between two changes{rows.some((r) => r.alone) && "; a ring is a release that stands alone"}.</>}
      options={options} table={{ head: ["release", "runs", "cost", "segment", "alone"], rows: rows.map((r) => [r.release, r.runs, time(r.ns), r.segment, r.alone ? "yes" : ""]) }} />
  );
}

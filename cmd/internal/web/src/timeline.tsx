// The timeline of a run: lanes with nested executions, messages as arrows, the critical path. What is shown stands in the address.

import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { isBroken, nameOf, signOf, type Checks, type Stretches } from "./checks";
import { useResource, type Data } from "./data";
import { change, to as addressOf, type Place } from "./router";
import { useScheme } from "./scheme";
import { at, axisHeight, checkHeight, draw, exact, headOf, Layer, lateHeight, layout, moves, pathHeight, say, show, signalHeight, stretches, type Broken, type Late, type Meaning, type Picture } from "./timelinecanvas";
import { ask, runPath, type Attribute, type Drawn, type Envelopes, type Execution, type Lanes, type Occurrences, type Path, type Related, type View } from "./timelinedata";
import { usePaper } from "./paper";
import { printed } from "./timelinepaper";
import { CriticalClaims } from "./timelinecritical";
import { Keys, useJumps } from "./timelinekeys";
import { DurationKey, useMeaning, ValuesKey } from "./timelinelegend";
import { BoxTable, HeldTable, Marks, Selection } from "./timelinepanel";
import { SignalChoices, SignalHistograms, signalName, signalsAsked } from "./timelinesignals";
import { Failed, Name, Waiting } from "./ui";
import { count, duration, nanoseconds, plural, printable, words } from "./units";

/** Timeline is the page #/timeline/RUN. */
export function Timeline({ data, place }: { data: Data; place: Place }) {
  const run = place.of[0] ?? "";
  const by = place.query.get("group") ?? "";
  const which = "lanes" + (by && "?by=" + encodeURIComponent(by));
  const { value: lanes, error } = useResource<Lanes>(data, runPath(run) + which);
  const beside = place.query.get("with") ?? "";
  const other = useResource<Lanes>(data, beside ? runPath(beside) + which : "");
  if (error) return <Failed why={error} />;
  if (!lanes || (beside && !other.value && !other.error)) return <Waiting />;
  return (
    <>
      <Shown data={data} lanes={lanes} place={place} />
      {other.error && <Failed why={other.error} />}
      {other.value && <Beside data={data} lanes={other.value} first={lanes} place={place} />}
    </>
  );
}

/** Beside is a second run in the same window. Its time is that of the first one and a shift, so that both can be aligned at a chosen event. */
function Beside({ data, lanes, first, place }: { data: Data; lanes: Lanes; first: Lanes; place: Place }) {
  const shift = Number(place.query.get("shift") ?? "0") || 0;
  return (
    <section aria-label={"Beside it: " + printable(lanes.run)} class="beside">
      <h2>
        Beside it: <Name of={lanes.run} />
        <span class="over">{duration(lanes.duration_ns)}{shift !== 0 && `, moved by ${duration(-shift)}`}</span>
      </h2>
      <Shown data={data} lanes={lanes} place={place} second={{ shift, first }} />
    </section>
  );
}

/** Second is what a second run has beside the first. */
interface Second {
  shift: number; // its time less that of the first run
  first: Lanes;
}

/** viewOf reads the window from the address. */
function viewOf(place: Place, lanes: Lanes): View {
  const from = Number(place.query.get("from") ?? "0");
  const to = Number(place.query.get("to") ?? lanes.duration_ns);
  return Number.isFinite(from) && Number.isFinite(to) && to > from ? { from, to } : { from: 0, to: Math.max(lanes.duration_ns, 1) };
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** chosen are the places of the lanes that a filter leaves, in an order. */
function chosen(lanes: Lanes, q: string, order: string): number[] {
  const terms = q.toLowerCase().split(/\s+/).filter(Boolean);
  const places = lanes.lanes.map((_, i) => i).filter((i) => terms.every((t) => lanes.lanes[i]!.lifeline.toLowerCase().includes(t)));
  if (order === "name") places.sort((a, b) => (lanes.lanes[a]!.lifeline < lanes.lanes[b]!.lifeline ? -1 : 1));
  if (order === "component") places.sort((a, b) => compare(lanes.lanes[a]!.component, lanes.lanes[b]!.component) || compare(lanes.lanes[a]!.lifeline, lanes.lanes[b]!.lifeline));
  if (order === "first") places.sort((a, b) => lanes.lanes[a]!.start_ns - lanes.lanes[b]!.start_ns || a - b);
  return places;
}

/** marksOf are the marks in the address, in the order in which they were set. */
export function marksOf(query: URLSearchParams): number[] {
  return (query.get("marks") ?? "").split(",").filter(Boolean).map(Number).filter(Number.isFinite).slice(0, 26);
}

const mostBroken = 6;

/** brokenOf are the checks with most failing states, in the order of the specification: of all checks, or of one with its definitions. */
function brokenOf(of: Checks, chosen: string, where: Stretches | undefined): Broken[] {
  const asked = of.checks.map((c, i) => ({ c, i })).filter(({ c }) => (chosen ? c.check_name === chosen : isBroken(c)));
  const most = asked.sort((a, b) => b.c.failures - a.c.failures || a.i - b.i).slice(0, mostBroken).sort((a, b) => a.i - b.i);
  const lanes = most.map(({ c, i }): Broken => ({
    name: `${signOf(c.verdict)} ${nameOf(c)}, ${c.failures > 0 ? count(c.failures) : words(c.verdict.toLowerCase())}`,
    at: of.failures.filter((f) => f.check === i).map((f) => f.ns),
    held: where?.held.find((h) => h.spec === c.spec && h.check === c.check_name && h.value === (c.value ?? "") && h.definition === ""),
  }));
  const parts = chosen ? (where?.held ?? []).filter((h) => h.definition !== "") : [];
  return [...lanes, ...parts.slice(0, mostBroken).map((h): Broken => ({ name: h.definition, at: [], held: h }))];
}

/** useHeads reads what stands above the lanes: the critical path, the occurrences with a deadline, signals. */
function useHeads(data: Data, lanes: Lanes, place: Place, view: View, second: Second | undefined) {
  const of = (name: string) => place.query.get(name) ?? "";
  const at = runPath(lanes.run);
  const pathTo = second ? "" : of("path");
  const path = useResource<Path>(data, pathTo ? `${at}path?to=${encodeURIComponent(pathTo)}` : "");
  const lateOf = of("late");
  const late = useResource<Occurrences>(data, lateOf ? `${at}paths?only=occurrences&to=${encodeURIComponent(lateOf)}` : "");
  const deadline = Number(of("deadline")) || 0;
  // Signals of a window that contains the view, so that moving asks for nothing.
  const span = 2 ** Math.ceil(Math.log2(Math.max(1, view.to - view.from)));
  const from = Math.floor(view.from / span) * span;
  const asked = useMemo(() => ({ from, to: from + 2 * span }), [from, span]);
  const found = useResource<Envelopes>(data, of("signals") ? `${at}signals?${signalsAsked(place)}&from=${asked.from}&to=${asked.to}&pixels=2000` : "");
  const last = useRef<Picture["signals"]>(undefined);
  if (found.value && last.current?.of !== found.value) last.current = { asked, of: found.value };
  const shownLate = useMemo<Late | undefined>(() => (late.value ? { deadline, of: late.value } : undefined), [late.value, deadline]);
  const checks = useResource<Checks>(data, lanes.run ? at + "checks" : "").value;
  const asks = of("checks");
  const check = asks === "1" ? "" : asks;
  const where = useResource<Stretches>(data, asks && checks?.kept ? `${at}stretches${check && "?check=" + encodeURIComponent(check)}` : "").value;
  const broken = useMemo(() => (asks && checks ? brokenOf(checks, check, where) : undefined), [checks, asks, where]);
  return { path: path.value, late: shownLate, broken, checks, signals: of("signals") && !found.error ? last.current : undefined, error: path.error || late.error || found.error };
}

function Shown({ data, lanes, place, second }: { data: Data; lanes: Lanes; place: Place; second?: Second }) {
  const of = (name: string) => place.query.get(name) ?? "";
  const sel = second ? "sel2" : "sel";
  const order = of("order") || "busy";
  const depths = of("depths") === "1" ? 1 : 64;
  const messages = of("messages") !== "0";
  const find = of("find");
  const colour = of("colour") || "function";
  const by = of("group");
  const attributes = useResource<Attribute[]>(data, runPath(lanes.run) + "attributes").value ?? [];
  const alike = of("alike");
  const meant = useMeaning(data, lanes.run, colour, alike, attributes);
  const selected = place.query.has(sel) ? Number(of(sel)) : undefined;
  const q = of("q");
  const places = useMemo(() => chosen(lanes, q, order), [lanes, q, order]);
  const rows = useMemo(() => layout(lanes.lanes, places, depths), [lanes, places, depths]);
  const first = viewOf(place, second?.first ?? lanes);
  const shift = second?.shift ?? 0;
  const view = { from: first.from + shift, to: first.to + shift };
  const heads = useHeads(data, lanes, place, view, second);
  const marked = of("marks");
  const marks = useMemo(() => marksOf(place.query).map((ns) => ns + shift), [marked, shift]);
  const near = of(second ? "near2" : "near");
  const chosenOne = useResource<Execution>(data, selected === undefined ? "" : `${runPath(lanes.run)}execution?id=${selected}&near=${encodeURIComponent(near)}`).value;
  const around = useResource<Related>(data, chosenOne ? `${runPath(lanes.run)}related?id=${chosenOne.execution}&near=${chosenOne.start_ns}` : "").value;
  const waits = useMemo(() => (chosenOne && around && !by ? { lifeline: chosenOne.lifeline, of: around.waits } : undefined), [chosenOne, around]);
  const p = usePicture({ data, lanes, rows, view, waits, path: heads.path, late: heads.late, broken: heads.broken, signals: heads.signals, selected, messages, depths, find, colour, marks, second, by, values: meant.values, alike, meaning: meant.meaning, only: of("only"), lateOf: of("late") });
  const total = rows.length ? rows[rows.length - 1]!.top + rows[rows.length - 1]!.height : 0;
  const head = headOf(heads);
  return (
    <>
      {!second && (
        <h1>
          Timeline of <Name of={lanes.run} />
          <span class="over">
            {duration(lanes.duration_ns)}, {plural(lanes.lanes.length, "lane")}, {plural(lanes.lanes.reduce((n, l) => n + l.executions, 0), "execution")}
          </span>
        </h1>
      )}
      {!second && <Tools data={data} lanes={lanes} view={view} place={place} shown={rows.length} attributes={attributes} checks={heads.checks} />}
      {heads.error && <Failed why={heads.error} />}
      {meant.error && <Failed why={meant.error} />}
      {p.error && <Failed why={p.error} />}
      <div class="timeline" ref={p.box} onScroll={p.scrolled} style={{ height: `max(${head + Math.min(total + 20, 160)}px, min(${second || of("with") ? 44 : 68}vh, ${Math.max(total + head + 20, 160)}px))` }}>
        <div class="tall" style={{ height: total + head + "px" }}>
          <div class="labels" style={{ paddingTop: head + "px" }} aria-hidden="true">
            <HeadLabels heads={heads} scroll={p.scroll} late={of("late")} />
            <div class="corner" style={{ top: p.scroll + "px" }} />
            {rows.filter((r) => r.top + r.height > p.scroll - 200 && r.top < p.scroll + 2000).map((r) => (
              <div key={r.place} class="label" style={{ top: r.top + head + "px", height: r.height + "px" }} title={`${r.lane.lifeline.slice(0, 2000)}: ${count(r.lane.executions)} executions`}>
                <Name of={r.lane.lifeline} most={60} />
              </div>
            ))}
          </div>
          <canvas ref={p.canvas} tabIndex={0} role="img" aria-label={p.summary} aria-describedby="timeline-keys" {...p.hands} />
        </div>
      </div>
      <div class="onpaper" ref={p.paper} />
      <p class="status" aria-live="off">{p.under || p.summary}</p>
      {!second && <Keys />}
      {colour === "duration" && !second && <DurationKey />}
      <ValuesKey run={lanes.run} meant={meant} only={of("only")} second={second !== undefined} />
      {meant.critical && !second && <CriticalClaims of={meant.critical} lanes={lanes} option={criticalOption(colour)} />}
      {heads.broken && !second && <HeldTable of={heads.broken} view={view} kept={heads.checks?.kept ?? false} missing={heads.checks?.missing ?? ""} />}
      {of("signals") && !heads.error && !second && <SignalHistograms data={data} run={lanes.run} place={place} />}
      {marks.length > 0 && !second && <Marks of={marks} />}
      {selected !== undefined && <Selection data={data} run={lanes.run} execution={selected} near={of(second ? "near2" : "near")} second={second} other={second ? of("sel") : ""} />}
      {p.drawn && <BoxTable lanes={lanes} drawn={p.drawn} view={view} second={second} />}
    </>
  );
}

/** Heads are what stands above the lanes. */
type Heads = Pick<Picture, "path" | "late" | "broken" | "signals">;

/** headNames names what stands above the lanes, with its height and what kind of thing it is. */
function headNames(heads: Heads, late: string): [text: string, height: number, kind: string][] {
  return [
    ...(heads.path ? [["critical path", pathHeight, "path"] as [string, number, string]] : []),
    ...(heads.late ? [[`${late}, ${duration(heads.late.deadline)}`, lateHeight, "late"] as [string, number, string]] : []),
    ...(heads.broken ?? []).map((b): [string, number, string] => [b.name, checkHeight, b.at.length > 0 ? "late" : "check"]),
    ...(heads.signals?.of.signals ?? []).map((s): [string, number, string] => [signalName(s.name), signalHeight, "signal"]),
  ];
}

function HeadLabels({ heads, scroll, late }: { heads: Heads; scroll: number; late: string }) {
  let top = axisHeight + scroll;
  return (
    <>
      {headNames(heads, late).map(([text, height, kind]) => {
        const at = top;
        top += height;
        return <div class={"label head " + kind} style={{ top: at + "px", height: height + "px" }} title={printable(text)}>{printable(text)}</div>;
      })}
    </>
  );
}

/** OtherRun is the field of a second run. What runs there are is asked for when somebody goes there. */
function OtherRun({ data, value, run }: { data: Data; value: string; run: string }) {
  const [runs, set] = useState<string[]>([]);
  const look = () => void data.get<{ runs: { run: string }[] }>("lake").then((l) => set(l.runs.map((r) => r.run).filter((r) => r !== run)), () => {});
  return (
    <label>
      Beside run <input type="text" value={value} size={10} list="other-runs" onFocus={look} onChange={(e) => change("with", e.currentTarget.value, true)} />
      <datalist id="other-runs">{runs.map((r) => <option value={r} />)}</datalist>
    </label>
  );
}

/** Tools are the buttons and fields above the picture. */
function Tools({ data, lanes, view, place, shown, attributes, checks }: { data: Data; lanes: Lanes; view: View; place: Place; shown: number; attributes: Attribute[]; checks: Checks | undefined }) {
  const of = (name: string) => place.query.get(name) ?? "";
  const choice = (name: string, label: string, of1: string, options: [string, string][]) => (
    <label>
      {label}{" "}
      <select value={of1} onChange={(e) => change(name, e.currentTarget.value, true)}>
        {options.map(([value, text]) => <option value={value}>{text}</option>)}
      </select>
    </label>
  );
  return (
    <div class="tools" role="search" aria-label="What the timeline shows">
      <label>
        Find <input type="search" value={of("find")} placeholder="function" data-search onInput={(e) => change("find", e.currentTarget.value, false)} />
      </label>
      <label>
        Lanes <input type="search" value={of("q")} placeholder="filter" onInput={(e) => change("q", e.currentTarget.value, false)} />
      </label>
      {choice("order", "Order", of("order"), [["", "busiest first"], ["first", "by first execution"], ["name", "by name"], ["component", "by component"]])}
      {choice("group", "Lanes of", of("group"), [["", "lifelines"], ["function", "functions"], ...attributes.map((a): [string, string] => ["attribute:" + a.name, "attribute " + printable(a.name)])])}
      {choice("colour", "Colour", of("colour"), coloursOf(attributes, of("with"), of("colour")))}
      <CriticalChoice colour={of("colour")} />
      <SignalChoices place={place} attributes={attributes} />
      <label>
        <input type="checkbox" checked={of("depths") !== "1"} onChange={(e) => change("depths", e.currentTarget.checked ? "" : "1", true)} /> nested
      </label>
      {!of("group") && (
        <label>
          <input type="checkbox" checked={of("messages") !== "0"} onChange={(e) => change("messages", e.currentTarget.checked ? "" : "0", true)} /> messages
        </label>
      )}
      {checks !== undefined && checks.checks.length > 0 && choice("checks", "Checks", of("checks"), checksOf(checks))}
      <OtherRun data={data} value={of("with")} run={lanes.run} />
      <button type="button" onClick={() => go(zoomed(view, 0.5), true)}>Zoom in</button>
      <button type="button" onClick={() => go(zoomed(view, 2), true)}>Zoom out</button>
      <button type="button" onClick={() => go({ from: 0, to: lanes.duration_ns }, true)}>Whole run</button>
      {of("path") && <button type="button" onClick={() => change("path", "", true)}>Hide the critical path</button>}
      {of("late") && <button type="button" onClick={() => change("late", "", true)}>Hide the deadline</button>}
      <output>
        {count(shown)} of {count(lanes.lanes.length)} lanes; {view.from === 0 && view.to === lanes.duration_ns ? "the whole run" : `${between(view)}, ${duration(Math.round(view.to - view.from))} of ${duration(lanes.duration_ns)}`}
      </output>
    </div>
  );
}

const mostChoices = 200;

/** checksOf are the checks that may stand above the lanes. */
function checksOf(of: Checks): [string, string][] {
  const names = [...new Set(of.checks.map((c) => c.check_name))];
  const broken: [string, string][] = of.checks.some(isBroken) ? [["1", "broken ones"]] : [];
  return [["", "none"], ...broken, ...names.slice(0, mostChoices).map((n): [string, string] => [n, printable(n)])];
}

/** CriticalChoice is the field for how long before a claim starts what it waited for may have ended. */
function CriticalChoice({ colour }: { colour: string }) {
  const claims = "critical:claims:";
  const now = colour.startsWith(claims) ? colour.slice(claims.length) : "";
  const [wrong, set] = useState(false);
  if (!now) return null;
  const ask = (text: string) => {
    const ns = text === "inf" ? 0 : nanoseconds(text);
    set(ns === undefined);
    if (ns !== undefined) change("colour", claims + (text === "inf" ? text : ns ? ns + "ns" : "0"), true);
  };
  return (
    <label>
      epsilon <input type="text" size={6} value={now.endsWith("ns") ? duration(Number(now.slice(0, -2))) : now} aria-invalid={wrong} onChange={(e) => ask(e.currentTarget.value.trim())} />
    </label>
  );
}

/** criticalOption are the flags of analyze critical-path for what colours say. */
function criticalOption(colour: string): string {
  const [, graph = "", of = "0"] = colour.split(":");
  return `--graph ${graph}` + (of === "0" ? "" : graph === "claims" ? ` --epsilon ${of}` : ` --weight ${of}`);
}

/** zoomed is a view around its middle, or around a time. */
function zoomed(v: View, by: number, around = (v.from + v.to) / 2): View {
  const span = Math.max((v.to - v.from) * by, 10);
  const part = (around - v.from) / (v.to - v.from);
  return { from: Math.round(around - span * part), to: Math.round(around + span * (1 - part)) };
}

/** go puts a window into the address, in the time of the first run. */
export function go(v: View, remember: boolean) {
  const query = new URLSearchParams(location.hash.split("?")[1] ?? "");
  query.set("from", String(Math.round(v.from)));
  query.set("to", String(Math.round(v.to)));
  const address = location.hash.split("?")[0] + "?" + query.toString();
  history[remember ? "pushState" : "replaceState"](null, "", address);
  dispatchEvent(new PopStateEvent("popstate"));
}

/** coloursOf are what colours may say. Differences are those from the run beside. */
function coloursOf(attributes: Attribute[], beside: string, now: string): [string, string][] {
  const all: [string, string][] = [["", "by function"], ["component", "by component"], ["duration", "by duration"]];
  for (const a of attributes) all.push(["attribute:" + a.name, "by attribute " + printable(a.name)]);
  for (const a of attributes) all.push(["behaviour:" + a.name, `by behaviour of ${printable(a.name)}`]);
  all.push(["critical:claims:0", "by critical claims"], ["critical:dependencies", "by critical dependencies"]);
  if (now.startsWith("critical:") && !all.some(([value]) => value === now)) all.push([now, "by " + printable(now.replaceAll(":", " "))]);
  if (beside) all.push(["difference:" + beside, `by difference from ${printable(beside)}`]);
  if (now.startsWith("difference:") && now !== "difference:" + beside) all.push([now, `by difference from ${printable(now.slice(11))}`]);
  return all;
}

type Asked = { data: Data; lanes: Lanes; view: View; depths: number; second: Second | undefined; by: string; values: string; alike: string; lateOf: string } & Pick<Picture, "meaning" | "only" | "broken" | "rows" | "path" | "late" | "signals" | "selected" | "waits" | "messages" | "find" | "colour" | "marks">;

/** usePicture draws the canvas and asks for what it lacks. What is there is drawn at once, moved and scaled; the picture never waits. */
function usePicture(a: Asked) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 800, height: 400 });
  const [scroll, setScroll] = useState(0);
  const [drawn, setDrawn] = useState<Drawn>();
  const [error, setError] = useState("");
  const [under, setUnder] = useState("");
  const layer = useRef<Layer>(null);
  const redraw = useRef<{ timer: number; draw: () => void } | null>(null);
  const serial = useRef(0);
  const printing = useRef<(() => Element) | undefined>(undefined);
  const paper = useRef<HTMLDivElement>(null);
  usePaper(paper, printing);
  const scheme = useScheme();
  useEffect(() => {
    const look = () => { // on paper the canvas has no size
      if (canvas.current && box.current && canvas.current.clientWidth > 0) setSize({ width: canvas.current.clientWidth, height: box.current.clientHeight });
    };
    const watch = new ResizeObserver(look);
    if (box.current) watch.observe(box.current);
    look();
    return () => watch.disconnect();
  }, []);
  const visible = a.rows.filter((r) => r.top + r.height > scroll - 300 && r.top < scroll + size.height + 300).map((r) => r.place);
  const wanted = visible.join(",");
  const { from, to } = a.view;
  useEffect(() => {
    if (visible.length === 0 || drawn && covers(drawn, a, visible, size.width)) return;
    const mine = ++serial.current;
    const timer = setTimeout(() => {
      const room = (to - from) / 2;
      const show = (d: Drawn) => { if (mine === serial.current) { setDrawn(d); setError(""); } };
      ask(a.data, a.lanes, { from: from - room, to: to + room, lanes: visible, depths: a.depths, pixels: Math.min(16000, Math.round(2 * size.width)), by: a.by, values: a.values, alike: a.alike }, a.messages, show).catch(
        (e: unknown) => mine === serial.current && setError(e instanceof Error ? e.message : String(e)),
      );
    }, drawn ? 60 : 0);
    return () => clearTimeout(timer);
  }, [a.lanes, wanted, from, to, a.depths, size.width, drawn, a.by, a.values, a.alike, a.messages]);
  useLayoutEffect(() => {
    const c = canvas.current;
    if (!c) return;
    const on = (layer.current ??= new Layer());
    const picture: Picture = { ...size, scroll, drawn, view: a.view, rows: a.rows, path: a.path, late: a.late, broken: a.broken, signals: a.signals, selected: a.selected, waits: a.waits, messages: a.messages, find: a.find, colour: a.colour, marks: a.marks, meaning: a.meaning, only: a.only };
    const whole = () => {
      if (redraw.current) clearTimeout(redraw.current.timer);
      redraw.current = null;
      draw(c, picture, on);
    };
    printing.current = () => printed(picture, headNames(a, a.lateOf).map(([text, height]) => [printable(text), height]));
    // What moves is the bitmap at once; it is drawn anew soon after, also while it still moves.
    if (moves(on, picture)) {
      show(c, picture, on);
      if (redraw.current) redraw.current.draw = whole;
      else redraw.current = { timer: window.setTimeout(() => redraw.current?.draw(), 50), draw: whole };
    } else {
      whole();
    }
    const b = drawn?.boxes;
    const list = () => {
      redraw.current?.draw();
      return b ? Array.from({ length: on.items.count }, (_, n) => {
        const i = on.items.box[n]!;
        return { function: b.functions[b.function[i]!] ?? "", value: b.values?.[b.value?.[i] ?? -1] ?? "", lane: a.lanes.lanes[b.lane[i]!]!.lifeline, pale: on.items.pale[n] === 1, count: b.count[i], left: on.items.left[n], right: on.items.right[n], top: on.items.top[n] };
      }) : [];
    };
    const bars = () => (a.broken ?? []).map((one) => ({ name: one.name, at: one.at.length, held: one.held ? stretches(picture, one.held) : [] }));
    Object.assign(c, { list, bars, follows: () => a.meaning?.follows }); // what was drawn, for tests
  }, [drawn, from, to, a.rows, a.path, a.late, a.broken, a.signals, a.selected, a.waits, a.messages, a.find, a.colour, a.marks, a.meaning, a.only, scroll, size, scheme]);
  useEffect(() => () => clearTimeout(redraw.current?.timer), []);
  const hands = useHands({ meaning: a.meaning, canvas, layer, view: a.view, width: size.width, drawn, lanes: a.lanes, setUnder, box, data: a.data, selected: a.selected, second: a.second });
  const scrolled = useCallback((e: Event) => setScroll((e.currentTarget as HTMLElement).scrollTop), []);
  return { canvas, box, paper, drawn, error, under, scroll, scrolled, hands, summary: summary(a, drawn) };
}

/** covers reports whether what was drawn suffices for a view: it has the lanes and the time, and its pixels are not much wider. */
function covers(d: Drawn, a: Asked, visible: number[], width: number): boolean {
  const has = new Set(d.asked.lanes);
  const pixel = (d.asked.to - d.asked.from) / d.asked.pixels;
  const now = (a.view.to - a.view.from) / width;
  return d.asked.depths === a.depths && (d.messages || !a.messages) && d.asked.by === a.by && d.asked.values === a.values && d.asked.alike === a.alike && visible.every((p) => has.has(p)) && d.asked.from <= a.view.from && d.asked.to >= a.view.to && pixel <= now * 1.25 && pixel >= now / 4;
}

/** between writes a window with as many digits as tell its ends apart. */
function between(v: View): string {
  const step = (v.to - v.from) / 100;
  return `${exact(v.from, step)} to ${exact(v.to, step)}`;
}

/** summary says what the picture shows to those who do not see it. */
function summary(a: Asked, drawn: Drawn | undefined): string {
  if (!drawn) return "The timeline is being read.";
  const m = drawn.arrows;
  const arrows = drawn.reading ? "messages that are being read" : m.total > m.slowest.length ? `the slowest ${count(m.slowest.length)} of ${count(m.total)} messages` : plural(m.total, "message");
  const found = plural(drawn.boxes.total, "execution") + (a.by || !drawn.messages ? "" : " and " + arrows);
  return `${plural(a.rows.length, "lane")} from ${between(a.view)}. In this window and as far again beside it, the lanes in sight have ${found}.`;
}

interface Hands {
  meaning: Meaning | undefined;
  canvas: { current: HTMLCanvasElement | null };
  box: { current: HTMLDivElement | null };
  layer: { current: Layer | null };
  view: View;
  width: number;
  drawn: Drawn | undefined;
  lanes: Lanes;
  setUnder: (text: string) => void;
  data: Data;
  selected: number | undefined;
  second: Second | undefined;
}

const goTo = go;

/** useHands moves the picture by mouse and keys, and selects. */
function useHands(h: Hands) {
  const now = useRef(h);
  now.current = h;
  const drag = useRef<{ x: number; view: View; moved: boolean } | null>(null);
  const pointed = useRef<number | null>(null); // the time under the pointer
  const shift = h.second?.shift ?? 0;
  const go = (v: View, remember: boolean) => goTo({ from: v.from - shift, to: v.to - shift }, remember);
  const jump = useJumps(h.data, h.lanes.run, h.second ? "2" : "");
  const timeAt = (x: number) => now.current.view.from + (x / now.current.width) * (now.current.view.to - now.current.view.from);
  const boxAt = (e: MouseEvent) => (now.current.layer.current && now.current.drawn ? at(now.current.layer.current.items, e.offsetX, e.offsetY) : -1);
  useEffect(() => {
    const wheel = (e: WheelEvent) => {
      const { from, to } = now.current.view;
      const step = e.deltaMode === 1 ? 30 : 1;
      if (e.ctrlKey || e.metaKey) {
        e.preventDefault();
        go(zoomed({ from, to }, Math.exp(Math.max(-120, Math.min(120, e.deltaY * step)) / 240), timeAt(e.offsetX)), false);
      } else if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) {
        e.preventDefault();
        const by = (((e.deltaX || e.deltaY) * step) / now.current.width) * (to - from);
        go({ from: from + by, to: to + by }, false);
      }
    };
    const c = h.canvas.current;
    c?.addEventListener("wheel", wheel, { passive: false });
    return () => c?.removeEventListener("wheel", wheel);
  }, []);
  return {
    onKeyDown(e: KeyboardEvent) {
      if (e.ctrlKey || e.metaKey || e.altKey) return;
      const { from, to } = now.current.view;
      const by = (to - from) * (e.shiftKey ? 0.4 : 0.1);
      const moves: Record<string, View> = {
        w: zoomed({ from, to }, 0.8), s: zoomed({ from, to }, 1.25), "+": zoomed({ from, to }, 0.8), "-": zoomed({ from, to }, 1.25),
        a: { from: from - by, to: to - by }, d: { from: from + by, to: to + by }, arrowleft: { from: from - by, to: to - by }, arrowright: { from: from + by, to: to + by },
        "0": { from: 0, to: now.current.lanes.duration_ns },
      };
      const key = e.key.toLowerCase();
      const move = moves[key];
      if (move) go(move, false);
      else if (key === "arrowup" || key === "arrowdown") now.current.box.current?.scrollBy(0, key === "arrowup" ? -60 : 60);
      else if (key === "escape") change(now.current.second ? "sel2" : "sel", "", true);
      else if (key === "m") mark((pointed.current ?? (from + to) / 2) - shift);
      else if (now.current.selected !== undefined && jump(key, now.current.selected)) e.stopPropagation();
      else return;
      e.preventDefault();
    },
    onPointerDown(e: PointerEvent) {
      if (e.button !== 0) return;
      drag.current = { x: e.offsetX, view: now.current.view, moved: false };
      (e.currentTarget as HTMLElement).setPointerCapture(e.pointerId);
    },
    onPointerMove(e: PointerEvent) {
      const d = drag.current;
      if (d) {
        const by = ((d.x - e.offsetX) / now.current.width) * (d.view.to - d.view.from);
        if (Math.abs(d.x - e.offsetX) > 3) d.moved = true;
        if (d.moved) go({ from: d.view.from + by, to: d.view.to + by }, false);
        return;
      }
      pointed.current = timeAt(e.offsetX);
      const i = boxAt(e);
      now.current.setUnder(i >= 0 && now.current.drawn ? say(now.current.drawn.boxes, i, now.current.lanes.lanes, now.current.meaning) : "");
    },
    onPointerLeave: () => {
      pointed.current = null;
      now.current.setUnder("");
    },
    onPointerUp(e: PointerEvent) {
      const d = drag.current;
      drag.current = null;
      if (!d || d.moved) return;
      const i = boxAt(e);
      const b = now.current.drawn?.boxes;
      const longest = i >= 0 && b ? b.longest[i] : null;
      select(longest ?? undefined, i >= 0 && b ? b.start_ns[i]! : 0, i >= 0 && b && b.count[i] === 1, now.current.second ? "2" : "");
    },
    onDblClick(e: MouseEvent) {
      const i = boxAt(e);
      const b = now.current.drawn?.boxes;
      if (i < 0 || !b) return;
      const room = Math.max((b.finish_ns[i]! - b.start_ns[i]!) / 10, 5);
      go({ from: b.start_ns[i]! - room, to: b.finish_ns[i]! + room }, true);
    },
  };
}

/** mark adds a mark to the address. */
export function mark(ns: number) {
  const query = new URLSearchParams(location.hash.split("?")[1] ?? "");
  change("marks", [...marksOf(query), Math.round(ns)].join(","), true);
}

/** select puts an execution into the address. A sum says when its longest execution may have begun, and not when it did. Of a second run, the
 * names have a 2 behind them. */
export function select(execution: number | undefined, near: number, exact: boolean | undefined, of: string) {
  const place = location.hash.split("?");
  const query = new URLSearchParams(place[1] ?? "");
  query.delete("sel" + of);
  query.delete("near" + of);
  if (execution !== undefined) {
    query.set("sel" + of, String(execution));
    if (exact) query.set("near" + of, String(Math.round(near)));
  }
  const [page = "", ...words] = place[0]!.replace(/^#\//, "").split("/").map(decodeURIComponent);
  history.pushState(null, "", addressOf(page, words, Object.fromEntries(query)));
  dispatchEvent(new PopStateEvent("popstate"));
}

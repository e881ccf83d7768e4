// The timeline of a run: lanes with nested executions, messages as arrows, the critical path. What is shown stands in the address.

import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { useResource, type Data } from "./data";
import { change, to as addressOf, type Place } from "./router";
import { at, axisHeight, draw, layout, pathHeight, say, type Item, type Picture } from "./timelinecanvas";
import { ask, runPath, type Drawn, type Lanes, type Path, type View } from "./timelinedata";
import { BoxTable, Selection } from "./timelinepanel";
import { Failed, Name, Waiting } from "./ui";
import { count, duration, plural } from "./units";

/** Timeline is the page #/timeline/RUN. */
export function Timeline({ data, place }: { data: Data; place: Place }) {
  const run = place.of[0] ?? "";
  const { value: lanes, error } = useResource<Lanes>(data, runPath(run) + "lanes");
  if (error) return <Failed why={error} />;
  if (!lanes) return <Waiting />;
  return <Shown data={data} lanes={lanes} place={place} />;
}

/** viewOf reads the window from the address. */
function viewOf(place: Place, lanes: Lanes): View {
  const from = Number(place.query.get("from") ?? "0");
  const to = Number(place.query.get("to") ?? lanes.duration_ns);
  return Number.isFinite(from) && Number.isFinite(to) && to > from ? { from, to } : { from: 0, to: Math.max(lanes.duration_ns, 1) };
}

/** chosen are the places of the lanes that a filter leaves, in an order. */
function chosen(lanes: Lanes, q: string, order: string): number[] {
  const terms = q.toLowerCase().split(/\s+/).filter(Boolean);
  const places = lanes.lanes.map((_, i) => i).filter((i) => terms.every((t) => lanes.lanes[i]!.lifeline.toLowerCase().includes(t)));
  if (order === "name") places.sort((a, b) => (lanes.lanes[a]!.lifeline < lanes.lanes[b]!.lifeline ? -1 : 1));
  if (order === "first") places.sort((a, b) => lanes.lanes[a]!.start_ns - lanes.lanes[b]!.start_ns || a - b);
  return places;
}

function Shown({ data, lanes, place }: { data: Data; lanes: Lanes; place: Place }) {
  const q = place.query.get("q") ?? "";
  const order = place.query.get("order") ?? "busy";
  const deep = place.query.get("depths") !== "1";
  const messages = place.query.get("messages") !== "0";
  const selected = place.query.has("sel") ? Number(place.query.get("sel")) : undefined;
  const pathTo = place.query.get("path") ?? "";
  const { value: path, error: pathError } = useResource<Path>(data, pathTo ? `${runPath(lanes.run)}path?to=${encodeURIComponent(pathTo)}` : "");
  const places = useMemo(() => chosen(lanes, q, order), [lanes, q, order]);
  const rows = useMemo(() => layout(lanes.lanes, places, deep ? 64 : 1), [lanes, places, deep]);
  const view = viewOf(place, lanes);
  const p = usePicture({ data, lanes, rows, view, path, selected, messages, depths: deep ? 64 : 1 });
  const total = rows.length ? rows[rows.length - 1]!.top + rows[rows.length - 1]!.height : 0;
  const head = axisHeight + (path ? pathHeight : 0);
  return (
    <>
      <h1>
        Timeline of <Name of={lanes.run} />
        <span class="over">
          {duration(lanes.duration_ns)}, {plural(lanes.lanes.length, "lane")}, {plural(lanes.lanes.reduce((n, l) => n + l.executions, 0), "execution")}
        </span>
      </h1>
      <Tools lanes={lanes} view={view} q={q} order={order} deep={deep} messages={messages} path={pathTo} shown={rows.length} />
      {pathError && <Failed why={pathError} />}
      {p.error && <Failed why={p.error} />}
      <div class="timeline" ref={p.box} onScroll={p.scrolled} style={{ height: `min(68vh, ${Math.max(total + head + 20, 160)}px)` }}>
        <div class="tall" style={{ height: total + head + "px" }}>
          <div class="labels" style={{ paddingTop: head + "px" }} aria-hidden="true">
            {path && <div class="label path" style={{ top: axisHeight + p.scroll + "px" }}>critical path</div>}
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
      <p class="status" aria-live="off">{p.under || p.summary}</p>
      <p class="note" id="timeline-keys">
        <kbd>W</kbd> <kbd>S</kbd> zoom, <kbd>A</kbd> <kbd>D</kbd> or arrows move, <kbd>0</kbd> shows the whole run, <kbd>Esc</kbd> clears the selection. Wheel with <kbd>Ctrl</kbd> zooms, with <kbd>Shift</kbd> moves; drag
        moves; a click selects. Pale boxes are several executions that are narrower than a pixel: the paler, the more of the time is idle. The table below says all of this in words.
      </p>
      {selected !== undefined && <Selection data={data} run={lanes.run} execution={selected} near={place.query.get("near") ?? ""} />}
      {p.drawn && <BoxTable lanes={lanes} drawn={p.drawn} view={view} />}
    </>
  );
}

/** Tools are the buttons and fields above the picture. */
function Tools({ lanes, view, q, order, deep, messages, path, shown }: { lanes: Lanes; view: View; q: string; order: string; deep: boolean; messages: boolean; path: string; shown: number }) {
  return (
    <div class="tools" role="search" aria-label="What the timeline shows">
      <label>
        Lanes <input type="search" value={q} placeholder="filter" data-search onInput={(e) => change("q", e.currentTarget.value, false)} />
      </label>
      <label>
        Order{" "}
        <select value={order} onChange={(e) => change("order", e.currentTarget.value, true)}>
          <option value="busy">busiest first</option>
          <option value="first">by first execution</option>
          <option value="name">by name</option>
        </select>
      </label>
      <label>
        <input type="checkbox" checked={deep} onChange={(e) => change("depths", e.currentTarget.checked ? "" : "1", true)} /> nested
      </label>
      <label>
        <input type="checkbox" checked={messages} onChange={(e) => change("messages", e.currentTarget.checked ? "" : "0", true)} /> messages
      </label>
      <button type="button" onClick={() => go(zoomed(view, 0.5), true)}>Zoom in</button>
      <button type="button" onClick={() => go(zoomed(view, 2), true)}>Zoom out</button>
      <button type="button" onClick={() => go({ from: 0, to: lanes.duration_ns }, true)}>Whole run</button>
      {path && <button type="button" onClick={() => change("path", "", true)}>Hide the critical path</button>}
      <output>
        {count(shown)} of {count(lanes.lanes.length)} lanes; {duration(view.from)} to {duration(view.to)}
      </output>
    </div>
  );
}

/** zoomed is a view around its middle, or around a time. */
function zoomed(v: View, by: number, around = (v.from + v.to) / 2): View {
  const span = Math.max((v.to - v.from) * by, 10);
  const part = (around - v.from) / (v.to - v.from);
  return { from: Math.round(around - span * part), to: Math.round(around + span * (1 - part)) };
}

/** go puts a window into the address. */
export function go(v: View, remember: boolean) {
  const query = new URLSearchParams(location.hash.split("?")[1] ?? "");
  query.set("from", String(Math.round(v.from)));
  query.set("to", String(Math.round(v.to)));
  const address = location.hash.split("?")[0] + "?" + query.toString();
  history[remember ? "pushState" : "replaceState"](null, "", address);
  dispatchEvent(new PopStateEvent("popstate"));
}

type Asked = { data: Data; lanes: Lanes; view: View; depths: number } & Pick<Picture, "rows" | "path" | "selected" | "messages">;

/** usePicture draws the canvas and asks for what it lacks. What is there is drawn at once, moved and scaled; the picture never waits. */
function usePicture(a: Asked) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 800, height: 400 });
  const [scroll, setScroll] = useState(0);
  const [drawn, setDrawn] = useState<Drawn>();
  const [error, setError] = useState("");
  const [under, setUnder] = useState("");
  const items = useRef<Item[]>([]);
  const serial = useRef(0);
  useEffect(() => {
    const look = () => {
      if (canvas.current && box.current) setSize({ width: canvas.current.clientWidth, height: box.current.clientHeight });
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
      ask(a.data, a.lanes, { from: from - room, to: to + room, lanes: visible, depths: a.depths, pixels: Math.min(16000, Math.round(2 * size.width)) }).then(
        (d) => { if (mine === serial.current) { setDrawn(d); setError(""); } },
        (e: unknown) => mine === serial.current && setError(e instanceof Error ? e.message : String(e)),
      );
    }, drawn ? 60 : 0);
    return () => clearTimeout(timer);
  }, [a.lanes, wanted, from, to, a.depths, size.width, drawn]);
  useLayoutEffect(() => {
    if (!canvas.current) return;
    items.current = draw(canvas.current, { ...size, view: a.view, rows: a.rows, scroll, drawn, path: a.path, selected: a.selected, messages: a.messages });
    canvas.current.dataset["boxes"] = String(items.current.length); // for tests
  }, [drawn, from, to, a.rows, a.path, a.selected, a.messages, scroll, size]);
  const hands = useHands({ canvas, items, view: a.view, width: size.width, drawn, lanes: a.lanes, setUnder, box });
  const scrolled = useCallback((e: Event) => setScroll((e.currentTarget as HTMLElement).scrollTop), []);
  return { canvas, box, drawn, error, under, scroll, scrolled, hands, summary: summary(a, drawn) };
}

/** covers reports whether what was drawn suffices for a view: it has the lanes and the time, and its pixels are not much wider. */
function covers(d: Drawn, a: Asked, visible: number[], width: number): boolean {
  const has = new Set(d.asked.lanes);
  const pixel = (d.asked.to - d.asked.from) / d.asked.pixels;
  const now = (a.view.to - a.view.from) / width;
  return d.asked.depths === a.depths && visible.every((p) => has.has(p)) && d.asked.from <= a.view.from && d.asked.to >= a.view.to && pixel <= now * 1.25 && pixel >= now / 4;
}

/** summary says what the picture shows to those who do not see it. */
function summary(a: Asked, drawn: Drawn | undefined): string {
  if (!drawn) return "The timeline is being read.";
  const m = drawn.arrows;
  const arrows = m.groups > 0 ? "too many messages to draw: zoom in" : m.total > m.slowest.length ? `the slowest ${count(m.slowest.length)} of ${count(m.total)} messages` : plural(m.total, "message");
  return `${plural(a.rows.length, "lane")} from ${duration(a.view.from)} to ${duration(a.view.to)}. In this window and as far again beside it, the lanes in sight have ${plural(drawn.boxes.total, "execution")} and ${arrows}.`;
}

interface Hands {
  canvas: { current: HTMLCanvasElement | null };
  box: { current: HTMLDivElement | null };
  items: { current: Item[] };
  view: View;
  width: number;
  drawn: Drawn | undefined;
  lanes: Lanes;
  setUnder: (text: string) => void;
}

/** useHands moves the picture by mouse and keys, and selects. */
function useHands(h: Hands) {
  const now = useRef(h);
  now.current = h;
  const drag = useRef<{ x: number; view: View; moved: boolean } | null>(null);
  const timeAt = (x: number) => now.current.view.from + (x / now.current.width) * (now.current.view.to - now.current.view.from);
  const itemAt = (e: MouseEvent) => at(now.current.items.current, e.offsetX, e.offsetY);
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
      else if (key === "escape") change("sel", "", true);
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
      const i = itemAt(e);
      now.current.setUnder(i && now.current.drawn ? say(now.current.drawn.boxes, i.box, now.current.lanes.lanes) : "");
    },
    onPointerLeave: () => now.current.setUnder(""),
    onPointerUp(e: PointerEvent) {
      const d = drag.current;
      drag.current = null;
      if (!d || d.moved) return;
      const i = itemAt(e);
      const b = now.current.drawn?.boxes;
      const longest = i && b ? b.longest[i.box] : null;
      select(longest ?? undefined, i && b ? b.start_ns[i.box]! : 0, i && b && b.count[i.box] === 1);
    },
    onDblClick(e: MouseEvent) {
      const i = itemAt(e);
      const b = now.current.drawn?.boxes;
      if (!i || !b) return;
      const room = Math.max((b.finish_ns[i.box]! - b.start_ns[i.box]!) / 10, 5);
      go({ from: b.start_ns[i.box]! - room, to: b.finish_ns[i.box]! + room }, true);
    },
  };
}

/** select puts an execution into the address. A sum says when its longest execution may have begun, and not when it did. */
function select(execution: number | undefined, near: number, exact: boolean | undefined) {
  const place = location.hash.split("?");
  const query = new URLSearchParams(place[1] ?? "");
  query.delete("sel");
  query.delete("near");
  if (execution !== undefined) {
    query.set("sel", String(execution));
    if (exact) query.set("near", String(Math.round(near)));
  }
  const [page = "", ...of] = place[0]!.replace(/^#\//, "").split("/").map(decodeURIComponent);
  history.pushState(null, "", addressOf(page, of, Object.fromEntries(query)));
  dispatchEvent(new PopStateEvent("popstate"));
}

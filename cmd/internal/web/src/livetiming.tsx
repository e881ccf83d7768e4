// The timing behaviour diagram: components across, time down. Lanes of a component stand side by side, so that what runs at the same time is seen;
// where a component waits for others its execution is hatched; what still runs is light green and has no lower edge.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { stepOf } from "./livescale";
import type { Frame, Sight } from "./livestate";
import { useScheme } from "./scheme";
import type { Ink } from "./timelinecanvas";
import { make, Paper, usePaper } from "./paper";
import { Name } from "./ui";
import { duration, printable, ticks } from "./units";

export const timingHeight = 420;
const columnWidth = [110, 240] as const; // pixels, at least and at most
const gutter = 64;
const columnsOnPaper = 8;

interface Column {
  component: number;
  lanes: number[];
  x: number;
  width: number;
}

/** Tints are the colours of the picture. */
interface Tints {
  ink: string;
  muted: string;
  rule: string;
  open: string; // what runs still: where it waits, its hatching, and where it works
  openRule: string;
  openWork: string;
  waits: string; // what ended: where it waits, its hatching, and where it works
  waitsRule: string;
  works: string;
  chosen: string;
}

/** onWhite are the colours on white paper. */
const onWhite: Tints = { ink: "#000000", muted: "#444444", rule: "#999999", open: "#d8f5d0", openRule: "#7fc46d", openWork: "#8fdc7a", waits: "#e3e8ee", waitsRule: "#8d99a6", works: "#3f88c5", chosen: "#d40000" };

/** tintsOf are those on the ground of the page, which follows the system. */
function tintsOf(e: Element): Tints {
  const css = getComputedStyle(e);
  const of = (name: string) => css.getPropertyValue(name).trim();
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const rest = dark ? { open: "#1f3a1c", openRule: "#57a345", openWork: "#6cc454", waits: "#26323e", waitsRule: "#6f8295", works: "#5aa9e6", chosen: "#ff6b6b" } : onWhite;
  return { ...rest, ink: of("--ink"), muted: of("--muted"), rule: of("--line") };
}

export function Timing({ frame, sight, set }: { frame: Frame; sight: Sight; set: (s: Partial<Sight>) => void }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [chosen, choose] = useState<{ component: number; lane: string; start: number } | null>(null);
  const b = frame.boxes;
  const room = document.documentElement.clientWidth - 60 - gutter;
  const columns = useMemo(() => {
    const of = new Map<number, number[]>();
    b?.component?.forEach((c, i) => {
      const lanes = of.get(c) ?? [];
      const lane = b.lane?.[i] ?? 0;
      if (!lanes.includes(lane)) lanes.push(lane);
      of.set(c, lanes);
    });
    let x = gutter;
    const even = Math.min(columnWidth[1], Math.max(columnWidth[0], Math.floor(room / of.size)));
    return [...of.keys()].sort((a, c) => a - c).map((component): Column => {
      const lanes = (of.get(component) ?? []).sort((a, c) => a - c);
      const width = Math.max(even, 14 + lanes.length * 16);
      const column = { component, lanes, x, width };
      x += width;
      return column;
    });
  }, [b, room]);
  const width = Math.max(gutter + columnWidth[0], ...columns.map((c) => c.x + c.width));
  const from = frame.at_ns - sight.span;
  const y = (t: number) => ((t - from) / sight.span) * timingHeight;
  const place = (i: number): [x: number, w: number] => {
    const c = columns.find((c) => c.component === b?.component?.[i]);
    if (!c || !b) return [0, 0];
    const w = Math.min(c.width / 4, (c.width - 14) / c.lanes.length);
    return [c.x + c.width / 2 - (w * c.lanes.length) / 2 + w * c.lanes.indexOf(b.lane?.[i] ?? 0), w - 2];
  };
  const found = b?.component?.findIndex((c, i) => chosen && c === chosen.component && b.start_ns?.[i] === chosen.start && b.lanes?.[b.lane?.[i] ?? 0] === chosen.lane) ?? -1;
  const paint = (g: Ink, { ink, muted, rule, open: openFill, openRule, openWork, waits, waitsRule, works, chosen: outline }: Tints) => {
    g.font = "11px system-ui, sans-serif";
    const step = stepOf(sight.span, 12);
    for (let t = Math.max(0, Math.ceil(from / step) * step); t < frame.at_ns; t += step) {
      g.fillStyle = rule;
      g.fillRect(gutter - 6, y(t), width, 1);
      g.fillStyle = muted;
      g.fillText(ticks(Math.round(t)), 2, Math.max(10, y(t) + 4));
    }
    for (const c of columns) {
      g.fillStyle = rule;
      g.fillRect(c.x + c.width / 2, 0, 1, timingHeight);
    }
    if (!b?.component) return;
    b.component.forEach((_, i) => {
      const [x, w] = place(i);
      const top = Math.max(-2, y(b.start_ns?.[i] ?? 0));
      const end = Math.max(top + 1, y(b.end_ns?.[i] ?? 0));
      const open = b.open?.[i] ?? false;
      g.fillStyle = open ? openFill : waits;
      g.fillRect(x, top, w, end - top);
      if (end - top < 6) return;
      g.strokeStyle = open ? openRule : waitsRule;
      g.lineWidth = 1;
      g.beginPath();
      for (let h = top + 4; h < end; h += 6) {
        g.moveTo(x, Math.min(end, h + 4));
        g.lineTo(x + w, Math.max(top, h - 4));
      }
      g.stroke();
    });
    b.work_box?.forEach((i, k) => {
      const [x, w] = place(i);
      const top = y(b.work_from_ns?.[k] ?? 0);
      g.fillStyle = b.open?.[i] ? openWork : works;
      g.fillRect(x, top, w, Math.max(1, y(b.work_to_ns?.[k] ?? 0) - top));
    });
    b.component.forEach((_, i) => {
      const [x, w] = place(i);
      const top = y(b.start_ns?.[i] ?? 0);
      const end = Math.max(top + 1, y(b.end_ns?.[i] ?? 0));
      if (end - top < 3 && i !== found) return; // an outline would hide what is in it
      g.strokeStyle = i === found ? outline : ink;
      g.lineWidth = i === found ? 2.5 : 0.7;
      g.beginPath();
      g.moveTo(x, end);
      g.lineTo(x, top);
      g.lineTo(x + w, top);
      g.lineTo(x + w, end);
      if (b.open?.[i]) for (let k = 0; k <= 4; k++) g.lineTo(x + w - (w * k) / 4, end + (k % 2 ? 4 : 0)); // ragged: it goes on
      else g.closePath();
      g.stroke();
      const caller = columns.find((c) => c.component === b.caller?.[i]);
      if (caller && b.component && b.component.length < 300 && top > 0) {
        const a = caller.x + caller.width / 2;
        const to = a < x ? x : x + w;
        g.strokeStyle = muted;
        g.lineWidth = 0.8;
        g.beginPath();
        g.moveTo(a, top);
        g.lineTo(to, top);
        g.lineTo(to + (a < x ? -5 : 5), top - 3);
        g.stroke();
      }
    });
  };
  useEffect(() => {
    const e = canvas.current;
    const g = e?.getContext("2d");
    if (!e || !g) return;
    const ratio = Math.min(2, devicePixelRatio || 1);
    if (e.width !== Math.round(width * ratio) || e.height !== timingHeight * ratio) {
      e.width = Math.round(width * ratio);
      e.height = timingHeight * ratio;
      e.style.width = width + "px";
      e.style.height = timingHeight + "px";
    }
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.clearRect(0, 0, width, timingHeight);
    paint(g, tintsOf(e));
  });
  const paper = useRef<HTMLDivElement>(null);
  const draw = useRef<(() => Element) | undefined>(undefined);
  draw.current = () => {
    // As many columns beside each other as letters of a readable size leave room for, the next ones below them.
    const all = document.createElement("div");
    const picture = make(document.createElement("div"), "g", { id: "tbd-on-paper" });
    paint(new Paper(picture), onWhite);
    for (let first = 0; first < columns.length; first += columnsOnPaper) {
      const some = columns.slice(first, first + columnsOnPaper);
      const [left, last] = [some[0]!.x, some[some.length - 1]!];
      const wide = last.x + last.width - left;
      const svg = make(all, "svg", { viewBox: `0 0 ${gutter + wide} ${timingHeight + 22}`, role: "img", "aria-label": "Timing behaviour diagram", class: "paper" });
      for (const c of some) make(svg, "text", { x: gutter + c.x - left + c.width / 2, y: 14, "font-size": 11.5, "text-anchor": "middle" }).textContent = printable(frame.components[c.component] ?? "").slice(0, 18);
      const place = (x: number, width: number, from: number) => make(make(svg, "svg", { x, y: 22, width, height: timingHeight, viewBox: `${from} 0 ${width} ${timingHeight}` }), "g", {});
      const scale = place(0, gutter, 0);
      if (first === 0) scale.append(picture);
      else make(scale, "use", { href: "#tbd-on-paper" });
      make(place(gutter, wide, left), "use", { href: "#tbd-on-paper" });
    }
    return all;
  };
  usePaper(paper, draw);
  useScheme(); // the picture is drawn again when the system turns dark or light
  const click = (e: MouseEvent) => {
    const box = canvas.current?.getBoundingClientRect();
    if (!box || !b?.component) return;
    const [px, py] = [e.clientX - box.left, e.clientY - box.top];
    for (let i = b.component.length - 1; i >= 0; i--) {
      const [x, w] = place(i);
      if (px >= x - 1 && px <= x + w + 1 && py >= y(b.start_ns?.[i] ?? 0) - 2 && py <= y(b.end_ns?.[i] ?? 0) + 2) {
        if (sight.against) set({ component: frame.components[b.component[i] ?? 0] ?? "", function: frame.functions[b.function?.[i] ?? 0] ?? "" });
        return choose({ component: b.component[i] ?? 0, lane: b.lanes?.[b.lane?.[i] ?? 0] ?? "", start: b.start_ns?.[i] ?? 0 });
      }
    }
    choose(null);
  };
  const pick = (i: number) => choose({ component: b?.component?.[i] ?? 0, lane: b?.lanes?.[b.lane?.[i] ?? 0] ?? "", start: b?.start_ns?.[i] ?? 0 });
  /** key chooses the execution that begins before or after the chosen one. */
  const key = (e: KeyboardEvent) => {
    if (!b?.component || e.ctrlKey || e.metaKey || e.altKey) return;
    const order = b.component.map((_, i) => i).sort((i, k) => (b.start_ns?.[i] ?? 0) - (b.start_ns?.[k] ?? 0) || i - k);
    const at = order.indexOf(found);
    if (e.key === "]") pick(order[Math.min(order.length - 1, at + 1)]!);
    else if (e.key === "[") pick(order[at < 0 ? order.length - 1 : Math.max(0, at - 1)]!);
    else if (e.key === "Escape") choose(null);
    else return;
    e.preventDefault();
  };
  if (!b || b.cause) return <p class="lead">{b?.cause ?? "Reading …"}</p>;
  if (columns.length === 0) return <p class="lead">No component ran in the time that the scale shows.</p>;
  return (
    <>
      <div class="tbd" tabIndex={0} role="region" aria-label="Timing behaviour diagram">
        <div class="heads" ref={(e) => { if (e) e.style.width = width + "px"; }}>
          {columns.map((c) => <span key={c.component} ref={(e) => { if (e) { e.style.left = c.x + "px"; e.style.width = c.width - 4 + "px"; } }} title={printable(frame.components[c.component] ?? "")}>{printable(frame.components[c.component] ?? "")}</span>)}
        </div>
        <canvas ref={canvas} onClick={click} onKeyDown={key} tabIndex={0} role="img" aria-label="Executions: [ and ] choose the one before and after" />
      </div>
      <div class="onpaper" ref={paper} />
      {found >= 0 && b.component ? (
        <p class="livebar" role="status">
          <Name of={frame.components[b.component[found] ?? 0] ?? ""} />.<Name of={frame.functions[b.function?.[found] ?? 0] ?? ""} /> on <Name of={b.lanes?.[b.lane?.[found] ?? 0] ?? ""} />
          {(b.count?.[found] ?? 1) > 1 ? `: ${b.count?.[found]} executions within a pixel, ` : ": "}
          begins at {(b.start_ns?.[found] ?? 0) / 1e6} ms, {b.open?.[found] ? "runs still" : `ends at ${(b.end_ns?.[found] ?? 0) / 1e6} ms`}; {duration((b.end_ns?.[found] ?? 0) - (b.start_ns?.[found] ?? 0))} raw,{" "}
          {duration(b.self_ns?.[found] ?? 0)} real within the scale; called by {(b.caller?.[found] ?? -1) < 0 ? "nobody on its lane" : <Name of={frame.components[b.caller?.[found] ?? 0] ?? ""} />}
        </p>
      ) : (
        <p class="livebar"><small>Click an execution, or press [ or ] on the picture, for its times. Solid: the component works; hatched: it waits for others; green: it runs still.</small></p>
      )}
    </>
  );
}

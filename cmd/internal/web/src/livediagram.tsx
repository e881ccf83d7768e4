// The execution behaviour diagram: components with their ports and connections, coloured by how hot they are. The number stands beside the
// colour, and the frame is the wider, the more executions there are.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { arrange, portY, wireKey, type Part, type Wire } from "./livelayout";
import { drawing, type Drawing } from "./livemodel";
import type { Frame, Model, Sight } from "./livestate";
import { Name } from "./ui";
import { count, duration, percent, printable } from "./units";

/** heat is how hot a component is, its colour and how much of that: beside a baseline the difference, which has another colour where it is less than 0. */
export function heat(frame: Frame, sight: Sight, i: number): [hotness: number, base: string, value: number] {
  if (!sight.against || !frame.against?.difference) return [frame.hotness?.[i] ?? 0, sight.base, frame.colour?.[i] ?? 0];
  const h = frame.against.difference[i] ?? 0;
  return [h, h < 0 ? cooler(sight) : sight.base, frame.against.colour?.[i] ?? 0];
}

/** cooler is the colour of what is less than in the baseline. */
export const cooler = (s: Sight) => (s.base === "#0b57d0" ? "#d40000" : "#0b57d0");

/** signed writes a hotness, beside a baseline with its sign. */
export const signed = (h: number, sight: Sight) => (sight.against && h > 0 ? "+" + h : String(h).replace("-", "−"));

/** mixed is white with so much of a colour, from 0 to 255, and whether text on it is white. */
export function mixed(base: string, value: number): [fill: string, light: boolean] {
  const of = [1, 3, 5].map((i) => parseInt(base.slice(i, i + 2), 16));
  const rgb = of.map((c) => Math.round(255 + ((c - 255) * value) / 255));
  const [r = 0, g = 0, b = 0] = rgb.map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  return [`rgb(${rgb.join(" ")})`, 0.2126 * r + 0.7152 * g + 0.0722 * b < 0.18];
}

const short = (name: string, most: number) => {
  const text = printable(name);
  return text.length > most ? text.slice(0, most - 1) + "…" : text;
};

/** middle shortens a name in its middle: many begin alike, and what they end with tells them apart. */
const middle = (name: string, most: number) => {
  const text = printable(name);
  return text.length > most ? text.slice(0, Math.floor(most / 3)) + "…" + text.slice(text.length - Math.ceil((most * 2) / 3) + 1) : text;
};

export function Diagram({ frame, sight, model }: { frame: Frame; sight: Sight; model?: Model }) {
  const missing = (sight.against && frame.against?.judged?.missing) || [];
  const shape = [frame.components.length, frame.links.length, model?.components.length, ...missing].join("\n");
  const [arranged, arrangeAgain] = useState(0);
  const [moved, move] = useState<Map<string, [number, number]>>(new Map()); // by component
  const [drawn, plan] = useMemo(() => {
    const d = drawing(frame, model, missing);
    return [d, arrange(d)] as const;
  }, [shape, arranged]);
  const { names } = drawn;
  const parts = plan.parts.map((p) => {
    const [x, y] = moved.get(names[p.component] ?? "") ?? [p.x, p.y];
    return { ...p, x, y };
  });
  // All of it is in sight at first, in the middle, but few components are not blown up.
  const [right, bottom] = [Math.max(0, ...plan.parts.map((p) => p.x + p.width + 20)), Math.max(0, ...plan.parts.map((p) => p.y + p.height + 20))];
  const [width, height] = [Math.max(1000, right), Math.max(300, bottom)];
  const home = { x: (right - width) / 2, y: (bottom - height) / 2, scale: 1 };
  const [view, see] = useState<{ x: number; y: number; scale: number } | null>(null);
  const svg = useRef<SVGSVGElement>(null);
  const dragged = useRef<{ part: number | null; x: number; y: number; ox: number; oy: number } | null>(null);
  const shown = view ?? home;
  const perPixel = () => Math.max((width * shown.scale) / (svg.current?.clientWidth || 1000), (height * shown.scale) / (svg.current?.clientHeight || 400));
  useEffect(() => {
    const e = svg.current;
    if (!e) return;
    const zoom = (w: WheelEvent) => {
      w.preventDefault();
      see((old) => {
        const v = old ?? home;
        const scale = Math.min(4, Math.max(0.05, v.scale * (w.deltaY > 0 ? 1.15 : 1 / 1.15)));
        const box = e.getBoundingClientRect();
        const fx = (w.clientX - box.left) / box.width;
        const fy = (w.clientY - box.top) / box.height;
        return { x: v.x + fx * width * (v.scale - scale), y: v.y + fy * height * (v.scale - scale), scale };
      });
    };
    e.addEventListener("wheel", zoom, { passive: false });
    return () => e.removeEventListener("wheel", zoom);
  }, [width, height]);
  // From afar the texts of a component are too small to be read: a large number stands in their place.
  const far = 1 / perPixel() < 0.5;
  const most = Math.max(1, ...(frame.calls ?? []));
  const busiest = Math.max(1, ...plan.wires.map((w) => w.calls));
  const begin = (e: PointerEvent, part: number | null, ox: number, oy: number) => {
    e.stopPropagation();
    svg.current?.setPointerCapture(e.pointerId);
    dragged.current = { part, x: e.clientX, y: e.clientY, ox, oy };
  };
  const drag = (e: PointerEvent) => {
    const d = dragged.current;
    if (!d) return;
    const dx = (e.clientX - d.x) * perPixel();
    const dy = (e.clientY - d.y) * perPixel();
    if (d.part === null) see({ ...shown, x: d.ox - dx, y: d.oy - dy });
    else move(new Map(moved).set(names[d.part] ?? "", [d.ox + dx, d.oy + dy]));
  };
  return (
    <>
      <p class="livebar">
        <button type="button" onClick={() => { move(new Map()); see(null); arrangeAgain(arranged + 1); }}>Arrange</button>{" "}
        <button type="button" onClick={() => see({ ...shown, scale: shown.scale / 1.3 })} aria-label="Zoom in">+</button>{" "}
        <button type="button" onClick={() => see({ ...shown, scale: shown.scale * 1.3 })} aria-label="Zoom out">−</button>{" "}
        <small>Drag a component or the ground; the wheel zooms. The number is the {sight.against ? "difference to the baseline" : "hotness"}; a wider frame means more executions; dashed: nothing ran in the window.{far && " From afar only what is hot has its name; a hover names the others."}</small>
      </p>
      <svg ref={svg} class="ebd" role="img" aria-label="Execution behaviour diagram" viewBox={`${shown.x} ${shown.y} ${width * shown.scale} ${height * shown.scale}`} preserveAspectRatio="xMidYMid meet"
        onPointerDown={(e) => begin(e, null, shown.x, shown.y)} onPointerMove={drag} onPointerUp={() => (dragged.current = null)}>
        <g class="wires">
          {plan.wires.map((w) => {
            const a = parts[w.from];
            const b = parts[w.to];
            if (!a || !b) return null;
            const [x1, y1, x2, y2] = [a.x + a.width + 5, portY(a, w.out), b.x - 5, portY(b, w.in)];
            const bend = Math.max(40, Math.abs(x2 - x1) / 2);
            return <path key={wireKey(w)} class={w.undeclared ? "undeclared" : w.calls ? undefined : "unused"} data-wire={names[w.from] + " > " + names[w.to]} d={`M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`} stroke-width={1 + 2.5 * Math.sqrt(w.calls / busiest)}><title>{said(w, names)}</title></path>;
          })}
        </g>
        {parts.map((p) => p.component >= frame.components.length ? <Unseen key={names[p.component]} part={p} name={names[p.component] ?? ""} modelled={model?.components.some((c) => c.name === names[p.component]) ?? false} far={far} onBegin={(e) => begin(e, p.component, p.x, p.y)} /> : <Box key={p.component} part={p} frame={frame} sight={sight} most={most} far={far} onBegin={(e) => begin(e, p.component, p.x, p.y)} />)}
        {far && parts.map((p) => Math.abs(heat(frame, sight, p.component)[0]) >= leastTold && <text key={names[p.component]} class="farname" x={p.x + p.width / 2} y={p.y - 10} text-anchor="middle">{middle(names[p.component] ?? "", 24)}</text>)}
      </svg>
      <Hottest frame={frame} sight={sight} />
      {model && <Connections drawn={drawn} model={model} />}
    </>
  );
}

/** said is a wire in words. */
function said(w: Wire, names: string[]): string {
  const ends = `${printable(names[w.from] ?? "")} → ${printable(names[w.to] ?? "")}`;
  return w.undeclared ? `${ends}: called, and the model has no such connection` : w.calls ? ends : `${ends}: the model has this connection, and nothing ran over it yet`;
}

const mostUndeclared = 8;

/** Connections says in words how what ran fits the connections of the model. */
function Connections({ drawn: { names, calls }, model }: { drawn: Drawing; model: Model }) {
  const unused = calls.filter((c) => c.calls === 0).length;
  const beside = calls.filter((c) => c.undeclared);
  return (
    <p class="livebar modelled">
      Calls ran over {count(model.connections.length - unused)} of the {count(model.connections.length)} connections of the model; the others are dotted.
      {beside.length > 0 && <>{" "}<b>{count(beside.length)} not in the model</b>, in red:{" "}
        {beside.slice(0, mostUndeclared).map((c) => <span><Name of={names[c.from] ?? ""} most={40} /> → <Name of={names[c.to] ?? ""} most={40} />, <Name of={c.in} most={40} />. </span>)}
        {beside.length > mostUndeclared && `And ${count(beside.length - mostUndeclared)} more.`}</>}
    </p>
  );
}

/** Unseen is a component that the model or the baseline has and that did not run yet. */
function Unseen({ part: p, name, modelled, far, onBegin }: { part: Part; name: string; modelled: boolean; far: boolean; onBegin: (e: PointerEvent) => void }) {
  return (
    <g class="part unseen" data-component={name} onPointerDown={onBegin}>
      <title>{`${printable(name)}: the ${modelled ? "model" : "baseline"} has it, and it did not run yet`}</title>
      <rect x={p.x} y={p.y} width={p.width} height={p.height} rx="4" fill="none" stroke-dasharray="1 4" />
      <text x={p.x + 8} y={p.y + 17} class="title">{short(name, Math.floor((p.width - 16) / 7))}</text>
      <text x={p.x + 8} y={p.y + 33} class="small">not seen yet</text>
      {!far && <Pins part={p} />}
    </g>
  );
}

const mostHot = 8;

/** Hottest names the hottest components in words, for those who do not see the diagram, or not its small texts. */
function Hottest({ frame, sight }: { frame: Frame; sight: Sight }) {
  const hot = frame.components.map((name, i) => ({ name, hotness: heat(frame, sight, i)[0] })).filter((c) => c.hotness !== 0).sort((a, b) => Math.abs(b.hotness) - Math.abs(a.hotness));
  const critical = frame.critical;
  if (critical && (critical.cause || critical.all_ns === 0)) return <p class="livebar hottest" role="status">{critical.cause ?? "No critical path lies in the window."}</p>;
  if (sight.against && frame.against?.uncompared) return <p class="livebar hottest" role="status">Nothing is compared: {frame.against.uncompared}</p>;
  if (sight.against && hot.length === 0) return <p class="livebar hottest">{frame.against?.difference ? "No component differs from the baseline in the window." : "The baseline is being read."}</p>;
  return (
    <p class="livebar hottest">
      {hot.length === 0 ? "Nothing ran in the window." : <>{sight.against ? "Differs most" : "Hottest"} of {count(frame.components.length)}:{" "}{hot.slice(0, mostHot).map((c) => <span><Name of={c.name} most={40} /> <b>{signed(c.hotness, sight)}</b></span>)}</>}
      {critical && <>{" "}Critical paths take {duration(critical.all_ns)} together in the window; a component has the share of that which stands in it.</>}
    </p>
  );
}

/** leastTold is how hot a component is at least whose name stands beside it from afar, where names of all would be too small to be read. */
const leastTold = 2;

function Box({ part: p, frame, sight, most, far, onBegin }: { part: Part; frame: Frame; sight: Sight; most: number; far: boolean; onBegin: (e: PointerEvent) => void }) {
  const i = p.component;
  const calls = frame.calls?.[i] ?? 0;
  const [hotness, base, value] = heat(frame, sight, i);
  const [fill, light] = mixed(base, value);
  const time = (sight.times === "real" ? frame.self_ns?.[i] : frame.busy_ns?.[i]) ?? 0;
  const running = frame.running?.[i] ?? 0;
  const onPaths = frame.critical?.ns?.[i] ?? 0;
  const shared = frame.critical?.all_ns ? percent(onPaths, frame.critical.all_ns) : "";
  const name = frame.components[i] ?? "";
  return (
    <g class={"part" + (light ? " onDark" : "")} data-component={name} data-hotness={hotness} onPointerDown={onBegin}>
      <title>{`${printable(name)}: ${sight.against ? "difference" : "hotness"} ${signed(hotness, sight)}; ${count(calls)} executions, ${duration(frame.busy_ns?.[i] ?? 0)} raw, ${duration(frame.self_ns?.[i] ?? 0)} real, 95 % within ${duration(frame.p95_ns?.[i] ?? 0)}; ${running} running${shared && `; ${duration(onPaths)} on critical paths, ${shared} of all`}`}</title>
      <rect x={p.x} y={p.y} width={p.width} height={p.height} rx="4" fill={fill} stroke-width={calls ? 1 + 4 * Math.sqrt(calls / most) : 1} stroke-dasharray={calls ? undefined : "4 3"} />
      {far ? <>
      <text x={p.x + p.width / 2} y={p.y + p.height / 2 + 12} class="far" text-anchor="middle">{signed(hotness, sight)}</text>
      </> : <>
      <text x={p.x + 8} y={p.y + 17} class="title">{short(name, Math.floor((p.width - 40) / 7))}</text>
      <text x={p.x + p.width - 8} y={p.y + 17} class="hot" text-anchor="end">{signed(hotness, sight)}</text>
      <text x={p.x + 8} y={p.y + 33} class="small">{shared ? `${shared} critical` : <>{duration(time)}, {count(calls)}×</>}{running > 0 ? ` · ${running} running` : ""}</text>
      <Pins part={p} />
      </>}
    </g>
  );
}

/** Pins are the ports of a component. */
function Pins({ part: p }: { part: Part }) {
  return (
    <>
      {p.in.map((port, k) => <Pin x={p.x} y={portY(p, k)} name={port.name} calls={port.calls} inward room={p.width / 2} />)}
      {p.out.map((port, k) => <Pin x={p.x + p.width} y={portY(p, k)} name={port.name} calls={port.calls} room={p.width / 2} />)}
    </>
  );
}

/** ending is what a name of words and dots ends with, where all of it is too long: those of one component begin alike. */
const ending = (name: string, most: number) => (name.length > most && /^[\w$.]+$/.test(name) ? name.slice(name.lastIndexOf(".") + 1) : name);

function Pin({ x, y, name, calls, inward, room }: { x: number; y: number; name: string; calls: number; inward?: boolean; room: number }) {
  const most = Math.max(4, Math.floor((room - 12) / 5.4));
  return (
    <g class="pin">
      <title>{`${inward ? "is called through" : "calls"} ${printable(name)}, ${count(calls)} times so far`}</title>
      <rect x={x - 4} y={y - 4} width="8" height="8" />
      <text x={inward ? x + 8 : x - 8} y={y + 4} text-anchor={inward ? "start" : "end"}>{short(ending(name, most), most)}</text>
    </g>
  );
}

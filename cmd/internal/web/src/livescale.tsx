// The time scale with the window of the interval filter: both are moved and resized by mouse and keyboard.

import { useEffect, useRef, useState } from "preact/hooks";
import type { Frame, Sight } from "./livestate";
import { duration, ticks } from "./units";

/** windowOf is where the window lies. */
export function windowOf(s: Sight, f: Frame): [from: number, to: number] {
  const to = s.anchor ?? f.at_ns - s.offset;
  return [to - s.interval, to];
}

const tall = 54;

/** stepOf is the least of 1, 2, 5, 10, 20 … of which a span has no more than some. */
export function stepOf(span: number, most: number): number {
  const ten = 10 ** Math.floor(Math.log10(span / Math.max(1, most)));
  return [1, 2, 5].map((f) => f * ten).find((s) => span / s <= most) ?? 10 * ten;
}

export function Scale({ frame, sight, set }: { frame: Frame; sight: Sight; set: (s: Partial<Sight>) => void }) {
  const svg = useRef<SVGSVGElement>(null);
  const [wide, measured] = useState(1000); // pixels
  useEffect(() => {
    const e = svg.current;
    if (!e) return;
    const seen = new ResizeObserver(() => measured(Math.max(200, e.clientWidth)));
    seen.observe(e);
    return () => seen.disconnect();
  }, []);
  const drag = useRef<{ what: "scale" | "window" | "from" | "to"; x: number; sight: Sight; at: number; from: number; to: number } | null>(null);
  const left = frame.at_ns - sight.span;
  const x = (t: number) => ((t - left) / sight.span) * wide;
  const [from, to] = windowOf(sight, frame);
  useEffect(() => {
    const e = svg.current;
    if (!e) return;
    const zoom = (w: WheelEvent) => {
      w.preventDefault();
      set({ span: Math.min(1e15, Math.max(1000, sight.span * (w.deltaY > 0 ? 1.25 : 0.8))) });
    };
    e.addEventListener("wheel", zoom, { passive: false });
    return () => e.removeEventListener("wheel", zoom);
  });
  const begin = (e: PointerEvent, what: "scale" | "window" | "from" | "to") => {
    e.stopPropagation();
    svg.current?.setPointerCapture(e.pointerId);
    drag.current = { what, x: e.clientX, sight, at: frame.at_ns, from, to };
  };
  const move = (e: PointerEvent) => {
    const d = drag.current;
    if (!d || !svg.current) return;
    const by = ((e.clientX - d.x) / svg.current.clientWidth) * d.sight.span;
    if (d.what === "scale") set({ at: Math.min(frame.now_ns, Math.max(0, d.at - by)), speed: 0 });
    else shift(d.what, by, d.from, d.to);
  };
  /** shift moves an end of the window, or both. Where it is anchored its end is a moment, else a distance from the reference point. */
  const shift = (what: "window" | "from" | "to", by: number, from: number, to: number) => {
    const end = what === "from" ? to : Math.min(to + by, frame.now_ns);
    const start = what === "to" ? from : what === "from" ? Math.min(from + by, to - 1000) : end - (to - from);
    const interval = Math.max(1000, end - start);
    if (sight.anchor !== null) set({ anchor: Math.max(0, end), interval });
    else set({ offset: Math.max(0, frame.at_ns - end), interval });
  };
  const key = (e: KeyboardEvent) => {
    const step = sight.interval / 10;
    const by = e.key === "ArrowLeft" ? -step : e.key === "ArrowRight" ? step : 0;
    if (!by) return;
    e.preventDefault();
    shift(e.shiftKey ? "to" : "window", by, from, to);
  };
  const step = stepOf(sight.span, wide / 60); // 500 ms where ten seconds are shown, as in the thesis
  const marks: number[] = [];
  for (let t = Math.ceil(Math.max(0, left) / (step / 5)) * (step / 5); t <= frame.at_ns; t += step / 5) if (t >= 0) marks.push(t);
  return (
    <svg ref={svg} class="scale" viewBox={`0 0 ${wide} ${tall}`} preserveAspectRatio="none" onPointerDown={(e) => begin(e, "scale")} onPointerMove={move} onPointerUp={() => (drag.current = null)}>
      <g class="window" role="slider" tabindex={0} aria-label="Window of the interval filter" aria-valuenow={Math.round(to / 1e6)} aria-valuemin={0} aria-valuemax={Math.round(frame.now_ns / 1e6)} aria-valuetext={`from ${duration(Math.max(0, Math.round(from)))} to ${duration(Math.max(0, Math.round(to)))}`} onKeyDown={key}>
        <rect class="body" x={x(from)} y="18" width={Math.max(2, x(to) - x(from))} height={tall - 18} onPointerDown={(e) => begin(e, "window")} />
        <rect class="edge" x={x(from) - 4} y="18" width="8" height={tall - 18} onPointerDown={(e) => begin(e, "from")} />
        <rect class="edge" x={x(to) - 4} y="18" width="8" height={tall - 18} onPointerDown={(e) => begin(e, "to")} />
      </g>
      {marks.map((t) => {
        const major = Math.abs(t / step - Math.round(t / step)) < 1e-6;
        return (
          <g key={t}>
            <line x1={x(t)} x2={x(t)} y1={major ? 18 : 34} y2={tall} class={major ? "major" : "minor"} />
            {major && x(t) < wide - 25 && (x(t) > 25 || t === 0) && <text x={x(t)} y="13" text-anchor={x(t) > 25 ? "middle" : "start"}>{ticks(Math.round(t))}</text>}
          </g>
        );
      })}
    </svg>
  );
}

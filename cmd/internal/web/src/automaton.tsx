// The difference automaton of a fragment (Hilbig 2023, figure 3.16), drawn where the program placed it: removed red and dashed, added
// green and double, timing purple and bold, with counts and histograms on the transitions. A transition is chosen by click or by Enter.

import { useEffect, useRef, useState } from "preact/hooks";
import type { PlacedState, PlacedTransition, Positions } from "./types";
import { printable } from "./units";

const radius = 11;

export interface AutomatonProps {
  of: Positions;
  label: string;
  chosen: number; // a step; 0 for none
  search: string;
  onChoose: (t: PlacedTransition) => void;
  onUnfold?: (t: PlacedTransition) => void; // of a chain that is folded
  at?: number; // the state that comes into sight where no step is chosen
}

/** Automaton draws the whole picture in a box that scrolls. */
export function Automaton({ of, label, chosen, search, onChoose, onUnfold, at: state }: AutomatonProps) {
  const [zoom, setZoom] = useState(1);
  const box = useRef<HTMLDivElement>(null);
  const top = 70; // the layout leaves space for a title, which the page has elsewhere
  const found = (t: PlacedTransition) => search !== "" && t.tip.toLowerCase().includes(search.toLowerCase());
  const height = of.height - top;
  // What is chosen, or else the first that changed, comes into sight.
  useEffect(() => {
    const at = of.transitions.find((t) => (state !== undefined ? t.from === state : chosen ? t.step === chosen : t.look === "changed"));
    if (at && box.current) {
      box.current.scrollLeft = at.x * zoom - box.current.clientWidth / 3;
      box.current.scrollTop = (at.y - top) * zoom - box.current.clientHeight / 2;
    }
  }, [of, chosen, zoom, state]);
  const [sight, setSight] = useState<[number, number, number, number]>([0, 0, 0, 0]); // what the box shows: left, top, width, height
  useEffect(() => {
    const e = box.current;
    if (!e) return;
    const look = () => setSight([e.scrollLeft / zoom, e.scrollTop / zoom + top, e.clientWidth / zoom, e.clientHeight / zoom]);
    look();
    e.addEventListener("scroll", look, { passive: true });
    return () => e.removeEventListener("scroll", look);
  }, [of, zoom]);
  const goTo = (x: number, y: number) => box.current?.scrollTo(x * zoom - box.current.clientWidth / 2, (y - top) * zoom - box.current.clientHeight / 2);
  const fit = () => box.current && setZoom(Math.max(0.2, Math.min(1, (box.current.clientWidth - 4) / of.width)));
  return (
    <div class="automaton">
      <div class="zoom" role="group" aria-label="Size of the drawing">
        <button type="button" onClick={() => setZoom(zoom / 1.25)} aria-label="Smaller">
          −
        </button>
        <button type="button" onClick={() => setZoom(Math.min(3, zoom * 1.25))} aria-label="Larger">
          +
        </button>
        <button type="button" onClick={fit}>
          Fit
        </button>
        <button type="button" onClick={() => setZoom(1)}>
          100 %
        </button>
      </div>
      {(sight[2] < 0.8 * of.width || sight[3] < 0.8 * height) && sight[2] > 0 && <Minimap of={of} top={top} sight={sight} onGo={goTo} />}
      <div class="canvas" ref={box} tabIndex={0} role="region" aria-label={"Drawing of " + label}>
        <svg role="group" aria-label={label} width={of.width * zoom} height={height * zoom} viewBox={`0 ${top} ${of.width} ${height}`}>
          {of.transitions.map((t) => (
            <Transition t={t} size={of.histogram} chosen={t.step !== 0 && t.step === chosen} found={found(t)} onChoose={t.fold && onUnfold ? onUnfold : onChoose} unfolds={!!(t.fold && onUnfold)} />
          ))}
          {of.states.map((s) => (
            <State s={s} />
          ))}
        </svg>
      </div>
    </div>
  );
}

/** Minimap is the whole drawing, small, with a frame around what is in sight. It is for the mouse: the drawing itself scrolls by keys. */
function Minimap({ of, top, sight, onGo }: { of: Positions; top: number; sight: [number, number, number, number]; onGo: (x: number, y: number) => void }) {
  const height = of.height - top;
  const scale = Math.min(320 / of.width, 120 / height);
  const go = (e: MouseEvent) => {
    if (e.buttons !== 1) return;
    const at = (e.currentTarget as Element).getBoundingClientRect();
    onGo((e.clientX - at.left) / scale, (e.clientY - at.top) / scale + top);
  };
  return (
    <svg class="minimap" aria-hidden="true" width={of.width * scale} height={height * scale} viewBox={`0 ${top} ${of.width} ${height}`} onMouseDown={go} onMouseMove={go}>
      {of.transitions.map((t) => (
        <g class={t.look}>
          <path class="line" d={t.d} />
        </g>
      ))}
      <rect class="sight" x={sight[0]} y={sight[1]} width={Math.min(sight[2], of.width)} height={Math.min(sight[3], height)} />
    </svg>
  );
}

/** Transition draws a line with its head and its text. */
function Transition({ t, size, chosen, found, onChoose, unfolds }: { t: PlacedTransition; size: Positions["histogram"]; chosen: boolean; found: boolean; onChoose: (t: PlacedTransition) => void; unfolds: boolean }) {
  const direction = t.left ? 1 : -1;
  const side = t.base ? size.width + 6 : 0;
  const classes = ["transition", t.look, chosen && "chosen", found && "found", (t.step || unfolds) && "live", unfolds && "folded"].filter(Boolean).join(" ");
  const live = t.step || unfolds
    ? {
        tabindex: 0, role: "button" as const, ...(unfolds ? {} : { "aria-pressed": chosen }),
        onClick: () => onChoose(t),
        onKeyDown: (e: KeyboardEvent) => {
          if (e.key === "Enter" || e.key === " ") {
            e.preventDefault();
            onChoose(t);
          }
        },
      }
    : { role: "img" as const, "aria-label": printable(t.tip) };
  return (
    <g class={classes} {...live}>
      <rect class="hit" x={t.x - 6} y={t.y - t.above - 2} width={t.w + 10} height={t.above + t.below + 6} rx={5}>
        <title>{printable(t.tip) + (unfolds ? "\nA click shows these steps one by one." : "")}</title>
      </rect>
      <path class="line" d={t.d} />
      {t.look === "added" && <path class="core" d={t.d} />}
      <path class="arrow" d={`M${t.hx} ${t.hy}l${direction * 8} -3.5v7Z`} />
      {t.note && (
        <text class="small" x={t.x} y={t.upper}>
          {printable(t.note)}
        </text>
      )}
      <text class="event" x={t.x} y={t.upper - (t.note ? 13 : 0)}>
        {printable(t.label)}
      </text>
      {t.base && <Bars t={t} size={size} />}
      {t.lines.map((line, i) => (
        <text class={"small" + (i >= 2 ? " strong" : "")} x={t.x + side} y={t.y + 13 * (i + 1) + 1}>
          {printable(line)}
        </text>
      ))}
      {t.tag && (
        <g class="tag">
          <rect x={t.hx} y={t.hy - 8} width={6 * t.tag.length + 10} height={16} rx={8} />
          <text class="small" x={t.hx + 3 * t.tag.length + 5} y={t.hy + 3.5} text-anchor="middle">
            {t.tag}
          </text>
        </g>
      )}
    </g>
  );
}

/** Bars is the small histogram: the baseline rises from the axis, the candidate hangs from it, each as a share of its samples. */
function Bars({ t, size }: { t: PlacedTransition; size: Positions["histogram"] }) {
  const axis = t.y + 4 + size.lane;
  const width = size.width / t.base!.length;
  const shares = (counts: number[] | undefined) => {
    const all = counts?.reduce((a, b) => a + b, 0) ?? 0;
    return counts?.map((n) => (all ? n / all : 0)) ?? [];
  };
  const [b, c] = [shares(t.base), shares(t.cand)];
  const most = Math.max(...b, ...c, 1e-9);
  const path = (of: number[], up: number) =>
    of.map((s, i) => (s > 0 ? `M${t.x + i * width} ${axis}v${(up * Math.max(1, (size.lane * s) / most)).toFixed(2)}h${(width - 0.3).toFixed(2)}V${axis}Z` : "")).join("");
  return (
    <g class="bars">
      <path class="base" d={path(b, -1)} />
      <path class="cand" d={path(c, 1)} />
      <path class="axis" d={`M${t.x} ${axis}h${size.width}`} />
      <text class="tiny" x={t.x} y={axis + size.lane + 9}>
        {t.least}
      </text>
      <text class="tiny" x={t.x + size.width} y={axis + size.lane + 9} text-anchor="end">
        {t.greatest}
      </text>
    </g>
  );
}

/** State draws a circle with the number of the state. */
function State({ s }: { s: PlacedState }) {
  const circle = (inside: number) => (
    <rect x={s.x + inside} y={s.y - radius + inside} width={-2 * inside + s.w} height={2 * (radius - inside)} rx={radius - inside} />
  );
  const words = [`state ${s.n}`, s.initial && "initial", s.accepting && "accepting", s.side === "base" && "only in the baseline", s.side === "cand" && "only in the candidate"];
  return (
    <g class={"state " + s.side}>
      <title>{words.filter(Boolean).join(", ")}</title>
      {s.initial && <path class="entry" d={`M${s.x - 22} ${s.y}h14m0 -3.5l8 3.5l-8 3.5Z`} />}
      {circle(0)}
      {s.accepting && circle(3)}
      <text class="small" x={s.x + s.w / 2} y={s.y + 3.5} text-anchor="middle">
        {s.n}
      </text>
    </g>
  );
}

/** Legend says what the lines mean. */
export function Legend({ compared }: { compared: boolean }) {
  if (!compared) return null;
  const looks: [PlacedTransition["look"], string][] = [
    ["unchanged", "unchanged"], ["removed", "only in the baseline"], ["added", "only in the candidate"], ["changed", "timing changed"], ["follows", "changed because of another step"],
  ];
  return (
    <ul class="lines">
      {looks.map(([look, word]) => (
        <li>
          <svg width="36" height="10" aria-hidden="true" class="automaton">
            <g class={"transition " + look}>
              <path class="line" d="M0 5H30" />
              {look === "added" && <path class="core" d="M0 5H30" />}
              <path class="arrow" d="M36 5l-8 -3.5v7Z" />
            </g>
          </svg>{" "}
          {word}
        </li>
      ))}
      <li>Small histograms: baseline above the axis, candidate below it</li>
    </ul>
  );
}

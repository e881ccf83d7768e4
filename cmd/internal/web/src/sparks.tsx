// Pictures as high as a line of text (Hilbig 2023, figure 3.15): what histogram, control chart and shift function of a fragment look like before
// one looks at them. The baseline is above and left, a dot; the candidate below and right, a triangle: nobody needs the colours.

import type { ComponentChildren } from "preact";
import type { Distribution } from "./types";
import { count, difference, duration } from "./units";

const [width, height] = [150, 40];
const middle = height / 2;

/** Sparks are the pictures that a distribution has. */
export function Sparks({ of }: { of: Distribution }) {
  return (
    <>
      {of.histogram && <Spark title="Histogram" says={["base", "cand"].map((side) => sideText(of[side as "base"])).join(", candidate ")}><Bars of={of} /></Spark>}
      {of.runs.length > 0 && <Spark title="Control chart" says={"medians of runs " + of.runs.map((r) => duration(r.median)).join(", ")}><Chart of={of.runs} /></Spark>}
      {of.shift.length > 0 && <Spark title="Shift" says={of.shift.filter((_, i) => i % 8 === 0).map((s) => `${difference(s.ns)} at ${Math.round(100 * s.p)} %`).join(", ")}><Curve of={of.shift} /></Spark>}
    </>
  );
}

const sideText = (s: Distribution["base"]) => (s ? `${count(s.n)} times, ${duration(s.min)} to ${duration(s.max)}` : "none");

function Spark({ title, says, children }: { title: string; says: string; children: ComponentChildren }) {
  return (
    <span class="spark">
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`${title}: ${says}`}>
        {children}
      </svg>
      <small aria-hidden="true">{title}</small>
    </span>
  );
}

const tenth = (v: number) => Math.round(v * 10) / 10;

/** scale leads from values to pixels, the greatest at the top. */
function scale(values: number[]): (v: number) => number {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return (v) => tenth(height - 4 - ((v - least) / (most - least || 1)) * (height - 8));
}

/** Bars have the height of the share of a side's samples that is in their bin. */
function Bars({ of }: { of: Distribution }) {
  const h = of.histogram!;
  const shares = ([["base", h.base, of.base], ["cand", h.cand, of.cand]] as const).map(([side, counts, all]) => ({ side, of: counts.map((n) => n / (all?.n || 1)) }));
  const most = Math.max(...shares.flatMap((s) => s.of));
  const wide = width / h.base.length;
  return (
    <>
      {shares.map(({ side, of }) =>
        of.map((share, i) => {
          const high = tenth((share / most) * (middle - 1));
          return share > 0 && <rect class={side} x={tenth(i * wide)} y={side === "base" ? middle - high : middle} width={tenth(Math.max(wide - 0.5, 1))} height={high} />;
        }),
      )}
      <path class="rule" d={`M0 ${middle}H${width}`} />
    </>
  );
}

/** Chart has the times in the order in which they were taken, a bar for the median of every run, and a line where the candidate begins. */
function Chart({ of }: { of: Distribution["runs"] }) {
  const y = scale(of.flatMap((r) => [...r.points, r.median]));
  const step = (width - 6) / of.reduce((n, r) => n + r.points.length, 0);
  const marks = { base: "", cand: "" };
  let [at, medians, border] = [3, "", ""];
  for (const r of of) {
    if (r.cand && !border) border = `M${tenth(at)} 0V${height}`;
    medians += `M${tenth(at)} ${y(r.median)}h${tenth(step * r.points.length)}`;
    for (const ns of r.points) {
      marks[r.cand ? "cand" : "base"] += `M${tenth(at + step / 2)} ${y(ns)}` + (r.cand ? "m-1.5 1.3h3l-1.5-2.6z" : "h0");
      at += step;
    }
  }
  return (
    <>
      <path class="rule" d={border} />
      <path class="base dots" d={marks.base} />
      <path class="cand" d={marks.cand} />
      <path class="median" d={medians} />
    </>
  );
}

/** Curve is the shift function with its band around it, and the line of no shift. */
function Curve({ of }: { of: Distribution["shift"] }) {
  const y = scale([0, ...of.flatMap((s) => [s.ns, s.lo ?? s.ns, s.hi ?? s.ns])]);
  const line = (points: typeof of, value: (s: (typeof of)[number]) => number) => points.map((s) => `${tenth(((s.p - 0.1) / 0.8) * width)} ${y(value(s))}`).join("L");
  return (
    <>
      {of[0]?.lo !== undefined && <path class="band" d={`M${line(of, (s) => s.lo!)}L${line(of.slice().reverse(), (s) => s.hi!)}z`} />}
      <path class="rule" d={`M0 ${y(0)}H${width}`} />
      <path class="shift" d={"M" + line(of, (s) => s.ns)} />
    </>
  );
}

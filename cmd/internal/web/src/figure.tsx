// A statistical picture: drawn by Plot as SVG at the width that there is, with a title, what its marks mean, and its numbers as a table for
// those who do not see it.

import * as Plot from "@observablehq/plot";
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { attach, type Brush } from "./brush";
import { savePicture, saveTable } from "./files";
import { count, duration, printable } from "./units";

/** A cell of the numbers behind a picture: a text, a number, or a time in nanoseconds with the way it is written. */
export type FigureCell = string | number | { ns: number; write: (ns: number) => string };

/** time is a cell of a time. */
export const time = (ns: number, write = duration): FigureCell => ({ ns, write });

export interface FigureProps {
  title: string;
  note?: ComponentChildren;
  /** options gets the width in pixels and returns what Plot draws. */
  options: (width: number) => Record<string, unknown>;
  table: { head: string[]; rows: FigureCell[][] };
  legend?: [kind: string, text: string][];
  /** brush lets times be chosen along an axis. */
  brush?: Brush & { axis: "x" | "y" };
}

/** Figure draws a picture again when its width or its data change. */
export function Figure({ title, note, options, table, legend, brush }: FigureProps) {
  const place = useRef<HTMLDivElement>(null);
  const width = useWidth(place);
  useEffect(() => {
    if (!place.current || width === 0) return;
    const svg = Plot.plot({ className: "plot", marginTop: 24, marginBottom: 36, style: "", ...options(width), width });
    // Plot puts its style into the picture, which the policy of the page forbids; style.css has the same rules.
    svg.querySelectorAll("style").forEach((s) => s.remove());
    svg.querySelectorAll("[aria-label]").forEach((g) => g.removeAttribute("aria-label")); // of parts, which have no role
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", title);
    if (brush) attach(svg, brush.axis, brush);
    place.current.replaceChildren(svg);
  }, [width, options, title, String(brush?.stretch)]);
  return (
    <figure class="picture">
      <figcaption>
        <strong>{title}</strong>
        {legend && (
          <span class="legend">
            {legend.map(([kind, text]) => (
              <span>
                <span class={"key " + kind} aria-hidden="true" />
                {text}
              </span>
            ))}
          </span>
        )}
        {note && <span class="note">{note}</span>}
      </figcaption>
      <div ref={place} class="drawn" />
      <details class="numbers">
        <summary>Numbers of “{title}”</summary>
        <div class="scroll" tabIndex={0} role="region" aria-label={"Numbers of " + title}>
          <table>
            <thead>
              <tr>
                {table.head.map((h) => (
                  <th scope="col">{h}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {table.rows.map((r) => (
                <tr>
                  {r.map((c) => (
                    <td>{typeof c === "object" ? c.write(c.ns) : typeof c === "number" ? count(c) : c}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        <p class="choice">
          <button type="button" class="link" onClick={() => saveTable(title, csvOf(table))}>Numbers as CSV</button>{" "}
          <button type="button" class="link" onClick={() => savePicture(title, place.current!.querySelector("svg")!)}>Picture as SVG</button>
        </p>
      </details>
    </figure>
  );
}

/** csvOf has times in nanoseconds, as their heads say. */
function csvOf({ head, rows }: FigureProps["table"]) {
  const isTime = (i: number) => rows.some((r) => typeof r[i] === "object");
  return [head.map((h, i) => printable(h) + (isTime(i) ? " (ns)" : "")), ...rows.map((r) => r.map((c) => (typeof c === "object" ? c.ns : c)))];
}

/** useWidth is the width of an element in pixels, in steps, so that a scroll bar that comes and goes draws nothing anew. */
export function useWidth(of: { current: HTMLElement | null }): number {
  const [width, set] = useState(0);
  useEffect(() => {
    const e = of.current;
    if (!e) return;
    const measure = () => set(Math.max(240, Math.floor(e.clientWidth / 8) * 8));
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(e);
    return () => watch.disconnect();
  }, [of]);
  return width;
}

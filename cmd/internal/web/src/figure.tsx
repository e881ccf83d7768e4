// A statistical picture: drawn by Plot as SVG at the width that there is, with a title, what its marks mean, and its numbers as a table for
// those who do not see it.

import * as Plot from "@observablehq/plot";
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

export interface FigureProps {
  title: string;
  note?: ComponentChildren;
  /** options gets the width in pixels and returns what Plot draws. */
  options: (width: number) => Record<string, unknown>;
  table: { head: string[]; rows: (string | number)[][] };
  legend?: [kind: string, text: string][];
}

/** Figure draws a picture again when its width or its data change. */
export function Figure({ title, note, options, table, legend }: FigureProps) {
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
    place.current.replaceChildren(svg);
  }, [width, options, title]);
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
                    <td>{c}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
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

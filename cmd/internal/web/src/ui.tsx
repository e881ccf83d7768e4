// The small parts that all pages are made of.

import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { saveTable } from "./files";
import { printable, words } from "./units";

/** Name writes a name of a trace: what nobody would see is shown in letters, and what is very long is cut in its middle. */
export function Name({ of, most = 200 }: { of: string; most?: number }) {
  const text = printable(of);
  if (text.length <= most) return <span class="name">{text}</span>;
  const half = Math.floor(most / 2);
  return (
    <span class="name" title={text.slice(0, 4000)}>
      {text.slice(0, half)}
      <span class="cut"> … {text.length - 2 * half} more characters … </span>
      {text.slice(-half)}
    </span>
  );
}

/** The signs of verdicts. They stand beside the word, so that colour is never alone. */
const signs: Record<string, string> = {
  regressed: "▲", improved: "▼", longer: "△", shorter: "▽", later: "▷", sooner: "◁", shape_changed: "≈", count_changed: "#",
  appeared: "+", vanished: "−", moved: "⇄", moved_cost: "⇄", candidate: "?", undetermined: "?", unchanged: "=", not_asked: "·",
  slower: "▲", faster: "▼", changed: "≈", mixed: "≈", no_verdict: "?",
};

/** The families of verdicts that share a colour. */
const tones: Record<string, string> = {
  regressed: "worse", slower: "worse", improved: "better", faster: "better", appeared: "added", vanished: "removed",
  unchanged: "quiet", not_asked: "quiet", undetermined: "open", candidate: "open", no_verdict: "open",
};

/** sign and tone are those of a verdict. */
export const sign = (verdict: string) => signs[verdict] ?? "•";
export const tone = (verdict: string) => tones[verdict] ?? "other";

/** Verdict writes a verdict as a badge. */
export function Verdict({ of }: { of: string }) {
  return (
    <span class={"verdict " + tone(of)}>
      <span aria-hidden="true">{signs[of] ?? "•"}</span> {words(of)}
    </span>
  );
}

/** Section is a part of a page with its heading. */
export function Section({ title, lead, children, id }: { title: string; lead?: ComponentChildren; children: ComponentChildren; id?: string }) {
  return (
    <section id={id} aria-label={title}>
      <h2>{title}</h2>
      {lead && <p class="lead">{lead}</p>}
      {children}
    </section>
  );
}

/** PlainTable is a table with all of its rows, which it saves as a file as well. Where a cell says in data-ns which time it writes, the file has nanoseconds. */
export function PlainTable({ title, kind, id, children }: { title: string; kind?: string; id?: string; children: ComponentChildren }) {
  const table = useRef<HTMLTableElement>(null);
  return (
    <>
      <table class={kind} id={id} ref={table}>
        {children}
      </table>
      <p class="choice">
        <button type="button" class="link" aria-label={title + " as CSV"} onClick={() => saveTable(title, rowsOf(table.current!))}>
          CSV
        </button>
      </p>
    </>
  );
}

/** rowsOf reads a table: names as they are, times in nanoseconds, and whole numbers without commas. */
function rowsOf(table: HTMLTableElement): (string | number)[][] {
  const rows = [...table.rows].map((r) => [...r.cells]);
  const times = new Set(rows.flatMap((r) => r.flatMap((c, i) => (c.dataset["ns"] ? [i] : []))));
  const value = (c: HTMLTableCellElement) => {
    const text = (c.querySelector<HTMLElement>(".name[title]")?.title ?? c.textContent ?? "").replace(/\s+/g, " ").trim();
    return /^-?\d{1,3}(,\d{3})+$/.test(text) ? Number(text.replaceAll(",", "")) : text;
  };
  return rows.map((r, n) => r.map((c, i) => (c.dataset["ns"] ? Number(c.dataset["ns"]) : n === 0 && times.has(i) ? value(c) + " (ns)" : value(c))));
}

/** Facts are names with their values; long ones have a line each. */
export function Facts({ of, long }: { of: [ComponentChildren, ComponentChildren][]; long?: boolean }) {
  return (
    <dl class={long ? "facts long" : "facts"}>
      {of.map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Waiting stands where data are under way, and Failed where they could not be had. */
export function Waiting() {
  return (
    <p class="waiting" role="status">
      Reading …
    </p>
  );
}

export function Failed({ why }: { why: string }) {
  return (
    <p class="failed" role="alert">
      {why}
    </p>
  );
}

// A table of any length that one filters, sorts and searches. Only the rows in sight are in the document, so that 100,000 scroll; sort
// and filter stand in the address.

import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { saveTable } from "./files";
import { change, type Place } from "./router";
import { count, printable } from "./units";

/** Column is a column of a grid over rows that are known by their numbers. */
export interface Column {
  name: string;
  title: string;
  width: string; // a track of a CSS grid
  right?: boolean;
  /** key is what rows are sorted by; rows without a key stand last. */
  key: (row: number) => number | string | undefined;
  cell: (row: number) => ComponentChildren;
  /** file are the columns of a file that stand for it: names with values. Without it that is its name with its key. */
  file?: [name: string, value: (row: number) => number | string | undefined][];
}

/** Choice is a filter with a few values. */
export interface Choice {
  name: string;
  title: string;
  of: (row: number) => string;
  word?: (value: string) => string;
}

export interface GridProps {
  label: string;
  rows: number;
  columns: Column[];
  choices: Choice[];
  /** text is what a search looks at, in lower case. */
  text: (row: number) => string;
  place: Place;
  initial: string; // the column by which rows are sorted at first, with - before it for descending
  prefix?: string; // of its parameters, where a page has several grids
  short?: boolean; // it is as high as a few rows
}

const rowHeight = 32;

/** Grid shows rows. Its state is in the parameters q, sort, and one a choice. */
export function Grid(p: GridProps) {
  const named = (parameter: string) => (p.prefix ? p.prefix + "-" : "") + parameter;
  const q = p.place.query.get(named("q")) ?? "";
  const sort = p.place.query.get(named("sort")) || p.initial;
  const chosen = p.choices.map((c) => p.place.query.get(c.name) ?? "");
  const shown = useMemo(() => order(p, filter(p, q, chosen), sort), [p.rows, p.columns, q, sort, ...chosen]);
  return (
    <div class="grid">
      <div class="tools" role="search" aria-label={"Filter " + p.label}>
        <label>
          Search <input type="search" value={q} data-search onInput={(e) => change(named("q"), e.currentTarget.value, false)} />
        </label>
        {p.choices.map((c, i) => (
          <label>
            {c.title}{" "}
            <select value={chosen[i]} onChange={(e) => change(c.name, e.currentTarget.value, true)}>
              <option value="">all</option>
              {valuesOf(p, c).map(([value, n]) => (
                <option value={value}>
                  {(c.word ?? ((v: string) => v))(value)} ({count(n)})
                </option>
              ))}
            </select>
          </label>
        ))}
        <output>
          {count(shown.length)} of {count(p.rows)}
        </output>
        <button type="button" class="link" onClick={() => saveTable(p.label, csvOf(p.columns, shown))}>These as CSV</button>
      </div>
      <Rows {...p} shown={shown} sort={sort} parameter={named("sort")} />
    </div>
  );
}

/** Rows draws the rows in sight, within a box as high as all of them. */
function Rows(p: GridProps & { shown: number[]; sort: string; parameter: string }) {
  const box = useRef<HTMLDivElement>(null);
  const [first, setFirst] = useState(0);
  useEffect(() => {
    if (box.current) box.current.scrollTop = 0;
    setFirst(0);
  }, [p.shown]);
  const from = Math.max(0, first - 8);
  const visible = p.shown.slice(from, first + 32);
  const least = `calc(${p.columns.map((c) => /[\d.]+rem/.exec(c.width)![0]).join(" + ")} + ${p.columns.length} * 0.5rem + 1rem)`; // of a row: the head and the body have the same tracks
  const tracks = { minWidth: least, gridTemplateColumns: p.columns.map((c) => c.width).join(" "), "--printed": p.columns.map((c) => (c.right ? "minmax(0, 1fr)" : "minmax(0, 1.6fr)")).join(" ") };
  return (
    <div class={"rows" + (p.short ? " short" : "")} ref={box} tabIndex={0} role="table" aria-label={p.label} aria-rowcount={p.shown.length + 1}
      onScroll={(e) => setFirst(Math.floor(e.currentTarget.scrollTop / rowHeight))}>
      <div role="rowgroup" class="head">
        <div role="row" style={tracks} aria-rowindex={1}>
          {p.columns.map((c) => (
            <Head column={c} sort={p.sort} parameter={p.parameter} />
          ))}
        </div>
      </div>
      <div role="rowgroup" class="body" style={{ height: p.shown.length * rowHeight + "px" }}>
        {visible.map((row, i) => (
          <div role="row" key={row} aria-rowindex={from + i + 2} style={{ ...tracks, top: (from + i) * rowHeight + "px" }}>
            {p.columns.map((c) => (
              <div role="cell" class={c.right ? "right" : ""} title={full(c.key(row))}>
                {c.cell(row)}
              </div>
            ))}
          </div>
        ))}
        {visible.length < p.shown.length && <p class="onpaper">{count(visible.length)} rows from row {count(from + 1)} on, of {count(p.shown.length)}: search and filter choose others.</p>}
        {p.shown.length === 0 && (
          <div role="row" class="none">
            <div role="cell">No row is like that.</div>
          </div>
        )}
      </div>
    </div>
  );
}

/** csvOf has the rows that are shown, in their order, under the names of their columns. */
function csvOf(columns: Column[], shown: number[]) {
  const all = columns.flatMap((c) => c.file ?? [[c.name, c.key] as const]);
  return [all.map(([name]) => name), ...shown.map((row) => all.map(([, value]) => value(row)))];
}

/** full is what a cell has no room for. */
const full = (key: number | string | undefined) => (typeof key === "string" ? printable(key).slice(0, 2000) : undefined);

/** Head is the head of a column; it sorts. */
function Head({ column, sort, parameter }: { column: Column; sort: string; parameter: string }) {
  const up = sort === column.name;
  const down = sort === "-" + column.name;
  return (
    <div role="columnheader" aria-sort={up ? "ascending" : down ? "descending" : "none"} class={column.right ? "right" : ""}>
      <button type="button" onClick={() => change(parameter, down ? column.name : "-" + column.name, true)}>
        {column.title}
        <span aria-hidden="true">{up ? " ↑" : down ? " ↓" : ""}</span>
      </button>
    </div>
  );
}

function filter(p: GridProps, q: string, chosen: string[]): number[] {
  const terms = q.toLowerCase().split(/\s+/).filter(Boolean);
  const rows: number[] = [];
  for (let row = 0; row < p.rows; row++) {
    if (p.choices.some((c, i) => chosen[i] && c.of(row) !== chosen[i])) continue;
    if (terms.length > 0) {
      const text = p.text(row);
      if (!terms.every((t) => text.includes(t))) continue;
    }
    rows.push(row);
  }
  return rows;
}

function order(p: GridProps, rows: number[], sort: string): number[] {
  const descending = sort.startsWith("-");
  const column = p.columns.find((c) => c.name === sort.replace(/^-/, ""));
  if (!column) return rows;
  const keys = new Map(rows.map((r) => [r, column.key(r)]));
  return rows.slice().sort((a, b) => {
    const x = keys.get(a);
    const y = keys.get(b);
    if (x === undefined || y === undefined) return x === y ? a - b : x === undefined ? 1 : -1;
    const less = x < y ? -1 : x > y ? 1 : 0;
    return (descending ? -less : less) || a - b;
  });
}

function valuesOf(p: GridProps, c: Choice): [string, number][] {
  const counts = new Map<string, number>();
  for (let row = 0; row < p.rows; row++) {
    const value = c.of(row);
    if (value) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
}

// Rows that came as columns: a list with a value for every row, words by their numbers, or the few values that there are.

import type { Row, Table } from "./types";

/** Column gives the value of a row; null where there is none. */
export type Get = (row: number) => unknown;

/** column decodes a column of a table. A column that is not there has no values. */
export function column(table: Table, name: string): Get {
  const c = table.columns[name] as unknown[] | { words: string[]; at: number[] } | { rows: number[]; values: unknown[] } | undefined;
  if (c === undefined) return () => null;
  if (Array.isArray(c)) return (row) => c[row] ?? null;
  if ("words" in c) return (row) => c.words[c.at[row] ?? -1] ?? null;
  const at = new Map(c.rows.map((row, i) => [row, c.values[i]]));
  return (row) => at.get(row) ?? null;
}

/** text and number are columns of one kind; a missing text is "", a missing number undefined. */
export function text(table: Table, name: string): (row: number) => string {
  const get = column(table, name);
  return (row) => (get(row) as string | null) ?? "";
}

export function number(table: Table, name: string): (row: number) => number | undefined {
  const get = column(table, name);
  return (row) => (get(row) as number | null) ?? undefined;
}

/** rowsOf puts rows together again, of which a condition on one column holds. */
export function rowsOf(table: Table, name: string, wanted: (value: unknown) => boolean): Row[] {
  const get = column(table, name);
  const names = Object.keys(table.columns);
  const columns = names.map((n) => column(table, n));
  const rows: Row[] = [];
  for (let row = 0; row < table.rows; row++) {
    if (wanted(get(row))) rows.push(Object.fromEntries(names.map((n, i) => [n, columns[i]!(row)])));
  }
  return rows;
}

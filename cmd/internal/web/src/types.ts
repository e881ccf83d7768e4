// What the resources of a page hold. The Go side is package stages/report/pages, and the tables of package schema; times are nanoseconds.

export interface Report {
  kind: "comparison" | "run";
  title: string;
  comparison?: Compared;
  sentences?: Sentences;
  tests?: { p: number; guard_ns: number; abs_ns: number };
  run_factors?: { run: string; side: string; factor: number; se: number }[];
  run?: RunDocument;
  fragments: { fragment: string; resource: string }[];
  windows: { finding?: number; function: string; resource: string }[];
  left_out: { what: string; count: number }[];
}

/** Compared is what analyze compare --format json --by function prints, without its changes. */
export interface Compared {
  comparison: string;
  base: string[];
  cand: string[];
  rules: { margin: number; floor_ns: number; fdr: number; interval: number; min_runs: number; paired: boolean };
  verdict: string;
  summary: string;
  findings: Finding[];
  root_executions: Row[];
  verdicts: Record<string, Record<string, number>>;
  next: string[];
  path_account: { base_ns: number; cand_ns: number; uncovered_ns: number; mix_ns: number; parts: PathPart[] } | null;
  account: { base_ns: number; cand_ns: number } | null;
  functions?: Contribution[];
}

export interface PathPart {
  part: string;
  category: string;
  component: string;
  function: string;
  peer: string;
  base_ns: number;
  cand_ns: number;
  effect_ns: number;
}

export interface Contribution {
  component: string;
  function: string;
  base_ns: number;
  cand_ns: number;
  difference_ns: number;
  verdict: string;
}

export interface Finding {
  finding: number;
  verdict: string;
  minor: boolean;
  kind: string;
  level: string;
  rank: number;
  component: string;
  fragment: string | null;
  subject: string;
  function: string | null;
  effect_ns: number;
  effect_lo_ns: number | null; // null: one run a side has no interval
  effect_hi_ns: number | null;
  base_ns: number;
  cand_ns: number;
  inherited: number;
  inherited_at: string | null;
}

export interface Sentences {
  verdict: string;
  summary: string;
  common: string;
  together: string;
  elapsed: string;
  findings_title: string;
  minor: string;
  counts: string;
  sides: { name: string; text: string }[];
  findings: FindingSentences[];
  account: { effect: string; text: string }[];
  paths: { effect: string; text: string }[];
  levels: Record<string, string>;
}

export interface FindingSentences {
  finding: number;
  minor: boolean;
  where: string;
  kind: string;
  effect: string;
  interval: string;
  from_to: string;
  means: string;
  share: string;
  q: string;
  happening: string;
  reason: string;
  critical: string;
  inherited: string;
  example: string;
}

/** Row is a row of a table, by the names of its columns. */
export type Row = Record<string, unknown>;

/** Table is rows as columns; see columns.ts. */
export interface Table {
  rows: number;
  columns: Record<string, unknown>;
}

export interface Details {
  changes: Table;
  estimates: Table;
}

export interface Fragment {
  fragment: string;
  moved_to?: string;
  subtitle: string;
  occurrences: [number, number];
  folded: boolean;
  whole: Positions | null;
  short: Positions | null;
  too_large?: string;
  steps: Step[];
}

export interface Step {
  event: string;
  function: string;
  peer?: string;
  direction?: string;
  rank?: number;
  verdict?: string;
  runs: [number, number];
  times: Record<string, Distribution>;
}

export interface Distribution {
  base: Side | null;
  cand: Side | null;
  histogram: { edges: number[]; base: number[]; cand: number[]; log: boolean } | null;
  shift: { p: number; ns: number; lo?: number; hi?: number }[];
  runs: Series[];
}

export interface Side {
  n: number;
  min: number;
  q25: number;
  median: number;
  q75: number;
  max: number;
  ecdf: number[];
}

export interface Series {
  run: string;
  cand?: boolean;
  n: number;
  total: number;
  median: number;
  every: number;
  points: number[];
  least?: number[];
  greatest?: number[];
}

export interface Positions {
  width: number;
  height: number;
  states: PlacedState[];
  transitions: PlacedTransition[];
  histogram: { width: number; lane: number };
}

export interface PlacedState {
  n: number;
  x: number;
  y: number;
  w: number;
  side: "both" | "base" | "cand";
  initial?: boolean;
  accepting?: boolean;
}

export interface PlacedTransition {
  from: number;
  to: number;
  step: number;
  look: "unchanged" | "removed" | "added" | "changed" | "follows";
  d: string;
  hx: number;
  hy: number;
  left?: boolean;
  x: number;
  y: number;
  upper: number;
  w: number;
  above: number;
  below: number;
  label: string;
  note?: string;
  lines: string[];
  tip: string;
  tag?: string;
  fold?: number;
  least?: string;
  greatest?: string;
  base?: number[];
  cand?: number[];
}

/** Windows are those of an execution of each side. */
export interface Windows {
  function: string;
  sides: RunWindow[];
}

export interface RunWindow {
  side: "base" | "cand" | "";
  run: string;
  execution: string;
  duration_ns: number;
  from_ns: number;
  to_ns: number;
  run_ns: number; // the length of the run
  components: string[] | null;
  picture: Picture;
}

/** Picture is a window that is laid out. Lengths are pixels. */
export interface Picture {
  title: string;
  counts: string;
  width: number;
  height: number;
  left: number;
  right: number;
  top: number;
  row_height: number;
  axis: string;
  ticks: { x: number; label?: string }[];
  lanes: { name: string; label: string; y: number; h: number; base: number }[];
  boxes: PlacedBox[];
  arrows: { x1: number; y1: number; x2: number; y2: number; kind: "message" | "inferred" | "coupled"; fade?: number; head?: boolean; tip: string }[];
  path: { d: string; head?: boolean; tip: string }[];
  notes: string[];
  chosen: string[];
}

export interface PlacedBox {
  x: number;
  y: number;
  w: number;
  look: "function" | "several" | "bar" | "chosen";
  colour?: number;
  open?: boolean;
  pale?: boolean;
  label?: string;
  tip: string;
}

/** RunDocument is what the first resource of the page of a run says of it. */
export interface RunDocument {
  run: Row;
  labels: Record<string, string>;
  losses: Row[];
  categories: { category: string; total_ns: number }[];
  path_ns: number;
}

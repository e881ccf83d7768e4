// What the server sends of a run: its lanes, and what is to be drawn of a window of them.

import type { Data } from "./data";
import { split } from "./router";

/** Lane is a lifeline; times are ns since the run's first event. */
export interface Lane {
  lifeline: string;
  component: string;
  depths: number;
  executions: number;
  busy_ns: number;
  start_ns: number;
  finish_ns: number;
}

export interface Lanes {
  run: string;
  version: string;
  start_ns: string;
  duration_ns: number;
  labels: Record<string, string> | null;
  lanes: Lane[];
}

/** Boxes are columns, an element a box: an execution that is a pixel wide or wider, or the sum of narrower ones. */
export interface Boxes {
  lane: Column;
  depth: Column;
  start_ns: Column;
  finish_ns: Column;
  count: Column;
  busy_ns: Column;
  longest: (number | null)[];
  function: Column; // a place in functions; -1 where it is not known
  functions: string[];
  value?: Column; // that was asked for, a place in values; -1 without one
  values?: string[];
  total: number;
}

/** Column is a number for every box; times are exact up to 2^53. */
export type Column = Int32Array | Float64Array;

/** Attribute is what the trace says of executions under a name, with the values that most have. */
export interface Attribute {
  name: string;
  executions: number;
  values: number;
  common: { value: string; count: number }[];
}

export interface Arrow {
  from: number;
  to: number;
  send_ns: number;
  receive_ns: number;
  label: string;
  pattern: string;
}

export interface Arrows {
  slowest: Arrow[];
  total: number;
}

export interface Execution {
  execution: number;
  component: string;
  lifeline: string;
  function: string;
  number: number;
  start_ns: number;
  finish_ns: number;
  duration_ns: number;
  self_ns: number;
  depth: number;
  parent: number | null;
  fragment: string;
  occurrence: number;
  role: string;
  peer: string;
  type: string;
  synthetic: boolean;
  finish_seq: number;
  attributes: [string, string][] | null;
}

/** Neighbour is an execution that one may want to see next. */
export interface Neighbour {
  execution: number;
  lifeline: string;
  function: string;
  number: number;
  start_ns: number;
  finish_ns: number;
}

/** Related is what stands around an execution. */
export interface Related {
  callees: Neighbour[];
  calls: number;
  before: Neighbour | null;
  after: Neighbour | null;
  messages: { sent: boolean; at_start: boolean; label: string; lifeline: string; function: string; seq: number; ns: number; took_ns: number }[];
  waits: Wait[];
  spare: { at_start: boolean; slack_ns: number }[];
}

/** Wait is a timing constraint on the start or the finish of an execution. */
export interface Wait {
  at_start: boolean;
  kind: string;
  sender: string;
  label: string;
  from_ns: number;
  to_ns: number;
  slack_ns: number | null;
  critical: boolean;
}

/** Occurrences are those of a function, as columns. */
export interface Occurrences {
  occurrences: { number: number[]; seq: number[]; start_ns: number[]; span_ns: number[] };
  total: number;
}

/** Envelopes are signals: the least and the greatest value in every part of a window. */
export interface Envelopes {
  signals: { name: string; unit: string; least: (number | null)[]; greatest: (number | null)[] }[];
  total: number;
}

export interface Step {
  start_ns: number;
  finish_ns: number;
  component: string;
  function: string;
  sender: string;
  message: boolean;
}

export interface Path {
  to: string;
  start_ns: number;
  finish_ns: number;
  steps: Step[];
}

/** View is the part of a run that is shown, in ns since its first event. */
export interface View {
  from: number;
  to: number;
}

/** Shown is what was asked for: lanes by their places in the list of the server. */
export interface Asked extends View {
  lanes: number[];
  depths: number;
  pixels: number;
  by: string; // "" for lanes of lifelines, or what else they are made of
  values: string; // that boxes have: attribute:NAME, behaviour:ITEM, difference:RUN or critical:GRAPH; "" for none
  alike: string; // the attributes by which claims are equal, of behaviours and differences
}

/** Drawn is what the server answered, with what it was asked. */
export interface Drawn {
  asked: Asked;
  boxes: Boxes;
  arrows: Arrows;
  reading: boolean; // messages are under way
  messages: boolean; // they were asked for
}

/** runPath is where the server has what belongs to a run. */
export function runPath(run: string): string {
  return `run/${encodeURIComponent(run)}/`;
}

const noArrows: Arrows = { slowest: [], total: 0 };

/** ask gets the boxes of a window, which are shown at once, and then its messages: those of a long run take much longer to read the first time.
 * Messages go between lifelines, so that other lanes have none. */
export async function ask(data: Data, lanes: Lanes, a: Asked, messages: boolean, show: (d: Drawn) => void): Promise<void> {
  const query = new URLSearchParams({
    version: lanes.version, from: String(Math.floor(a.from)), to: String(Math.ceil(a.to)), pixels: String(a.pixels), depths: String(a.depths), lanes: ranges(a.lanes),
  }).toString();
  const at = runPath(lanes.run);
  const more = (a.by && "&by=" + encodeURIComponent(a.by)) + valuesAsked(a);
  const boxes = await data.get<Boxes>(`${at}window?${query}&packed=1${more}`);
  const wanted = messages && !a.by;
  show({ asked: a, boxes, arrows: noArrows, reading: wanted, messages });
  if (wanted) show({ asked: a, boxes, arrows: await data.get<Arrows>(`${at}messages?${query}&most=1500`), reading: false, messages });
}

/** valuesAsked is the part of an address that asks for values of boxes. */
function valuesAsked(a: Asked): string {
  const [kind = "", of = ""] = split(a.values, ":");
  return of && `&${kind}=${encodeURIComponent(of)}${a.alike && "&alike=" + encodeURIComponent(a.alike)}`;
}

/** Difference is how the order of a run differs from that of another one. */
export interface Difference {
  distance: number;
  f: number;
  by: string;
  differ: number; // claims
  most: number; // that one adds
}

/** Critical is what is critical in a run, claims by the first that waited. */
export interface Critical {
  graph: string;
  duration_ns: number;
  weight_ns: number;
  claims_of_run: number;
  critical_edges: number;
  has_dependencies: boolean;
  critical: number; // claims
  waited: number;
  claims: { execution: number; claim: string; resource: string; start_ns: number; after?: string[] }[];
  shares: { resource: string; name: string; claims: number; waits: number; ns: number }[];
  edges: { from: number[]; to: number[]; applied: boolean[] };
}

/** Histograms say how long each signal has which value. */
export interface Histograms {
  signals: { name: string; unit: string; span_ns: number; bars: { from: number; to: number; ns: number }[] }[];
  total: number;
}

/** unpack reads boxes as the server packs them: a line of JSON, then columns of numbers of variable length, seven bits a byte, the lowest first. */
export function unpack(bytes: Uint8Array): Boxes {
  const end = bytes.indexOf(10);
  const head = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end))) as { boxes: number; total: number; functions: string[]; values?: string[]; columns: string[] };
  const n = head.boxes;
  let at = end + 1;
  const whole = () => {
    let b = bytes[at++]!;
    let v = b & 127;
    for (let size = 128; b > 127; size *= 128) v += ((b = bytes[at++]!) & 127) * size;
    return v;
  };
  // The sign is the lowest bit. It is taken off the first byte, so that 53 bits are left for the number.
  const signed = () => {
    let b = bytes[at++]!;
    const negative = b & 1;
    let v = (b & 127) >> 1;
    for (let size = 64; b > 127; size *= 128) v += ((b = bytes[at++]!) & 127) * size;
    return negative ? -v - 1 : v;
  };
  const steps = (into: Column) => {
    for (let i = 0, v = 0; i < n; i++) into[i] = v += signed();
    return into;
  };
  const [lane, depth, start_ns] = [steps(new Int32Array(n)), steps(new Int32Array(n)), steps(new Float64Array(n))];
  const finish_ns = new Float64Array(n);
  for (let i = 0; i < n; i++) finish_ns[i] = start_ns[i]! + signed();
  const places = (less: number) => {
    const into = new Float64Array(n);
    for (let i = 0; i < n; i++) into[i] = whole() - less;
    return into;
  };
  const of = places(0);
  const busy_ns = new Float64Array(n);
  for (let i = 0; i < n; i++) busy_ns[i] = finish_ns[i]! - start_ns[i]! - signed();
  const longest: (number | null)[] = new Array(n);
  for (let i = 0, v = 0; i < n; i++) {
    const code = whole() - 1;
    longest[i] = code < 0 ? null : (v += code % 2 ? -(code + 1) / 2 : code / 2);
  }
  const named = places(1);
  const value = head.columns.includes("value") ? places(1) : undefined;
  return { lane, depth, start_ns, finish_ns, count: of, busy_ns, longest, function: named, functions: head.functions, value, values: head.values, total: head.total };
}

/** ranges writes places as 0-39,45. */
export function ranges(places: number[]): string {
  const sorted = [...places].sort((a, b) => a - b);
  const parts: string[] = [];
  for (let i = 0; i < sorted.length; ) {
    let j = i;
    while (j + 1 < sorted.length && sorted[j + 1] === sorted[j]! + 1) j++;
    parts.push(i === j ? `${sorted[i]}` : `${sorted[i]}-${sorted[j]}`);
    i = j + 1;
  }
  return parts.join(",");
}

/** Serving is data of a server that are asked for again each time: windows are many, and the server has a cache of its own. */
export class Serving implements Data {
  constructor(private readonly base: string) {}

  async get<T>(resource: string): Promise<T> {
    const r = await fetch(this.base + resource, { credentials: "same-origin" });
    if (r.ok) return r.headers.get("Content-Type") === "application/octet-stream" ? (unpack(new Uint8Array(await r.arrayBuffer())) as T) : r.json();
    throw new Error((await r.text()).trim() || `The server answered ${r.status} ${r.statusText}.`);
  }
}

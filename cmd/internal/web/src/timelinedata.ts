// What the server sends of a run: its lanes, and what is to be drawn of a window of them.

import type { Data } from "./data";

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
  lane: number[];
  depth: number[];
  start_ns: number[];
  finish_ns: number[];
  count: number[];
  busy_ns: number[];
  longest: (number | null)[];
  function: number[];
  functions: string[];
  total: number;
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
}

/** Drawn is what the server answered, with what it was asked. */
export interface Drawn {
  asked: Asked;
  boxes: Boxes;
  arrows: Arrows;
}

/** runPath is where the server has what belongs to a run. */
export function runPath(run: string): string {
  return `run/${encodeURIComponent(run)}/`;
}

/** ask gets the boxes and messages of a window. */
export async function ask(data: Data, lanes: Lanes, a: Asked): Promise<Drawn> {
  const query = new URLSearchParams({
    version: lanes.version, from: String(Math.floor(a.from)), to: String(Math.ceil(a.to)), pixels: String(a.pixels), depths: String(a.depths), lanes: ranges(a.lanes),
  }).toString();
  const at = runPath(lanes.run);
  const [boxes, arrows] = await Promise.all([data.get<Boxes>(`${at}window?${query}`), data.get<Arrows>(`${at}messages?${query}&most=1500`)]);
  return { asked: a, boxes, arrows };
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
    if (r.ok) return r.json();
    throw new Error((await r.text()).trim() || `The server answered ${r.status} ${r.statusText}.`);
  }
}

// What a page of a running system looks at, and the frames that it gets: from a stream while the time goes on, one by one while it stands.

import { useEffect, useRef, useState } from "preact/hooks";
import { merged } from "./livemerge";

export interface Link {
  from: number;
  to: number;
  function: number;
  calls: number;
}

/** Model is a component model: connections name components by their places. */
export interface Model {
  components: { name: string; in: string[]; out: string[] }[];
  connections: { from: number; out: string; to: number; in: string }[];
}

/** Boxes are executions of components, an element a box; or why there are none. */
export interface Boxes {
  cause?: string;
  component: number[] | null;
  lane: number[] | null;
  function: number[] | null;
  caller: number[] | null;
  start_ns: number[] | null;
  end_ns: number[] | null;
  open: boolean[] | null;
  self_ns: number[] | null;
  count: number[] | null;
  work_box: number[] | null;
  work_from_ns: number[] | null;
  work_to_ns: number[] | null;
  lanes: string[] | null;
}

/** Candidate is a function whose real time in the window is unlike that of the baseline, or which the baseline does not have. */
export interface Candidate {
  component: number;
  function: number;
  calls: number;
  mean_ns: number;
  base_ns: number;
  lower_ns: number;
  upper_ns: number;
  since_ns: number;
  new: boolean;
}

/** Chart is the control chart of a function: an element a point, with its limits. */
export interface Chart {
  component: string;
  function: string;
  cause?: string;
  calls: number;
  beyond: number;
  base_ns: number;
  at_ns: number[] | null;
  n: number[] | null;
  mean_ns: number[] | null;
  lower_ns: number[] | null;
  upper_ns: number[] | null;
}

/** Comparison is a window beside a baseline. */
export interface Comparison {
  run: string;
  cause?: string;
  uncompared?: string; // why all differences are 0
  difference?: number[];
  colour?: number[];
  judged?: { cause?: string; functions: number; typical: number; candidates: Candidate[]; more: number; missing: string[] };
  chart?: Chart;
}

/** Frame is the state of a moment. Times count from the first event. */
export interface Frame {
  n: number;
  at_ns: number;
  now_ns: number;
  from_ns: number;
  to_ns: number;
  alive: boolean;
  run: string; // which one it is of a series
  unmatched: number;
  made_us: number;
  components: string[];
  functions: string[];
  busy_ns: number[] | null;
  self_ns: number[] | null;
  calls: number[] | null;
  p95_ns: number[] | null;
  running: number[] | null;
  hotness: number[] | null;
  colour: number[] | null;
  critical?: { cause?: string; ns?: number[]; all_ns: number }; // where the metric is of critical paths; ns by component
  links: Link[];
  over?: number[]; // by link: the connection of the model, or -1
  boxes?: Boxes;
  against?: Comparison;
}

/** What a page and the worker that has the stream say to each other. */
export type ToWorker = { watch: string } | { rest: true } | { taken: true } | { closed: true };
export type FromWorker = { frame: Frame } | { failed: string } | { ended: true };

let shared: MessagePort | undefined;

/** worker is what all pages of the browser share; undefined where there is no such thing. */
function worker(): MessagePort | undefined {
  if (!shared && typeof SharedWorker !== "undefined") {
    shared = new SharedWorker("/assets/liveworker.js", "frames").port;
    shared.start();
    addEventListener("pagehide", () => {
      shared?.postMessage({ closed: true } satisfies ToWorker);
      shared = undefined;
    });
  }
  return shared;
}

/** watch has frames come, until it is told to stop. */
function watch(address: string, take: (m: FromWorker) => void): () => void {
  const port = worker();
  if (port) {
    port.onmessage = (e: MessageEvent<FromWorker>) => {
      take(e.data);
      if ("frame" in e.data) requestAnimationFrame(() => port.postMessage({ taken: true } satisfies ToWorker));
    };
    port.postMessage({ watch: address } satisfies ToWorker);
    return () => {
      port.onmessage = null;
      port.postMessage({ rest: true } satisfies ToWorker);
    };
  }
  const stream = new EventSource("/api/live/" + address.replace("?", "/frames?"));
  stream.onmessage = (e) => take({ frame: JSON.parse(e.data as string) as Frame });
  stream.addEventListener("failed", (e) => take({ failed: JSON.parse((e as MessageEvent<string>).data) as string }));
  stream.addEventListener("ended", () => take({ ended: true }));
  stream.onerror = () => stream.readyState === EventSource.CLOSED && take({ failed: "The server does not answer." });
  return () => stream.close();
}

/** Sight is what the page looks at. Times are ns. */
export interface Sight {
  at: number | null; // where the page is; null: now
  speed: number; // percent at which it goes on from there; 0: it stands
  offset: number; // of the window's end before that
  interval: number; // its length
  anchor: number | null; // its end, where it stands still while the time goes on
  span: number; // of the scale
  metric: string;
  times: "raw" | "real";
  colour: "quadratic" | "linear" | "steps";
  steps: number;
  base: string; // the colour of 100
  timing: boolean; // the timing diagram is shown
  against: string; // the run to compare with; "" for none
  component: string; // of the function of the control chart
  function: string;
}

export const initial: Sight = {
  at: null, speed: 0, offset: 0, interval: 2e9, anchor: null, span: 10e9, metric: "overall", times: "raw", colour: "quadratic", steps: 5, base: "#d40000", timing: true, against: "", component: "", function: "",
};

/** ofQuery reads a sight from an address, and query writes what is not as it is at first. */
export function ofQuery(q: URLSearchParams): Sight {
  const s: Record<string, unknown> = { ...initial };
  for (const [name, value] of q) {
    if (!(name in initial)) continue;
    const was = initial[name as keyof Sight];
    s[name] = typeof was === "number" || name === "at" || name === "anchor" ? Number(value) || 0 : typeof was === "boolean" ? value === "true" : value;
  }
  if (!/^#[0-9a-f]{6}$/i.test(String(s.base))) s.base = initial.base;
  return s as unknown as Sight;
}

export function query(s: Sight): Record<string, string | number | undefined> {
  const q: Record<string, string | number | undefined> = {};
  for (const [name, value] of Object.entries(s)) {
    if (value !== null && value !== initial[name as keyof Sight] && name !== "speed") q[name] = String(value);
  }
  return q;
}

function asked(s: Sight, pixels: number): string {
  const p: Record<string, string> = {
    offset: String(Math.round(s.offset)), interval: String(Math.max(1, Math.round(s.interval))), span: String(Math.max(1, Math.round(s.span))), metric: s.metric, times: s.times, colour: s.colour, steps: String(s.steps),
  };
  if (s.at !== null) p.at = String(Math.max(0, Math.round(s.at)));
  if (s.at !== null && s.speed) p.speed = String(s.speed);
  if (s.anchor !== null) p.anchor = String(Math.max(0, Math.round(s.anchor)));
  if (s.timing) p.pixels = String(pixels);
  if (s.against) {
    p.against = s.against;
    p.component = s.component;
    p.function = s.function;
  }
  return new URLSearchParams(p).toString();
}

/** useFrames gives the newest frame. A page that nobody sees has no stream, since a browser allows six connections to a server. */
export function useFrames(run: string, sight: Sight, pixels: number): { frame?: Frame; error?: string; rate: number } {
  const [frame, set] = useState<Frame | undefined>();
  const [error, fail] = useState<string | undefined>();
  const [seen, see] = useState(document.visibilityState === "visible");
  const [again, retry] = useState(0);
  const times = useRef<number[]>([]);
  const moves = sight.at === null || sight.speed > 0;
  const what = asked(sight, pixels);
  useEffect(() => {
    const changed = () => see(document.visibilityState === "visible");
    document.addEventListener("visibilitychange", changed);
    return () => document.removeEventListener("visibilitychange", changed);
  }, []);
  useEffect(() => {
    if (!seen) return;
    let over = false;
    const take = (f: Frame) => {
      const now = performance.now();
      times.current = [...times.current.filter((t) => now - t < 1000), now];
      fail(undefined);
      set((old) => merged(old, f));
    };
    const refused = async (r: Response) => {
      if (!over) fail((await r.text()).trim() || `The server answered ${r.status}.`);
      if (!over && (r.status === 404 || r.status === 409)) setTimeout(() => !over && retry((n) => n + 1), 1000); // it may be made a run just now
    };
    if (!moves) {
      const stop = new AbortController();
      // A moment of a series is one of the run that was shown then.
      fetch(`/api/live/${encodeURIComponent(frame?.run ?? run)}/frame?${what}`, { signal: stop.signal }).then(async (r) => (r.ok ? take((await r.json()) as Frame) : refused(r))).catch((e) => !over && fail(String(e)));
      return () => {
        over = true;
        stop.abort();
      };
    }
    const anew = (ms: number) => setTimeout(() => !over && retry((n) => n + 1), ms);
    const stop = watch(encodeURIComponent(run) + "?" + what, (m) => {
      if (over) return;
      if ("frame" in m) return take(m.frame);
      if ("failed" in m) fail(m.failed);
      anew("failed" in m ? 1000 : 500); // it may be made a run just now, or the next one of a series begin
    });
    return () => {
      over = true;
      stop();
    };
  }, [run, what, moves, seen, again]);
  return { frame, error, rate: times.current.length };
}

// The keys of the timeline, and the ways from an execution to those around it.

import { useRef } from "preact/hooks";
import type { Data } from "./data";
import { go, select } from "./timeline";
import { runPath, type Execution, type Neighbour, type Related } from "./timelinedata";

/** Keys says what the keys do. */
export function Keys() {
  return (
    <p class="note" id="timeline-keys">
      <kbd>W</kbd> <kbd>S</kbd> zoom, <kbd>A</kbd> <kbd>D</kbd> or arrows move, <kbd>0</kbd> shows the whole run, <kbd>M</kbd> sets a mark under the pointer. Of the selection: <kbd>U</kbd> goes to its caller, <kbd>C</kbd> to
      its longest callee, <kbd>[</kbd> <kbd>]</kbd> to the same function before and after, <kbd>Esc</kbd> clears it. Wheel with <kbd>Ctrl</kbd> zooms, with <kbd>Shift</kbd> moves; drag moves; a click
      selects. Pale boxes are several executions that are narrower than a pixel: the paler, the more of the time is idle. The table below says all of this in words. <kbd>?</kbd> shows all keys.
    </p>
  );
}

/** show selects an execution and moves the window to it where it is not in sight. */
export function show(n: Neighbour, of: string, shift: number) {
  const query = new URLSearchParams(location.hash.split("?")[1] ?? "");
  select(n.execution, n.start_ns, true, of);
  const from = Number(query.get("from") ?? "0") + shift;
  const to = Number(query.get("to") ?? "NaN") + shift;
  if (!(n.start_ns >= from && n.finish_ns <= to && (n.finish_ns - n.start_ns) * 200 > to - from)) {
    const room = Math.max((n.finish_ns - n.start_ns) * 2, 50);
    go({ from: n.start_ns - room - shift, to: n.finish_ns + room - shift }, false);
  }
}

/** useJumps gives a function that goes where a key leads from an execution, and says whether the key leads anywhere. */
export function useJumps(data: Data, run: string, of: string) {
  const under = useRef(false);
  return (key: string, execution: number): boolean => {
    if (!["u", "c", "[", "]"].includes(key) || under.current) return false;
    under.current = true;
    void (async () => {
      try {
        const query = new URLSearchParams(location.hash.split("?")[1] ?? "");
        const near = query.get("near" + of) ?? "";
        const shift = of ? Number(query.get("shift") ?? "0") : 0;
        if (key === "u") {
          const x = await data.get<Execution>(`${runPath(run)}execution?id=${execution}&near=${near}`);
          if (x.parent !== null) show(await data.get<Execution>(`${runPath(run)}execution?id=${x.parent}&near=${x.start_ns}`), of, shift);
          return;
        }
        const r = await data.get<Related>(`${runPath(run)}related?id=${execution}&near=${near}`);
        const longest = [...r.callees].sort((a, b) => b.finish_ns - b.start_ns - (a.finish_ns - a.start_ns))[0];
        const next = key === "[" ? r.before : key === "]" ? r.after : longest;
        if (next) show(next, of, shift);
      } finally {
        under.current = false;
      }
    })();
    return true;
  };
}

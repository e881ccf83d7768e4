// The window of a run in which a root cause shows, drawn where the program placed it (Jonk et al. 2019, figures 1 and 2): a lane for every
// lifeline, executions on top of their callers, messages as arrows, and the critical path to the finish of the execution in red.

import { useState } from "preact/hooks";
import { useResource, type Data } from "./data";
import { to } from "./router";
import type { Picture, PlacedBox, Report, RunWindow, Windows } from "./types";
import { Failed, Name, Waiting } from "./ui";
import { duration, printable } from "./units";

const sideWords: Record<string, string> = { base: "Baseline", cand: "Candidate", "": "Run" };

/** windowOf is the resource of the windows of a root cause, "" where the file has none. */
export function windowOf(report: Report, finding: number): string {
  return report.windows.find((w) => w.finding === finding)?.resource ?? "";
}

/** WindowsView draws the windows of both sides, one under the other in one scale. */
export function WindowsView({ data, resource }: { data: Data; resource: string }) {
  const { value, error } = useResource<Windows>(data, resource);
  if (error) return <Failed why={error} />;
  if (!value) return <Waiting />;
  return (
    <div class="windows">
      {value.sides.map((w) => (
        <WindowView of={w} />
      ))}
      <Legend of={value} />
    </div>
  );
}

/** WindowView is one window with its caption, and its boxes as a table. */
function WindowView({ of }: { of: RunWindow }) {
  const [tip, setTip] = useState("");
  const p = of.picture;
  const title = `${sideWords[of.side] ?? of.side}: ${of.execution} takes ${duration(of.duration_ns)}`;
  return (
    <figure class={"picture window " + of.side}>
      <figcaption>
        <strong>
          {sideWords[of.side] ?? of.side}: <Name of={of.execution} /> takes {duration(of.duration_ns)}
        </strong>
        <span class="note">
          {printable(p.title)}; {p.counts}; {p.axis}.{" "}
          {location.pathname.startsWith("/report/") && <a href={"/" + to("timeline", [of.run], { from: of.from_ns, to: of.to_ns, path: of.execution })}>The same in the timeline of {printable(of.run)}</a>}
        </span>
      </figcaption>
      <div class="drawn scroll" tabIndex={0} role="region" aria-label={"Window of " + title}>
        <svg class="timeline" role="img" aria-label={title} viewBox={`0 ${p.top - 24} ${p.width} ${p.height - p.top + 24}`} width={p.width} height={p.height - p.top + 24}
          onMouseOver={(e) => setTip((e.target as Element).getAttribute("data-tip") ?? "")} onMouseLeave={() => setTip("")}>
          <Frame of={p} />
          <Over of={of} />
          {p.boxes.map((b) => (
            <Box b={b} height={p.row_height} />
          ))}
          {p.arrows.map((a) => (
            <g class={"message " + a.kind + (a.fade ? " faint" + a.fade : "")}>
              <path d={`M${a.x1} ${a.y1}L${a.x2} ${a.y2}`} data-tip={a.tip} />
              {a.head && <Head {...a} />}
            </g>
          ))}
          {p.path.map((s) => (
            <path class="critical" d={s.d} data-tip={s.tip} />
          ))}
        </svg>
      </div>
      <p class="tip" aria-hidden={tip !== ""}>{tip ? printable(tip).replaceAll("\\n", " · ") : p.notes.map(printable).join("; ") || "\u00a0"}</p>
      <Numbers of={of} />
    </figure>
  );
}

/** Frame is what lies behind the boxes: lanes with their names, and the axis. */
function Frame({ of }: { of: Picture }) {
  return (
    <>
      {of.lanes.map((l, i) => (
        <g class="lane">
          {i % 2 === 0 && <rect class="band" x="0" y={l.y} width={of.width} height={l.h} />}
          <text x={of.left - 10} y={l.base - 5} text-anchor="end">
            {printable(l.label)}
            <title>{printable(l.name)}</title>
          </text>
          <path d={`M${of.left} ${l.base}H${of.right}`} />
        </g>
      ))}
      {of.ticks.map((t) => (
        <g class={"tick" + (t.label ? " long" : "")}>
          <path d={`M${t.x} ${of.top - (t.label ? 6 : 3)}V${t.label ? of.height : of.top}`} />
          {t.label && (
            <text x={Math.min(t.x, of.right - 3 * t.label.length)} y={of.top - 10} text-anchor="middle">
              {t.label}
            </text>
          )}
        </g>
      ))}
    </>
  );
}

/** Over hatches what lies behind the end of the run: nothing is missing there. */
function Over({ of }: { of: RunWindow }) {
  const p = of.picture;
  const x = p.left + ((of.run_ns - of.from_ns) / (of.to_ns - of.from_ns)) * (p.right - p.left);
  if (x > p.right - 8) return null;
  return (
    <g class="over">
      <rect x={x} y={p.top} width={p.width - x} height={p.height - p.top - 16} />
      <path d={`M${x} ${p.top}V${p.height - 16}`} />
      {p.right - x > 110 && <text x={x + 8} y={p.top + 15}>the run has ended</text>}
    </g>
  );
}

/** Box is an execution with its name, where that has room. */
function Box({ b, height }: { b: PlacedBox; height: number }) {
  const look = b.look === "function" ? "of" + (b.colour ?? 0) : b.look;
  return (
    <g class={"box " + look + (b.pale ? " pale" : "") + (b.open ? " open" : "")}>
      <rect x={b.x} y={b.y} width={b.w} height={height} data-tip={b.tip} />
      {b.label && (
        <text x={b.x + 4} y={b.y + 12.3}>
          {printable(b.label)}
        </text>
      )}
    </g>
  );
}

/** Head is that of an arrow, along its direction. */
function Head({ x1, y1, x2, y2 }: { x1: number; y1: number; x2: number; y2: number }) {
  const long = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [dx, dy] = [(x2 - x1) / long, (y2 - y1) / long];
  const at = (back: number, aside: number) => `${(x2 - back * dx - aside * dy).toFixed(1)} ${(y2 - back * dy + aside * dx).toFixed(1)}`;
  return <path class="head" d={`M${at(6, 2.5)}L${x2} ${y2}L${at(6, -2.5)}Z`} />;
}

/** Numbers are the executions that are drawn as such, as a table. */
function Numbers({ of }: { of: RunWindow }) {
  const named = of.picture.boxes.filter((b) => b.label !== undefined || b.look === "chosen").slice(0, 200);
  return (
    <details class="numbers">
      <summary>Executions of this window in words</summary>
      <div class="scroll" tabIndex={0} role="region" aria-label={"Executions of the window of " + of.execution}>
        <ul>
          {named.map((b) => (
            <li>{printable(b.tip).replaceAll("\\n", ", ")}</li>
          ))}
          {of.picture.path.slice(0, 100).map((s) => (
            <li>{printable(s.tip).replaceAll("\\n", ", ")}</li>
          ))}
        </ul>
      </div>
    </details>
  );
}

/** Legend says what the marks mean, and which command draws the same. */
function Legend({ of }: { of: Windows }) {
  return (
    <>
      <ul class="lines">
        {of.sides.some((s) => s.picture.boxes.some((b) => b.look === "chosen")) && (
          <li>
            <svg width="24" height="12" class="timeline" aria-hidden="true"><g class="box chosen"><rect width="24" height="12" /></g></svg> <Name of={of.function} most={80} />
          </li>
        )}
        <li>
          <svg width="24" height="12" class="timeline" aria-hidden="true"><g class="box of0"><rect width="24" height="12" /></g></svg> execution, on top of its caller
        </li>
        <li>
          <svg width="24" height="12" class="timeline" aria-hidden="true"><g class="box bar"><rect width="2" height="12" /></g></svg> narrower than two pixels, or several together
        </li>
        <li>
          <svg width="24" height="12" class="timeline" aria-hidden="true"><path class="critical" d="M0 6H24" /></svg> critical path
        </li>
        {of.sides.some((s) => s.picture.arrows.length > 0) && (
          <li>
            <svg width="24" height="12" class="timeline" aria-hidden="true"><g class="message"><path d="M0 6H24" /></g></svg> message or another coupling
          </li>
        )}
      </ul>
      <p class="note">
        {of.sides.some((s) => s.components?.length) && "Lanes are of the components in which something runs through all of the execution: its callers, and what waits for it. "}
        {of.sides.length > 1 && "Both windows are equally long, so that lengths compare. Of each side they show the run in which the longest execution has the median length. "}
        The same with all lanes: {of.sides.map((s, i) => <>{i > 0 && ", "}<code>{`analyze timeline ${printable(s.run)} --around '${printable(s.execution)}' -o ${s.side || "window"}.svg`}</code></>)}
      </p>
    </>
  );
}

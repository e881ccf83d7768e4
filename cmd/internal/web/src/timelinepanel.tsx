// What stands beside the picture of a timeline: the properties of the selected execution, and the picture as a table.

import { useState } from "preact/hooks";
import { useResource, type Data } from "./data";
import { change, parse } from "./router";
import { go, mark, select } from "./timeline";
import { letterOf, type Broken } from "./timelinecanvas";
import { runPath, type Drawn, type Execution, type Lanes, type Neighbour, type Related, type View } from "./timelinedata";
import { show } from "./timelinekeys";
import { Facts, Failed, Name, PlainTable, Section, Waiting } from "./ui";
import { count, duration, plural, printable, words } from "./units";

/** Selection shows all that the lake says of an execution, and the ways to those around it. */
export function Selection({ data, run, execution, near, second, other }: { data: Data; run: string; execution: number; near: string; second?: { shift: number }; other: string }) {
  const { value: x, error } = useResource<Execution>(data, `${runPath(run)}execution?id=${execution}&near=${encodeURIComponent(near)}`);
  const { value: around } = useResource<Related>(data, x ? `${runPath(run)}related?id=${execution}&near=${x.start_ns}` : "");
  if (error) return <Failed why={error} />;
  if (!x) return <Waiting />;
  const of = second ? "2" : "";
  const shift = second?.shift ?? 0;
  const name = `${x.component}.${x.function}#${x.number}`;
  const room = Math.max(x.duration_ns / 10, 5);
  const clear = () => change("sel" + of, "", true);
  return (
    <Section title={printable(name)} id={"selection" + of}>
      <p>
        <button type="button" onClick={() => go({ from: x.start_ns - room - shift, to: x.finish_ns + room - shift }, true)}>Zoom to it</button>{" "}
        {!second && <button type="button" onClick={() => change("path", "@" + x.finish_seq, true)}>Critical path to its finish</button>}{" "}
        <button type="button" onClick={() => mark(x.start_ns - shift)}>Mark its start</button>{" "}
        <button type="button" onClick={() => mark(x.finish_ns - shift)}>Mark its finish</button>{" "}
        {second && other && <Align data={data} x={x} other={other} />}{" "}
        <button type="button" onClick={clear}>Clear the selection</button>
      </p>
      <Facts
        of={[
          ["function", <Name of={x.function} />],
          ["component", <Name of={x.component} />],
          ["lane", <Name of={x.lifeline} />],
          ["begins", `${duration(x.start_ns)} after the first event`],
          ["duration", `${duration(x.duration_ns)} (${count(x.duration_ns)} ns)`],
          ["own time", `${duration(x.self_ns)}, without what it calls on its lane`],
          ["depth", x.depth === 0 ? "a root execution" : String(x.depth)],
          ["fragment", <><Name of={x.fragment} />, occurrence {count(x.occurrence)}</>],
          ...(x.role ? ([["role", words(x.role) + (x.peer ? ` with ${printable(x.peer)}` : "")]] as [string, string][]) : []),
          ...(x.attributes ?? []).map(([name, value]): [any, any] => [<Name of={name} most={60} />, <Name of={value} most={400} />]),
          ...(x.type ? ([["type", printable(x.type)]] as [string, string][]) : []),
          ...((around?.spare ?? []).map((s) => [`slack of its ${s.at_start ? "start" : "finish"}`, s.slack_ns === 0 ? "none: any delay moves an end" : duration(s.slack_ns)]) as [string, string][]),
          ...(x.synthetic ? ([["invented", "its start or its finish was not in the trace"]] as [string, string][]) : []),
          ["on the command line", <code>{`analyze critical-path ${run} --to '${printable(name)}'`}</code>],
        ]}
      />
      {around && <Around data={data} run={run} x={x} around={around} of={of} shift={shift} />}
    </Section>
  );
}

/** Align moves the second run so that its selection begins when that of the first run does. */
function Align({ data, x, other }: { data: Data; x: Execution; other: string }) {
  const align = async () => {
    const place = parse(location.hash);
    const first = await data.get<Execution>(`${runPath(place.of[0] ?? "")}execution?id=${other}&near=${place.query.get("near") ?? ""}`);
    change("shift", String(x.start_ns - first.start_ns), true);
  };
  return <button type="button" onClick={() => void align()}>Align with the selection of the first run</button>;
}

/** Around are the ways to the caller, the callees, senders, receivers, and the same function before and after. */
function Around({ data, run, x, around, of, shift }: { data: Data; run: string; x: Execution; around: Related; of: string; shift: number }) {
  const to = (seq: number, ns: number) => void data.get<Execution>(`${runPath(run)}execution?at=${seq}&near=${ns}`).then((e) => show(e, of, shift), () => go({ from: ns - 1000 - shift, to: ns + 1000 - shift }, true));
  const way = (label: string, n: Neighbour | null, none: string) => (
    <li>{n ? <button type="button" class="link" onClick={() => show(n, of, shift)}>{label} <Name of={n.function} most={60} />#{count(n.number)}, {duration(n.finish_ns - n.start_ns)}</button> : none}</li>
  );
  const longest = [...around.callees].sort((a, b) => b.finish_ns - b.start_ns - (a.finish_ns - a.start_ns)).slice(0, 12);
  return (
    <div class="around">
      <div>
        <h3>Before and after</h3>
        <ul class="plainlist">
          {x.parent !== null ? <li><button type="button" class="link" onClick={() => to(x.parent!, x.start_ns)}>the caller, on this lane</button></li> : <li>no caller on this lane</li>}
          {way("before it:", around.before, x.number === 1 ? "it is the first of its function" : "none before it is near")}
          {way("after it:", around.after, "none after it is near")}
        </ul>
      </div>
      <div>
        <h3>{around.calls === 0 ? "It calls nothing on its lane" : `It calls ${plural(around.calls, "execution")}${around.calls > longest.length ? `, of which these are the longest` : ""}`}</h3>
        <ul class="plainlist">{longest.map((n) => way("", n, ""))}</ul>
      </div>
      <div>
        <h3>What its start and its finish wait for</h3>
        <ul class="plainlist">
          {around.waits.map((w) => (
            <li class={w.critical ? "critical" : ""}>
              its {w.at_start ? "start" : "finish"}: {w.kind === "component" ? "what was before it on its lane" : <>{words(w.kind)} {w.label && <Name of={w.label} most={60} />} from <Name of={w.sender} most={60} /></>}, {duration(w.to_ns - w.from_ns)};{" "}
              {w.critical ? <b>critical</b> : w.slack_ns === null ? "without a bound" : `slack ${duration(w.slack_ns)}`}
            </li>
          ))}
        </ul>
      </div>
      <div>
        <h3>{around.messages.length === 0 ? "No message at its start or finish" : "Messages at its start and finish"}</h3>
        <ul class="plainlist">
          {around.messages.slice(0, 20).map((m) => (
            <li>
              {m.sent ? "sends" : "receives"} {m.label && <Name of={m.label} most={60} />} at its {m.at_start ? "start" : "finish"}, {duration(m.took_ns)} under way:{" "}
              <button type="button" class="link" onClick={() => to(m.seq, m.ns)}>{m.sent ? "to" : "from"} <Name of={m.lifeline + (m.function ? " in " + m.function : "")} most={80} /></button>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

/** Marks lists the marks, and how far they are apart. */
export function Marks({ of }: { of: number[] }) {
  const sorted = of.map((ns, i) => ({ ns, i })).sort((a, b) => a.ns - b.ns);
  return (
    <Section title="Marks" id="marks">
      <div class="scrolls" tabIndex={0} role="region" aria-label="Marks and their distances">
      <PlainTable title="Marks" kind="plain">
        <thead>
          <tr>
            <th scope="col">mark</th>
            <th scope="col" class="right">at</th>
            <th scope="col" class="right">after the one before</th>
            <th scope="col" class="right">after the first</th>
            <th scope="col">remove</th>
          </tr>
        </thead>
        <tbody>
          {sorted.map((m, k) => (
            <tr>
              <th scope="row">{letterOf(m.i)}</th>
              <td class="right">{duration(m.ns)} <small>{count(m.ns)} ns</small></td>
              <td class="right">{k > 0 && duration(m.ns - sorted[k - 1]!.ns)}</td>
              <td class="right">{k > 0 && duration(m.ns - sorted[0]!.ns)}</td>
              <td><button type="button" onClick={() => change("marks", of.filter((_, i) => i !== m.i).join(","), true)}>Remove {letterOf(m.i)}</button></td>
            </tr>
          ))}
        </tbody>
      </PlainTable>
      </div>
    </Section>
  );
}

const mostRows = 200;

/** HeldTable is where the shown checks and their definitions hold in the window, as a table; or which command finds it. */
export function HeldTable({ of, view, kept, missing }: { of: Broken[]; view: View; kept: boolean; missing: string }) {
  const [open, set] = useState(false);
  if (!kept) return <p class="note">Where checks hold over time is not kept: <code>{missing}</code> keeps it.</p>;
  const rows = of.flatMap((b) => (b.held?.from_ns ?? []).map((from, i) => ({ name: b.name, from, to: b.held!.to_ns[i]!, holds: b.held!.holds[i]! }))).filter((r) => r.from <= view.to && r.to >= view.from);
  return (
    <details class="astable" open={open} onToggle={(e) => set(e.currentTarget.open)}>
      <summary>Where the checks hold, as a table: {plural(rows.length, "stretch").replace("stretchs", "stretches")} in the window</summary>
      {open && (
        <PlainTable title="Where the checks hold" id="held">
          <caption>Green and high: it holds; red and low: it does not; a triangle: a state that breaks the check for good</caption>
          <thead>
            <tr>
              <th scope="col">check or definition</th>
              <th scope="col" class="right">from</th>
              <th scope="col" class="right">to</th>
              <th scope="col">holds</th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, mostRows).map((r) => (
              <tr>
                <td>{printable(r.name)}</td>
                <td class="right" data-ns={r.from}>{duration(r.from)}</td>
                <td class="right" data-ns={r.to}>{duration(r.to)}</td>
                <td>{r.holds ? "yes" : "no"}</td>
              </tr>
            ))}
          </tbody>
        </PlainTable>
      )}
    </details>
  );
}

/** BoxTable is the picture as a table: the longest boxes of the window. It is made when somebody opens it. */
export function BoxTable({ lanes, drawn, view, second }: { lanes: Lanes; drawn: Drawn; view: View; second?: { shift: number } }) {
  const [open, set] = useState(false);
  const b = drawn.boxes;
  let inside = 0;
  for (let i = 0; i < b.lane.length; i++) if (b.start_ns[i]! <= view.to && b.finish_ns[i]! >= view.from) inside++;
  return (
    <details class="astable" open={open} onToggle={(e) => set(e.currentTarget.open)}>
      <summary>The picture as a table: the longest {plural(Math.min(inside, mostRows), "box").replace("boxs", "boxes")} of {count(inside)} in the window</summary>
      {open && <BoxRows lanes={lanes} drawn={drawn} view={view} second={second} />}
    </details>
  );
}

function BoxRows({ lanes, drawn, view, second }: { lanes: Lanes; drawn: Drawn; view: View; second?: { shift: number } }) {
  const b = drawn.boxes;
  const inside = Array.from(b.lane.keys()).filter((i) => b.start_ns[i]! <= view.to && b.finish_ns[i]! >= view.from);
  const shown = inside.sort((x, y) => b.busy_ns[y]! - b.busy_ns[x]! || x - y).slice(0, mostRows);
  const messages = drawn.arrows.slowest.filter((a) => a.send_ns <= view.to && a.receive_ns >= view.from);
  const slow = messages.sort((x, y) => y.receive_ns - y.send_ns - (x.receive_ns - x.send_ns)).slice(0, 50);
  return (
    <>
      <PlainTable title="Slowest messages">
        <caption>Executions, the longest first</caption>
        <thead>
          <tr>
            <th scope="col">lane</th>
            <th scope="col">function</th>
            <th scope="col" class="right">executions</th>
            <th scope="col" class="right">begins</th>
            <th scope="col" class="right">time in them</th>
            <th scope="col" class="right">depth</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((i) => (
            <tr key={i}>
              <td><Name of={lanes.lanes[b.lane[i]!]!.lifeline} most={60} /></td>
              <td>{b.function[i]! < 0 || b.longest[i] === null ? "narrower than a pixel" : <button type="button" class="link" onClick={() => select(b.longest[i]!, b.start_ns[i]!, b.count[i] === 1, second ? "2" : "")}><Name of={b.functions[b.function[i]!]!} most={60} /></button>}</td>
              <td class="right">{count(b.count[i]!)}</td>
              <td class="right" data-ns={b.start_ns[i]!}>{duration(b.start_ns[i]!)}</td>
              <td class="right" data-ns={b.busy_ns[i]!}>{duration(b.busy_ns[i]!)}</td>
              <td class="right">{b.depth[i]}</td>
            </tr>
          ))}
        </tbody>
      </PlainTable>
      <PlainTable title="Executions">
        <caption>Messages, the slowest first</caption>
        <thead>
          <tr>
            <th scope="col">from</th>
            <th scope="col">to</th>
            <th scope="col">label</th>
            <th scope="col">pattern</th>
            <th scope="col" class="right">sent</th>
            <th scope="col" class="right">under way</th>
          </tr>
        </thead>
        <tbody>
          {slow.map((a) => (
            <tr>
              <td><Name of={lanes.lanes[a.from]!.lifeline} most={60} /></td>
              <td><Name of={lanes.lanes[a.to]!.lifeline} most={60} /></td>
              <td><Name of={a.label} most={60} /></td>
              <td>{words(a.pattern)}</td>
              <td class="right" data-ns={a.send_ns}>{duration(a.send_ns)}</td>
              <td class="right" data-ns={a.receive_ns - a.send_ns}>{duration(a.receive_ns - a.send_ns)}</td>
            </tr>
          ))}
        </tbody>
      </PlainTable>
    </>
  );
}

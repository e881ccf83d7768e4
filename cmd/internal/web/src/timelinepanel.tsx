// What stands beside the picture of a timeline: the properties of the selected execution, and the picture as a table.

import { useResource, type Data } from "./data";
import { change } from "./router";
import { go } from "./timeline";
import { runPath, type Drawn, type Execution, type Lanes, type View } from "./timelinedata";
import { Failed, Facts, Name, Section, Waiting } from "./ui";
import { count, duration, plural, printable, words } from "./units";

/** Selection shows all that the lake says of an execution. */
export function Selection({ data, run, execution, near }: { data: Data; run: string; execution: number; near: string }) {
  const { value: x, error } = useResource<Execution>(data, `${runPath(run)}execution?id=${execution}&near=${encodeURIComponent(near)}`);
  if (error) return <Failed why={error} />;
  if (!x) return <Waiting />;
  const name = `${x.component}.${x.function}#${x.number}`;
  const room = Math.max(x.duration_ns / 10, 5);
  return (
    <Section title={printable(name)} id="selection">
      <p>
        <button type="button" onClick={() => go({ from: x.start_ns - room, to: x.finish_ns + room }, true)}>Zoom to it</button>{" "}
        <button type="button" onClick={() => change("path", "@" + x.finish_seq, true)}>Critical path to its finish</button>{" "}
        <button type="button" onClick={() => change("sel", "", true)}>Clear the selection</button>
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
          ...(x.parent === null ? [] : ([["called by", <button type="button" onClick={() => change("sel", String(x.parent), true)}>execution {count(x.parent)}</button>]] as [string, preact.JSX.Element][])),
          ["fragment", <><Name of={x.fragment} />, occurrence {count(x.occurrence)}</>],
          ...(x.role ? ([["role", words(x.role) + (x.peer ? ` with ${printable(x.peer)}` : "")]] as [string, string][]) : []),
          ...(x.type ? ([["type", printable(x.type)]] as [string, string][]) : []),
          ...(x.synthetic ? ([["invented", "its start or its finish was not in the trace"]] as [string, string][]) : []),
          ["on the command line", <code>{`analyze critical-path ${run} --to '${printable(name)}'`}</code>],
        ]}
      />
    </Section>
  );
}

const mostRows = 200;

/** BoxTable is the picture as a table: the longest boxes of the window. */
export function BoxTable({ lanes, drawn, view }: { lanes: Lanes; drawn: Drawn; view: View }) {
  const b = drawn.boxes;
  const inside = b.lane.map((_, i) => i).filter((i) => b.start_ns[i]! <= view.to && b.finish_ns[i]! >= view.from);
  const shown = inside.sort((x, y) => b.busy_ns[y]! - b.busy_ns[x]! || x - y).slice(0, mostRows);
  const messages = drawn.arrows.slowest.filter((a) => a.send_ns <= view.to && a.receive_ns >= view.from);
  const slow = messages.sort((x, y) => y.receive_ns - y.send_ns - (x.receive_ns - x.send_ns)).slice(0, 50);
  return (
    <details class="astable">
      <summary>The picture as a table: the longest {plural(shown.length, "box").replace("boxs", "boxes")} of {count(inside.length)} in the window</summary>
      <table>
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
              <td>{b.function[i]! < 0 ? "narrower than a pixel" : <Name of={b.functions[b.function[i]!]!} most={60} />}</td>
              <td class="right">{count(b.count[i]!)}</td>
              <td class="right">{duration(b.start_ns[i]!)}</td>
              <td class="right">{duration(b.busy_ns[i]!)}</td>
              <td class="right">{b.depth[i]}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <table>
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
              <td class="right">{duration(a.send_ns)}</td>
              <td class="right">{duration(a.receive_ns - a.send_ns)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

// Which items of a run were treated alike (Hendriks et al. 2024, section 6.6 and figure 17): a bar for every behaviour, and one item of each.

import * as Plot from "@observablehq/plot";
import { useCallback } from "preact/hooks";
import { useResource, type Data } from "./data";
import { Figure } from "./figure";
import { change, to, type Place } from "./router";
import { runPath, type Attribute } from "./timelinedata";
import { hueAt } from "./timelinecanvas";
import { Failed, Name, PlainTable, Section, Waiting } from "./ui";
import { count, duration, percent, plural, printable } from "./units";

interface Behaviour {
  items: number;
  run: string;
  representative: string;
  members: string[] | null;
  representative_ns: number;
  claims: string[] | null;
}

interface Found {
  item: string;
  by: string;
  items: number;
  classes: Behaviour[] | null;
}

/** Behaviours is the page #/behaviours/RUN?item=ATTRIBUTE&by=A,B. */
export function Behaviours({ data, place }: { data: Data; place: Place }) {
  const run = place.of[0] ?? "";
  const { value: attributes, error } = useResource<Attribute[]>(data, runPath(run) + "attributes");
  if (error) return <Failed why={error} />;
  if (!attributes) return <Waiting />;
  const item = place.query.get("item") ?? attributes.find((a) => a.name === "id")?.name ?? attributes[0]?.name ?? "";
  const by = place.query.get("by") ?? "";
  const choice = (name: string, label: string, value: string, options: [string, string][]) => (
    <label>
      {label} <select value={value} onChange={(e) => change(name, e.currentTarget.value, true)}>{options.map(([v, text]) => <option value={v}>{text}</option>)}</select>
    </label>
  );
  return (
    <>
      <h1>
        Behaviours in <Name of={run} />
        <span class="over">Items whose executions and events have equal attributes and the same order are treated alike, whatever their times are.</span>
      </h1>
      {attributes.length === 0 ? (
        <p>The executions of this run have no attributes: its format has none, or <code>ingest --attributes</code> kept none.</p>
      ) : (
        <div class="tools">
          {choice("item", "Items are the values of", item, attributes.map((a) => [a.name, printable(a.name)]))}
          {choice("by", "What counts beside the order", by, [["", "all attributes but that"], ...attributes.filter((a) => a.name !== item).map((a): [string, string] => [a.name, printable(a.name)])])}
        </div>
      )}
      {item && <Classes data={data} run={run} item={item} by={by} />}
    </>
  );
}

const mostBars = 30;

function Classes({ data, run, item, by }: { data: Data; run: string; item: string; by: string }) {
  const { value, error } = useResource<Found>(data, `${runPath(run)}behaviours?item=${encodeURIComponent(item)}${by && "&by=" + encodeURIComponent(by)}`);
  const classes = value?.classes ?? [];
  const options = useCallback(
    (width: number) => {
      const bars = classes.slice(0, mostBars).map((c, i) => ({ name: `behaviour ${i + 1}`, n: c.items, fill: hueAt(i) }));
      return {
        height: 44 + bars.length * 24, marginTop: 6, marginLeft: 110, marginRight: 90,
        x: { label: null, grid: true, ticks: Math.max(2, Math.min(classes[0]?.items ?? 2, Math.floor(width / 160))), tickFormat: (n: number) => (Number.isInteger(n) ? count(n) : "") },
        y: { label: null, domain: bars.map((b) => b.name), tickSize: 0 },
        marks: [
          Plot.barX(bars, { x: "n", y: "name", fill: "fill", insetTop: 3, insetBottom: 3 }),
          Plot.text(bars, { x: "n", y: "name", text: (b: { n: number }) => `${count(b.n)}, ${percent(b.n, value?.items ?? 1)}`, textAnchor: "start", dx: 4, fill: "currentColor" }),
        ],
      };
    },
    [value],
  );
  if (error) return <Failed why={error} />;
  if (!value) return <Waiting />;
  return (
    <>
      <Figure title={`${plural(value.items, "item")} in ${plural(classes.length, "behaviour")}, the most frequent first`} options={options} table={{ head: ["behaviour", "items"], rows: classes.map((c, i) => [i + 1, c.items]) }} />
      <Section title="One of each" lead="An item leads to the timeline, in which it stands out.">
        <div class="scrolls" tabIndex={0} role="region" aria-label="Behaviours">
          <PlainTable title="Behaviours" kind="plain">
            <thead>
              <tr>
                <th scope="col" class="right">behaviour</th>
                <th scope="col" class="right">items</th>
                <th scope="col" class="right">share</th>
                <th scope="col">one of them</th>
                <th scope="col" class="right">it lasts</th>
                <th scope="col">what happens to it</th>
                <th scope="col">all of them</th>
              </tr>
            </thead>
            <tbody>
              {classes.slice(0, 200).map((c, i) => (
                <tr>
                  <td class="right">{i + 1}</td>
                  <td class="right">{count(c.items)}</td>
                  <td class="right">{percent(c.items, value.items)}</td>
                  <td><a href={to("timeline", [run], { colour: "attribute:" + item, only: c.representative })}><Name of={`${item}=${c.representative}`} most={60} /></a></td>
                  <td class="right" data-ns={c.representative_ns}>{duration(c.representative_ns)}</td>
                  <td><small>{(c.claims ?? []).slice(0, 40).map(printable).join(" ")}{(c.claims ?? []).length > 40 && " …"}</small></td>
                  <td><small>{(c.members ?? []).slice(0, 20).map(printable).join(", ")}{c.items > 20 && " …"}</small></td>
                </tr>
              ))}
            </tbody>
          </PlainTable>
        </div>
        <p class="note">On the command line: <code>{`analyze behaviours ${run} --item ${item}${by && ` --by ${by}`}`}</code></p>
      </Section>
    </>
  );
}

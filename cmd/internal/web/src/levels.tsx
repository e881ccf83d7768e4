// How the behaviour of model sets differs, on the six levels of Hendriks et al. 2022 (Hilbig 2023, section 2.3.2): which sets behave alike, which
// extend which, how many entities differ, and the same of each entity. Letters, order and sentences are those of analyze levels.

import { useMemo } from "preact/hooks";
import { useResource, type Data } from "./data";
import { Grid, type Column } from "./grid";
import { change, to, type Place } from "./router";
import { Failed, Name, PlainTable, Section, Verdict, Waiting } from "./ui";
import { count, plural, printable } from "./units";

interface Edge {
  lower: string;
  upper: string;
  unrelated?: boolean;
  added: number;
  changed?: number;
  removed?: number;
  lower_word?: string;
  upper_word?: string;
}

interface Entity {
  name: string[];
  variants: string[];
  edges: Edge[];
}

interface Levels {
  comparison: string;
  noun: string;
  sets: { name: string; letter: string; entities: number; runs: string[]; incomplete: boolean }[];
  given: number;
  extensions: Edge[];
  differing: number[][];
  entities: Entity[];
  same: number;
  steps: { base: string; cand: string; summary: string; changes: { verdict: string; cells: string[] }[] }[];
}

/** LevelsPage is the page #/levels/NAME?entity=N; with set=A and with=B it lists the entities in which two sets differ. */
export function LevelsPage({ data, place }: { data: Data; place: Place }) {
  const { value, error } = useResource<Levels>(data, "levels/" + encodeURIComponent(place.of[0] ?? ""));
  if (error) return <Failed why={error} />;
  if (!value) return <Waiting />;
  return <Shown of={value} place={place} />;
}

function Shown({ of, place }: { of: Levels; place: Place }) {
  const nouns = of.noun + "s";
  const members = new Map<string, string[]>();
  for (const s of of.sets) members.set(s.letter, [...(members.get(s.letter) ?? []), s.name]);
  return (
    <>
      <h1>
        Behaviour of <Name of={of.comparison} />
        <span class="over">{plural(of.given, "model set")}; {plural(of.entities.length, of.noun)} not the same everywhere, {count(of.same)} the same</span>
      </h1>
      <div class="pictures">
        <Section title="1  Which behave alike" lead="Model sets with one letter have the same behaviour.">
          <PlainTable title="Model sets" kind="plain">
            <thead>
              <tr><th scope="col">variant</th><th scope="col">model set</th><th scope="col" class="right">{nouns}</th><th scope="col">runs</th></tr>
            </thead>
            <tbody>
              {of.sets.map((s, i) => (
                <tr>
                  <td><Letter of={s.letter} />{s.incomplete && <span title="a union or an intersection with it was not computed">*</span>}</td>
                  <td><Name of={s.name} /></td>
                  <td class="right">{count(s.entities)}</td>
                  <td>{i < of.given ? <span title={s.runs.map(printable).join(", ")}>{plural(s.runs.length, "run")}</span> : "computed"}</td>
                </tr>
              ))}
            </tbody>
          </PlainTable>
        </Section>
        <Section title="2  Which extend which" lead={`The upper one can do all that the lower one can; + ${nouns} that the lower one lacks, ~ ${nouns} that can do more.`}>
          {of.extensions.length === 0
            ? <p>{members.size < 2 ? "All behave alike." : "None: each can do something that the others cannot."}</p>
            : <Lattice letters={[...members.keys()]} edges={of.extensions} of={(letter) => members.get(letter)?.join(", ") ?? ""} label={(e) => `+${count(e.added)} ~${count(e.changed ?? 0)}`} title="Lattice of the variants of model sets" />}
        </Section>
      </div>
      <Section title={`3  How many ${nouns} differ`} lead="The stronger the colour, the more. A number leads to what differs, below.">
        <Matrix of={of} place={place} />
      </Section>
      <Section title={`4  Which variant of a ${of.noun} they have`} lead={`Where a model set does not have the ${of.noun} stands –. A name leads to levels 5 and 6 of it.`}>
        {of.entities.length === 0 ? <p>All are the same everywhere.</p> : <Entities of={of} place={place} />}
      </Section>
      {of.entities.length > 0 && <Inner of={of} place={place} />}
      {of.steps.map((s) => <Step {...s} />)}
    </>
  );
}

/** bare is a letter without the brackets that say that its variant is computed. */
const bare = (letter: string) => letter.replace(/[()]/g, "");

/** Letter is a variant. Its tint tells letters apart where many stand beside each other; it is never alone. */
function Letter({ of }: { of: string }) {
  const n = of === "-" ? "none" : "of" + ((bare(of).charCodeAt(0) - 65) % 6);
  return <span class={"letter " + n}>{of === "-" ? "–" : of}</span>;
}

const mostNamed = 12;

/** whichDiffer names the entities in which two sets differ, for those who point at the number of them. */
function whichDiffer(of: Levels, i: number, j: number): string {
  const names = of.entities.filter((e) => e.variants[i] !== e.variants[j]).map((e) => printable(e.name.join(" ")));
  return names.slice(0, mostNamed).join("\n") + (names.length > mostNamed ? `\n… and ${count(names.length - mostNamed)} more` : "");
}

/** Matrix is symmetric. The tint is in five steps of the greatest number, since no style may stand in an element. */
function Matrix({ of, place }: { of: Levels; place: Place }) {
  const most = Math.max(1, ...of.differing.flat());
  const chosen = `${place.query.get("set") ?? ""}\n${place.query.get("with") ?? ""}`;
  return (
    <div class="scrolls" tabIndex={0} role="region" aria-label="Matrix of differences">
      <PlainTable title="Matrix of differences" kind="matrix">
        <thead>
          <tr><td />{of.sets.map((s) => <th scope="col"><Name of={s.name} most={30} /></th>)}</tr>
        </thead>
        <tbody>
          {of.differing.map((row, i) => (
            <tr>
              <th scope="row"><Name of={of.sets[i]!.name} most={30} /></th>
              {row.map((n, j) => {
                const [x, y] = [of.sets[i]!.name, of.sets[j]!.name];
                return (
                  <td class={"step" + Math.ceil((5 * n) / most)} title={whichDiffer(of, i, j)}>
                    {n === 0 ? "0" : <a href={to("levels", [of.comparison], { set: x, with: y })} aria-current={chosen === `${x}\n${y}` ? "true" : undefined} aria-label={`${count(n)} differ between ${printable(x)} and ${printable(y)}`}>{count(n)}</a>}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </PlainTable>
    </div>
  );
}

/** Entities are those that differ: all, or those that two sets differ in. */
function Entities({ of, place }: { of: Levels; place: Place }) {
  const [set, other] = [place.query.get("set") ?? "", place.query.get("with") ?? ""];
  const rows = useMemo(() => {
    const [x, y] = [set, other].map((name) => of.sets.findIndex((s) => s.name === name));
    return of.entities.map((_, i) => i).filter((i) => x === -1 || y === -1 || of.entities[i]!.variants[x!] !== of.entities[i]!.variants[y!]);
  }, [of, set, other]);
  const columns = useMemo(() => {
    const entity = (row: number) => of.entities[rows[row]!]!;
    const name = (e: Entity) => e.name.join(" ");
    return [
      { name: "entity", title: of.noun, width: "minmax(20rem, 1fr)", key: (r) => name(entity(r)), cell: (r) => <a href={to("levels", [of.comparison], { ...Object.fromEntries(place.query), entity: rows[r]! + 1 })}><Name of={name(entity(r))} most={120} /></a> },
      ...of.sets.map((s, i): Column => ({ name: "set" + i, title: printable(s.name).slice(0, 24), width: "7rem", key: (r) => entity(r).variants[i], cell: (r) => <Letter of={entity(r).variants[i] ?? "-"} /> })),
    ] as Column[];
  }, [of, rows, place.query]);
  return (
    <>
      {set && other && <p>Only those in which <Name of={set} /> and <Name of={other} /> differ. <a href={to("levels", [of.comparison])}>Show all</a></p>}
      <Grid label={of.noun + "s that differ"} rows={rows.length} columns={columns} choices={[]} text={(r) => of.entities[rows[r]!]!.name.join(" ").toLowerCase()} place={place} initial="" short />
    </>
  );
}

/** Inner is how the variants of the chosen entity relate; of the first one until another is chosen. */
function Inner({ of, place }: { of: Levels; place: Place }) {
  const chosen = of.entities[Number(place.query.get("entity") ?? 1) - 1] ?? of.entities[0]!;
  const letters = [...new Set([...chosen.variants.filter((v) => v !== "-"), ...chosen.edges.flatMap((e) => [bare(e.lower), bare(e.upper)])])];
  const having = (letter: string) => of.sets.filter((_, i) => chosen.variants[i] === bare(letter)).map((s) => s.name).join(", ");
  return (
    <Section title={`5 and 6  How the variants of a ${of.noun} relate`} lead="A line upwards: the upper one can do all that the lower one can. A dashed one: either can do what the other cannot.">
      <h3><Name of={chosen.name.join(" ")} /></h3>
      {chosen.edges.length === 0 ? <p>It has one behaviour, or none: there is nothing to relate.</p> : (
        <div class="pictures">
          <Lattice letters={letters} edges={chosen.edges} of={having} label={(e) => `+${count(e.added)} -${count(e.removed ?? 0)}`} title={`Lattice of the variants of ${printable(chosen.name.join(" "))}`} onChoose={(e) => change("pair", pairOf(e), true)} />
          <PlainTable title="Transitions of one variant only" kind="plain">
            <caption>Transitions that only one of two variants has</caption>
            <thead>
              <tr><th scope="col">first</th><th scope="col">relation</th><th scope="col">second</th><th scope="col" class="right">only the second has</th><th scope="col" class="right">only the first has</th></tr>
            </thead>
            <tbody>
              {chosen.edges.map((e) => (
                <tr>
                  <td><Letter of={e.lower} /> <small>{printable(having(e.lower))}</small></td>
                  <td>{e.unrelated ? "neither extends the other" : "is extended by"}</td>
                  <td><Letter of={e.upper} /> <small>{printable(having(e.upper))}</small></td>
                  <td class="right">+{count(e.added)}</td>
                  <td class="right">-{count(e.removed ?? 0)}</td>
                </tr>
              ))}
            </tbody>
          </PlainTable>
          <Examples edges={chosen.edges} having={having} chosen={place.query.get("pair") ?? ""} />
        </div>
      )}
    </Section>
  );
}

/** pairOf names a line of a lattice in the address. */
const pairOf = (e: Edge) => `${bare(e.lower)}-${bare(e.upper)}`;

/** Examples are words that only one of two variants accepts: of the pair that is chosen, at first of the first one. */
function Examples({ edges, having, chosen }: { edges: Edge[]; having: (letter: string) => string; chosen: string }) {
  const e = edges.find((e) => pairOf(e) === chosen) ?? edges[0]!;
  const word = (own: string, other: string, steps?: string) => (
    <figure class="example">
      <figcaption>Only <Letter of={own} /> {having(own) && <small>{printable(having(own))}</small>} can do this, <Letter of={other} /> cannot:</figcaption>
      {steps === undefined ? <p>It has no such word, or none was looked for.</p> : steps === "" ? <p>Nothing at all.</p> : <ol>{steps.split("\n").map((s) => <li><Name of={s} most={120} /></li>)}</ol>}
    </figure>
  );
  return (
    <div id="example" aria-live="polite">
      <p class="choice">
        Example of{" "}
        {edges.map((one) => (
          <button type="button" class="link" aria-pressed={one === e} onClick={() => change("pair", pairOf(one), true)}>{`${one.lower} ${one.unrelated ? "|" : "→"} ${one.upper}`}</button>
        ))}
      </p>
      {word(e.upper, e.lower, e.upper_word)}
      {e.unrelated && word(e.lower, e.upper, e.lower_word)}
    </div>
  );
}

const mostChanges = 200;

/** Step is what became of the entities from a set to the next. */
function Step({ base, cand, summary, changes }: Levels["steps"][number]) {
  const widest = changes.reduce((n, c) => Math.max(n, c.cells.length), 0);
  return (
    <Section title={`From ${printable(base)} to ${printable(cand)}`} lead={summary}>
      {changes.length > 0 && (
        <div class="scrolls" tabIndex={0} role="region" aria-label={`Changes from ${printable(base)} to ${printable(cand)}`}>
          <PlainTable title={`Changes from ${printable(base)} to ${printable(cand)}`} kind="plain">
            <tbody>
              {changes.slice(0, mostChanges).map((c) => (
                <tr>
                  <td><Verdict of={c.verdict} /></td>
                  {c.cells.map((cell, i) => <td colSpan={i === c.cells.length - 1 ? widest - i : 1}><Name of={cell} most={120} /></td>)}
                </tr>
              ))}
            </tbody>
          </PlainTable>
          {changes.length > mostChanges && <p class="note">… and {count(changes.length - mostChanges)} more</p>}
        </div>
      )}
    </Section>
  );
}

const cell = { w: 148, h: 44, x: 36, y: 62 };

/** Lattice draws variants in layers: every line leads upwards from a behaviour to one that has all of it. Pairs that are unrelated have a dashed line. The label
 * of a line chooses it, as a button beside the drawing does. */
function Lattice({ letters, edges, of, label, title, onChoose }: { letters: string[]; edges: Edge[]; of: (letter: string) => string; label: (e: Edge) => string; title: string; onChoose?: (e: Edge) => void }) {
  const { at, width, height } = useMemo(() => layered(letters, edges.filter((e) => !e.unrelated)), [letters.join(), edges]);
  const computed = new Set(edges.flatMap((e) => [e.lower, e.upper]).filter((l) => l !== bare(l)).map(bare));
  const lines = edges.map((e) => ({ e, text: label(e), ...lineOf(at.get(bare(e.lower))!, at.get(bare(e.upper))!) }));
  return (
    <div class="scrolls" tabIndex={0} role="region" aria-label={title}>
      <svg class="lattice" width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`${title}: ${lines.map(({ e, text }) => `${e.lower} ${e.unrelated ? "|" : "->"} ${e.upper} ${text}`).join(", ")}`}>
        {lines.map(({ e, d }) => <path d={d} class={e.unrelated ? "unrelated" : ""} />)}
        {lines.map(({ e, text, x, y }) => (
          <g aria-hidden="true" class={onChoose ? "chooses" : ""} onClick={onChoose && (() => onChoose(e))}>
            <rect class="behind" x={x - text.length * 3.6 - 2} y={y - 8} width={text.length * 7.2 + 4} height={16} />
            <text x={x} y={y + 4}>{text}</text>
          </g>
        ))}
        {[...at].map(([letter, p]) => {
          const text = printable(of(letter)) || "computed";
          return (
            <g class="variant">
              <title>{`${letter}: ${text}`}</title>
              <rect x={p.x - cell.w / 2} y={p.y - cell.h / 2} width={cell.w} height={cell.h} rx={8} class={computed.has(letter) ? "computed" : ""} />
              <text x={p.x} y={p.y - 3} class="name">{computed.has(letter) ? `(${letter})` : letter}</text>
              <text x={p.x} y={p.y + 13}>{text.length > 22 ? text.slice(0, 21) + "…" : text}</text>
            </g>
          );
        })}
      </svg>
    </div>
  );
}

interface Point {
  x: number;
  y: number;
}

/** lineOf leads from one variant to another, and says where its label stands. Within a layer it is straight to the next one, and an arc below to others. */
function lineOf(a: Point, b: Point): { d: string; x: number; y: number } {
  const middle = (a.x + b.x) / 2;
  const below = a.y + cell.h / 2;
  if (a.y !== b.y) {
    const up = a.y > b.y ? 1 : -1;
    // The labels of lines that cross in the middle do not meet a third of the way up.
    return { d: `M${a.x},${a.y - (up * cell.h) / 2}L${b.x},${b.y + (up * cell.h) / 2}`, x: a.x + (b.x - a.x) * 0.36, y: a.y - up * (cell.h / 2 + cell.y * 0.36) };
  }
  if (Math.abs(a.x - b.x) <= cell.w + cell.x) return { d: `M${Math.min(a.x, b.x) + cell.w / 2},${a.y}H${Math.max(a.x, b.x) - cell.w / 2}`, x: middle, y: below + 10 };
  return { d: `M${a.x},${below}C${a.x},${below + 40} ${b.x},${below + 40} ${b.x},${below}`, x: middle, y: below + 30 };
}

/** layered puts every variant above all that it extends, and each layer in the order of the means of what stands below. */
function layered(letters: string[], edges: Edge[]): { at: Map<string, Point>; width: number; height: number } {
  const layer = new Map(letters.map((l) => [l, 0]));
  for (let again = true; again; ) {
    again = false;
    for (const e of edges) {
      const least = layer.get(bare(e.lower))! + 1;
      if (layer.get(bare(e.upper))! < least && least < letters.length) {
        layer.set(bare(e.upper), least);
        again = true;
      }
    }
  }
  const top = Math.max(0, ...layer.values());
  const rows = Array.from({ length: top + 1 }, (_, n) => letters.filter((l) => layer.get(l) === n));
  const place = new Map<string, number>();
  for (const row of rows) {
    const mean = (l: string) => {
      const below = edges.filter((e) => bare(e.upper) === l).map((e) => place.get(bare(e.lower)) ?? 0);
      return below.length ? below.reduce((a, b) => a + b, 0) / below.length : 0;
    };
    row.sort((x, y) => mean(x) - mean(y));
    row.forEach((l, i) => place.set(l, i - (row.length - 1) / 2));
  }
  const widest = Math.max(1, ...rows.map((r) => r.length));
  const width = widest * (cell.w + cell.x) + 8;
  const step = cell.h + cell.y;
  const at = new Map([...place].map(([l, i]) => [l, { x: width / 2 + i * (cell.w + cell.x), y: 8 + cell.h / 2 + (top - layer.get(l)!) * step }]));
  return { at, width, height: 8 + cell.h + top * step + 48 };
}

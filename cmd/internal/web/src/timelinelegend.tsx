// What the colours of a timeline mean, where they say more than functions: durations, values of an attribute, behaviours of items, how much the
// order differs from that of another run, and what is critical.

import { useMemo } from "preact/hooks";
import { useResource, type Data } from "./data";
import { change, split, to } from "./router";
import { useScheme } from "./scheme";
import { colourOf, durations, hueAt, shade, type Meaning } from "./timelinecanvas";
import { runPath, type Attribute, type Critical, type Difference } from "./timelinedata";
import { Name } from "./ui";
import { count, duration, plural, printable, rate } from "./units";

interface Found {
  items: number;
  by: string;
  classes: { items: number; representative: string }[] | null;
}

/** Meant is what colours mean. */
export interface Meant {
  values: string; // that boxes are to have; "" for none
  meaning?: Meaning;
  attribute?: Attribute;
  behaviours?: { item: string; of: Found };
  difference?: { from: string; of: Difference };
  critical?: Critical;
  error?: string;
}

/** useMeaning finds what the values of boxes look like. What is not known yet has no colours of its own. */
export function useMeaning(data: Data, run: string, colour: string, alike: string, attributes: Attribute[]): Meant {
  const [kind, of] = split(colour, ":");
  const at = runPath(run);
  const equal = alike && "&by=" + encodeURIComponent(alike);
  const found = useResource<Found>(data, kind === "behaviour" && of ? `${at}behaviours?item=${encodeURIComponent(of)}${equal}` : "");
  const same = kind === "difference" && of === run; // of two runs in one view, the one that the other is compared with
  const differs = useResource<Difference>(data, kind === "difference" && of && !same ? `${at}difference?from=${encodeURIComponent(of)}${alike && "&alike=" + encodeURIComponent(alike)}` : "");
  const critical = useResource<Critical>(data, kind === "critical" ? `${at}critical?of=${encodeURIComponent(of)}` : "");
  const attribute = kind === "attribute" ? attributes.find((a) => a.name === of) : undefined;
  return useMemo<Meant>(() => {
    if (attribute) {
      const hues = new Map(attribute.common.map((c, i) => [c.value, hueAt(i)]));
      return { values: colour, attribute, meaning: { hue: (v) => hues.get(v) ?? colourOf(v), word: printable } };
    }
    if (found.value) return { values: colour, behaviours: { item: of, of: found.value }, meaning: { hue: (v) => hueAt(Number(v) - 1), word: (v) => "behaviour " + v } };
    if (differs.value) {
      const most = Math.max(1, differs.value.most);
      return { values: colour, difference: { from: of, of: differs.value }, meaning: { hue: (v) => shade(Number(v) / most), word: (v) => (v === "0" ? "" : `${count(Number(v))} differ`), mark: (v) => (v === "0" ? "" : "line") } };
    }
    if (critical.value) return { values: colour, critical: critical.value, meaning: { hue: criticalHue, none: shade(0), word: (v) => (v === "waited" ? "waited" : ""), mark: (v) => (v === "waited" ? "frame" : "line"), follows: critical.value.edges } };
    if (same) return { values: "", meaning: { hue: () => shade(0), none: shade(0), word: () => "" } };
    return { values: "", error: found.error || differs.error || critical.error };
  }, [colour, attribute, found.value, differs.value, critical.value, found.error, differs.error, critical.error, same]);
}

const criticalHue = (value: string) => (value === "waited" ? "#c8102e" : "#8a3a52");

const Patch = ({ fill }: { fill: string | undefined }) => <svg width="14" height="12" aria-hidden="true"><rect width="14" height="12" fill={fill} /></svg>;

/** Lined is a colour of boxes that have a line below them, too. */
const Lined = ({ fill }: { fill: string }) => <svg width="14" height="12" aria-hidden="true"><rect width="14" height="12" fill={fill} /><rect y="9" width="14" height="3" fill="currentColor" /></svg>;

/** DurationKey says which colour is how long. */
export function DurationKey() {
  const hues = durations(useScheme());
  const names = ["below 1 us", "1 us", "10 us", "100 us", "1 ms", "10 ms", "100 ms", "1 s or more"];
  return <p class="legend durations">{names.map((n, i) => <span><Patch fill={hues[i]} /> {n}</span>)}</p>;
}

/** ValuesKey says which colour is what. Of two runs in one view both say how they differ, and the first one says the rest. */
export function ValuesKey({ run, meant, only, second }: { run: string; meant: Meant; only: string; second: boolean }) {
  if (meant.difference) return <DifferenceKey run={run} from={meant.difference.from} of={meant.difference.of} />;
  if (meant.critical) return <CriticalKey run={run} of={meant.critical} />;
  if (second) return null;
  if (meant.attribute) return <AttributeKey run={run} of={meant.attribute} hue={meant.meaning!.hue} only={only} />;
  if (meant.behaviours) return <BehaviourKey run={run} item={meant.behaviours.item} of={meant.behaviours.of} only={only} />;
  return null;
}

/** Chosen is a value in a legend. One that is chosen stays, the others become pale. */
function Chosen({ value, text, of, hue, only }: { value: string; text: string; of: string; hue: string; only: string }) {
  return (
    <button type="button" aria-pressed={only === value} onClick={() => change("only", only === value ? "" : value, true)}>
      <Patch fill={hue} /> <Name of={text} most={60} /> <small>{of}</small>
    </button>
  );
}

const note = "A sum of executions has the value of its longest one.";

function AttributeKey({ run, of, hue, only }: { run: string; of: Attribute; hue: (value: string) => string; only: string }) {
  return (
    <div class="legend values" role="group" aria-label={"Values of " + printable(of.name)}>
      <span><Name of={of.name} most={60} />:</span>
      {of.common.map((c) => <Chosen value={c.value} text={c.value} of={count(c.count)} hue={hue(c.value)} only={only} />)}
      {of.values > of.common.length && <span>and {plural(of.values - of.common.length, "more value")}</span>}
      <span class="note">{note} <a href={to("behaviours", [run], { item: of.name })}>Which values are treated alike</a></span>
    </div>
  );
}

const mostBehaviours = 24;

function BehaviourKey({ run, item, of, only }: { run: string; item: string; of: Found; only: string }) {
  const classes = of.classes ?? [];
  return (
    <div class="legend values" role="group" aria-label={"Behaviours of " + printable(item)}>
      {classes.slice(0, mostBehaviours).map((c, i) => <Chosen value={String(i + 1)} text={"behaviour " + (i + 1)} of={plural(c.items, "item")} hue={hueAt(i)} only={only} />)}
      {classes.length > mostBehaviours && <span>and {plural(classes.length - mostBehaviours, "more behaviour")}</span>}
      <span class="note">Items of one behaviour are equal in {of.by} and in their order. {note} <a href={to("behaviours", [run], { item })}>One item of each</a></span>
    </div>
  );
}

function DifferenceKey({ run, from, of }: { run: string; from: string; of: Difference }) {
  return (
    <p class="legend durations">
      <span><Patch fill={shade(0)} /> as in <Name of={from} most={60} /></span>
      {of.most > 0 && <span><Lined fill={shade(0.01)} /> 1 start, end or edge differs</span>}
      {of.most > 1 && <span><Lined fill={shade(1)} /> {count(of.most)} differ</span>}
      <span class="note">
        <Name of={run} most={60} /> is {count(of.distance)} apart from <Name of={from} most={60} />, F {rate(of.f)}; {plural(of.differ, "claim")} of it {of.differ === 1 ? "differs" : "differ"}. Claims are equal in {of.by}, and times count through their order only.
      </span>
    </p>
  );
}

/** CriticalKey says which boxes are critical, and how edges between them are drawn (Hendriks et al. 2024, figure 14). */
function CriticalKey({ run, of }: { run: string; of: Critical }) {
  return (
    <p class="legend durations critical">
      <span><Patch fill={shade(0)} /> not critical</span>
      <span><Lined fill={criticalHue("critical")} /> critical</span>
      <span><svg width="16" height="14" aria-hidden="true"><rect x="1" y="1" width="14" height="12" fill={criticalHue("waited")} stroke="currentColor" stroke-width="2" /></svg> critical, and waited for a resource</span>
      <span><svg width="22" height="12" aria-hidden="true"><path d="M0 6h18" stroke="currentColor" stroke-width="1.5" /><circle cx="18" cy="6" r="3" fill="currentColor" /></svg> as a dependency asks</span>
      <span><svg width="22" height="12" aria-hidden="true"><path d="M0 6h18" stroke="var(--removed)" stroke-width="2.5" stroke-dasharray="4 2" /><circle cx="18" cy="6" r="3" fill="var(--removed)" /></svg> no dependency asks for it</span>
      <span class="note">
        <Name of={run} most={60} />, graph of {printable(of.graph)}: {count(of.critical)} of {plural(of.claims_of_run, "claim")} critical, {plural(of.critical_edges, "critical edge")}; weight {duration(of.weight_ns)}, the run lasts {duration(of.duration_ns)}.
      </span>
    </p>
  );
}

// Signals of a timeline: which are shown, and how long each has which value.

import * as Plot from "@observablehq/plot";
import { useCallback, useState } from "preact/hooks";
import { useResource, type Data } from "./data";
import { Figure, time } from "./figure";
import { change, type Place } from "./router";
import { runPath, type Attribute, type Histograms } from "./timelinedata";
import { Failed, Section, Waiting } from "./ui";
import { duration, nanoseconds, percent, plural, portion, printable, rate } from "./units";

const quantities: [string, string][] = [["", "none"], ["wip", "work in progress"], ["messages", "messages under way"], ["throughput", "throughput"], ["latency", "latency"], ["usage", "use of resources"], ["clients", "claims on resources"], ["trace", "those of the trace"]];

/** signalName is the name of a signal as pages have it. */
export function signalName(name: string): string {
  return printable(name).replace(/^wip of /, "work in progress of ");
}

/** signalsAsked is the part of an address that says which signals are meant. */
export function signalsAsked(place: Place): string {
  const of = (name: string) => place.query.get(name) ?? "";
  const asked = new URLSearchParams({ of: of("signals") });
  if (of("items")) asked.set("items", of("items"));
  if (Number(of("over")) > 0) asked.set("over", of("over"));
  return asked.toString();
}

/** SignalChoices are the fields that say which signals are shown. */
export function SignalChoices({ place, attributes }: { place: Place; attributes: Attribute[] }) {
  const of = (name: string) => place.query.get(name) ?? "";
  const over = Number(of("over")) || 0;
  const [text, set] = useState(over ? duration(over) : "");
  const wrong = text !== "" && nanoseconds(text) === undefined;
  const countsItems = ["wip", "throughput", "latency"].includes(of("signals")) && attributes.length > 0;
  return (
    <>
      <label>
        Signals{" "}
        <select value={of("signals")} onChange={(e) => change("signals", e.currentTarget.value, true)}>
          {quantities.map(([value, name]) => <option value={value}>{name}</option>)}
        </select>
      </label>
      {countsItems && (
        <label>
          of{" "}
          <select value={of("items")} onChange={(e) => change("items", e.currentTarget.value, true)}>
            <option value="">root executions</option>
            {attributes.map((a) => <option value={a.name}>items by {printable(a.name)}</option>)}
          </select>
        </label>
      )}
      {of("signals") && (
        <label>
          averaged over{" "}
          <input type="text" size={7} value={text} placeholder="no time" aria-invalid={wrong} onInput={(e) => set(e.currentTarget.value)}
            onChange={(e) => { const ns = nanoseconds(e.currentTarget.value || "0"); if (ns !== undefined) change("over", ns ? String(ns) : "", true); }} />
        </label>
      )}
    </>
  );
}

/** SignalHistograms say how long each signal has which value (Hendriks et al. 2024, Definition 11 and figure 4b). */
export function SignalHistograms({ data, run, place }: { data: Data; run: string; place: Place }) {
  const { value, error } = useResource<Histograms>(data, `${runPath(run)}histograms?${signalsAsked(place)}`);
  if (error) return <Failed why={error} />;
  if (!value) return <Waiting />;
  const shown = value.signals.filter((s) => s.bars.length > 0);
  if (shown.length === 0) return null;
  return (
    <Section title="How long each signal has which value" id="histograms" lead={`Shares of the whole run.${value.total > value.signals.length ? ` These are the busiest ${value.signals.length} of ${plural(value.total, "signal")}.` : ""}`}>
      <div class="pictures">{shown.map((s) => <Shares of={s} />)}</div>
    </Section>
  );
}

type Bar = { value: string; from: number; to: number; share: number; ns: number };

function Shares({ of }: { of: Histograms["signals"][number] }) {
  const bars: Bar[] = of.bars.map((b) => ({ value: b.from === b.to ? rate(b.from) : `${rate(b.from)} to ${rate(b.to)}`, from: b.from, to: b.to, share: b.ns / Math.max(1, of.span_ns), ns: b.ns }));
  const values = bars.every((b) => b.from === b.to);
  const options = useCallback(
    (width: number) => ({
      height: 190,
      x: values ? { type: "band", domain: bars.map((b) => b.value), label: of.unit || "value", tickFormat: (v: string) => v } : { label: of.unit || "value", nice: true, tickFormat: rate },
      y: { label: "% of the time", grid: true, tickFormat: (v: number) => String(Math.round(100 * v)), ticks: 5 },
      marks: [
        values
          ? Plot.barY(bars, { x: "value", y: "share", fill: "var(--base)", insetLeft: 2, insetRight: 2 })
          : Plot.rectY(bars, { x1: "from", x2: "to", y: "share", fill: "var(--base)", insetLeft: 0.5, insetRight: 0.5 }),
        ...(values && width / bars.length > 60 ? [Plot.text(bars, { x: "value", y: "share", text: (b: Bar) => percent(b.ns, of.span_ns), dy: -7, fill: "currentColor" })] : []),
        Plot.ruleY([0]),
      ],
    }),
    [of],
  );
  return <Figure title={signalName(of.name)} options={options} table={{ head: ["value", "time", "share"], rows: bars.map((b) => [b.value, time(Math.round(b.ns)), portion(b.share)]) }} />;
}

// What runs beside a baseline: which functions strike in the window, and the control chart of one of them. None of it is a verdict.

import type { Candidate, Chart, Frame, Sight } from "./livestate";
import { stepOf } from "./livescale";
import { Name, PlainTable } from "./ui";
import { count, duration, ticks } from "./units";

/** factor is how many times as long something takes, in words. */
const factor = (f: number) => (f >= 1 ? `${f.toFixed(f < 10 ? 2 : 0)} times as long` : `${(1 / f).toFixed(1 / f < 10 ? 2 : 0)} times as fast`);

export function Baseline({ frame, sight, set }: { frame: Frame; sight: Sight; set: (s: Partial<Sight>) => void }) {
  const c = frame.against;
  if (!c) return <p class="lead">Reading …</p>;
  if (c.cause) return <p class="lead" role="status"><Name of={c.run} />: {c.cause}</p>;
  const j = c.judged;
  return (
    <>
      <p class="livebar" role="status">
        {!j ? "Reading …" : j.cause ? j.cause + "." : <>
          {j.candidates.length === 0 ? "Nothing strikes" : `${count(j.candidates.length + j.more)} ${j.candidates.length + j.more === 1 ? "candidate" : "candidates"}`} among {count(j.functions)} functions that <Name of={c.run} /> has often enough.
          {j.typical > 0 && <> In real time half of these take at least {factor(j.typical)} as there.</>}
          {j.missing.length > 0 && <> Not seen so far: {j.missing.slice(0, 5).map((m, i) => <>{i > 0 && ", "}<Name of={m} most={40} /></>)}{j.missing.length > 5 && ` and ${j.missing.length - 5} more`}.</>}
        </>}{" "}
        <b>No verdict</b>: a single run does not say how much runs of the same program differ.
      </p>
      {j && j.candidates.length > 0 && <Candidates frame={frame} sight={sight} set={set} all={j.candidates} more={j.more} />}
      {sight.component === "" ? <p class="livebar"><small>Choose a candidate, or an execution of the timing diagram, for its control chart.</small></p> : c.chart ? <ControlChart of={c.chart} frame={frame} sight={sight} /> : <p class="livebar">Reading …</p>}
    </>
  );
}

function Candidates({ frame, sight, set, all, more }: { frame: Frame; sight: Sight; set: (s: Partial<Sight>) => void; all: Candidate[]; more: number }) {
  return (
    <div class="scroll candidates" tabIndex={0} role="region" aria-label="Candidates">
      <PlainTable title="Candidates">
        <thead><tr><th scope="col">candidate</th><th scope="col">since</th><th scope="col">calls</th><th scope="col">real time a call</th><th scope="col">in the baseline</th><th scope="col">limits of the mean</th><th scope="col">in the window</th></tr></thead>
        <tbody>
          {all.map((c) => {
            const [component, name] = [frame.components[c.component] ?? "", frame.functions[c.function] ?? ""];
            const here = component === sight.component && name === sight.function;
            const more = (c.mean_ns - c.base_ns) * c.calls;
            return (
              <tr key={component + "\n" + name} class={here ? "here" : ""}>
                <td><button type="button" class="link" aria-pressed={here} onClick={() => set({ component, function: name })}><Name of={component} most={40} />.<Name of={name} most={60} /></button></td>
                <td data-ns={c.since_ns}>{duration(c.since_ns)}</td><td>{count(c.calls)}</td><td data-ns={c.mean_ns}>{duration(c.mean_ns)}</td>
                <td>{c.new ? "not there" : `${duration(c.base_ns)}, ${c.mean_ns >= c.base_ns ? "slower" : "faster"}`}</td>
                <td>{c.new ? "–" : `${duration(c.lower_ns)} to ${duration(c.upper_ns)}`}</td>
                <td>{more < 0 ? "−" : "+"}{duration(Math.abs(more))}</td>
              </tr>
            );
          })}
        </tbody>
      </PlainTable>
      {more > 0 && <p class="lead">and {count(more)} with less effect</p>}
    </div>
  );
}

const [tall, left, under] = [170, 70, 22];

/** ControlChart shows the means of calls under the time scale, with the limits of the baseline as a band. */
function ControlChart({ of: c, frame, sight }: { of: Chart; frame: Frame; sight: Sight }) {
  const name = <><Name of={c.component} most={40} />.<Name of={c.function} most={60} /></>;
  const [at, mean, n] = [c.at_ns ?? [], c.mean_ns ?? [], c.n ?? []];
  if (at.length === 0) return <p class="livebar">{name}: {c.cause ?? "no call of it ended in the time that the scale shows"}.</p>;
  const [lower, upper] = [c.lower_ns ?? [], c.upper_ns ?? []];
  const most = Math.max(1, ...mean, ...upper) * 1.08;
  const wide = 1000;
  const from = frame.at_ns - sight.span;
  const x = (t: number) => left + ((t - from) / sight.span) * (wide - left);
  const y = (ns: number) => (tall - under) * (1 - ns / most) + 4;
  const outside = (i: number) => lower.length > 0 && ((mean[i] ?? 0) < (lower[i] ?? 0) || (mean[i] ?? 0) > (upper[i] ?? 0));
  const band = at.length > 0 && upper.length === at.length ? "M" + at.map((t, i) => `${x(t)} ${y(upper[i] ?? 0)}`).join("L") + "L" + at.map((t, i) => `${x(t)} ${y(lower[i] ?? 0)}`).reverse().join("L") + "Z" : "";
  const step = stepOf(most, 4);
  const marks: number[] = [];
  for (let v = 0; v <= most; v += step) marks.push(v);
  return (
    <figure class="picture controlchart">
      <figcaption>
        <strong>Control chart</strong> of {name}, {sight.times} time{c.cause ? `; ${c.cause}` : ""}: {count(c.calls)} calls, {c.beyond === 0 ? "none" : count(c.beyond)} of {count(at.length)} points outside of the limits.
        <span class="note">A point is {n.some((k) => k > 1) ? "the mean of the calls that ended in a hundredth of the scale" : "a call"}; the band is three deviations of the mean of as many calls in a row of the baseline, the line the mean there, {duration(c.base_ns)}.</span>
      </figcaption>
      <svg viewBox={`0 0 ${wide} ${tall}`} role="img" aria-label={`Control chart: ${c.beyond} of ${at.length} points outside of the limits`}>
        {marks.map((v) => <g key={v}><line class="grid" x1={left} x2={wide} y1={y(v)} y2={y(v)} /><text x={left - 6} y={y(v) + 4} text-anchor="end">{ticks(Math.round(v))}</text></g>)}
        {band && <path class="band" d={band} />}
        {c.base_ns > 0 && <line class="centre" x1={left} x2={wide} y1={y(c.base_ns)} y2={y(c.base_ns)} />}
        {at.map((t, i) => x(t) >= left && <circle key={i} class={outside(i) ? "outside" : ""} cx={x(t)} cy={y(mean[i] ?? 0)} r={outside(i) ? 4 : 2.6}><title>{`${duration(mean[i] ?? 0)}, ${count(n[i] ?? 0)} calls, at ${duration(t)}`}</title></circle>)}
      </svg>
    </figure>
  );
}

// The page of a fragment: its difference automaton and, of the step that is chosen, everything that is known of its times.

import { useMemo } from "preact/hooks";
import { Automaton, Legend } from "./automaton";
import { rowsOf } from "./columns";
import { useResource, type Data } from "./data";
import type { Brush } from "./brush";
import { Distributions, since } from "./distribution";
import { change, to, type Place } from "./router";
import type { Details, Fragment, PlacedTransition, Report, Row, Step } from "./types";
import { Facts, Failed, Name, Verdict, Waiting } from "./ui";
import { count } from "./units";
import { Why } from "./why";

/** FragmentPage is the page of a fragment by its name. */
export function FragmentPage({ data, report, place }: { data: Data; report: Report; place: Place }) {
  const name = place.of[0] ?? "";
  return (
    <>
      <h1>
        <span class="over">Fragment</span>
        <Name of={name} />
      </h1>
      <FragmentView data={data} report={report} place={place} fragment={name} />
    </>
  );
}

/** resourceOf is the resource of a fragment, "" where the file has none. */
export function resourceOf(report: Report, fragment: string): string {
  return report.fragments.find((f) => f.fragment === fragment)?.resource ?? "";
}

/** FragmentView draws a fragment with the side panel of a step. */
export function FragmentView({ data, report, place, fragment, first }: { data: Data; report: Report; place: Place; fragment: string; first?: number }) {
  const resource = resourceOf(report, fragment);
  const { value, error } = useResource<Fragment>(data, resource);
  if (!resource) {
    return (
      <p class="note">
        This page has no automaton of <Name of={fragment} />: it did not change, or it did not fit. <code>analyze automaton {report.kind === "comparison" ? "--comparison " : ""}{report.title}</code> draws it.
      </p>
    );
  }
  if (error) return <Failed why={error} />;
  if (!value) return <Waiting />;
  return <Drawn of={value} data={data} report={report} place={place} first={first} />;
}

/** unfold shows the steps of a chain one by one, and its first one in sight. */
function unfold(t: PlacedTransition) {
  change("at", String(t.from), true);
  change("step", "", false);
  change("fold", "no", false);
}

/** Drawn is a fragment that is there. The state is in the parameters step, fold and find. */
function Drawn({ of, data, report, place, first }: { of: Fragment; data: Data; report: Report; place: Place; first?: number }) {
  const compared = report.kind === "comparison";
  const fold = place.query.get("fold") ?? (of.folded ? "yes" : "no");
  const shown = fold === "yes" && of.short ? of.short : (of.whole ?? of.short);
  const find = place.query.get("find") ?? "";
  const asked = Number(place.query.get("step") ?? 0) || (first ? of.steps.findIndex((s) => s.rank === first) + 1 : 0);
  const step = of.steps[asked - 1];
  return (
    <div>
      {of.moved_to && (
        <p>
          In the candidate it is <Name of={of.moved_to} />.
        </p>
      )}
      <p class="note">{of.subtitle}</p>
      <div class="tools">
        <label>
          Find in the drawing <input type="search" value={find} onInput={(e) => change("find", e.currentTarget.value, false)} />
        </label>
        {of.short && of.whole && (
          <label>
            <input type="checkbox" checked={fold === "yes"} onChange={(e) => { change("fold", e.currentTarget.checked ? "yes" : "no", true); change("at", "", false); }} /> Fold chains of steps that look alike; a click on one unfolds it
          </label>
        )}
      </div>
      {compared && <Legend compared />}
      {shown ? (
        <Automaton of={shown} label={"automaton of " + of.fragment} chosen={asked} search={find} onChoose={(t: PlacedTransition) => change("step", String(t.step), true)} at={place.query.has("at") ? Number(place.query.get("at")) : undefined}
          onUnfold={of.whole && shown === of.short ? unfold : undefined} />
      ) : (
        <p class="note">{of.too_large}</p>
      )}
      {step ? <StepPanel of={step} data={data} report={report} place={place} /> : compared ? <StepList of={of} /> : <p class="note">Choose a step to see its times.</p>}
    </div>
  );
}

/** StepPanel is all that is known of a step (Hilbig 2023, figure 4.9b). */
function StepPanel({ of, data, report, place }: { of: Step; data: Data; report: Report; place: Place }) {
  const order = ["relative", "fragment_absolute", "stack_based", "absolute"]; // relative first: it is what runs are compared by
  const norms = Object.keys(of.times).filter((n) => of.times[n]!.histogram).sort((a, b) => order.indexOf(a) - order.indexOf(b));
  const asked = place.query.get("times") ?? "";
  const norm = norms.includes(asked) ? asked : (norms[0] ?? "");
  const compared = report.kind === "comparison";
  const { value: details } = useResource<Details>(data, compared ? "details" : "");
  const row = useMemo<Row | undefined>(() => (details && of.rank ? rowsOf(details.changes, "rank", (r) => r === of.rank)[0] : undefined), [details, of.rank]);
  const chosen = place.query.get("chosen")?.split("-").map(Number);
  const brush: Brush = { stretch: chosen?.length === 2 && chosen.every((ns) => ns >= 0) ? [chosen[0]!, chosen[1]!] : undefined, choose: (s) => change("chosen", s ? s.join("-") : "", true) };
  const called = report.fragments.filter((f) => of.direction === "receive" && f.fragment.startsWith(`${of.peer}.`));
  return (
    <section class={"panel" + (row && row.verdict !== "unchanged" ? " changed" : "")} aria-label="The step that is chosen" id="step">
      <h3>
        <Name of={of.event} /> {of.peer && <small>{of.direction === "send" ? "sends to " : "receives from "}<Name of={of.peer} most={80} /></small>}{" "}
        {of.verdict && <Verdict of={of.verdict} />}
      </h3>
      {compared && <Facts of={[["runs that take it", `${count(of.runs[0])} of the baseline, ${count(of.runs[1])} of the candidate`]]} />}
      {row && <Why row={row} details={details!} report={report} />}
      {called.length > 0 && (
        <p>
          It may wait for: {called.map((f) => <a href={to("fragment", [f.fragment])}><Name of={f.fragment} most={80} /></a>)}
        </p>
      )}
      {norms.length > 1 && (
        <p class="choice" role="radiogroup" aria-label="Since when times count">
          Times{" "}
          {norms.map((n) => (
            <label>
              <input type="radio" name="times" checked={n === norm} onChange={() => change("times", n, true)} /> {since[n] ?? n}
            </label>
          ))}
        </p>
      )}
      {norm ? <Distributions of={of.times[norm]!} normalisation={norm} alone={!compared} brush={brush} /> : <p>There are no times to show: the first event of a fragment has none before it.</p>}
    </section>
  );
}

/** StepList is the picture as a list, for those who do not see it. */
function StepList({ of }: { of: Fragment }) {
  if (of.steps.length === 0) return null;
  const changed = of.steps.map((s, i) => ({ s, i })).filter(({ s }) => s.verdict && s.verdict !== "unchanged" && s.verdict !== "not_asked");
  return (
    <section aria-label="Steps">
      <h3>Steps that changed</h3>
      {changed.length === 0 && <p>None of its {count(of.steps.length)} steps is shown to have changed by itself.</p>}
      <ul class="steps">
        {changed.map(({ s, i }) => (
          <li>
            <Verdict of={s.verdict!} />{" "}
            <button type="button" class="link" onClick={() => change("step", String(i + 1), true)}>
              <Name of={s.event} most={100} />
              {s.peer && <> {s.direction === "send" ? "to " : "from "}<Name of={s.peer} most={60} /></>}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

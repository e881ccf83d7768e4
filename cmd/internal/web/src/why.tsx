// Why a verdict is what it is: every number that it rests on, from the tables changes and estimates.

import { useMemo } from "preact/hooks";
import { rowsOf } from "./columns";
import { Combined, Flow } from "./flow";
import type { Details, Report, Row } from "./types";
import { Facts, PlainTable, Verdict } from "./ui";
import { count, difference, duration, interval, probability, rate, relative, words } from "./units";

const ns = (v: unknown, write = duration) => (typeof v === "number" ? write(v) : "–");

/** Why shows the numbers behind a row of the table changes. */
export function Why({ row, details, report }: { row: Row; details: Details; report: Report }) {
  const estimates = useMemo(() => rowsOf(details.estimates, "rank", (r) => r === row.rank), [details, row.rank]);
  const rules = report.comparison?.rules;
  const decided = row.quantity as string | null;
  return (
    <details class="why" open>
      <summary>Why this verdict</summary>
      <p>
        <Verdict of={String(row.verdict)} /> {decision(row, report)}
      </p>
      <Flow row={row} report={report} />
      <Facts
        of={[
          ["per root execution", `${ns(row.cost_base_ns)} → ${ns(row.cost_cand_ns)}`],
          ["effect, 95 % interval", row.effect_ns === null || row.effect_ns === undefined ? "–" : `${ns(row.effect_ns, difference)}, ${typeof row.effect_lo_ns === "number" && typeof row.effect_hi_ns === "number" ? interval(row.effect_lo_ns, row.effect_hi_ns) : "–"}`],
          ["how often", typeof row.count_base === "number" || typeof row.count_cand === "number" ? `${rate(Number(row.count_base ?? 0))} → ${rate(Number(row.count_cand ?? 0))}` : "–"],
          ["runs", `${count(Number(row.runs_base))} and ${count(Number(row.runs_cand))}`],
          ["samples", `${count(Number(row.n_base))} and ${count(Number(row.n_cand))}`],
        ]}
      />
      {estimates.length > 0 && (
        <div class="scroll" tabIndex={0} role="region" aria-label="Runs compared with runs">
          <PlainTable title="Runs compared with runs">
            <caption>Runs compared with runs, every quantity; before the ratio, values are raised by the resolution. {rules && `A change beyond the margin counts where q is at most ${100 * rules.fdr} %.`}</caption>
            <thead>
              <tr>
                <th scope="col">quantity</th>
                <th scope="col">baseline</th>
                <th scope="col">candidate</th>
                <th scope="col">ratio, 95 % interval</th>
                <th scope="col">margin</th>
                <th scope="col">p</th>
                <th scope="col">q</th>
                <th scope="col">p of equivalence</th>
                <th scope="col">runs needed</th>
              </tr>
            </thead>
            <tbody>
              {estimates.map((e) => (
                <tr class={e.quantity === decided ? "decided" : undefined}>
                  <th scope="row">
                    {words(String(e.quantity))}
                    {typeof e.quantile === "number" ? ` ${100 * e.quantile} %` : ""}
                    {e.quantity === decided && " (decided)"}
                  </th>
                  <td>{quantity(e, e.base)}</td>
                  <td>{quantity(e, e.cand)}</td>
                  <td>{`${Number(e.ratio).toFixed(3)}, ${Number(e.ratio_lo).toFixed(3)} to ${Number(e.ratio_hi).toFixed(3)}`}</td>
                  <td>{Number(e.margin).toFixed(3)}</td>
                  <td>{probability(Number(e.p))}</td>
                  <td>{probability(Number(e.q))}</td>
                  <td>{probability(Number(e.equivalence_p))}</td>
                  <td>{typeof e.runs_needed === "number" ? count(e.runs_needed) : ""}</td>
                </tr>
              ))}
            </tbody>
          </PlainTable>
        </div>
      )}
      <Pooled row={row} report={report} />
    </details>
  );
}

/** decision says in words what the verdict follows from. */
function decision(row: Row, report: Report): string {
  const rules = report.comparison?.rules;
  const q = typeof row.q === "number" ? `q ${probability(row.q)}` : "";
  const p = typeof row.equivalence_p === "number" ? `p of equivalence ${probability(row.equivalence_p)}` : "";
  switch (row.verdict) {
    case "unchanged":
      return `because the change is shown to lie within the margin${p && ": " + p}.`;
    case "undetermined":
      return `because runs differ too much to show a change, or that there is none${q && ": " + q}${p && ", " + p}.`;
    case "not_asked":
      return "because what contains it is not shown to have changed.";
    case "appeared":
    case "vanished":
      return "because only one side has it.";
    case "later":
    case "sooner":
      return `because an earlier step moved it${row.root_cause ? ": " + row.root_cause : ""}.`;
  }
  const cause = row.root_cause ? ` Cause: ${row.root_cause}.` : "";
  return `by its ${words(String(row.quantity ?? "quantity"))}${q && ": " + q}${rules && q ? `, at most ${100 * rules.fdr} % of such verdicts are false` : ""}.${cause}`;
}

/** quantity writes the value of an estimate: counts are numbers, all else is time. */
function quantity(e: Row, value: unknown): string {
  if (typeof value !== "number") return "–";
  return e.quantity === "count" ? rate(value) : duration(Math.round(value));
}

/** Pooled shows the tests on pooled samples (Hilbig 2023, section 3.5 and figure 3.9), which decide nothing here. */
function Pooled({ row, report }: { row: Row; report: Report }) {
  if (typeof row.ks_p !== "number" && typeof row.mwu_p !== "number") return null;
  const tests: [string, string, boolean][] = [
    ["difference of the sums", ns(row.abs_ns, difference), row.fired_abs === true],
    ["ratio of the sums", typeof row.ratio === "number" ? relative(row.ratio - 1) : "–", row.fired_rel === true],
    ["Kolmogorov-Smirnov", `D ${Number(row.ks_d).toFixed(3)}, p ${probability(Number(row.ks_p))}`, row.fired_ks === true],
    ["Mann-Whitney", `p ${probability(Number(row.mwu_p))}`, row.fired_mwu === true],
    ["shift of the deciles", typeof row.shift === "string" ? row.shift : "–", row.fired_shift === true],
  ];
  return (
    <details class="pooled">
      <summary>Tests on the samples of all runs together (Hilbig 2023), for comparison</summary>
      <p class="note">They treat samples of one run as independent, which these are not, so that the verdict above does not rest on them.</p>
      <Combined row={row} report={report} />
      <PlainTable title="Tests on samples">
        <thead>
          <tr>
            <th scope="col">test</th>
            <th scope="col">finds</th>
            <th scope="col">says changed</th>
          </tr>
        </thead>
        <tbody>
          {tests.map(([name, text, fired]) => (
            <tr>
              <th scope="row">{name}</th>
              <td>{text}</td>
              <td>{fired ? "yes" : "no"}</td>
            </tr>
          ))}
          <tr>
            <th scope="row">together: (shift or KS or MWU) and a difference above the guard</th>
            <td />
            <td>{row.fired_dyn === true ? "yes" : "no"}</td>
          </tr>
        </tbody>
      </PlainTable>
    </details>
  );
}

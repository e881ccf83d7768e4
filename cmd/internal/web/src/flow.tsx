// The ways to a verdict, drawn: the questions that runs are asked in their order, up to the one that decided; and the flow chart of Hilbig
// 2023 (figure 3.9), with the branches that hold for the pooled samples.

import type { Report, Row } from "./types";
import { Verdict } from "./ui";
import { count, difference, duration, probability, words } from "./units";

interface Question {
  asks: string;
  answer: string; // in the words of the branch that leads to the verdict, or on to the next question
  decides: boolean;
}

const found = ["regressed", "improved", "longer", "shorter", "shape_changed", "count_changed", "later", "sooner", "fails_more", "fails_less"];
const oneSided = ["appeared", "vanished", "moved"];

/** decider is the number of the question at which a verdict is reached, from 0. */
export function decider(verdict: string): number {
  if (verdict === "not_asked") return 0;
  if (oneSided.includes(verdict)) return 1;
  if (verdict === "candidate") return 2;
  if (found.includes(verdict)) return 3;
  return verdict === "unchanged" ? 4 : 5;
}

/** questions are those that were asked, the last of which decided. */
function questions(row: Row, report: Report): Question[] {
  const rules = report.comparison!.rules;
  const last = decider(String(row.verdict));
  const p = (name: string) => (typeof row[name] === "number" ? probability(row[name] as number) : "–");
  const fewest = Math.min(Number(row.runs_base ?? 0), Number(row.runs_cand ?? 0));
  const quantity = row.quantity ? `by its ${words(String(row.quantity))}` : "";
  const margin = `${100 * rules.margin} % and ${duration(rules.floor_ns).replace(/\.0+ /, " ")} per root execution`;
  const all: [asks: string, no: string, yes: string][] = [
    ["Has what contains it changed?", "yes, or nothing does", "no"],
    ["Do both sides have it?", "yes", row.verdict === "appeared" ? "only the candidate" : row.verdict === "vanished" ? "only the baseline" : "not in the same place"],
    [`Do both sides have ${rules.min_runs} runs or more?`, `yes: ${count(Number(row.runs_base))} and ${count(Number(row.runs_cand))}`, `no: ${count(fewest)}`],
    [`Is a change shown that is not within the margin of ${margin}?`, `no: q ${p("q")}`, `yes, ${quantity}: q ${p("q")}`],
    ["Is it shown that any change lies within the margin?", `no: p of equivalence ${p("equivalence_p")}`, `yes: p of equivalence ${p("equivalence_p")}`],
    ["Then runs differ too much.", "", typeof row.runs_needed === "number" ? `${count(row.runs_needed)} runs a side would decide` : "more runs would decide"],
  ];
  return all.slice(0, last + 1).map(([asks, no, yes], i) => ({ asks, answer: i === last ? yes : no, decides: i === last }));
}

/** Flow is the way of a row to its verdict. */
export function Flow({ row, report }: { row: Row; report: Report }) {
  return (
    <ol class="flow" aria-label="The way to the verdict">
      {questions(row, report).map((q) => (
        <li class={q.decides ? "decides" : ""}>
          <span class="asks">{q.asks}</span> <span class="answer">{q.answer}</span> {q.decides && <Verdict of={String(row.verdict)} />}
        </li>
      ))}
    </ol>
  );
}

/** Combined is figure 3.9 of Hilbig 2023 for the pooled samples of a row: & is "and", + is "or", and what holds is bold. */
export function Combined({ row, report }: { row: Row; report: Report }) {
  const t = report.tests;
  if (!t) return null;
  const abs = Math.abs(Number(row.abs_ns ?? 0));
  const ks = row.fired_ks === true;
  const mwu = row.fired_mwu === true;
  const shift = row.fired_shift === true || typeof row.shift === "string";
  const guard = abs >= t.guard_ns;
  const huge = abs >= t.abs_ns;
  const inputs: [name: string, value: string, holds: boolean][] = [
    [`KS: p below ${t.p}`, `p ${probability(Number(row.ks_p))}`, ks],
    [`MWU: p below ${t.p}`, `p ${probability(Number(row.mwu_p))}`, mwu],
    ["SHIFT: all deciles one way", typeof row.shift === "string" ? row.shift : "no", shift],
    [`ABS: at least ${duration(t.guard_ns)}`, difference(Number(row.abs_ns ?? 0)), guard],
    [`ABS: at least ${duration(t.abs_ns)}`, difference(Number(row.abs_ns ?? 0)), huge],
  ];
  const y = (i: number) => 26 + 46 * i;
  const gates: [label: string, x: number, y: number, holds: boolean][] = [
    ["+", 390, (y(0) + y(1)) / 2, ks || mwu], ["&", 490, y(1), (ks || mwu) && guard], ["&", 490, (y(2) + y(3)) / 2 + 4, shift && guard], ["+", 590, y(2), row.fired_dyn === true],
  ];
  const line = (d: string, holds: boolean) => <path class={"wire" + (holds ? " holds" : "")} d={d} />;
  const words_ = `Flow chart of the combined test: ${inputs.map(([n, v, h]) => `${n}, ${v}: ${h ? "holds" : "does not hold"}`).join("; ")}. Together: ${row.fired_dyn === true ? "changed" : "not changed"}.`;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Flow chart of the combined test">
      <svg class="chart39" viewBox="0 0 740 236" width="740" height="236" role="img" aria-label={words_}>
        {line(`M320 ${y(0)}H350V${gates[0]![2]}H376`, ks)}
        {line(`M320 ${y(1)}H350V${gates[0]![2]}H376`, mwu)}
        {line(`M404 ${gates[0]![2]}H440V${gates[1]![2]}H476`, ks || mwu)}
        {line(`M320 ${y(3)}H430V${gates[1]![2] + 8}H477`, guard)}
        {line(`M320 ${y(2)}H450V${gates[2]![2] - 8}H477`, shift)}
        {line(`M320 ${y(3)}H460V${gates[2]![2] + 8}H477`, guard)}
        {line(`M504 ${gates[1]![2]}H540V${gates[3]![2] - 8}H577`, gates[1]![3])}
        {line(`M504 ${gates[2]![2]}H550V${gates[3]![2]}H576`, gates[2]![3])}
        {line(`M320 ${y(4)}H560V${gates[3]![2] + 8}H577`, huge)}
        {line(`M604 ${gates[3]![2]}H636`, row.fired_dyn === true)}
        {inputs.map(([name, value, holds], i) => (
          <g class={"input" + (holds ? " holds" : "")}>
            <rect x="2" y={y(i) - 18} width="318" height="36" rx="6" />
            <text x="14" y={y(i) + 4}>{name}</text>
            <text x="308" y={y(i) + 4} text-anchor="end" class="value">{value} {holds ? "✓" : "✗"}</text>
          </g>
        ))}
        {gates.map(([label, x, at, holds]) => (
          <g class={"gate" + (holds ? " holds" : "")}>
            <circle cx={x} cy={at} r="14" />
            <text x={x} y={at + 5} text-anchor="middle">{label}</text>
          </g>
        ))}
        <g class={"input" + (row.fired_dyn === true ? " holds" : "")}>
          <rect x="636" y={gates[3]![2] - 18} width="102" height="36" rx="6" />
          <text x="687" y={gates[3]![2] + 4} text-anchor="middle">{row.fired_dyn === true ? "changed" : "not changed"}</text>
        </g>
      </svg>
    </div>
  );
}

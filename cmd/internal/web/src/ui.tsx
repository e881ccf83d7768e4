// The small parts that all pages are made of.

import type { ComponentChildren } from "preact";
import { printable, words } from "./units";

/** Name writes a name of a trace: what nobody would see is shown in letters, and what is very long is cut in its middle. */
export function Name({ of, most = 200 }: { of: string; most?: number }) {
  const text = printable(of);
  if (text.length <= most) return <span class="name">{text}</span>;
  const half = Math.floor(most / 2);
  return (
    <span class="name" title={text.slice(0, 4000)}>
      {text.slice(0, half)}
      <span class="cut"> … {text.length - 2 * half} more characters … </span>
      {text.slice(-half)}
    </span>
  );
}

/** The signs of verdicts. They stand beside the word, so that colour is never alone. */
const signs: Record<string, string> = {
  regressed: "▲", improved: "▼", longer: "△", shorter: "▽", later: "▷", sooner: "◁", shape_changed: "≈", count_changed: "#",
  appeared: "+", vanished: "−", moved: "⇄", moved_cost: "⇄", candidate: "?", undetermined: "?", unchanged: "=", not_asked: "·",
  slower: "▲", faster: "▼", changed: "≈", mixed: "≈", no_verdict: "?",
};

/** The families of verdicts that share a colour. */
const tones: Record<string, string> = {
  regressed: "worse", slower: "worse", improved: "better", faster: "better", appeared: "added", vanished: "removed",
  unchanged: "quiet", not_asked: "quiet", undetermined: "open", candidate: "open", no_verdict: "open",
};

/** Verdict writes a verdict as a badge. */
export function Verdict({ of }: { of: string }) {
  return (
    <span class={"verdict " + (tones[of] ?? "other")}>
      <span aria-hidden="true">{signs[of] ?? "•"}</span> {words(of)}
    </span>
  );
}

/** Section is a part of a page with its heading. */
export function Section({ title, lead, children, id }: { title: string; lead?: ComponentChildren; children: ComponentChildren; id?: string }) {
  return (
    <section id={id} aria-label={title}>
      <h2>{title}</h2>
      {lead && <p class="lead">{lead}</p>}
      {children}
    </section>
  );
}

/** Facts are names with their values. */
export function Facts({ of }: { of: [ComponentChildren, ComponentChildren][] }) {
  return (
    <dl class="facts">
      {of.map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Waiting stands where data are under way, and Failed where they could not be had. */
export function Waiting() {
  return (
    <p class="waiting" role="status">
      Reading …
    </p>
  );
}

export function Failed({ why }: { why: string }) {
  return (
    <p class="failed" role="alert">
      {why}
    </p>
  );
}

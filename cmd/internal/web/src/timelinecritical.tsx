// What the critical claims of a run consist of, and which of them waited for a resource, as tables below the timeline.

import type { Critical, Lanes } from "./timelinedata";
import { select } from "./timeline";
import { Name, PlainTable, Section } from "./ui";
import { count, duration, percent, printable } from "./units";

/** CriticalClaims has what analyze critical-path --graph prints. */
export function CriticalClaims({ of, lanes, option }: { of: Critical; lanes: Lanes; option: string }) {
  const all = of.shares.reduce((n, s) => n + s.ns, 0);
  const waits = of.graph.startsWith("claims");
  return (
    <Section title="What is critical" id="critical" lead={<>Had a critical claim been shorter, a longest path would have been. <code>{`analyze critical-path ${printable(lanes.run)} ${option}`}</code> prints the same.</>}>
      <div class="scrolls" tabIndex={0} role="region" aria-label="What critical paths consist of">
        <PlainTable title="What critical paths consist of" kind="plain">
          <caption>What critical paths consist of</caption>
          <thead>
            <tr>
              <th scope="col" class="right">of critical time</th>
              <th scope="col" class="right">time</th>
              <th scope="col" class="right">claims</th>
              <th scope="col" class="right">waits</th>
              <th scope="col">resource</th>
              <th scope="col">name</th>
            </tr>
          </thead>
          <tbody>
            {of.shares.slice(0, 100).map((s) => (
              <tr>
                <td class="right">{percent(s.ns, all)}</td>
                <td class="right" data-ns={s.ns}>{duration(s.ns)}</td>
                <td class="right">{count(s.claims)}</td>
                <td class="right">{count(s.waits)}</td>
                <td><Name of={s.resource} most={80} /></td>
                <td><Name of={s.name} most={80} /></td>
              </tr>
            ))}
          </tbody>
        </PlainTable>
      </div>
      {waits && !of.has_dependencies && <p>The run has no dependencies, so that it is not known which critical claims waited for a resource.</p>}
      {waits && of.has_dependencies && of.waited === 0 && <p>Every critical claim behind the first follows one by a dependency: none waited for a resource.</p>}
      {of.waited > 0 && (
        <div class="scrolls" tabIndex={0} role="region" aria-label="Critical claims that waited">
          <PlainTable title="Critical claims that waited" kind="plain waited">
            <caption>
              Critical claims without a critical predecessor by a dependency, which waited for what ended then{of.waited > of.claims.length && `: the first ${count(of.claims.length)} of ${count(of.waited)}`}
            </caption>
            <thead>
              <tr>
                <th scope="col" class="right">start</th>
                <th scope="col">claim</th>
                <th scope="col">resource</th>
                <th scope="col">after</th>
              </tr>
            </thead>
            <tbody>
              {of.claims.map((c) => (
                <tr>
                  <td class="right" data-ns={c.start_ns}>{duration(c.start_ns)}</td>
                  <td><button type="button" class="link" onClick={() => select(c.execution, c.start_ns, true, "")}><Name of={c.claim} most={120} /></button></td>
                  <td><Name of={c.resource} most={80} /></td>
                  <td><Name of={(c.after ?? []).join("; ")} most={160} /></td>
                </tr>
              ))}
            </tbody>
          </PlainTable>
        </div>
      )}
    </Section>
  );
}

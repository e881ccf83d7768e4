// What words and marks mean.

import { Legend } from "./automaton";
import { Facts, Section, Verdict } from "./ui";

const verdicts: [string, string][] = [
  ["regressed", "it became slower, and is not shown to have done so by less than the margin"],
  ["improved", "the same, faster"],
  ["longer", "of metrics of time in which a component is idle or waits: no word of praise or blame"],
  ["shorter", "the same, less time"],
  ["unchanged", "the change is shown to lie within the margin"],
  ["undetermined", "too few runs to decide"],
  ["not_asked", "what contains it is not shown to have changed"],
  ["shape_changed", "a quantile changed, but not the level"],
  ["count_changed", "the number of calls changed"],
  ["later", "the step did not change itself; an earlier step moved it"],
  ["appeared", "only the candidate has it"],
  ["vanished", "only the baseline has it"],
  ["moved", "another component has it"],
  ["candidate", "fewer than three runs on a side: it stands out from the noise, and no more can be said"],
];

/** HelpPage is the page. */
export function HelpPage() {
  return (
    <>
      <h1>How to read this page</h1>
      <Section title="Words">
        <Facts
          of={[
            ["root execution", "an execution that no message starts: what a user waits for"],
            ["effect", "the change of the time per root execution, as the typical run has it"],
            ["root cause", "a change that others follow from; these are folded under it"],
            ["critical path", "goes back from the end of a root execution to what it waited for last: a delay of any step on it would have delayed the end"],
            ["fragment", "all that a component does in reaction to one event"],
            ["q", "p after the correction for the number of questions: among verdicts with q up to 5 %, at most 5 % are false"],
          ]}
        />
      </Section>
      <Section title="Verdicts">
        <Facts of={verdicts.map(([v, text]) => [<Verdict of={v} />, text])} />
      </Section>
      <Section title="Lines of automata">
        <Legend compared />
      </Section>
      <Section title="Keys">
        <Facts
          of={[
            ["Tab, Enter", "go to a link, a step of an automaton or a column, and choose it"],
            ["/", "search"],
            ["Esc", "leave the search"],
            ["arrows", "scroll a table or a drawing that has the focus"],
          ]}
        />
      </Section>
      <Section title="Addresses">
        <p>What is chosen, filtered and sorted stands in the address: a link opens what its sender saw, and Back goes to what was there before.</p>
      </Section>
    </>
  );
}

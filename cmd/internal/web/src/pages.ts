// Which pages a report has.

import type { Page } from "./app";
import { ChangePage, ChangesPage } from "./changes";
import { CommunicationPage } from "./communication";
import { ComparisonPage } from "./comparison";
import { FindingPage } from "./finding";
import { FragmentPage } from "./fragment";
import { HelpPage } from "./help";
import { OverviewPage } from "./overview";
import { RunPage } from "./run";
import type { Report } from "./types";

/** pages are those of a comparison or of a run. */
export function pages(report: Report): Page[] {
  if (report.kind === "run") {
    return [
      { name: "", title: "Run", shows: RunPage },
      { name: "help", title: "Help", shows: HelpPage },
      { name: "fragment", shows: FragmentPage },
    ];
  }
  return [
    { name: "", title: "Verdict", shows: ComparisonPage },
    { name: "overview", title: "Timing overview", shows: OverviewPage },
    ...(report.comparison?.verdicts.metric ? [{ name: "communication", title: "Communication", shows: CommunicationPage }] : []),
    { name: "changes", title: "All changes", shows: ChangesPage },
    { name: "help", title: "Help", shows: HelpPage },
    { name: "finding", shows: FindingPage },
    { name: "fragment", shows: FragmentPage },
    { name: "change", shows: ChangePage },
  ];
}

// The frame of the pages that analyze serve sends.

import { render, type ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import type { Data } from "./data";
import { Behaviours } from "./behaviours";
import { ChecksPage } from "./checks";
import { Reconciled } from "./clocks";
import { Durations } from "./durations";
import { Frame, useArrival, type Way } from "./frame";
import { History } from "./history";
import { Asked, Baseline, Compared, FreeQuestion, Lake } from "./lake";
import { LevelsPage } from "./levels";
import { CriticalPaths } from "./paths";
import { to, usePlace, type Place } from "./router";
import { Timeline } from "./timeline";
import { Serving } from "./timelinedata";
import { Failed } from "./ui";
import { printable } from "./units";

const data = new Serving("/api/");

const pages: Record<string, ComponentType<{ data: Data; place: Place }>> = { "": Lake, timeline: Timeline, query: Asked, comparison: Compared, levels: LevelsPage, history: History, paths: CriticalPaths, clocks: Reconciled, baseline: Baseline, checks: ChecksPage, behaviours: Behaviours, durations: Durations, sql: FreeQuestion };

/** waysOf are the places of the menu: the lake, and the pages of the run or the comparison that one is at. */
function waysOf(place: Place): Way[] {
  const ways: Way[] = [{ address: to(""), title: "Lake", here: place.page === "" }];
  const [name = ""] = place.of;
  const runPages: [string, string][] = [["timeline", "Timeline"], ["paths", "Critical paths"], ["durations", "Durations"], ["checks", "Checks"], ...(place.page === "behaviours" ? [["behaviours", "Behaviours"] as [string, string]] : []), ...(place.page === "clocks" ? [["clocks", "Clocks"] as [string, string]] : [])];
  if (runPages.some(([page]) => page === place.page) && name) {
    for (const [page, title] of runPages) ways.push({ address: to(page, [name]), title, here: place.page === page });
    ways.push({ address: "/live/" + encodeURIComponent(name), title: "Replay", here: false }, { address: "/report/" + encodeURIComponent(name), title: "Report", here: false });
  } else if (place.page === "") {
    ways.push({ address: "/live/", title: "Live", here: false });
  } else if (place.page === "comparison") {
    ways.push({ address: to(place.page, place.of), title: "Root causes", here: true }, { address: "/report/" + encodeURIComponent(name), title: "Report", here: false });
  } else {
    ways.push({ address: to(place.page, place.of), title: place.of.map(printable).join(" ").slice(0, 60) || (place.page === "sql" ? "SQL" : place.page), here: true });
  }
  return ways;
}

/** Site is the frame: the way to the lake, and the page that the address names. */
function Site() {
  const place = usePlace();
  const Shows = pages[place.page];
  const { main, where } = useArrival(place, [...place.of.map(printable), place.page || "Lake", "Tracelake"].join(" · "));
  useEffect(() => {
    const pressed = (e: KeyboardEvent) => {
      const typing = e.target instanceof HTMLInputElement || e.target instanceof HTMLSelectElement || e.target instanceof HTMLTextAreaElement;
      const search = document.querySelector<HTMLInputElement>("input[data-search], input[type=search]");
      const keys = document.querySelector<HTMLDialogElement>("dialog#keys");
      if (e.key === "?" && !typing && keys && !keys.open) {
        e.preventDefault();
        keys.showModal();
      }
      if (e.key === "/" && !typing && !e.ctrlKey && !e.metaKey && !e.altKey && search) {
        e.preventDefault();
        search.focus();
      }
      if (e.key === "Escape" && typing) (e.target as HTMLElement).blur();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
  return (
    <>
      <Frame ways={waysOf(place)} main={main} wide={place.page === "timeline"}>
        {Shows ? <Shows data={data} place={place} key={where} /> : <Failed why={`There is no page ${printable(place.page)}.`} />}
      </Frame>
      <Help />
    </>
  );
}

const keys: [string, string][] = [
  ["/", "to the search of the page"], ["Esc", "out of a field; clears the selection of a timeline"], ["?", "these keys"],
  ["W S, + -", "zoom a timeline"], ["A D, arrows", "move it; with Shift farther"], ["0", "the whole run"], ["M", "a mark under the pointer, or in the middle"],
  ["U", "to the caller of the selection"], ["C", "to its longest callee"], ["[ ]", "to the same function before and after it"],
];

/** Help is the list of keys, which ? opens and Esc closes. */
function Help() {
  return (
    <dialog id="keys" aria-labelledby="keys-title">
      <h2 id="keys-title">Keys</h2>
      <table class="plain">
        <tbody>{keys.map(([key, does]) => <tr><th scope="row"><kbd>{key}</kbd></th><td>{does}</td></tr>)}</tbody>
      </table>
      <p><button type="button" onClick={(e) => e.currentTarget.closest("dialog")?.close()}>Close</button></p>
    </dialog>
  );
}

/** startSite draws the page into the document. */
export function startSite(): void {
  if (location.search.includes("token=")) history.replaceState(null, "", location.pathname + location.hash); // it stands in no history
  // A link on another site led to a report: the server gave this document instead, and gives the report when this page asks for it.
  if (location.pathname !== "/") {
    if (!location.search) location.replace(`${location.pathname}?again${location.hash}`);
    return;
  }
  const root = document.getElementById("page");
  if (root) render(<Site />, root);
}

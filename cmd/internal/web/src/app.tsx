// The frame of all pages: the ways between them, and the page that the address names.

import { render, type ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import type { Data } from "./data";
import { useResource } from "./data";
import { Frame, useArrival } from "./frame";
import { to, usePlace, type Place } from "./router";
import type { Report } from "./types";
import { Failed, Waiting } from "./ui";
import { count, printable } from "./units";

/** Page is one of the pages by the first word of the address. A page without a title has no place in the menu. */
export interface Page {
  name: string;
  title?: string;
  shows: ComponentType<{ data: Data; report: Report; place: Place }>;
}

/** start draws the page into the document. */
export function start(data: Data, pages: (report: Report) => Page[]): void {
  const root = document.getElementById("page");
  if (root) render(<App data={data} pages={pages} />, root);
}

function App({ data, pages }: { data: Data; pages: (report: Report) => Page[] }) {
  const { value: report, error } = useResource<Report>(data, "report");
  if (error) return <Failed why={error} />;
  if (!report) return <Waiting />;
  return <Framed data={data} report={report} pages={pages(report)} />;
}

function Framed({ data, report, pages }: { data: Data; report: Report; pages: Page[] }) {
  const place = usePlace();
  const page = pages.find((p) => p.name === place.page);
  const title = [page?.title ?? [place.page, ...place.of].filter(Boolean).map(printable).join(" "), printable(report.title)].filter(Boolean).join(" · ") + " · Tracelake";
  const { main, where } = useArrival(place, title);
  useKeys();
  const served = location.pathname.startsWith("/report/") ? [{ address: "/", title: "Lake", here: false }] : []; // by analyze serve
  const ways = served.concat(pages.flatMap((p) => (p.title ? [{ address: to(p.name), title: p.title, here: p.name === place.page }] : [])));
  return (
    <>
      <Frame ways={ways} main={main}>
        {page ? <page.shows data={data} report={report} place={place} key={where} /> : <Failed why={`There is no page ${printable(place.page)}.`} />}
      </Frame>
      {report.left_out.length > 0 && (
        <footer>
          Left out, since it did not fit into the file: {report.left_out.map((l) => `${count(l.count)} ${l.what}`).join("; ")}. <code>analyze report --max-size</code> and <code>--fragments</code> set how much fits.
        </footer>
      )}
    </>
  );
}

/** useKeys lets / go to the search, and Esc leave it. */
function useKeys() {
  useEffect(() => {
    const pressed = (e: KeyboardEvent) => {
      const typing = e.target instanceof HTMLInputElement || e.target instanceof HTMLSelectElement;
      if (e.key === "/" && !typing && !e.ctrlKey && !e.metaKey && !e.altKey) {
        const search = document.querySelector<HTMLInputElement>("input[type=search]");
        if (search) {
          e.preventDefault();
          search.focus();
        } else {
          location.hash = to("changes");
        }
      }
      if (e.key === "Escape" && typing) (e.target as HTMLElement).blur();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
}

// One for all pages of a browser that show systems in time: it has the one stream of frames that the server sends, and hands frames on.
//
// A page says what it wants to see, and of each frame that it took it. A page that takes none yet gets the newest one later, and no other: frames are
// state, and what one leaves out, since the one before had it, is put into it here.

import { merged } from "./livemerge";
import type { Frame, FromWorker, ToWorker } from "./livestate";

interface Page {
  number: number;
  port: MessagePort;
  address: string; // what it wants to see; "" for nothing
  frame?: Frame; // the newest
  fresh: boolean; // it does not have that
  busy: boolean; // it has not taken the one before
}

const pages: Page[] = [];
let numbers = 0;
let stream: EventSource | undefined;
let opening: ReturnType<typeof setTimeout> | undefined;

const tell = (p: Page, m: FromWorker) => p.port.postMessage(m);

function hand(p: Page): void {
  if (!p.frame || !p.fresh || p.busy) return;
  p.fresh = false;
  p.busy = true;
  tell(p, { frame: p.frame });
}

/** split takes the number of a page off what is sent. */
function split(data: string): [Page | undefined, string] {
  const at = data.indexOf(" ");
  const number = Number(data.slice(0, at));
  return [pages.find((p) => p.number === number), data.slice(at + 1)];
}

/** open opens the stream anew, for all pages that want to see something. */
function open(): void {
  clearTimeout(opening);
  opening = undefined;
  stream?.close();
  stream = undefined;
  const wanted = pages.filter((p) => p.address !== "");
  if (wanted.length === 0) return;
  const own = new EventSource("/api/frames?" + wanted.map((p) => "page=" + encodeURIComponent(p.number + " " + p.address)).join("&"));
  stream = own;
  own.onmessage = (e) => {
    const [p, text] = split(e.data as string);
    if (!p || own !== stream) return;
    const f = JSON.parse(text) as Frame;
    p.frame = merged(p.frame, f);
    p.fresh = true;
    hand(p);
  };
  const over = (e: Event, failed: boolean) => {
    const [p, text] = split((e as MessageEvent<string>).data);
    if (!p || own !== stream) return;
    p.address = ""; // until it asks again
    tell(p, failed ? { failed: JSON.parse(text) as string } : { ended: true });
  };
  own.addEventListener("failed", (e) => over(e, true));
  own.addEventListener("ended", (e) => over(e, false));
  own.onerror = () => {
    if (own !== stream || own.readyState !== EventSource.CLOSED) return; // it connects again by itself
    for (const p of wanted) tell(p, { failed: "The server does not answer, or was started again: then open the address that it printed." });
    soon(1000);
  };
}

function soon(ms: number): void {
  clearTimeout(opening);
  opening = setTimeout(open, ms);
}

(self as unknown as { onconnect: (e: MessageEvent) => void }).onconnect = (e) => {
  const port = e.ports[0];
  if (!port) return;
  const p: Page = { number: ++numbers, port, address: "", fresh: false, busy: false };
  pages.push(p);
  port.onmessage = (m: MessageEvent<ToWorker>) => {
    if ("taken" in m.data) {
      p.busy = false;
      hand(p);
      return;
    }
    if ("closed" in m.data) pages.splice(pages.indexOf(p), 1);
    p.address = "watch" in m.data ? m.data.watch : "";
    p.frame = undefined;
    p.busy = p.fresh = false;
    soon(20);
  };
};

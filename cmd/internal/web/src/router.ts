// The address is the state: which page, which subject, which filter. What stands behind # never reaches a server, works in a file
// and on a server alike, and can be sent to somebody else. Back and Forward work by themselves.
//
//	#/finding/1?step=4      page "finding", of "1", with the query step=4

import { useEffect, useState } from "preact/hooks";

/** Place is a page with what it is about. */
export interface Place {
  page: string; // "" is the first page
  of: string[]; // the words behind it
  query: URLSearchParams;
}

/** parse reads an address from its # on. What cannot be read is the first page. */
export function parse(hash: string): Place {
  const [path = "", query = ""] = split(hash.replace(/^#\/?/, ""), "?");
  try {
    const [page = "", ...of] = path.split("/").map(decodeURIComponent);
    return { page, of, query: new URLSearchParams(query) };
  } catch {
    return { page: "", of: [], query: new URLSearchParams() };
  }
}

/** split cuts a text at the first mark. */
export function split(text: string, at: string): [string, string] {
  const i = text.indexOf(at);
  return i < 0 ? [text, ""] : [text.slice(0, i), text.slice(i + 1)];
}

/** to writes the address of a place. Parameters without a value are left out. */
export function to(page: string, of: (string | number)[] = [], query: Record<string, string | number | undefined> = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== "") parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return "#/" + [page, ...of.map(String)].map(encodeURIComponent).join("/") + (text ? "?" + text : "");
}

/** usePlace gives a component the place, and draws it again when that changes. */
export function usePlace(): Place {
  const [place, set] = useState(() => parse(location.hash));
  useEffect(() => {
    const changed = () => set(parse(location.hash));
    addEventListener("hashchange", changed);
    addEventListener("popstate", changed);
    return () => {
      removeEventListener("hashchange", changed);
      removeEventListener("popstate", changed);
    };
  }, []);
  return place;
}

/** change sets a parameter of the address. What somebody types is no place to go back to, hence the choice. */
export function change(name: string, value: string, remember: boolean): void {
  const place = parse(location.hash);
  const query = Object.fromEntries(place.query);
  query[name] = value;
  const address = to(place.page, place.of, query);
  if (address === location.hash) return;
  history[remember ? "pushState" : "replaceState"](null, "", address);
  dispatchEvent(new PopStateEvent("popstate"));
}

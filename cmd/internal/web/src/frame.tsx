// What all pages have around them: the way to the content, the menu, and what happens when the address names another page.

import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Place } from "./router";

/** Way is a place in the menu. */
export interface Way {
  address: string;
  title: string;
  here: boolean;
}

/** Frame is the menu with the content below it. */
export function Frame({ ways, main, wide, children }: { ways: Way[]; main: RefObject<HTMLElement | null>; wide?: boolean; children: ComponentChildren }) {
  return (
    <>
      <a class="skip" href="#content" onClick={(e) => { e.preventDefault(); main.current?.focus(); }}>
        To the content
      </a>
      <nav class="menu" aria-label="Pages">
        <span class="mark" aria-hidden="true">
          <svg width="22" height="16" viewBox="0 0 22 16">
            <path d="M1 4h9M5 8h12M9 12h12" />
          </svg>
        </span>
        <span class="brand">Tracelake</span>
        <ul>
          {ways.map((w) => (
            <li>
              <a href={w.address} aria-current={w.here ? "page" : undefined}>{w.title}</a>
            </li>
          ))}
        </ul>
      </nav>
      <main id="content" ref={main} tabIndex={-1} class={wide ? "wide" : ""}>
        {children}
      </main>
    </>
  );
}

/** useArrival gives the content of a place. A new page begins at its top, and says its name to those who do not see it. */
export function useArrival(place: Place, title: string): { main: RefObject<HTMLElement | null>; where: string } {
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);
  const where = [place.page, ...place.of].join("/");
  useEffect(() => {
    document.title = title;
    if (!first.current) {
      scrollTo(0, 0);
      main.current?.focus({ preventScroll: true });
    }
    first.current = false;
  }, [where]);
  return { main, where };
}

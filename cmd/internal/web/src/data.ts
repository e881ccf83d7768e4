// Where pages get their data: from the file that they stand in, or from the server that sent them. Pages do not know which.

import { useEffect, useState } from "preact/hooks";

/** Data are resources by their names, such as "changes". What is asked for twice is read once. */
export interface Data {
  get<T>(resource: string): Promise<T>;
}

/** Embedded are the resources in the elements of this document. Each is parsed when it is first asked for. */
export class Embedded implements Data {
  private parsed = new Map<string, Promise<unknown>>();

  get<T>(resource: string): Promise<T> {
    let value = this.parsed.get(resource);
    if (!value) {
      value = new Promise((resolve, reject) => {
        for (const e of document.querySelectorAll("script[data-resource]")) {
          if (e.getAttribute("data-resource") === resource) return resolve(JSON.parse(e.textContent ?? "null"));
        }
        reject(new Error(`This file has no ${resource}.`));
      });
      this.parsed.set(resource, value);
    }
    return value as Promise<T>;
  }
}

/** Served are the resources below an address of the server that sent this page. A resource that could not be had is asked for again. */
export class Served implements Data {
  private asked = new Map<string, Promise<unknown>>();

  constructor(private readonly base: string) {}

  get<T>(resource: string): Promise<T> {
    let value = this.asked.get(resource);
    if (!value) {
      value = fetch(this.base + resource, { credentials: "same-origin" }).then(async (r) => {
        if (r.ok) return r.json();
        throw new Error((await r.text()).trim() || `The server answered ${r.status} ${r.statusText}.`);
      });
      value.catch(() => this.asked.delete(resource));
      this.asked.set(resource, value);
    }
    return value as Promise<T>;
  }
}

/** A value that is under way, there, or not to be had. */
export type Loaded<T> = { value?: T; error?: string };

/** useResource gives a component a resource; the component is drawn again when it is there. An empty name asks for nothing. */
export function useResource<T>(data: Data, resource: string): Loaded<T> {
  const [loaded, set] = useState<Loaded<T> & { of: string }>({ of: "" });
  useEffect(() => {
    let wanted = resource !== "";
    if (wanted) {
      data.get<T>(resource).then(
        (value) => wanted && set({ of: resource, value }),
        (error: unknown) => wanted && set({ of: resource, error: error instanceof Error ? error.message : String(error) }),
      );
    }
    return () => {
      wanted = false;
    };
  }, [data, resource]);
  return loaded.of === resource ? loaded : {};
}

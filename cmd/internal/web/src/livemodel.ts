// What the execution behaviour diagram draws: components of the frame, the component model and the baseline, and calls over the connections that
// the model declares, or beside them.

import type { Frame, Model } from "./livestate";

/** Call is a connection between two components, by places, through ports with names. */
export interface Call {
  from: number; // -1: nobody, or nobody that is known
  out: string;
  to: number;
  in: string;
  calls: number;
  undeclared: boolean; // there is a model, and it has no such connection
}

/** Drawing is what the diagram has. */
export interface Drawing {
  names: string[]; // those of the frame first
  interfaces: { in: string[]; out: string[] }[]; // by name; those that a model declares
  calls: Call[];
}

/** drawing puts together what is seen, what a model declares, and what a baseline has beside that. */
export function drawing(frame: Frame, model: Model | undefined, missing: string[]): Drawing {
  const names = [...new Set([...frame.components, ...(model?.components ?? []).map((c) => c.name), ...missing])];
  const place = new Map(names.map((name, i) => [name, i]));
  const interfaces = names.map(() => ({ in: [] as string[], out: [] as string[] }));
  for (const c of model?.components ?? []) interfaces[place.get(c.name) ?? 0] = c;
  const calls: Call[] = frame.links.map((l, i) => {
    const declared = model?.connections[frame.over?.[i] ?? -1];
    const name = frame.functions[l.function] ?? "";
    return { from: l.from, out: declared?.out ?? name, to: l.to, in: declared?.in ?? name, calls: l.calls, undeclared: model !== undefined && l.from >= 0 && !declared };
  });
  const used = new Set(frame.over);
  model?.connections.forEach((c, i) => {
    if (used.has(i)) return;
    calls.push({ from: place.get(model.components[c.from]?.name ?? "") ?? -1, out: c.out, to: place.get(model.components[c.to]?.name ?? "") ?? -1, in: c.in, calls: 0, undeclared: false });
  });
  return { names, interfaces, calls };
}

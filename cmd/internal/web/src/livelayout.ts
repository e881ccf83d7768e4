// Where the components of a diagram stand: in layers from callers to callees, within a layer near what they are connected with.

import type { Drawing } from "./livemodel";

export interface Port {
  name: string;
  calls: number;
}

/** Part is a component with its ports: in, through which it is called, and out, through which it calls. */
export interface Part {
  component: number;
  x: number;
  y: number;
  width: number;
  height: number;
  in: Port[];
  out: Port[];
}

export interface Wire {
  from: number; // place of a component
  out: number; // its port
  to: number;
  in: number;
  calls: number; // 0: a model declares it, and nothing ran over it yet
  undeclared: boolean;
}

export interface Plan {
  parts: Part[];
  wires: Wire[];
}

const line = 15;

/** ported gives each component the ports that a model declares and those that its calls need; those beyond a few share the last one. */
function ported({ names, interfaces, calls }: Drawing): Plan {
  const parts: Part[] = names.map((name, component) => ({ component, x: 0, y: 0, width: Math.min(230, Math.max(names.length > 40 ? 120 : 165, 16 + name.length * 7.6)), height: 0, in: [], out: [] }));
  const wires: Wire[] = [];
  const mostPorts = names.length > 40 ? 3 : 6; // many components are small enough to be seen together
  const known = new Map<Port[], Map<string, number>>(); // places by name, those of names that share a port included
  const port = (list: Port[], name: string, calls: number): number => {
    const places = known.get(list) ?? new Map<string, number>();
    known.set(list, places);
    let at = places.get(name);
    if (at === undefined) {
      at = Math.min(list.length, mostPorts - 1);
      const last = list[at];
      if (last) last.name = `and ${places.size - mostPorts + 2} more`;
      else list.push({ name, calls: 0 });
      places.set(name, at);
    }
    const p = list[at];
    if (p) p.calls += calls;
    return at;
  };
  interfaces.forEach((of, i) => {
    const p = parts[i];
    if (!p) return;
    for (const name of of.in) port(p.in, name, 0);
    for (const name of of.out) port(p.out, name, 0);
  });
  for (const c of calls) { // the most frequent first, so that these have ports of their own
    const to = parts[c.to];
    if (!to) continue;
    const into = port(to.in, c.in, c.calls);
    const from = parts[c.from];
    if (from) wires.push({ from: c.from, out: port(from.out, c.out, c.calls), to: c.to, in: into, calls: c.calls, undeclared: c.undeclared });
  }
  const one = new Map<string, Wire>();
  for (const w of wires) {
    const key = wireKey(w);
    const same = one.get(key);
    if (same) same.calls += w.calls;
    else one.set(key, w);
  }
  for (const p of parts) p.height = 44 + line * Math.max(p.in.length, p.out.length);
  return { parts, wires: [...one.values()] };
}

/** wireKey tells wires apart. */
export const wireKey = (w: Wire) => [w.from, w.out, w.to, w.in, w.undeclared].join();

/** layers gives each component the number of its layer: callees stand right of their callers; of a cycle one call leads back. */
function layers(plan: Plan): number[] {
  const next = plan.parts.map(() => new Set<number>());
  for (const w of plan.wires) if (w.from !== w.to) next[w.from]?.add(w.to);
  const state = plan.parts.map(() => 0);
  const order: number[] = [];
  const kept = plan.parts.map(() => [] as number[]);
  const visit = (root: number) => {
    const stack: [number, number[]][] = [[root, [...(next[root] ?? [])]]];
    state[root] = 1;
    while (stack.length) {
      const top = stack[stack.length - 1];
      if (!top) break;
      const to = top[1].pop();
      if (to === undefined) {
        state[top[0]] = 2;
        order.push(top[0]);
        stack.pop();
      } else if (state[to] !== 1) {
        kept[top[0]]?.push(to);
        if (state[to] === 0) {
          state[to] = 1;
          stack.push([to, [...(next[to] ?? [])]]);
        }
      }
    }
  };
  const called = plan.parts.map(() => false);
  for (const s of next) for (const to of s) called[to] = true;
  plan.parts.forEach((_, i) => !called[i] && state[i] === 0 && visit(i));
  plan.parts.forEach((_, i) => state[i] === 0 && visit(i));
  const layer = plan.parts.map(() => 0);
  for (const i of order.reverse()) for (const to of kept[i] ?? []) layer[to] = Math.max(layer[to] ?? 0, (layer[i] ?? 0) + 1);
  return layer;
}

/** arrange places all components. */
export function arrange(drawing: Drawing): Plan {
  const { names } = drawing;
  const plan = ported(drawing);
  const layer = layers(plan);
  const columns: number[][] = [];
  layer.forEach((l, i) => (columns[l] ??= []).push(i));
  const rank = plan.parts.map((_, i) => i);
  const beside = plan.parts.map(() => [] as number[]);
  for (const w of plan.wires) {
    beside[w.from]?.push(w.to);
    beside[w.to]?.push(w.from);
  }
  for (let sweep = 0; sweep < 6; sweep++) {
    for (const column of sweep % 2 ? [...columns].reverse() : columns) {
      const wish = new Map(column.map((i) => {
        const near = (beside[i] ?? []).map((k) => rank[k] ?? 0);
        return [i, near.length ? near.reduce((a, b) => a + b, 0) / near.length : (rank[i] ?? 0)];
      }));
      column.sort((a, b) => (wish.get(a) ?? 0) - (wish.get(b) ?? 0) || a - b);
      column.forEach((i, place) => (rank[i] = place - column.length / 2));
    }
  }
  // A layer of very many components takes several columns.
  const most = Math.max(6, Math.ceil(Math.sqrt(plan.parts.length * 1.5)));
  let x = 20;
  for (const column of columns) {
    for (let from = 0; from < column.length; from += most) {
      const some = column.slice(from, from + most).map((i) => plan.parts[i]).filter((p) => p !== undefined);
      const tall = some.reduce((n, p) => n + p.height + 26, -26);
      let y = -tall / 2;
      for (const p of some) {
        p.x = x;
        p.y = y;
        y += p.height + 26;
      }
      x += Math.max(0, ...some.map((p) => p.width)) + (names.length > 40 ? 50 : 90);
    }
  }
  const top = Math.min(0, ...plan.parts.map((p) => p.y));
  for (const p of plan.parts) p.y += 20 - top;
  return plan;
}

/** portY is where a port stands. */
export function portY(p: Part, port: number): number {
  return p.y + 48 + line * port;
}

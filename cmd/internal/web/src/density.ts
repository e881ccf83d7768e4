// Densities by kernels: what a histogram shows without its edges.

import type { Side } from "./types";

/** Curve is the density of both sides at the same times. */
export interface Curve {
  at: number[];
  base?: number[];
  cand?: number[];
}

const points = 120;

/**
 * densities are kernel densities of the samples of both sides, from one end of their histogram to the other (Rosenblatt 1956; Parzen 1962): at each time
 * the share of samples, in percent, that a bin of the histogram around it would have. The kernel is that of Gauss, its width that of Silverman (1986,
 * formula 3.31): 0.9 min(standard deviation, quartile range / 1.34) n^(-1/5), not less than half a bin. On a logarithmic axis all of it is of logarithms.
 * Of more samples than steps of the empirical distribution, the steps stand for them.
 */
export function densities(base: Side | null, cand: Side | null, edges: number[], log: boolean): Curve | undefined {
  const on = log ? (ns: number) => Math.log(Math.max(ns, 1)) : (ns: number) => ns;
  const [from, to] = [on(edges[0]!), on(edges[edges.length - 1]!)];
  if (edges.length < 3) return undefined;
  const bin = (to - from) / (edges.length - 1);
  const at = Array.from({ length: points + 1 }, (_, i) => from + ((to - from) * i) / points);
  const of = (side: Side | null) => {
    if (!side) return undefined;
    const x = side.ecdf.map(on);
    const h = Math.max(width(x, side.n), bin / 2);
    return at.map((t) => x.reduce((sum, v) => sum + Math.exp((-(t - v) * (t - v)) / (2 * h * h)), 0) * ((100 * bin) / (x.length * h * Math.sqrt(2 * Math.PI))));
  };
  return { at: at.map((t) => (log ? Math.exp(t) : t)), base: of(base), cand: of(cand) };
}

/** width is Silverman's. x ascends. */
function width(x: number[], samples: number): number {
  const mean = x.reduce((a, b) => a + b, 0) / x.length;
  const deviation = Math.sqrt(x.reduce((sum, v) => sum + (v - mean) * (v - mean), 0) / Math.max(1, x.length - 1));
  const quartile = (p: number) => x[Math.max(0, Math.ceil(p * x.length) - 1)]!;
  const range = (quartile(0.75) - quartile(0.25)) / 1.34;
  return 0.9 * (range > 0 ? Math.min(deviation, range) : deviation) * samples ** -0.2;
}

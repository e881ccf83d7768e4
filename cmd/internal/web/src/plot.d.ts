// What the pages use of Observable Plot. Its own types are not vendored.
declare module "@observablehq/plot" {
  type Mark = unknown;
  type Options = Record<string, unknown>;
  export function plot(options: Options): SVGSVGElement & HTMLElement & { scale: (name: string) => { range: number[]; apply: (value: number) => number; invert?: (at: number) => number } };
  export function rect(data: unknown, options?: Options): Mark;
  export function rectX(data: unknown, options?: Options): Mark;
  export function rectY(data: unknown, options?: Options): Mark;
  export function barX(data: unknown, options?: Options): Mark;
  export function barY(data: unknown, options?: Options): Mark;
  export function stackX(options: Options): Options;
  export function dot(data: unknown, options?: Options): Mark;
  export function line(data: unknown, options?: Options): Mark;
  export function areaY(data: unknown, options?: Options): Mark;
  export function link(data: unknown, options?: Options): Mark;
  export function arrow(data: unknown, options?: Options): Mark;
  export function text(data: unknown, options?: Options): Mark;
  export function tickX(data: unknown, options?: Options): Mark;
  export function ruleX(data: unknown, options?: Options): Mark;
  export function ruleY(data: unknown, options?: Options): Mark;
  export function axisX(data: unknown, options?: Options): Mark;
  export function axisY(data: unknown, options?: Options): Mark;
}

// esbuild makes a file of its own of a style.
declare module "*.css" {}

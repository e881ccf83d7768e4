// The picture of a timeline on paper: the same drawing as SVG, in colours for white paper, with the names of its lanes beside it.

import { make, Paper } from "./paper";
import { above, boxes, durations, grid, headOf, over, type Picture, type Style, axisHeight } from "./timelinecanvas";
import { printable } from "./units";

const onWhite: Style = {
  ink: "#000000", muted: "#444444", line: "#999999", ground: "#ffffff", panel: "#ffffff", path: "#b3261e", focus: "#0a56a3", worse: "#a3241b", better: "#0d6b35", base: "#0067a8",
  lengths: durations(false),
};

const labelsWide = 170;

/** printed draws a picture with the names of what stands above its lanes, each with its height. */
export function printed(p: Picture, heads: [text: string, height: number][]): SVGElement {
  const head = headOf(p);
  const last = p.rows[p.rows.length - 1];
  const high = Math.min(p.height, head + (last ? last.top + last.height - p.scroll : 0));
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  for (const [key, value] of Object.entries({ viewBox: `0 0 ${labelsWide + p.width} ${high}`, role: "img", "aria-label": "The timeline", class: "paper" })) svg.setAttribute(key, value);
  const all = make(svg, "svg", { x: labelsWide, y: 0, width: p.width, height: high }); // inner pictures are cut at their edges
  const x = (ns: number) => ((ns - p.view.from) / (p.view.to - p.view.from)) * p.width;
  grid(new Paper(all), p, onWhite, x);
  const lanes = make(all, "svg", { x: 0, y: head, width: p.width, height: Math.max(0, high - head) });
  const scratch = document.createElement("canvas").getContext("2d");
  if (p.drawn && scratch) {
    const paths = new Map<number, string>();
    const items = boxes(scratch, p, onWhite, p.drawn.boxes, { pixels: new Uint32Array(0), paths, wide: p.width, high, ratio: 1, head });
    for (const [code, d] of paths) make(lanes, "path", { d, fill: "#" + [code & 255, (code >> 8) & 255, (code >> 16) & 255].map((v) => v.toString(16).padStart(2, "0")).join(""), ...(code >>> 24 < 255 && { "fill-opacity": Math.round((code >>> 24) / 2.55) / 100 }) });
    over(new Paper(make(lanes, "g", { transform: `translate(0 ${-p.scroll})` })), p, onWhite, items, x);
  }
  above(new Paper(all), p, onWhite, x);
  let top = axisHeight;
  const label = (within: Element, text: string, at: number, bold: boolean) => {
    const short = text.length > 27 ? text.slice(0, 26) + "…" : text;
    make(within, "text", { x: 2, y: at + 14, "font-size": 11.5, ...(bold && { "font-weight": "bold" }) }).textContent = short;
  };
  for (const [text, height] of heads) {
    label(svg, text, top, true);
    top += height;
  }
  const names = make(svg, "svg", { x: 0, y: head, width: labelsWide, height: Math.max(0, high - head) });
  for (const r of p.rows) if (r.top + r.height > p.scroll && r.top < p.scroll + p.height) label(names, printable(r.lane.lifeline), r.top - p.scroll, false);
  return svg;
}

// Figures on paper: what a canvas shows is drawn as SVG while a page is printed, in colours for white, and is gone afterwards.

import { useEffect } from "preact/hooks";
import type { Ink } from "./timelinecanvas";

/** make makes an element of SVG within another one. */
export function make(within: Element, name: string, attributes: Record<string, string | number | undefined>): SVGElement {
  const e = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined) e.setAttribute(key, String(value));
  within.append(e);
  return e;
}

/** Paper is what draws as a canvas does, into an element of SVG. */
export class Paper implements Ink {
  fillStyle: string | CanvasGradient | CanvasPattern = "#000000";
  strokeStyle: string | CanvasGradient | CanvasPattern = "#000000";
  lineWidth = 1;
  globalAlpha = 1;
  textBaseline: CanvasTextBaseline = "alphabetic";
  textAlign: CanvasTextAlign = "left";
  private dashes: number[] = [];
  private path = "";
  private readonly scratch = document.createElement("canvas").getContext("2d")!;

  constructor(private readonly within: Element) {}

  /** font is that of a canvas, such as "bold 12px system-ui". */
  get font(): string { return this.scratch.font; }
  set font(of: string) { this.scratch.font = of; }
  measureText(text: string): TextMetrics { return this.scratch.measureText(text); }
  setLineDash(dashes: number[]) { this.dashes = dashes; }

  fillRect(x: number, y: number, width: number, height: number) {
    make(this.within, "rect", { x: tenth(x), y: tenth(y), width: tenth(width), height: tenth(height), fill: String(this.fillStyle), ...this.faint() });
  }
  strokeRect(x: number, y: number, width: number, height: number) {
    make(this.within, "rect", { x: tenth(x), y: tenth(y), width: tenth(width), height: tenth(height), fill: "none", ...this.pen() });
  }
  fillText(text: string, x: number, y: number) {
    const size = Number(/([\d.]+)px/.exec(this.font)?.[1] ?? 12);
    const down = { top: 0.85, hanging: 0.85, middle: 0.35, alphabetic: 0, ideographic: 0, bottom: -0.2 }[this.textBaseline] * size; // as far below the point stand letters
    const anchor = this.textAlign === "center" ? "middle" : this.textAlign === "right" || this.textAlign === "end" ? "end" : "start";
    make(this.within, "text", { x: tenth(x), y: tenth(y + down), "font-size": size, "text-anchor": anchor, fill: String(this.fillStyle), ...(/bold/.test(this.font) && { "font-weight": "bold" }), ...this.faint() }).textContent = text;
  }
  beginPath() { this.path = ""; }
  closePath() { this.path += "z"; }
  moveTo(x: number, y: number) { this.path += `M${tenth(x)} ${tenth(y)}`; }
  lineTo(x: number, y: number) { this.path += `L${tenth(x)} ${tenth(y)}`; }
  /** arc draws a whole circle: no picture has parts of one. */
  arc(x: number, y: number, radius: number) { this.path += `M${tenth(x - radius)} ${tenth(y)}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0`; }
  stroke() { make(this.within, "path", { d: this.path, fill: "none", ...this.pen() }); }
  fill() { make(this.within, "path", { d: this.path, fill: String(this.fillStyle), ...this.faint() }); }

  private pen() {
    return { stroke: String(this.strokeStyle), "stroke-width": this.lineWidth, "stroke-dasharray": this.dashes.length > 0 ? this.dashes.join(" ") : undefined, ...this.faint() };
  }
  private faint() {
    return { opacity: this.globalAlpha < 1 ? this.globalAlpha : undefined };
  }
}

const tenth = (v: number) => Math.round(v * 10) / 10;

/** usePaper puts a figure into an element while the page is printed, and again when it is drawn anew meanwhile: data may come late. */
export function usePaper(place: { current: HTMLDivElement | null }, draw: { current: (() => Element | undefined) | undefined }) {
  const begin = () => {
    const figure = draw.current?.();
    if (figure) place.current?.replaceChildren(figure);
  };
  useEffect(() => {
    if (matchMedia("print").matches) begin();
  });
  useEffect(() => {
    const print = matchMedia("print");
    const end = () => place.current?.replaceChildren();
    const changed = () => (print.matches ? begin() : end());
    addEventListener("beforeprint", begin);
    addEventListener("afterprint", end);
    print.addEventListener("change", changed); // of tools that show what a printer would
    return () => {
      removeEventListener("beforeprint", begin);
      removeEventListener("afterprint", end);
      print.removeEventListener("change", changed);
    };
  }, []);
}

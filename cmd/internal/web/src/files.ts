// What a page shows as files: tables as CSV, pictures as SVG. They are made in the page, so that a report without a server has them, too.

import { printable } from "./units";

/** saveTable saves rows as CSV (RFC 4180), the first of which is the head. */
export function saveTable(title: string, rows: (string | number | undefined)[][]): void {
  save(title, "csv", "text/csv", rows.map((r) => r.map(field).join(",") + "\r\n").join(""));
}

/** field writes a value. Names come from traces: one that a spreadsheet would take for a formula is marked as text. */
function field(value: string | number | undefined): string {
  if (typeof value !== "string") return String(value ?? "");
  const text = /^[=+@-]/.test(value) ? "'" + printable(value) : printable(value);
  return /[",]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
}

/** savePicture saves a picture with the colours that it has on the page. */
export function savePicture(title: string, picture: SVGElement): void {
  const style = getComputedStyle(picture);
  const copy = picture.cloneNode(true) as SVGElement;
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.style.cssText = `background:${style.getPropertyValue("--ground")};color:${style.color};font-family:sans-serif`; // an attribute would be against the policy of the page
  save(title, "svg", "image/svg+xml", new XMLSerializer().serializeToString(copy).replace(/var\((--[\w-]+)\)/g, (_, name: string) => style.getPropertyValue(name)));
}

function save(title: string, ending: string, type: string, text: string) {
  const way = document.createElement("a");
  way.href = URL.createObjectURL(new Blob([text], { type }));
  way.download = (title + "." + ending).replace(/[^\w.-]+/g, "-");
  way.click();
  setTimeout(() => URL.revokeObjectURL(way.href), 60_000); // browsers begin to save later
}

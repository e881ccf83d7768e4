// Numbers in words, as the command line writes them: three digits and a unit, halves rounded up. A test compares them with the Go
// functions of the same names in package texttab.

const units: [string, number][] = [["s", 1e9], ["ms", 1e6], ["us", 1e3], ["ns", 1]];

/** duration writes nanoseconds: "1.05 ms". */
export function duration(ns: number): string {
  const sign = ns < 0 ? "-" : "";
  const rounded = roundThree(Math.abs(ns));
  const [name, size] = units.find(([, n]) => rounded >= n) ?? ["ns", 1];
  let digits = String(Math.floor(rounded / size));
  const decimals = 3 - digits.length;
  if (decimals > 0 && size > 1) digits += "." + String(size + (rounded % size)).slice(1, 1 + decimals);
  return sign + digits + " " + name;
}

function roundThree(ns: number): number {
  let step = 1;
  while (ns / step >= 1000 && step < 1e9) step *= 10;
  return (Math.floor(ns / step) + Math.floor(((ns % step) * 2) / step)) * step;
}

/** exactly writes a time with all of its digits: "6.302948 ms". */
export function exactly(ns: number): string {
  if (ns === 0) return "0 s";
  const [name, size] = units.find(([, n]) => Math.abs(ns) >= n) ?? ["ns", 1];
  return ns / size + " " + name;
}

/** plainly writes a number of a query: whole ones with commas, others with all of their digits. */
export function plainly(x: number): string {
  return Number.isInteger(x) ? count(x) : String(x).replace(/e([-+])(\d)$/, "e$10$2");
}

/** nanoseconds reads a duration such as 5ms or 1.5 s; undefined where it is none. */
export function nanoseconds(text: string): number | undefined {
  const m = /^\s*(\d+(?:\.\d+)?)\s*(ns|us|µs|ms|s)?\s*$/.exec(text);
  if (!m) return undefined;
  return Math.round(Number(m[1]) * { ns: 1, us: 1e3, "µs": 1e3, ms: 1e6, s: 1e9 }[m[2] ?? "ns"]!);
}

/** ticks writes a time on an axis, without zeros at its end; zero has no unit of its own. */
export function ticks(ns: number): string {
  return ns === 0 ? "0" : duration(Math.round(ns)).replace(/\.0+ /, " ").replace(/(\.\d*[1-9])0+ /, "$1 ");
}

/** difference writes a difference of durations, with a plus sign where it is positive. */
export function difference(ns: number): string {
  return (ns > 0 ? "+" : "") + duration(ns);
}

/** interval writes an interval of differences, and the unit once where both ends have the same; one run a side has none. */
export function interval(low: number | null, high: number | null): string {
  if (low === null || high === null) return "unknown";
  const from = difference(low);
  const until = difference(high);
  const [number = "", unit] = from.split(" ");
  return (until.split(" ")[1] === unit ? number : from) + " to " + until;
}

/** count writes a number with a comma before every three digits. */
export function count(n: number): string {
  return String(n).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

/** plural writes a number with its noun. */
export function plural(n: number, noun: string): string {
  return count(n) + " " + noun + (n === 1 ? "" : "s");
}

/** rate writes how often something happens: whole numbers whole, others with three digits, as %.3g does. */
export function rate(x: number): string {
  if (Number.isInteger(x)) return count(x);
  const [digits = "", power] = x.toPrecision(3).split("e");
  if (Math.abs(x) < 1e-4 && !power) return rateOf(x.toExponential(2));
  return power ? rateOf(digits + "e" + power) : trimmed(digits);
}

function rateOf(text: string): string {
  const [digits = "", power = "0"] = text.split("e");
  return trimmed(digits) + "e" + (power.startsWith("-") ? "-" : "+") + power.replace(/^[+-]/, "").padStart(2, "0");
}

function trimmed(digits: string): string {
  return digits.includes(".") ? digits.replace(/\.?0+$/, "") : digits;
}

/** share writes a share of one in whole percent, or that it is below one. */
export function share(x: number): string {
  return Math.abs(x) < 0.01 ? "<1 %" : (100 * x).toFixed(0) + " %";
}

/** percent writes how much of a whole a part is; a part that rounds to nothing is below a tenth of a percent. */
export function percent(part: number, whole: number): string {
  const x = (100 * part) / Math.max(whole, 1);
  if (part > 0 && x < 0.05) return "<0.1 %";
  return fixed(x, x < 9.95 ? 1 : 0) + " %";
}

/** portion writes a share of one in percent with three digits at most. */
export function portion(x: number): string {
  return rate(Number((100 * x).toPrecision(3))) + " %";
}

/** fixed writes decimals, and of two numbers that are equally near the even one, as Go does. */
function fixed(x: number, decimals: number): string {
  const scaled = x * 10 ** decimals;
  const below = Math.floor(scaled);
  return ((scaled - below === 0.5 ? below + (below % 2) : Math.round(scaled)) / 10 ** decimals).toFixed(decimals);
}

/** probability writes a p or q: three digits, or that it is below a thousandth. */
export function probability(p: number): string {
  return p < 0.001 ? "<0.001" : p.toFixed(3);
}

/** relative writes a relative difference in percent with a sign. */
export function relative(x: number): string {
  const sign = x > 0 ? "+" : x < 0 ? "-" : "";
  const percent = Math.abs(x) * 100;
  return sign + percent.toFixed(percent >= 99.95 ? 0 : percent >= 9.995 ? 1 : 2) + " %";
}

/** words writes a verdict: "count changed" for count_changed. */
export function words(verdict: string): string {
  return verdict.replaceAll("_", " ");
}

/** printable shows what nobody would see in a name, such as marks that turn the direction of writing, in letters. Names come from
 * traces, and a trace may have been made to deceive whoever reads about it. */
export function printable(name: string): string {
  return name.replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (c) => (c === "\n" ? "\\n" : c === "\t" ? "\\t" : c === "\r" ? "\\r" : "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0")));
}

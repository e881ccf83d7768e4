// What the stream of frames leaves out, since the one before had it.

import type { Comparison, Frame } from "./livestate";

/** merged is a frame with what the one before had. */
export function merged(old: Frame | undefined, f: Frame): Frame {
  return { ...f, components: f.components ?? old?.components ?? [], functions: f.functions ?? old?.functions ?? [], links: f.links ?? old?.links ?? [], over: f.links ? f.over : old?.over, against: compared(old?.against, f.against) };
}

function compared(old: Comparison | undefined, c: Comparison | undefined): Comparison | undefined {
  return c && old?.run === c.run ? { ...c, judged: c.judged ?? old.judged, chart: c.judged ? c.chart : old.chart } : c;
}

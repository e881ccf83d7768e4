// The page of a system that runs, or of a run in the same way: execution behaviour diagram, time scale with window, timing behaviour diagram.

import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Served, useResource, type Data } from "./data";
import { Frame } from "./frame";
import { Baseline } from "./livebaseline";
import { cooler, Diagram, mixed, signed } from "./livediagram";
import { Scale } from "./livescale";
import { ofQuery, query, useFrames, type Model, type Sight } from "./livestate";
import { Timing, timingHeight } from "./livetiming";
import { parse, to, type Place } from "./router";
import { Failed, Name, Section, Waiting } from "./ui";
import { count, duration, printable } from "./units";

interface Live {
  recordings: string[];
  runs: string[];
  metrics: { word: string; name: string; doc: string }[];
  model?: Model;
}

const speeds = [1, 10, 25, 50, 100, 200, 500, 1000, 10000];
const colours: [string, string][] = [["#d40000", "red"], ["#0b8a2b", "green"], ["#0b57d0", "blue"], ["#333333", "grey"]];

/** Number is a field of milliseconds. */
function Milliseconds({ label, ns, set }: { label: string; ns: number; set: (ns: number) => void }) {
  const [typed, type] = useState<string | null>(null);
  const done = (text: string) => {
    const ms = Number(text);
    if (text !== "" && Number.isFinite(ms) && ms >= 0) set(ms * 1e6);
    type(null);
  };
  return (
    <label>
      {label} <input type="number" min="0" step="any" value={typed ?? String(Math.round(ns / 1e3) / 1e3)} onInput={(e) => type(e.currentTarget.value)} onBlur={(e) => typed !== null && done(e.currentTarget.value)}
        onKeyDown={(e) => e.key === "Enter" && done(e.currentTarget.value)} /> ms
    </label>
  );
}

function LivePage({ data, place }: { data: Data; place: Place }) {
  const run = place.of[0] ?? "";
  const [sight, put] = useState<Sight>(() => ofQuery(place.query));
  const set = (s: Partial<Sight>) => put((old) => ({ ...old, ...s }));
  const { frame, error, rate } = useFrames(run, sight, timingHeight);
  const { value: live } = useResource<Live>(data, "live");
  useEffect(() => {
    const timer = setTimeout(() => history.replaceState(null, "", to("", [], query(sight))), 300);
    return () => clearTimeout(timer);
  }, [sight, run]);
  const [fitted, fit] = useState(place.query.has("span") || place.query.has("interval") || place.query.has("at"));
  useEffect(() => {
    if (!frame || fitted) return;
    if (live && !live.recordings.includes(frame.run) && !frame.alive) all(); // a run of the lake is seen as a whole first
    if (live) fit(true);
  }, [frame, live, fitted]);
  const all = () => frame && set({ span: Math.max(1000, frame.now_ns), interval: Math.max(1000, frame.now_ns), offset: 0, anchor: null });
  useEffect(() => {
    const main = document.querySelector("main");
    if (main && frame) main.dataset.now = String(Math.round(frame.now_ns)); // for whoever looks from outside
  }, [frame]);
  if (!frame) return error ? <Failed why={error} /> : <Waiting />;
  const standing = sight.at !== null && sight.speed === 0;
  const ended = sight.at !== null && sight.speed > 0 && frame.at_ns >= frame.now_ns && !frame.alive;
  const play = (speed: number) => set({ at: ended || sight.at === null || frame.at_ns >= frame.now_ns ? 0 : frame.at_ns, speed });
  const stored = live !== undefined && !live.recordings.includes(frame.run) && !frame.alive;
  const still = standing || (sight.at === null && stored);
  const pace = sight.speed || (!stored || frame.now_ns > 3e9 ? 100 : frame.now_ns > 3e8 ? 10 : 1); // a short run is replayed slowly
  const metric = live?.metrics.find((m) => m.word === sight.metric);
  return (
    <>
      <h1>
        <Name of={run} /> <span class="over" role="status">
          {stored ? <>a run of the lake (<a href={"/" + to("timeline", [frame.run])}>its timeline</a>), {duration(frame.now_ns)} long</> : <>{frame.run !== run && <>run <Name of={frame.run} /> </>}{frame.alive ? "is being recorded" : "nobody records it any more"}, {duration(frame.now_ns)} so far</>}; at {duration(Math.round(frame.at_ns))}
          {sight.at === null ? frame.alive ? ", now" : ", its end" : standing ? ", paused" : `, at ${sight.speed / 100} times its pace`}
        </span>
      </h1>
      {error && <Failed why={error} />}
      <div class="livecontrols">
        {!still
          ? <button type="button" onClick={() => set({ at: frame.at_ns, speed: 0 })}>Pause</button>
          : <button type="button" onClick={() => play(pace)}>Play</button>}
        <label>
          pace <select value={String(pace)} onChange={(e) => play(Number(e.currentTarget.value))}>{speeds.map((s) => <option value={String(s)}>{s / 100}×</option>)}</select>
        </label>
        <button type="button" disabled={sight.at === null} onClick={() => set({ at: null, speed: 0 })}>{frame.alive ? "Now" : "End"}</button>
        <label>
          metric <select value={sight.metric} title={metric?.doc} onChange={(e) => set({ metric: e.currentTarget.value })}>{(live?.metrics ?? []).map((m) => <option value={m.word} title={m.doc}>{m.name}</option>)}</select>
        </label>
        <label>
          times <select value={sight.times} onChange={(e) => set({ times: e.currentTarget.value as Sight["times"] })}><option value="raw">raw</option><option value="real">real</option></select>
        </label>
        <label>
          colours <select value={sight.colour} onChange={(e) => set({ colour: e.currentTarget.value as Sight["colour"] })}><option value="quadratic">quadratic</option><option value="linear">linear</option><option value="steps">steps</option></select>
        </label>
        {sight.colour === "steps" && <label>k <input type="number" min="1" max="255" value={sight.steps} onChange={(e) => set({ steps: Math.min(255, Math.max(1, Number(e.currentTarget.value) || 5)) })} /></label>}
        {colours.map(([c, name]) => <button type="button" class="swatch" aria-pressed={sight.base === c} aria-label={name} title={name} ref={(e) => { if (e) e.style.background = c; }} onClick={() => set({ base: c })} />)}
        <input type="color" aria-label="any colour" value={sight.base} onInput={(e) => set({ base: e.currentTarget.value })} />
        <label>
          against <select value={sight.against} title="Colours are the difference to that run, and functions that strike are listed" onChange={(e) => set({ against: e.currentTarget.value, component: "", function: "" })}>
            <option value="">nothing</option>{(live?.runs ?? []).filter((r) => r !== frame.run || r === sight.against).map((r) => <option value={r}>{printable(r)}</option>)}
          </select>
        </label>
        <Legend sight={sight} />
      </div>
      <Diagram frame={frame} sight={sight} model={live?.model} />
      <Scale frame={frame} sight={sight} set={set} />
      <div class="livecontrols">
        <Milliseconds label="offset" ns={sight.anchor === null ? sight.offset : Math.max(0, frame.at_ns - sight.anchor)} set={(ns) => set(sight.anchor === null ? { offset: ns } : { anchor: Math.max(0, frame.at_ns - ns) })} />
        <Milliseconds label="interval" ns={sight.interval} set={(ns) => set({ interval: Math.max(1000, ns) })} />
        <label><input type="checkbox" checked={sight.anchor !== null} onChange={(e) => set(e.currentTarget.checked ? { anchor: frame.at_ns - sight.offset } : { anchor: null, offset: Math.max(0, frame.at_ns - (sight.anchor ?? frame.at_ns)) })} /> window stays where it is</label>
        <Milliseconds label="scale" ns={sight.span} set={(ns) => set({ span: Math.max(1000, ns) })} />
        <button type="button" onClick={all}>All of it</button>
        <small>
          Window {duration(Math.round(frame.to_ns - frame.from_ns))}. Frame {count(frame.n)}, {rate} a second, made in {duration(frame.made_us * 1000)}.
          {frame.unmatched > 0 && ` ${count(frame.unmatched)} exits had no call.`}
        </small>
      </div>
      {sight.against && <Section title="Against the baseline"><Baseline frame={frame} sight={sight} set={set} /></Section>}
      <Section title="Timing behaviour" lead={<label><input type="checkbox" checked={sight.timing} onChange={(e) => set({ timing: e.currentTarget.checked })} /> components across, time down, as far as the scale shows</label>}>
        {sight.timing && <Timing frame={frame} sight={sight} set={set} />}
      </Section>
    </>
  );
}

/** Legend shows the colours of some hotnesses. */
function Legend({ sight }: { sight: Sight }) {
  const value = (h: number) => {
    const c = ((h * h) / 100) * (255 / 100);
    const step = Math.floor(255 / sight.steps);
    return sight.colour === "linear" ? 2.55 * h : sight.colour === "steps" ? Math.floor(Math.floor(c) / step) * step : c;
  };
  return (
    <span class="hotlegend" role="img" aria-label={sight.against ? "Colours from −100 to 100" : "Colours from 0 to 100"}>
      {(sight.against ? [-100, -60, -20, 0, 20, 60, 100] : [0, 20, 40, 60, 80, 100]).map((h) => {
        const [fill, light] = mixed(h < 0 ? cooler(sight) : sight.base, Math.floor(value(Math.abs(h))));
        return <span class={light ? "onDark" : ""} ref={(e) => { if (e) e.style.background = fill; }}>{signed(h, sight)}</span>;
      })}
    </span>
  );
}

/** Recordings lists what is being recorded, and the runs that the lake has. */
function Recordings({ data }: { data: Data }) {
  const { value: live, error } = useResource<Live>(data, "live");
  if (!live) return error ? <Failed why={error} /> : <Waiting />;
  const list = (runs: string[]) => <ul class="plainlist">{runs.map((r) => <li key={r}><a href={"/live/" + encodeURIComponent(r)}><Name of={r} /></a></li>)}</ul>;
  return (
    <>
      <h1>Live, and replayed</h1>
      <Section title="Being recorded" lead={live.recordings.length === 0 ? <>Nothing: <code>ingest --follow</code> records a trace that is being written.</> : undefined}>{list(live.recordings)}</Section>
      <Section title="Runs of the lake, which are replayed">{list(live.runs)}</Section>
    </>
  );
}

function Page() {
  const run = decodeURIComponent(location.pathname.replace(/^\/live\//, ""));
  const main = useRef<HTMLElement>(null);
  const ways = [{ address: "/", title: "Lake", here: false }, { address: "/live/", title: "Live", here: run === "" }];
  if (run) ways.push({ address: "/live/" + encodeURIComponent(run), title: printable(run).slice(0, 60), here: true });
  useEffect(() => {
    document.title = (run ? printable(run) + " · " : "") + "live · Tracelake";
  }, [run]);
  return (
    <Frame ways={ways} main={main} wide={run !== ""}>
      {run ? <LivePage data={data} place={{ page: "live", of: [run], query: parse(location.hash).query }} /> : <Recordings data={data} />}
    </Frame>
  );
}

const data = new Served("/api/");

/** startLive draws the page into the document. */
export function startLive(): void {
  const root = document.getElementById("page");
  if (root) render(<Page />, root);
}

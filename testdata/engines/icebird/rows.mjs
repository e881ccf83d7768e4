// Reads tables of an Iceberg catalog by icebird, which shares no code with what wrote them, and writes what tracelake-iceberg rows writes: of each table,
// for every value of its key how many rows there are, and how many of them have a value in each column.
//
//	node rows.mjs METADATA...     the newest metadata.json of each table
import { readFile } from 'node:fs/promises'
import { register } from 'node:module'

const ours = new URL('decompress.mjs', import.meta.url).href
register('data:text/javascript,' + encodeURIComponent(`export const resolve = (name, of, next) =>
  name === 'hyparquet-compressors' && of.parentURL !== '${ours}' ? { url: '${ours}', shortCircuit: true } : next(name, of)`))
const { icebergRead } = await import('icebird')

// Icebird fetches its files; those of the tests lie on the disk.
globalThis.fetch = async (url, init) => {
  const bytes = await readFile(new URL(url))
  const range = /bytes=(\d+)-(\d*)/.exec(new Headers(init?.headers).get('Range') ?? '')
  if (init?.method === 'HEAD') return new Response(null, { headers: { 'Content-Length': String(bytes.length) } })
  if (!range) return new Response(bytes)
  const part = bytes.subarray(Number(range[1]), range[2] === '' ? bytes.length : Number(range[2]) + 1)
  return new Response(part, { status: 206, headers: { 'Content-Length': String(part.length) } })
}

// Numbers of snapshots have more digits than a number of JSON keeps here.
const parse = text => JSON.parse(text.replace(/("(?:current-)?snapshot-id"\s*:\s*)(\d+)/g, '$1"$2"'))

const all = {}
for (const path of process.argv.slice(2)) {
  const metadata = parse(await readFile(path, 'utf8'))
  const table = metadata.location.split('/').at(-1)
  const schema = metadata.schemas.find(s => s['schema-id'] === metadata['current-schema-id'])
  const spec = metadata['partition-specs'].find(s => s['spec-id'] === metadata['default-spec-id'])
  const key = schema.fields.find(f => f.id === spec.fields[0]['source-id']).name
  const counts = {}
  for (const row of await icebergRead({ tableUrl: metadata.location, metadata })) {
    const of = counts[row[key]] ??= { rows: 0, values: {} }
    of.rows++
    for (const [name, value] of Object.entries(row)) {
      if (value !== null && value !== undefined) of.values[name] = (of.values[name] ?? 0) + 1
    }
  }
  all[table] = counts
}
console.log(JSON.stringify(all))

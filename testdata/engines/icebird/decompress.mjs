// What icebird takes from hyparquet-compressors, whose gunzip expects another block behind the only one of a manifest.
import { inflateRawSync } from 'node:zlib'
export { compressors } from 'hyparquet-compressors'
export const gunzip = bytes => new Uint8Array(inflateRawSync(bytes))

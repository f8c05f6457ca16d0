/**
 * Counts the parts of metadata before the library reads it: the elements of all lists. The library makes several objects of
 * each part, and a list of empty texts has a part in each byte: 8 MiB take it ten seconds and gigabytes. The walk allocates
 * nothing and stops at the limit.
 */

/** Polkadot and Kusama have about 20,000. */
export const partsMax = 100_000

export class TooManyParts extends Error {}

type Walk = { view: DataView; at: number; parts: number }
type Skip = (walk: Walk) => void

/** Throws TooManyParts, or a RangeError for bytes that end too early. */
export function countParts(bytes: Uint8Array): number {
  const walk = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), at: 4, parts: 0 }
  const version = walk.view.getUint8(walk.at++)
  versions[version]?.(walk)
  return walk.parts
}

function lengthOf(walk: Walk): number {
  const { view, at } = walk
  const mode = view.getUint8(at) & 3
  if (mode === 3) throw new RangeError('a length above 2^30')
  walk.at += 1 << mode
  if (mode === 0) return view.getUint8(at) >> 2
  return mode === 1 ? view.getUint16(at, true) >> 2 : view.getUint32(at, true) >>> 2
}

const compact: Skip = (walk) => {
  const first = walk.view.getUint8(walk.at)
  walk.at += (first & 3) === 3 ? (first >> 2) + 5 : 1 << (first & 3)
}
const bytes: Skip = (walk) => {
  const length = lengthOf(walk)
  walk.at += length
}
const fixed =
  (size: number): Skip =>
  (walk) => {
    walk.at += size
  }
const all =
  (...parts: Skip[]): Skip =>
  (walk) => {
    for (const part of parts) part(walk)
  }
const list =
  (part: Skip): Skip =>
  (walk) => {
    const length = lengthOf(walk)
    walk.parts += length
    if (walk.parts > partsMax) throw new TooManyParts()
    for (let left = length; left > 0; left--) part(walk)
  }
const nothing: Skip = () => undefined
const choice =
  (parts: Readonly<Record<number, Skip>>): Skip =>
  (walk) => {
    const part = parts[walk.view.getUint8(walk.at++)]
    if (!part) throw new RangeError('an unknown variant')
    part(walk)
  }
const option = (part: Skip): Skip => choice({ 0: nothing, 1: part })

const docs = list(bytes)
const fields = list(all(option(bytes), compact, option(bytes), docs))
const type = choice({
  0: fields,
  1: list(all(bytes, fields, fixed(1), docs)),
  2: compact,
  3: all(fixed(4), compact),
  4: list(compact),
  5: fixed(1),
  6: compact,
  7: all(compact, compact),
})
const types = list(all(compact, docs, list(all(bytes, option(compact))), type, docs))

const note = all(bytes, option(bytes))
const deprecation = choice({ 0: nothing, 1: nothing, 2: note })
const map = all(list(fixed(1)), compact, compact)
const item = all(bytes, fixed(1), choice({ 0: compact, 1: map }), bytes, docs)
const constant = all(bytes, compact, bytes, docs)
const storageOf = (item: Skip) => option(all(bytes, list(item)))
const reference = option(compact)
const pallet14 = all(bytes, storageOf(item), reference, reference, list(constant), reference, fixed(1))
const method = all(bytes, list(all(bytes, compact)), compact, docs)
const reference16 = option(all(compact, list(all(fixed(1), choice({ 1: nothing, 2: note })))))
const pallet16 = all(
  all(
    bytes,
    storageOf(all(item, deprecation)),
    reference16,
    reference16,
    list(all(constant, deprecation)),
    reference16,
  ),
  all(list(all(bytes, compact, docs)), list(all(fixed(32), method, deprecation)), fixed(1), docs, deprecation),
)

const extensions = list(all(bytes, compact, compact))
const apis15 = list(all(bytes, list(method), docs))
const apis16 = list(all(bytes, list(all(method, deprecation)), docs, compact, deprecation))
const outerEnums = all(compact, compact, compact)
const custom = list(all(bytes, compact, bytes))

/** By the version of the metadata. */
const versions: Readonly<Record<number, Skip>> = {
  14: all(types, list(pallet14), compact, fixed(1), extensions, compact),
  15: all(
    all(types, list(all(pallet14, docs)), fixed(1), compact, compact, compact, compact, extensions),
    all(compact, apis15, outerEnums, custom),
  ),
  16: all(
    all(types, list(pallet16), list(fixed(1)), compact, compact, compact),
    all(list(all(fixed(1), list(compact))), extensions, apis16, outerEnums, custom),
  ),
}

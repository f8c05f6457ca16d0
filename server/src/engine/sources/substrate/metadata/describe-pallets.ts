import type { LookupEntry } from '@polkadot-api/metadata-builders'
import type { DescribedEntry, DescribedField, DescribedPallet, FoundPallets } from '../../connection.ts'
import type { Pallet, Runtime } from '../runtime.ts'

/** What was described already: pallets may share a type, and fields share most of them. */
type Known = { names: Map<number, string>; entries: Map<number, DescribedEntry[]> }
type Describing = { runtime: Runtime; known: Known }

/** Describes the pallets of a runtime with their events, calls and storage, as its metadata does. Cost: linear in its parts. */
export function describePallets(runtime: Runtime): FoundPallets {
  const describing = { runtime, known: { names: new Map(), entries: new Map() } }
  return {
    ss58Prefix: runtime.ss58Prefix,
    pallets: runtime.pallets.map((pallet) => describePallet(describing, pallet)),
  }
}

function describePallet(describing: Describing, pallet: Pallet): DescribedPallet {
  return {
    name: pallet.name,
    docs: docsOf(pallet.docs),
    events: entriesOf(describing, pallet.events?.type),
    calls: entriesOf(describing, pallet.calls?.type),
    storage: (pallet.storage?.items ?? []).map(({ name, docs, type }) => ({
      name,
      docs: docsOf(docs),
      ...(type.tag === 'plain'
        ? { keys: [], type: nameOf(describing, type.value) }
        : { keys: keysOf(describing, type.value), type: nameOf(describing, type.value.value) }),
    })),
  }
}

/** A map by several keys has a tuple of them. */
function keysOf(describing: Describing, { key, hashers }: { key: number; hashers: readonly unknown[] }): string[] {
  const def = describing.runtime.types[key]?.def
  const isTuple = hashers.length > 1 && def?.tag === 'tuple'
  return (isTuple ? def.value : [key]).map((id) => nameOf(describing, id))
}

/** Each event or call of a pallet is a variant of one type. */
function entriesOf(describing: Describing, type: number | undefined): DescribedEntry[] {
  const { runtime, known } = describing
  const def = type === undefined ? undefined : runtime.types[type]?.def
  if (type === undefined || def?.tag !== 'variant') return []
  const described =
    known.entries.get(type) ??
    def.value.map(({ name, docs, fields }) => ({
      name,
      docs: docsOf(docs),
      fields: fields.map((field) => fieldOf(describing, field)),
    }))
  known.entries.set(type, described)
  return described
}

type Field = { name?: string | undefined; type: number; typeName?: string | undefined }

function fieldOf(describing: Describing, { name, type, typeName }: Field): DescribedField {
  const shape = shapeOf(describing.runtime.decodedType(type))
  return { ...(name && { name }), type: cut(typeName ?? nameOf(describing, type)), ...(shape && { shape }) }
}

function shapeOf(type: LookupEntry): DescribedField['shape'] {
  if (type.type === 'AccountId32') return { address: 'ss58' }
  if (type.type === 'AccountId20') return { address: 'evm' }
  if (type.type === 'compact') return type.isBig ? 'big-integer' : 'integer'
  if (type.type === 'sequence' || type.type === 'array') return isByte(type.value) ? 'text' : undefined
  if (type.type !== 'primitive') return undefined
  if (type.value === 'bool') return 'boolean'
  if (type.value === 'str' || type.value === 'char') return 'text'
  return Number(type.value.slice(1)) <= 32 ? 'integer' : 'big-integer'
}

function isByte(type: LookupEntry): boolean {
  return type.type === 'primitive' && type.value === 'u8'
}

const [depthMax, partsMax, nameLengthMax] = [4, 100, 500]

/** The name of a type as people write it, such as `AccountId32`, `Option<u32>` or `Vec<u8>`. */
function nameOf({ runtime, known }: Describing, id: number): string {
  const name = known.names.get(id) ?? cut(writeName(runtime, id, 0, { parts: partsMax }))
  known.names.set(id, name)
  return name
}

/** Each part of a tuple may be a tuple, so the whole name has a limit of parts. */
function writeName(runtime: Runtime, id: number, depth: number, left: { parts: number }): string {
  const type = runtime.types[id]
  if (!type || depth > depthMax || left.parts < 0) return '…'
  const { def, path, params } = type
  const inner = (of: number) => writeName(runtime, of, depth + 1, left)
  const all = (parts: readonly (number | undefined)[]) => {
    const names: string[] = []
    for (const of of parts) {
      if (--left.parts < 0) break
      if (of !== undefined) names.push(inner(of))
    }
    return names.join(', ')
  }
  const own = path.at(-1)
  if (own !== undefined) {
    const given = all(params.slice(0, partsMax).map(({ type: of }) => of))
    return given === '' ? cut(own) : `${cut(own)}<${given}>`
  }
  if (def.tag === 'primitive') return def.value.tag
  if (def.tag === 'compact') return `Compact<${inner(def.value)}>`
  if (def.tag === 'sequence') return `Vec<${inner(def.value)}>`
  if (def.tag === 'array') return `[${inner(def.value.type)}; ${def.value.len}]`
  if (def.tag === 'tuple') return `(${all(def.value)})`
  return def.tag
}

function cut(name: string): string {
  return name.length > nameLengthMax ? `${name.slice(0, nameLengthMax)}…` : name
}

const docsLinesMax = 100

function docsOf(docs: readonly string[]): string[] {
  return docs.slice(0, docsLinesMax).map((line) => line.trimEnd().replace(/^ /, ''))
}

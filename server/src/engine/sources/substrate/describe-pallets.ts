import type { LookupEntry } from '@polkadot-api/metadata-builders'
import type { DescribedEntry, DescribedField, DescribedPallet, FoundPallets } from '../connection.ts'
import type { Pallet, Runtime } from './runtime.ts'

/** Describes the pallets of a runtime with their events, calls and storage, as its metadata does. */
export function describePallets(runtime: Runtime): FoundPallets {
  return { ss58Prefix: runtime.ss58Prefix, pallets: runtime.pallets.map((pallet) => describePallet(runtime, pallet)) }
}

function describePallet(runtime: Runtime, pallet: Pallet): DescribedPallet {
  return {
    name: pallet.name,
    docs: docsOf(pallet.docs),
    events: entriesOf(runtime, pallet.events?.type),
    calls: entriesOf(runtime, pallet.calls?.type),
    storage: (pallet.storage?.items ?? []).map(({ name, docs, type }) => ({
      name,
      docs: docsOf(docs),
      ...(type.tag === 'plain'
        ? { keys: [], type: nameOf(runtime, type.value) }
        : { keys: keysOf(runtime, type.value), type: nameOf(runtime, type.value.value) }),
    })),
  }
}

/** A map by several keys has a tuple of them. */
function keysOf(runtime: Runtime, { key, hashers }: { key: number; hashers: readonly unknown[] }): string[] {
  const def = runtime.types[key]?.def
  const isTuple = hashers.length > 1 && def?.tag === 'tuple'
  return (isTuple ? def.value : [key]).map((id) => nameOf(runtime, id))
}

/** Each event or call of a pallet is a variant of one type. */
function entriesOf(runtime: Runtime, type: number | undefined): DescribedEntry[] {
  const def = type === undefined ? undefined : runtime.types[type]?.def
  if (def?.tag !== 'variant') return []
  return def.value.map(({ name, docs, fields }) => ({
    name,
    docs: docsOf(docs),
    fields: fields.map((field) => fieldOf(runtime, field)),
  }))
}

type Field = { name?: string | undefined; type: number; typeName?: string | undefined }

function fieldOf(runtime: Runtime, { name, type, typeName }: Field): DescribedField {
  const shape = shapeOf(runtime.decodedType(type))
  return { ...(name && { name }), type: typeName ?? nameOf(runtime, type), ...(shape && { shape }) }
}

function shapeOf(type: LookupEntry): DescribedField['shape'] {
  if (type.type === 'AccountId32') return 'account'
  if (type.type === 'AccountId20') return 'evm-account'
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

const depthMax = 4

/** The name of a type as people write it, such as `AccountId32`, `Option<u32>` or `Vec<u8>`. */
function nameOf(runtime: Runtime, id: number, depth = 0): string {
  const type = runtime.types[id]
  if (!type || depth > depthMax) return '…'
  const inner = (of: number) => nameOf(runtime, of, depth + 1)
  const { def, path, params } = type
  const own = path.at(-1)
  if (own !== undefined) {
    const given = params.flatMap(({ type: of }) => (of === undefined ? [] : [inner(of)]))
    return given.length === 0 ? own : `${own}<${given.join(', ')}>`
  }
  if (def.tag === 'primitive') return def.value.tag
  if (def.tag === 'compact') return `Compact<${inner(def.value)}>`
  if (def.tag === 'sequence') return `Vec<${inner(def.value)}>`
  if (def.tag === 'array') return `[${inner(def.value.type)}; ${def.value.len}]`
  if (def.tag === 'tuple') return `(${def.value.map(inner).join(', ')})`
  return def.tag
}

const docsLinesMax = 100

function docsOf(docs: readonly string[]): string[] {
  return docs.slice(0, docsLinesMax).map((line) => line.trimEnd().replace(/^ /, ''))
}

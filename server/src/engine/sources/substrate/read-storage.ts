import type { Provider } from '@tocsin/contract'
import { UpstreamError } from '../../outbound/upstream-error.ts'
import { readBytesOrNull } from './answers.ts'
import { coerce } from './coerce.ts'
import { Cursor } from './cursor.ts'
import { isSameName } from './names.ts'
import type { Rpc } from './rpc.ts'
import type { Pallet, Runtime } from './runtime.ts'

type StorageProvider = Extract<Provider, { type: 'substrate_storage' }>
type Entry = NonNullable<Pallet['storage']>['items'][number]
type Key = { type: number; hasher: string }

/** The decoded value at a block. Without a value, the entry's default, or null if it has none. */
export async function readStorage(
  rpc: Rpc,
  runtime: Runtime,
  provider: StorageProvider,
  hash: string,
): Promise<unknown> {
  const { prefix, entry } = requireEntry(runtime, provider)
  const key = storageKey(runtime, prefix, entry, provider.args ?? [])
  const stored = await rpc.ask('state_getStorage', [key, hash], readBytesOrNull)
  if (stored !== null) return decodeValue(runtime, entry, stored)
  return hasDefault(entry) ? decodeValue(runtime, entry, entry.fallback) : null
}

/** Finds pallets and entries by name; the case of the first letter does not matter. */
export function requireEntry(runtime: Runtime, { module, entry: name }: Pick<StorageProvider, 'module' | 'entry'>) {
  const pallet = runtime.pallets.find((each) => isSameName(each.name, module))
  if (!pallet) throw new UpstreamError('refused', `The chain has no pallet "${module.slice(0, 64)}".`)
  const entry = pallet.storage?.items.find((each) => isSameName(each.name, name))
  if (!pallet.storage || !entry)
    throw new UpstreamError('refused', `The pallet ${pallet.name} has no storage entry "${name.slice(0, 64)}".`)
  return { prefix: pallet.storage.prefix, entry }
}

/** A pallet's prefix can differ from its name: each instance of a pallet has its own prefix. */
export function storageKey(runtime: Runtime, prefix: string, entry: Entry, args: readonly unknown[]): string {
  const keys = keysOf(runtime, entry)
  if (args.length !== keys.length)
    throw new UpstreamError('refused', `${entry.name} takes ${keys.length} args, not ${args.length}.`)
  const hashed = keys.map(({ type, hasher }, index) => {
    const value = coerce(runtime.type(type), args[index], `args.${index}`, runtime.library)
    return requireHasher(runtime, hasher)(encode(runtime, type, value, `args.${index}`))
  })
  const { Twox128 } = runtime.library.hashers
  const parts = [Twox128(Buffer.from(prefix)), Twox128(Buffer.from(entry.name)), ...hashed]
  return `0x${Buffer.concat(parts).toString('hex')}`
}

function encode(runtime: Runtime, type: number, value: unknown, path: string): Uint8Array {
  try {
    return runtime.encoder(type)(value)
  } catch {
    throw new UpstreamError('refused', `${path} does not fit the type that the chain gives it.`)
  }
}

function requireHasher(runtime: Runtime, name: string): (bytes: Uint8Array) => Uint8Array {
  const hasher = Object.entries(runtime.library.hashers).find(([each]) => each === name)
  if (!hasher) throw new UpstreamError('bad_answer', `The metadata names an unknown hasher, ${name.slice(0, 64)}.`)
  return hasher[1]
}

function hasDefault({ modifier }: Entry): boolean {
  return modifier === 1
}

function keysOf(runtime: Runtime, { type }: Entry): Key[] {
  if (type.tag === 'plain') return []
  const { key, hashers } = type.value
  const [first, ...others] = hashers.map(({ tag }) => tag)
  if (first !== undefined && others.length === 0) return [{ type: key, hasher: first }]
  const several = runtime.types[key]?.def
  const types = several?.tag === 'tuple' ? several.value : []
  if (types.length !== hashers.length)
    throw new UpstreamError('bad_answer', 'The metadata gives a map another number of keys than of hashers.')
  return types.map((each, index) => ({ type: each, hasher: hashers[index]?.tag ?? '' }))
}

/** A map may have keys without values. An existing key then reads as true. */
function decodeValue(runtime: Runtime, { name, type }: Entry, hex: string): unknown {
  const id = type.tag === 'plain' ? type.value : type.value.value
  if (runtime.type(id).type === 'void') return true
  const cursor = Cursor.ofHex(hex)
  try {
    return runtime.decoder(id)(cursor)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UpstreamError('bad_answer', `The value of ${name} cannot be decoded: ${reason}.`)
  }
}

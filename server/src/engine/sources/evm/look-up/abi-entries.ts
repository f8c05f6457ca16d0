import type { AbiEntry } from '@tocsin/contract'
import { isObject } from '../../../base/json.ts'
import { indexedCount } from '../abi/known-events.ts'
import { type AbiItem, readAbi } from '../abi/read-abi.ts'

/** An event or a call that a trigger can watch, with its item of the ABI. */
export type Entry = AbiEntry & { item: AbiItem }
export type Entries = { events: Entry[]; calls: Entry[] }
type Documentation = Readonly<Record<string, string>>

/** Nobody watches calls of view and pure functions: they change nothing. */
export function entriesOf(items: readonly AbiItem[], documentation: Documentation = {}): Entries {
  const entryOf = (item: AbiItem): Entry => {
    const { signature, name, json } = item
    const inputs = Array.isArray(json.inputs) ? json.inputs.filter(isObject) : []
    const text = Object.hasOwn(documentation, signature) ? documentation[signature] : undefined
    return { signature, name, inputs, ...(text && { documentation: text }), item }
  }
  const events = items.filter(({ type, json }) => type === 'event' && json.anonymous !== true)
  const calls = items.filter((item) => item.type === 'function' && !isView(item))
  return { events: events.map(entryOf), calls: calls.map(entryOf) }
}

/** ABIs of old compilers say `constant` instead. */
function isView({ json }: AbiItem): boolean {
  return json.stateMutability === 'view' || json.stateMutability === 'pure' || json.constant === true
}

/** Leaves out items that cannot be read. Services know contracts whose ABI no compiler of today would write. */
export async function readableItems(abi: readonly Record<string, unknown>[]): Promise<AbiItem[]> {
  const items = await Promise.all(abi.map((json) => readAbi([json], 'function')))
  return items.flatMap((read) => (read.ok ? read.items : []))
}

/** The facets of a diamond repeat each other's items. */
export function distinctItems(items: readonly AbiItem[]): AbiItem[] {
  const keyOf = (item: AbiItem) => `${item.type} ${item.signature} ${indexedCount(item)}`
  return [...Map.groupBy(items, keyOf).values()].flatMap(([first]) => first ?? [])
}

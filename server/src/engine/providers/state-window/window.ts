import { aggregate } from './aggregate.ts'

export type WindowDefinition = {
  keepLast: number
  aggregate?: readonly ('values' | 'avg' | 'min' | 'max' | 'sum')[]
  /** The hash of the entries' definition. A state with another shape is dropped. */
  shape: string
}
/** `key` is the dedupe value. `block` is the hash of the entry's block, so that a reorg can remove the entry. */
export type WindowEntry = { key: string; value: unknown; block?: string }
/** The oldest entry first. Old entries lose their value but keep their key, to detect duplicates. */
export type WindowState = { shape: string; entries: Partial<WindowEntry>[] }

export type WindowResult = {
  current: unknown
  previous: unknown
  values: unknown[]
  count: number
  duplicate: boolean
  full: boolean
  avg?: number | string | null
  min?: number | string | null
  max?: number | string | null
  sum?: number | string | null
}

/** Duplicates are detected within this many entries. */
const duplicatesWithinMax = 1000
/** Values kept beyond keepLast, so that a window stays full after a reorg removes entries: this many, and those of this many blocks. */
const spareValues = 64
const spareBlocks = 64

/** Adds an entry to a window. A duplicate changes nothing. */
export function pushWindow(
  state: WindowState | undefined,
  entry: WindowEntry,
  definition: WindowDefinition,
): { state: WindowState; result: WindowResult } {
  const before = state?.shape === definition.shape ? state.entries : []
  const duplicate = before.slice(-duplicatesWithinMax).some(({ key }) => key === entry.key)
  const entries = trim(duplicate ? before : [...before, entry], definition.keepLast)
  return { state: { shape: definition.shape, entries }, result: showWindow(entries, definition, duplicate) }
}

/** Removes the entries of a block that a reorg replaced. */
export function takeBack(state: WindowState, block: string): WindowState {
  return { ...state, entries: state.entries.filter((entry) => entry.block !== block) }
}

function trim(entries: Partial<WindowEntry>[], keepLast: number): Partial<WindowEntry>[] {
  const kept = entries.slice(-Math.max(duplicatesWithinMax, keepLast + spareValues))
  const withValue = Math.min(kept.length - spareValues, firstOfLastBlocks(kept)) - keepLast
  return kept.map((entry, index) => (index < withValue && 'value' in entry ? dropValue(entry) : entry))
}

/** Where the entries of the last blocks begin. Entries without a block are never taken back. */
function firstOfLastBlocks(entries: readonly Partial<WindowEntry>[]): number {
  const blocks = new Set<string>()
  const before = entries.findLastIndex(({ block }) => block !== undefined && blocks.add(block).size > spareBlocks)
  return blocks.size === 0 ? entries.length : before + 1
}

function dropValue({ key, block }: Partial<WindowEntry>): Partial<WindowEntry> {
  return block === undefined ? { key } : { key, block }
}

function showWindow(entries: Partial<WindowEntry>[], definition: WindowDefinition, duplicate: boolean): WindowResult {
  const { keepLast, aggregate: wanted = [] } = definition
  const values = entries
    .filter((entry) => 'value' in entry)
    .slice(-keepLast)
    .map(({ value }) => value)
  return {
    current: values.at(-1) ?? null,
    previous: values.at(-2) ?? null,
    values,
    count: values.length,
    duplicate,
    full: values.length === keepLast,
    ...aggregate(values, wanted),
  }
}

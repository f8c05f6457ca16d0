import { aggregate } from './aggregate.ts'

export type WindowDefinition = {
  keepLast: number
  aggregate?: readonly ('values' | 'avg' | 'min' | 'max' | 'sum')[]
  /** Says what the entries are; a state of another shape is not continued. */
  shape: string
}
/** `key` is the dedupe value; `block` the hash of the block that brought it, by which it can be taken back. */
export type WindowEntry = { key: string; value: unknown; block?: string }
/** Oldest first. Entries too old to be shown are kept without their value, to know a repeat. */
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

/** How many entries back a repeat is known. */
const seenMax = 1000
/** Values kept beyond keepLast, so that a window is whole again after a reorganised block is taken back. */
const spare = 64

/** One entry into one partition's window. The same entry again changes nothing. */
export function pushWindow(
  state: WindowState | undefined,
  entry: WindowEntry,
  definition: WindowDefinition,
): { state: WindowState; result: WindowResult } {
  const before = state?.shape === definition.shape ? state.entries : []
  const duplicate = before.slice(-seenMax).some(({ key }) => key === entry.key)
  const entries = trim(duplicate ? before : [...before, entry], definition.keepLast)
  return { state: { shape: definition.shape, entries }, result: showWindow(entries, definition, duplicate) }
}

/** Without the entries that a reorganised block had brought. */
export function takeBack(state: WindowState, block: string): WindowState {
  return { ...state, entries: state.entries.filter((entry) => entry.block !== block) }
}

function trim(entries: Partial<WindowEntry>[], keepLast: number): Partial<WindowEntry>[] {
  const kept = entries.slice(-Math.max(seenMax, keepLast + spare))
  const withValue = kept.length - keepLast - spare
  return kept.map((entry, index) => (index < withValue && 'value' in entry ? withoutValue(entry) : entry))
}

function withoutValue({ key, block }: Partial<WindowEntry>): Partial<WindowEntry> {
  return block === undefined ? { key } : { key, block }
}

function showWindow(entries: Partial<WindowEntry>[], definition: WindowDefinition, duplicate: boolean): WindowResult {
  const { keepLast, aggregate: asked = [] } = definition
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
    ...aggregate(values, asked),
  }
}

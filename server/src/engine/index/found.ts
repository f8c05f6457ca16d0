import type { Decoded, EntryList } from './entry-list.ts'
import type { Kind } from './holding.ts'

/** Entries that an item concerns, or may concern, and that decode it alike. */
export type Group<T extends Decoded> = { decoder: T['decoder']; proven: T[]; candidates: T[] }

/** What one search finds, each entry once. */
export type Found<T extends Decoded> = {
  groups: Group<T>[]
  byDecoder: Map<unknown, Group<T>> | undefined
  repeated: Set<T> | undefined
}

export function makeFound<T extends Decoded>(): Found<T> {
  return { groups: [], byDecoder: undefined, repeated: undefined }
}

/** The first so many of a list. */
export function giveFirst<T extends Decoded>(found: Found<T>, kind: Kind, list: EntryList<T>, count: number): void {
  if (list.decoders || kind.mayRepeat) giveEach(found, kind, list, count)
  else giveTogether(groupBy(found, list.decoder), kind.isProven ? 'proven' : 'candidates', list.entries, count)
}

function giveTogether<T extends Decoded>(
  group: Group<T>,
  as: 'proven' | 'candidates',
  entries: readonly T[],
  count: number,
): void {
  const first = entries.slice(0, count)
  if (group[as].length === 0) group[as] = first
  else for (const entry of first) group[as].push(entry)
}

function giveEach<T extends Decoded>(found: Found<T>, kind: Kind, list: EntryList<T>, count: number): void {
  const { entries, decoder, decoders } = list
  for (let at = 0; at < count; at++) {
    const entry = entries[at]
    if (entry !== undefined) give(found, kind, entry, decoders ? decoders[at] : decoder)
  }
}

export function give<T extends Decoded>(
  found: Found<T>,
  { isProven, mayRepeat }: Kind,
  entry: T,
  decoder: T['decoder'],
): void {
  if (mayRepeat) {
    found.repeated ??= new Set()
    if (found.repeated.has(entry)) return
    found.repeated.add(entry)
  }
  const group = groupBy(found, decoder)
  if (isProven) group.proven.push(entry)
  else group.candidates.push(entry)
}

/** Mostly there is one group alone. */
function groupBy<T extends Decoded>(found: Found<T>, decoder: T['decoder']): Group<T> {
  const first = found.groups[0]
  if (first && first.decoder === decoder) return first
  if (first) found.byDecoder ??= new Map([[first.decoder, first]])
  const known = found.byDecoder?.get(decoder)
  if (known) return known
  const group: Group<T> = { decoder, proven: [], candidates: [] }
  found.byDecoder?.set(decoder, group)
  found.groups.push(group)
  return group
}

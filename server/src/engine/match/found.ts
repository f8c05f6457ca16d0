import type { Decoded, Posting } from './posting.ts'

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

/** Entries may stand in several places, by more than one of which an item finds them: then `mayRepeat`. */
export type Giving = { isProven: boolean; mayRepeat: boolean }

/** The first so many of a posting, or of them only those in such rows. */
export function giveFirst<Raw, T extends Decoded>(
  found: Found<T>,
  giving: Giving,
  posting: Posting<Raw, T>,
  count: number,
  rows: readonly number[] | undefined,
): void {
  if (posting.decoders || giving.mayRepeat || rows) giveEach(found, giving, posting, count, rows)
  else giveTogether(groupBy(found, posting.decoder), giving.isProven ? 'proven' : 'candidates', posting.entries, count)
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

function giveEach<Raw, T extends Decoded>(
  found: Found<T>,
  giving: Giving,
  { entries, decoder, decoders }: Posting<Raw, T>,
  count: number,
  rows: readonly number[] | undefined,
): void {
  const length = rows ? rows.length : count
  for (let at = 0; at < length; at++) {
    const row = rows ? (rows[at] ?? 0) : at
    const entry = entries[row]
    if (entry !== undefined) give(found, giving, entry, decoders ? decoders[row] : decoder)
  }
}

export function give<T extends Decoded>(
  found: Found<T>,
  { isProven, mayRepeat }: Giving,
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

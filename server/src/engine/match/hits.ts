import type { Certainty, HasDecoder, PostingsList } from './postings-list.ts'

/** The hits that share a decoder. */
export type Group<T extends HasDecoder> = { decoder: T['decoder'] } & { [certainty in Certainty]: T[] }

/** The result of one lookup, each entry once. Most lookups have no hit, so nothing is made before the first one. */
export type Hits<T extends HasDecoder> = {
  groups: Group<T>[] | undefined
  byDecoder: Map<unknown, Group<T>> | undefined
  repeated: Set<T> | undefined
}

export function makeHits<T extends HasDecoder>(): Hits<T> {
  return { groups: undefined, byDecoder: undefined, repeated: undefined }
}

/** Returns the groups and empties the hits for the next lookup. */
export function takeGroups<T extends HasDecoder>(hits: Hits<T>): readonly Group<T>[] {
  const { groups } = hits
  if (!groups) return noGroups
  hits.groups = undefined
  hits.byDecoder = undefined
  hits.repeated = undefined
  return groups
}

const noGroups: readonly never[] = []

/** `mayRepeat` is true if the entry is stored under several keys and one item may hit more than one of them. */
export type HitKind = { certainty: Certainty; mayRepeat: boolean }

/** Adds the first `count` entries of a postings list, or only those in `rows`. */
export function addHits<Raw, T extends HasDecoder>(
  hits: Hits<T>,
  kind: HitKind,
  postings: PostingsList<Raw, T>,
  count: number,
  rows: readonly number[] | undefined,
): void {
  if (postings.decoders || kind.mayRepeat || rows) addEachHit(hits, kind, postings, count, rows)
  else addAllToGroup(groupBy(hits, postings.decoder), kind.certainty, postings.entries, count)
}

function addAllToGroup<T extends HasDecoder>(
  group: Group<T>,
  as: Certainty,
  entries: readonly T[],
  count: number,
): void {
  const first = entries.slice(0, count)
  if (group[as].length === 0) group[as] = first
  else for (const entry of first) group[as].push(entry)
}

function addEachHit<Raw, T extends HasDecoder>(
  hits: Hits<T>,
  kind: HitKind,
  { entries, decoder, decoders }: PostingsList<Raw, T>,
  count: number,
  rows: readonly number[] | undefined,
): void {
  const length = rows ? rows.length : count
  for (let at = 0; at < length; at++) {
    const row = rows ? (rows[at] ?? 0) : at
    const entry = entries[row]
    if (entry !== undefined) addHit(hits, kind, entry, decoders ? decoders[row] : decoder)
  }
}

export function addHit<T extends HasDecoder>(
  hits: Hits<T>,
  { certainty, mayRepeat }: HitKind,
  entry: T,
  decoder: T['decoder'],
): void {
  if (mayRepeat) {
    hits.repeated ??= new Set()
    if (hits.repeated.has(entry)) return
    hits.repeated.add(entry)
  }
  addToGroup(groupBy(hits, decoder), certainty, entry)
}

/** V8 makes room for 17 elements when it adds the first one to an empty list, and most lists get only one. */
function addToGroup<T extends HasDecoder>(group: Group<T>, as: Certainty, entry: T): void {
  if (group[as].length === 0) group[as] = [entry]
  else group[as].push(entry)
}

/** Most lookups have one group, so the map is made only for the second one. */
function groupBy<T extends HasDecoder>(hits: Hits<T>, decoder: T['decoder']): Group<T> {
  const first = hits.groups?.[0]
  if (first && first.decoder === decoder) return first
  if (first) hits.byDecoder ??= new Map([[first.decoder, first]])
  const known = hits.byDecoder?.get(decoder)
  if (known) return known
  const group: Group<T> = { decoder, proven: [], narrowed: [], candidates: [] }
  hits.byDecoder?.set(decoder, group)
  if (hits.groups) hits.groups.push(group)
  else hits.groups = [group]
  return group
}

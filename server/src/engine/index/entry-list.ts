/** What the index has to know of an entry in order to group it. */
export type Decoded = { decoder?: unknown }

/**
 * Entries, and beside them what they are decoded by: thousands may be found at once and lie all over the memory, so that
 * to look into each of them would take longer than to find them. Mostly all have the same decoder.
 */
export type EntryList<T extends Decoded> = { entries: T[]; decoder: T['decoder']; decoders: T['decoder'][] | undefined }

export function makeList<T extends Decoded>(): EntryList<T> {
  return { entries: [], decoder: undefined, decoders: undefined }
}

export function listOf<T extends Decoded>(entries: T[]): EntryList<T> {
  const decoder = entries[0]?.decoder
  const isOne = entries.every((entry) => entry.decoder === decoder)
  return { entries, decoder, decoders: isOne ? undefined : entries.map((entry) => entry.decoder) }
}

export function addAt<T extends Decoded>(list: EntryList<T>, at: number, entry: T): void {
  if (list.entries.length === 0) list.decoder = entry.decoder
  if (entry.decoder !== list.decoder) list.decoders ??= list.entries.map(() => list.decoder)
  list.entries.splice(at, 0, entry)
  list.decoders?.splice(at, 0, entry.decoder)
}

export function removeAt<T extends Decoded>({ entries, decoders }: EntryList<T>, at: number): void {
  entries.splice(at, 1)
  decoders?.splice(at, 1)
}

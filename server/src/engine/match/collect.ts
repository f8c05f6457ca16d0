import { countMet } from './bounds.ts'
import type { Drawer, Part } from './drawer.ts'
import type { BoundField, ValueField } from './field.ts'
import { fingerprintOfBoth } from './fingerprint.ts'
import { type Found, give, giveFirst } from './found.ts'
import { type Decoded, Posting } from './posting.ts'
import { rowsThatPass } from './row-tests.ts'

/** What one drawer has for an item: one lookup, however many entries there are. */
export function collectFrom<Raw, T extends Decoded>(
  drawer: Drawer<Raw, T>,
  part: Part,
  raw: Raw,
  found: Found<T>,
): void {
  const { field, table } = drawer
  if (!field) collectAt(drawer, table.find(part.print, part.text, '', 0), raw, found)
  else if (field.is === 'same') collectSame(drawer, field, part, raw, found)
  else collectMet(drawer, field, part, raw, found)
}

function collectSame<Raw, T extends Decoded>(
  drawer: Drawer<Raw, T>,
  field: ValueField<Raw>,
  part: Part,
  raw: Raw,
  found: Found<T>,
): void {
  const text = field.read(raw)
  if (text === undefined) return
  const print = fingerprintOfBoth(part.print, field.print)
  collectAt(drawer, drawer.table.find(print, part.text, text, field.keyFrom), raw, found)
}

function collectMet<Raw, T extends Decoded>(
  drawer: Drawer<Raw, T>,
  field: BoundField<Raw>,
  part: Part,
  raw: Raw,
  found: Found<T>,
): void {
  const { table } = drawer
  const seen = table.seek(part.print)
  const order = seen < 0 ? undefined : field.read(raw)
  if (order === undefined) return
  const reach = field.is === 'atLeast' ? order : -order
  collectAt(drawer, table.findFrom(seen, part.print, part.text, '', 0, reach), raw, found, field, order)
}

function collectAt<Raw, T extends Decoded>(
  drawer: Drawer<Raw, T>,
  at: number,
  raw: Raw,
  found: Found<T>,
  field?: BoundField<Raw>,
  order = 0,
): void {
  if (at === 0) return
  const held = drawer.table.held[at]
  if (!(held instanceof Posting)) {
    if (held !== undefined) give(found, drawer, held, held.decoder)
    return
  }
  for (let posting: Posting<Raw, T> | undefined = held; posting; posting = posting.next) {
    const count = field ? countMet(posting, field.is, order, () => field.readExact(raw)) : posting.entries.length
    if (count > 0) givePassing(drawer, posting, count, raw, found)
  }
}

function givePassing<Raw, T extends Decoded>(
  { mayRepeat }: Drawer<Raw, T>,
  posting: Posting<Raw, T>,
  count: number,
  raw: Raw,
  found: Found<T>,
): void {
  const { isProven, tests } = posting.layout
  const rows = tests.length === 0 ? undefined : rowsThatPass(posting, raw, count)
  if (rows?.length !== 0) giveFirst(found, { isProven, mayRepeat }, posting, count, rows)
}

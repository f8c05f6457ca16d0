import { type DefinitionDiff, weighs } from '@tocsin/contract'

/** A plan shows values up to this size, and changes up to that size in all. An answer has at most 8 MB. */
const [valueBytesMax, planBytesMax] = [64 * 1024, 4 * 1024 * 1024]
/** The path, the names of the fields and the marks around them. */
const entryBytes = 48

export type ShowDiff = (diff: DefinitionDiff[]) => DefinitionDiff[]

/** Shows the changes of one plan. What is too long is named and not shown. */
export function makeShownDiff(): ShowDiff {
  let left = planBytesMax
  return (diff) => {
    const shown: DefinitionDiff[] = []
    for (const [at, { path, from, to }] of diff.entries()) {
      const entry = { path, from: shownValue(from), to: shownValue(to) }
      left -= entryBytes + weighs(entry, planBytesMax)
      if (left < 0) return [...shown, { path: '', from: null, to: `${diff.length - at} more fields are not shown` }]
      shown.push(entry)
    }
    return shown
  }
}

function shownValue(value: unknown): unknown {
  return weighs(value, valueBytesMax) > valueBytesMax ? '(too long to be shown)' : value
}

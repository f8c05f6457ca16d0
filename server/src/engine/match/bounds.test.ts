import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareDecimals, readDecimal } from '../base/decimals.ts'
import { addBound, countMet, removeBound } from './bounds.ts'
import type { Bound, Direction } from './field.ts'
import { PostingsList } from './postings-list.ts'

const read = (text: string) => {
  const exact = readDecimal(text)
  if (!exact) throw new Error(`${text} is no decimal`)
  return exact
}
/** Some share a double; some do not fit into a double. */
const number = fc.constantFrom(
  ...['0', '-0.0', '0.1', '0.10', '0.1000000000000000000001', '1', '-1', '1e399', '2e399', '-1e399', '1e-390'],
  ...['9007199254740992', '9007199254740993', '9007199254740992.5', '-9007199254740993'],
)
type Entry = { bound: Bound; decoder?: unknown }
const bound = fc
  .tuple(number, fc.boolean())
  .map(([text, isStrict]): Entry => ({ bound: { order: Number(text), exact: read(text), isStrict } }))

function isMet(is: Direction, { exact, isStrict }: Bound, value: string): boolean {
  const sign = compareDecimals(read(value), exact) * (is === 'atLeast' ? 1 : -1)
  return sign > 0 || (sign === 0 && !isStrict)
}

test('a value meets the bounds of the first entries and of no others', () => {
  const batches = fc.array(fc.record({ added: fc.array(bound, { maxLength: 40 }), removed: fc.array(fc.nat()) }))
  const direction = fc.constantFrom<Direction>('atLeast', 'atMost')
  fc.assert(
    fc.property(direction, batches, fc.array(number, { minLength: 1 }), (is, batches, values) => {
      const bounds = new PostingsList<unknown, Entry>({ name: '', checks: [], certainty: 'proven' }, true, undefined)
      let expected: Entry[] = []
      for (const { added, removed } of batches) {
        for (const entry of added) addBound(bounds, { entry, wanted: [entry.bound] })
        expected.push(...added)
        const gone = expected.filter((_, at) => removed.some((each) => each % expected.length === at))
        for (const entry of gone) removeBound(bounds, is, entry)
        expected = expected.filter((entry) => !gone.includes(entry))
        for (const value of values) {
          const count = countMet(bounds, is, Number(value), () => read(value))
          const met = bounds.entries.slice(0, count)
          expect(new Set(met)).toEqual(new Set(expected.filter((entry) => isMet(is, entry.bound, value))))
          expect(bounds.entries).toHaveLength(expected.length)
        }
      }
    }),
    { numRuns: 300 },
  )
})

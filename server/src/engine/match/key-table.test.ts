import fc from 'fast-check'
import { expect, test } from 'vitest'
import { KeyTable } from './key-table.ts'

/** All keys share three fingerprints, so that some probe sequences end, some are full, and some keys overflow. */
const step = fc.record({
  isAdded: fc.boolean(),
  part: fc.constantFrom('', 'a', 'ab'),
  number: fc.nat(60),
})
const prints = [7, -1, 2 ** 30]

test('a table holds the same values as a Map when keys share fingerprints', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 100, maxLength: 300 }), (steps) => {
      const table = new KeyTable<string>()
      const plain = new Map<string, string>()
      for (const { isAdded, part, number } of steps) {
        const [fingerprint, text] = [prints[number % 3]!, `key ${number}`]
        const key = `${part} ${text}`
        const at = table.find(fingerprint, part, `0x${text} and more`, 2, 2 + text.length)
        expect(table.values[at]).toBe(plain.get(key))
        if (isAdded && at === 0) table.add(fingerprint, part, text, key)
        if (!isAdded && at !== 0) table.remove(at)
        if (isAdded) plain.set(key, key)
        else plain.delete(key)
        expect(table.size).toBe(plain.size)
      }
    }),
    { numRuns: 100 },
  )
})

test('all of a thousand keys with one fingerprint are found, and an absent key is not', () => {
  const table = new KeyTable<number>()
  for (let at = 1; at <= 1000; at++) table.add(5, 'part', String(at), at)
  for (let at = 1; at <= 1000; at++) expect(table.values[table.find(5, 'part', String(at))]).toBe(at)
  expect(table.find(5, 'part', '1001')).toBe(0)
  expect(table.find(5, 'other', '1')).toBe(0)
  for (let at = 1; at <= 1000; at++) table.remove(table.find(5, 'part', String(at)))
  expect([table.size, table.find(5, 'part', '7')]).toEqual([0, 0])
})

test('a number below the minimum finds nothing, and a reused position has a minimum of its own', () => {
  const table = new KeyTable<string>()
  const find = (number: number) => table.values[table.findFromSlot(table.findSlot(1), 1, 'p', '', 0, 0, number)]
  table.lowerMinimum(table.add(1, 'p', '', 'first'), 10)
  expect([find(9), find(10), find(11)]).toEqual([undefined, 'first', 'first'])
  table.lowerMinimum(table.find(1, 'p', ''), 4)
  expect([find(3), find(4)]).toEqual([undefined, 'first'])
  table.remove(table.find(1, 'p', ''))
  table.lowerMinimum(table.add(1, 'p', '', 'second'), 20)
  expect([find(19), find(20)]).toEqual([undefined, 'second'])
})

/** Keys come and go with minimums of 0 to 9. Up to 21 of them share a fingerprint. */
const boundStep = fc.record({ isAdded: fc.boolean(), number: fc.nat(60), minimum: fc.nat(9) })

test('the minimum of a key decides, also if keys share fingerprints, overflow, and the table grows', () => {
  fc.assert(
    fc.property(fc.array(boundStep, { minLength: 100, maxLength: 300 }), (steps) => {
      const table = new KeyTable<string>()
      const minimums = new Map<string, number>()
      let largest = 0
      const find = (fingerprint: number, part: string, number?: number) =>
        table.findFromSlot(table.findSlot(fingerprint), fingerprint, part, '', 0, 0, number)
      for (const { isAdded, number, minimum } of steps) {
        const [fingerprint, part] = [prints[number % 3]!, `part ${number}`]
        const at = find(fingerprint, part)
        const known = minimums.get(part)
        expect(table.values[at]).toBe(known === undefined ? undefined : part)
        if (isAdded) {
          table.lowerMinimum(at || table.add(fingerprint, part, '', part), minimum)
          minimums.set(part, Math.min(known ?? minimum, minimum))
        } else if (at !== 0) {
          table.remove(at)
          minimums.delete(part)
        }
        // A key in the overflow Map has no slot and so no minimum: its bounds decide. Before that, 16 keys fill their slots.
        largest = Math.max(largest, table.size)
        for (const [each, least] of minimums) {
          const print = prints[Number(each.slice(5)) % 3]!
          expect(table.values[find(print, each, least)]).toBe(each)
          if (largest <= 16) expect(find(print, each, least - 1)).toBe(0)
        }
      }
    }),
    { numRuns: 25 },
  )
})

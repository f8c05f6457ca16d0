import { expect, test } from 'vitest'
import { idlEntries } from './idl-entries.ts'

/** How often the items of an IDL are read while an import lists them all and makes the parts of some hundred. */
function readsOf(count: number, nameOf: (at: number) => string): number {
  let reads = 0
  const counted = (item: object) =>
    new Proxy(item, {
      get(target, name, receiver) {
        reads++
        return Reflect.get(target, name, receiver)
      },
    })
  const items = (names: (at: number) => string, more: object) =>
    Array.from({ length: count }, (_, at) => counted({ name: names(at), ...more }))
  const entries = idlEntries({
    events: items(nameOf, { fields: [] }),
    instructions: items((at) => `do_${at}`, { args: [], accounts: [] }),
    types: items((at) => `Type${at}`, { type: { kind: 'struct', fields: [] } }),
  })
  if (!entries.ok) throw new Error(entries.message)
  for (const { idl } of [...entries.events.slice(0, 100), ...entries.instructions.slice(0, 100)]) idl()
  return reads
}

test('listing an IDL and making parts of it costs by its size, not by its square', () => {
  const nameOf = (at: number) => `Event${at}`
  expect(readsOf(8_000, nameOf) / readsOf(2_000, nameOf)).toBeLessThan(5)
})

test('a part has what the program is called and where it is, and nothing else of a large IDL', () => {
  const entries = idlEntries({
    name: 'bank',
    version: '0.1.0',
    docs: ['x'.repeat(100_000)],
    constants: [{ name: 'C', value: 'x'.repeat(100_000) }],
    metadata: { address: 'Vote111111111111111111111111111111111111111', notes: 'x'.repeat(100_000) },
    events: [{ name: 'Paid', fields: [{ name: 'by', type: { defined: 'Who' } }] }],
    types: [
      { name: 'Who', type: { kind: 'struct', fields: [] } },
      { name: 'Other', type: { kind: 'struct', fields: [] } },
    ],
  })
  expect(entries.ok && entries.events[0]?.idl()).toEqual({
    name: 'bank',
    version: '0.1.0',
    metadata: { address: 'Vote111111111111111111111111111111111111111' },
    events: [{ name: 'Paid', fields: [{ name: 'by', type: { defined: 'Who' } }] }],
    instructions: [],
    accounts: [],
    types: [{ name: 'Who', type: { kind: 'struct', fields: [] } }],
    errors: [],
    constants: [],
  })
})

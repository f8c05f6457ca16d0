import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pack, unpack } from './packing.ts'

test('whatever a job carries comes out as it went in', () => {
  const bodies = fc.record({ triggerId: fc.string(), matches: fc.array(fc.jsonValue(), { maxLength: 50 }) })
  fc.assert(
    fc.property(bodies, (body) => {
      const travelled = JSON.parse(JSON.stringify(pack(body)))
      expect(unpack(travelled)).toEqual(JSON.parse(JSON.stringify(body)))
    }),
  )
})

test('much becomes one short text, little stays readable', () => {
  const matches = Array.from({ length: 100 }, (_, index) => ({ index, address: `0x${'ab'.repeat(20)}` }))
  expect(JSON.stringify(pack({ matches })).length).toBeLessThan(JSON.stringify({ matches }).length / 4)
  expect(pack({ resourceId: 'r' })).toEqual({ resourceId: 'r' })
})

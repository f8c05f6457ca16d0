import { expect, test } from 'vitest'
import { defs, sampleMetadata } from '../../../../../../tests/nodes/substrate-metadata.ts'
import { Cursor } from '../cursor.ts'
import { readRuntime } from '../runtime.ts'

const u32 = 2
const field = (type: number, name?: string) => ({ name, type, typeName: undefined, docs: [] })
const composite = (...value: ReturnType<typeof field>[]) => ({ tag: 'composite', value })

test('a struct with one named field stays a struct; with one unnamed field it becomes that field, and a compact one its integer', async () => {
  const [named, unnamed, nested, compact] = [0, 1, 2, 3].map((each) => defs.length + each)
  const types = [
    ...defs,
    composite(field(u32, 'value')),
    composite(field(u32)),
    composite(field(named ?? 0, 'inner')),
    { tag: 'compact', value: nested },
  ]
  const runtime = await readRuntime(sampleMetadata(14, types), {})
  const decode = (id: number | undefined, ...bytes: number[]) =>
    runtime.decoder(id ?? 0)(new Cursor(Uint8Array.from(bytes)))
  expect(decode(named, 5, 0, 0, 0)).toEqual({ value: 5 })
  expect(decode(unnamed, 5, 0, 0, 0)).toBe(5)
  expect(decode(nested, 5, 0, 0, 0)).toEqual({ inner: { value: 5 } })
  expect(decode(compact, 20)).toBe(5)
})

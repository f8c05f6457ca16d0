import { expect, test } from 'vitest'
import { findAuthor } from './find-author.ts'
import type { Rpc } from './rpc.ts'
import type { Runtime } from './runtime.ts'

/** A runtime whose session has three members of two bytes each, decoded as hex. */
const runtime = {
  pallets: [{ name: 'Session', storage: { items: [{ name: 'Validators', type: { tag: 'plain', value: 0 } }] } }],
  types: [{ def: { tag: 'sequence', value: 1 } }],
  decoder: () => (cursor: { hex(count: number): string }) => cursor.hex(2),
} as unknown as Runtime
const withoutSession = { ...runtime, pallets: [] }
const asking = (stored: string | null) => {
  const asked: unknown[] = []
  const rpc = { ask: async (_: string, params: unknown[]) => asked.push(params[1]) && stored } as unknown as Rpc
  return { rpc, asked }
}
const members = '0x0caaaabbbbcccc'
const item = (engine: string, data: string, kind = '06') =>
  `0x${kind}${Buffer.from(engine).toString('hex')}${(data.length * 2).toString(16).padStart(2, '0')}${data}`
const block = (...digest: string[]) => ({ number: 5, parentHash: '0x4', digest })

test.each([
  ['a primary claim of BABE', item('BABE', `0102000000${'00'.repeat(8)}`), '0xcccc'],
  ['a secondary claim of BABE', item('BABE', `0200000000${'00'.repeat(8)}`), '0xaaaa'],
  ['a slot of Aura', item('aura', '0700000000000000'), '0xbbbb'],
])('%s names the author', async (_, digest, author) => {
  const { rpc, asked } = asking(members)
  expect(await findAuthor(rpc, runtime, block(item('FRNK', '0102', '04'), digest))).toBe(author)
  expect(asked).toEqual(['0x4'])
})

test.each([
  ['another engine', item('nmbs', '00'.repeat(8))],
  ['an index beyond the members', item('BABE', '0109000000')],
  ['an unknown claim', item('BABE', '0901000000')],
  ['a slot of another size', item('aura', '0700')],
  ['data that ends too early', '0x0661757261400000'],
  ['nothing', '0x'],
])('%s names nobody', async (_, digest) => {
  expect(await findAuthor(asking(members).rpc, runtime, block(digest))).toBeUndefined()
})

test('a chain without sessions, an empty session and the first block have no author', async () => {
  const aura = item('aura', '0700000000000000')
  expect(await findAuthor(asking(members).rpc, withoutSession, block(aura))).toBeUndefined()
  expect(await findAuthor(asking('0x00').rpc, runtime, block(aura))).toBeUndefined()
  expect(await findAuthor(asking(null).rpc, runtime, block(aura))).toBeUndefined()
  expect(await findAuthor(asking(members).rpc, runtime, { ...block(aura), number: 0 })).toBeUndefined()
})

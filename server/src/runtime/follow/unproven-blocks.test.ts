import { expect, test } from 'vitest'
import type { ChainBlock } from '../../engine/sources/block.ts'
import { UnprovenBlocks } from './unproven-blocks.ts'

const block = (number: number, doubt?: string): ChainBlock => ({
  ...{ number, hash: `0x${number}`, parentHash: '0x', contents: undefined },
  ...(doubt !== undefined && { doubt }),
})

test('the first block that counts without a proof has its own line, those of the next ten minutes share one', () => {
  let now = 0
  const unproven = new UnprovenBlocks(() => now)
  expect(unproven.note([block(1)])).toBe(undefined)
  expect(unproven.message).toBe(undefined)
  expect(unproven.note([block(2, 'A bit is missing.'), block(3)])).toMatchObject({
    level: 'warn',
    message: 'Block 2 counts without a proof that it is complete. A bit is missing.',
    details: { block: 2, blocks: 1 },
  })
  for (const number of [4, 5]) expect(unproven.note([block(number, 'Again.')])).toBe(undefined)
  now = 600_000
  const line = unproven.note([block(6, 'Again.')])
  expect(line?.message).toMatch(/^3 blocks count without a proof .* The last one: Block 6 /)
})

test('the status names the last such block for an hour', () => {
  let now = 0
  const unproven = new UnprovenBlocks(() => now)
  unproven.note([block(2, 'A bit is missing.')])
  now = 3_599_999
  unproven.note([block(3)])
  expect(unproven.message).toMatch(/^Block 2 counts/)
  now = 3_600_000
  expect(unproven.message).toBe(undefined)
})

import { expect, test } from 'vitest'
import { LostEventLines } from './source-report.ts'

const lost = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ transaction: `t${index}`, reason: 'the chain cut its logs' }))

test('a block with transactions whose events may be missing gets one line that names five of them', () => {
  const lines = new LostEventLines(() => 0)
  expect(lines.lineOf(1, [])).toBeUndefined()
  expect(lines.lineOf(2, lost(1))).toMatchObject({
    level: 'warn',
    message: 'Block 2: events may be missing of t0, because the chain cut its logs.',
  })
  expect(lines.lineOf(3, lost(700))?.message).toContain('of t0, t1, t2, t3, t4 and 695 more, because')
})

test('ten blocks in ten minutes get a line, and a later line counts the others', () => {
  let now = 0
  const lines = new LostEventLines(() => now)
  const written = Array.from({ length: 1_000 }, (_, block) => lines.lineOf(block, lost(1))).filter(Boolean)
  expect(written).toHaveLength(10)
  now = 600_000
  expect(lines.lineOf(1_001, lost(1))?.message).toContain('990 blocks before it had such transactions too.')
})

import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { spawnScript } from '../harness/process.ts'

type Line = { name: string; characters: number; runs: number }

/** What strangers write is read in proportion to its length, or refused: runs of blocks of code are counted, not time. */
test('each parser of a foreign format runs four times as much code for four times the text, or less', async () => {
  const program = spawnScript('tests/harness/growth-program.ts', [], {})
  const [printed, errors] = await Promise.all([text(program.stdout), text(program.stderr)])
  expect(errors).toBe('')
  const lines = printed
    .trim()
    .split('\n')
    .map((line): Line => JSON.parse(line))
  const byName = [...Map.groupBy(lines, ({ name }) => name).values()]
  expect(byName.length).toBeGreaterThan(70)
  const bad = byName.flatMap(([small, large]) => {
    if (!small || !large) return ['a format has one size']
    // A long text may be read in another way than a short one, which costs more for each character but no more than this.
    const most = Math.max((5 * small.runs * large.characters) / (4 * small.characters), 100 * large.characters)
    return large.runs > most ? [`${large.name}: ${small.runs} and ${large.runs} runs`] : []
  })
  expect(bad).toEqual([])
})

import { setImmediate as round } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { nextRound, ownTurn } from './event-loop-turns.ts'

test('of those who ask for a turn of their own one goes in each round, in their order', async () => {
  const gone: number[] = []
  for (const one of [1, 2, 3]) void ownTurn().then(() => gone.push(one))
  expect(gone).toEqual([])
  for (const expected of [[1], [1, 2], [1, 2, 3]]) {
    await round()
    expect(gone).toEqual(expected)
  }
  await ownTurn()
})

test('who asks during a turn comes after those who waited', async () => {
  const gone: string[] = []
  const first = ownTurn().then(async () => {
    gone.push('first')
    await ownTurn()
    gone.push('first again')
  })
  const second = ownTurn().then(() => gone.push('second'))
  await Promise.all([first, second])
  expect(gone).toEqual(['first', 'second', 'first again'])
})

test('all who wait for the next round go on in it, and later ones in the one after', async () => {
  const gone: string[] = []
  const early = ['a', 'b'].map((one) => nextRound().then(() => gone.push(one)))
  await round()
  await Promise.all(early)
  expect(gone).toEqual(['a', 'b'])
  const late = nextRound().then(() => gone.push('c'))
  expect(gone).toEqual(['a', 'b'])
  await late
  expect(gone).toEqual(['a', 'b', 'c'])
})

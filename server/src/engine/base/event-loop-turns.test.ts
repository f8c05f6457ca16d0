import { setImmediate as round } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { nextTurn, waitForTurn } from './event-loop-turns.ts'

test('of those who ask for a turn of their own one goes in each round, in their order', async () => {
  const gone: number[] = []
  for (const one of [1, 2, 3]) void waitForTurn().then(() => gone.push(one))
  expect(gone).toEqual([])
  for (const expected of [[1], [1, 2], [1, 2, 3]]) {
    await round()
    expect(gone).toEqual(expected)
  }
  await waitForTurn()
})

test('who asks during a turn comes after those who waited', async () => {
  const gone: string[] = []
  const first = waitForTurn().then(async () => {
    gone.push('first')
    await waitForTurn()
    gone.push('first again')
  })
  const second = waitForTurn().then(() => gone.push('second'))
  await Promise.all([first, second])
  expect(gone).toEqual(['first', 'second', 'first again'])
})

test('all who wait for the next round go on in it, and later ones in the one after', async () => {
  const gone: string[] = []
  const early = ['a', 'b'].map((one) => nextTurn().then(() => gone.push(one)))
  await round()
  await Promise.all(early)
  expect(gone).toEqual(['a', 'b'])
  const late = nextTurn().then(() => gone.push('c'))
  expect(gone).toEqual(['a', 'b'])
  await late
  expect(gone).toEqual(['a', 'b', 'c'])
})

import { setImmediate as round } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { nextTurn, waitForTurn } from './event-loop-turns.ts'

test('one caller of waitForTurn continues in each event loop turn, in order', async () => {
  const gone: number[] = []
  for (const one of [1, 2, 3]) void waitForTurn().then(() => gone.push(one))
  expect(gone).toEqual([])
  for (const expected of [[1], [1, 2], [1, 2, 3]]) {
    await round()
    expect(gone).toEqual(expected)
  }
  await waitForTurn()
})

test('a caller during a turn comes after the callers that waited before', async () => {
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

test('all callers of nextTurn continue in the next turn, later callers in the turn after it', async () => {
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

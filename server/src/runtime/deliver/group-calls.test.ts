import { expect, test } from 'vitest'
import { groupCalls } from './group-calls.ts'

/** A store that answers only when the test says so. */
function makeStore(refuse: (query: number) => Error | undefined = () => undefined) {
  const groups: number[][] = []
  let answer = Promise.withResolvers<void>()
  const run = async (queries: readonly number[]) => {
    groups.push([...queries])
    await answer.promise
    for (const query of queries) {
      const error = refuse(query)
      if (error) throw error
    }
    return queries.map((query) => query * 10)
  }
  const next = () => {
    answer.resolve()
    answer = Promise.withResolvers()
  }
  return { groups, run, next, answerAll: () => answer.resolve() }
}

test('calls that come while a group runs form the next group, and each gets its own reply', async () => {
  const { groups, run, next, answerAll } = makeStore()
  const call = groupCalls(run, { sizeMax: 3 })
  const first = call(1)
  await expect.poll(() => groups).toEqual([[1]])
  const others = [2, 3, 4, 5].map(call)
  next()
  expect(await first).toBe(10)
  await expect.poll(() => groups).toEqual([[1], [2, 3, 4]])
  answerAll()
  expect(await Promise.all(others)).toEqual([20, 30, 40, 50])
  expect(groups).toEqual([[1], [2, 3, 4], [5]])
})

test('the size of a group is limited, and a query that is larger than the limit runs alone', async () => {
  const { groups, run, answerAll } = makeStore()
  answerAll()
  const call = groupCalls(run, { sizeMax: 10, sizeOf: (query) => query, paceMs: 5 })
  await Promise.all([4, 5, 30, 6, 4, 1].map(call))
  expect(groups).toEqual([[4, 5], [30], [6, 4], [1]])
})

test('a query that the store refuses does not fail the others of its group', async () => {
  const refused = Object.assign(new Error('invalid byte sequence'), { code: '22021' })
  const { run, answerAll } = makeStore((query) => (query === 2 ? refused : undefined))
  answerAll()
  const call = groupCalls(run, { sizeMax: 10 })
  const replies = await Promise.allSettled([1, 2, 3].map(call))
  expect(replies).toMatchObject([{ value: 10 }, { reason: refused }, { value: 30 }])
})

test('when the store is down the whole group fails, and is not tried query by query', async () => {
  const down = new Error('connection refused')
  const { groups, run, answerAll } = makeStore(() => down)
  answerAll()
  const call = groupCalls(run, { sizeMax: 10 })
  expect(await Promise.allSettled([1, 2].map(call))).toMatchObject([{ reason: down }, { reason: down }])
  expect(groups).toEqual([[1, 2]])
})

import { expect, test } from 'vitest'
import { makeAttempts } from './attempts.ts'
import { makeTestLimits } from './test-limits.ts'

const at = (ms: number) => new Date(1_700_000_000_000 + ms)
const done = async () => 'done'
const limits = { perMinute: 100, secondsPerMinute: 240, workspaceSecondsPerMinute: 2_400 }

test('an account has a limit per minute, the refusal says when to retry, and other accounts are not affected', async () => {
  const testLimits = makeTestLimits({ ...limits, perMinute: 2 })
  expect(await testLimits.run('a', at(0), done)).toBe('done')
  expect(await testLimits.run('a', at(10_000), done)).toBe('done')
  await expect(testLimits.run('a', at(20_000), done)).rejects.toMatchObject({
    code: 'rate_limited',
    message: expect.stringContaining('2 tests in a minute'),
    retryAfterSeconds: 40,
  })
  expect(await testLimits.run('b', at(20_000), done)).toBe('done')
  expect(await testLimits.run('a', at(60_000), done)).toBe('done')
})

test('the count of an account survives many other accounts', async () => {
  const testLimits = makeTestLimits({ ...limits, perMinute: 1 })
  for (let account = 0; account < 1_500; account++) await testLimits.run(`account ${account}`, at(0), done)
  for (const account of ['account 0', 'account 1499'])
    await expect(testLimits.run(account, at(1), done)).rejects.toMatchObject({ code: 'rate_limited' })
  expect(await testLimits.run('account 1499', at(60_000), done)).toBe('done')
})

test('four run at once, sixteen wait in order, and the next is refused', async () => {
  const testLimits = makeTestLimits({ ...limits, perMinute: 1_000 })
  const ends: (() => void)[] = []
  const begun: number[] = []
  const run = (number: number) =>
    testLimits.run('a', at(0), async () => {
      begun.push(number)
      await new Promise<void>((end) => ends.push(end))
    })
  const all = Array.from({ length: 20 }, (_, number) => run(number))
  await expect(run(20)).rejects.toMatchObject({ code: 'rate_limited' })
  expect(begun).toEqual([0, 1, 2, 3])
  for (let number = 0; number < 20; number++) {
    ends[number]?.()
    await all[number]
    await Promise.resolve()
  }
  expect(begun).toEqual(Array.from({ length: 20 }, (_, number) => number))
})

test('the total time of tests is limited too', async () => {
  let elapsedMs = 0
  const testLimits = makeTestLimits({ ...limits, perMinute: 100, secondsPerMinute: 10 }, () => elapsedMs)
  const slow = async () => {
    elapsedMs += 6_000
  }
  await testLimits.run('a', at(0), slow)
  await testLimits.run('a', at(6_000), slow)
  const message = expect.stringContaining('taken 10 s in a minute')
  await expect(testLimits.run('a', at(12_000), done)).rejects.toMatchObject({ code: 'rate_limited', message })
  expect(await testLimits.run('b', at(12_000), done)).toBe('done')
  expect(await testLimits.run('a', at(60_000), done)).toBe('done')
})

test('the total time of tests is limited per workspace too, whichever member runs them', async () => {
  let elapsedMs = 0
  const testLimits = makeTestLimits({ ...limits, workspaceSecondsPerMinute: 10 }, () => elapsedMs)
  const slow = async () => {
    elapsedMs += 6_000
  }
  await testLimits.run('a', at(0), slow, 'acme')
  await testLimits.run('b', at(6_000), slow, 'acme')
  const message = expect.stringContaining('The tests of this workspace have taken 10 s in a minute')
  const refused = { code: 'rate_limited', message, retryAfterSeconds: 48 }
  await expect(testLimits.run('c', at(12_000), done, 'acme')).rejects.toMatchObject(refused)
  expect(await testLimits.run('a', at(12_000), done, 'other')).toBe('done')
  expect(await testLimits.run('a', at(12_000), done)).toBe('done')
  expect(await testLimits.run('c', at(60_000), done, 'acme')).toBe('done')
})

test('an account is not locked out if the clock is set back by hours', async () => {
  const testLimits = makeTestLimits({ ...limits, perMinute: 1 })
  await testLimits.run('a', at(0), done)
  expect(await testLimits.run('a', at(-7_200_000), done)).toBe('done')
  await expect(testLimits.run('a', at(-7_199_000), done)).rejects.toMatchObject({ code: 'rate_limited' })

  const attempts = makeAttempts()
  const key = [{ name: 'ann', freeAttempts: 1 }]
  attempts.begin(key, at(0))
  expect(() => attempts.begin(key, at(100))).toThrow(/Too many attempts/)
  attempts.begin(key, at(-7_200_000))
  expect(() => attempts.begin(key, at(-7_199_900))).toThrow(/Too many attempts/)
})

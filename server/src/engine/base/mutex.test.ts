import { expect, test } from 'vitest'
import { Mutex } from './mutex.ts'

test('work waits for its turn in order, and an error lets the next one in', async () => {
  const mutex = new Mutex()
  const unlock = mutex.tryLock()
  const seen: string[] = []
  const first = mutex.run(async () => {
    seen.push('first')
    throw new Error('broken')
  })
  const second = mutex.run(async () => void seen.push('second'))
  expect(mutex.tryLock()).toBeUndefined()
  seen.push('holder')
  unlock?.()
  await expect(first).rejects.toThrow('broken')
  await second
  expect(seen).toEqual(['holder', 'first', 'second'])
  expect(mutex.tryLock()).toBeDefined()
})

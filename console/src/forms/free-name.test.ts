import { ApiError } from '@tocsin/sdk'
import { expect, test } from 'vitest'
import { createUnderFreeName, freeName } from './names.ts'

const refusal = (code: string) => new ApiError(409, { error: { code, message: code } })

test('a taken name gets the first free number', () => {
  const taken = ['timer', 'timer-2', 'field', 'field2']
  const isTaken = (name: string) => taken.includes(name)
  expect(freeName('timer', isTaken)).toBe('timer-3')
  expect(freeName('field', isTaken, '')).toBe('field3')
  expect(freeName('other', isTaken)).toBe('other')
})

test('a numbered name is never longer than 64 characters', () => {
  const long = 'a'.repeat(64)
  expect(freeName(long, (name) => name === long)).toBe(`${'a'.repeat(62)}-2`)
})

test('the next name is tried only after a refusal that means that the name is taken, at most twenty times', async () => {
  const tried: string[] = []
  const refuse = (code: string, times: number) => async (name: string) => {
    tried.push(name)
    if (tried.length <= times) throw refusal(code)
  }
  expect(await createUnderFreeName('ann', ['already_exists'], refuse('already_exists', 2))).toBe('ann-3')
  expect(tried.splice(0)).toEqual(['ann', 'ann-2', 'ann-3'])
  await expect(createUnderFreeName('ann', ['already_exists'], refuse('forbidden', 1))).rejects.toThrow('forbidden')
  expect(tried.splice(0)).toEqual(['ann'])
  await expect(createUnderFreeName('ann', ['already_exists'], refuse('already_exists', 99))).rejects.toThrow()
  expect(tried).toHaveLength(20)
})

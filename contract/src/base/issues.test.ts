import { expect, test } from 'vitest'
import * as z from 'zod'
import { issuesMax, issuesOf } from './issues.ts'

test('more issues than a function can have arguments are issues all the same', () => {
  const numbers = Array(150_000).fill(0)
  const lists = z.union([z.array(z.string()), z.array(z.boolean())]).safeParse(numbers)
  expect(issuesOf(lists.error as z.ZodError)).toEqual([{ path: '', message: expect.any(String) }])
  const list = z.array(z.union([z.string(), z.boolean()])).safeParse(numbers.slice(0, 1_000))
  expect(issuesOf(list.error as z.ZodError)).toHaveLength(issuesMax)
})

import { expect, test } from 'vitest'
import * as z from 'zod'
import { Policy } from '../triggers/policies/index.ts'
import { Finality } from '../triggers/trigger-parts.ts'
import { issuesOf } from './issues.ts'

const messageOf = (schema: z.ZodType, value: unknown) => {
  const parsed = schema.safeParse(value)
  return parsed.success ? undefined : issuesOf(parsed.error)[0]?.message
}
const kinds = z.discriminatedUnion('type', [z.object({ type: z.literal('a') }), z.object({ type: z.literal('b') })])

test.each([
  [z.object({ a: z.string() }), {}, 'is required'],
  [z.string(), 5, 'must be a string'],
  [z.number().int(), 1.5, 'must be a whole number'],
  [z.boolean(), 'yes', 'must be true or false'],
  [z.record(z.string(), z.unknown()), 'x', 'must be an object'],
  [z.array(z.string()), {}, 'must be a list'],
  [z.string().min(1), '', 'must not be empty'],
  [z.array(z.string()).min(1), [], 'must not be empty'],
  [z.array(z.string()).max(2), ['a', 'b', 'c'], 'must have at most 2 items'],
  [z.string().max(2), 'abc', 'must have at most 2 characters'],
  [z.number().min(1), 0, 'must be at least 1'],
  [z.coerce.number().max(500), '501', 'must be at most 500'],
  [z.coerce.number(), 'x', 'must be a number'],
  [z.enum(['before', 'after']), 'x', 'must be one of before, after'],
  [z.literal('sdk'), 'x', 'must be sdk'],
  [kinds, { type: 'c' }, 'must be one of a, b'],
  [kinds, {}, 'must be one of a, b'],
  [z.object({ a: z.union([z.string(), z.array(z.string())]) }), {}, 'is required'],
  [z.union([z.string(), z.array(z.string()).max(2)]), ['a', 'b', 'c'], 'must have at most 2 items'],
  [z.union([z.enum(['x']), z.object({})], { error: 'must be x or an object' }), 'y', 'must be x or an object'],
  [z.union([z.enum(['x']), z.object({})], { error: 'must be x or an object' }), 5, 'must be x or an object'],
  [
    Policy,
    { type: 'change', value: 'v', by: true },
    'must be a number above 0, a percentage such as "10%", or {amount}, {amount, decimals} or {amount, token}',
  ],
  [
    Policy,
    { type: 'threshold', value: 'v', above: [] },
    'must be a number, such as 10 or "0.5", or {amount}, {amount, decimals} or {amount, token}',
  ],
  [Finality, 'x', 'must be seen, safe, finalized or {confirmations: …}'],
  [z.string().refine((text) => text === 'x', 'has words of its own'), 'y', 'has words of its own'],
])('an issue says in plain words what is wrong (%#)', (schema, value, message) =>
  expect(messageOf(schema, value)).toBe(message),
)

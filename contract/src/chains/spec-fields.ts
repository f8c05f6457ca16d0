/** Fields of trigger specs that several chains have. */
import * as z from 'zod'
import type { SpecInput } from './chain.ts'

export const dataSource = z.string().min(1)
export const testInput = z.unknown().optional()
/** Which calls match by their result; true if absent. */
export const success = z.union([z.boolean(), z.literal('any')], { error: 'must be true, false or "any"' }).optional()
/** The distance of the blocks that a trigger matches: those whose number is divisible by it. The default is 1. */
export const every = z.number().int().min(1).max(100_000).optional()

export const outcomeInput: SpecInput = {
  ...{ as: 'choice', name: 'success', label: 'Outcome', default: true },
  options: [
    { value: true, label: 'Calls that succeeded' },
    { value: false, label: 'Calls that failed' },
    { value: 'any', label: 'All calls' },
  ],
}

export const everyInput: SpecInput = {
  ...{ as: 'number', name: 'every', label: 'Every', placeholder: '1', min: 1, max: 100_000 },
  description: 'Matches the blocks whose number is divisible by this number. Leave empty for every block.',
}

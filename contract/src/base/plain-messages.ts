import type * as z from 'zod'

/** Matches zod's own messages, as opposed to the messages that our schemas give. */
const builtIn = /^(?:Invalid (?:input|option)\b|Invalid discriminator\b|Too (?:small|big): )/

const kinds: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
}
const units: Record<string, string> = { string: ' characters', array: ' items' }

/** The issue as a phrase that continues its path, as in `meta.title: must not be empty`. */
export function plainMessage(issue: z.core.$ZodIssue): string {
  if (issue.message.endsWith('received undefined')) return 'is required'
  if (!builtIn.test(issue.message)) return issue.message
  if (issue.code === 'invalid_type') return `must be ${kinds[issue.expected] ?? issue.expected}`
  if (issue.code === 'invalid_value') return mustBeOneOf(issue.values)
  if (issue.code === 'invalid_union' && 'options' in issue && Array.isArray(issue.options))
    return mustBeOneOf(issue.options)
  if (issue.code === 'too_small') return tooSmall(issue)
  if (issue.code === 'too_big')
    return `must ${verbFor(issue.origin)} at most ${issue.maximum}${units[issue.origin] ?? ''}`
  return issue.message
}

function tooSmall({ origin, minimum }: z.core.$ZodIssueTooSmall): string {
  if (units[origin] !== undefined && minimum === 1) return 'must not be empty'
  return `must ${verbFor(origin)} at least ${minimum}${units[origin] ?? ''}`
}

function verbFor(origin: string): string {
  return units[origin] === undefined ? 'be' : 'have'
}

function mustBeOneOf(values: readonly unknown[]): string {
  const [only] = values
  return values.length === 1 ? `must be ${String(only)}` : `must be one of ${values.map(String).join(', ')}`
}

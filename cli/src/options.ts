import { issuesOf } from '@tocsin/contract'
import type * as z from 'zod'
import { Failure } from './failure.ts'

/** The options of a command as the query of a list, or a sentence that names each option that does not fit. */
export function requireQuery<S extends z.ZodType>(schema: S, options: object): z.output<S> {
  const checked = schema.safeParse(options)
  if (checked.success) return checked.data
  const problems = issuesOf(checked.error).map(({ path, message }) => `--${path} ${message}`)
  throw new Failure('invalid_option', `${problems.join('; ')}.`)
}

import { type Issue, issuesOf as issuesOfZod } from '@tocsin/contract'

type Schema = {
  safeParse(payload: unknown): { success: true } | { success: false; error: Parameters<typeof issuesOfZod>[0] }
}

/** Checks a payload by the contract's schema, as the service does. */
export function issuesIn(schema: Schema, payload: unknown): Issue[] {
  const result = schema.safeParse(payload)
  return result.success ? [] : issuesOfZod(result.error)
}

import type { Issue } from '@tocsin/contract'

/** Returns an issue if the condition is false. */
export function issueUnless(condition: boolean, path: string, message: string): Issue[] {
  return condition ? [] : [{ path, message }]
}

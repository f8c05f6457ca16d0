import type { Issue } from '@tocsin/contract'

/** An issue unless the value is right. */
export function issueUnless(isRight: boolean, path: string, message: string): Issue[] {
  return isRight ? [] : [{ path, message }]
}

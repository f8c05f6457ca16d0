import type * as z from 'zod'
import type { Issue } from './errors.ts'
import { plainMessage } from './plain-messages.ts'

/** A response lists at most this many issues. */
export const issuesMax = 100

/** Array indexes are path segments too, as in `providers.0.url`. An empty path means the whole payload. */
export function issuesOf(error: z.core.$ZodError): Issue[] {
  let issues: Issue[] = []
  for (const issue of error.issues) {
    // A large payload can have tens of thousands of issues.
    if (issues.length >= issuesMax) break
    issues = issues.concat(plainIssues(issue, []))
  }
  return issues.slice(0, issuesMax)
}

function plainIssues(issue: z.core.$ZodIssue, at: PropertyKey[]): Issue[] {
  const path = [...at, ...issue.path]
  if (issue.code === 'invalid_union' && issue.errors.length > 0) return nearestBranch(issue, path)
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ path: dotted([...path, key]), message: 'is not a known field' }))
  return [{ path: dotted(path), message: plainMessage(issue) }]
}

/**
 * Picks the branch of a union that the caller probably meant: one of the right kind, if the others take no lists, say; then the
 * one with the fewest issues, then the one whose issues are deepest.
 */
function nearestBranch(union: z.core.$ZodIssueInvalidUnion, at: PropertyKey[]): Issue[] {
  if (isMissing(union)) return [{ path: dotted(at), message: 'is required' }]
  const ofKind = union.errors.filter((issues) => !issues.some(isOfOtherKind))
  const branches = (ofKind.length > 0 ? ofKind : union.errors).map((issues) =>
    issues.flatMap((issue) => plainIssues(issue, at)),
  )
  branches.sort((a, b) => a.length - b.length || depthOf(b) - depthOf(a))
  const [nearest, next] = branches
  const isAmbiguous = nearest && next && nearest.length === next.length && depthOf(nearest) === depthOf(next)
  if (!nearest || isAmbiguous) return [{ path: dotted(at), message: union.message }]
  return nearest
}

/** The whole value is of another kind than the branch takes. */
function isOfOtherKind(issue: z.core.$ZodIssue): boolean {
  if (issue.path.length > 0) return false
  if (issue.code === 'invalid_union') return issue.errors.every((issues) => issues.some(isOfOtherKind))
  return issue.code === 'invalid_type' || issue.code === 'invalid_value'
}

function isMissing(issue: z.core.$ZodIssue): boolean {
  if (issue.code === 'invalid_union')
    return issue.errors.length > 0 && issue.errors.every((issues) => issues.some(isMissing))
  return issue.path.length === 0 && issue.message.endsWith('received undefined')
}

function depthOf(issues: Issue[]): number {
  return issues.reduce((deepest, { path }) => Math.max(deepest, path.split('.').length), 0)
}

function dotted(path: PropertyKey[]): string {
  return path.map(String).join('.')
}

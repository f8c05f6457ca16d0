import type { Issue } from '@tocsin/contract'
import type { Change } from './patch-paths.ts'

type Container = Record<string, unknown> | unknown[]
type Root = Record<string, unknown>
/** A change and the value that its path had before. */
export type AppliedChange = { change: Change; before: unknown }

/** Applies the changes to a copy. Paths use own properties only, so they cannot reach inherited ones. */
export function applyChanges(
  payload: Root,
  changes: Change[],
): { patched: Root; applied: AppliedChange[]; issues: Issue[] } {
  const patched = structuredClone(payload)
  const applied: AppliedChange[] = []
  const issues: Issue[] = []
  for (const change of changes) {
    const outcome =
      change.kind === 'set' ? setAt(patched, change.segments, change.value) : unsetAt(patched, change.segments)
    if ('message' in outcome) issues.push({ path: change.path, message: outcome.message })
    else applied.push({ change, before: outcome.before })
  }
  return { patched, applied, issues }
}

type Outcome = { before: unknown } | { message: string }

function setAt(root: Root, segments: string[], value: unknown): Outcome {
  let at: Container = root
  for (const [index, segment] of segments.entries()) {
    const message = whyNot(at, segment)
    if (message) return { message }
    const before = childOf(at, segment)
    const next = segments[index + 1]
    if (next === undefined) {
      put(at, segment, value)
      return { before }
    }
    const child: unknown = before ?? (next === '0' ? [] : {})
    if (!isContainer(child)) return { message: `"${segment}" is not an object or a list` }
    put(at, segment, child)
    at = child
  }
  return { message: 'is an empty path' }
}

/** Unsetting a missing value changes nothing. */
function unsetAt(root: Root, segments: string[]): Outcome {
  let at: Container = root
  for (const [index, segment] of segments.entries()) {
    if (Array.isArray(at) && indexOf(segment) === undefined) return { message: `"${segment}" is not an index` }
    const before = childOf(at, segment)
    if (before === undefined || (before === null && index + 1 < segments.length)) return { before: undefined }
    if (index + 1 === segments.length) {
      take(at, segment)
      return { before }
    }
    if (!isContainer(before)) return { message: `"${segment}" is not an object or a list` }
    at = before
  }
  return { message: 'is an empty path' }
}

function whyNot(at: Container, segment: string): string | undefined {
  if (!Array.isArray(at)) return undefined
  const index = indexOf(segment)
  if (index === undefined) return `"${segment}" is not an index`
  return index > at.length ? `index ${segment} is beyond the end of a list of ${at.length}` : undefined
}

function childOf(at: Container, segment: string): unknown {
  if (Array.isArray(at)) return at[indexOf(segment) ?? at.length]
  return Object.hasOwn(at, segment) ? at[segment] : undefined
}

function put(at: Container, segment: string, value: unknown): void {
  if (Array.isArray(at)) at[indexOf(segment) ?? at.length] = value
  else at[segment] = value
}

function take(at: Container, segment: string): void {
  if (Array.isArray(at)) at.splice(indexOf(segment) ?? at.length, 1)
  else delete at[segment]
}

function indexOf(segment: string): number | undefined {
  return /^(?:0|[1-9]\d{0,8})$/.test(segment) ? Number(segment) : undefined
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null
}

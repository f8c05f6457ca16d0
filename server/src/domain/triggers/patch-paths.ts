import type { Issue } from '@tocsin/contract'

export type Patch = { set?: Record<string, unknown> | undefined; unset?: string[] | undefined }
/** One change: the path as sent, its segments, and the value unless it unsets the path. */
export type Change = { path: string; segments: string[] } & ({ kind: 'set'; value: unknown } | { kind: 'unset' })
export type Refused = { code: 'invalid_payload' | 'immutable_field'; issues: Issue[] }

const immutable = ['id', 'name', 'fullname', 'project', 'workspace', 'createdAt', 'updatedAt']
const forbidden = ['__proto__', 'constructor', 'prototype']
const lengthMax = 512
const pathsMax = 200

/** The changes in an order in which every index keeps its meaning from before the patch; or why they are refused. */
export function readPatch(patch: Patch): Change[] | Refused {
  const changes = changesOf(patch)
  if (changes.length === 0) return refused({ path: '', message: 'one of set and unset is required' })
  if (changes.length > 2 * pathsMax) return refused({ path: '', message: `has more than ${2 * pathsMax} paths` })
  const fixed = changes.filter(({ segments: [field = ''] }) => immutable.includes(field))
  if (fixed.length > 0)
    return { code: 'immutable_field', issues: fixed.map(({ path }) => ({ path, message: 'cannot be changed' })) }
  const issues = changes.flatMap(malformed)
  if (issues.length > 0) return refused(...issues)
  const overlap = findOverlap(changes)
  return overlap ? refused(overlap) : inOrder(changes)
}

/** `\.` is a dot inside a segment and `\\` a backslash. Any other backslash is an ordinary character. */
export function segmentsOf(path: string): string[] {
  const segments = ['']
  for (const [token] of path.matchAll(/\\[.\\]|./gs)) {
    if (token === '.') segments.push('')
    else segments.push(segments.pop() + (token.length === 2 ? token.slice(1) : token))
  }
  return segments
}

function changesOf({ set = {}, unset = [] }: Patch): Change[] {
  const sets = Object.entries(set).map(
    ([path, value]): Change => ({ kind: 'set', path, segments: segmentsIn(path), value }),
  )
  const unsets = unset.map((path): Change => ({ kind: 'unset', path, segments: segmentsIn(path) }))
  return [...sets, ...unsets]
}

/** The two short names of a transform's fields are stored under their full names. */
function segmentsIn(path: string): string[] {
  const segments = segmentsOf(path.slice(0, lengthMax + 1))
  const [field, part] = segments
  if (field === 'transform' && (part === 'raw' || part === 'human')) segments[1] = `${part}Source`
  return segments
}

function malformed({ path, segments }: Change): Issue[] {
  const shownPath = path.slice(0, lengthMax)
  if (path.length > lengthMax) return [{ path: shownPath, message: `is a path of more than ${lengthMax} characters` }]
  if (segments.includes('')) return [{ path: shownPath, message: 'is a path with an empty segment' }]
  const name = segments.find((segment) => forbidden.includes(segment))
  return name === undefined ? [] : [{ path: shownPath, message: `"${name}" is not an allowed name` }]
}

/** After sorting, a path directly precedes the paths nested in it. */
function findOverlap(changes: Change[]): Issue | undefined {
  const sorted = changes.map((change) => ({ path: change.path, key: `${change.segments.join('\0')}\0` }))
  sorted.sort((a, b) => (a.key < b.key ? -1 : 1))
  for (const [index, next] of sorted.slice(1).entries()) {
    const before = sorted[index]
    if (before && next.key.startsWith(before.key))
      return { path: next.path, message: `overlaps with the path "${before.path}"` }
  }
  return undefined
}

/**
 * First sets, from the lowest index, so that several can append. Then unsets, from the highest index, so that none
 * shifts another.
 */
function inOrder(changes: Change[]): Change[] {
  const sets = changes.filter(({ kind }) => kind === 'set').sort(byPosition)
  const unsets = changes.filter(({ kind }) => kind === 'unset').sort((a, b) => byPosition(b, a))
  return [...sets, ...unsets]
}

function byPosition(a: Change, b: Change): number {
  for (const [index, left] of a.segments.entries()) {
    const right = b.segments[index]
    if (right === undefined) return 1
    if (left !== right) return left.length - right.length || (left < right ? -1 : 1)
  }
  return -1
}

function refused(...issues: Issue[]): Refused {
  return { code: 'invalid_payload', issues }
}

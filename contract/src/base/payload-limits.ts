import type { Issue } from './errors.ts'
import { issuesMax } from './issues.ts'

/** How much one payload may hold. The operator sets these limits, so the schemas do not contain them. */
export type PayloadLimits = Readonly<{
  /** The size of a stored trigger as JSON. */
  triggerBytes: number
  /** The size of each script. */
  scriptBytes: number
  providers: number
  bulkItems: number
  labels: number
  tags: number
}>

/** The limits if the operator sets none. */
export const defaultLimits: PayloadLimits = {
  triggerBytes: 256 * 1024,
  scriptBytes: 64 * 1024,
  providers: 20,
  bulkItems: 200,
  labels: 64,
  tags: 32,
}

/** A sentence for the API reference. */
export function atMost(limit: keyof PayloadLimits): string {
  const unit = limit.endsWith('Bytes') ? ' bytes' : ''
  return `At most ${defaultLimits[limit]}${unit}, unless the operator has set another limit`
}

type Tagged = { tags: readonly string[]; labels: Readonly<Record<string, string>> }
/** Parts of a finished or unfinished definition. Limits ignore a script that is not a string. */
type Part = Readonly<Record<string, unknown>>
type Scripted = { providers: readonly Part[]; activation: Part | null; transform: Part | null }

export function overTagging({ tags, labels }: Tagged, limits: PayloadLimits): Issue[] {
  return [
    ...overCount('tags', tags.length, limits.tags, 'items'),
    ...overCount('labels', Object.keys(labels).length, limits.labels, 'labels'),
  ]
}

export function overProviders({ providers }: { providers: readonly unknown[] }, limits: PayloadLimits): Issue[] {
  return overCount('providers', providers.length, limits.providers, 'items')
}

/** Every part of a well-formed definition or draft that exceeds a limit; `at` is the path of the definition. */
export function overTrigger(trigger: Tagged & Scripted, limits: PayloadLimits, at = ''): Issue[] {
  const bytes = utf8Bytes(JSON.stringify(trigger))
  const message = `is ${bytes} bytes; a trigger may have at most ${limits.triggerBytes}`
  const issues = [
    ...overTagging(trigger, limits),
    ...overProviders(trigger, limits),
    ...overScripts(trigger, limits),
    ...(bytes > limits.triggerBytes ? [{ path: '', message }] : []),
  ]
  return issues.slice(0, issuesMax).map((issue) => ({ ...issue, path: [at, issue.path].filter(Boolean).join('.') }))
}

export function overScripts({ activation, transform, providers }: Scripted, limits: PayloadLimits): Issue[] {
  return [
    ...overPieces('activation', activation, ['source'], limits),
    ...overPieces('transform', transform, ['source', 'rawSource', 'humanSource', 'raw', 'human'], limits),
    ...providers.flatMap((provider, index) => overProviderScript(`providers.${index}`, provider, limits)),
  ]
}

export function overProviderScript(path: string, provider: Part, limits: PayloadLimits): Issue[] {
  return overPieces(path, provider, provider.type === 'javascript' ? ['source', 'runIf'] : ['runIf'], limits)
}

export function overCount(path: string, count: number, max: number, unit: 'items' | 'labels'): Issue[] {
  return count > max ? [{ path, message: `must have at most ${max} ${unit}` }] : []
}

function overPieces(path: string, holder: Part | null, pieces: string[], { scriptBytes }: PayloadLimits): Issue[] {
  const long = pieces.filter((piece) => {
    const source = holder?.[piece]
    return typeof source === 'string' && utf8Bytes(source) > scriptBytes
  })
  return long.map((piece) => ({
    path: `${path}.${piece}`,
    message: `must be at most ${scriptBytes} bytes of JavaScript`,
  }))
}

function utf8Bytes(text: string): number {
  return new TextEncoder().encode(text).length
}

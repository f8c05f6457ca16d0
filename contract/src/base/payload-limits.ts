import type { Issue } from './errors.ts'
import { issuesMax } from './issues.ts'

/** How much one payload may hold. Each service has limits of its own; a schema knows none of them. */
export type PayloadLimits = Readonly<{
  /** A stored trigger, as JSON. */
  triggerBytes: number
  /** Each piece of JavaScript. */
  scriptBytes: number
  providers: number
  bulkItems: number
  labels: number
  tags: number
}>

/** What holds where the operator says nothing. */
export const defaultLimits: PayloadLimits = {
  triggerBytes: 256 * 1024,
  scriptBytes: 64 * 1024,
  providers: 20,
  bulkItems: 200,
  labels: 64,
  tags: 32,
}

/** For readers of the contract. */
export function atMost(limit: keyof PayloadLimits): string {
  const unit = limit.endsWith('Bytes') ? ' bytes' : ''
  return `At most ${defaultLimits[limit]}${unit}, unless the operator has set another limit`
}

type Tagged = { tags: readonly string[]; labels: Readonly<Record<string, string>> }
/** Parts of a definition, finished or not: a script that is not a string is not for limits to refuse. */
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

/** Everything in a well-formed definition, or the draft of one, that is over the limits; `at` is where it stands. */
export function overTrigger(trigger: Tagged & Scripted, limits: PayloadLimits, at = ''): Issue[] {
  const bytes = utf8Bytes(JSON.stringify(trigger))
  const message = `is ${bytes} bytes, more than the ${limits.triggerBytes} a trigger may have`
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
  return provider.type === 'javascript' ? overPieces(path, provider, ['source'], limits) : []
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

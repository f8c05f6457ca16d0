import { hash } from 'node:crypto'
import type { NewJob } from '../../store/jobs/jobs.ts'
import type { Fairness } from '../follow/fairness.ts'
import type { LiveTrigger } from '../listeners/index.ts'
import type { EvaluateJob, Match } from './job.ts'

/** One job carries so much: a slow trigger then holds up a chunk and not a block, and a crash repeats little. */
const itemsMost = { slow: 100, fast: 500 }
const listenersMost = 1_000

export type EvaluateQueue = 'evaluate' | 'evaluate-ordered'
export type QueuedJob = { queue: EvaluateQueue; job: NewJob & { data: EvaluateJob } }
/** What stands behind the matches: its parts name the jobs, so that the same twice is one. */
export type Cause = { parts: readonly (string | number)[]; order: number }

/**
 * A trigger's matches as jobs. One that remembers gets all of one cause in one job, and its jobs run in their order: ties
 * between jobs of one commit are decided by their ids, so these begin with the order of their causes.
 */
export function jobsOf(
  trigger: LiveTrigger,
  work: Omit<EvaluateJob, 'triggerId' | 'depth'>,
  cause: Cause,
  fairness?: Fairness,
): QueuedJob[] {
  const chunks = trigger.isOrdered ? [work.matches] : chunksOf(work.matches, itemsMostOf(trigger))
  const priority = fairness?.take(trigger.workspaceId, chunks.length) ?? 0
  return chunks.map((matches, at) => {
    const data: EvaluateJob = { ...work, triggerId: trigger.id, matches, depth: 0 }
    const digest = digestOf([...cause.parts, trigger.id, at])
    const group = trigger.id
    if (!trigger.isOrdered) return { queue: 'evaluate', job: { id: uuidOf(digest), data, group, priority } }
    const id = uuidOf(orderHex(cause.order) + digest)
    return { queue: 'evaluate-ordered', job: { id, data, key: trigger.id, group, priority } }
  })
}

/** Without scripts and providers nothing on the way can take long. */
function itemsMostOf({ runnable: { providers, activation, transform } }: LiveTrigger): number {
  return providers.length === 0 && activation === null && transform === null ? itemsMost.fast : itemsMost.slow
}

/** A match with very many listeners is cut, too. Whoever listens to the outputs gets them from the first piece. */
function chunksOf(matches: readonly Match[], itemsMost: number): Match[][] {
  const chunks: Match[][] = []
  let chunk: Match[] = []
  let listeners = 0
  for (const match of matches.flatMap(cutMatch)) {
    const isFull = chunk.length >= itemsMost || listeners + match.listeners.length > listenersMost
    if (isFull && chunk.length > 0) {
      chunks.push(chunk)
      chunk = []
      listeners = 0
    }
    chunk.push(match)
    listeners += match.listeners.length
  }
  return chunk.length > 0 ? [...chunks, chunk] : chunks
}

function cutMatch(match: Match): Match[] {
  if (match.listeners.length <= listenersMost) return [match]
  const cuts = Math.ceil(match.listeners.length / listenersMost)
  return Array.from({ length: cuts }, (_, at) => ({
    ...match,
    ...(at > 0 && { isRetryFor: 'listeners' as const }),
    listeners: match.listeners.slice(at * listenersMost, (at + 1) * listenersMost),
  }))
}

function orderHex(order: number): string {
  return Math.max(0, Math.floor(order)).toString(16).padStart(12, '0').slice(-12)
}

function digestOf(parts: readonly (string | number)[]): string {
  return hash('sha256', JSON.stringify(parts))
}

function uuidOf(hex: string): string {
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-')
}

import { isStatePolicy } from '@tocsin/contract'
import type { Store } from '../../store/index.ts'
import type { NewJob } from '../../store/jobs/jobs.ts'
import type { LiveTrigger } from '../listeners/live-trigger.ts'
import { jobId, orderedJobId } from './ids.ts'
import type { EvaluateJob, Match } from './job.ts'

/** The size of one job. A slow trigger then delays one job and not a whole block, and a crash repeats little work. */
const matchesMax = { slow: 100, fast: 500 }
const listenersMax = 1_000

export type EvaluateQueue = 'evaluate' | 'evaluate-ordered'
export type QueuedJob = { queue: EvaluateQueue; job: NewJob & { id: string; data: EvaluateJob } }
/** What caused the matches. Its parts make the ids of the jobs, so the same cause twice makes the same jobs. */
export type Cause = { parts: readonly (string | number)[]; order: number }

/**
 * Splits a trigger's matches into jobs. A trigger with a state window gets all matches of one cause in one job, and its
 * jobs run in order. So do the listeners of other triggers whose policy has states, apart from those that need no order. PostgreSQL breaks ties between jobs of one commit by id, so these ids begin with the order of the cause.
 */
export function jobsOf(
  trigger: LiveTrigger,
  work: Omit<EvaluateJob, 'triggerId'>,
  cause: Cause,
  fairness?: Fairness,
): QueuedJob[] {
  if (work.matches.length === 0) return []
  const { ordered, unordered } = splitByOrder(trigger, work.matches)
  const chunks = splitMatches(unordered, matchesMaxOf(trigger))
  const priority = fairness?.take(trigger.workspaceId, chunks.length + Math.min(ordered.length, 1)) ?? 0
  const group = trigger.id
  const jobs = chunks.map((matches, at): QueuedJob => {
    const data: EvaluateJob = { ...work, triggerId: trigger.id, matches }
    return { queue: 'evaluate', job: { id: jobId(...cause.parts, trigger.id, at), data, group, priority } }
  })
  if (ordered.length === 0) return jobs
  const id = orderedJobId(cause.order, ...cause.parts, trigger.id, 0)
  const data: EvaluateJob = { ...work, triggerId: trigger.id, matches: ordered }
  return [...jobs, { queue: 'evaluate-ordered', job: { id, data, key: trigger.id, group, priority } }]
}

/** Triggers that listen to the outputs get them from the part without order. */
function splitByOrder(trigger: LiveTrigger, matches: readonly Match[]): { ordered: Match[]; unordered: Match[] } {
  if (trigger.isOrdered) return { ordered: [...matches], unordered: [] }
  const needsOrder = (key: string) => isStatePolicy(trigger.listeners.get(key)?.policy ?? null)
  const ordered: Match[] = []
  const unordered: Match[] = []
  for (const match of matches) {
    const listeners = match.listeners.filter(needsOrder)
    if (listeners.length === 0) {
      unordered.push(match)
      continue
    }
    ordered.push({ ...match, listeners, isRetryFor: 'listeners' })
    const others = match.listeners.filter((key) => !needsOrder(key))
    if (others.length > 0 || trigger.hasDependents) unordered.push({ ...match, listeners: others })
  }
  return { ordered, unordered }
}

/** The jobs of a trigger that runs fast may hold more matches. */
function matchesMaxOf(trigger: LiveTrigger): number {
  return isFast(trigger) ? matchesMax.fast : matchesMax.slow
}

/** A trigger without scripts and providers runs fast. */
export function isFast({ runnable: { providers, activation, transform } }: LiveTrigger): boolean {
  return providers.length === 0 && activation === null && transform === null
}

/** A match with very many listeners is split too. Triggers that listen to its outputs get them from the first piece. */
export function splitMatches(matches: readonly Match[], matchesMax: number): Match[][] {
  const chunks: Match[][] = []
  let chunk: Match[] = []
  let listeners = 0
  for (const match of matches.flatMap(splitListeners)) {
    const isFull = chunk.length >= matchesMax || listeners + match.listeners.length > listenersMax
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

function splitListeners(match: Match): Match[] {
  if (match.listeners.length <= listenersMax) return [match]
  const pieces = Math.ceil(match.listeners.length / listenersMax)
  return Array.from({ length: pieces }, (_, at) => ({
    ...match,
    ...(at > 0 && { isRetryFor: 'listeners' as const }),
    listeners: match.listeners.slice(at * listenersMax, (at + 1) * listenersMax),
  }))
}

/**
 * Adds the jobs of several causes in the caller's transaction. The ordered queue accepts a key only once in a call, and
 * each cause has one ordered job for each trigger, so ordered jobs are added cause by cause.
 */
export async function addJobs(store: Store, ofCauses: readonly (readonly QueuedJob[])[]): Promise<void> {
  const jobsIn = (queued: readonly QueuedJob[], queue: EvaluateQueue) =>
    queued.filter((each) => each.queue === queue).map(({ job }) => job)
  await store.jobs.add('evaluate', jobsIn(ofCauses.flat(), 'evaluate'))
  for (const queued of ofCauses) await store.jobs.add('evaluate-ordered', jobsIn(queued, 'evaluate-ordered'))
}

/** Gives workspaces that cause much work a lower priority. */
export type Fairness = {
  /** Counts a workspace's next chunks and returns their priority. */
  take(workspaceId: string, chunks: number): number
}

const windowMs = 60_000

/** The priority is -log2 of the chunks of the last minute: 0 for the first, -1 after one, about -10 after a thousand. */
export function makeFairness(now: () => number): Fairness {
  let [current, before] = [new Map<string, number>(), new Map<string, number>()]
  let startedAt = now()
  const startWindow = () => {
    const passed = now() - startedAt
    if (passed < windowMs) return
    before = passed < 2 * windowMs ? current : new Map()
    current = new Map()
    startedAt = now()
  }
  return {
    take(workspaceId, chunks) {
      startWindow()
      const share = 1 - Math.min(1, (now() - startedAt) / windowMs)
      const recent = (current.get(workspaceId) ?? 0) + (before.get(workspaceId) ?? 0) * share
      current.set(workspaceId, (current.get(workspaceId) ?? 0) + chunks)
      return -Math.floor(Math.log2(1 + recent)) || 0
    },
  }
}

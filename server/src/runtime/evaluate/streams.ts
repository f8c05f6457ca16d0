import { isObject } from '../../engine/base/is-object.ts'
import type { SourceItem } from '../../engine/base/source-item.ts'
import { storable } from '../../store/core/storable.ts'
import type { NewJob } from '../../store/jobs/jobs.ts'
import type { RuntimeWorld } from '../deps.ts'
import { jobId, orderedJobId } from '../jobs/ids.ts'
import type { EvaluateJob, Match } from '../jobs/job.ts'
import { chunksOf } from '../jobs/stream-chunks.ts'
import type { LiveTrigger } from '../listeners/listener.ts'

/** An output that is an item to the triggers that listen to the one that made it. */
export type StreamOutput = { match: Match; raw: unknown; index: number }

/** A ring of triggers ends after so many. */
export const depthMax = 8

type Queued = { queue: 'evaluate' | 'evaluate-ordered'; job: NewJob }
type World = Pick<RuntimeWorld, 'listeners'>

/** Work for each trigger that listens: the outputs in their order, under the block that they came from. */
export function streamJobs(
  world: World,
  job: EvaluateJob,
  trigger: LiveTrigger,
  outputs: readonly StreamOutput[],
): Queued[] {
  return world.listeners.listenersOfStream(trigger.fullname).flatMap((dependent): Queued[] => {
    const matches = outputs.flatMap((output) => matchOf(world, trigger, dependent, output))
    if (dependent.isOrdered) return matches.length > 0 ? [orderedJob(job, dependent, matches)] : []
    return chunksOf(matches).map((chunk, at) => {
      const id = jobId('stream', dependent.id, chunk[0]?.key ?? '', at, job.attempt ?? 0)
      return { queue: 'evaluate', job: { id, data: heard(job, dependent, chunk), group: dependent.id } }
    })
  })
}

/** What remembers takes all of one cause at once. */
function orderedJob(job: EvaluateJob, dependent: LiveTrigger, matches: Match[]): Queued {
  const id = orderedJobId(job.nowMs, 'stream', dependent.id, matches[0]?.key ?? '', job.attempt ?? 0)
  const data = heard(job, dependent, matches)
  return { queue: 'evaluate-ordered', job: { id, data, key: dependent.id, group: dependent.id } }
}

function heard(job: EvaluateJob, { id }: LiveTrigger, matches: Match[]): EvaluateJob {
  return { ...job, triggerId: id, matches, depth: job.depth + 1, attempt: 0 }
}

/** Nothing where the item has not the values that the backend asks for, or concerns nobody. */
function matchOf(
  world: World,
  trigger: LiveTrigger,
  dependent: LiveTrigger,
  { match, raw, index }: StreamOutput,
): Match[] {
  const item = itemOf(raw)
  if (!world.listeners.acceptsItem(dependent, item)) return []
  const listeners = world.listeners.concernedBy(dependent, item)
  if (listeners.length === 0 && world.listeners.listenersOfStream(dependent.fullname).length === 0) return []
  return [{ key: `${match.key}>${trigger.id}:${index}`, item, listeners }]
}

function itemOf(raw: unknown): SourceItem {
  const value = storable(raw)
  return isObject(value) ? value : { value }
}

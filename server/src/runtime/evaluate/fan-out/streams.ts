import { isObject } from '../../../engine/base/is-object.ts'
import type { SourceItem } from '../../../engine/base/source-item.ts'
import { storable } from '../../../store/core/storable.ts'
import type { RuntimeDeps } from '../../deps.ts'
import { type EvaluateJob, jobsOf, type Match, type QueuedJob } from '../../jobs/index.ts'
import type { LiveTrigger } from '../../listeners/live-trigger.ts'

/** An output of a trigger that becomes an item of the triggers that listen to it. */
export type StreamOutput = { match: Match; raw: unknown; index: number }

/** A loop of triggers ends after this many triggers. */
export const depthMax = 8

type Deps = Pick<RuntimeDeps, 'listeners'>

/** Makes jobs for each trigger that listens: the outputs in their order, with the block that they came from. */
export function streamJobs(
  deps: Deps,
  job: EvaluateJob,
  trigger: LiveTrigger,
  outputs: readonly StreamOutput[],
): QueuedJob[] {
  return deps.listeners.listenersOfStream(trigger.fullname).flatMap((dependent) => {
    const matches = outputs.flatMap((output) => matchOf(deps, trigger, dependent, output))
    const cause = { parts: ['stream', matches[0]?.key ?? '', job.attempt ?? 0], order: job.nowMs }
    return jobsOf(dependent, { ...job, matches, depth: job.depth + 1, attempt: 0 }, cause)
  })
}

/** No match if the item lacks the values that the backend requires, or has no listeners. */
function matchOf(
  deps: Deps,
  trigger: LiveTrigger,
  dependent: LiveTrigger,
  { match, raw, index }: StreamOutput,
): Match[] {
  const item = itemOf(raw)
  if (!deps.listeners.acceptsItem(dependent, item)) return []
  const listeners = deps.listeners.listenersFor(dependent, item)
  if (listeners.length === 0 && deps.listeners.listenersOfStream(dependent.fullname).length === 0) return []
  return [{ key: `${match.key}>${trigger.id}:${index}`, item, listeners }]
}

function itemOf(raw: unknown): SourceItem {
  const value = storable(raw)
  return isObject(value) ? value : { value }
}

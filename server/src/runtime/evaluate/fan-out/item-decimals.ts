import type { ItemDecimals } from '../../../engine/conditions/index.ts'
import { readItemDecimals } from '../../../engine/fan-out/index.ts'
import { UpstreamError } from '../../../engine/outbound/upstream-error.ts'
import type { OpenedRun, Run } from '../../../engine/run-trigger/index.ts'
import type { Match } from '../../jobs/index.ts'
import type { EvaluateJob } from '../../jobs/job.ts'
import type { Listener, LiveTrigger } from '../../listeners/live-trigger.ts'

type Chunk = { trigger: LiveTrigger; job: EvaluateJob; opened: OpenedRun }
type Planned = { match: Match; listeners: readonly Listener[] }

/**
 * Reads the decimals that the conditions of listeners need. A run whose token could not be read fails for a transient reason,
 * so that it is repeated: its conditions may hold.
 */
export async function withItemDecimals(
  { trigger, job, opened }: Chunk,
  planned: readonly Planned[],
  runs: readonly Run[],
): Promise<{ runs: Run[]; decimals: ItemDecimals[] }> {
  const source = job.source ?? trigger.dataSource
  const read = async (run: Run, at: number): Promise<{ run: Run; decimals: ItemDecimals }> => {
    const plan = planned[at]
    if (run.kind !== 'output' || !plan || source === null) return { run, decimals: source === null ? null : undefined }
    const { match, listeners } = plan
    try {
      const connection = () => opened.connection(source)
      return { run, decimals: await readItemDecimals(trigger, match.item, listeners, connection) }
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      const message = `the decimals of the token could not be read: ${error.message}`
      const issues = [...run.issues, { path: 'conditions', message }]
      return { run: { ...run, kind: 'failed', isTransient: true, isOverload: false, issues }, decimals: undefined }
    }
  }
  const done: { run: Run; decimals: ItemDecimals }[] = []
  for (const [at, run] of runs.entries()) done.push(await read(run, at))
  return { runs: done.map(({ run }) => run), decimals: done.map(({ decimals }) => decimals) }
}

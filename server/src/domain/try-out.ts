import type { Issue, SourceKind, TriggerSpec } from '@tocsin/contract'
import type { SourceItem } from '../engine/base/source-item.ts'
import { UpstreamError } from '../engine/outbound/upstream-error.ts'
import { copyWindows, type OpenSecrets, openSecretsOnce } from '../engine/providers/index.ts'
import {
  type OpenedRun,
  openRun,
  type Run,
  type RunInput,
  type RunnableTrigger,
  runTrigger,
} from '../engine/run-trigger/index.ts'
import type { Connection } from '../engine/sources/connection.ts'
import { blockRefOf, momentOf } from '../engine/sources/item-time.ts'
import type { Store } from '../store/index.ts'
import { hasLevel, requireReadableProject } from './access.ts'
import { type Behalf, findSource } from './find-source.ts'
import type { Account, Context } from './handler.ts'

type Asking = Pick<Context<'testTrigger'>, 'store' | 'settings' | 'engine' | 'now'> & { account: Account }

/** One definition being tried out: ways to its sources, held until the trial ends. Windows are a copy, nothing is kept. */
export type Trial = {
  now: Date
  /** The trigger's own source, or a named one. Throws an UpstreamError that says why there is none. */
  connection(source?: string): Promise<Connection>
  kindOf(source?: string): Promise<SourceKind>
  run(trigger: RunnableTrigger, sample: Sample): Promise<Run>
  /** Several in one batch, in their order. */
  runAll(trigger: RunnableTrigger, samples: readonly Sample[]): Promise<Run[]>
  /** Of the project on whose behalf it runs, where the caller may use them. */
  secrets: OpenSecrets | undefined
}
export type Sample = Pick<RunInput, 'inputs' | 'providersData'> & { item: SourceItem }

/**
 * `secretsOf` is the id of the project whose secrets may be used: the caller is its developer, or it is its saved trigger.
 * `charged` is the workspace whose test time is used. The caller is a member of it: strangers who test a public trigger
 * must not use up the time of its workspace.
 */
export type TrialBehalf = Behalf & {
  savedTriggerId?: string
  secretsOf?: string | undefined
  charged?: string | undefined
}

export async function tryOut<T>(
  asking: Asking,
  spec: TriggerSpec | null,
  work: (trial: Trial) => Promise<T>,
  behalf: TrialBehalf = {},
): Promise<T> {
  const opened = openTrial(asking, spec && 'dataSource' in spec ? spec.dataSource : null, behalf)
  const { context, connection, addressOf } = opened
  const inputOf = (sample: Sample) => runInput(sample, asking.now)
  const runAll: Trial['runAll'] = (trigger, samples) => runTrigger(trigger, samples.map(inputOf), context)
  const run: Trial['run'] = async (trigger, sample) => {
    const [done] = await runAll(trigger, [sample])
    if (!done) throw new Error('A run has no outcome')
    return done
  }
  const kindOf: Trial['kindOf'] = async (source) => (await addressOf(source)).kind
  try {
    return await work({ now: asking.now, connection, kindOf, run, runAll, secrets: context.providers.secrets })
  } finally {
    opened.close()
  }
}

/** A saved trigger has its state windows; what the trial adds to them is seen by the trial alone. */
function openTrial(asking: Asking, ownSource: string | null, behalf: TrialBehalf): OpenedRun {
  const { engine, store } = asking
  const { savedTriggerId, secretsOf } = behalf
  return openRun({
    engine,
    ownSource,
    resolve: (source) => findSource(asking, source, behalf),
    trigger: savedTriggerId ?? 'trial',
    windows: copyWindows(savedTriggerId === undefined ? undefined : { load: (key) => store.stateWindows.find(key) }),
    memo: new Map(),
    secrets: secretsOf === undefined ? undefined : openSecretsOnce(() => store.projectSecrets.open(secretsOf)),
  })
}

/** What a trial that names a project runs on behalf of. The project must be readable; its secrets are its developers'. */
export async function behalfOf(store: Store, account: Account, project: string | undefined): Promise<TrialBehalf> {
  if (project === undefined) return {}
  const { id, workspace, level } = await requireReadableProject(store, account, project)
  return { workspace, ...(hasLevel(level, 'developer') && { secretsOf: id }), ...(level && { charged: workspace }) }
}

function runInput({ item, ...rest }: Sample, now: Date): RunInput {
  return { ...rest, source: item, nowMs: momentOf(item) ?? now.getTime(), at: blockRefOf(item) }
}

/** What a node or a source refused is an issue of the trial, never a failure of ours. */
export function issueOf(error: unknown): Issue {
  if (error instanceof UpstreamError) return { path: 'triggerSpec.dataSource', message: error.message }
  throw error
}

import type { Issue, SourceKind, TriggerSpec } from '@tocsin/contract'
import type { SourceItem } from '../engine/base/source-item.ts'
import type { Engine } from '../engine/engine.ts'
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
import type { SourceAddress } from '../engine/sources/connections.ts'
import { blockRefOf, itemTimeMs } from '../engine/sources/item-time.ts'
import type { Store } from '../store/index.ts'
import { hasLevel, requireReadableProject } from './access.ts'
import { findSource, type SourceScope } from './find-source.ts'
import type { Account, Context } from './handler.ts'

type Asking = Pick<Context<'testTrigger'>, 'store' | 'settings' | 'engine' | 'now'> & { account: Account }

/**
 * One try-out of a definition. It keeps its connections until it ends, works on a copy of the state windows and stores
 * nothing.
 */
export type TryOut = {
  now: Date
  /**
   * Connects to the trigger's own source or to a named one. Throws an UpstreamError with the reason if that is not
   * possible.
   */
  connection(source?: string): Promise<Connection>
  kindOf(source?: string): Promise<SourceKind>
  addressOf(source?: string): Promise<SourceAddress>
  /** Explains each part of the trigger's conditions. */
  run(trigger: RunnableTrigger, sample: Sample): Promise<Run>
  /** Runs several samples in one batch and keeps their order. */
  runAll(trigger: RunnableTrigger, samples: readonly Sample[]): Promise<Run[]>
  /** Equal reads of one block are made once. A try-out of many blocks forgets them between the blocks. */
  forgetReads(): void
  /** The secrets of the project that the try-out belongs to, if the caller may use them. */
  secrets: OpenSecrets | undefined
}
export type Sample = Pick<RunInput, 'inputs' | 'providersData'> & { item: SourceItem }

/**
 * `secretsOf` is the id of the project whose secrets may be used: the caller is its developer, or the trigger is saved.
 * `charged` is the workspace whose test time is used. The caller is a member of it: a stranger who tests a public
 * trigger must not use up the time of its workspace.
 */
export type TryOutScope = SourceScope & {
  savedTriggerId?: string
  secretsOf?: string | undefined
  charged?: string | undefined
  /** The id of the workspace whose members alone may follow the progress. */
  memberOf?: string | undefined
}

export async function runTryOut<T>(
  asking: Asking,
  spec: TriggerSpec | null,
  work: (tryOut: TryOut) => Promise<T>,
  scope: TryOutScope = {},
): Promise<T> {
  const opened = openTryOut(asking, spec, scope)
  const { context, connection, addressOf } = opened
  const runAll: TryOut['runAll'] = (trigger, samples) => runTrigger(trigger, samples.map(runInput), context)
  const run: TryOut['run'] = async (trigger, sample) => {
    const [done] = await runTrigger(trigger, [runInput(sample)], { ...context, explainsConditions: true })
    if (!done) throw new Error('The run has no outcome.')
    return done
  }
  const kindOf: TryOut['kindOf'] = async (source) => (await addressOf(source)).kind
  try {
    const { secrets, memo } = context.providers
    const forgetReads = () => memo?.clear()
    return await work({ now: asking.now, connection, kindOf, addressOf, run, runAll, forgetReads, secrets })
  } finally {
    opened.close()
  }
}

/** A saved trigger brings its state windows. What the try-out adds to them stays in the try-out. */
function openTryOut(asking: Asking, spec: TriggerSpec | null, scope: TryOutScope): OpenedRun {
  const { engine, store } = asking
  const { savedTriggerId, secretsOf } = scope
  return openRun({
    engine,
    ownSource: spec && 'dataSource' in spec ? spec.dataSource : null,
    spec,
    resolve: (source) => findSource(asking, source, scope),
    trigger: savedTriggerId ?? 'try-out',
    windows: copyWindows(savedTriggerId === undefined ? undefined : { load: (key) => store.stateWindows.find(key) }),
    memo: new Map(),
    askedAtMs: asking.now.getTime(),
    secrets: secretsOf === undefined ? undefined : openSecretsOnce(() => store.projectSecrets.open(secretsOf)),
  })
}

/**
 * The project and workspace of a try-out that names a project. The project must be readable; only its developers may
 * use its secrets.
 */
export async function requireTryOutScope(
  store: Store,
  account: Account,
  project: string | undefined,
): Promise<TryOutScope> {
  if (project === undefined) return {}
  const { id, workspace, workspace_id, level } = await requireReadableProject(store, account, project)
  return {
    workspace,
    ...(hasLevel(level, 'developer') && { secretsOf: id }),
    ...(level && { charged: workspace, memberOf: workspace_id }),
  }
}

function runInput({ item, ...rest }: Sample): RunInput {
  return { ...rest, source: item, nowMs: itemTimeMs(item), at: blockRefOf(item) }
}

/** The time limit of a whole try-out, because a block takes several calls and a search many blocks. */
export function tryOutTimeoutMs({ sourceTimeoutMs }: Engine): number {
  return 3 * sourceTimeoutMs
}

/** An error of a node or a source is an issue of the try-out. Any other error is a bug and is thrown. */
export function toIssue(error: unknown): Issue {
  if (error instanceof UpstreamError) return { path: 'triggerSpec.dataSource', message: error.message }
  throw error
}

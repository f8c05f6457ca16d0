import { type SourceBinding, type SourceKind, TriggerFields } from '@tocsin/contract'
import { isObject } from '../../engine/base/json.ts'
import { listNames } from '../../engine/conditions/lists.ts'
import type { Interner } from '../../engine/fan-out/interner.ts'
import { bindSpec, type SourceSpec } from '../../engine/sources/bindings.ts'
import { rulesOfSpec } from '../../engine/sources/chains.ts'
import type { SpecItems } from '../../engine/sources/raw-items.ts'
import { scheduleOf } from '../../engine/sources/timer/schedule.ts'
import type { TriggerToRun } from '../../store/following/listeners.ts'
import type { BoundSource, Feed, RegisteredTrigger } from './live-trigger.ts'

const Runnable = TriggerFields.pick({
  triggerSpec: true,
  sourceBindings: true,
  providers: true,
  activation: true,
  conditions: true,
  transform: true,
  outputSchema: true,
  executionPolicy: true,
})
type Runnable = ReturnType<typeof Runnable.parse>
type Spec = NonNullable<Runnable['triggerSpec']>
export type Prepare = (kind: SourceKind, spec: Spec) => Promise<SpecItems>

/**
 * Makes a saved trigger ready to run. This version may not understand a definition that another version saved: such a
 * trigger gets no feed and a problem text, and does not affect other triggers.
 */
export async function readTrigger(row: TriggerToRun, prepare: Prepare, interner: Interner): Promise<RegisteredTrigger> {
  const { definition } = row
  const parsed = Runnable.safeParse({ ...definition, providers: row.providers })
  const { triggerSpec = null, sourceBindings, ...runnable } = parsed.success ? parsed.data : emptyRunnable
  const feed: Feed = parsed.success
    ? await readFeed(row, triggerSpec, sourceBindings, prepare).catch((error: unknown) => ({
        kind: 'none',
        problem: messageOf(error),
      }))
    : { kind: 'none', problem: 'this version does not understand its definition' }
  return {
    id: row.id,
    version: row.version,
    fullname: row.fullname,
    project: interner.text(row.project),
    projectId: interner.text(row.project_id),
    workspaceId: interner.text(row.workspace_id),
    title: row.title,
    runbook: row.runbook,
    definition: sharedParts(definition, interner),
    runnable: sharedParts(runnable, interner),
    dataSource: row.data_source === null ? null : interner.text(row.data_source),
    sources: sourcesOf(row, feed),
    ...(sourceBindings && { bindingValues: valuesOf(sourceBindings) }),
    lists: listNames(runnable.conditions),
    isOrdered: isOnStatuses(feed) || runnable.providers.some(({ type }) => type === 'state_window'),
    isPublic: row.is_public,
    listeners: new Map(),
    feed,
    hasDependents: false,
    since: Number.POSITIVE_INFINITY,
  }
}

/** What stopped must not be told after it works again. */
function isOnStatuses(feed: Feed): boolean {
  return feed.kind === 'stream' && /\.(?:events|health)$/.test(feed.stream)
}

function sourcesOf({ data_source: source }: TriggerToRun, feed: Feed): string[] {
  if (feed.kind === 'source') return [...new Set(feed.sources.map(({ source }) => source))]
  return feed.kind === 'none' && source !== null ? [source] : []
}

const emptyRunnable: Runnable = {
  triggerSpec: null,
  providers: [],
  activation: null,
  transform: null,
  executionPolicy: null,
}

async function readFeed(
  { definition }: TriggerToRun,
  spec: Spec | null,
  bindings: readonly SourceBinding[] | undefined,
  prepare: Prepare,
): Promise<Feed> {
  if (!spec) return streamOf(definition.backend)
  if (spec.type === 'timer') {
    const schedule = scheduleOf(spec)
    return schedule ? { kind: 'timer', schedule } : { kind: 'none', problem: `"${spec.interval}" is not an interval` }
  }
  if (!bindings) return { kind: 'source', sources: [await readSource(spec, prepare)] }
  const sources: BoundSource[] = []
  for (const binding of bindings) sources.push({ ...(await readSource(bindSpec(spec, binding), prepare)), binding })
  return { kind: 'source', sources }
}

async function readSource(spec: SourceSpec, prepare: Prepare): Promise<BoundSource> {
  const items = await prepare(kindOf(spec), spec)
  return { source: spec.dataSource, items, ...(items.factory && { members: new Set<string>() }) }
}

function valuesOf(bindings: readonly SourceBinding[]): ReadonlyMap<string, Record<string, unknown>> {
  return new Map(bindings.flatMap(({ id, values }) => (values ? [[id, values]] : [])))
}

function streamOf({ trigger, values }: Record<string, unknown>): Feed {
  if (typeof trigger !== 'string' || trigger === '') return { kind: 'none' }
  return { kind: 'stream', stream: trigger, values: isObject(values) ? values : {} }
}

function kindOf({ type }: Spec): SourceKind {
  const rules = rulesOfSpec(type)
  if (!rules) throw new Error(`no chain has items of type ${type}`)
  return rules.description.kind
}

/** Equal parts share one object in memory: definitions often differ only in a name or address, not in ABIs or scripts. */
function sharedParts<T extends object>(whole: T, interner: Interner): T {
  const copy = { ...whole }
  for (const name of keysOf(copy)) copy[name] = interner.value(copy[name])
  return copy
}

function keysOf<T extends object>(value: T): (keyof T)[] {
  return Object.keys(value) as (keyof T)[]
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

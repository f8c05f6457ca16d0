import { type Issue, providerOfType, workspaceOfHealth } from '@tocsin/contract'
import type { TriggerDefinition } from '../../store/core/tables.ts'
import { type Caller, isReadableSource, requireReadableSource } from '../find-source.ts'

/** The source or stream that a trigger listens to; `missing` says why the caller cannot read it. */
export type Listening = { dataSource: string | null; missing?: { path: string; message: string } }

/** `workspace` is that of the trigger. */
export async function findListening(
  caller: Caller,
  definition: TriggerDefinition,
  workspace: string,
): Promise<Listening> {
  const { triggerSpec, sourceBindings, backend } = definition
  // Each binding has its own state, which does not break the trigger.
  if (sourceBindings) return { dataSource: null }
  if (triggerSpec) {
    const dataSource = typeof triggerSpec.dataSource === 'string' ? triggerSpec.dataSource : null
    return dataSource === null ? { dataSource } : findSource(caller, dataSource, 'triggerSpec.dataSource')
  }
  if (typeof backend.trigger !== 'string' || backend.trigger === '') return { dataSource: null }
  return findStream(caller, backend.trigger, workspace)
}

/** True if both listen to the same source or stream. */
export function hasSameStream(a: TriggerDefinition, b: TriggerDefinition): boolean {
  return streamOf(a) === streamOf(b)
}

function streamOf({ triggerSpec, sourceBindings, backend }: TriggerDefinition): unknown {
  if (sourceBindings) return 'bindings'
  return triggerSpec ? `source ${String(triggerSpec.dataSource)}` : `stream ${String(backend.trigger)}`
}

async function findSource(caller: Caller, dataSource: string, path: string): Promise<Listening> {
  if (await isReadableSource(caller, dataSource)) return { dataSource }
  return { dataSource, missing: { path, message: noSuchSource(dataSource) } }
}

export function noSuchSource(fullname: string): string {
  return `there is no data source "${fullname}" that you may read`
}

/** The bindings whose source the caller cannot read, for a validation. */
export async function findUnreadableBindings(
  caller: Caller,
  bindings: readonly { dataSource: string }[] = [],
): Promise<Issue[]> {
  const issues: Issue[] = []
  for (const [index, { dataSource }] of bindings.entries())
    if (!(await isReadableSource(caller, dataSource)))
      issues.push({ path: `sourceBindings.${index}.dataSource`, message: noSuchSource(dataSource) })
  return issues
}

/** A trigger's fullname has three segments or more. */
const triggerShaped = /^[^.]+\.[^.]+\.[^.]/

/**
 * Finds another trigger's output, another trigger's status (`<trigger>.events`) or a source's events
 * (`<source>.events`), or the health of the trigger's own workspace (`<workspace>.health`). A trigger with exactly that
 * name comes first. Any other word names no stream: a backend is stored as sent, and clients keep their own names in it.
 */
async function findStream(caller: Caller, stream: string, workspace: string): Promise<Listening> {
  if (await caller.store.triggers.findReadable({ fullname: stream }, caller.account.id)) return { dataSource: null }
  const [subject] = /^(.+)\.events$/.exec(stream)?.slice(1) ?? []
  if (subject !== undefined) {
    if (await caller.store.triggers.findReadable({ fullname: subject }, caller.account.id)) return { dataSource: null }
    return findSource(caller, subject, 'backend.trigger')
  }
  const watched = workspaceOfHealth(stream)
  if (watched === undefined ? !triggerShaped.test(stream) : watched === workspace) return { dataSource: null }
  const message = `there is no stream "${stream}" that you may read`
  return { dataSource: null, missing: { path: 'backend.trigger', message } }
}

type Named = { triggerSpec?: Record<string, unknown> | null; providers?: Record<string, unknown>[] }

/** A try-out may use only sources that the caller can read. */
export async function requireReadableSources(caller: Caller, named: Named): Promise<void> {
  for (const fullname of new Set(sourcesOf(named))) await requireReadableSource(caller, fullname)
}

/** The `source` of a javascript provider is its code, and a placeholder names no source yet. */
function sourcesOf({ triggerSpec, providers = [] }: Named): string[] {
  const ofProviders = providers.filter(({ type }) => providerOfType(type)?.chainFields).map(({ source }) => source)
  return [triggerSpec?.dataSource, ...ofProviders].filter(
    (source): source is string => typeof source === 'string' && source !== '' && !source.includes('{{'),
  )
}

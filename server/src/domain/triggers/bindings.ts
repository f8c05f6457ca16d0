import type { TriggerSave } from '@tocsin/contract'
import type { BindingFailure, SourceStatus } from '../../store/core/tables.ts'
import type { StoredBinding } from '../../store/triggers/trigger-bindings.ts'
import { partLost, reasonOfPart, sourceMissing, sourceUnavailable } from '../../store/triggers/trigger-status.ts'
import type { WholeTrigger } from '../../store/triggers/triggers.ts'
import { type Caller, isReadableSource } from '../find-source.ts'
import { findLostPart } from './lost-part.ts'
import { noSuchSource } from './sources.ts'

/**
 * The bindings that a save stores. An unchanged binding keeps its failure, because only its source ends it: another
 * developer who edits the rest need not be able to read the source. A part that cannot be read is judged again after an
 * edit, since the trigger may read another part now.
 */
export async function bindingsAfterSave(
  caller: Caller,
  before: WholeTrigger | undefined,
  { sourceBindings: bindings, triggerSpec }: Pick<TriggerSave, 'sourceBindings' | 'triggerSpec'>,
  isSameBehaviour: boolean,
): Promise<StoredBinding[]> {
  if (!bindings) return []
  const stored = before ? await caller.store.triggerBindings.list(before.id) : []
  const after: StoredBinding[] = []
  for (const { id, dataSource } of bindings) {
    const known = stored.find((each) => each.id === id && each.source === dataSource)
    const isKept = known && !isJudgedAgain(known.failure, isSameBehaviour)
    const failure = isKept ? known.failure : await findFailure(caller, dataSource)
    const ofPart = failure ? null : await findPartFailure(caller, dataSource, triggerSpec)
    after.push({ id, source: dataSource, failure: failure ?? ofPart })
  }
  return after
}

function isJudgedAgain(failure: BindingFailure | null, isSameBehaviour: boolean): boolean {
  if (failure?.reasonCode === sourceMissing) return true
  return !isSameBehaviour && failure !== null && failure.reasonCode.startsWith(partLost)
}

async function findFailure(caller: Caller, source: string): Promise<BindingFailure | null> {
  if (!(await isReadableSource(caller, source))) return { reasonCode: sourceMissing, issue: noSuchSource(source) }
  const status = await findStatus(caller, source)
  if (status?.status !== 'error') return null
  const issue = `The data source "${source}" is in error: ${status.message ?? 'its nodes do not answer'}`
  return { reasonCode: sourceUnavailable, issue }
}

async function findPartFailure(
  { store }: Caller,
  source: string,
  spec: TriggerSave['triggerSpec'],
): Promise<BindingFailure | null> {
  const lost = await findLostPart(store, source, spec)
  return lost ? { reasonCode: reasonOfPart(lost.part), issue: lost.issue } : null
}

async function findStatus({ store, account, settings }: Caller, source: string): Promise<SourceStatus | undefined> {
  if (settings.networks.some(({ fullname }) => fullname === source))
    return (await store.followers.find(source))?.state.status
  return (await store.customSources.findReadable(source, account.id))?.status
}

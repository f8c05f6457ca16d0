import type { TriggerSave } from '@tocsin/contract'
import { readDefinitionInTurn } from '../../engine/threads/index.ts'
import type { TriggerContent, WholeTrigger } from '../../store/triggers/triggers.ts'
import type { Caller } from '../find-source.ts'
import { checkAgainstStore } from './check-stored.ts'
import { isSameJson, payloadOf } from './content.ts'
import { contentAfterSave } from './content-after-save.ts'
import { type AppliedChange, applyChanges } from './patch-apply.ts'
import { type Change, type Patch, type Refused, readPatch } from './patch-paths.ts'

/** The result of a patch on one version of a trigger; nothing is written yet. */
export type Plan = { before: WholeTrigger; after: WholeTrigger; content: TriggerContent; changedPaths: string[] }

export async function planPatch(
  caller: Caller,
  before: WholeTrigger,
  patch: Patch,
  now: Date,
): Promise<Plan | Refused> {
  const changes = readPatch(patch)
  if (!Array.isArray(changes)) return changes
  const { patched, applied, issues } = applyChanges(payloadOf(before), changes)
  if (issues.length > 0) return { code: 'invalid_payload', issues }
  const read = await readDefinitionInTurn(caller.account.id, patched, caller.settings.limits)
  const wrong = read.ok ? await checkAgainstStore(caller, read.definition) : read.issues
  if (!read.ok || wrong.length > 0) return { code: 'invalid_payload', issues: wrong }
  const content = await contentAfterSave(caller, before, withSentStatus(read.definition, changes), now)
  const after = rowAfter(before, content)
  return { before, after, content, changedPaths: changedPaths(before, after, applied) }
}

/** A status that a patch sets is a test result, even if it equals the stored one. */
function withSentStatus(payload: TriggerSave, changes: Change[]): TriggerSave {
  const isMeant = changes.some(({ kind, segments }) => kind === 'set' && segments[0] === 'status')
  if (!isMeant || !payload.status) return payload
  return { ...payload, status: { ...payload.status, updatedAt: null } }
}

function rowAfter(
  before: WholeTrigger,
  { dataSource, definitionWarning, bindingWarning, bindings: _, factories: _f, ...content }: TriggerContent,
): WholeTrigger {
  const warnings = { definition_warning: definitionWarning, binding_warning: bindingWarning }
  return { ...before, ...content, data_source: dataSource, ...warnings, has_providers: content.providers.length > 0 }
}

/** A path counts as changed if its value changed and its top-level field still differs in canonical form. */
function changedPaths(before: WholeTrigger, after: WholeTrigger, applied: AppliedChange[]): string[] {
  const [old, fresh] = [payloadOf(before), payloadOf(after)]
  // Many paths can be in one large field, which is compared once.
  const fields = new Set(applied.map(({ change }) => change.segments[0] ?? ''))
  const changed = new Set([...fields].filter((field) => !isSameJson(old[field], fresh[field])))
  return applied
    .filter(({ change, before }) => !isSameJson(before, change.kind === 'set' ? change.value : undefined))
    .filter(({ change }) => changed.has(change.segments[0] ?? ''))
    .map(({ change }) => change.path)
}

import type { TriggerSave } from '@tocsin/contract'
import { readDefinition } from '../../engine/check/index.ts'
import type { TriggerContent, WholeTrigger } from '../../store/triggers/triggers.ts'
import type { Asker } from '../find-source.ts'
import { checkAgainstStore } from './check-stored.ts'
import { payloadOf, sameJson } from './content.ts'
import { contentAfterSave } from './content-after-save.ts'
import { applyChanges, type Made } from './patch-apply.ts'
import { type Change, type Patch, type Refused, readPatch } from './patch-paths.ts'

/** The result of a patch on one version of a trigger; nothing is written yet. */
export type Plan = { before: WholeTrigger; after: WholeTrigger; content: TriggerContent; changedPaths: string[] }

export async function planPatch(asker: Asker, before: WholeTrigger, patch: Patch, now: Date): Promise<Plan | Refused> {
  const changes = readPatch(patch)
  if (!Array.isArray(changes)) return changes
  const { patched, made, issues } = applyChanges(payloadOf(before), changes)
  if (issues.length > 0) return { code: 'invalid_payload', issues }
  const read = await readDefinition(patched, asker.settings.limits)
  const wrong = read.ok ? await checkAgainstStore(asker, read.definition) : read.issues
  if (!read.ok || wrong.length > 0) return { code: 'invalid_payload', issues: wrong }
  const content = await contentAfterSave(asker, before, withFreshStatus(read.definition, changes), now)
  const after = wouldBe(before, content)
  return { before, after, content, changedPaths: changedPaths(before, after, made) }
}

/** A status that a patch sets is a test result, even if it equals the stored one. */
function withFreshStatus(payload: TriggerSave, changes: Change[]): TriggerSave {
  const isMeant = changes.some(({ kind, segments }) => kind === 'set' && segments[0] === 'status')
  if (!isMeant || !payload.status) return payload
  return { ...payload, status: { ...payload.status, updatedAt: null } }
}

function wouldBe(before: WholeTrigger, { dataSource, definitionWarning, ...content }: TriggerContent): WholeTrigger {
  const has_providers = content.providers.length > 0
  return { ...before, ...content, data_source: dataSource, definition_warning: definitionWarning, has_providers }
}

/** A path counts as changed if its value changed and its top-level field still differs in canonical form. */
function changedPaths(before: WholeTrigger, after: WholeTrigger, made: Made[]): string[] {
  const [old, fresh] = [payloadOf(before), payloadOf(after)]
  return made
    .filter(({ change, before }) => !sameJson(before, change.kind === 'set' ? change.value : undefined))
    .filter(
      ({
        change: {
          segments: [field = ''],
        },
      }) => !sameJson(old[field], fresh[field]),
    )
    .map(({ change }) => change.path)
}

import type { Issue, TriggerSave } from '@tocsin/contract'
import { isObject } from '../../engine/base/is-object.ts'
import { checkSpelling } from '../../engine/check/index.ts'
import { checkDefinitionInTurn, readStructureInTurn } from '../../engine/threads/index.ts'
import { requireProjectLevel } from '../access.ts'
import type { Handler } from '../handler.ts'
import { requireSameName, requireTriggerName } from '../names.ts'
import { invalidPayload, Refusal } from '../refusal.ts'
import { checkAgainstStore, checkSecretNames } from './check-stored.ts'
import { definitionOf } from './content.ts'
import { projectOf } from './find.ts'
import { findListening, findUnreadableBindings } from './sources.ts'

/** Finds the same issues as a save, without saving. */
export const validateTriggerDraft: Handler<'validateTriggerDraft'> = async ({ body, params, ...caller }) => {
  if (!isObject(body)) throw invalidPayload([{ path: '', message: 'must be an object' }])
  const project = typeof body.project === 'string' ? body.project : projectOf(params.fullname)
  const { id } = await requireProjectLevel(caller.store, caller.account, project, 'developer')
  const read = await readStructureInTurn(caller.account.id, body, caller.settings.limits)
  if (!read.ok) return { valid: false, issues: read.issues }
  const trigger = read.definition
  const { missing } = await findListening(caller, definitionOf(trigger))
  const issues = [
    ...nameIssues(params.fullname, trigger),
    ...(await checkDefinitionInTurn(caller.account.id, trigger)),
    ...checkSpelling(trigger.triggerSpec, 'triggerSpec'),
    ...(await checkAgainstStore(caller, trigger)),
    ...(await checkSecretNames(caller.store, id, trigger.providers)),
    ...(missing ? [missing] : []),
    ...(await findUnreadableBindings(caller, trigger.sourceBindings)),
  ]
  return { valid: issues.length === 0, issues, trigger }
}

function nameIssues(fullname: string, trigger: TriggerSave): Issue[] {
  try {
    requireSameName(fullname, trigger.fullname)
    requireTriggerName(trigger)
    return []
  } catch (error) {
    if (error instanceof Refusal) return [{ path: 'fullname', message: error.message }]
    throw error
  }
}

import { checkDefinitionInTurn } from '../../engine/threads/index.ts'
import { requireProjectLevel } from '../access.ts'
import { Tagged, tagOf } from '../answers.ts'
import type { Handler } from '../handler.ts'
import { requireSameName, requireTriggerName } from '../names.ts'
import { invalidPayload } from '../refusal.ts'
import { checkAgainstStore } from './check-stored.ts'
import { draftView } from './views.ts'
import { writeTrigger } from './write.ts'

/** Scripts and ABIs are checked before the transaction. The role is checked before that work and again inside. */
export const saveTrigger: Handler<'saveTrigger'> = async (context) => {
  const { account, params, body, store, settings } = context
  requireSameName(params.fullname, body.fullname)
  requireTriggerName(body)
  await requireProjectLevel(store, account, body.project, 'developer')
  const issues = [
    ...(await checkDefinitionInTurn(account.id, body)),
    ...(await checkAgainstStore({ store, account, settings }, body)),
  ]
  if (issues.length > 0) throw invalidPayload(issues)
  const saved = await store.tx((store) => writeTrigger({ ...context, store }))
  return new Tagged(draftView(saved, settings), tagOf(saved))
}

import type { TriggerPatch } from '@tocsin/contract'
import type * as z from 'zod'
import type { Store } from '../../store/index.ts'
import type { WholeTrigger } from '../../store/triggers/triggers.ts'
import { requireMatch } from '../answers.ts'
import { type Actor, recordChange } from '../audit.ts'
import { requireLists } from '../condition-lists.ts'
import type { Caller } from '../find-source.ts'
import type { Handler } from '../handler.ts'
import { requireStoredRoom } from '../quotas.ts'
import { invalidPayload, Refusal } from '../refusal.ts'
import type { Settings } from '../settings.ts'
import { lockEditable, requireEditable } from './find.ts'
import { type Plan, planPatch } from './plan-patch.ts'
import { recordVersion } from './record-version.ts'
import { draftView } from './views.ts'

type Body = z.output<typeof TriggerPatch>

/**
 * Plans the patch before the transaction, because checking scripts takes time. Plans it again if another save came in
 * between.
 */
export const patchTrigger: Handler<'patchTrigger'> = async ({
  account,
  ip,
  params,
  body,
  preconditions,
  store,
  now,
  settings,
}) => {
  const { fullname } = params
  const seen = await requireEditable(store, account, fullname)
  requireMatch(preconditions, seen)
  const planned = await requirePlan({ store, account, settings }, seen, body, now)
  if (body.dryRun) return answer(planned, planned.after, true, settings)
  return store.tx(async (store) => {
    const [current = seen] = await lockEditable(store, account, [fullname])
    requireMatch(preconditions, current)
    const isStale = current.id !== seen.id || current.version !== seen.version
    const plan = isStale ? await requirePlan({ store, account, settings }, current, body, now) : planned
    await requireLists(store, current.workspace, plan.content.definition.conditions)
    if (plan.changedPaths.length > 0) await writePatch({ store, settings, account, ip, now }, plan)
    await requireStoredRoom(store, settings, current.workspace_id)
    return answer(plan, await requireEditable(store, account, fullname), false, settings)
  })
}

async function requirePlan(caller: Caller, row: WholeTrigger, body: Body, now: Date): Promise<Plan> {
  const plan = await planPatch(caller, row, body, now)
  if (!('issues' in plan)) return plan
  if (plan.code === 'invalid_payload') throw invalidPayload(plan.issues)
  throw new Refusal(plan.code, `"${plan.issues[0]?.path}" cannot be changed.`, { issues: plan.issues })
}

function answer({ changedPaths }: Plan, row: WholeTrigger, dryRun: boolean, settings: Settings) {
  const updated = !dryRun && changedPaths.length > 0
  return { fullname: row.fullname, dryRun, updated, changedPaths, trigger: draftView(row, settings) }
}

type Patching = Actor & { store: Store; settings: Settings }

/** Writes a planned patch that changes something, in a transaction. */
export async function writePatch(actor: Patching, { before, content, changedPaths: paths }: Plan): Promise<void> {
  const { store, settings, account, now } = actor
  const { id, fullname, workspace_id: workspaceId } = before
  await store.triggers.update(id, content, now)
  await recordVersion({ store, settings, after: { id, ...content }, accountId: account.id, now })
  await recordChange(store, actor, { action: 'trigger.patch', workspaceId, fullname, paths })
}

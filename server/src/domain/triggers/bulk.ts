import type { Issue } from '@tocsin/contract'
import type { WholeTrigger } from '../../store/triggers/triggers.ts'
import { requireLists } from '../condition-lists.ts'
import type { Caller } from '../find-source.ts'
import type { Handler } from '../handler.ts'
import { requireStoredRoom } from '../quotas.ts'
import { invalidPayload, Refusal } from '../refusal.ts'
import { lockEditable, requireAllEditable } from './find.ts'
import { writePatch } from './patch.ts'
import type { Patch } from './patch-paths.ts'
import { type Plan, planPatch } from './plan-patch.ts'
import { deleteAll } from './save.ts'

/** Changes to several triggers: all or none, in one transaction. */

export const patchTriggers: Handler<'patchTriggers'> = async ({ account, ip, body, store, now, settings }) => {
  const fullnames = body.items.map((item) => item.fullname)
  requireDistinct(fullnames, (index) => `items.${index}.fullname`)
  const seen = await requireAllEditable(store, account, fullnames)
  const planned = await requirePlans({ store, account, settings }, seen, body.items, now)
  if (body.dryRun) return patched(planned, true)
  return store.tx(async (store) => {
    const current = await lockEditable(store, account, fullnames)
    const isStale = current.some((row, index) => row.version !== seen[index]?.version || row.id !== seen[index]?.id)
    const plans = isStale ? await requirePlans({ store, account, settings }, current, body.items, now) : planned
    for (const plan of plans) {
      const { before, content } = plan
      await requireLists(store, before.workspace, content.definition.conditions)
      if (plan.changedPaths.length > 0) await writePatch({ store, settings, account, ip, now }, plan)
    }
    for (const id of new Set(current.map((row) => row.workspace_id))) await requireStoredRoom(store, settings, id)
    return patched(plans, false)
  })
}

export const removeTriggers: Handler<'removeTriggers'> = async ({ account, ip, body, store, now }) => {
  requireDistinct(body.fullnames, (index) => `fullnames.${index}`)
  if (body.dryRun) return removed(await requireAllEditable(store, account, body.fullnames), true)
  return store.tx(async (store) => {
    const rows = await lockEditable(store, account, body.fullnames)
    await deleteAll(store, rows, { account, ip, now })
    return removed(rows, false)
  })
}

function requireDistinct(fullnames: string[], pathOf: (index: number) => string): void {
  const seen = new Set<string>()
  const again = fullnames.findIndex((fullname) => seen.size === seen.add(fullname).size)
  if (again >= 0) throw invalidPayload([{ path: pathOf(again), message: 'occurs twice' }])
}

async function requirePlans(caller: Caller, rows: WholeTrigger[], patches: Patch[], now: Date): Promise<Plan[]> {
  const plans: Plan[] = []
  const bad: { fullname: string; issues: Issue[] }[] = []
  const codes = new Set<'invalid_payload' | 'immutable_field'>()
  for (const [index, row] of rows.entries()) {
    const plan = await planPatch(caller, row, patches[index] ?? {}, now)
    if (!('issues' in plan)) plans.push(plan)
    else {
      bad.push({ fullname: row.fullname, issues: plan.issues })
      codes.add(plan.code)
    }
  }
  if (bad.length === 0) return plans
  const code = codes.has('invalid_payload') ? 'invalid_payload' : 'immutable_field'
  throw new Refusal(code, `${bad.length} of ${rows.length} items cannot be patched; nothing was changed.`, {
    items: bad,
  })
}

function patched(plans: Plan[], dryRun: boolean) {
  const items = plans.map(({ before, changedPaths }) => ({
    fullname: before.fullname,
    updated: !dryRun && changedPaths.length > 0,
    changedPaths,
  }))
  return { dryRun, totalCount: items.length, updatedCount: items.filter(({ updated }) => updated).length, items }
}

function removed(rows: WholeTrigger[], dryRun: boolean) {
  const items = rows.map(({ fullname, project, workspace }) => ({ fullname, project, workspace, deleted: !dryRun }))
  return { dryRun, totalCount: items.length, deletedCount: dryRun ? 0 : items.length, items }
}

import type { Store } from '../../store/index.ts'
import type { ReadableProject } from '../../store/projects/projects.ts'
import { lockProject, requireProjectLevel } from '../access.ts'
import type { Account, Handler } from '../handler.ts'
import { Refusal } from '../refusal.ts'
import { requireInside, requireNoBlockingAddon, requireNoConflicts, requirePlace, requireSamePlan } from './checks.ts'
import { makePlan, type Plan } from './plan.ts'
import { requireQuota } from './quota.ts'
import { recordTransfer } from './record.ts'
import { requestView } from './views.ts'

const lifetimeMs = 7 * 24 * 3_600_000

export const createTransferRequest: Handler<'createTransferRequest'> = async (context) => {
  const { access, account, params, body, store, now } = context
  requireInside(access, body.targetWorkspace)
  await store.transferEndings.sweepExpired(now)
  return store.tx(async (store) => {
    const project = await lockAll(store, account, params.fullname, body.targetWorkspace)
    const target = requirePlace(body.targetWorkspace, body.targetName ?? project.name)
    await requireNoBlockingAddon(store, project.id)
    const plan = await makePlan(store, account, project.id, requirePlace(project.workspace, project.name), target)
    requireSamePlan(plan, body.expectedPlanHash)
    requireNoConflicts(plan)
    const row = await offer(store, account, project, plan, now)
    if (!row) throw new Refusal('transfer_already_pending')
    await requireQuota(store, account.id, now)
    await recordTransfer(store, context, 'transfer.request', row)
    return requestView(row)
  })
}

async function offer(store: Store, account: Account, project: ReadableProject, plan: Plan, now: Date) {
  const workspace = await store.workspaces.find(plan.target.workspace)
  if (!workspace) throw new Refusal('transfer_conflicts')
  const offered = {
    projectId: project.id,
    project: project.fullname,
    sourceWorkspaceId: project.workspace_id,
    sourceWorkspace: project.workspace,
    targetWorkspaceId: workspace.id,
    targetWorkspace: workspace.fullname,
    targetName: plan.target.name,
    targetFullname: plan.target.fullname,
    planHash: plan.planHash,
    counts: plan.counts,
    requestedBy: account.id,
    expiresAt: new Date(now.getTime() + lifetimeMs),
  }
  return store.transfers.add(offered, now)
}

/** Locks in the order of all transfers: requester, target workspace, project. A stranger is refused before any lock. */
async function lockAll(
  store: Store,
  account: Account,
  fullname: string,
  targetWorkspace: string,
): Promise<ReadableProject> {
  await requireProjectLevel(store, account, fullname, 'owner')
  await store.transfers.lockRequester(account.id)
  const target = await store.workspaces.find(targetWorkspace)
  if (target) await store.workspaces.lock(target.id)
  return lockProject(store, account, fullname, 'owner')
}

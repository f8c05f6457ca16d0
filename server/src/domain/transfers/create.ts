import type { Store } from '../../store/index.ts'
import type { ReadableProject } from '../../store/projects/projects.ts'
import { lockProject, requireProjectLevel } from '../access.ts'
import type { Account, Handler } from '../handler.ts'
import { Refusal } from '../refusal.ts'
import { requireInside, requireNoBlockingAddon, requireNoConflicts, requirePlace, requireSamePlan } from './checks.ts'
import { makePlan, type Plan } from './plan.ts'
import { recordTransfer, requestView } from './requests.ts'

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

const hourMs = 3_600_000
const windows = [
  { requestsMax: 5, periodMs: hourMs },
  { requestsMax: 20, periodMs: 24 * hourMs },
]
const longestMs = 24 * hourMs

/** Five requests an hour and twenty a day per account, including the new one. */
async function requireQuota(store: Store, accountId: string, now: Date): Promise<void> {
  const since = new Date(now.getTime() - longestMs)
  const times = await store.transfers.listTimes(accountId, since, 21)
  const waitMs = Math.max(...windows.map((window) => waitOf(times, window, now)))
  if (waitMs <= 0) return
  const seconds = Math.ceil(waitMs / 1000)
  const message = `Too many transfer requests; try again in ${seconds} s.`
  throw new Refusal('rate_limited', message, undefined, { retryAfterSeconds: seconds })
}

/** The time until the oldest request of a full window leaves it. `times` are newest first and include the new one. */
function waitOf(times: Date[], window: { requestsMax: number; periodMs: number }, now: Date): number {
  const filling = times[window.requestsMax]
  return filling === undefined ? 0 : filling.getTime() + window.periodMs - now.getTime()
}

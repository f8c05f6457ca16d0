import { isRepeatable } from '../../store/core/transaction.ts'
import type { Store } from '../../store/index.ts'
import type { ProjectRow } from '../../store/projects/projects.ts'
import type { MemberTransferRow, TransferRow } from '../../store/projects/transfers.ts'
import { cancelOffers } from '../access.ts'
import type { Actor } from '../audit.ts'
import type { Account, Handler } from '../handler.ts'
import { Refusal } from '../refusal.ts'
import { applyPlan, type Writes } from './apply.ts'
import { requireNoBlockingAddon, requireNoConflicts, requirePlace, requireSamePlan } from './checks.ts'
import { makePlan, type Plan } from './plan.ts'
import { notPending, recordTransfer, requestView, requirePending, requireRequest } from './requests.ts'

type Accepted = { kind: 'applied'; request: TransferRow; writes: Writes }
type Failed = { kind: 'failed'; failureReason: string; cause?: unknown }
type Cancelled = { kind: 'cancelled' }
type Decider = Actor & { reason: string | undefined }

/** The status "failed" or "cancelled" is committed, so the refusal is thrown after the transaction. */
export const acceptTransfer: Handler<'acceptTransfer'> = async ({ account, ip, params, body, store, now }) => {
  await store.transferEndings.sweepExpired(now)
  const decider = { account, ip, reason: body.reason, now }
  const outcome = await store.tx((store) => accept(store, params.id, decider))
  if (outcome.kind === 'failed') throw failure(outcome)
  if (outcome.kind === 'cancelled') throw notPending('cancelled')
  const transfer = { appliedAt: now.toISOString(), writes: outcome.writes }
  return { request: requestView(outcome.request), transfer }
}

async function accept(store: Store, id: string, decider: Decider): Promise<Accepted | Failed | Cancelled> {
  const { request, project } = await lockAll(store, decider.account, id)
  requirePending(request)
  if (await cancelWithoutOwner(store, request, decider.now)) return { kind: 'cancelled' }
  if (!project) return fail(store, id, decider, { kind: 'failed', failureReason: 'The project no longer exists.' })
  const plan = await requirePlan(store, decider.account, request, project)
  try {
    return await store.tx(async (store) => {
      const writes = await applyPlan(store, project, plan, decider.now)
      const accepted = { status: 'accepted', ...decision(decider) } as const
      const request = await store.transfers.decide(id, accepted, decider.now)
      await recordTransfer(store, decider, 'transfer.accept', request)
      return { kind: 'applied', writes, request }
    })
  } catch (cause) {
    if (isRepeatable(cause)) throw cause
    const failureReason = 'The transfer could not be applied; the project is as it was.'
    return fail(store, id, decider, { kind: 'failed', failureReason, cause })
  }
}

/**
 * Locks in the order of all transfers: target workspace, project, request. The first two locks keep others from taking
 * a name or adding to the project. The last one makes a second decision find the request decided.
 */
async function lockAll(
  store: Store,
  account: Account,
  id: string,
): Promise<{ request: MemberTransferRow; project: ProjectRow | undefined }> {
  const seen = await requireRequest(store, account, id, 'target')
  if (seen.target_workspace_id !== null) await store.workspaces.lock(seen.target_workspace_id)
  const project = seen.project_id === null ? undefined : await store.projects.lock(seen.project_id)
  await store.transfers.lock(id)
  return { request: await requireRequest(store, account, id, 'target'), project }
}

/**
 * True if the requester no longer owns the source workspace; their offers are then cancelled. Removing or demoting a
 * member cancels offers too, but an offer that is made at the same moment can survive that.
 */
async function cancelWithoutOwner(store: Store, request: TransferRow, now: Date): Promise<boolean> {
  const { requested_by: offerer, source_workspace_id: workspaceId } = request
  if (workspaceId === null || (await store.members.findLevel(workspaceId, offerer)) === 'owner') return false
  await cancelOffers(store, offerer, workspaceId, now)
  return true
}

/** Refuses if the plan differs from the offered one: an owner accepts exactly what was offered. */
async function requirePlan(store: Store, viewer: Account, request: TransferRow, project: ProjectRow): Promise<Plan> {
  await requireNoBlockingAddon(store, project.id)
  const source = requirePlace(request.source_workspace, project.name)
  const target = requirePlace(request.target_workspace, request.target_name)
  const plan = await makePlan(store, viewer, project.id, source, target)
  requireNoConflicts(plan)
  requireSamePlan(plan, request.plan_hash)
  return plan
}

async function fail(store: Store, id: string, decider: Decider, failed: Failed): Promise<Failed> {
  const { failureReason } = failed
  await store.transfers.decide(id, { status: 'failed', failureReason, ...decision(decider) }, decider.now)
  return failed
}

function decision({ account, reason }: Decider) {
  return { decidedBy: account.id, reason }
}

function failure({ failureReason, cause }: Failed): Refusal {
  const details = { status: 'failed', failureReason }
  return Object.assign(new Refusal('transfer_failed', failureReason, details), { cause })
}

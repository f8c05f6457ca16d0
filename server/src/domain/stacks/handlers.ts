import { Mutex } from '../../engine/base/mutex.ts'
import type { StackRow, SubscriptionsOf } from '../../store/projects/stacks.ts'
import { hasLevel, requireMember } from '../access.ts'
import { Page } from '../answers.ts'
import type { DefinitionNoun, StackContext } from '../definition-noun.ts'
import type { Account, Context, Handler } from '../handler.ts'
import { notFound, Refusal } from '../refusal.ts'
import { type Evaluation, evaluate, runAndRollBack } from './evaluate.ts'
import { readRequest } from './read-request.ts'
import { invalidEntities } from './refused.ts'

/** The handlers for the given nouns, which are in the order of their dependencies: a noun may name those before it. */
export function stackHandlers(nouns: readonly DefinitionNoun[]): {
  planStack: Handler<'planStack'>
  applyStack: Handler<'applyStack'>
} {
  return { planStack: (context) => planStack(nouns, context), applyStack: (context) => applyStack(nouns, context) }
}

/**
 * Runs the saves and deletes of an apply in a transaction and rolls it back. So a plan checks exactly what an apply checks,
 * and sees the entities of the same request.
 */
async function planStack(nouns: readonly DefinitionNoun[], request: Context<'planStack'>) {
  const context = await openStack(request, { locks: false })
  return inTurn(context, async () => {
    const read = await readRequest(nouns, context, request.body)
    const evaluation = await runAndRollBack(context.store, (store) => evaluate(nouns, { ...context, store }, read))
    requireAllowed(evaluation)
    const { planHash, changes, drift, issues, warnings } = evaluation
    return { planHash, changes, drift, issues, warnings }
  })
}

async function applyStack(nouns: readonly DefinitionNoun[], request: Context<'applyStack'>) {
  const context = await openStack(request, { locks: true })
  return inTurn(context, () => applyInTurn(nouns, context, request))
}

async function applyInTurn(nouns: readonly DefinitionNoun[], context: StackContext, request: Context<'applyStack'>) {
  const { workspace, stack, now } = context
  const read = await readRequest(nouns, context, request.body)
  const evaluation = await context.store.tx(async (store) => {
    // Two applies follow each other, so the second one finds another state than the one it was planned for.
    await store.stacks.lock(workspace.id)
    await store.workspaces.lock(workspace.id)
    const evaluation = await evaluate(nouns, { ...context, store }, read)
    requireApplicable(evaluation, read.issues.length > 0, request.body.expectedPlanHash)
    await store.stacks.replaceApplied({ workspaceId: workspace.id, stack }, evaluation.applied, now)
    return evaluation
  })
  for (const finish of evaluation.finishes) await finish(context)
  return { planHash: evaluation.planHash, changes: evaluation.changes }
}

const turns = new Map<string, Mutex>()

/**
 * The plans and applies of a workspace follow each other, so that those that wait hold no connection to the database. They
 * count as tests of the account and the workspace.
 */
async function inTurn<T>({ account, workspace, testLimits, now }: StackContext, work: () => Promise<T>): Promise<T> {
  const turn = turns.get(workspace.id) ?? new Mutex()
  turns.set(workspace.id, turn)
  try {
    return await turn.run(() => testLimits.run(account.id, now, work, workspace.fullname))
  } finally {
    if (turn.isFree) turns.delete(workspace.id)
  }
}

async function openStack(
  request: Context<'planStack'> | Context<'applyStack'>,
  { locks }: { locks: boolean },
): Promise<StackContext> {
  const { params, query, body, ...context } = request
  const { id, fullname, level } = await requireMember(context.store, context.account, params.fullname)
  const preconditions = { ifMatch: undefined, ifNoneMatch: undefined }
  return { ...context, preconditions, workspace: { id, fullname }, level, stack: body.stack, locks }
}

function requireAllowed({ forbidden }: Evaluation): void {
  if (forbidden) throw forbidden
}

/**
 * A payload that no state of the workspace makes valid is reported first, then a plan that no longer fits, then what the
 * current state does not allow.
 */
function requireApplicable(evaluation: Evaluation, isMalformed: boolean, expectedPlanHash: string): void {
  const { planHash, issues } = evaluation
  requireAllowed(evaluation)
  if (isMalformed) throw invalidEntities(issues)
  if (planHash !== expectedPlanHash)
    throw new Refusal('plan_changed', 'The workspace or the request has changed since the plan. Plan again.', {
      planHash,
    })
  if (issues.length > 0) throw invalidEntities(issues)
}

export const listStacks: Handler<'listStacks'> = async ({ account, params, query, store }) => {
  const { id, level } = await requireMember(store, account, params.fullname)
  const page = { limit: query.limit, after: query.cursor }
  const { rows, next } = await store.stacks.list(id, readableSubscriptions(account, level), page)
  return new Page(rows.map(stackView), next)
}

export const getStack: Handler<'getStack'> = async ({ account, params, store }) => {
  const { id, level } = await requireMember(store, account, params.fullname)
  const stack = { workspaceId: id, stack: params.stack }
  const rows = await store.stacks.listEntities(stack, readableSubscriptions(account, level))
  if (rows.length === 0) throw notFound(`The workspace "${params.fullname}" has no stack "${params.stack}".`)
  const applied_at = await store.stacks.findAppliedAt(stack)
  return {
    ...stackView({ stack: params.stack, entities_count: rows.length, applied_at }),
    entities: rows.map(({ kind, name, id, project }) => ({
      kind,
      fullname: name,
      ...((kind === 'template' || kind === 'subscription') && { id }),
      ...(project !== null && { project }),
    })),
  }
}

function stackView({ stack, entities_count, applied_at }: StackRow) {
  return { stack, entitiesCount: entities_count, appliedAt: applied_at?.toISOString() ?? null }
}

/** Owner and admin see all subscriptions of the workspace, others their own. */
function readableSubscriptions({ id }: Account, level: Parameters<typeof hasLevel>[0]): SubscriptionsOf {
  return hasLevel(level, 'admin') ? 'everybody' : { accountId: id }
}

import type { StackRow, SubscriptionsOf } from '../../store/projects/stacks.ts'
import { hasLevel, requireMember } from '../access.ts'
import { Page } from '../answers.ts'
import type { Account, Handler } from '../handler.ts'
import { notFound } from '../refusal.ts'

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

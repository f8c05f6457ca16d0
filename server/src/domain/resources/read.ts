import type { Level } from '@tocsin/contract'
import type { ResourceRow } from '../../store/alerts/resource-rows.ts'
import type { ResourceFilter } from '../../store/alerts/resources.ts'
import type { Store } from '../../store/index.ts'
import { requireMember, requireReadableProject } from '../access.ts'
import { Page, Tagged, tagOf } from '../answers.ts'
import { readCounts, startOfLastDay } from '../counts.ts'
import type { Account, Context, Handler } from '../handler.ts'
import { notFound } from '../refusal.ts'
import { blueprints, type OperatorVariable } from './blueprints.ts'
import { requireResource } from './find.ts'
import { blueprintView, resourceView } from './views.ts'

export const listBlueprints: Handler<'listBlueprints'> = async ({ query, engine, settings }) => {
  const rest = blueprints.filter((blueprint) => blueprint.fullname > (query.cursor ?? ''))
  const shown = rest.slice(0, query.limit)
  const botName = settings.secureSetup ? await engine.bot?.username() : undefined
  const installed = { botName, variables: operatorVariables(engine.channels) }
  const views = shown.map((blueprint) => blueprintView(blueprint, installed))
  return new Page(views, rest.length > shown.length ? shown.at(-1)?.fullname : undefined)
}

/** E-mail needs both variables; the configuration refuses one without the other. */
function operatorVariables({ mail, telegram }: Context<'listBlueprints'>['engine']['channels']): Set<OperatorVariable> {
  return new Set([
    ...(mail ? (['SMTP_URL', 'MAIL_FROM'] as const) : []),
    ...(telegram ? (['TELEGRAM_BOT_TOKEN'] as const) : []),
  ])
}

export const listResources: Handler<'listResources'> = async ({ account, query, store, now }) => {
  const filter = await requireFilter(store, account, query)
  const { rows, next } = await store.resources.listForMember(account.id, filter, {
    limit: query.limit,
    after: query.cursor,
  })
  const ids = rows.map(({ id }) => id)
  const facts = await store.resourceHealth.findAll(ids, startOfLastDay(now))
  return new Page(
    rows.map((row) => resourceView(store, row, row.level, facts.get(row.id))),
    next,
  )
}

export const getResource: Handler<'getResource'> = async ({ account, params, store, now }) => {
  const row = await requireResource(store, account, params.fullname)
  return taggedResource(store, row, row.level, now)
}

/** The answer of a read and of a save. */
export async function taggedResource(store: Store, row: ResourceRow, level: Level, now: Date) {
  const facts = await store.resourceHealth.findAll([row.id], startOfLastDay(now))
  return new Tagged(resourceView(store, row, level, facts.get(row.id)), tagOf(row))
}

export const getResourceCounts: Handler<'getResourceCounts'> = async ({ account, params, query, store, now }) => {
  const { id } = await requireResource(store, account, params.fullname)
  return readCounts(store, { kind: 'resource', id }, query.range, now)
}

/** Only members of a workspace see its resources, even if others can read the project. */
async function requireFilter(
  store: Store,
  account: Account,
  query: { workspace?: string | undefined; project?: string | undefined },
): Promise<ResourceFilter> {
  const workspace = query.workspace === undefined ? undefined : await requireMember(store, account, query.workspace)
  if (query.project === undefined) return { workspaceId: workspace?.id }
  const project = await requireReadableProject(store, account, query.project)
  if (project.level === null) throw notFound(`There are no resources of "${query.project}" that you may see.`)
  return { workspaceId: workspace?.id, projectId: project.id }
}

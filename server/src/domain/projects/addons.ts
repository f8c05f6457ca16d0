import type { AddonRow } from '../../store/projects/addons.ts'
import { lockProject, requireRank, requireReadableProject } from '../access.ts'
import { Page, requireMatch, Tagged, tagOf } from '../answers.ts'
import { recordChange } from '../audit.ts'
import type { Handler } from '../handler.ts'
import { notFound } from '../refusal.ts'

export const listAddons: Handler<'listAddons'> = async ({ account, params, query, store }) => {
  const project = await requireReadableProject(store, account, params.fullname)
  requireRank(project.level, 'admin')
  const { rows, next } = await store.addons.list(project.id, { limit: query.limit, after: query.cursor })
  return new Page(
    rows.map((row) => addonView(row, project.fullname)),
    next,
  )
}

export const createAddon: Handler<'createAddon'> = ({ account, ip, params, body, store, now }) =>
  store.tx(async (store) => {
    const project = await lockProject(store, account, params.fullname, 'admin')
    const row = await store.addons.add({ projectId: project.id, ...body }, now)
    const { workspace_id: workspaceId, fullname } = project
    const paths = Object.keys(body)
    await recordChange(store, { account, ip, now }, { action: 'addon.save', workspaceId, fullname, paths })
    return new Tagged(addonView(row, project.fullname), tagOf(row))
  })

/**
 * Any state may follow any other: the billing system knows the order, this service only needs to know what blocks a
 * transfer.
 */
export const saveAddon: Handler<'saveAddon'> = ({ account, ip, params, body, preconditions, store, now }) =>
  store.tx(async (store) => {
    const project = await lockProject(store, account, params.fullname, 'admin')
    const current = await store.addons.find(project.id, params.id)
    if (!current) throw notFound('There is no such add-on subscription.')
    requireMatch(preconditions, current)
    const row = await store.addons.setState(current.id, body.state, now)
    const { workspace_id: workspaceId, fullname } = project
    await recordChange(store, { account, ip, now }, { action: 'addon.save', workspaceId, fullname, paths: ['state'] })
    return new Tagged(addonView(row, project.fullname), tagOf(row))
  })

function addonView(row: AddonRow, project: string) {
  return {
    id: row.id,
    project,
    name: row.name,
    state: row.state,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

import { newToken } from '../../store/core/secret-box.ts'
import type { Store } from '../../store/index.ts'
import type { ReadableProject } from '../../store/projects/projects.ts'
import { lockProject, requireRank, requireReadableProject } from '../access.ts'
import { done, Page, requireAnyMatch } from '../answers.ts'
import { recordChange } from '../audit.ts'
import type { Handler } from '../handler.ts'
import { invalidPayload, notFound, Refusal } from '../refusal.ts'
import { accessLinkView } from './link-views.ts'

export const listAccessLinks: Handler<'listAccessLinks'> = async (context) => {
  const { account, params, query, store, now, settings } = context
  const project = await requireReadableProject(store, account, params.fullname)
  requireRank(project.level, 'admin')
  const page = { limit: query.limit, after: query.cursor }
  const { rows, next } = await store.accessLinks.listWithTokens(project.id, page)
  return new Page(
    rows.map((row) => accessLinkView(row, row.token, project, { now, publicUrl: settings.publicUrl })),
    next,
  )
}

export const createAccessLink: Handler<'createAccessLink'> = ({ account, ip, params, body, store, now, settings }) =>
  store.tx(async (store) => {
    const project = await lockProject(store, account, params.fullname, 'admin')
    if (project.access_level !== 'private') throw new Refusal('project_not_private')
    const expiresAt = body.expiresAt === undefined ? null : new Date(body.expiresAt)
    if (expiresAt && expiresAt <= now) throw invalidPayload([{ path: 'expiresAt', message: 'must be in the future' }])
    await allowLinks(store, project, now)
    const token = newToken('link')
    const link = { projectId: project.id, token, maxUsages: body.maxUsages ?? null, expiresAt }
    const row = await store.accessLinks.add(link, now)
    const { workspace_id: workspaceId, fullname } = project
    await recordChange(store, { account, ip, now }, { action: 'access-link.create', workspaceId, fullname })
    return accessLinkView(row, token, project, { now, publicUrl: settings.publicUrl })
  })

export const deleteAccessLink: Handler<'deleteAccessLink'> = ({ account, ip, params, preconditions, store, now }) =>
  store.tx(async (store) => {
    const project = await lockProject(store, account, params.fullname, 'admin')
    requireAnyMatch(preconditions)
    if (!(await store.accessLinks.revoke(project.id, params.id, now))) throw notFound('There is no such access link.')
    const { workspace_id: workspaceId, fullname } = project
    await recordChange(store, { account, ip, now }, { action: 'access-link.revoke', workspaceId, fullname })
    return done
  })

/**
 * A link to a personal project would open nothing, so creating a link changes the project's visibility to
 * `private_link`.
 */
async function allowLinks(store: Store, project: ReadableProject, now: Date): Promise<void> {
  if (project.visibility === 'private_link') return
  await store.projects.update(project.id, { ...project, visibility: 'private_link' }, now)
}

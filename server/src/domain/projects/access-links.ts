import { newToken } from '../../store/core/secret-box.ts'
import type { AccessLinkRow } from '../../store/identity/access-links.ts'
import type { Store } from '../../store/index.ts'
import type { ReadableProject } from '../../store/projects/projects.ts'
import { lockProject, requireRank, requireReadableProject } from '../access.ts'
import { done, Page, requireAnyMatch, Tagged, tagOf } from '../answers.ts'
import { recordChange } from '../audit.ts'
import type { Account, Handler } from '../handler.ts'
import { invalidPayload, notFound, Refusal } from '../refusal.ts'
import { projectView } from './read.ts'

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

export type LinkState = 'active' | 'revoked' | 'expired' | 'exhausted'

/** Revoked comes before expired, and expired before exhausted. */
export function linkState(row: AccessLinkRow, now: Date): LinkState {
  if (row.revoked_at) return 'revoked'
  if (row.expires_at && row.expires_at <= now) return 'expired'
  if (row.max_usages !== null && row.usages >= row.max_usages) return 'exhausted'
  return 'active'
}

export function accessLinkView(
  row: AccessLinkRow,
  token: string,
  project: ReadableProject,
  { now, publicUrl }: { now: Date; publicUrl: string },
) {
  return {
    id: row.id,
    token,
    // The URL of the console's page, which asks the visitor to sign in. Browsers do not send the part after "#", so no
    // log holds the token.
    url: `${publicUrl.replace(/\/$/, '')}/open#${token}`,
    project: project.fullname,
    workspace: project.workspace,
    state: linkState(row, now),
    ...(row.max_usages !== null && { maxUsages: row.max_usages }),
    usages: row.usages,
    ...(row.expires_at && { expiresAt: row.expires_at.toISOString() }),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

/** The first opening by an account takes one usage and gives read access. Members and later openings take none. */
export const openAccessLink: Handler<'openAccessLink'> = ({ account, params, store, now }) =>
  store.tx(async (store) => {
    const link = await store.accessLinks.lockByToken(params.token)
    if (!link) throw notFound('There is no such access link.')
    requireOpenable(link, now)
    const project = await store.projects.findReadable({ id: link.project_id }, account.id)
    if (!needsNoLink(project)) await admit(store, account, link, now)
    return openedView(store, account, link.project_id)
  })

function requireOpenable(link: AccessLinkRow, now: Date): void {
  const state = linkState(link, now)
  if (state === 'revoked') throw new Refusal('link_revoked')
  if (state === 'expired') throw new Refusal('link_expired')
}

function needsNoLink(project: ReadableProject | undefined): boolean {
  return project !== undefined && (project.level !== null || project.access_level !== 'private')
}

async function admit(store: Store, account: Account, link: AccessLinkRow, now: Date): Promise<void> {
  if (await store.accessLinks.wasOpenedBy(link.id, account.id)) return
  if (!(await store.accessLinks.takeUsage(link.id, now))) throw new Refusal('link_exhausted')
  await store.accessLinks.addOpening(link.id, account.id, now)
}

/** Only members may read a project that was made personal since. The refusal rolls the opening back. */
async function openedView(store: Store, account: Account, projectId: string) {
  const row = await store.projects.findReadable({ id: projectId }, account.id)
  if (!row) throw notFound('There is no such access link.')
  return new Tagged(projectView(row), tagOf(row))
}

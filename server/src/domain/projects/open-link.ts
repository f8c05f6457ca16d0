import type { AccessLinkRow } from '../../store/identity/access-links.ts'
import type { Store } from '../../store/index.ts'
import type { ReadableProject } from '../../store/projects/projects.ts'
import { Tagged, tagOf } from '../answers.ts'
import type { Account, Handler } from '../handler.ts'
import { notFound, Refusal } from '../refusal.ts'
import { linkState } from './link-views.ts'
import { projectView } from './views.ts'

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

import type { ResourceSave } from '@tocsin/contract'
import type { z } from 'zod'
import type { Store } from '../../store/index.ts'
import type { ResourceRow } from '../../store/resources.ts'
import { newToken } from '../../store/secret-box.ts'
import { requireLevel } from '../access.ts'
import { requireMatch, Tagged, tagOf } from '../answers.ts'
import type { Handler } from '../handler.ts'
import { requireOwnedName, requireSameName } from '../names.ts'
import { invalidPayload, notFound, Refusal } from '../refusal.ts'
import { requireBlueprint } from './blueprints.ts'
import { requireData } from './data.ts'
import { keepFormerSecret } from './former-secrets.ts'
import { setupNotFinished } from './remarks.ts'
import { resourceView } from './views.ts'

type Save = z.output<typeof ResourceSave>
type Owners = { workspaceId: string; projectId: string | null }

export const saveResource: Handler<'saveResource'> = async ({ account, params, body, preconditions, store, now }) => {
  requireSameName(params.fullname, body.fullname)
  requireOwnedName(body)
  return store.tx(async (store) => {
    const member = await requireLevel(store, account, body.workspace, 'admin')
    // Held, so that two first saves come one after the other and the workspace does not go in between.
    if (!(await store.workspaces.lock(member.id))) throw notFound()
    const owners = { workspaceId: member.id, projectId: await requireProjectId(store, member.id, body.project) }
    const current = await store.resources.lock({ fullname: body.fullname })
    requireMatch(preconditions, current)
    if (current) await update(store, current, owners, body, now)
    else await create(store, owners, body, now)
    const saved = await store.resources.lock({ fullname: body.fullname })
    if (!saved) throw notFound()
    return new Tagged(resourceView(store, saved, member.level), tagOf(saved))
  })
}

async function create(store: Store, owners: Owners, body: Save, now: Date): Promise<void> {
  const blueprint = requireBlueprint(body.blueprint)
  const data = requireData(blueprint, body.data)
  const setup = blueprint.external
    ? { remark: setupNotFinished, token: newToken('resource') }
    : { remark: null, token: null }
  await store.resources.add({ ...body, ...owners, ...setup, data }, now)
}

async function update(store: Store, current: ResourceRow, owners: Owners, body: Save, now: Date): Promise<void> {
  const blueprint = requireBlueprint(body.blueprint)
  if (current.blueprint !== blueprint.fullname)
    throw new Refusal('immutable_field', `The blueprint of a resource never changes; it is "${current.blueprint}".`)
  const data = requireData(blueprint, body.data, store.resources.openData(current))
  if (!blueprint.external) {
    await keepFormerSecret(store, current, data, now)
    // Whatever switched it off, its owner has looked at it again.
    await store.resources.switchOn(current.id)
    await store.lanes.forget(current.id)
  }
  await store.resources.update(current.id, { ...body, projectId: owners.projectId, data }, now)
}

/** Held, so that the project is not transferred away at the same moment. */
async function requireProjectId(
  store: Store,
  workspaceId: string,
  fullname: string | undefined,
): Promise<string | null> {
  if (fullname === undefined) return null
  const seen = await store.projects.find(fullname)
  const project = seen && (await store.projects.lock(seen.id))
  if (project?.workspace_id !== workspaceId)
    throw invalidPayload([{ path: 'project', message: 'must be a project of the same workspace' }])
  return project.id
}

import { requireProjectLevel } from '../access.ts'
import type { Handler } from '../handler.ts'
import { requireNoBlockingAddon, requirePlace } from './checks.ts'
import { makePlan } from './plan.ts'

export const planTransfer: Handler<'planTransfer'> = async ({ account, params, body, store }) => {
  const project = await requireProjectLevel(store, account, params.fullname, 'owner')
  const source = requirePlace(project.workspace, project.name)
  const target = requirePlace(body.targetWorkspace, body.targetName ?? project.name)
  await requireNoBlockingAddon(store, project.id)
  return makePlan(store, project.id, source, target)
}

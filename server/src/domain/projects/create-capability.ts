import type { Handler } from '../handler.ts'
import { limitMessage } from './private-limit.ts'

/** Every account may create projects, in a new workspace if necessary. Only private projects are counted. */
export const getProjectCreateCapability: Handler<'getProjectCreateCapability'> = async ({
  account,
  store,
  settings,
}) => {
  const limit = settings.limits.privateProjects
  const used = await store.projects.countPrivate(account.id)
  const isFull = limit !== null && used >= limit
  return {
    canCreateProjects: true,
    canCreatePrivateProjects: !isFull,
    privateProjectsUsed: used,
    privateProjectsLimit: limit,
    ...(isFull && { reason: limitMessage(limit) }),
  }
}

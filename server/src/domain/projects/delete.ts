import { lockProject } from '../access.ts'
import { done, requireMatch } from '../answers.ts'
import { recordChange } from '../audit.ts'
import type { Handler } from '../handler.ts'

export const deleteProject: Handler<'deleteProject'> = ({ account, ip, params, preconditions, store, now }) =>
  store.tx(async (store) => {
    const project = await lockProject(store, account, params.fullname, 'owner')
    requireMatch(preconditions, project)
    await store.transferEndings.cancelPendingOf(project.id, 'The project was deleted.', now)
    await store.projects.remove(project.id)
    const { workspace_id: workspaceId, fullname } = project
    await recordChange(store, { account, ip, now }, { action: 'project.delete', workspaceId, fullname })
    return done
  })

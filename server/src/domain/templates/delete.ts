import { lockProject } from '../access.ts'
import { done, requireMatch } from '../answers.ts'
import { recordChange } from '../audit.ts'
import type { Handler } from '../handler.ts'
import { notFound } from '../refusal.ts'

export const deleteTemplate: Handler<'deleteTemplate'> = ({ account, ip, params, preconditions, store, now }) =>
  store.tx(async (store) => {
    const project = await lockProject(store, account, params.fullname, 'admin')
    const current = await store.templates.lock(project.id, params.id)
    if (!current) throw notFound('There is no such template.')
    requireMatch(preconditions, current)
    await store.templates.remove(current.id)
    const change = { action: 'template.delete', workspaceId: project.workspace_id, fullname: current.id } as const
    await recordChange(store, { account, ip, now }, change)
    return done
  })

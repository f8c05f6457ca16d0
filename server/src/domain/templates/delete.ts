import { lockProject } from '../access.ts'
import { done, requireMatch } from '../answers.ts'
import type { Handler } from '../handler.ts'
import { notFound } from '../refusal.ts'

export const deleteTemplate: Handler<'deleteTemplate'> = ({ account, params, preconditions, store }) =>
  store.tx(async (store) => {
    const project = await lockProject(store, account, params.fullname, 'admin')
    const current = await store.templates.lock(project.id, params.id)
    if (!current) throw notFound('There is no such template.')
    requireMatch(preconditions, current)
    await store.templates.remove(current.id)
    return done
  })

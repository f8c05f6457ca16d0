import type { Store } from '../../store/index.ts'
import type { ReadableProject } from '../../store/projects.ts'
import { holdProject } from '../access.ts'
import { requireMatch, Tagged, tagOf } from '../answers.ts'
import type { Handler } from '../handler.ts'
import { requireSameName } from '../names.ts'
import { invalidPayload, notFound } from '../refusal.ts'
import { checkTemplate, type Template } from './check.ts'
import { templateView } from './views.ts'

/** The project is held, so that of two first templates one is the root, and both answers say which. */
export const createTemplate: Handler<'createTemplate'> = async ({ account, params, body, store, now }) => {
  requireTemplate(params.fullname, body)
  return store.tx(async (store) => {
    const project = await holdProject(store, account, params.fullname, 'developer')
    return savedView(store, project, await store.templates.add(project.id, body, now))
  })
}

export const saveTemplate: Handler<'saveTemplate'> = async ({ account, params, body, preconditions, store, now }) => {
  requireTemplate(params.fullname, body)
  return store.tx(async (store) => {
    const project = await holdProject(store, account, params.fullname, 'developer')
    const current = await store.templates.lock(project.id, params.id)
    if (!current) throw notFound('There is no such template.')
    requireMatch(preconditions, current)
    await store.templates.update(current.id, body, now)
    return savedView(store, project, current.id)
  })
}

function requireTemplate(fullname: string, template: Template): void {
  requireSameName(fullname, template.project)
  const issues = checkTemplate(template)
  if (issues.length > 0) throw invalidPayload(issues)
}

async function savedView(store: Store, project: ReadableProject, id: string) {
  const row = await store.templates.find(project.id, id)
  if (!row) throw notFound()
  return new Tagged(await templateView(store, project, row), tagOf(row))
}

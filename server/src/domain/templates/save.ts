import type { Issue } from '@tocsin/contract'
import { checkAddresses } from '../../engine/check/index.ts'
import { checkNumbers } from '../../engine/conditions/index.ts'
import type { Store } from '../../store/index.ts'
import type { ReadableProject } from '../../store/projects/projects.ts'
import { lockProject } from '../access.ts'
import { requireMatch, Tagged, tagOf } from '../answers.ts'
import { type Actor, changedPaths, recordChange } from '../audit.ts'
import { checkLists } from '../condition-lists.ts'
import type { Handler } from '../handler.ts'
import { requireSameName } from '../names.ts'
import { requireStoredRoom } from '../quotas.ts'
import { invalidPayload, notFound } from '../refusal.ts'
import { checkTemplate, type Template } from './check.ts'
import { templateView } from './views.ts'

/** Locks the project, so that of two first templates one is the root, and both responses say which. */
export const createTemplate: Handler<'createTemplate'> = async (context) => {
  const { account, params, body, store, now, settings } = context
  requireTemplate(params.fullname, body)
  return store.tx(async (store) => {
    const project = await lockProject(store, account, params.fullname, 'developer')
    await requireConditions(store, project, body)
    const id = await store.templates.add(project.id, body, now)
    await requireStoredRoom(store, settings, project.workspace_id)
    await recordSave(store, context, project, { id, paths: changedPaths(undefined, body) })
    return savedView(store, project, id)
  })
}

export const saveTemplate: Handler<'saveTemplate'> = async (context) => {
  const { account, params, body, preconditions, store, now, settings } = context
  requireTemplate(params.fullname, body)
  return store.tx(async (store) => {
    const project = await lockProject(store, account, params.fullname, 'developer')
    const current = await store.templates.lock(project.id, params.id)
    if (!current) throw notFound('There is no such template.')
    requireMatch(preconditions, current)
    await requireConditions(store, project, body)
    await store.templates.update(current.id, body, now)
    await requireStoredRoom(store, settings, project.workspace_id)
    const { schema, groups, topics, rules, meta } = current
    const paths = changedPaths({ project: body.project, schema, groups, topics, rules, meta }, body)
    await recordSave(store, context, project, { id: current.id, paths })
    return savedView(store, project, current.id)
  })
}

function recordSave(store: Store, actor: Actor, project: ReadableProject, saved: { id: string; paths: string[] }) {
  const { id: fullname, paths } = saved
  return recordChange(store, actor, { action: 'template.save', workspaceId: project.workspace_id, fullname, paths })
}

function requireTemplate(fullname: string, template: Template): void {
  requireSameName(fullname, template.project)
  const issues = checkTemplate(template)
  if (issues.length > 0) throw invalidPayload(issues)
}

/**
 * Checks the conditions of rules whose trigger exists. A trigger that is created later does not change a saved
 * template.
 */
async function requireConditions(store: Store, project: ReadableProject, { rules }: Template): Promise<void> {
  const named = [...new Set(rules.flatMap(({ trigger, conditions }) => (conditions ? [trigger] : [])))]
  const known = await store.templates.knownTriggers(project.workspace_id, named)
  const described = await store.describedTriggers.find(named.filter((trigger) => known.has(trigger)))
  const issues = rules.flatMap(({ trigger, conditions }, index): Issue[] => {
    const { filters, outputs } = described.get(trigger) ?? {}
    const schemas = { filtersSchema: filters ?? {}, outputSchema: outputs ?? {} }
    const path = `rules.${index}.conditions`
    return conditions ? [...checkNumbers(conditions, schemas, path), ...checkAddresses(conditions, schemas, path)] : []
  })
  for (const [index, { conditions }] of rules.entries())
    issues.push(...(await checkLists(store, project.workspace, conditions, `rules.${index}.conditions`)))
  if (issues.length > 0) throw invalidPayload(issues)
}

async function savedView(store: Store, project: ReadableProject, id: string) {
  const row = await store.templates.find(project.id, id)
  if (!row) throw notFound()
  return new Tagged(await templateView(store, project, row), tagOf(row))
}

import type { TemplateRule } from '@tocsin/contract'
import type * as z from 'zod'
import type { TemplateRow } from '../../store/projects/templates.ts'
import { untagged } from '../answers.ts'
import { defineNoun, requestOf, type StackContext, stackOf } from '../definition-noun.ts'
import { Refusal } from '../refusal.ts'
import { stackMark } from '../stack-mark.ts'
import { createTemplate, deleteTemplate, saveTemplate } from './save.ts'

export const templateDefinition = defineNoun({
  kind: 'template',
  nameOf: ({ key }) => key,
  prepare:
    async (_, { key, ...body }) =>
    async (context) => {
      const { store, stack } = context
      const known = await store.stacks.findTemplate(stackOf(context), key)
      if (known && known.project !== body.project)
        throw new Refusal('immutable_field', `A template stays in its project; "${key}" is in "${known.project}".`)
      const fullname = body.project
      const saved = known
        ? await saveTemplate(requestOf(context, { fullname, id: known.id }, body))
        : await createTemplate(requestOf(context, { fullname }, body))
      await store.stacks.markKeyed('templates', untagged(saved).id, stack, key)
      return undefined
    },
  find: async (context, key) => {
    const known = await context.store.stacks.findTemplate(stackOf(context), key)
    const row = known && (await findTemplate(context, known.project_id, known.id))
    return row && { payload: payloadOf(row, known.project), stack: row.stack }
  },
  remove: async (context, key) => {
    const known = await context.store.stacks.findTemplate(stackOf(context), key)
    if (known) await deleteTemplate(requestOf(context, { fullname: known.project, id: known.id }, undefined))
  },
})

async function findTemplate({ store, locks }: StackContext, projectId: string, id: string) {
  if (!locks) return store.templates.find(projectId, id)
  await store.projects.lock(projectId)
  return store.templates.lock(projectId, id)
}

function payloadOf({ key, schema, groups, topics, rules, meta, stack }: TemplateRow, project: string) {
  return { key, project, schema, groups, topics, rules: rules.map(withoutNulls), meta, ...stackMark(stack) }
}

/** In a rule, null means the same as nothing. */
function withoutNulls(rule: z.output<typeof TemplateRule>) {
  return Object.fromEntries(Object.entries(rule).filter(([, value]) => value !== null))
}

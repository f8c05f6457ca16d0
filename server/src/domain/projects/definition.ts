import { stackLabel } from '@tocsin/contract'
import type { ReadableProject } from '../../store/projects/projects.ts'
import { defineNoun, requestOf, type StackContext, withStack } from '../definition-noun.ts'
import { invalidPayload } from '../refusal.ts'
import { payloadOf } from './read.ts'
import { deleteProject, saveProject } from './save.ts'

export const projectDefinition = defineNoun({
  kind: 'project',
  nameOf: ({ fullname }) => fullname,
  prepare: async (context, payload) => {
    const body = { ...payload, labels: withStack(payload.labels, context) }
    return async (context) => {
      await saveProject(requestOf(context, { fullname: body.fullname }, body))
      return undefined
    }
  },
  find: async (context, name) => {
    const row = await findProject(context, name)
    return row && { payload: payloadOf(row), stack: row.labels[stackLabel] ?? null }
  },
  remove: async (context, name) => {
    await requireNothingElse(context, name)
    await deleteProject(requestOf(context, { fullname: name }, undefined))
  },
})

async function findProject(context: StackContext, fullname: string): Promise<ReadableProject | undefined> {
  const { store, account, workspace, locks } = context
  const seen = await store.projects.findReadable({ fullname }, account.id)
  if (seen && locks) await store.projects.lock(seen.id)
  const row = locks ? await store.projects.findReadable({ fullname }, account.id) : seen
  return row?.workspace_id === workspace.id ? row : undefined
}

/**
 * Deleting a project deletes what it holds. The entities of the stack are deleted before it, so that anything left belongs
 * to somebody else.
 */
async function requireNothingElse(context: StackContext, fullname: string): Promise<void> {
  const project = await findProject(context, fullname)
  if (!project) return
  const counts = await context.store.stacks.countContents(project.id)
  const left = Object.entries(counts).flatMap(([nouns, count]) =>
    count > 0 ? [`${count} ${count === 1 ? nouns.slice(0, -1) : nouns}`] : [],
  )
  if (left.length > 0)
    throw invalidPayload([
      { path: '', message: `cannot be deleted: it holds ${left.join(', ')} that would be deleted too` },
    ])
}

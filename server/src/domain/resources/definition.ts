import { stackLabel } from '@tocsin/contract'
import type { ResourceRow } from '../../store/alerts/resource-rows.ts'
import { defineNoun, mask, requestOf, type StackContext, withStack } from '../definition-noun.ts'
import { confirmAddress, deleteResource, writeResource } from './save.ts'

export const resourceDefinition = defineNoun({
  kind: 'resource',
  nameOf: ({ fullname }) => fullname,
  saveAfter: ({ notifyOnFailure }) => notifyOnFailure ?? undefined,
  prepare: async (context, payload) => {
    const body = { ...payload, labels: withStack(payload.labels, context) }
    return async (context) => {
      const { row } = await writeResource(requestOf(context, undefined, body))
      return async (context) => void (await confirmAddress(context, row))
    }
  },
  find: async (context, name) => {
    const row = await findResource(context, name)
    return row && { payload: payloadOf(context, row), stack: row.labels[stackLabel] ?? null }
  },
  remove: (context, name) => deleteResource(requestOf(context, { fullname: name }, undefined)),
  maskOf: ([field, ...deeper]) => (field === 'data' && deeper.length === 0 ? mask : undefined),
})

async function findResource({ store, account, workspace, locks }: StackContext, fullname: string) {
  const row = locks
    ? await store.resources.lock({ fullname })
    : await store.resources.findForMember({ fullname }, account.id)
  return row?.workspace_id === workspace.id ? row : undefined
}

/** An external resource has no data: its setup brings the destination. */
function payloadOf({ store }: StackContext, row: ResourceRow) {
  const data = store.resources.openData(row)
  return {
    name: row.name,
    fullname: row.fullname,
    workspace: row.workspace,
    ...(row.project !== null && { project: row.project }),
    blueprint: row.blueprint,
    ...(data && { data }),
    ...(row.notify_on_failure !== null && { notifyOnFailure: row.notify_on_failure }),
    tags: row.tags,
    labels: row.labels,
    meta: row.meta,
  }
}

import type { DefinitionPayload } from '@tocsin/contract'
import type { CustomSourceRow } from '../../store/following/custom-sources.ts'
import { defineNoun, mask, requestOf, type StackContext } from '../definition-noun.ts'
import { stackMark } from '../stack-mark.ts'
import { askNetwork, type Network } from './network.ts'
import { deleteCustomSource, requireSaver, writeSource } from './save.ts'

type Payload = DefinitionPayload<'source'>

export const sourceDefinition = defineNoun({
  kind: 'source',
  nameOf: ({ fullname }) => fullname,
  prepare: async (context, payload) => {
    const network = await findNetwork(context, payload)
    return async (context) => {
      const { fullname } = payload
      const isThere = (await context.store.customSources.lock(fullname)) !== undefined
      const body = { ...payload, mode: isThere ? ('update' as const) : ('create' as const) }
      await writeSource(requestOf(context, undefined, body), network)
      await context.store.stacks.markNamed('custom_sources', fullname, context.stack)
      return undefined
    }
  },
  find: async (context, name) => {
    const row = await findSource(context, name)
    return row && { payload: payloadOf(context, row), stack: row.stack }
  },
  remove: (context, name) => deleteCustomSource(requestOf(context, { fullname: name }, undefined)),
  maskOf: ([field, ...deeper]) => (field === 'endpoints' && deeper.length === 0 ? mask : undefined),
})

/** Endpoints are asked only by somebody who may save the source, and only if the answer can have changed. */
async function findNetwork(context: StackContext, payload: Payload): Promise<Network | undefined> {
  const { store, account } = context
  await requireSaver(store, account, payload)
  const current = await store.customSources.findReadable(payload.fullname, account.id)
  const isSame =
    current?.public && JSON.stringify(store.customSources.openEndpoints(current)) === JSON.stringify(payload.endpoints)
  return isSame ? undefined : askNetwork({ ...context, body: payload })
}

async function findSource({ store, account, workspace, locks }: StackContext, fullname: string) {
  const row = locks
    ? await store.customSources.lock(fullname)
    : await store.customSources.findReadable(fullname, account.id)
  return row?.workspace_id === workspace.id ? row : undefined
}

function payloadOf({ store }: StackContext, row: CustomSourceRow) {
  return {
    name: row.name,
    fullname: row.fullname,
    workspace: row.workspace,
    public: row.public,
    kind: row.kind,
    endpoints: store.customSources.openEndpoints(row),
    ...row.settings,
    ...(row.substrate && { substrate: row.substrate }),
    meta: row.meta,
    ...stackMark(row.stack),
  }
}

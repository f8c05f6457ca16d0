import { stackLabel } from '@tocsin/contract'
import { maskUrl } from '../../engine/providers/describe.ts'
import { checkDefinitionInTurn } from '../../engine/threads/index.ts'
import { defineNoun, type Mask, mask, requestOf, type StackContext, withStack } from '../definition-noun.ts'
import { requireTriggerName } from '../names.ts'
import { invalidPayload } from '../refusal.ts'
import { checkAgainstStore } from './check-stored.ts'
import { payloadOf } from './content.ts'
import { projectOf } from './find.ts'
import { deleteTrigger, writeTrigger } from './save.ts'
import { silenceOfTrigger } from './views.ts'

export const triggerDefinition = defineNoun({
  kind: 'trigger',
  nameOf: ({ fullname }) => fullname,
  prepare: async (context, payload) => {
    requireTriggerName(payload)
    const issues = await checkDefinitionInTurn(context.account.id, payload)
    if (issues.length > 0) throw invalidPayload(issues)
    const body = { ...payload, labels: withStack(payload.labels, context) }
    return async (context) => {
      // The sources and lists that the definition names may be of the same stack, so they are checked in the transaction.
      const unknown = await checkAgainstStore(context, body)
      if (unknown.length > 0) throw invalidPayload(unknown)
      await writeTrigger({ ...context, body })
      return undefined
    }
  },
  find: async (context, name) => {
    const row = await findTrigger(context, name)
    if (!row) return undefined
    // The service changes the status itself, so it is no part of the definition.
    const { status, ...payload } = payloadOf(row)
    return { payload, stack: row.labels[stackLabel] ?? null }
  },
  remove: (context, name) => deleteTrigger(requestOf(context, { fullname: name }, undefined)),
  warningOf: async (context, name) => {
    const row = await findTrigger(context, name)
    return row && silenceOfTrigger(row, context.settings)
  },
  maskOf,
})

async function findTrigger({ store, account, workspace, locks }: StackContext, fullname: string) {
  if (locks) {
    await store.triggers.lockProject(projectOf(fullname))
    await store.triggers.lock([fullname])
  }
  const row = await store.triggers.findReadable({ fullname }, account.id)
  return row?.workspace_id === workspace.id ? row : undefined
}

/** The fields of providers that often hold keys. A plan is printed in logs of build servers. */
function maskOf([list, , field, ...deeper]: readonly string[]): Mask | undefined {
  if (list !== 'providers' || deeper.length > 0) return undefined
  if (field === 'headers' || field === 'queryParams') return mask
  return field === 'url' ? (url) => maskUrl(String(url)) : undefined
}

import type { CoreAction } from '@tocsin/contract'
import type { Client } from '@tocsin/sdk'
import { createUnderFreeName } from '../forms/names.ts'

type Payload = Parameters<Client['saveTrigger']>[0]['body']
export type NewTrigger = Omit<Payload, 'name' | 'fullname'>

/**
 * Saves the trigger as a draft named `base`, or `base-2`, `base-3` … if the name is taken, and returns the name. The draft
 * comes first because saving a trigger directly would discard a draft of the same name.
 */
export async function draftUnderFreeName(
  api: Pick<Client, 'saveTriggerDraft'>,
  base: string,
  trigger: NewTrigger,
): Promise<string> {
  return createUnderFreeName(base, ['precondition_failed'], (name) =>
    api.saveTriggerDraft({ ...namedTrigger(name, trigger), ifNoneMatch: '*' }),
  )
}

/** The arguments of a save under this name. */
export function namedTrigger(name: string, trigger: NewTrigger): { fullname: string; body: Payload } {
  const fullname = `${trigger.project}.${name}`
  return { fullname, body: { ...trigger, name, fullname } }
}

/** The backend of a trigger that starts from an action: without a triggerSpec it names a stream of the workspace. */
export function backendOf(action: Pick<CoreAction, 'stream'> | undefined, workspace: string) {
  if (!action?.stream) return { type: 'sdk' as const }
  const { name, values } = action.stream
  return { type: 'sdk' as const, trigger: `${workspace}.${name}`, ...(Object.keys(values).length > 0 && { values }) }
}

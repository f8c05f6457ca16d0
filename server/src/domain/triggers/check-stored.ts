import type { Condition, Issue, Provider, SourceBinding, TriggerSpec } from '@tocsin/contract'
import { noSuchSecret } from '../../engine/base/placeholders.ts'
import { checkSourceMethods } from '../../engine/check/index.ts'
import { secretNames } from '../../engine/providers/index.ts'
import type { Store } from '../../store/index.ts'
import { checkLists } from '../condition-lists.ts'
import { allowedMethods, type Caller } from '../find-source.ts'

type Checked = {
  workspace: string
  triggerSpec: TriggerSpec | null
  sourceBindings?: readonly SourceBinding[] | undefined
  providers: readonly Provider[]
  conditions?: Condition | null | undefined
}

/** Issues of a definition that depend on stored entities, for an author who may save it. */
export async function checkAgainstStore(caller: Caller, definition: Checked): Promise<Issue[]> {
  return [
    ...checkSourceMethods(definition, await findAllowedMethods(caller, definition)),
    ...(await checkLists(caller.store, definition.workspace, definition.conditions, 'conditions')),
  ]
}

/**
 * Only a validation reports unknown secrets. A save accepts them, because secrets are set separately from definitions.
 */
export async function checkSecretNames(
  store: Store,
  projectId: string,
  providers: readonly Provider[],
): Promise<Issue[]> {
  const known = new Set(await store.projectSecrets.listNames(projectId))
  return providers.flatMap((provider, index) =>
    secretNames(provider)
      .filter((name) => !known.has(name))
      .map((name) => ({ path: `providers.${index}`, message: noSuchSecret(`secrets.${name}`) })),
  )
}

/** A trigger on several sources may use only the methods that all of them allow. */
async function findAllowedMethods({ store, account }: Caller, definition: Checked): Promise<readonly string[]> {
  const { triggerSpec, sourceBindings, workspace, providers } = definition
  const asksSource = providers.some((provider) => provider.type === 'rpc' && provider.transport === 'source')
  if (!asksSource || !triggerSpec || !('dataSource' in triggerSpec)) return []
  const sources = new Set((sourceBindings ?? [triggerSpec]).map(({ dataSource }) => dataSource))
  let allowed: readonly string[] | undefined
  for (const source of sources) {
    const row = await store.customSources.findReadable(source, account.id)
    const methods = row ? allowedMethods(row, { workspace, isSaved: true }) : []
    allowed = allowed ? allowed.filter((method) => methods.includes(method)) : methods
  }
  return allowed ?? []
}

import type { Issue, Provider, TriggerSpec } from '@tocsin/contract'
import { holdsPlaceholder } from '../base/placeholders.ts'
import { rulesOfSpec, whyNotServed } from '../sources/chains.ts'

/** Checks the methods that `rpc` providers call through the data source. It allows read methods and those in `allowMethods`. */
export function checkSourceMethods(
  { providers, triggerSpec }: { providers: readonly Provider[]; triggerSpec: TriggerSpec | null },
  allowMethods: readonly string[],
): Issue[] {
  const kind = triggerSpec ? rulesOfSpec(triggerSpec.type)?.kind : undefined
  return providers.flatMap((provider, index) => {
    if (provider.type !== 'rpc' || provider.transport !== 'source') return []
    const message = holdsPlaceholder(provider.method)
      ? 'must be written out, without placeholders: else the item could choose the method'
      : whyNotServed(provider.method, allowMethods, kind)
    return message === undefined ? [] : [{ path: `providers.${index}.method`, message }]
  })
}

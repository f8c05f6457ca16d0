import type { Issue, Provider, TriggerSpec } from '@tocsin/contract'
import { holdsPlaceholder } from '../base/placeholders.ts'
import { rulesOfSpec, whyNotServed } from '../sources/chains.ts'

/** The methods that `rpc` providers call through the trigger's data source, which serves reading ones and its own `allowMethods`. */
export function checkSourceMethods(
  { providers, triggerSpec }: { providers: readonly Provider[]; triggerSpec: TriggerSpec | null },
  allowMethods: readonly string[],
): Issue[] {
  const kind = triggerSpec ? rulesOfSpec(triggerSpec.type)?.kind : undefined
  return providers.flatMap((provider, index) => {
    if (provider.type !== 'rpc' || provider.transport !== 'source') return []
    const message = holdsPlaceholder(provider.method)
      ? 'must be written out: a placeholder would let the item choose the method'
      : whyNotServed(provider.method, allowMethods, kind)
    return message === undefined ? [] : [{ path: `providers.${index}.method`, message }]
  })
}

import type { Issue, Provider, SourceKind, TriggerSpec } from '@tocsin/contract'
import { whyNotServed } from '../sources/reading-methods.ts'
import { holdsPlaceholder } from './check-http.ts'

/** The methods that `rpc` providers call through the trigger's data source, which serves reading ones and its own `allowMethods`. */
export function checkSourceMethods(
  { providers, triggerSpec }: { providers: readonly Provider[]; triggerSpec: TriggerSpec | null },
  allowMethods: readonly string[],
): Issue[] {
  const kind = triggerSpec ? kindOf(triggerSpec) : undefined
  return providers.flatMap((provider, index) => {
    if (provider.type !== 'rpc' || provider.transport !== 'source') return []
    const message = holdsPlaceholder(provider.method)
      ? 'must be written out: a placeholder would let the item choose the method'
      : whyNotServed(provider.method, allowMethods, kind)
    return message === undefined ? [] : [{ path: `providers.${index}.method`, message }]
  })
}

function kindOf({ type }: TriggerSpec): SourceKind | undefined {
  if (type.startsWith('evm_')) return 'evm'
  if (type === 'substrate_event') return 'substrate'
  return type === 'solana_event' ? 'solana' : undefined
}

import { createHash } from 'node:crypto'
import type { Provider } from '@tocsin/contract'
import { readOwn } from '../../base/paths.ts'
import { referencesIn } from '../../base/placeholders.ts'
import type { Call, ProviderOf } from '../context.ts'
import type { WindowKey } from './windows.ts'

/** Subscribers whose inputs decide what goes into a window have one each; the others share one. */
export function windowKey(provider: ProviderOf<'state_window'>, call: Call): WindowKey {
  const { definition, earlier, context } = call
  const names = inputsReferredBy(definition, earlier, context.inputs)
  const inputs = [...names].sort().map((name) => [name, readOwn(context.inputs, name) ?? null])
  const scope = digest([inputs, provider.partitionBy ?? null])
  return { trigger: context.trigger, provider: provider.id, scope }
}

/** What a window is made of: when its writer changes one of these, what it holds no longer fits. */
export function windowShape(definition: Provider): string {
  const of = (name: string) => readOwn(definition, name) ?? null
  return digest([of('dedupeBy'), of('partitionBy'), of('value'), of('valueType')])
}

/** A long value is known by its hash, so that what is kept stays small. */
export function entryKey(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null'
  return text.length <= 80 ? text : digest(text)
}

/** The inputs that a provider depends on, by itself or through the results of earlier ones; all, where it is not known. */
function inputsReferredBy(definition: Provider, earlier: readonly Provider[], inputs: Record<string, unknown>) {
  const names = new Set<string>()
  const visited = new Set<Provider>()
  const open = [definition]
  for (let provider = open.pop(); provider; provider = open.pop()) {
    if (visited.has(provider)) continue
    visited.add(provider)
    const script = provider.type === 'javascript' ? provider.source : ''
    if (/\binputs\b/.test(script)) for (const name of Object.keys(inputs)) names.add(name)
    if (/\bproviders\b/.test(script)) open.push(...earlier)
    for (const { segments } of referencesIn(provider)) {
      const [root, name = ''] = segments
      if (root === 'inputs') names.add(name)
      if (root === 'providers') open.push(...earlier.filter(({ id }) => id === name))
    }
  }
  return names
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url')
}

/** The provider state_window: the last values of a trigger per partition, with exact aggregates. */

import type { Provider } from '@tocsin/contract'
import { hashOf } from '../../base/json.ts'
import { readOwn } from '../../base/paths.ts'
import { referencesIn } from '../../base/placeholders.ts'
import { objectShape } from '../../sources/value-shape.ts'
import type { Call, ProviderOf } from '../context.ts'
import { providerRules } from '../rules.ts'
import { coerceValue } from './coerce.ts'
import { pushWindow, type WindowResult } from './window.ts'
import type { WindowKey } from './windows.ts'

export { pushWindow, takeBack, type WindowEntry, type WindowResult, type WindowState } from './window.ts'
export { copyWindows, type WindowKey, type Windows } from './windows.ts'

/** It stores every item, so its results are neither shared nor cached. */
export const stateWindow = providerRules('state_window', (provider) => ({
  call: (call) => pushStateWindow(provider, call),
  shapes: () => [
    objectShape('state window', [
      'current',
      'previous',
      'values',
      'count',
      'duplicate',
      'full',
      ...(provider.aggregate ?? []),
    ]),
  ],
  isRead: false,
  weight: 1,
  whyNoSecrets: 'a state window cannot use secrets: use them in an http, graphql or rpc provider',
  whyNoCache: 'a state window cannot be cached, because it must store every item',
}))

async function pushStateWindow(provider: ProviderOf<'state_window'>, call: Call): Promise<WindowResult> {
  const { windows, at } = call.context
  const { keepLast, aggregate } = provider
  const value = coerceValue(provider.value, provider.valueType ?? 'unknown')
  const key = windowKey(provider, call)
  const entry = { key: entryKey(provider.dedupeBy), value, ...(at && { block: at.hash }) }
  const shape = windowShape(call.definition)
  // Items of one trigger run in parallel, so load and save of one window must not interleave.
  return runSerially(windows, JSON.stringify(key), async () => {
    const { state, result } = pushWindow(await windows.load(key), entry, { keepLast, aggregate, shape })
    await windows.save(key, state)
    return result
  })
}

const queues = new WeakMap<object, Map<string, Promise<unknown>>>()

/** Runs work with the same owner and name one after the other. A failure does not stop the next. */
async function runSerially<T>(owner: object, name: string, work: () => Promise<T>): Promise<T> {
  const queue = queues.get(owner) ?? new Map<string, Promise<unknown>>()
  queues.set(owner, queue)
  const turn = (queue.get(name) ?? Promise.resolve()).then(work, work)
  queue.set(name, turn)
  try {
    return await turn
  } finally {
    if (queue.get(name) === turn) queue.delete(name)
  }
}

/** The key of a window. Inputs that influence the window are part of the key, so subscribers with equal inputs share a window. */
function windowKey(provider: ProviderOf<'state_window'>, call: Call): WindowKey {
  const { definition, earlier, context } = call
  const names = listInputsUsed(definition, earlier, context.inputs)
  const inputs = [...names].sort().map((name) => [name, readOwn(context.inputs, name) ?? null])
  const ofSource = context.boundSource ? [context.boundSource] : []
  const scope = digest([inputs, provider.partitionBy ?? null, ...ofSource])
  return { trigger: context.trigger, provider: provider.id, scope }
}

/** A hash of the fields that define the entries. If the author changes one of them, the old entries are dropped. */
function windowShape(definition: Provider): string {
  const fieldOf = (name: string) => readOwn(definition, name) ?? null
  return digest([fieldOf('dedupeBy'), fieldOf('partitionBy'), fieldOf('value'), fieldOf('valueType')])
}

/** A long value is stored as its hash, to keep the state small. */
function entryKey(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null'
  return text.length <= 80 ? text : digest(text)
}

/** Lists the inputs that a provider uses, directly or through earlier providers. A script that mentions `inputs` counts as using all. */
function listInputsUsed(definition: Provider, earlier: readonly Provider[], inputs: Record<string, unknown>) {
  const names = new Set<string>()
  const visited = new Set<Provider>()
  const open = [definition]
  for (let provider = open.pop(); provider; provider = open.pop()) {
    if (visited.has(provider)) continue
    visited.add(provider)
    const script = [provider.type === 'javascript' ? provider.source : '', provider.runIf ?? ''].join('\n')
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
  return hashOf(JSON.stringify(value))
}

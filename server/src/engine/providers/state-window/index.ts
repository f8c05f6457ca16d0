/** The provider state_window: the last values of a trigger per partition, with exact aggregates. */
import type { Call, ProviderOf } from '../context.ts'
import { coerceValue } from './coerce.ts'
import { entryKey, windowKey, windowShape } from './key.ts'
import { pushWindow, type WindowResult } from './window.ts'

export { pushWindow, takeBack, type WindowEntry, type WindowResult, type WindowState } from './window.ts'
export { copyWindows, type WindowKey, type Windows } from './windows.ts'

export async function pushStateWindow(provider: ProviderOf<'state_window'>, call: Call): Promise<WindowResult> {
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

import type { Provider } from '@tocsin/contract'
import { hashOf } from '../base/hash-of.ts'
import type { Call } from './context.ts'
import { requestOf } from './memo.ts'
import { retryOf } from './retry.ts'

/**
 * The trigger and the definition of the request are part of the key, so neither another trigger nor a changed request gets
 * the result; nor does a provider with another `retry`, which may not accept it. A script reads its whole context, so the context is part of its request.
 */
export function resultKey(provider: Provider, { context, definition, values, responseBytesMax }: Call): string {
  const scope = provider.type === 'javascript' ? [context.source, context.inputs, values] : []
  const key = provider.cache?.key ?? [requestOf(provider), scope]
  const request = [requestOf(definition), retryOf(provider)]
  return hashOf(JSON.stringify([context.trigger, context.boundSource, responseBytesMax, request, key]))
}

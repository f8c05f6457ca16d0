import { isObject } from '../base/is-object.ts'
import type { SourceItem } from '../base/source-item.ts'
import type { ItemDecimals } from '../conditions/index.ts'
import { contractOf } from '../message/index.ts'
import { UpstreamError } from '../outbound/upstream-error.ts'
import type { Connection } from '../sources/connection.ts'
import { compiledListener, type ListenerRules } from './compiled-listener.ts'
import type { SubscribedTrigger } from './listener.ts'

/**
 * Reads the decimals of the item's own token, if the conditions of a listener need them. The connection keeps them for good.
 * Null if the item has no contract, or its contract is no token. Throws if no node answers.
 */
export async function readItemDecimals(
  trigger: SubscribedTrigger,
  item: SourceItem,
  listeners: readonly ListenerRules[],
  connection: () => Promise<Connection>,
): Promise<ItemDecimals> {
  if (!listeners.some((listener) => compiledListener(trigger, listener).needsItemToken)) return undefined
  const contract = contractOf(item)
  if (contract === undefined) return null
  try {
    const token = await (await connection()).read({ id: 'token', type: 'token_metadata', contract }, undefined)
    return isObject(token) && typeof token.decimals === 'number' ? token.decimals : null
  } catch (error) {
    const isAnswer = error instanceof UpstreamError && (error.kind === 'refused' || error.kind === 'bad_answer')
    if (isAnswer) return null
    throw error
  }
}

import { isObject } from '../../base/is-object.ts'
import type { RpcAnswer } from '../../outbound/json-rpc.ts'
import type { UpstreamError } from '../../outbound/upstream-error.ts'
import type { SubscriptionListener } from './endpoint.ts'

/** The subscriptions of one socket by the id that the node assigned: a text, on Solana a number. */
export class Subscriptions {
  readonly #listeners = new Map<string, SubscriptionListener>()

  add(id: unknown, listener: SubscriptionListener): void {
    if (isSubscriptionId(id)) this.#listeners.set(String(id), listener)
  }

  /** Returns whether it existed. */
  remove(id: unknown): boolean {
    return this.#listeners.delete(String(id))
  }

  /** All chains use `{method, params: {subscription, result}}`. Other messages that were not requested are ignored. */
  handleNotice({ params }: RpcAnswer): void {
    if (isObject(params)) this.#listeners.get(String(params.subscription))?.onNotice(params.result)
  }

  end(error: UpstreamError): void {
    const ended = [...this.#listeners.values()]
    this.#listeners.clear()
    for (const { onEnd } of ended) onEnd(error)
  }
}

export function isSubscriptionId(id: unknown): id is string | number {
  return typeof id === 'string' || typeof id === 'number'
}

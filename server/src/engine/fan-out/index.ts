/**
 * Applies each listener to each output of a run: it checks the conditions, computes the keys and renders the message. It
 * writes nothing. The live loop, the subscription test and the backtest share it.
 */
import type { AlertPolicy } from '@tocsin/contract'
import type { SourceItem } from '../base/source-item.ts'
import { type ItemDecimals, OverBudget } from '../conditions/index.ts'
import {
  type MessageNetwork,
  messageContext,
  networkOfItem,
  type RenderedMessage,
  renderMessage,
} from '../message/index.ts'
import type { AddressBook } from '../render/addresses.ts'
import type { Output } from '../run-trigger/index.ts'
import { type CompiledListener, compiledListener, type ListenerRules } from './compiled-listener.ts'
import type { SubscribedTrigger } from './listener.ts'

export { type CompiledListener, compiledListener } from './compiled-listener.ts'
export { expandSubscription, fillPlaceholders, type TemplateToExpand, type UnboundListener } from './expand.ts'
export { type Interner, makeInterner } from './interner.ts'
export { isStatePolicy, type Listener, type StatePolicy, type SubscribedTrigger } from './listener.ts'
export { readItemDecimals } from './read-item-decimals.ts'
export { readMessageNetwork } from './read-message-network.ts'

export type FanOutInput<L extends ListenerRules> = {
  trigger: SubscribedTrigger
  item: SourceItem
  source: string | null
  block?: { number: number; hash: string; timestampMs?: number } | null
  outputs: readonly Output[]
  /** The decimals of the item's own token, if a listener needs them. */
  itemDecimals?: ItemDecimals
  /** The listeners whose inputs the run used. */
  listeners: readonly L[]
  addressBookOf(accountId: string): AddressBook | undefined
  /** The network of the item, for templates that show links and tokens. */
  network?: MessageNetwork | undefined
  /** The public URL of the service. */
  publicUrl: string
  /** If true for a listener, outputs that do not meet its conditions are included. */
  keepsUnmet?(listener: L): boolean
  /** Called when the conditions of a listener could not be evaluated, so that it gets no alert. */
  onIssue(issue: string): void
}

/** One output with one listener. */
export type ListenerOutput<L extends ListenerRules> = {
  compiled: CompiledListener<L>
  output: Output
  outputIndex: number
  isMet: boolean
  render(policy?: AlertPolicy | null): RenderedMessage
}

export function fanOut<L extends ListenerRules>(input: FanOutInput<L>): ListenerOutput<L>[] {
  const { trigger, outputs, listeners, keepsUnmet } = input
  const results: ListenerOutput<L>[] = []
  for (const [outputIndex, output] of outputs.entries())
    for (const listener of listeners) {
      const compiled = compiledListener(trigger, listener)
      const isMet = isMetBy(input, compiled, output)
      if (isMet || keepsUnmet?.(listener))
        results.push({
          compiled,
          output,
          outputIndex,
          isMet,
          render: (policy) => renderFor(input, compiled, output, policy),
        })
    }
  return results
}

function isMetBy<L extends ListenerRules>(
  { item, itemDecimals, onIssue }: FanOutInput<L>,
  { isMet }: CompiledListener<L>,
  { raw }: Output,
): boolean {
  try {
    return isMet(raw, item, itemDecimals)
  } catch (error) {
    if (!(error instanceof OverBudget)) throw error
    onIssue(`the conditions of a subscription ${error.message}`)
    return false
  }
}

function renderFor<L extends ListenerRules>(
  { trigger, item, source, block, addressBookOf, network, publicUrl }: FanOutInput<L>,
  { templates, usesAddresses, listener }: CompiledListener<L>,
  output: Output,
  policy: AlertPolicy | null | undefined,
): RenderedMessage {
  const at = { source, ...(block !== undefined && { block }), ...(policy && { policy }) }
  const context = messageContext({ trigger, item, output, ...at })
  const addressBook = usesAddresses ? addressBookOf(listener.accountId) : undefined
  return renderMessage(templates, context, { addressBook, network: network && networkOfItem(network, item), publicUrl })
}

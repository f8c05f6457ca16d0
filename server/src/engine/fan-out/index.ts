/**
 * From the outputs of a run to each listener: are its conditions met, under which keys, with what message. Nothing is
 * written. The live loop, the test of a subscription and the backtest share it.
 */
import type { SourceItem } from '../base/source-item.ts'
import { messageContext, type RenderedMessage, renderMessage } from '../message/index.ts'
import type { AddressBook } from '../render/addresses.ts'
import type { Output } from '../run-trigger/index.ts'
import { type CompiledListener, compiledListener, type JudgingListener } from './compiled-listener.ts'
import type { HeardTrigger } from './listener.ts'

export { type CompiledListener, compiledListener } from './compiled-listener.ts'
export { expandSubscription, type TemplateToExpand, type UnboundListener } from './expand.ts'
export type { HeardTrigger, Listener } from './listener.ts'
export { makeSharing, type Sharing } from './share.ts'

export type FanOut<L extends JudgingListener> = {
  trigger: HeardTrigger
  item: SourceItem
  source: string | null
  block?: { number: number; hash: string; timestampMs?: number } | null
  outputs: readonly Output[]
  /** Those whose inputs the run had. */
  listeners: readonly L[]
  addressBookOf(accountId: string): AddressBook | undefined
  /** Where people reach the service. */
  publicUrl: string
  /** Outputs that do not meet a listener's conditions are left out, unless this is true for the listener. */
  keepsUnmet?(listener: L): boolean
}

/** One output for one listener. */
export type FannedOut<L extends JudgingListener> = {
  compiled: CompiledListener<L>
  output: Output
  outputIndex: number
  isMet: boolean
  render(): RenderedMessage
}

export function fanOut<L extends JudgingListener>(work: FanOut<L>): FannedOut<L>[] {
  const { trigger, item, outputs, listeners, keepsUnmet } = work
  const fannedOut: FannedOut<L>[] = []
  for (const [outputIndex, output] of outputs.entries())
    for (const listener of listeners) {
      const compiled = compiledListener(trigger, listener)
      const isMet = compiled.isMet(output.raw, item)
      if (isMet || keepsUnmet?.(listener))
        fannedOut.push({ compiled, output, outputIndex, isMet, render: () => messageFor(work, compiled, output) })
    }
  return fannedOut
}

function messageFor<L extends JudgingListener>(
  { trigger, item, source, block, addressBookOf, publicUrl }: FanOut<L>,
  { templates, usesAddresses, listener }: CompiledListener<L>,
  output: Output,
): RenderedMessage {
  const context = messageContext({ trigger, item, output, source, ...(block !== undefined && { block }) })
  const addressBook = usesAddresses ? addressBookOf(listener.accountId) : undefined
  return renderMessage(templates, context, { addressBook, publicUrl })
}

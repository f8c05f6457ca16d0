import type { SourceItem } from '../base/source-item.ts'
import type { ItemDecimals } from '../conditions/index.ts'
import { contractOf, type MessageNetwork, messageContext, renderMessage, type TokenTable } from '../message/index.ts'
import { UpstreamError } from '../outbound/upstream-error.ts'
import type { Output } from '../run-trigger/index.ts'
import type { Connection } from '../sources/connection.ts'
import type { SourceAddress } from '../sources/connections.ts'
import { type CompiledListener, compiledListener, type ListenerRules } from './compiled-listener.ts'
import type { SubscribedTrigger } from './listener.ts'

type Run<L extends ListenerRules> = {
  item: SourceItem
  outputs: readonly Output[]
  listeners: readonly L[]
  itemDecimals?: ItemDecimals
  keepsUnmet?: boolean
}
type Source = {
  addressOf(): Promise<SourceAddress>
  connection(): Promise<Connection>
  tokens: TokenTable
}

/** The most tokens that are read for some runs together, and for one message. Further amounts are shown as they are on the chain. */
const tokensMax = 200
const tokensOfMessageMax = 20

/**
 * Reads what the messages of some runs show of their network. Templates cannot wait for a node, so the tokens are read
 * before. Undefined if no template needs the network, or if the source cannot be used.
 */
export async function readMessageNetwork<L extends ListenerRules>(
  trigger: SubscribedTrigger,
  runs: readonly Run<L>[],
  source: Source,
): Promise<MessageNetwork | undefined> {
  const isUsed = runs.some(({ listeners }) =>
    listeners.some((listener) => compiledListener(trigger, listener).networkUse !== 'none'),
  )
  if (!isUsed) return undefined
  const address = await addressOrNone(source)
  if (!address) return undefined
  const contracts = new Set(runs.flatMap((run) => contractsOf(trigger, run)).slice(0, tokensMax))
  const tokenOf = await source.tokens.load({ address, connection: source.connection }, contracts)
  return { facts: address, tokenOf }
}

/** A message is sent without links and symbols if the source is gone. */
async function addressOrNone({ addressOf }: Source): Promise<SourceAddress | undefined> {
  try {
    return await addressOf()
  } catch (error) {
    if (error instanceof UpstreamError) return undefined
    throw error
  }
}

function contractsOf<L extends ListenerRules>(
  trigger: SubscribedTrigger,
  { item, outputs, listeners, itemDecimals, keepsUnmet }: Run<L>,
): string[] {
  const found = new Set<string>()
  for (const output of outputs) {
    const rendered = new Set<string>()
    for (const listener of listeners) {
      const compiled = compiledListener(trigger, listener)
      if (!compiled.networkUse.endsWith('token') || !(keepsUnmet || compiled.isMet(output.raw, item, itemDecimals)))
        continue
      const contract = contractOf(item)
      if (contract !== undefined) found.add(contract)
      if (compiled.networkUse === 'any-token') addNamed(found, rendered, { trigger, item, output, compiled })
    }
  }
  return [...found]
}

type Message = {
  trigger: SubscribedTrigger
  item: SourceItem
  output: Output
  compiled: CompiledListener<ListenerRules>
}

/** Renders the message once without tokens, to see which ones its templates ask for. Equal templates ask for the same. */
function addNamed(found: Set<string>, rendered: Set<string>, { trigger, item, output, compiled }: Message): void {
  const key = JSON.stringify(compiled.templates)
  if (rendered.has(key)) return
  rendered.add(key)
  const asked = new Set<string>()
  const tokenOf = (token?: string) => {
    if (token !== undefined && token !== 'native' && asked.size < tokensOfMessageMax) asked.add(token)
    return undefined
  }
  renderMessage(compiled.templates, messageContext({ trigger, item, output }), {
    network: { linkTo: () => '', tokenOf },
  })
  for (const token of asked) found.add(token)
}

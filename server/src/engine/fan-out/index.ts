/**
 * Applies each listener to each output of a run: it checks the conditions, computes the keys and renders the message. It
 * writes nothing. The live loop, the subscription test and the backtest share it.
 */

import { type AlertPolicy, itemToken } from '@tocsin/contract'
import { isObject } from '../base/json.ts'
import { renderPlaceholders } from '../base/placeholders.ts'
import type { SourceItem } from '../base/source-item.ts'
import { OverBudget } from '../conditions/budget.ts'
import type { TokenDecimals } from '../conditions/predicate.ts'
import {
  contractOf,
  type MessageNetwork,
  messageContext,
  networkOfItem,
  type RenderedMessage,
  renderMessage,
  type TokenTable,
} from '../message/index.ts'
import { UpstreamError } from '../outbound/upstream-error.ts'
import type { AddressBook } from '../render/addresses.ts'
import { noNetwork } from '../render/render-template.ts'
import type { Output } from '../run-trigger/index.ts'
import type { Connection } from '../sources/connection.ts'
import type { SourceAddress } from '../sources/connections.ts'
import { type CompiledListener, compiledListener, type ListenerRules, type SubscribedTrigger } from './listener.ts'

export { expandSubscription, fillPlaceholders, type TemplateToExpand, type UnboundListener } from './expand.ts'
export { type Interner, makeInterner } from './interner.ts'
export { type CompiledListener, compiledListener, type Listener, type SubscribedTrigger } from './listener.ts'

export type FanOutInput<L extends ListenerRules> = {
  trigger: SubscribedTrigger
  item: SourceItem
  source: string | null
  block?: { number: number; hash: string; timestampMs?: number } | null
  outputs: readonly Output[]
  /** The decimals of the tokens that the listeners name, if they name any. */
  itemDecimals?: TokenDecimals | undefined
  /** The listeners whose inputs the run used. */
  listeners: readonly L[]
  addressBookOf(listener: L): AddressBook | undefined
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
  { trigger, item, itemDecimals, source, block, addressBookOf, network, publicUrl }: FanOutInput<L>,
  { templates, usesAddresses, listener }: CompiledListener<L>,
  output: Output,
  policy: AlertPolicy | null | undefined,
): RenderedMessage {
  const at = { source, ...(block !== undefined && { block }), ...(policy && { policy }) }
  const context = messageContext({ trigger, item, output, ...at })
  const addressBook = usesAddresses ? addressBookOf(listener) : undefined
  const { filtersSchema } = trigger.definition
  const severityScope = { item, inputs: listener.inputs, filtersSchema, tokens: itemDecimals }
  const shown = network && networkOfItem(network, item)
  return renderMessage(templates, context, { addressBook, network: shown, publicUrl, severityScope })
}

/**
 * Reads the decimals of the tokens that the conditions and the policies of listeners name. The connection keeps them for
 * good. Null for what is no token. Undefined if no listener names one. Throws if no node answers.
 */
export async function readItemDecimals(
  trigger: SubscribedTrigger,
  item: SourceItem,
  listeners: readonly ListenerRules[],
  connection: () => Promise<Connection>,
): Promise<TokenDecimals | undefined> {
  const names = new Set(listeners.flatMap((listener) => compiledListener(trigger, listener).tokens))
  if (names.size === 0) return undefined
  const decimals = new Map<string, number | null>()
  for (const name of [...names].slice(0, tokensOfItemMax))
    decimals.set(name, await readDecimals(name, item, connection))
  return decimals
}

/** Each subscriber may name another token. */
const tokensOfItemMax = 100

async function readDecimals(name: string, item: SourceItem, connection: () => Promise<Connection>) {
  const contract = name === itemToken ? contractOf(item) : renderedName(name, item)
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

/** A token may be named by a value of the item, such as `{{source.params.token}}`. */
function renderedName(name: string, item: SourceItem): string | undefined {
  const rendered = renderPlaceholders(name, { source: item, inputs: {}, providers: {} })
  return rendered.ok && typeof rendered.value === 'string' ? rendered.value : undefined
}

type Run<L extends ListenerRules> = {
  item: SourceItem
  outputs: readonly Output[]
  listeners: readonly L[]
  itemDecimals?: TokenDecimals | undefined
  keepsUnmet?: boolean
}
type Source = {
  addressOf(): Promise<SourceAddress>
  connection(): Promise<Connection>
  tokens: TokenTable
  /** What contracts and their roles are called on the source, as earlier look-ups found it. */
  findNames(hashes: readonly string[]): Promise<ReadonlyMap<string, string>>
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
  const names = await source.findNames(hashesIn(runs))
  return { facts: address, tokenOf, nameOf: (text) => names.get(text.toLowerCase()) }
}

/** Names are looked up for so many addresses and hashes of some runs together. */
const hashesMax = 1_000
const hash = /^0x(?:[0-9a-f]{40}|[0-9a-f]{64})$/i

/** The addresses and hashes in the outputs, in lower case. */
function hashesIn(runs: readonly Pick<Run<ListenerRules>, 'outputs'>[]): string[] {
  const found = new Set<string>()
  const waiting: unknown[] = runs.flatMap(({ outputs }) => outputs.map(({ raw }) => raw))
  for (let at = 0; at < waiting.length && at < hashesMax && found.size < hashesMax; at++) {
    const value = waiting[at]
    if (typeof value === 'string' && hash.test(value)) found.add(value.toLowerCase())
    else if (typeof value === 'object' && value !== null) waiting.push(...Object.values(value).slice(0, hashesMax))
  }
  return [...found]
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
    network: { ...noNetwork, linkTo: () => '', tokenOf },
  })
  for (const token of asked) found.add(token)
}

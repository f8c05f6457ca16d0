/** Renders the message of an output from the trigger's templates and the subscription's overrides. */

import { base58 } from '@scure/base'
import { type AlertPolicy, type Defaults, isWebPage, type Message, type Overrides, Severity } from '@tocsin/contract'
import { cleanLine, cleanText, cleanTitle } from '../base/clean-text.ts'
import { isObject } from '../base/json.ts'
import { isBlockItem, itemBlock, type SourceItem } from '../base/source-item.ts'
import type { AddressBook } from '../render/addresses.ts'
import { makeSteps } from '../render/budget.ts'
import { showDecision } from '../render/decided.ts'
import type { ShownNetwork } from '../render/helper-call.ts'
import type { Call } from '../render/parse-template.ts'
import { findCalls } from '../render/parsed-templates.ts'
import { type RenderOptions, renderTemplate } from '../render/render-template.ts'
import { rulesOf } from '../sources/chains.ts'
import { itemTimeMs } from '../sources/item-time.ts'
import { explorerLink, type NetworkFacts, nativeToken } from '../sources/network-facts.ts'
import { plainText } from './plain-text.ts'
import { type DecidedSeverity, decideSeverity, type SeverityScope, severityOfText } from './severity.ts'
import type { ShownToken } from './token-table.ts'

export { severityNeedsToken } from './severity.ts'
export { makeTokenTable, type TokenTable } from './token-table.ts'

export type RenderedMessage = {
  message: Message
  severity: Severity
  /** Which rule of the severity decided, counted from 0. */
  severityRule?: number | undefined
  issues: string[]
}

/** The steps of all templates of a message together, and the characters of each. */
const stepsMax = 50_000
const outputMax = 20_000
const textFields = ['short', 'long'] as const
const imageFields = ['icon', 'cover', 'avatar'] as const
/** The path of an uploaded image, as the API returns it. */
const uploadPath = /^\/api\/(?:projects\/[^/?#]+\/images|workspaces\/[^/?#]+\/avatar)\/[^/?#]+$/

export type MessageOptions = {
  addressBook?: RenderOptions['addressBook'] | undefined
  network?: RenderOptions['network'] | undefined
  /** The public URL of the service. A receiver needs it to load an uploaded image. */
  publicUrl?: string | undefined
  /** What a severity by conditions may name. */
  severityScope?: (SeverityScope & { item: SourceItem }) | undefined
}

/**
 * Always returns a message. A field that cannot be rendered is left out and reported as an issue. Without a title it uses the
 * trigger's title. If a text costs too much and no other one is left, the message shows the values of the output in a plain
 * form, which is always cheap: an alert is never lost because of its template. The severity comes first, so that texts that
 * cost too much do not make an alert less serious. The texts are clean here, so that programs get them as people do.
 */
export function renderMessage(
  templates: Templates,
  context: MessageContext,
  { addressBook, network, publicUrl = '', severityScope }: MessageOptions = {},
): RenderedMessage {
  const issues: string[] = []
  const steps = makeSteps(stepsMax)
  const options = { steps, outputMax, ...(addressBook && { addressBook }), ...(network && { network }) }
  let isPlain = false
  const render = (name: string, template: string): string => {
    if (!template.includes('{{')) return template.slice(0, outputMax)
    const rendered = renderTemplate(template, context, options)
    if (rendered.ok) return rendered.text
    issues.push(`${name} ${rendered.issue}`)
    isPlain ||= rendered.isOverBudget
    return ''
  }
  const severity = severityOf(templates.severity ?? 'info', context, severityScope, render)
  const title = cleanTitle(render('title', templates.title ?? ''))
  const message: Message = { title: title === '' ? cleanTitle(context.meta.title) : title }
  for (const field of textFields) {
    const text = cleanText(templates[field] === undefined ? '' : render(field, templates[field]))
    if (text !== '') message[field] = text
  }
  if (message.short === undefined && message.long === undefined) {
    const text = isPlain ? cleanText(plainText(context.raw)) : showDecision(context.policy, '')
    if (text !== '') message.short = text
  }
  for (const field of imageFields) {
    const text = templates[field] === undefined ? '' : render(field, templates[field])
    const url = text.trim()
    if (url !== '') message[field] = uploadPath.test(url) ? `${publicUrl}${url}` : text
  }
  addLinks(message, [...(templates.links ?? []), ...runbookLink(context)], render)
  if (severity.issue !== undefined) issues.push(severity.issue)
  return { message, severity: severity.value, severityRule: severity.rule, issues }
}

function severityOf(
  severity: NonNullable<Templates['severity']>,
  { raw, human, policy }: MessageContext,
  { item = {}, ...scope }: Partial<NonNullable<MessageOptions['severityScope']>> = {},
  render: (name: string, template: string) => string,
): DecidedSeverity {
  if (typeof severity === 'string') return severityOfText(render('severity', severity))
  return decideSeverity(severity, { raw, human, policy, item }, scope)
}

/** Templates cannot be in it, so it is passed as the result of one. */
function runbookLink({ meta: { runbook } }: MessageContext): { title: string; url: string }[] {
  return runbook !== undefined && isWebPage(runbook) ? [{ title: 'Runbook', url: '{{meta.runbook}}' }] : []
}

/** Only web links: data from the chain must not become a link that runs something. */
function addLinks(
  message: Message,
  links: NonNullable<Templates['links']>,
  render: (name: string, template: string) => string,
): void {
  const rendered = links.map(({ title, url }) => ({
    title: cleanLine(render('links', title)),
    url: render('links', url).trim(),
  }))
  const usable = rendered.filter(({ url }) => isWebAddress(url))
  if (usable.length > 0) message.links = usable
}

function isWebAddress(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
}

export type AddressEntry = { address: string; normal: string; alias: string }

/** Finds the alias of an address in an output. Hex addresses match in any case; base58 addresses are case-sensitive. */
export function makeAddressBook(entries: readonly AddressEntry[]): AddressBook {
  const byAddress = new Map<string, string>()
  for (const { address, normal, alias } of entries) {
    byAddress.set(keyOf(normal), alias)
    byAddress.set(keyOf(address), alias)
  }
  return (address) => byAddress.get(keyOf(address)) ?? byAddress.get(publicKeyOf(address) ?? '')
}

/** Each Substrate network writes the same account differently, so the address book stores its public key. */
function publicKeyOf(address: string): string | undefined {
  if (!/^[1-9A-HJ-NP-Za-km-z]{46,50}$/.test(address)) return undefined
  const bytes = base58.decode(address)
  const prefixLength = (bytes[0] ?? 0) < 64 ? 1 : 2
  return `0x${Buffer.from(bytes.subarray(prefixLength, -2)).toString('hex')}`
}

/** Only these helpers show addresses, so most messages need not load it. */
export function mayUseAddresses(templates: Templates): boolean {
  return /\b(?:address|make|yaml|name|event|values)\b/.test(JSON.stringify(templates))
}

function keyOf(address: string): string {
  return /^0x[0-9a-f]+$/i.test(address) ? address.toLowerCase() : address
}

const firstTitlesMax = 5
const longMax = 20_000

/** Makes one message for many: their number, the first titles, and a list of those that are given. */
export function digestMessage(title: string, messages: readonly Message[], count: number): Message {
  const countText = `${count} ${count === 1 ? 'alert' : 'alerts'}`
  const firstTitles = messages.slice(0, firstTitlesMax).map((message) => message.title)
  const more = count - firstTitles.length
  return {
    title: `${title}: ${countText}`,
    short: [...firstTitles, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'),
    long: listMessages(messages, count),
  }
}

/** Lists whole entries, as many as fit. */
function listMessages(messages: readonly Message[], count: number): string {
  const lines: string[] = []
  let length = 0
  for (const [index, { title, short }] of messages.entries()) {
    const line = `${index + 1}. ${title}${short === undefined ? '' : `: ${short.replaceAll(/\s+/g, ' ')}`}`
    length += line.length + 1
    if (length > longMax) break
    lines.push(line)
  }
  const more = count - lines.length
  return (more > 0 ? [...lines, `… and ${more} more`] : lines).join('\n')
}

/** A digest is as serious as the most serious alert in it. */
export function digestSeverity(severities: readonly Severity[]): Severity {
  return Severity.options.findLast((one) => severities.includes(one)) ?? 'info'
}

/** The network of some items, with the metadata of the tokens that their messages show. */
export type MessageNetwork = {
  facts: NetworkFacts
  /** Undefined if the token could not be read. */
  tokenOf(contract: string): ShownToken | undefined
  /** What a contract or a role of it is called, by an earlier look-up. */
  nameOf(text: string): string | undefined
}

/** The name of the native currency in the helper `token`. */
const native = 'native'

/** The network as the templates of one item see it. */
export function networkOfItem({ facts, tokenOf, nameOf }: MessageNetwork, item: SourceItem): ShownNetwork {
  const rules = rulesOf(facts.kind)
  return {
    linkTo: (value) => explorerLink(facts, value),
    tokenOf(token = contractOf(item)) {
      if (token === undefined) return undefined
      return token === native ? nativeToken(facts) : tokenOf(token)
    },
    nameOf: (text) => nameOf(text) ?? (text === contractOf(item) ? (tokenOf(text)?.symbol ?? undefined) : undefined),
    knownName: (text) => rules.knownName?.(text),
    tellEvent: (told) => rules.tellEvent?.({ ...told, contract: contractOf(item), atSeconds: secondsAt(item) }),
  }
}

function secondsAt(item: SourceItem): number | undefined {
  const atMs = itemTimeMs(item)
  return atMs === undefined ? undefined : atMs / 1000
}

/** The contract of an EVM log or call. Other items have none, so their templates name the token. */
export function contractOf({ address }: SourceItem): string | undefined {
  return typeof address === 'string' ? address : undefined
}

/** How templates use the network: not at all, without its tokens, the contract of the item, or other tokens too. */
export type NetworkUse = 'none' | 'network' | 'item-token' | 'any-token'

export function networkUseOf({ links = [], ...texts }: Templates): NetworkUse {
  const calls = [...Object.values(texts).filter(isText), ...links.flatMap(({ title, url }) => [title, url])].flatMap(
    findCalls,
  )
  const uses = (...names: string[]) => calls.some(({ name }) => names.includes(name))
  if (calls.some(({ name, call }) => name === 'token' && namesToken(call))) return 'any-token'
  if (uses('token', 'event')) return 'item-token'
  return uses('explorer', 'block', 'name', 'values') ? 'network' : 'none'
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function namesToken({ params, hash }: Call): boolean {
  return params.length > 1 || (hash?.pairs ?? []).some(({ key }) => key === 'token')
}

export type Templates = Omit<Defaults, 'delivery'>

/** Each field of the subscription's overrides replaces the trigger's default. */
export function templatesOf(defaults: unknown, overrides: Overrides): Templates {
  const { delivery: _delivery, ...texts } = (defaults ?? {}) as Defaults
  return { ...texts, ...overrides }
}

/** The data that templates can use: the output, its trigger and source, and its position on the chain. */
export type MessageContext = {
  raw: unknown
  human: unknown
  meta: { title: string; trigger: string; project: string; source?: string; runbook?: string }
  block?: Record<string, unknown>
  /** What the policy of the subscription decided by. */
  policy?: AlertPolicy
  index?: unknown
  /** The hash of the transaction. */
  hash?: unknown
}
type MessageSource = {
  trigger: { title: string; fullname: string; project: string; runbook?: string | null | undefined }
  item: SourceItem
  output: { raw: unknown; human: unknown }
  source?: string | null
  block?: { number: number; hash: string; timestampMs?: number } | null
  policy?: AlertPolicy | null
}

export function messageContext({ trigger, item, output, source, block, policy }: MessageSource): MessageContext {
  const { title, fullname, project, runbook } = trigger
  const at = itemBlock(item) ?? (block ? { ...block, timestamp: secondsOf(block.timestampMs) } : undefined)
  const hash = transactionHashOf(item)
  return {
    raw: output.raw,
    human: output.human,
    meta: { title, trigger: fullname, project, ...(source && { source }), ...(runbook && { runbook }) },
    ...(at && { block: at }),
    ...(policy && { policy }),
    ...(item.index !== undefined && { index: item.index }),
    ...(hash !== undefined && { hash }),
  }
}

function transactionHashOf(item: SourceItem): unknown {
  const { transactionHash, hash, transaction } = item
  if (isBlockItem(item)) return undefined
  return transactionHash ?? hash ?? (isObject(transaction) ? transaction.signature : undefined)
}

function secondsOf(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : Math.floor(ms / 1000)
}

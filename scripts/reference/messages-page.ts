/** The message of each core action and of each policy, as the channels show it. */
import {
  type AlertPolicy,
  type ChannelPreview,
  type CoreAction,
  type Message,
  OutputSchema,
  type Severity,
  Transform,
} from '@tocsin/contract'
import type * as z from 'zod'
import { type AlertContext, previewAll } from '../../server/src/engine/destinations/index.ts'
import {
  digestMessage,
  messageContext,
  networkOfItem,
  renderMessage,
  templatesOf,
} from '../../server/src/engine/message/index.ts'
import { copyWindows } from '../../server/src/engine/providers/index.ts'
import { runTrigger } from '../../server/src/engine/run-trigger/index.ts'
import { startScripts } from '../../server/src/engine/script/index.ts'
import { listCoreActions } from '../../server/src/engine/sources/core-actions.ts'
import { blockRefOf } from '../../server/src/engine/sources/item-time.ts'
import { type NetworkFacts, nativeToken, networkFacts } from '../../server/src/engine/sources/network-facts.ts'
import { absenceTexts } from '../../server/src/runtime/evaluate/policies/states/event-alerts.ts'
import { people, type Sample, sampleOf, seconds } from './message-samples.ts'

/** One message in all channels. `network` is the title that it must say; null for a timer, which has none. */
export type ShownInChannels = {
  name: string
  message: Message
  network: string | null
  channels: z.output<typeof ChannelPreview>[]
}

const networks: Readonly<Record<string, { title: string; facts: NetworkFacts }>> = {
  evm: { title: 'Ethereum', facts: networkFacts('evm', { chainId: '1' }) },
  substrate: {
    title: 'Polkadot',
    facts: networkFacts('substrate', {
      genesisHash: '0x91b171bb158e2d3848fa23a9f1c25182fb8e20313b2c1eb49219da7a70ce90c3',
    }),
  },
  solana: {
    title: 'Solana',
    facts: networkFacts('solana', { genesisHash: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d' }),
  },
}
const tokens: Readonly<Record<string, { symbol: string; decimals: number }>> = {
  [people.usdc]: { symbol: 'USDC', decimals: 6 },
  [people.weth]: { symbol: 'WETH', decimals: 18 },
  [people.mint]: { symbol: 'USDC', decimals: 6 },
}
const book: Readonly<Record<string, string>> = {
  ...{ [people.ann]: 'Ann', [people.treasury]: 'Treasury', [people.vault]: 'Vault X' },
  [people.polkadot]: 'Validator 7',
}

const since = '2026-11-19T11:50:00.000Z'
/** What each policy decides by, in the samples. Policies that the list does not have are shown by their type alone. */
export const decisions: Readonly<Record<string, AlertPolicy>> = {
  throttle: { type: 'throttle', within: '1m', since, suppressed: 37 },
  monitor: { type: 'monitor', for: '10m', since },
  threshold: { type: 'threshold', bound: '100', value: '50', for: '10m', since },
  change: {
    type: 'change',
    bound: '10%',
    value: '875000',
    previous: '1000000',
    changePercent: -12.5,
    within: '1h',
    since,
  },
  rate: { type: 'rate', bound: '10%', value: '1150000', previous: '1000000', changePercent: 15, within: '1h', since },
  sum: { type: 'sum', bound: '1000000', value: '1250000', count: 12, within: '1h', since },
  count: { type: 'count', bound: 5, count: 7, within: '10m', since },
  absence: { type: 'absence', within: '1h', since, lastAt: since },
}

export type Rendered = Sample & { action: CoreAction; output: { raw: unknown; human: unknown } }

/** Runs the transform of each core action on its sample, in the sandbox. */
export async function runSamples(): Promise<Rendered[]> {
  const scripts = startScripts({ children: 1 })
  try {
    const done: Rendered[] = []
    for (const action of listCoreActions()) {
      const sample = await sampleOf(action)
      done.push({ ...sample, action, output: await outputOf(action, sample, scripts) })
    }
    return done
  } finally {
    await scripts.close()
  }
}

async function outputOf(
  { type, kind, transform, outputSchema }: CoreAction,
  { item, inputs, providersData }: Sample,
  scripts: ReturnType<typeof startScripts>,
): Promise<Rendered['output']> {
  const trigger = {
    ...{ providers: [], activation: null, executionPolicy: null },
    transform: Transform.nullable().parse(transform ?? null),
    outputSchema: OutputSchema.optional().parse(outputSchema),
  }
  const { facts } = networks[kind] ?? {}
  const native = facts && nativeToken(facts)
  const networkOf = async () => () => (native ? { native } : undefined)
  const never = () => {
    throw new Error(`The sample of ${type} asks a node.`)
  }
  const asked = { scripts, windows: copyWindows(), trigger: 'sample', door: { fetch: never, webSocket: never } }
  const input = { source: item, inputs, nowMs: seconds * 1000, providersData }
  const context = { scripts, outputsMax: 1, networkOf, providers: { ...asked, connection: never } }
  const [run] = await runTrigger(trigger, [input], context)
  const [output] = run?.kind === 'output' ? run.outputs : []
  if (!output) throw new Error(`The sample of ${type} has no output: ${JSON.stringify(run)}`)
  return output
}

/** The message of a core action, without a policy or with what one decided by. */
export function showMessage({ action, item, output }: Rendered, policy?: AlertPolicy): ShownInChannels {
  const network = networks[action.kind]
  const trigger = {
    title: action.title,
    fullname: `acme.watch.${action.type.replaceAll('_', '-')}`,
    project: 'acme.watch',
  }
  const context = messageContext({ trigger, item, output, source: null, ...(policy && { policy }) })
  const { message, severity, issues } = renderMessage(templatesOf(action.defaults, {}), context, {
    addressBook: (text) => book[text],
    ...(network && {
      network: networkOfItem(
        { facts: network.facts, tokenOf: (token) => tokens[token], nameOf: () => undefined },
        item,
      ),
    }),
  })
  if (issues.length > 0) throw new Error(`${action.type}: ${issues.join(', ')}`)
  const name = policy ? `${action.type} with ${policy.type}` : action.type
  return inChannels(name, message, {
    severity,
    trigger: trigger.fullname,
    network: network?.title,
    block: blockRefOf(item),
  })
}

type Place = {
  severity: Severity
  trigger: string
  network: string | undefined
  block?: AlertContext['block'] | undefined
}

function inChannels(name: string, message: Message, { severity, trigger, network, block }: Place): ShownInChannels {
  const alert: AlertContext = {
    ...{ alertId: 'al_1', workspace: 'acme', project: 'acme.watch', trigger, severity, state: null, backfilled: false },
    ...{ rawJson: '{}', humanJson: '{}', createdAt: new Date(seconds * 1000), itemAt: new Date(seconds * 1000) },
    ...(network !== undefined && { network }),
    ...(block && { block }),
    url: 'https://tocsin.example/w/acme/alerts/al_1',
  }
  return { name, message, network: network ?? null, channels: previewAll(message, alert) }
}

/** A message that no item caused has texts of its own. */
export function showAbsence({ action }: Rendered): ShownInChannels {
  const raw = { lastAt: since, within: '1h' }
  const trigger = { title: action.title, fullname: 'acme.watch.heartbeat', project: 'acme.watch' }
  const context = messageContext({ trigger, item: raw, output: { raw, human: raw }, policy: decisions.absence ?? null })
  const { message } = renderMessage(absenceTexts, context)
  return inChannels('absence', message, { severity: 'warning', trigger: trigger.fullname, network: 'Ethereum' })
}

/** A digest names the alerts that it collected. */
export function showDigest(rendered: readonly ShownInChannels[]): ShownInChannels {
  const messages = rendered.map(({ message }) => message)
  const place = { severity: 'warning' as const, trigger: 'acme.watch.transfers', network: 'Ethereum' }
  return inChannels('digest', digestMessage('Transfers', messages, 40), place)
}

/** The core action that shows a policy. */
const shownWith: Readonly<Record<string, string>> = {
  throttle: 'erc20_transfer',
  monitor: 'native_balance',
  threshold: 'native_balance',
  change: 'contract_value_change',
  rate: 'contract_value_change',
  sum: 'erc20_transfer',
  count: 'too_many',
  absence: 'nothing_happened',
}

export async function messageParts(): Promise<string[]> {
  const samples = await runSamples()
  const byType = new Map(samples.map((sample) => [sample.action.type, sample]))
  const withPolicies = Object.entries(decisions).flatMap(([type, policy]) => {
    const sample = byType.get(shownWith[type] ?? '')
    if (!sample) return []
    return partOf(type === 'absence' ? showAbsence(sample) : showMessage(sample, policy))
  })
  const transfers = samples
    .filter(({ action }) => action.type.endsWith('_transfer'))
    .map((sample) => showMessage(sample))
  return [
    'The message that each core action makes without any change, with the names of an address book. Channels that show the same are in one row. Every message ends with the network, the block, its time and the trigger, and links to the alert.',
    '## Core actions',
    ...samples.map((sample) => partOf(showMessage(sample))),
    '## Policies',
    ...withPolicies,
    partOf(showDigest(transfers)),
  ]
}

function partOf({ name, message, channels }: ShownInChannels): string {
  const rows = Map.groupBy(
    channels.flatMap(({ blueprint, shown, body }) => {
      const texts = shown ?? {
        title: titleIn(body) ?? message.title,
        text: message.long ?? message.short ?? '',
        links: message.links ?? [],
      }
      const links = texts.links.map(({ title }) => title).join(', ')
      return {
        channel: blueprint.replace('common.delivery.', ''),
        cells: [texts.title, texts.text, links, shown?.footer ?? ''],
      }
    }),
    ({ cells }) => cells.join('\0').replaceAll('\u2060', ''),
  )
  const lines = [...rows.values()].map((same) => {
    const cells = (same[0]?.cells ?? []).map((cell) =>
      cell.replaceAll('\u2060', '').replaceAll('|', '\\|').replaceAll('\n', '<br>'),
    )
    return `| ${[same.map(({ channel }) => channel).join(', '), ...cells].join(' | ')} |`
  })
  return [`### ${name}`, '', '| channels | title | text | links | last line |', '|---|---|---|---|---|', ...lines].join(
    '\n',
  )
}

function titleIn(body: unknown): string | undefined {
  const data: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'data') : undefined
  const message: unknown = typeof data === 'object' && data !== null ? Reflect.get(data, 'message') : undefined
  const title: unknown = typeof message === 'object' && message !== null ? Reflect.get(message, 'title') : undefined
  return typeof title === 'string' ? title : undefined
}

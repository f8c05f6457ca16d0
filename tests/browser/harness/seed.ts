import { until } from '../../harness/following.ts'
import {
  customSource,
  type Harness,
  type Person,
  project,
  resource,
  subscription,
  template,
  trigger,
} from '../../harness/index.ts'
import type { EvmNode } from '../../nodes/evm.ts'

export const transferAbi = 'event Transfer(address indexed from, address indexed to, uint256 value)'
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const word = (hex: string) => `0x${hex.padStart(64, '0')}`

export type Seeded = { owner: Person; subscription: string; alert: string; template: string }

/** Emits a transfer of whole tokens with 18 decimals. */
export function emitTransfer(node: EvmNode, tokens: bigint) {
  return node.emit([transferTopic, word('aa'), word('bb')], word((tokens * 10n ** 18n).toString(16)))
}

export async function followNode(owner: Person, fullname: string, node: EvmNode, title: string): Promise<void> {
  await owner.saveCustomSource({
    fullname,
    body: customSource(fullname, { kind: 'evm', endpoints: [node.url], meta: { title } }),
  })
  await until(
    () => owner.getCustomSource({ fullname }),
    ({ status, runtime }) => status.status === 'running' && runtime?.processedBlock !== undefined,
    60_000,
  )
}

/** One alert after the other. Alerts of the same moment have no order. */
type SeedOptions = { isOrdered?: boolean }

/** Creates a workspace with one entity of each kind and three alerts from a chain. */
export async function seed(house: Harness, node: EvmNode, { isOrdered = false }: SeedOptions = {}): Promise<Seeded> {
  const owner = await house.person('ann')
  await owner.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme', meta: { title: 'Acme' } } })
  await owner.saveProject({
    fullname: 'acme.pay',
    body: project('acme.pay', { public: true, meta: { title: 'Acme Pay', description: 'Payments in ACME tokens' } }),
  })
  await followNode(owner, 'acme.devnet', node, 'Acme devnet')
  await saveTransferTrigger(owner)
  const { id: templateId } = await owner.createTemplate({
    fullname: 'acme.pay',
    body: template('acme.pay', transferTemplate),
  })
  await owner.saveResource({
    fullname: 'acme.hook',
    body: resource('acme.hook', {
      data: { url: 'http://127.0.0.1:9/alerts' },
      meta: { title: 'On-call webhook' },
    }),
  })
  const { id } = await owner.createSubscription({
    body: subscription('acme.pay.transfer', { resources: [] }),
  })
  const whenDelivered = (count: number) =>
    until(
      () => owner.listAlerts({ query: { subscription: id } }),
      (alerts) => alerts.length === count && alerts.every(({ status }) => status === 'delivered'),
      60_000,
    )
  for (const [at, tokens] of [25_000n, 1_200n, 990_000n].entries()) {
    await emitTransfer(node, tokens)
    if (isOrdered) await whenDelivered(at + 1)
  }
  const alerts = await whenDelivered(3)
  return { owner, subscription: id, alert: alerts[0]?.id ?? '', template: templateId }
}

const transferTemplate = {
  schema: { wallet: 'string' },
  groups: [{ name: 'main', meta: { title: 'Payments', description: 'As they happen on chain' } }],
  topics: [{ name: 'moves', group: 'main', selectedByDefault: true, meta: { title: 'Tokens move' } }],
  rules: [{ id: 'r1', trigger: 'acme.pay.transfer', topic: 'moves', deprecated: false, requiredValues: [] }],
  meta: { title: 'Transfers', description: 'What moves in and out' },
}

const transferScript = `return {
  amount: helpers.formatUnits(source.params.value, 18),
  to: source.params.to,
}`

async function saveTransferTrigger(owner: Person): Promise<void> {
  const body = trigger('acme.pay.transfer', {
    triggerSpec: { type: 'evm_log', dataSource: 'acme.devnet', abiFragment: transferAbi },
    transform: { language: 'javascript', rawSource: transferScript },
    outputSchema: { amount: 'string', to: 'string' },
    defaults: { title: '{{raw.amount}} ACME moved', short: 'To {{raw.to}}' },
    meta: { title: 'Token transfer', description: 'Fires when ACME tokens move' },
  })
  await owner.saveTrigger({ fullname: body.fullname, body })
}

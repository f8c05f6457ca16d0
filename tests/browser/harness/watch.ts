import type { Page } from 'playwright-core'
import { type Receiver, startReceiver } from '../../harness/deliveries.ts'
import { customSource, type Person } from '../../harness/index.ts'
import { type AbiServers, startAbiServers } from '../../nodes/abi-services.ts'
import { type EvmNode, startEvmNode } from '../../nodes/evm.ts'
import { openSite, type Site } from './index.ts'

/** A site whose workspace `ops` follows a local node under the name Devnet, with ABI services and a receiver of webhooks. */
export type WatchSite = {
  site: Site
  node: EvmNode
  receiver: Receiver
  services: AbiServers
  root: Person
  close: () => Promise<void>
}

export async function openWatchSite(): Promise<WatchSite> {
  const services = await startAbiServers()
  const site = await openSite(services.variables)
  const node = await startEvmNode()
  const receiver = await startReceiver()
  const root = await site.house.person('root')
  await root.saveWorkspace({ fullname: 'ops', body: { fullname: 'ops', meta: { title: 'Ops' } } })
  const meta = { title: 'Devnet' }
  await root.saveCustomSource({
    fullname: 'ops.devnet',
    body: customSource('ops.devnet', { kind: 'evm', public: true, endpoints: [node.url], meta }),
  })
  const close = async () => {
    await site.close()
    await node.close()
    await services.close()
    receiver.close()
  }
  return { site, node, receiver, services, root, close }
}

export const wallet = '0x00000000000000000000000000000000000000aa'
export const word = (value: bigint) => value.toString(16).padStart(64, '0')

/** Sends this many whole coins. */
export function sendCoins(node: EvmNode, to: string, coins: bigint): Promise<string> {
  return node.send({ to, value: `0x${(coins * 10n ** 18n).toString(16)}` })
}

/** The alerts that arrived at the webhook, without tests. */
export function webhookAlerts(receiver: Receiver) {
  return receiver.received.map(({ body }) => JSON.parse(body)).filter(({ type }) => type === 'alert')
}

export async function openGoal(page: Page, title: string): Promise<void> {
  await page.goto('/w/ops/watch')
  await page.getByRole('link', { name: title }).click()
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
}

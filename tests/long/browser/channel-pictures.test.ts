import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { TriggerSpec } from '@tocsin/contract'
import { keccak256, toBytes } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { people } from '../../../scripts/reference/message-samples.ts'
import { listCoreActions } from '../../../server/src/engine/sources/core-actions.ts'
import { journeyMs, openingMs, openSite, type Site } from '../../browser/harness/index.ts'
import { asEthereum } from '../../browser/harness/usdc.ts'
import { type Person, project, trigger } from '../../harness/index.ts'
import { type EvmNode, startEvmNode } from '../../nodes/evm.ts'

/** `SCREENSHOTS=docs/guide/pictures npm run test:long -- tests/long/browser/channel-pictures.test.ts` saves the pictures. */
const folder = process.env.SCREENSHOTS
const bytesMax = 100_000
const channels = ['Slack', 'Discord', 'Telegram', 'E-mail', 'ntfy']

let node: EvmNode
let site: Site
let owner: Person
beforeAll(async () => {
  node = await startEvmNode({ chainId: 1 })
  site = await openSite({ ...asEthereum(node), MARKETPLACE: 'off' })
  owner = await site.house.person('mara')
  await owner.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme', meta: { title: 'Acme DeFi' } } })
  const named = [
    [people.treasury, 'Treasury'],
    [people.vault, 'Vault X'],
    [people.ann, 'Ann'],
  ] as const
  for (const [address, alias] of named)
    await owner.createWorkspaceAddress({ workspace: 'acme', body: { type: 'evm', address, alias } })
  await owner.saveProject({ fullname: 'acme.watch', body: project('acme.watch') })
  const action = listCoreActions().find(({ type }) => type === 'control_changed')
  const body = trigger('acme.watch.roles', {
    triggerSpec: TriggerSpec.parse({ ...action?.triggerSpec, testInput: roleGranted }),
    transform: action?.transform,
    outputSchema: action?.outputSchema,
    defaults: action?.defaults,
    meta: { title: 'Who controls Vault X', runbook: 'https://runbooks.acme.example/roles' },
  })
  await owner.saveTrigger({ fullname: body.fullname, body })
}, openingMs)
afterEach(() => site.leave())
afterAll(async () => {
  await site?.close()
  await node?.close()
})

const roleGranted = {
  ...{
    address: people.vault,
    blockNumber: 21_000_000,
    blockHash: `0x${'5b'.repeat(32)}`,
    blockTimestamp: 1_795_089_600,
  },
  ...{ transactionHash: `0x${'7c'.repeat(32)}`, transactionIndex: 3, index: 7, data: '0x', topics: [], args: [] },
  event: 'RoleGranted',
  params: { role: keccak256(toBytes('MINTER_ROLE')), account: people.treasury, sender: people.ann },
}

test.each([1440, 390])('five channels show the message of a role at %i px', { timeout: journeyMs }, async (width) => {
  const page = await site.visit({ as: owner, timezoneId: 'UTC' })
  await page.setViewportSize({ width, height: 900 })
  await page.goto('/w/acme/triggers/acme.watch.roles/edit')
  await page.getByRole('tab', { name: /^Message/ }).click()
  for (const channel of channels) {
    await page.getByRole('tab', { name: channel, exact: true }).click()
    const article = page.getByRole('article', { name: `Message in ${channel}` })
    await article.getByText('Role MINTER_ROLE was granted to Treasury').first().waitFor()
    await article.getByText(/Ethereum · block 21,000,000/).waitFor()
    const picture = await article.screenshot({ animations: 'disabled' })
    expect(picture.length).toBeLessThanOrEqual(bytesMax)
    if (!folder || width !== 1440) continue
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `message-${channel.toLowerCase()}.png`), picture)
  }
})

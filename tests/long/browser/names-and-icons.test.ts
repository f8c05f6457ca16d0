import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { journeyMs, openingMs, openSite, type Site, seed } from '../../browser/harness/index.ts'
import { checkLooks } from '../../browser/harness/looks.ts'
import { type Seeded, transferAbi } from '../../browser/harness/seed.ts'
import { addressList, customSource, trigger } from '../../harness/index.ts'
import { type EvmNode, startEvmNode } from '../../nodes/evm.ts'

/** Names of addresses and pictures of projects and networks, wherever the console shows them. */
let site: Site
let node: EvmNode
let seeded: Seeded
beforeAll(async () => {
  site = await openSite()
  node = await startEvmNode()
  seeded = await seed(site.house, node)
  await nameAddresses()
}, openingMs)
afterEach(() => site.leave())
afterAll(async () => {
  await site?.close()
  await node?.close()
})

async function open(path: string): Promise<Page> {
  const page = await site.visit({ as: seeded.owner })
  await page.goto(path)
  return page
}

const [payer, treasury] = [`0x${'0'.repeat(38)}aa`, `0x${'0'.repeat(38)}bb`]

/** Names two addresses and gives the source an explorer. */
async function nameAddresses(): Promise<void> {
  const { owner } = seeded
  await owner.createAddress({ body: { type: 'evm', address: payer, alias: 'Payer' } })
  await owner.createAddress({ body: { type: 'evm', address: treasury, alias: 'Treasury' } })
  await saveDevnet({ explorer: { url: 'https://explorer.example' } })
}

async function saveDevnet(extra: Parameters<typeof customSource>[1]): Promise<void> {
  const fullname = 'acme.devnet'
  const meta = { title: 'Acme devnet' }
  const body = customSource(fullname, { mode: 'update', endpoints: [node.url], meta, ...extra })
  await seeded.owner.saveCustomSource({ fullname, body })
}

/** The name, a copy button and a link to the explorer. */
async function expectTreasury(place: Page | Locator): Promise<void> {
  await place.getByText('Treasury', { exact: true }).first().waitFor()
  await place.getByRole('button', { name: 'Copy address Treasury', exact: true }).first().waitFor()
  const link = place.getByRole('link', { name: 'Open Treasury in the explorer', exact: true }).first()
  expect((await link.getAttribute('href'))?.toLowerCase()).toBe(`https://explorer.example/address/${treasury}`)
}

test('addresses have names in the feed and on the alert page, by one request a page that moves no line', {
  timeout: journeyMs,
}, async () => {
  const page = await site.visit({ as: seeded.owner, permissions: ['clipboard-read', 'clipboard-write'] })
  let requests = 0
  let release = () => {}
  const held = new Promise<void>((go) => {
    release = go
  })
  await page.route('**/api/addresses/names', async (route) => {
    requests++
    await held
    await route.continue()
  })
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto(`/w/acme/alerts?subscription=${seeded.subscription}`)
  const feed = page.getByRole('list', { name: 'Alerts, newest first' })
  await feed.getByText('To 0x0000…00bb').nth(2).waitFor()
  const heights = () =>
    page.evaluate<number[]>("[...document.querySelectorAll('main ol > li')].map((line) => line.offsetHeight)")
  const before = await heights()
  release()
  await feed.getByText('To Treasury').nth(2).waitFor()
  expect(before).toHaveLength(3)
  expect(await heights()).toEqual(before)
  expect(requests).toBe(1)
  await expectTreasury(feed.getByRole('listitem').first())
  await checkLooks(page, 'alerts-names')
  await feed.getByRole('button', { name: 'Copy address Treasury', exact: true }).first().click()
  await feed.getByRole('button', { name: 'Copied', exact: true }).waitFor()
  expect(String(await page.evaluate('navigator.clipboard.readText()')).toLowerCase()).toBe(treasury)

  await feed
    .getByRole('link', { name: /ACME moved$/ })
    .first()
    .click()
  await expectTreasury(page.getByRole('region', { name: 'Message' }))
  const trace = page.getByRole('region', { name: 'Trace' })
  for (const [stage, value] of [
    ['Data', 'Raw output'],
    ['Source', 'Item'],
  ] as const) {
    await trace.getByRole('button', { name: new RegExp(`^${stage}`) }).click()
    await expectTreasury(trace.getByRole('region', { name: value }))
  }
  await trace.getByText('Payer', { exact: true }).first().waitFor()
  expect(requests).toBe(2)
  await checkLooks(page, 'alert-names')
})

test('the contract of a trigger, the sample of a subscription and the tables of addresses show names', {
  timeout: journeyMs,
}, async () => {
  const fullname = 'acme.pay.vault'
  const triggerSpec = {
    type: 'evm_log',
    dataSource: 'acme.devnet',
    contract: treasury,
    abiFragment: transferAbi,
    testInput: { params: { from: payer } },
  } as const
  await seeded.owner.saveTrigger({ fullname, body: trigger(fullname, { triggerSpec }) })
  const page = await open(`/w/acme/triggers/${fullname}`)
  const details = page.getByRole('region', { name: 'Details' })
  await expectTreasury(details)
  await details.getByText('Definition as JSON').click()
  await details.getByText('Payer', { exact: true }).waitFor()
  await checkLooks(page, 'trigger-names')

  await page.goto(`/w/acme/subscriptions/${seeded.subscription}`)
  await page.getByRole('button', { name: 'Show message' }).click()
  await expectTreasury(page.getByRole('article', { name: /ACME moved$/ }))
  await page.getByRole('tab', { name: 'Telegram' }).click()
  await page
    .getByRole('article', { name: 'Message in Telegram' })
    .getByText(/ACME moved$/)
    .waitFor()

  const list = 'acme.vaults'
  await seeded.owner.saveAddressList({ fullname: list, body: addressList(list, { addresses: [treasury] }) })
  await page.goto('/w/acme/address-lists')
  await expectTreasury(page.getByRole('row', { name: list }))
  await page.goto('/addresses')
  await page.getByRole('link', { name: 'Open Treasury in the explorer', exact: true }).waitFor()
})

test('a name of one’s own is shared with the workspace, and changed there', { timeout: journeyMs }, async () => {
  const { owner } = seeded
  await owner.createAddress({ body: { type: 'plain', address: 'desk 7', alias: 'Trading desk' } })
  const page = await open('/addresses')
  await page.getByRole('button', { name: 'Share Trading desk' }).click()
  await page.getByText('Trading desk shared with acme.').waitFor()
  const shared = page.getByRole('row', { name: /Trading desk.*Workspace/ })
  await shared.waitFor()
  expect(await page.getByRole('button', { name: 'Share Trading desk' }).count()).toBe(0)
  await shared.getByRole('button', { name: 'Edit Trading desk' }).click()
  await page.getByRole('textbox', { name: 'Alias' }).fill('Desk of Acme')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('row', { name: /Desk of Acme.*Workspace/ }).waitFor()
  const [entry] = await owner.listWorkspaceAddresses({ workspace: 'acme' })
  expect(entry).toMatchObject({ alias: 'Desk of Acme', changedBy: { id: owner.id } })
})

function makePicture(background: string): Promise<Buffer> {
  return sharp({ create: { width: 64, height: 64, channels: 3, background } })
    .png()
    .toBuffer()
}

test('an icon and a cover are uploaded and shown', { timeout: journeyMs }, async () => {
  const buffer = await makePicture('#146')
  const page = await open('/w/acme/projects/acme.pay/settings')
  for (const [verb, said] of [
    ['Upload icon', 'Icon changed.'],
    ['Upload cover', 'Cover changed.'],
  ] as const) {
    const input = page.locator(`input[type=file][aria-label="${verb}"]`)
    await input.setInputFiles({ name: 'picture.png', mimeType: 'image/png', buffer })
    await page.getByText(said).first().waitFor()
  }
  const { meta } = await seeded.owner.getProject({ fullname: 'acme.pay' })
  for (const url of [meta.icon, meta.cover]) expect((await page.request.get(String(url))).ok(), String(url)).toBe(true)
})

test('a network shows its icon, else the first letter of its title', { timeout: journeyMs }, async () => {
  const { owner } = seeded
  const page = await open('/w/acme/watch/address?source=acme.devnet')
  await page.locator('span[data-kind=evm]').first().waitFor()
  const picture = await makePicture('#461')
  const { url } = await owner.uploadProjectImage({
    fullname: 'acme.pay',
    body: { filename: 'network.png', contentType: 'image/png', data: picture.toString('base64'), target: 'icon' },
  })
  await saveDevnet({ meta: { title: 'Acme devnet', icons: { default: url } } })
  await page.reload()
  await page.getByRole('main').locator(`img[src="${url}"]`).first().waitFor()
})

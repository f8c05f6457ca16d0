import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { addressList, customSource, project, subscription, trigger } from '../harness/index.ts'
import { type EvmNode, startEvmNode } from '../nodes/evm.ts'
import { whenSo } from './harness/axe.ts'
import { goToWhere, openOptions } from './harness/building.ts'
import { journeyMs, openingMs, openSite, type Site, seed } from './harness/index.ts'
import { checkLooks, expectDanger } from './harness/looks.ts'
import { type Seeded, transferAbi } from './harness/seed.ts'

/** Everyday tasks of the owner of a project and its sources. */

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

test('endpoints are verified before a save, and a source is restarted', { timeout: journeyMs }, async () => {
  const fullname = 'acme.devnet'
  const page = await open(`/w/acme/sources/${fullname}/edit`)
  await page.getByRole('button', { name: 'Verify endpoints' }).click()
  await page.getByText(/^Verified: /).waitFor()
  await page.getByText(/chain id 31337/).waitFor()
  const { revision } = await seeded.owner.getCustomSource({ fullname })
  await page.goto(`/w/acme/sources/${fullname}`)
  await page.getByRole('img', { name: /^Lag of Acme devnet: \d+ blocks now$/ }).waitFor()
  await page.getByRole('button', { name: 'Restart' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Restart' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect((await seeded.owner.getCustomSource({ fullname })).revision).toBe(revision + 1)
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

test('a secret is added, replaced and deleted, and its value is never shown', { timeout: journeyMs }, async () => {
  const fullname = 'acme.pay'
  const page = await open(`/w/acme/projects/${fullname}/settings`)
  const save = async (value: string) => {
    await page.getByRole('dialog').getByRole('textbox', { name: 'Value' }).fill(value)
    await page.getByRole('dialog').getByRole('button', { name: 'Save secret' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  await page.getByRole('button', { name: 'Add secret' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('apiKey')
  await save('first-value')
  const [made] = await seeded.owner.listProjectSecrets({ fullname })
  expect(made?.name).toBe('apiKey')
  await page.getByRole('button', { name: 'Replace apiKey' }).click()
  await save('second-value')
  const [replaced] = await seeded.owner.listProjectSecrets({ fullname })
  expect(replaced?.updatedAt).not.toBe(made?.updatedAt)
  expect(await page.content()).not.toMatch(/(?:first|second)-value/)
  await expectDanger(page.getByRole('button', { name: 'Delete apiKey' }))
  await page.getByRole('button', { name: 'Delete apiKey' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete secret' }).click()
  await page.getByText('No secrets yet.').waitFor()
  expect(await seeded.owner.listProjectSecrets({ fullname })).toEqual([])
})

test('an access link leads through the sign-in page to the project', { timeout: journeyMs }, async () => {
  const fullname = 'acme.inner'
  await seeded.owner.saveProject({ fullname, body: project(fullname) })
  const page = await open(`/w/acme/projects/${fullname}/links`)
  await page.getByRole('button', { name: 'Create access link' }).first().click()
  await page.getByRole('button', { name: 'Create link' }).click()
  const link = await page.getByRole('textbox', { name: 'Access link', exact: true }).inputValue()
  const [made] = await seeded.owner.listAccessLinks({ fullname })
  expect(made?.url).toBe(link)
  const guest = await site.house.person('guest')
  await expect(guest.getProject({ fullname })).rejects.toThrow()
  const theirs = await site.visit()
  await theirs.goto(link)
  await theirs.getByLabel('E-mail').fill(guest.email)
  await theirs.getByRole('textbox', { name: 'Password' }).fill('correct horse battery')
  await theirs.getByRole('button', { name: 'Sign in' }).click()
  await theirs.waitForURL(`**/marketplace/${fullname}`)
  await theirs.getByRole('link', { name: 'Subscribe' }).waitFor()
  expect((await guest.getProject({ fullname })).fullname).toBe(fullname)
})

test('a template is edited, and the wizard shows the change', { timeout: journeyMs }, async () => {
  const page = await open(`/w/acme/projects/acme.pay/templates/${seeded.template}`)
  await page.getByRole('textbox', { name: 'Description' }).first().fill('All that moves')
  const rule = page.getByRole('region', { name: 'Rule r1' })
  await rule.getByRole('button', { name: 'Add condition' }).click()
  await rule.getByRole('combobox', { name: 'Field of condition 1' }).fill('')
  const save = page.getByRole('button', { name: 'Save', exact: true })
  await save.click()
  await rule.getByText('must not be empty').waitFor()
  await checkLooks(page, 'template-rule')
  await rule.getByRole('combobox', { name: 'Field of condition 1' }).fill('to')
  await rule.getByText('must not be empty').waitFor({ state: 'detached' })
  await rule.getByRole('textbox', { name: 'Value of condition 1' }).fill('{{inputs.wallet}}')
  await save.click()
  await page.getByText('Template saved.', { exact: true }).waitFor()
  const saved = await seeded.owner.getTemplate({ fullname: 'acme.pay', id: seeded.template })
  expect(saved.meta.description).toBe('All that moves')
  expect(saved.rules[0]?.conditions).toEqual({ all: [{ param: 'to', op: 'eq', value: '{{inputs.wallet}}' }] })
  await page.goto('/w/acme/subscriptions/new')
  await page.getByRole('radio', { name: 'Acme Pay' }).click()
  await page.getByText('All that moves').waitFor()
})

test('a new trigger has the definition of its core action', { timeout: journeyMs }, async () => {
  const { actions } = await seeded.owner.listCoreActions()
  const [action] = actions
  if (!action) throw new Error('There is no core action')
  const page = await open('/w/acme/triggers/new?project=acme.pay')
  await page.getByRole('radio', { name: action.title, exact: true }).check()
  await page.getByRole('textbox', { name: 'Name' }).fill('from-action')
  await page.getByRole('button', { name: 'Create draft' }).click()
  await page.waitForURL('**/edit')
  const draft = await seeded.owner.getTriggerDraft({ fullname: 'acme.pay.from-action' })
  expect(draft).toMatchObject({ triggerSpec: { type: action.triggerSpec.type }, transform: action.transform })
})

test('an event is chosen from a pasted IDL', { timeout: journeyMs }, async () => {
  const fullname = 'acme.pay.bought'
  const triggerSpec = { type: 'solana_event', dataSource: 'common.solana' } as const
  await seeded.owner.saveTrigger({ fullname, body: trigger(fullname, { triggerSpec }) })
  const idl = {
    address: 'Vote111111111111111111111111111111111111111',
    metadata: { name: 'shop', version: '0.1.0', spec: '0.1.0' },
    instructions: [],
    events: [{ name: 'Bought', discriminator: [1, 2, 3, 4, 5, 6, 7, 8] }],
    types: [{ name: 'Bought', type: { kind: 'struct', fields: [{ name: 'amount', type: 'u64' }] } }],
  }
  const page = await open(`/w/acme/triggers/${fullname}/edit`)
  await page.getByRole('textbox', { name: 'IDL' }).fill('{"events": 1')
  await page.getByText(/^Invalid JSON/).waitFor()
  await page.getByRole('textbox', { name: 'IDL' }).fill(JSON.stringify(idl))
  await page.getByRole('radio', { name: /Bought\(.*amount/ }).check()
  expect(await page.getByRole('textbox', { name: 'Program' }).inputValue()).toBe(idl.address)
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.getByText('Unpublished draft.').waitFor()
  const draft = await seeded.owner.getTriggerDraft({ fullname })
  expect(draft.triggerSpec).toMatchObject({ event: 'Bought', programId: idl.address, idl })
})

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

test('the page of a trigger shows its runs with their time, as figures, a chart with its table and a list', {
  timeout: journeyMs,
}, async () => {
  const page = await open('/w/acme/triggers/acme.pay.transfer')
  const runs = page.getByRole('region', { name: 'Runs' })
  await runs.getByRole('table', { name: /^The last 24 hours: [\d,]+ runs?, 0 failed$/ }).waitFor()
  await runs.getByText('Provider calls').waitFor()
  await runs.getByRole('list', { name: 'Last runs' }).getByRole('listitem').first().getByText('Fired').waitFor()
  await checkLooks(page, 'trigger-runs')
})

test('a reload keeps what was typed into a form, and says so; a save and another workspace do not', {
  timeout: journeyMs,
}, async () => {
  const page = await open('/w/acme/projects/new')
  const back = page.getByText('Your unsaved changes are back')
  const title = page.getByRole('textbox', { name: 'Title', exact: true })
  await title.fill('Not saved yet')
  await whenSo(page, `JSON.stringify(sessionStorage).includes('Not saved yet')`)
  const other = (await seeded.owner.listWorkspaces()).find(({ fullname }) => fullname !== 'acme')
  await page.goto(`/w/${other?.fullname}/projects/new`)
  await title.waitFor()
  expect(await title.inputValue()).toBe('')
  await page.goto('/w/acme/projects/new')
  await back.waitFor()
  expect(await title.inputValue()).toBe('Not saved yet')
  await page.getByRole('button', { name: 'Discard these changes' }).click()
  expect(await title.inputValue()).toBe('')

  await page.goto('/w/acme/resources/new')
  await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Half done')
  await page.getByRole('textbox', { name: 'URL' }).fill('https://example.org/secret-path')
  await whenSo(page, `JSON.stringify(sessionStorage).includes('Half done')`)
  expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('secret-path')

  await page.goto('/w/acme/projects/acme.pay/settings')
  await page.getByRole('textbox', { name: 'Short description' }).fill('Kept, then saved')
  await whenSo(page, `JSON.stringify(sessionStorage).includes('Kept, then saved')`)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Project saved.').waitFor()
  expect(await back.count()).toBe(0)
  expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('Kept, then saved')
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

test('the settings of a subscription are shown in words', { timeout: journeyMs }, async () => {
  const { id } = await seeded.owner.createSubscription({
    body: subscription('acme.pay.transfer', {
      conditions: {
        all: [
          { param: 'amount', op: 'gte', value: '1000' },
          { param: 'to', op: 'nin', value: ['0x1'] },
        ],
      },
      overrides: { title: 'Large: {{raw.amount}}', severity: 'critical' },
    }),
  })
  const page = await open(`/w/acme/subscriptions/${id}`)
  const settings = page.getByRole('region', { name: 'Settings' })
  await settings.getByText('amount is at least 1,000 and to is none of 0x1').waitFor()
  await settings.getByText('Large: {{raw.amount}}').waitFor()
  expect(await settings.getByRole('term').allInnerTexts()).toEqual(['Only if', 'Title of the message', 'Severity'])
})

test('the wizard offers every policy with a sentence that says what will happen', { timeout: journeyMs }, async () => {
  const page = await open('/w/acme/subscriptions/new?project=acme.pay&trigger=acme.pay.transfer')
  await goToWhere(page)
  await openOptions(page)
  const field = (name: string) => page.getByRole('textbox', { name, exact: true })
  const sentences: [string, Record<string, string>, string][] = [
    ['Rate limit', { Period: '5m' }, 'Send at most once in 5 minutes.'],
    ['Digest', { Interval: '1h' }, 'Send in a digest every hour.'],
    ['Sustained', { 'Minimum duration': '5m' }, 'Send when it has lasted 5 minutes.'],
    [
      'Threshold',
      { Value: 'value', Bound: '10', 'Minimum duration': '5m' },
      'Send when value stays above 10 for 5 minutes, and when it recovers.',
    ],
    ['Change', { Value: 'value', By: '15%', Within: '3h' }, 'Send when value changes by at least 15% within 3 hours.'],
    ['Too many', { Within: '10m' }, 'Send when there are 5 matches within 10 minutes, and when they end.'],
    ['Nothing happened', { Within: '1d' }, 'Send when there is no match for 1 day, and when there is one again.'],
    ['Every time', {}, 'Send every time.'],
  ]
  for (const [policy, texts, sentence] of sentences) {
    await page.getByRole('radio', { name: policy, exact: true }).check()
    for (const [name, text] of Object.entries(texts)) await field(name).fill(text)
    await page.getByText(sentence, { exact: true }).waitFor()
  }
})

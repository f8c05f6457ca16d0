import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { project, subscription, trigger } from '../harness/index.ts'
import { type EvmNode, startEvmNode } from '../nodes/evm.ts'
import { whenSo } from './harness/axe.ts'
import { goToWhere, openOptions } from './harness/building.ts'
import { journeyMs, openingMs, openSite, type Site, seed } from './harness/index.ts'
import { checkLooks, expectDanger } from './harness/looks.ts'
import type { Seeded } from './harness/seed.ts'

/** Everyday tasks of the owner of a project and its sources. */

let site: Site
let node: EvmNode
let seeded: Seeded
beforeAll(async () => {
  site = await openSite()
  node = await startEvmNode()
  seeded = await seed(site.house, node)
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
  expect(draft).toMatchObject({ triggerSpec: { type: action.triggerSpec?.type }, transform: action.transform })
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
    [
      'Rate of change',
      { Value: 'value', 'By more than': '10%', Period: '1h' },
      'Send when value rises by more than 10% within 1 hour, and when it no longer does.',
    ],
    [
      'Sum',
      { Value: 'value', Within: '1h', Above: '500' },
      'Send when the sum of value within 1 hour is above 500, and when it no longer is.',
    ],
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

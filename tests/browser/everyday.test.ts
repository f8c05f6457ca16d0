import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { project, trigger } from '../harness/index.ts'
import { type EvmNode, startEvmNode } from '../nodes/evm.ts'
import { journeyMs, openingMs, openSite, type Site, seed } from './harness/index.ts'
import { expectDanger } from './harness/looks.ts'
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

test('an icon and a cover are uploaded and shown', { timeout: journeyMs }, async () => {
  const buffer = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#146' } })
    .png()
    .toBuffer()
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
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Template saved.', { exact: true }).waitFor()
  const saved = await seeded.owner.getTemplate({ fullname: 'acme.pay', id: seeded.template })
  expect(saved.meta.description).toBe('All that moves')
  await page.goto('/w/acme/subscriptions/new')
  await page.getByRole('radio', { name: 'Acme Pay' }).check()
  await page.getByRole('button', { name: 'Next' }).click()
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

import '../harness/made-up-chain.ts'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { customSource, type Person, project, trigger } from '../harness/index.ts'
import { noteSpec, startNoteNode } from '../harness/made-up-chain.ts'
import { notesKind } from '../harness/made-up-kind.ts'
import { choose } from './harness/choose.ts'
import { journeyMs, openingMs, openSite, type Site } from './harness/index.ts'

let site: Site
let ann: Person
let node: Awaited<ReturnType<typeof startNoteNode>>
beforeAll(async () => {
  site = await openSite()
  node = await startNoteNode()
  ann = await site.house.person('ann')
  await ann.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme', meta: { title: 'Acme' } } })
  await ann.saveProject({ fullname: 'acme.p', body: project('acme.p') })
  const body = customSource('acme.notes', { kind: notesKind, endpoints: [node.url], meta: { title: 'Notes' } })
  await ann.saveCustomSource({ fullname: 'acme.notes', body })
  const fullname = 'acme.p.note'
  const triggerSpec = noteSpec({ dataSource: 'acme.notes', author: 'author-ann' })
  await ann.saveTrigger({ fullname, body: trigger(fullname, { triggerSpec } as never) })
}, openingMs)
afterEach(() => site.leave())
afterAll(async () => {
  await site?.close()
  node?.close()
})

async function open(path: string): Promise<Page> {
  const page = await site.visit({ as: ann })
  await page.goto(path)
  return page
}

test('a source of a chain that is registered in the service alone is created', { timeout: journeyMs }, async () => {
  const page = await open('/w/acme/sources/new')
  await choose(page, 'Kind', /^Notes$/)
  await page.getByPlaceholder('https://notes.example.org').fill(node.url)
  await page.getByRole('textbox', { name: 'Title' }).fill('More notes')
  await page.getByRole('button', { name: 'Create source' }).click()
  await page.getByText('Source created. It is starting.').waitFor()
  expect(await ann.getCustomSource({ fullname: 'acme.more-notes' })).toMatchObject({ kind: 'notes' })
})

test('the builder has its spec, the form of the spec and the fields of its items', { timeout: journeyMs }, async () => {
  const page = await open('/w/acme/triggers/acme.p.note/edit')
  await page.getByRole('tab', { name: /^Source/ }).click()
  const author = page.getByRole('textbox', { name: 'Author' })
  expect(await author.inputValue()).toBe('author-ann')
  await choose(page, 'Listens to', /^EVM block/)
  await author.waitFor({ state: 'detached' })
  await choose(page, 'Listens to', /^Note$/)
  await author.waitFor()
  await page.getByRole('tab', { name: /^Condition/ }).click()
  await page.getByRole('button', { name: 'Add condition' }).first().click()
  await page
    .getByLabel(/^Field of .* 1$/)
    .first()
    .fill('source.w')
  await page.getByRole('option', { name: 'source.words' }).waitFor()
})

test('its sentences, starting points and addresses are shown', { timeout: journeyMs }, async () => {
  const page = await open('/w/acme/triggers')
  await page
    .getByText(/When a note of author-ann happens/i)
    .first()
    .waitFor()
  await page.goto('/w/acme/triggers/new?project=acme.p')
  await page.getByRole('radio', { name: 'Note of an author' }).waitFor()
  await page.goto('/addresses')
  await page.getByRole('button', { name: 'Add address' }).first().click()
  await choose(page, 'Type', /^Author$/)
  await page.getByPlaceholder('author-ann').waitFor()
})

test('an address of it is watched from its starting points', { timeout: journeyMs }, async () => {
  const page = await open('/w/acme/watch/address?source=acme.notes')
  await page.getByPlaceholder('author-ann').fill('somebody')
  await page.getByRole('button', { name: 'Show' }).click()
  await page.getByText('It begins with author-.').waitFor()
  await page.getByPlaceholder('author-ann').fill('author-bob')
  await page.getByRole('button', { name: 'Show' }).click()
  await page.getByText('Note of an author: An author wrote a note.').waitFor()
})

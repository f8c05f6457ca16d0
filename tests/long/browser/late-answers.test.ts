import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { whenSo } from '../../browser/harness/axe.ts'
import { retitle } from '../../browser/harness/building.ts'
import { hold, isCall } from '../../browser/harness/hold.ts'
import { journeyMs, openingMs, openSite, type Site } from '../../browser/harness/index.ts'
import { followNode } from '../../browser/harness/seed.ts'
import { nextFrames } from '../../browser/harness/when-loaded.ts'
import { type Person, project, resource, trigger } from '../../harness/index.ts'
import { type EvmNode, startEvmNode } from '../../nodes/evm.ts'

/** What a person types or chooses survives an answer that comes late. */

let site: Site
let node: EvmNode
let ann: Person
beforeAll(async () => {
  site = await openSite()
  node = await startEvmNode()
  ann = await site.house.person('ann')
  await ann.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme', meta: { title: 'Acme' } } })
  const meta = { title: 'Pay', description: '' }
  await ann.saveProject({ fullname: 'acme.pay', body: project('acme.pay', { meta }) })
  await saveHook('First')
  await followNode(ann, 'acme.devnet', node, 'Devnet')
}, openingMs)
afterEach(() => site.leave())
afterAll(async () => {
  await site?.close()
  await node?.close()
})

async function saveHook(title: string, url = 'http://127.0.0.1:9/first'): Promise<void> {
  await ann.saveResource({ fullname: 'acme.hook', body: resource('acme.hook', { data: { url }, meta: { title } }) })
}

test('an upload on the same page keeps what was typed, also if the page cannot be read again', {
  timeout: journeyMs,
}, async () => {
  const page = await site.visit({ as: ann, allows: /status of 400/ })
  await page.goto('/w/acme/projects/acme.pay/settings')
  const text = page.getByRole('textbox', { name: 'Short description' })
  await text.fill('Typed first')
  const buffer = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#146' } })
    .png()
    .toBuffer()
  const upload = async (verb: string, said: string) => {
    const input = page.locator(`input[type=file][aria-label="${verb}"]`)
    await input.setInputFiles({ name: 'picture.png', mimeType: 'image/png', buffer })
    await page.getByText(said).waitFor()
  }
  await upload('Upload icon', 'Icon changed.')
  expect(await text.inputValue()).toBe('Typed first')
  expect(await page.getByText('Your unsaved changes are back').count()).toBe(0)

  const isRead = isCall('GET', '/api/projects/acme.pay')
  const refuse = (url: URL) => url.pathname === '/api/projects/acme.pay'
  await page.route(refuse, (route) =>
    isRead(route.request()) ? route.fulfill({ status: 400, json: {} }) : route.fallback(),
  )
  await upload('Upload cover', 'Cover changed.')
  expect(await text.inputValue()).toBe('Typed first')
  await page.unroute(refuse)
  await whenSo(page, `JSON.stringify(sessionStorage).includes('Typed first')`)
  await page.reload()
  await page.getByText('Your unsaved changes are back').waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Project saved.').waitFor()
  const { meta } = await ann.getProject({ fullname: 'acme.pay' })
  expect(meta).toMatchObject({ shortDescription: 'Typed first', icon: expect.any(String), cover: expect.any(String) })
})

test('what is typed while a form is being saved stays, and the next save sends it', {
  timeout: journeyMs,
}, async () => {
  const page = await site.visit({ as: ann })
  await page.goto('/w/acme/resources/acme.hook')
  const title = page.getByRole('textbox', { name: 'Title', exact: true })
  const save = page.getByRole('button', { name: 'Save', exact: true })
  const held = await hold(page, isCall('PUT', '/api/resources/acme.hook'))
  await title.fill('Second')
  await save.click()
  await held.isAsked
  await title.fill('Third')
  held.release()
  await page.getByText('Destination saved.').waitFor()
  await page.getByRole('heading', { level: 1, name: 'Second' }).waitFor()
  expect(await title.inputValue()).toBe('Third')
  await save.click()
  await page.getByRole('heading', { level: 1, name: 'Third' }).waitFor()
})

test('a change by somebody else appears in the fields that were not touched, and is never overwritten', {
  timeout: journeyMs,
}, async () => {
  await saveHook('Before')
  const page = await site.visit({ as: ann, allows: /status of 412/ })
  await page.clock.install()
  await page.goto('/w/acme/resources/acme.hook')
  const title = page.getByRole('textbox', { name: 'Title', exact: true })
  const url = page.getByRole('textbox', { name: 'URL' })
  const pollMs = 15_000
  await url.fill('http://127.0.0.1:9/typed')
  await saveHook('Other title')
  await page.clock.fastForward(pollMs)
  await page.getByRole('heading', { level: 1, name: 'Other title' }).waitFor()
  expect([await title.inputValue(), await url.inputValue()]).toEqual(['Other title', 'http://127.0.0.1:9/typed'])

  await saveHook('Last title', 'http://127.0.0.1:9/theirs')
  await page.clock.fastForward(pollMs)
  await page.getByRole('heading', { level: 1, name: 'Last title' }).waitFor()
  expect(await url.inputValue()).toBe('http://127.0.0.1:9/typed')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Reload the page to see the newer version').waitFor()
  expect(await url.inputValue()).toBe('http://127.0.0.1:9/typed')
  expect((await ann.getResource({ fullname: 'acme.hook' })).data).toMatchObject({ url: 'http://127.0.0.1:9/theirs' })
})

test('a destination that is chosen while another one is being created stays chosen', {
  timeout: journeyMs,
}, async () => {
  await saveHook('Hook')
  const page = await site.visit({ as: ann })
  await page.goto('/w/acme/watch/wallet')
  await page.getByRole('button', { name: 'Add destination' }).click()
  const form = page.getByRole('region', { name: 'New destination' })
  await form.getByRole('textbox', { name: 'Title' }).fill('Pager')
  await form.getByRole('textbox', { name: 'URL' }).fill('http://127.0.0.1:9/pager')
  const listed = isCall('GET', '/api/resources')
  const held = await hold(page, listed)
  await form.getByRole('button', { name: 'Save destination' }).click()
  await held.isAsked
  await page.getByRole('checkbox', { name: 'Hook' }).click()
  held.release()
  const isChosen = (name: string) =>
    page.getByRole('checkbox', { name }).and(page.locator('[aria-checked=true]')).waitFor()
  await isChosen('Pager')
  await isChosen('Hook')
})

async function saveTimer(name: string): Promise<string> {
  const fullname = `acme.pay.${name}`
  await ann.saveTrigger({ fullname, body: trigger(fullname, { meta: { title: name } }) })
  return fullname
}

test('a test that passes says nothing about a definition that was changed meanwhile', {
  timeout: journeyMs,
}, async () => {
  const fullname = await saveTimer('tested')
  const page = await site.visit({ as: ann })
  await page.goto(`/w/acme/triggers/${fullname}/edit`)
  const held = await hold(page, isCall('POST', '/api/triggers/test'))
  const start = page.getByRole('button', { name: 'Test timer', exact: true })
  await start.click()
  await held.isAsked
  await page.getByRole('textbox', { name: 'Interval' }).fill('7m')
  held.release()
  await start.and(page.locator(':not([data-loading])')).waitFor()
  expect(await page.getByText('Unsaved changes. Not tested.').count()).toBe(1)
  expect(await page.getByText(/Test passed/).count()).toBe(0)
})

test('what is typed while a trigger is being published is not lost', { timeout: journeyMs }, async () => {
  const fullname = await saveTimer('published')
  const page = await site.visit({ as: ann, allows: /412|404/ })
  await page.goto(`/w/acme/triggers/${fullname}/edit`)
  await retitle(page, 'Published')
  const held = await hold(page, isCall('PUT', `/api/triggers/${fullname}`))
  await page.getByRole('button', { name: 'Publish' }).click()
  await held.isAsked
  await retitle(page, 'Typed later')
  held.release()
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await question.getByRole('button', { name: 'Save draft and leave' }).click()
  await page.waitForURL(`**/w/acme/triggers/${fullname}`)
  expect((await ann.getTrigger({ fullname })).meta.title).toBe('Published')
  expect((await ann.getTriggerDraft({ fullname })).meta.title).toBe('Typed later')
})

test('a new trigger uses a running source, also if the list of sources comes last', {
  timeout: journeyMs,
}, async () => {
  const { actions } = await ann.listCoreActions()
  const action = actions.find(({ triggerSpec }) => triggerSpec?.type.startsWith('evm_'))
  if (!action) throw new Error('There is no core action on an EVM network')
  const page = await site.visit({ as: ann })
  const held = await hold(page, isCall('GET', '/api/triggers/runtime-sources'))
  const answers = ['/api/triggers/core/actions', '/api/projects'].map((path) =>
    page.waitForResponse((response) => new URL(response.url()).pathname === path),
  )
  await page.goto('/w/acme/triggers/new')
  await Promise.all([...answers, held.isAsked])
  await page.evaluate(nextFrames)
  const create = page.getByRole('button', { name: 'Create draft' })
  expect(await create.count()).toBe(0)
  held.release()
  await page.getByRole('radio', { name: action.title, exact: true }).check()
  await page.getByRole('textbox', { name: 'Name' }).fill('late')
  await create.click()
  await page.waitForURL('**/edit')
  expect((await ann.getTriggerDraft({ fullname: 'acme.pay.late' })).triggerSpec).toMatchObject({
    dataSource: 'acme.devnet',
  })
})

import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Person, project, trigger } from '../harness/index.ts'
import { axeViolations } from './harness/axe.ts'
import { retitle } from './harness/building.ts'
import { choose } from './harness/choose.ts'
import { journeyMs, openingMs, openSite, type Site } from './harness/index.ts'
import { expectDanger } from './harness/looks.ts'
import { transferAbi } from './harness/seed.ts'

/** The builder keeps the user's work and shows issues in words at their field. */

const abiSpec = { type: 'evm_log' as const, dataSource: 'common.nowhere', abiFragment: transferAbi }
let site: Site
let dev: Person
let made = 0
beforeAll(async () => {
  site = await openSite()
  dev = await site.house.person('dev')
  await dev.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme', meta: { title: 'Acme' } } })
  await dev.saveProject({
    fullname: 'acme.pay',
    body: project('acme.pay', { meta: { title: 'Pay', description: '' } }),
  })
}, openingMs)
afterEach(() => site.leave())
afterAll(() => site?.close())

async function saved(extra: Parameters<typeof trigger>[1] = {}): Promise<string> {
  const fullname = `acme.pay.t${++made}`
  await dev.saveTrigger({ fullname, body: trigger(fullname, extra) })
  return fullname
}

async function edit(page: Page, fullname: string): Promise<void> {
  await page.goto(`/w/acme/triggers/${fullname}/edit`)
  await page.getByRole('button', { name: 'Publish' }).waitFor()
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const openTab = (page: Page, name: string) => page.getByRole('tab', { name: new RegExp(`^${name}`) }).click()

test(
  'invalid text stops saving and publishing, counts as unsaved work and survives a tab change',
  async () => {
    const fullname = await saved({ triggerSpec: abiSpec })
    const before = await dev.getTrigger({ fullname })
    const page = await site.visit({ as: dev })
    await edit(page, fullname)
    const abi = page.getByRole('textbox', { name: 'ABI' })
    await abi.fill('event Broken(')
    await page.getByRole('tab', { name: /^Source \d issue/ }).waitFor()
    const refusal = page.getByRole('alert').filter({ hasText: 'ABI (Source tab): No event found' })
    for (const name of ['Publish', 'Save draft']) {
      await button(page, name).click()
      await refusal.waitFor()
    }

    await openTab(page, 'JSON')
    const json = page.getByRole('textbox', { name: 'Definition' })
    await json.click()
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.insertText('{"name": ')
    await page.getByRole('alert').filter({ hasText: 'Definition (JSON tab): Invalid JSON' }).waitFor()
    await openTab(page, 'Source')
    expect(await abi.inputValue()).toBe('event Broken(')
    await page.getByRole('link', { name: 'Destinations' }).click()
    const question = page.getByRole('dialog', { name: 'Leave without saving?' })
    await question.getByRole('button', { name: 'Save draft and leave' }).click()
    await question.getByText('A field contains invalid text.').waitFor()
    await question.getByRole('button', { name: 'Stay here' }).click()
    expect(await dev.getTriggerDraft({ fullname })).toEqual(before)

    await button(page, 'Discard text in ABI (Source tab)').click()
    expect(await abi.inputValue()).toBe(transferAbi)
    await openTab(page, 'JSON')
    await button(page, 'Discard text in Definition (JSON tab)').click()
    await json.getByText(`"${fullname}"`).waitFor()
    await retitle(page, 'Kept')
    await button(page, 'Save draft').click()
    await page.getByText('Unpublished draft.').waitFor()
    expect((await dev.getTriggerDraft({ fullname })).meta.title).toBe('Kept')
  },
  journeyMs,
)

test(
  'issues are shown in words, once, at their field and its tab, until they are corrected',
  async () => {
    const fullname = await saved({ triggerSpec: abiSpec })
    const page = await site.visit({ as: dev, allows: /400 \(Bad Request\)/ })
    await edit(page, fullname)
    await page.getByRole('textbox', { name: 'Contract' }).fill('0x123')
    await page.getByText('must be 0x and 40 hex digits').waitFor()
    await page.getByRole('textbox', { name: 'Contract' }).fill('')
    await page.getByText('must be 0x and 40 hex digits').waitFor({ state: 'detached' })

    await openTab(page, 'Message')
    const short = page.getByRole('textbox', { name: 'Short text' })
    const words = page.getByText('`{{` at line 2, column 4 is never closed')
    await short.fill('Paid\nto {{raw.to')
    await words.waitFor()
    await page.getByRole('tab', { name: 'Message 1 issue' }).waitFor()
    await button(page, 'Publish').click()
    await page.getByRole('alert').getByText('Short text (Message tab)').waitFor()
    expect(await words.count()).toBe(1)
    expect(await page.getByText(/Expecting|Parse error|payload is not valid/).count()).toBe(0)
    expect((await dev.getTriggerDraft({ fullname })).defaults?.short).toBe('Paid\nto {{raw.to')

    await short.fill('Paid\nto {{raw.to}}')
    await words.waitFor({ state: 'detached' })
    await page.getByRole('alert').waitFor({ state: 'detached' })
    await button(page, 'Publish').click()
    await page.waitForURL(`**/w/acme/triggers/${fullname}`)
    expect((await dev.getTrigger({ fullname })).defaults?.short).toBe('Paid\nto {{raw.to}}')
  },
  journeyMs,
)

test(
  'the live preview shows which parts of the conditions held',
  async () => {
    const fullname = await saved({
      triggerSpec: { ...abiSpec, testInput: { params: { value: '5', to: '0xabc' } } },
      conditions: {
        all: [
          { param: 'source.params.value', op: 'gt', value: '1000' },
          { not: { param: 'source.params.to', op: 'eq', value: '0xdef' } },
          { param: 'source.params.memo', op: 'startsWith', value: 'pay' },
        ],
      },
    })
    const page = await site.visit({ as: dev })
    await edit(page, fullname)
    const preview = page.getByRole('region', { name: 'Live preview' })
    await preview.getByText('Not activated').waitFor()
    expect(await preview.getByRole('list', { name: 'Conditions' }).getByRole('listitem').allTextContents()).toEqual([
      'Did not hold: source.params.value is more than 1000. The value is 5.',
      'Did not hold: source.params.to is 0xdef (must not hold). The value is 0xabc.',
      'Did not hold: source.params.memo starts with pay. There is no value.',
    ])
    expect(await axeViolations(page)).toEqual([])
  },
  journeyMs,
)

test(
  'a template of 10,000 lines can be inserted, typed in and saved',
  async () => {
    const fullname = await saved()
    const page = await site.visit({ as: dev })
    await edit(page, fullname)
    await openTab(page, 'Message')
    const long = page.getByRole('textbox', { name: 'Long text' })
    const text = Array.from({ length: 10_000 }, (_, line) => `line ${line} {{raw.x}}`).join('\n')
    await long.fill(text)
    await long.press('ControlOrMeta+End')
    await page.keyboard.type('!')
    expect(await long.inputValue()).toBe(`${text}!`)
    await page.getByText('must be at most 20000 characters').waitFor()
    await button(page, 'Save draft').click()
    await page.getByText('Unpublished draft.').waitFor()
    expect((await dev.getTriggerDraft({ fullname })).defaults?.long).toBe(`${text}!`)
    for (const tab of ['JSON', 'Changes', 'Scripts']) await openTab(page, tab)
    await page.getByRole('textbox', { name: 'Raw transform' }).click()
    await page.keyboard.insertText(text)
    await openTab(page, 'Changes')
    await page.getByText(/^Publishing adds 2\d{4}/).waitFor()
  },
  journeyMs,
)

test(
  'a second tab does not overwrite the first: it compares, overwrites or saves as new',
  async () => {
    const fullname = await saved()
    const [first, second] = await Promise.all([0, 1].map(() => site.visit({ as: dev, allows: /412|404/ })))
    if (!first || !second) throw new Error('There are two visits.')
    for (const page of [first, second]) await edit(page, fullname)
    const titleOf = async () => (await dev.getTriggerDraft({ fullname })).meta.title
    await retitle(first, 'First')
    await button(first, 'Save draft').click()
    await first.getByText('Unpublished draft.').waitFor()

    await retitle(second, 'Second')
    await button(second, 'Save draft').click()
    const conflict = second.getByRole('dialog', { name: 'This trigger was changed elsewhere' })
    await conflict.getByRole('button', { name: 'Compare' }).click()
    await conflict.getByText('"title": "First"').waitFor()
    await conflict.getByText('"title": "Second"').waitFor()
    await conflict.getByRole('button', { name: 'Cancel' }).click()
    expect(await titleOf()).toBe('First')
    await button(second, 'Publish').click()
    await conflict.getByRole('button', { name: 'Save as new' }).click()
    await conflict.getByRole('textbox', { name: 'New name' }).fill(`t${made}-mine`)
    await conflict.getByRole('button', { name: 'Create draft' }).click()
    await second.waitForURL(`**/${fullname}-mine/edit`)
    expect((await dev.getTriggerDraft({ fullname: `${fullname}-mine` })).meta.title).toBe('Second')
    expect(await titleOf()).toBe('First')

    await edit(second, fullname)
    await retitle(first, 'First again')
    await button(first, 'Publish').click()
    await first.waitForURL(`**/w/acme/triggers/${fullname}`)
    await retitle(second, 'Last')
    await button(second, 'Publish').click()
    await conflict.getByRole('button', { name: 'Overwrite' }).click()
    await second.waitForURL(`**/w/acme/triggers/${fullname}`)
    expect((await dev.getTrigger({ fullname })).meta.title).toBe('Last')
  },
  journeyMs,
)

test(
  'a new trigger does not overwrite a trigger or a draft of the same name',
  async () => {
    const published = await saved({ meta: { title: 'Published' } })
    const drafted = `acme.pay.t${++made}`
    await dev.saveTriggerDraft({ fullname: drafted, body: trigger(drafted, { meta: { title: 'Drafted' } }) })
    const page = await site.visit({ as: dev, allows: /412|404/ })
    await page.goto('/w/acme/triggers/new')
    await page.getByRole('textbox', { name: 'Title' }).fill('Another')
    const name = page.getByRole('textbox', { name: 'Name' })
    for (const fullname of [published, drafted]) {
      await name.fill(fullname.replace('acme.pay.', ''))
      await button(page, 'Create draft').click()
      await page.getByText(`A trigger or draft named ${fullname} already exists. Choose another name.`).waitFor()
      expect(await name.getAttribute('aria-invalid')).toBe('true')
    }
    expect(await dev.getTriggerDraft({ fullname: published })).toMatchObject({ meta: { title: 'Published' } })
    expect(await dev.getTriggerDraft({ fullname: drafted })).toMatchObject({ meta: { title: 'Drafted' } })
    await name.fill('fresh')
    await button(page, 'Create draft').click()
    await page.waitForURL('**/acme.pay.fresh/edit')
    await button(page, 'Publish').waitFor()

    await edit(page, drafted)
    await dev.saveTrigger({ fullname: drafted, body: trigger(drafted, { meta: { title: 'Theirs' } }) })
    // The draft is again as the builder knows it, so only the publishing can find out about the other trigger.
    await dev.saveTriggerDraft({ fullname: drafted, body: trigger(drafted, { meta: { title: 'Drafted' } }) })
    await button(page, 'Publish').click()
    const conflict = page.getByRole('dialog', { name: 'This trigger was changed elsewhere' })
    await conflict.waitFor()
    expect((await dev.getTrigger({ fullname: drafted })).meta.title).toBe('Theirs')
    await conflict.getByRole('button', { name: 'Overwrite' }).click()
    await page.waitForURL(`**/w/acme/triggers/${drafted}`)
    expect((await dev.getTrigger({ fullname: drafted })).meta.title).toBe('Drafted')
  },
  journeyMs,
)

test(
  'a published trigger shows its next steps, and a numeric filter accepts only numbers',
  async () => {
    const fullname = await saved({
      filtersSchema: { value: { type: 'balance', decimals: 6 } },
      meta: { title: 'Ticks' },
    })
    const page = await site.visit({ as: dev, allows: /412|404/ })
    await page.goto(`/w/acme/triggers/${fullname}`)
    const steps = page.getByRole('region', { name: 'Next steps' })
    await steps.getByText('No subscriptions yet.').waitFor()
    expect(await steps.getByRole('link').allTextContents()).toEqual(['Subscribe', 'Share', 'Show alerts'])
    await steps.getByRole('button', { name: 'Duplicate' }).click()
    const newName = page.getByRole('textbox', { name: 'New name' })
    await newName.fill(`t${made}`)
    await page.getByRole('button', { name: 'Create draft' }).click()
    await page.getByText(`A trigger or draft named ${fullname} already exists.`).waitFor()
    await newName.fill('twin')
    await page.getByRole('button', { name: 'Create draft' }).click()
    await page.waitForURL('**/acme.pay.twin/edit')
    expect((await dev.getTriggerDraft({ fullname: 'acme.pay.twin' })).meta.title).toBe('Ticks')

    await page.goto(`/w/acme/triggers/${fullname}`)
    await steps.getByRole('link', { name: 'Subscribe' }).click()
    await page.getByRole('radio', { name: 'Ticks' }).waitFor({ state: 'attached' })
    expect(await page.getByRole('radio', { name: 'Ticks' }).isChecked()).toBe(true)
    await button(page, 'Next').click()
    await button(page, 'Add filter').click()
    await choose(page, 'Operator of filter 1', /^is more than$/)
    const value = page.getByRole('textbox', { name: 'Value of filter 1' })
    await value.fill('abc')
    await page.getByText('Enter a number, such as 1000.').waitFor()
    await button(page, 'Next').click()
    await page.getByText('value: Enter a number, such as 1000.').waitFor()
    await value.fill('1000')
    await page.getByText(/Enter a number/).waitFor({ state: 'detached' })
    await page.getByText('JSON', { exact: true }).click()
    const conditions = page.getByRole('textbox', { name: 'Conditions' })
    await conditions.click()
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.insertText('{"all": [')
    await button(page, 'Next').click()
    await page.getByText('Invalid JSON').waitFor()
    expect(await conditions.getAttribute('aria-invalid')).toBe('true')
    expect(await page.getByRole('radio', { name: 'Rows' }).isDisabled()).toBe(true)
    await button(page, 'Back').click()
    await button(page, 'Next').click()
    await conditions.getByText('{"all": [').waitFor()
    await conditions.click()
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.press('Delete')
    await page.getByText('Invalid JSON').waitFor({ state: 'detached' })
    await button(page, 'Next').click()
    await page.getByRole('heading', { level: 2, name: 'How often' }).waitFor()
  },
  journeyMs,
)

test(
  'a long title leaves room for the other columns, and delete buttons are red',
  async () => {
    const fullname = await saved({ meta: { title: `Transfers ${'of many tokens '.repeat(11)}${'x'.repeat(20)}` } })
    const page = await site.visit({ as: dev })
    await page.goto('/w/acme/triggers')
    const row = page.getByRole('row').filter({ hasText: fullname })
    await row.waitFor()
    for (const width of [1440, 1000, 800]) {
      await page.setViewportSize({ width, height: 900 })
      const widths = await row.getByRole('cell').evaluateAll((cells) => cells.map((cell) => cell.clientWidth))
      expect(Math.min(...widths)).toBeGreaterThanOrEqual(90)
      expect(
        await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth'),
      ).toBeLessThanOrEqual(0)
    }
    await dev.saveTriggerDraft({ fullname, body: trigger(fullname) })
    await edit(page, fullname)
    await expectDanger(button(page, 'Discard draft'))
    await button(page, 'Discard draft').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  },
  journeyMs,
)

import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { axeViolations, whenSo } from '../../browser/harness/axe.ts'
import { retitle } from '../../browser/harness/building.ts'
import { choose } from '../../browser/harness/choose.ts'
import { journeyMs, openingMs, openSite, type Site } from '../../browser/harness/index.ts'
import { expectDanger } from '../../browser/harness/looks.ts'
import { transferAbi } from '../../browser/harness/seed.ts'
import { customSource, type Person, project, trigger } from '../../harness/index.ts'

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
    const docs = page.getByRole('link', { name: 'Docs: Messages' })
    expect(await docs.getAttribute('href')).toBe('/docs/guide/messages')
    const short = page.getByRole('textbox', { name: 'Short text' })
    const words = page.getByText('`{{` at line 2, column 4 is never closed')
    await short.fill('Paid\nto {{raw.to')
    await words.waitFor()
    await page.getByRole('tab', { name: /^Message 1 issue/ }).waitFor()
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
      // Nobody knows before a block is read what the events of a pallet have.
      triggerSpec: {
        ...{ type: 'substrate_event', dataSource: 'common.nowhere' },
        testInput: { params: { value: '5', to: '0xabc' } },
      },
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
      'Did not hold: source.params.memo starts with pay. There is nothing at source.params.memo. This part can probably never hold.',
    ])
    await openTab(page, 'Condition')
    const rows = page.getByRole('tabpanel', { name: /^Condition/ })
    await rows.getByText('False for the sample: 5').waitFor()
    await rows.getByText('False for the sample: there is nothing at source.params.memo').waitFor()
    await page.getByRole('tab', { name: /1 of 3 parts are true, 1 can probably never be/ }).waitFor()
    expect(await rows.getByText('and', { exact: true }).count()).toBe(2)
    expect(await axeViolations(page)).toEqual([])
  },
  journeyMs,
)

/** Types five dots into the focused field, and counts how often the page made JSON of the whole text meanwhile. */
const typeDots = `(async () => {
  const field = document.activeElement
  const stringify = JSON.stringify
  let count = 0
  JSON.stringify = (...args) => {
    const text = stringify(...args)
    if (text?.length > field.value.length) count++
    return text
  }
  for (let key = 0; key < 5; key++) {
    field.setSelectionRange(field.value.length, field.value.length)
    document.execCommand('insertText', false, '.')
    await Promise.resolve()
  }
  JSON.stringify = stringify
  return count
})()`

test(
  'a template of 10,000 lines can be inserted, typed in without a check at each key, and saved',
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
    await long.focus()
    expect(await page.evaluate<number>(typeDots)).toBe(0)
    for (const tab of ['JSON', 'Changes', 'Data']) await openTab(page, tab)
    await page.getByRole('textbox', { name: 'Raw transform' }).click()
    await page.keyboard.insertText(text)
    await page.keyboard.type(' // last')
    await openTab(page, 'Changes')
    await page.getByText(/^Publishing adds 2\d{4}/).waitFor()
    await openTab(page, 'Message')
    expect(await long.inputValue()).toBe(`${text}!.....`)
    await openTab(page, 'Data')
    await page.getByRole('textbox', { name: 'Raw transform' }).press('ControlOrMeta+End')
    await page
      .getByText(/\/\/ last$/)
      .first()
      .waitFor()
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
  'a reload keeps unsaved work, and a save after it still finds the conflict with another tab',
  async () => {
    const fullname = await saved({ meta: { title: 'Before' } })
    const page = await site.visit({ as: dev, allows: /412|404/ })
    page.on('dialog', (dialog) => void dialog.accept())
    await edit(page, fullname)
    await retitle(page, 'Typed')
    await whenSo(page, `sessionStorage.getItem('tocsin-unsaved ${fullname}')?.includes('Typed') === true`)
    await page.reload()
    await page.getByText('Your unsaved changes are back').waitFor()
    await page.getByRole('heading', { level: 1, name: 'Typed' }).waitFor()

    await dev.saveTriggerDraft({ fullname, body: trigger(fullname, { meta: { title: 'Of the other tab' } }) })
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Typed' }).waitFor()
    await button(page, 'Save draft').click()
    const conflict = page.getByRole('dialog', { name: 'This trigger was changed elsewhere' })
    await conflict.getByRole('button', { name: 'Compare' }).click()
    await conflict.getByText('"title": "Of the other tab"').waitFor()
    await conflict.getByRole('button', { name: 'Cancel' }).click()
    await button(page, 'Discard these changes').click()
    await page.getByRole('heading', { level: 1, name: 'Before' }).waitFor()
    await whenSo(page, `sessionStorage.getItem('tocsin-unsaved ${fullname}') === null`)
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Of the other tab' }).waitFor()
  },
  journeyMs,
)

test(
  'work that was kept over a reload is a draft once it is saved',
  async () => {
    const fullname = await saved({ meta: { title: 'Before' } })
    const page = await site.visit({ as: dev })
    page.on('dialog', (dialog) => void dialog.accept())
    await edit(page, fullname)
    await retitle(page, 'Typed')
    await whenSo(page, `sessionStorage.getItem('tocsin-unsaved ${fullname}')?.includes('Typed') === true`)
    await page.reload()
    const notice = page.getByText('Your unsaved changes are back')
    await notice.waitFor()
    await button(page, 'Save draft').click()
    await page.getByText('Unpublished draft.').waitFor()
    await button(page, 'Discard draft').waitFor()
    await notice.waitFor({ state: 'detached' })
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
    const steps = page.getByRole('main')
    await steps.getByText('No subscriptions yet.').waitFor()
    for (const name of ['Edit', 'Share', 'Show alerts', 'Subscribe'])
      await steps.getByRole('link', { name, exact: true }).waitFor()
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
    await steps.getByRole('link', { name: 'Subscribe', exact: true }).click()
    await page.getByRole('radio', { name: 'Ticks' }).waitFor({ state: 'attached' })
    expect(await page.getByRole('radio', { name: 'Ticks' }).isChecked()).toBe(true)
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
    await conditions.getByText('{"all": [').waitFor()
    await conditions.click()
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.press('Delete')
    await page.getByText('Invalid JSON').waitFor({ state: 'detached' })
    await button(page, 'Next').click()
    await page.getByRole('heading', { level: 2, name: 'Where should it go?' }).waitFor()
  },
  journeyMs,
)

test(
  'a trigger says its rule, draws its pipeline and rolls back to an earlier version as a new one',
  async () => {
    const defaults = { title: 'Tick {{raw.now}}' }
    const fullname = await saved({ meta: { title: 'Clock' }, defaults })
    await dev.saveTrigger({
      fullname,
      body: trigger(fullname, { meta: { title: 'Clock' }, defaults: { title: 'Tock' } }),
    })
    const page = await site.visit({ as: dev })
    await page.goto(`/w/acme/triggers/${fullname}`)
    await page.getByText('Every minute, send an alert.').waitFor()
    const pipeline = page.getByRole('region', { name: 'Pipeline of the trigger' })
    await button(page, 'Run on the latest match').click()
    await pipeline.getByText('This run, on the latest match.').waitFor()
    await pipeline.getByRole('button', { name: /^Source/ }).click()
    await page.getByRole('region', { name: 'Source of the sample' }).getByText('timestampMs').waitFor()
    await page.getByRole('img', { name: /0 alerts/ }).waitFor()
    const firings = page.getByRole('region', { name: 'Firings' })
    for (const name of ['Failed attempts', 'Given up']) await firings.getByText(name, { exact: true }).first().waitFor()

    const versions = page.getByRole('list', { name: 'Versions' })
    await versions.getByText('Changed the message').waitFor()
    await button(page, 'Compare').click()
    await page.getByRole('dialog').getByText('+   "title": "Tock"').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await button(page, 'Roll back to version 1').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Roll back' }).click()
    await versions.getByText('Rolled back to version 1').waitFor()
    await versions.getByText('Version 3').waitFor()
    expect((await dev.getTrigger({ fullname })).defaults?.title).toBe(defaults.title)
    await expectDanger(button(page, 'Delete trigger…'))
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme })
      expect(await axeViolations(page)).toEqual([])
    }
  },
  journeyMs,
)

test(
  'each stage of the builder shows what the sample gave, and the message is shown for every channel',
  async () => {
    const fullname = await saved({
      meta: { title: 'Clock' },
      conditions: { param: 'source.timestampMs', op: 'gt', value: 5 },
      transform: { language: 'javascript', rawSource: '({ amount: 7 })' },
      defaults: { title: '{{raw.amount}} moved', short: 'To the vault' },
    })
    const page = await site.visit({ as: dev })
    await edit(page, fullname)
    await button(page, 'Test timer').click()
    const stage = (name: string, text: RegExp) =>
      page.getByRole('tab', { name: new RegExp(`^${name}.*${text.source}`) })
    await stage('Source', /Every minute/).waitFor()
    await stage('Condition', /Passes.*1 of 1 parts are true/).waitFor()
    await stage('Data', /amount 7/).waitFor()
    await stage('Message', /“7 moved”/).waitFor()
    await stage('Destinations', /A draft sends nothing/).waitFor()

    await openTab(page, 'Message')
    const shown = page.getByRole('region', { name: 'Message preview' })
    for (const channel of ['Telegram', 'Discord', 'Slack', 'E-mail']) {
      await shown.getByRole('tab', { name: channel }).click()
      const message = shown.getByRole('article', { name: `Message in ${channel}` })
      await message.getByText('7 moved').waitFor()
      await message.getByText('To the vault').waitFor()
    }
    await shown.getByRole('tab', { name: 'Webhook' }).click()
    await shown.getByText('"To the vault"').waitFor()
    await page.getByRole('textbox', { name: 'Short text' }).fill('To\n{{raw.to')
    await shown.getByText('Short text: `{{` at line 2, column 1 is never closed').waitFor()
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme })
      expect(await axeViolations(page)).toEqual([])
    }
  },
  journeyMs,
)

test(
  'a long title leaves room for the other columns, and delete buttons are red',
  async () => {
    const fullname = await saved({ meta: { title: `Transfers ${'of many tokens '.repeat(11)}${'x'.repeat(20)}` } })
    const page = await site.visit({ as: dev })
    await page.goto('/w/acme/triggers')
    const row = page.getByRole('row').filter({ has: page.getByTitle(fullname, { exact: true }) })
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

/** Each kind of item with its source, what is written in its form, and the spec that it makes. */
const kinds: [string, string | undefined, Record<string, string>, object][] = [
  ['EVM event', 'EVM', { Contract: `0x${'1'.repeat(40)}` }, { type: 'evm_log', contract: `0x${'1'.repeat(40)}` }],
  ['EVM transaction', 'EVM', {}, { type: 'evm_transaction' }],
  ['EVM call', 'EVM', { Method: 'pause()' }, { type: 'evm_call', method: 'pause()' }],
  ['EVM block', 'EVM', { Every: '5' }, { type: 'evm_block', every: 5 }],
  [
    'Substrate event',
    'Substrate',
    { Pallet: 'balances', Event: 'Transfer' },
    { type: 'substrate_event', event: 'Transfer' },
  ],
  ['Substrate call', 'Substrate', { Pallet: 'system', Call: 'remark' }, { type: 'substrate_call', call: 'remark' }],
  ['Substrate block', 'Substrate', { Every: '7' }, { type: 'substrate_block', every: 7 }],
  ['Solana event', 'Solana', { Event: 'Bought' }, { type: 'solana_event', event: 'Bought' }],
  ['Solana instruction', 'Solana', { Instruction: 'buy' }, { type: 'solana_instruction', instruction: 'buy' }],
  [
    ...(['Timer', undefined] as const),
    { Interval: '0 9 * * 1-5', 'Time zone': 'Europe/Paris' },
    { type: 'timer', interval: '0 9 * * 1-5', timezone: 'Europe/Paris' },
  ],
]

test(
  'the builder has a form for every kind of item, and each makes its spec',
  async () => {
    for (const title of ['EVM', 'Substrate', 'Solana']) {
      const kind = title.toLowerCase() as 'evm' | 'substrate' | 'solana'
      const body = customSource(`acme.${kind}`, { kind, endpoints: ['http://127.0.0.1:9'], meta: { title } })
      await dev.saveCustomSource({ fullname: body.fullname, body })
    }
    const fullname = await saved({ triggerSpec: null, backend: { type: 'sdk', trigger: 'acme.pay.other' } })
    const page = await site.visit({ as: dev })
    await edit(page, fullname)
    expect(await page.getByRole('combobox', { name: 'Stream', exact: true }).inputValue()).toBe('acme.pay.other')
    let source: string | undefined
    for (const [label, of, texts, spec] of kinds) {
      await choose(page, 'Listens to', new RegExp(`^${label}$`))
      if (of !== undefined && of !== source) await choose(page, 'Source', new RegExp(`acme.${of.toLowerCase()}`))
      source = of
      for (const [name, text] of Object.entries(texts))
        await page.getByRole('textbox', { name, exact: true }).fill(text)
      await button(page, 'Save draft').click()
      await page.getByText('Unsaved changes').waitFor({ state: 'detached' })
      const wanted = of === undefined ? spec : { ...spec, dataSource: `acme.${of.toLowerCase()}` }
      expect((await dev.getTriggerDraft({ fullname })).triggerSpec).toMatchObject(wanted)
    }
  },
  journeyMs,
)

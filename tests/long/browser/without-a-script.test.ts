import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { axeViolations } from '../../browser/harness/axe.ts'
import { goToWhere, openOptions } from '../../browser/harness/building.ts'
import { choose } from '../../browser/harness/choose.ts'
import { journeyMs, openingMs, openSite, type Site } from '../../browser/harness/index.ts'
import { transferAbi } from '../../browser/harness/seed.ts'
import { type Person, project, trigger } from '../../harness/index.ts'

/** What the rows of the console say without JavaScript: another field, a length, units, a sum, a severity by conditions. */

const triggerSpec = { type: 'evm_log' as const, dataSource: 'common.nowhere', abiFragment: transferAbi }
const read = (id: string, method: string) => ({
  ...{ id, type: 'evm_read' as const, contract: `0x${'1'.repeat(40)}`, method },
  abiFragment: `function ${method}() view returns (uint256)`,
})
const providers = [read('assets', 'totalAssets'), read('supply', 'totalSupply')]

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
  await dev.saveTrigger({ fullname, body: trigger(fullname, { triggerSpec, providers, ...extra }) })
  return fullname
}

async function edit(page: Page, fullname: string): Promise<void> {
  await page.goto(`/w/acme/triggers/${fullname}/edit`)
  await page.getByRole('button', { name: 'Publish' }).waitFor()
}

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const combo = (page: Page, name: string) => field(page, name).or(page.getByRole('combobox', { name, exact: true }))

async function publish(page: Page, fullname: string): Promise<void> {
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.waitForURL(`**/w/acme/triggers/${fullname}`)
}

test(
  'a row compares a field with another one, with a length and with an amount in gwei, and the sentence says so',
  async () => {
    const fullname = await saved()
    const page = await site.visit({ as: dev })
    await edit(page, fullname)
    await page.getByRole('tab', { name: /^Condition/ }).click()
    const add = page.getByRole('button', { name: 'Add condition' })
    await add.click()
    await combo(page, 'Field of condition 1').fill('providers.assets')
    await choose(page, 'Operator of condition 1', /^is less than$/)
    await choose(page, 'Form of the value of condition 1', /^Another field$/)
    await combo(page, 'Value of condition 1').fill('providers.supply')
    await field(page, 'Times: Value of condition 1').fill('0.98')
    await add.click()
    await combo(page, 'Field of condition 2').fill('source.topics.length')
    await choose(page, 'Operator of condition 2', /^is at least$/)
    await field(page, 'Value of condition 2').fill('3')
    await add.click()
    await combo(page, 'Field of condition 3').fill('source.params.value')
    await choose(page, 'Operator of condition 3', /^is more than$/)
    await choose(page, 'Form of the value of condition 3', /^Amount in gwei$/)
    await field(page, 'Value of condition 3').fill('100')
    expect(await axeViolations(page)).toEqual([])
    await publish(page, fullname)
    const { conditions } = await dev.getTrigger({ fullname })
    expect(conditions).toEqual({
      all: [
        { param: 'providers.assets', op: 'lt', value: { path: 'providers.supply', times: '0.98' } },
        { param: 'source.topics.length', op: 'gte', value: '3' },
        { param: 'source.params.value', op: 'gt', value: { amount: '100', decimals: 9 } },
      ],
    })
    await page
      .getByText(/assets is less than 0\.98 × supply/)
      .first()
      .waitFor()
  },
  journeyMs,
)

test(
  'a field that cannot be there is refused beside its row, with the one that is meant',
  async () => {
    const fullname = await saved()
    const page = await site.visit({ as: dev, allows: /400/ })
    await edit(page, fullname)
    await page.getByRole('tab', { name: /^Condition/ }).click()
    await page.getByRole('button', { name: 'Add condition' }).click()
    await combo(page, 'Field of condition 1').fill('source.params.valeu')
    await field(page, 'Value of condition 1').fill('3')
    await page.getByRole('button', { name: 'Publish' }).click()
    await page
      .getByText(/did you mean source\.params\.value\?/)
      .first()
      .waitFor()
  },
  journeyMs,
)

test(
  'a sum in whole tokens and a severity by conditions are chosen by clicks, and the page of the subscription says both',
  async () => {
    const fullname = await saved({ providers: [] })
    const page = await site.visit({ as: dev })
    await page.goto(`/w/acme/subscriptions/new?project=acme.pay&trigger=${fullname}`)
    await goToWhere(page)
    await openOptions(page)
    await page.getByRole('radio', { name: 'Sum', exact: true }).check()
    await field(page, 'Value').fill('params.value')
    await field(page, 'Within').fill('1h')
    await field(page, 'Above').fill('50000')
    await choose(page, 'Unit of “Above”', /^Whole tokens of the item$/)
    await page
      .getByText('Send when the sum of params.value within 1 hour is above 50,000 tokens, and when it no longer is.')
      .waitFor()
    await choose(page, 'Unit of “Above”', /^With decimals$/)
    await field(page, 'Decimals of “Above”').fill('6')
    await page
      .getByText(/is above 50,000 \(6 decimals\)/)
      .first()
      .waitFor()

    await page.getByRole('radiogroup', { name: 'How the severity is chosen' }).getByText('By conditions').click()
    const rule = page.getByRole('group', { name: 'Rule 1', exact: true })
    const inRule = (name: string) =>
      rule.getByRole('textbox', { name, exact: true }).or(rule.getByRole('combobox', { name, exact: true }))
    await inRule('Field of condition 1').fill('policy.value')
    await choose(rule, 'Form of the value of condition 1', /^Another field$/)
    await inRule('Value of condition 1').fill('policy.bound')
    await inRule('Times: Value of condition 1').fill('2')
    await choose(page, 'Otherwise', /^warning$/)
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByRole('button', { name: 'Activate' }).click()
    await page.getByRole('link', { name: 'Open subscription' }).click()
    await page.getByText('critical if policy.value is more than 2 × policy.bound, otherwise warning').waitFor()
    const [made] = await dev.listSubscriptions({ query: { workspace: 'acme' } })
    expect(made).toMatchObject({
      policy: { type: 'sum', value: 'params.value', within: '1h', above: { amount: '50000', decimals: 6 } },
      overrides: {
        severity: [
          {
            if: { all: [{ param: 'policy.value', op: 'gt', value: { path: 'policy.bound', times: '2' } }] },
            then: 'critical',
          },
          { then: 'warning' },
        ],
      },
    })
  },
  journeyMs,
)

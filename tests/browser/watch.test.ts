import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { until } from '../harness/following.ts'
import { resource } from '../harness/index.ts'
import { clicksOf, countClicks } from './harness/clicks.ts'
import { journeyMs, openingMs } from './harness/index.ts'
import { openGoal, openWatchSite, sendCoins, type WatchSite, wallet, webhookAlerts } from './harness/watch.ts'

let opened: WatchSite
let site: WatchSite['site']
let node: WatchSite['node']
let receiver: WatchSite['receiver']
let root: WatchSite['root']
beforeAll(async () => {
  opened = await openWatchSite()
  ;({ site, node, receiver, root } = opened)
}, openingMs)
afterEach(() => site.leave())
afterAll(() => opened?.close())

const clicksMax = 10

test(
  'a new account gets its first alert from a chain at a webhook in at most ten clicks and without code',
  async () => {
    const page = await site.visit()
    await countClicks(page)
    await page.goto('/')
    await page.getByRole('link', { name: 'Create an account' }).click()
    await page.getByLabel('Name').fill('Ann')
    await page.getByLabel('E-mail').fill('ann@example.org')
    await page.getByRole('textbox', { name: 'Password' }).fill('correct horse battery')
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('link', { name: 'Watch a chain instead' }).click()
    await page.getByRole('link', { name: 'Watch a wallet' }).click()
    await page
      .getByRole('combobox', { name: 'Wallet address' })
      .or(page.getByLabel('Wallet address'))
      .first()
      .fill(wallet)
    await page.getByRole('button', { name: 'Add destination' }).click()
    const destination = page.getByRole('region', { name: 'New destination' })
    await destination.getByRole('textbox', { name: 'URL' }).fill(receiver.url)
    await destination.getByRole('button', { name: 'Save destination' }).click()
    await page.getByRole('checkbox', { name: 'webhook' }).and(page.locator('[aria-checked=true]')).waitFor()
    await page.getByRole('button', { name: 'Start watching' }).click()
    await page.getByRole('heading', { name: 'It is live' }).waitFor()
    await page.getByText('Test message sent').first().waitFor()
    await page.getByText('Waiting for the first alert').waitFor()
    await sendCoins(node, wallet, 3n)
    await page
      .getByRole('region', { name: 'First alert' })
      .getByText(/^3(\.0)? /)
      .first()
      .waitFor()
    expect(await clicksOf(page)).toBeLessThanOrEqual(clicksMax)
    const alerts = await until(
      async () => webhookAlerts(receiver),
      (found) => found.length > 0,
      60_000,
    )
    expect(alerts[0].data.raw).toMatchObject({ to: wallet, value: String(3n * 10n ** 18n) })

    await page.getByRole('link', { name: 'Open in builder' }).click()
    await page.getByRole('heading', { level: 1, name: /coin transfers$/ }).waitFor()
  },
  journeyMs,
)

test(
  'the sentence of the summary follows each answer while it is typed, and nothing is created before the start',
  async () => {
    await root.saveResource({
      fullname: 'ops.pager',
      body: resource('ops.pager', { data: { url: receiver.url }, meta: { title: 'Desk pager' } }),
    })
    const before = await root.listTriggers({ query: { workspace: 'ops' } })
    const page = await site.visit({ as: root })
    await openGoal(page, 'Watch a wallet')
    const sentence = page.getByRole('complementary', { name: 'Summary' }).locator('p', { hasText: /^When/ })
    const says = (words: string) =>
      expect.poll(async () => (await sentence.innerText()).replaceAll(/\s+/g, ' ')).toBe(words)
    await says('When … sends or receives coins or tokens on Devnet, show it in the app.')
    await page.getByLabel('Wallet address').first().fill('0x12')
    await says('When 0x12 sends or receives coins or tokens on Devnet, show it in the app.')
    await page.getByLabel('Wallet address').first().fill(wallet)
    await says('When 0x0000…00aa sends or receives coins or tokens on Devnet, show it in the app.')
    await page.getByText('In', { exact: true }).click()
    await says('When 0x0000…00aa receives coins or tokens on Devnet, show it in the app.')
    await page.getByRole('radio', { name: 'Coins only' }).check()
    await page.getByRole('textbox', { name: 'Smallest amount' }).pressSequentially('1250.5')
    await says('When 0x0000…00aa receives coins, at least 1,250.5 coins, on Devnet, show it in the app.')
    await page.getByRole('checkbox', { name: 'Desk pager' }).click()
    await says('When 0x0000…00aa receives coins, at least 1,250.5 coins, on Devnet, send it to Desk pager.')
    await page.getByRole('textbox', { name: 'Smallest amount' }).fill('')
    await says('When 0x0000…00aa receives coins on Devnet, send it to Desk pager.')
    expect(await root.listTriggers({ query: { workspace: 'ops' } })).toEqual(before)
  },
  journeyMs,
)

test(
  'a step that fails says what exists, and the next click continues there',
  async () => {
    const page = await site.visit({ as: root, allows: /status of 500/ })
    await openGoal(page, 'Watch a wallet')
    await page.getByLabel('Wallet address').first().fill(wallet)
    await page.getByRole('radio', { name: 'NFTs' }).check()
    // Pages may read the list meanwhile; only the first save fails.
    let saves = 0
    await page.route('**/api/subscriptions', (route) => {
      const isFirstSave = route.request().method() === 'POST' && saves++ === 0
      return isFirstSave ? route.fulfill({ status: 500, json: {} }) : route.fallback()
    })
    await page.getByRole('button', { name: 'Start watching' }).click()
    await page.getByText(/^Ready so far: the project ops\.watches, the trigger/).waitFor()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'It is live' }).waitFor()
    const triggers = await root.listTriggers({ query: { workspace: 'ops' } })
    expect(triggers.filter(({ name }) => name.includes('nft'))).toHaveLength(1)
  },
  journeyMs,
)

import { afterAll, afterEach, beforeAll, test } from 'vitest'
import { hold, isCall } from '../../browser/harness/hold.ts'
import { journeyMs, openingMs } from '../../browser/harness/index.ts'
import { checkLooks } from '../../browser/harness/looks.ts'
import { openGoal, openWatchSite, sendCoins, type WatchSite, word } from '../../browser/harness/watch.ts'
import { until } from '../../harness/following.ts'
import { answers } from '../../nodes/evm-contracts.ts'

let opened: WatchSite
let site: WatchSite['site']
let node: WatchSite['node']
let root: WatchSite['root']
beforeAll(async () => {
  opened = await openWatchSite()
  ;({ site, node, root } = opened)
}, openingMs)
afterEach(() => site.leave())
afterAll(() => opened?.close())

test(
  'a price under a bound fires an alert, and answers that do not fit are explained beside their field',
  async () => {
    const feed = await node.deploy(
      answers({
        '0x313ce567': `0x${word(8n)}`,
        '0xfeaf968c': `0x${[1n, 1_500n * 10n ** 8n, 1n, 1_700_000_000n, 1n].map(word).join('')}`,
      }),
    )
    const page = await site.visit({ as: root })
    await openGoal(page, 'Watch a price')
    await page.getByText(/price feeds, which are contracts on EVM networks\.$/).waitFor()
    const start = page.getByRole('button', { name: 'Start watching' })
    const field = page.getByRole('region', { name: 'What' }).getByLabel('Price feed')
    await start.click()
    await page.getByText('Enter an address.').waitFor()
    await page.getByText('Enter a number, such as 100.').waitFor()
    await field.fill('9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin')
    await start.click()
    await page.getByText(/This looks like an address of a Solana network/).waitFor()
    await checkLooks(page, 'watch-price')

    await field.fill(feed)
    await page.getByRole('textbox', { name: 'Price', exact: true }).fill('2000')
    await page
      .getByRole('complementary', { name: 'Summary' })
      .getByText(/is below 2,000 on Devnet/)
      .waitFor()
    await start.click()
    await page.getByRole('heading', { name: 'It is live' }).waitFor()
    await page.getByText('Waiting for the first alert').waitFor()
    await node.request('hardhat_mine', ['0x5'])
    await page.getByRole('region', { name: 'First alert' }).getByText('The price is 1,500').first().waitFor()
    await checkLooks(page, 'watch-live')
  },
  journeyMs,
)

test(
  'an alert that comes before the stream of the page is open is shown',
  async () => {
    const page = await site.visit({ as: root })
    const listIds = async () => (await root.listSubscriptions({ query: { workspace: 'ops' } })).map(({ id }) => id)
    const before = await listIds()
    await openGoal(page, 'Watch a wallet')
    const account = `0x${'ee'.repeat(20)}`
    await page.getByLabel('Wallet address').first().fill(account)
    const stream = await hold(page, isCall('GET', '/api/stream'))
    await page.getByRole('button', { name: 'Start watching' }).click()
    await page.getByText('Connecting to the live stream').waitFor()
    await stream.isAsked
    await sendCoins(node, account, 2n)
    const subscription = (await listIds()).find((id) => !before.includes(id)) ?? ''
    await until(
      () => root.listAlerts({ query: { subscription } }),
      (alerts) => alerts.length > 0,
    )
    stream.release()
    await page.getByRole('region', { name: 'First alert' }).getByRole('link', { name: 'Show trace' }).waitFor()
  },
  journeyMs,
)

test(
  'the goals fit a phone and both colour schemes, and a goal without a network says how to connect one',
  async () => {
    const page = await site.visit({ as: root })
    await page.goto('/watch')
    await page.waitForURL(/\/w\/[^/]+\/watch$/)
    await page.getByRole('link', { name: 'Watch a wallet' }).waitFor()
    await checkLooks(page, 'watch')
    await page.getByRole('link', { name: 'Watch a validator or staking account' }).click()
    await page.getByText(/follows no Substrate network yet/).waitFor()
    await page.getByRole('link', { name: 'Create source' }).waitFor()
  },
  journeyMs,
)

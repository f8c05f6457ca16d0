import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Receiver, startReceiver } from '../harness/deliveries.ts'
import { until } from '../harness/following.ts'
import { customSource, type Person } from '../harness/index.ts'
import { type EvmNode, startEvmNode } from '../nodes/evm.ts'
import { answers } from '../nodes/evm-contracts.ts'
import { journeyMs, openingMs, openSite, type Site } from './harness/index.ts'
import { checkLooks } from './harness/looks.ts'

let site: Site
let node: EvmNode
let receiver: Receiver
let root: Person
beforeAll(async () => {
  site = await openSite()
  node = await startEvmNode()
  receiver = await startReceiver()
  root = await site.house.person('root')
  await root.saveWorkspace({ fullname: 'ops', body: { fullname: 'ops', meta: { title: 'Ops' } } })
  const meta = { title: 'Devnet' }
  await root.saveCustomSource({
    fullname: 'ops.devnet',
    body: customSource('ops.devnet', { kind: 'evm', public: true, endpoints: [node.url], meta }),
  })
}, openingMs)
afterEach(() => site.leave())
afterAll(async () => {
  await site?.close()
  await node?.close()
  receiver?.close()
})

const wallet = '0x00000000000000000000000000000000000000aa'
const clicksMax = 10
const ether = 10n ** 18n
const word = (value: bigint) => value.toString(16).padStart(64, '0')

/** Counts clicks of the user, also those that the browser makes for the Enter key. */
const countClicks =
  "addEventListener('click', (event) => event.isTrusted && sessionStorage.setItem('clicks', 1 + Number(sessionStorage.getItem('clicks'))), true)"

const sendCoins = (to: string, amount: bigint) => node.send({ to, value: `0x${amount.toString(16)}` })

async function openGoal(page: Page, title: string): Promise<void> {
  await page.goto('/w/ops/watch')
  await page.getByRole('link', { name: title }).click()
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
}

test(
  'a new account gets its first alert from a chain at a webhook in at most ten clicks and without code',
  async () => {
    const page = await site.visit()
    await page.addInitScript(countClicks)
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
    await sendCoins(wallet, 3n * ether)
    await page
      .getByRole('region', { name: 'First alert' })
      .getByText(/^3(\.0)? /)
      .first()
      .waitFor()
    expect(Number(await page.evaluate("sessionStorage.getItem('clicks')"))).toBeLessThanOrEqual(clicksMax)
    const alerts = await until(
      async () => receiver.received.map(({ body }) => JSON.parse(body)).filter(({ type }) => type === 'alert'),
      (found) => found.length > 0,
      60_000,
    )
    expect(alerts[0].data.raw).toMatchObject({ to: wallet, value: String(3n * ether) })

    await page.getByRole('link', { name: 'Open in builder' }).click()
    await page.getByRole('heading', { level: 1, name: /coin transfers$/ }).waitFor()
  },
  journeyMs,
)

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
  'a step that fails says what exists, and the next click continues there',
  async () => {
    const page = await site.visit({ as: root, allows: /status of 500/ })
    await openGoal(page, 'Watch a wallet')
    await page.getByLabel('Wallet address').first().fill(wallet)
    await page.getByRole('radio', { name: 'NFTs' }).check()
    await page.route('**/api/subscriptions', (route) => route.fulfill({ status: 500, json: {} }), { times: 1 })
    await page.getByRole('button', { name: 'Start watching' }).click()
    await page.getByText(/^Ready so far: the project ops\.watches, the trigger/).waitFor()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'It is live' }).waitFor()
    const triggers = await root.listTriggers({ query: { workspace: 'ops' } })
    expect(triggers.filter(({ name }) => name.includes('nft'))).toHaveLength(1)
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

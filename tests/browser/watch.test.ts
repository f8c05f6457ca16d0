import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Receiver, startReceiver } from '../harness/deliveries.ts'
import { until } from '../harness/following.ts'
import { customSource, type Person, resource } from '../harness/index.ts'
import { type AbiServers, startAbiServers } from '../nodes/abi-services.ts'
import { type EvmNode, startEvmNode } from '../nodes/evm.ts'
import { answers, anyEmitter, emission, values } from '../nodes/evm-contracts.ts'
import { clicksOf, countClicks } from './harness/clicks.ts'
import { hold, isCall } from './harness/hold.ts'
import { journeyMs, openingMs, openSite, type Site } from './harness/index.ts'
import { checkLooks } from './harness/looks.ts'

let site: Site
let node: EvmNode
let receiver: Receiver
let services: AbiServers
let root: Person
beforeAll(async () => {
  services = await startAbiServers()
  site = await openSite(services.variables)
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
  await services?.close()
  receiver?.close()
})

const wallet = '0x00000000000000000000000000000000000000aa'
const clicksMax = 10
const ether = 10n ** 18n
const word = (value: bigint) => value.toString(16).padStart(64, '0')

const sendCoins = (to: string, amount: bigint) => node.send({ to, value: `0x${amount.toString(16)}` })

/** A token with 6 decimals that no service knows. It emits what it is sent. */
async function deployToken(): Promise<string> {
  const token = await node.deploy(values)
  const text = (letters: string) => [
    32n,
    BigInt(letters.length),
    BigInt(`0x${Buffer.from(letters).toString('hex').padEnd(64, '0')}`),
  ]
  const set = async (selector: bigint, words: bigint[]) => {
    for (const [at, value] of words.entries())
      await node.send({ to: token, data: `0x${word(selector + BigInt(at))}${word(value)}` })
  }
  await set(0x313ce567n, [6n])
  await set(0x95d89b41n, text('TKN'))
  await set(0x06fdde03n, text('Test token'))
  return token
}

const transferTopic = 0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3efn

function moveTokens(token: string, tokens: bigint): Promise<string> {
  const words = [transferTopic, 0xaan, 0xbbn, tokens * 10n ** 6n]
  return node.send({ to: token, data: `0x${words.map(word).join('')}` })
}

async function showAddress(page: Page, address: string): Promise<void> {
  await page
    .getByLabel(/^Address( \*)?$/)
    .first()
    .fill(address)
  await page.getByRole('button', { name: 'Show', exact: true }).click()
}

const webhookAlerts = () => receiver.received.map(({ body }) => JSON.parse(body)).filter(({ type }) => type === 'alert')

async function openGoal(page: Page, title: string): Promise<void> {
  await page.goto('/w/ops/watch')
  await page.getByRole('link', { name: title }).click()
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
}

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
    await sendCoins(wallet, 3n * ether)
    await page
      .getByRole('region', { name: 'First alert' })
      .getByText(/^3(\.0)? /)
      .first()
      .waitFor()
    expect(await clicksOf(page)).toBeLessThanOrEqual(clicksMax)
    const alerts = await until(
      async () => webhookAlerts(),
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
    await sendCoins(account, 2n * ether)
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

test(
  'an address that is pasted shows a token that nobody verified, and one click leads to an alert over an amount',
  async () => {
    services.misbehave('sourcify', 'down')
    const token = await deployToken()
    for (const tokens of [5n, 10n, 20n]) await moveTokens(token, tokens)
    await root.saveResource({
      fullname: 'ops.hook',
      body: resource('ops.hook', { data: { url: receiver.url }, meta: { title: 'Hook' } }),
    })
    const page = await site.visit({ as: root })
    await page.goto('/w/ops/triggers/new')
    await page.getByRole('link', { name: 'Watch an address' }).waitFor()
    await page.goto('/w/ops/home')
    await page.getByRole('link', { name: 'Watch an address' }).click()
    await showAddress(page, token)
    const what = page.getByRole('region', { name: 'What it is' })
    await what.getByRole('heading', { name: 'TKN' }).waitFor()
    await what.getByText('Token on Devnet').waitFor()
    await what.getByText('Not verified: read from its code and recent logs').waitFor()
    const transfer = page
      .getByRole('region', { name: 'What it does' })
      .getByRole('listitem')
      .filter({ hasText: 'event' })
    await transfer.getByText('3', { exact: true }).waitFor()
    await transfer.getByText('Latest: from 0x0000…00aa, to 0x0000…00bb, value 20 TKN').waitFor()
    await page.getByText(/^Sourcify could not be asked/).waitFor()
    services.misbehave('sourcify', undefined)
    await checkLooks(page, 'watch-address')

    await page.getByRole('button', { name: 'Alert me about Transfer (event)' }).click()
    await page.getByRole('textbox', { name: 'Value at least' }).fill('1000')
    await page.getByRole('checkbox', { name: 'Hook' }).click()
    await page
      .getByRole('complementary', { name: 'Summary' })
      .getByText(/value at least 1,000 TKN/)
      .waitFor()
    await checkLooks(page, 'watch-alert-me')
    await page.getByRole('button', { name: 'Start watching' }).click()
    await page.getByRole('heading', { name: 'It is live' }).waitFor()
    await page.getByText('Waiting for the first alert').waitFor()
    await moveTokens(token, 999n)
    await moveTokens(token, 2_500n)
    await page.getByRole('region', { name: 'First alert' }).getByRole('link', { name: 'Show trace' }).waitFor()
    const ofToken = () => webhookAlerts().filter(({ data }) => data.raw.contract === token)
    await until(
      async () => ofToken().length,
      (count) => count > 0,
      60_000,
    )
    expect(ofToken().map(({ data }) => data.raw.params.value)).toEqual(['2500000000'])
  },
  journeyMs,
)

const erc20 = [
  {
    type: 'event',
    name: 'Transfer',
    inputs: [
      { name: 'from', type: 'address', indexed: true },
      { name: 'to', type: 'address', indexed: true },
      { name: 'value', type: 'uint256', indexed: false },
    ],
  },
  {
    type: 'function',
    name: 'mint',
    stateMutability: 'nonpayable',
    inputs: [{ name: 'amount', type: 'uint256' }],
    outputs: [],
  },
]
const logicSlot = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbcn

test.each(['token', 'proxy'])(
  'a verified %s shows its interface, and one click leads to an alert at a webhook',
  async (kind) => {
    const contract = await deployToken()
    const implementation = kind === 'proxy' ? await node.deploy(values) : contract
    if (kind === 'proxy') await node.send({ to: contract, data: `0x${word(logicSlot)}${word(BigInt(implementation))}` })
    if (kind === 'proxy')
      await root.createAddress({ body: { type: 'evm', address: implementation, alias: 'Our logic' } })
    services.verify('sourcify', implementation, { abi: erc20, name: 'TestToken' })
    const hook = `ops.hook-${kind}`
    const meta = { title: `Hook of the ${kind}` }
    await root.saveResource({ fullname: hook, body: resource(hook, { data: { url: receiver.url }, meta }) })
    const page = await site.visit({ as: root })
    await page.goto(`/w/ops/watch/address?source=ops.devnet&address=${contract}`)
    const what = page.getByRole('region', { name: 'What it is' })
    await what.getByText('Verified on Sourcify').waitFor()
    if (kind === 'proxy') {
      await what.getByText('Upgradeable (EIP-1967)').waitFor()
      await what.getByText('Our logic').waitFor()
    }
    await page.getByRole('button', { name: 'Alert me about mint (call)' }).waitFor()
    await page.getByRole('button', { name: 'Alert me about Transfer (event)' }).click()
    await page.getByRole('checkbox', { name: meta.title }).click()
    await page.getByRole('button', { name: 'Start watching' }).click()
    await page.getByText('Waiting for the first alert').waitFor()
    await moveTokens(contract, 7n)
    await until(
      async () => webhookAlerts().filter(({ data }) => data.raw.contract === contract).length,
      (count) => count === 1,
      60_000,
    )
  },
  journeyMs,
)

test(
  'selected events become drafts of a project, and a pasted interface adds what the chain did not show',
  async () => {
    const token = await deployToken()
    await moveTokens(token, 1n)
    const page = await site.visit({ as: root })
    await page.goto(`/w/ops/watch/address?source=ops.devnet&address=${token}`)
    await page.getByText('Something is missing? Paste the interface').click()
    await page
      .getByRole('textbox', { name: 'Interface of the contract' })
      .fill('event Paused(address account)\nfunction pause()')
    await page.getByRole('button', { name: 'Read it' }).click()
    await page.getByRole('checkbox', { name: 'Select Paused (event)' }).check()
    await page.getByRole('checkbox', { name: 'Select pause (call)' }).check()
    await page.getByRole('button', { name: 'Create 2 drafts' }).click()
    await page.getByText('2 drafts created').waitFor()
    await page.getByRole('link', { name: /Paused$/ }).click()
    await page.getByRole('heading', { level: 1, name: /Paused$/ }).waitFor()
  },
  journeyMs,
)

test(
  'an address that is none, of another chain or without code gets a sentence that says what to do',
  async () => {
    const page = await site.visit({ as: root, allows: /status of 400/ })
    await page.goto('/w/ops/watch')
    await showAddress(page, 'hello')
    await page.getByText('This is not an address of Devnet. It begins with 0x and has 42 characters.').waitFor()
    await showAddress(page, '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin')
    await page.getByText(/This looks like an address of a Solana network/).waitFor()
    await showAddress(page, '0x742D35Cc6634C0532925a3b844Bc454e4438f44e')
    await page.getByText(/wrong checksum/).waitFor()
    await showAddress(page, 'vitalik.eth')
    await page.getByText(/this network has no ENS\. Paste the address/).waitFor()
    await showAddress(page, `0x${'ab'.repeat(32)}`)
    await page.getByText(/hash of a transaction or a block/).waitFor()
    const unknown = await node.deploy(anyEmitter())
    await showAddress(page, `https://explorer.example.org/address/${unknown}`)
    await page.getByText(/^No ABI was found/).waitFor()
    await page.getByRole('link', { name: 'Watch this contract' }).click()
    await page.getByRole('radio', { name: 'Every event' }).check()
    await page.getByRole('button', { name: 'Start watching' }).click()
    await page.getByText('Waiting for the first alert').waitFor()
    await node.send({ to: unknown, data: emission([`0x${'77'.repeat(32)}`], '0x') })
    await page.getByRole('region', { name: 'First alert' }).getByText('Unknown event').first().waitFor()
    await page.goto('/w/ops/watch')
    await showAddress(page, node.account)
    await page.getByText('Account on Devnet').waitFor()
    await page.getByRole('link', { name: 'Watch this wallet' }).click()
    expect(await page.getByLabel('Wallet address').first().inputValue()).toBe(node.account)
  },
  journeyMs,
)

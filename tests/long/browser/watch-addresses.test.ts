import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { journeyMs, openingMs } from '../../browser/harness/index.ts'
import { checkLooks } from '../../browser/harness/looks.ts'
import { openWatchSite, type WatchSite, webhookAlerts, word } from '../../browser/harness/watch.ts'
import { until } from '../../harness/following.ts'
import { resource } from '../../harness/index.ts'
import { anyEmitter, emission, values } from '../../nodes/evm-contracts.ts'

let opened: WatchSite
let site: WatchSite['site']
let node: WatchSite['node']
let receiver: WatchSite['receiver']
let services: WatchSite['services']
let root: WatchSite['root']
beforeAll(async () => {
  opened = await openWatchSite()
  ;({ site, node, receiver, services, root } = opened)
}, openingMs)
afterEach(() => site.leave())
afterAll(() => opened?.close())

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
    const ofToken = () => webhookAlerts(receiver).filter(({ data }) => data.raw.contract === token)
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
      async () => webhookAlerts(receiver).filter(({ data }) => data.raw.contract === contract).length,
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

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startReceiver } from '../harness/deliveries.ts'
import { until } from '../harness/following.ts'
import { project, subscription, trigger } from '../harness/index.ts'
import { type EvmNode, startEvmNode } from '../nodes/evm.ts'
import { goToWhere } from './harness/building.ts'
import { clicksOf, countClicks } from './harness/clicks.ts'
import { journeyMs, openingMs, openSite, type Site } from './harness/index.ts'
import { checkLooks } from './harness/looks.ts'
import { asEthereum, transferUsdc } from './harness/usdc.ts'

/** A new installation with the marketplace, whose Ethereum is a local node. */
let site: Site
let node: EvmNode
beforeAll(async () => {
  node = await startEvmNode({ chainId: 1 })
  site = await openSite(asEthereum(node))
}, openingMs)
afterEach(() => site.leave())
afterAll(async () => {
  await site?.close()
  await node?.close()
})

test(
  'a new user gets a live alert by the first steps alone',
  async () => {
    const page = await site.visit()
    await countClicks(page)
    await page.goto('/')
    await page.getByRole('link', { name: 'Create an account' }).click()
    await page.getByLabel('Name').fill('Ann')
    await page.getByLabel('E-mail').fill('ann@example.org')
    await page.getByRole('textbox', { name: 'Password' }).fill('correct horse battery')
    await page.getByRole('button', { name: 'Create account' }).click()

    await page.getByRole('heading', { level: 1, name: 'First steps' }).waitFor()
    const workspace = page.getByRole('button', { name: /^Workspace: / }).getByText('Personal workspace')
    expect(
      await workspace.evaluate(
        (name) => name.scrollWidth <= name.clientWidth && name.scrollHeight <= name.clientHeight,
      ),
    ).toBe(true)
    for (const step of ['Create project', 'Create timer', 'Continue without destination', 'Subscribe to the timer'])
      await page.getByRole('button', { name: step }).click()
    await page.getByText('Your first alert has arrived').waitFor()
    expect(await clicksOf(page)).toBeLessThanOrEqual(7)

    await page.getByRole('link', { name: 'Show trace' }).click()
    await page.waitForURL(/\/w\/ann\/alerts\/[^/]+$/)
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await page.title()).toMatch(/· Tocsin$/)
  },
  journeyMs,
)

test(
  'the timer of the first steps does not overwrite a trigger or a draft of its name',
  async () => {
    const bob = await site.house.person('bob')
    await bob.saveWorkspace({ fullname: 'shop', body: { fullname: 'shop' } })
    await bob.saveProject({ fullname: 'shop.p', body: project('shop.p') })
    const triggerSpec = { type: 'evm_log' as const, dataSource: 'common.nowhere', event: 'Ping()' }
    await bob.saveTrigger({ fullname: 'shop.p.timer', body: trigger('shop.p.timer', { triggerSpec }) })
    const drafted = { fullname: 'shop.p.timer-2', body: trigger('shop.p.timer-2', { meta: { title: 'Drafted' } }) }
    await bob.saveTriggerDraft(drafted)
    const page = await site.visit({ as: bob, allows: /412/ })
    await page.goto('/w/shop/projects')
    // The page of the workspace, not its loading state: only then is it the current workspace.
    await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor()
    await page.goto('/first-steps')
    await page.getByRole('button', { name: 'Create timer' }).click()
    await page.getByRole('button', { name: 'Continue without destination' }).waitFor()
    expect(await bob.getTrigger({ fullname: 'shop.p.timer' })).toMatchObject({ triggerSpec })
    expect((await bob.getTriggerDraft({ fullname: 'shop.p.timer-2' })).meta.title).toBe('Drafted')
    expect((await bob.getTrigger({ fullname: 'shop.p.timer-3' })).triggerSpec).toMatchObject({ type: 'timer' })
  },
  journeyMs,
)

test(
  'the token that the first start prints opens the console',
  async () => {
    const ann = await site.house.person('root')
    const page = await site.visit()
    await page.goto('/sign-in')
    await page.getByRole('radio', { name: 'Password' }).press('ArrowRight')
    await page.getByRole('textbox', { name: 'Access token' }).fill(ann.token)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { level: 1, name: 'First steps' }).waitFor()
  },
  journeyMs,
)

test(
  'a wrong password shows an error on the same page',
  async () => {
    const page = await site.visit({ allows: /status of 401 .*\/api\/auth\/sign-in/ })
    await page.goto('/sign-in')
    await page.getByLabel('E-mail').fill('ann@example.org')
    await page.getByRole('textbox', { name: 'Password' }).fill('not the password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').waitFor()
    expect(new URL(page.url()).pathname).toBe('/sign-in')
  },
  journeyMs,
)

test('the marketplace has covers, categories and a search, and “Subscribe” on each card', {
  timeout: journeyMs,
}, async () => {
  const eve = await site.house.person('eve')
  // The service installs the projects after its start.
  await until(
    () => eve.listProjects({ query: { scope: 'marketplace' } }),
    (projects) => projects.length === 10,
  )
  const page = await site.visit({ as: eve })
  await page.goto('/marketplace')
  const cards = page.getByRole('article')
  await page.getByRole('article', { name: 'Uniswap' }).waitFor()
  await until(
    () => cards.count(),
    (count) => count === 10,
  )
  expect(await page.getByRole('link', { name: /^Subscribe to / }).count()).toBe(10)
  await checkLooks(page, 'marketplace')
  await page.getByRole('button', { name: /^Governance 2$/ }).click()
  expect(await cards.evaluateAll((all) => all.map((card) => card.getAttribute('aria-label')))).toEqual([
    'Governor',
    'Polkadot governance',
  ])
  await page.getByRole('button', { name: /^All 10$/ }).click()
  await page.getByRole('textbox', { name: 'Filter projects' }).fill('liquid')
  await page.getByRole('article', { name: 'Aave' }).waitFor()
  expect(await cards.count()).toBe(1)
  await page.getByRole('link', { name: 'Aave', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Aave' }).waitFor()
  await page.getByRole('link', { name: 'Subscribe' }).waitFor()
})

test('an account without a workspace subscribes to a public project in three steps on a phone, and gets the alert', {
  timeout: journeyMs,
}, async () => {
  const receiver = await startReceiver()
  const bob = await site.house.person('bob')
  const [own] = await bob.listWorkspaces()
  await bob.deleteWorkspace({ fullname: own?.fullname ?? '' })
  const page = await site.visit({ as: bob, viewport: { width: 360, height: 740 } })
  await countClicks(page)
  await page.goto('/marketplace')
  await page.getByRole('button', { name: 'Subscribe to ERC-20 tokens' }).click()
  await page.getByRole('button', { name: 'Create workspace and subscribe' }).click()
  await page.getByRole('radio', { name: 'Large transfer' }).and(page.locator('[aria-checked=true]')).waitFor()
  await checkLooks(page, 'wizard-what')
  await page.setViewportSize({ width: 360, height: 740 })
  await goToWhere(page)
  await page.getByRole('button', { name: 'Add destination' }).click()
  const place = page.getByRole('region', { name: 'New destination' })
  await place.getByRole('textbox', { name: 'URL' }).fill(receiver.url)
  await place.getByRole('button', { name: 'Save destination' }).click()
  await page.getByRole('button', { name: 'Send test to webhook' }).click()
  await page.getByText('Test message sent').waitFor()
  await checkLooks(page, 'wizard-where')
  await page.setViewportSize({ width: 360, height: 740 })
  await page.getByRole('button', { name: 'Review' }).click()
  await page.getByRole('article', { name: 'Message: 2,450,000 USDC moved' }).waitFor()
  await page.getByText(/^When .* on Ethereum, send to webhook, every time\.$/).waitFor()
  await checkLooks(page, 'wizard-review')
  await page.setViewportSize({ width: 360, height: 740 })
  await page.getByRole('button', { name: 'Activate' }).click()
  await page.getByText('You are subscribed').waitFor()
  expect(await clicksOf(page)).toBeLessThanOrEqual(8)
  await until(
    () => bob.listRuntimeSources({ query: {} }),
    (sources) => sources.some(({ fullname, status }) => fullname === 'common.ethereum' && status === 'running'),
  )
  await transferUsdc(node, 2_450_000n)
  const alert = await until(
    async () => receiver.received.map(({ body }) => JSON.parse(body)).find(({ type }) => type !== 'alert.test'),
    (found) => found !== undefined,
  )
  expect(alert.data.message.title).toBe('2,450,000 USDC moved')
  await receiver.close()
})

test('a built-in network has a page with its icon, its lag and its endpoints', { timeout: journeyMs }, async () => {
  const carl = await site.house.person('carl')
  const [own] = await carl.listWorkspaces()
  const workspace = own?.fullname ?? ''
  await carl.createSubscription({ body: subscription('common.erc20.large-transfer', { workspace }) })
  await until(
    async () => {
      site.house.clock.advance(60_000)
      return carl.getSourceHistory({ fullname: 'common.ethereum', query: { range: '1h' } })
    },
    ({ endpoints }) => endpoints.length > 0,
  )
  const page = await site.visit({ as: carl })
  await page.goto(`/w/${workspace}/sources/runtime`)
  const row = page.getByRole('row', { name: /^Ethereum EVM/ })
  await row.locator('img[src*=ethereum]').waitFor()
  await row.getByRole('link', { name: 'Ethereum' }).click()
  await page.getByRole('heading', { level: 1, name: 'Ethereum' }).waitFor()
  await page.getByRole('img', { name: /^Lag of Ethereum: \d+ blocks now$/ }).waitFor()
  await page
    .getByRole('region', { name: 'Endpoints' })
    .getByRole('row', { name: /127\.0\.0\.1.* \d+ ms / })
    .waitFor()
  await checkLooks(page, 'network')
})

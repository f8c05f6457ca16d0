import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startReceiver } from '../harness/deliveries.ts'
import { query, until } from '../harness/following.ts'
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

    await page.goto('/first-steps')
    await page.getByRole('link', { name: 'Tell me when a monitor or a node stops' }).click()
    await page.getByRole('button', { name: 'Start watching' }).click()
    await page.getByRole('heading', { name: 'It is live' }).waitFor()
    const { clock, service } = site.house
    const [timer] = await query<{ id: string }>(site.house, "select id from triggers where name = 'timer'")
    await service.store.triggerStatuses.move(timer?.id ?? '', { kind: 'runs_failed', issue: 'it threw' }, clock.now())
    await page
      .getByRole('region', { name: 'First alert' })
      .getByText('ann.first-alerts.timer has stopped')
      .first()
      .waitFor()
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

test('an account without a workspace subscribes to a public project in three steps on a phone, and gets the alert', {
  timeout: journeyMs,
}, async () => {
  const receiver = await startReceiver()
  const bob = await site.house.person('bob')
  const [own] = await bob.listWorkspaces()
  await bob.deleteWorkspace({ fullname: own?.fullname ?? '' })
  // The service installs the projects after its start.
  await until(
    () => bob.listProjects({ query: { scope: 'marketplace' } }),
    (projects) => projects.some(({ fullname }) => fullname === 'common.erc20'),
  )
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

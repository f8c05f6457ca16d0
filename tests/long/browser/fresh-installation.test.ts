import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { journeyMs, openingMs, openSite, type Site } from '../../browser/harness/index.ts'
import { checkLooks } from '../../browser/harness/looks.ts'
import { asEthereum } from '../../browser/harness/usdc.ts'
import { until } from '../../harness/following.ts'
import { project, subscription, trigger } from '../../harness/index.ts'
import { type EvmNode, startEvmNode } from '../../nodes/evm.ts'

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

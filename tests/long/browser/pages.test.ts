import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { axeViolations, whenSo } from '../../browser/harness/axe.ts'
import { goToWhere, openOptions } from '../../browser/harness/building.ts'
import { follow } from '../../browser/harness/follow.ts'
import { journeyMs, openingMs, openSite, type Site, seed } from '../../browser/harness/index.ts'
import { checkLooks } from '../../browser/harness/looks.ts'
import { routePaths, strayRoutes } from '../../browser/harness/routes.ts'
import type { Seeded } from '../../browser/harness/seed.ts'
import { type Person, project } from '../../harness/index.ts'
import { type EvmNode, startEvmNode } from '../../nodes/evm.ts'

let site: Site
let node: EvmNode
let seeded: Seeded
let invite: string
beforeAll(async () => {
  site = await openSite()
  node = await startEvmNode()
  seeded = await seed(site.house, node)
  await saveStack(seeded.owner)
  invite = (await seeded.owner.getWorkspace({ fullname: 'acme' })).invite ?? ''
}, openingMs)
afterEach(() => site.leave())
afterAll(async () => {
  await site?.close()
  await node?.close()
})

/** A stack with a definition that was changed after its apply. */
async function saveStack(owner: Person): Promise<void> {
  const body = { stack: 'release', entities: [{ kind: 'project' as const, payload: project('acme.coded') }] }
  const { planHash } = await owner.planStack({ fullname: 'acme', body })
  await owner.applyStack({ fullname: 'acme', body: { ...body, expectedPlanHash: planHash } })
  await owner.saveProject({ fullname: 'acme.coded', body: project('acme.coded', { tags: ['by-hand'] }) })
}

/** The URL of a path with the seeded names, and the heading of the loaded page. */
const nouns: Record<string, () => string> = {
  $workspace: () => 'acme',
  $project: () => 'acme.pay',
  $trigger: () => 'acme.pay.transfer',
  $template: () => seeded.template,
  $resource: () => 'acme.hook',
  $source: () => 'acme.devnet',
  $subscription: () => seeded.subscription,
  $alert: () => seeded.alert,
  $goal: () => 'wallet',
  $stack: () => 'release',
  $joined: () => `acme#${invite}`,
}

function addressOf(path: string): string {
  return path.replaceAll(/\$\w+/g, (noun) => {
    const value = nouns[noun]
    if (!value) throw new Error(`${noun} has no example: add one to this test`)
    return value()
  })
}

/** Two browser pages visit all paths, one of them signed in. Only their first visit loads the whole console. */
const visitors: Record<'inside' | 'outside', Page | undefined> = { inside: undefined, outside: undefined }

async function open(path: string): Promise<Page> {
  const kind = path.startsWith('/sign-') ? 'outside' : 'inside'
  const page = visitors[kind] ?? (await site.visit({ ...(kind === 'inside' && { as: seeded.owner }), stays: true }))
  if (visitors[kind]) await follow(page, addressOf(path))
  else await page.goto(addressOf(path))
  visitors[kind] = page
  // While a part of the page is loading, it has another heading.
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await quiet(page)
  return page
}

/** Waits until the page shows its title and its first data. It does not wait for the live stream, which never ends. */
async function quiet(page: Page): Promise<void> {
  await whenSo(
    page,
    "document.querySelector('h1') && !document.querySelector('[aria-busy=true], .mantine-Skeleton-root, [data-loading=true]') && document.fonts.status === 'loaded'",
  )
}

test('every route of the console is in the list of visited pages', () => {
  expect(strayRoutes()).toEqual([])
  expect(routePaths().length).toBeGreaterThan(40)
})

describe.each(routePaths())('%s', (path) => {
  test('axe finds no problem in light and dark, and the page fits a phone', { timeout: journeyMs }, async () => {
    const page = await open(path)
    await checkLooks(page, path)
  })
})

test('the service answers every path with the console, so that a reload stays on its page', async () => {
  const startPage = await (await fetch(site.house.url)).text()
  const scripts = startPage.match(/<script [^>]*src="[^"]+"/g)
  expect(scripts).not.toBeNull()
  for (const path of routePaths()) {
    const answer = await fetch(new URL(addressOf(path), site.house.url))
    expect(answer.status, path).toBe(200)
    expect((await answer.text()).match(/<script [^>]*src="[^"]+"/g), path).toEqual(scripts)
  }
})

test('an unknown URL shows “Page not found”', { timeout: journeyMs }, async () => {
  const page = await site.visit({ as: seeded.owner })
  await page.goto('/w/acme/nothing-here')
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(await axeViolations(page)).toEqual([])
})

test('axe finds no problem in the tabs and the dialog of the builder', { timeout: journeyMs }, async () => {
  const page = await site.visit({ as: seeded.owner })
  await page.goto('/w/acme/triggers/acme.pay.transfer/edit')
  await page.getByRole('button', { name: 'Test on latest match' }).click()
  await page.getByRole('region', { name: 'Live preview' }).getByText('Fires', { exact: true }).waitFor()
  const tabs = page.getByRole('tab')
  for (const name of ['Source', 'Condition', 'Data', 'Message', 'Destinations', 'JSON', 'Changes', 'Backtest']) {
    await tabs.filter({ hasText: new RegExp(`^${name}`) }).click()
    await quiet(page)
    await checkLooks(page, `builder-${name}`)
  }
  await tabs.filter({ hasText: /^Data/ }).click()
  await page.getByRole('button', { name: 'Add provider' }).click()
  await page.getByRole('menuitem', { name: /^HTTP request/ }).click()
  await page.getByRole('region', { name: 'Provider p1' }).waitFor()
  await checkLooks(page, 'builder-provider')
  await page.getByRole('link', { name: 'Destinations' }).click()
  await page.getByRole('dialog').waitFor()
  await checkLooks(page, 'builder-unsaved')
})

test('axe finds no problem in the steps of the subscription wizard', { timeout: journeyMs }, async () => {
  const page = await open('/w/$workspace/subscriptions/new')
  await page.getByRole('radio', { name: 'Acme Pay' }).click()
  await page.getByRole('radio', { name: 'Topics' }).press('ArrowRight')
  await page.getByRole('radio', { name: 'Token transfer' }).check()
  await quiet(page)
  await checkLooks(page, 'wizard-what')
  await goToWhere(page)
  await quiet(page)
  await checkLooks(page, 'wizard-where')
  await openOptions(page)
  await checkLooks(page, 'wizard-options')
  await page.getByRole('checkbox', { name: 'On-call webhook' }).check()
  await page.getByRole('button', { name: 'Review' }).click()
  await page.getByRole('article', { name: /^Message:/ }).waitFor()
  await checkLooks(page, 'wizard-message')
})

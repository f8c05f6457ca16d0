import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type EvmNode, startEvmNode } from '../nodes/evm.ts'
import { axeViolations, settle, whenSo } from './harness/axe.ts'
import { journeyMs, openingMs, openSite, type Site, seed } from './harness/index.ts'
import { routePaths } from './harness/routes.ts'
import type { Seeded } from './harness/seed.ts'

let site: Site
let node: EvmNode
let seeded: Seeded
let invite: string
beforeAll(async () => {
  site = await openSite()
  node = await startEvmNode()
  seeded = await seed(site.house, node)
  invite = (await seeded.owner.getWorkspace({ fullname: 'acme' })).invite ?? ''
}, openingMs)
afterEach(() => site.leave())
afterAll(async () => {
  await site?.close()
  await node?.close()
})

/** Where a path leads with what was seeded, and the heading that is there when the page is. */
const nouns: Record<string, () => string> = {
  $workspace: () => 'acme',
  $project: () => 'acme.pay',
  $trigger: () => 'acme.pay.transfer',
  $template: () => seeded.template,
  $resource: () => 'acme.hook',
  $source: () => 'acme.devnet',
  $subscription: () => seeded.subscription,
  $alert: () => seeded.alert,
  $joined: () => `acme#${invite}`,
}

function addressOf(path: string): string {
  return path.replaceAll(/\$\w+/g, (noun) => {
    const value = nouns[noun]
    if (!value) throw new Error(`${noun} has no example: add one to this test`)
    return value()
  })
}

async function open(path: string): Promise<Page> {
  const isOutside = path.startsWith('/sign-')
  const page = await site.visit(isOutside ? {} : { as: seeded.owner })
  await page.goto(addressOf(path))
  await page.getByRole('heading', { level: 1 }).waitFor()
  await quiet(page)
  return page
}

/** Everything that the page asked for first has been drawn; a live stream never ends and is not waited for. */
async function quiet(page: Page): Promise<void> {
  await whenSo(
    page,
    "!document.querySelector('[aria-busy=true], .mantine-Skeleton-root, [data-loading=true]') && document.fonts.status === 'loaded'",
  )
}

describe.each(routePaths())('%s', (path) => {
  test('axe finds nothing in it, light and dark, and it fits a phone', { timeout: journeyMs }, async () => {
    const page = await open(path)
    expect(await axeViolations(page)).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    await whenSo(page, "document.documentElement.dataset.mantineColorScheme === 'dark'")
    expect(await axeViolations(page)).toEqual([])
    await page.setViewportSize({ width: 360, height: 740 })
    await settle(page)
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth')
    expect(overflow).toBeLessThanOrEqual(0)
  })
})

test('an address that does not exist says so', { timeout: journeyMs }, async () => {
  const page = await site.visit({ as: seeded.owner })
  await page.goto('/w/acme/nothing-here')
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(await axeViolations(page)).toEqual([])
})

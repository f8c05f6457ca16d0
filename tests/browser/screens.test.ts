import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../harness/following.ts'
import { isLongRun } from '../harness/property-runs.ts'
import { type EvmNode, startEvmNode } from '../nodes/evm.ts'
import { whenSo } from './harness/axe.ts'
import { follow } from './harness/follow.ts'
import { journeyMs, openingMs, openSite, type Site, seed } from './harness/index.ts'
import { compareWithPicture, isKeeping, isSameLayout, phone, scale, wide } from './harness/screens.ts'
import type { Seeded } from './harness/seed.ts'
import { watchRequests } from './harness/when-loaded.ts'

/**
 * Every main screen looks as its picture in docs/pictures/screens: in light with every run, also in dark and on a phone with the
 * long tests. After a change that is meant, `PICTURES=keep npm test -- tests/browser/screens.test.ts` takes all of them again:
 * look at them before you commit.
 */

const hourMs = 3_600_000
let site: Site
let node: EvmNode
let seeded: Seeded
let page: Page
let whenLoaded: () => Promise<void>
beforeAll(async () => {
  site = await openSite()
  node = await startEvmNode()
  // The middle of an hour: bars of charts stay where they are.
  site.house.clock.advance(1.5 * hourMs - (site.house.clock.now().getTime() % hourMs))
  seeded = await seed(site.house, node, { isOrdered: true })
  await until(
    () => seeded.owner.getWorkspaceCounts({ fullname: 'acme' }),
    ({ total }) => total.recorded === 3,
  )
  // Half the pixels are enough to compare layouts, and cost a quarter of the time.
  const looks = { viewport: wide, deviceScaleFactor: scale, colorScheme: 'light', timezoneId: 'UTC' } as const
  page = await site.visit({ as: seeded.owner, stays: true, ...looks })
  whenLoaded = watchRequests(page)
  // Timers go on; only the time that pages show stands still.
  await page.clock.setFixedTime(site.house.clock.now())
  await page.goto('/w/acme/home')
}, openingMs)
afterAll(async () => {
  await site?.close()
  await node?.close()
})

const screens: [string, () => string][] = [
  ['home', () => '/w/acme/home'],
  ['alerts', () => '/w/acme/alerts'],
  ['alert', () => `/w/acme/alerts/${seeded.alert}`],
  ['subscriptions', () => '/w/acme/subscriptions'],
  ['subscription', () => `/w/acme/subscriptions/${seeded.subscription}`],
  ['new-subscription', () => '/w/acme/subscriptions/new'],
  ['destinations', () => '/w/acme/resources'],
  ['destination', () => '/w/acme/resources/acme.hook'],
  ['new-destination', () => '/w/acme/resources/new'],
  ['triggers', () => '/w/acme/triggers'],
  ['trigger', () => '/w/acme/triggers/acme.pay.transfer'],
  ['builder', () => '/w/acme/triggers/acme.pay.transfer/edit'],
  ['projects', () => '/w/acme/projects'],
  ['project', () => '/w/acme/projects/acme.pay'],
  ['sources', () => '/w/acme/sources'],
  // The charts of a followed source depend on how long it was followed.
  ['source', () => '/w/acme/sources/common.ethereum'],
  ['watch', () => '/w/acme/watch'],
  ['marketplace', () => '/marketplace'],
  ['settings', () => '/w/acme/settings'],
  ['first-steps', () => '/first-steps'],
]

async function open(path: string): Promise<void> {
  await page.setViewportSize(wide)
  await page.emulateMedia({ colorScheme: 'light' })
  await follow(page, path)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await whenLoaded()
}

test.each(screens)('%s looks as its picture', { timeout: journeyMs }, async (name, path) => {
  await open(path())
  const shares = [await compareWithPicture(page, `${name}-light`)]
  if (isLongRun || isKeeping) {
    await page.emulateMedia({ colorScheme: 'dark' })
    await whenSo(page, "document.documentElement.dataset.mantineColorScheme === 'dark'")
    shares.push(await compareWithPicture(page, `${name}-dark`))
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize(phone)
    shares.push(await compareWithPicture(page, `${name}-phone`))
  }
  const shown = shares.map((share) => share.toFixed(3)).join(', ')
  expect(shares.every(isSameLayout), `light, dark, phone: ${shown}`).toBe(true)
})

/** Faults as a wrong line of CSS makes them. */
const faults: [name: string, path: string, fault: string][] = [
  ['a grid that lost its columns', '/w/acme/triggers/acme.pay.transfer', "main [class*='two']|display|block"],
  ['a list whose rows lost their columns', '/w/acme/alerts', 'main li|display|block'],
  ['a table whose only row lost its columns', '/w/acme/resources', 'main tbody tr|display|block'],
  ['a list of facts that is not a grid', '/w/acme/sources/common.ethereum', 'main dl|display|block'],
  ['a page without its width', '/w/acme/alerts', "main [class*='page']|maxWidth|600px"],
  ['a title that is not there', '/w/acme/watch', 'main header|display|none'],
]

test.skipIf(isKeeping).each(faults)('%s is noticed', { timeout: journeyMs }, async (_, path, fault) => {
  const [name] = screens.find(([, of]) => of() === path) ?? []
  const [selector, property, value] = fault.split('|')
  await open(path)
  const give = (style: string | undefined) =>
    page.evaluate(`document.querySelectorAll(${JSON.stringify(selector)}).forEach(
      (found) => { found.style.${property} = '${style ?? ''}' })`)
  await give(value)
  const share = await compareWithPicture(page, `${name}-light`)
  await give(undefined)
  expect(isSameLayout(share)).toBe(false)
})

test.skipIf(isKeeping)('another last digit in every text is no other layout', { timeout: journeyMs }, async () => {
  await open('/w/acme/alerts')
  const changed = await page.evaluate(`(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    let changed = 0
    while (texts.nextNode()) {
      const { data } = texts.currentNode
      texts.currentNode.data = data.replace(/[0-9](?=[^0-9]*$)/, (digit) => 9 - digit)
      if (texts.currentNode.data !== data) changed++
    }
    return changed
  })()`)
  expect(changed).toBeGreaterThan(0)
  const share = await compareWithPicture(page, 'alerts-light')
  expect(isSameLayout(share), String(share)).toBe(true)
})

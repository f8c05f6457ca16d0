import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { journeyMs, openingMs, openSite, type Site, seed } from '../../browser/harness/index.ts'
import type { Seeded } from '../../browser/harness/seed.ts'
import { type Receiver, startReceiver } from '../../harness/deliveries.ts'
import { type EvmNode, startEvmNode } from '../../nodes/evm.ts'

/** `SCREENSHOTS=docs/pictures npm run test:long -- tests/long/browser/pictures.test.ts` saves the screenshots. */
const folder = process.env.SCREENSHOTS
const bytesMax = 200_000

let site: Site
let node: EvmNode
let receiver: Receiver
let seeded: Seeded
beforeAll(async () => {
  site = await openSite()
  node = await startEvmNode()
  receiver = await startReceiver()
  seeded = await seed(site.house, node, receiver.url)
}, openingMs)
afterEach(() => site.leave())
afterAll(async () => {
  await site?.close()
  await node?.close()
  receiver?.close()
})

type Scene = { name: string; path: string; isOutside?: boolean; act?: (page: Page) => Promise<void>; shows: string }
const scenes: Scene[] = [
  { name: 'sign-in', path: '/sign-in', isOutside: true, shows: 'Create an account' },
  { name: 'first-steps', path: '/first-steps', shows: 'Create timer' },
  { name: 'alerts', path: '/w/acme/alerts', shows: '990000 ACME moved' },
  { name: 'builder', path: '/w/acme/triggers/acme.pay.transfer/edit', act: tryScripts, shows: 'Test passed' },
  { name: 'wizard', path: '/w/acme/subscriptions/new?project=acme.pay', act: chooseTopics, shows: 'Tokens move' },
  { name: 'sources', path: '/w/acme/sources/acme.devnet', shows: 'running' },
]

describe.each(scenes)('$name', ({ name, path, isOutside, act, shows }) => {
  test('is shown at 1440 px, in a screenshot within the size limit', { timeout: journeyMs }, async () => {
    const page = await site.visit(isOutside ? {} : { as: seeded.owner })
    await page.goto(path)
    await act?.(page)
    await page.getByText(shows).first().waitFor()
    const picture = await page.screenshot({ animations: 'disabled' })
    expect(picture.length).toBeLessThanOrEqual(bytesMax)
    if (!folder) return
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `${name}.png`), picture)
  })
})

async function tryScripts(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Scripts' }).click()
  await page.getByRole('textbox', { name: 'Activation' }).waitFor()
  await page.getByRole('button', { name: 'Test on latest match' }).click()
  const preview = page.getByRole('region', { name: 'Live preview' })
  await preview.getByText('Fires', { exact: true }).waitFor()
}

async function chooseTopics(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 2, name: 'Choose alerts' }).waitFor()
}

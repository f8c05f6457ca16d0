import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { axeViolations } from '../../browser/harness/axe.ts'
import { journeyMs, openingMs, openSite, type Site } from '../../browser/harness/index.ts'

/** axe takes ten seconds for the API reference, which has every operation and every schema on one page. */

let site: Site
beforeAll(async () => {
  site = await openSite({ ROLE: 'api' })
}, openingMs)
afterEach(() => site.leave())
afterAll(() => site?.close())

test.each(['light', 'dark'] as const)(
  'the API reference is accessible and fits a phone in %s',
  { timeout: journeyMs },
  async (colorScheme) => {
    const page = await site.visit({ colorScheme, viewport: { width: 360, height: 740 } })
    await page.goto('/api/docs#saveTrigger')
    await page.locator('#saveTrigger[open]').waitFor()
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
    expect(await axeViolations(page)).toEqual([])
  },
)

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { isLongRun } from '../../harness/property-runs.ts'
import { axeViolations, colourRules, settle, whenSo } from './axe.ts'

type Scheme = 'light' | 'dark'

/** `LOOKS=<folder>` saves a screenshot of every check. */
const folder = process.env.LOOKS
const wide = { width: 1440, height: 900 }
const phone = { width: 360, height: 740 }

/**
 * Checks the page wide and on a phone: axe finds nothing, and nothing overflows. Long runs check the other colour scheme
 * too, and leave the page in it, because every change of scheme draws the whole page again.
 */
export async function checkLooks(page: Page, name: string): Promise<void> {
  const first = await page.evaluate<Scheme>('document.documentElement.dataset.mantineColorScheme')
  expect(await axeViolations(page), `${name}, ${first}`).toEqual([])
  await keep(page, `${name}-${first}-1440`)
  const last = isLongRun ? await checkOtherScheme(page, name, first) : first
  await page.setViewportSize(phone)
  await settle(page)
  const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth')
  expect(overflow, `${name}, 360 px`).toBeLessThanOrEqual(0)
  await keep(page, `${name}-${last}-360`)
  await page.setViewportSize(wide)
}

async function checkOtherScheme(page: Page, name: string, first: Scheme): Promise<Scheme> {
  const second = first === 'light' ? 'dark' : 'light'
  await useScheme(page, second)
  expect(await axeViolations(page, colourRules), `${name}, ${second}`).toEqual([])
  await keep(page, `${name}-${second}-1440`)
  return second
}

async function useScheme(page: Page, scheme: Scheme): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme })
  await whenSo(page, `document.documentElement.dataset.mantineColorScheme === '${scheme}'`)
}

/** Expects a red button, as for everything that deletes, removes or revokes. */
export async function expectDanger(control: Locator): Promise<void> {
  const colour = await control.evaluate((element) => element.ownerDocument.defaultView?.getComputedStyle(element).color)
  expect(colour).toBe('rgb(174, 42, 33)')
}

async function keep(page: Page, name: string): Promise<void> {
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await settle(page)
  await page.screenshot({ path: join(folder, `${name.replaceAll(/[^\w-]+/g, '_')}.png`), fullPage: true })
}

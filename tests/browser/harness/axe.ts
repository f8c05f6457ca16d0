import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { until } from '../../harness/following.ts'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
type Found = { id: string; help: string; nodes: { html: string; failureSummary?: string }[] }

/** The rules that depend on the colour scheme. */
export const colourRules = ['color-contrast', 'link-in-text-block']

/** The violations that axe finds. The debugger injects axe, because the page's policy allows no other script. */
export async function axeViolations(page: Page, rules?: readonly string[]): Promise<string[]> {
  await settle(page)
  if (!(await page.evaluate<boolean>("typeof axe === 'object'"))) await page.evaluate(source)
  const options = JSON.stringify({ resultTypes: ['violations'], ...(rules && { runOnly: rules }) })
  const found = await page.evaluate<Found[]>(`axe.run(document, ${options}).then((r) => r.violations)`)
  return found.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${help}: ${html.slice(0, 300)} ${failureSummary}`),
  )
}

/** Waits until transitions have ended, because colours and sizes change during them. */
export async function settle(page: Page): Promise<void> {
  await whenSo(page, 'document.getAnimations().every((one) => !(one instanceof CSSTransition))')
}

/** Polls from outside, because the page's policy does not allow `eval` inside the page. */
export async function whenSo(page: Page, condition: string): Promise<void> {
  await until(
    () => page.evaluate<boolean>(condition),
    (isSo) => isSo,
    60_000,
  )
}

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { until } from '../../harness/following.ts'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
type Found = { id: string; help: string; nodes: { html: string; failureSummary?: string }[] }

/** What looks different in another colour scheme; everything else that axe looks at is the same there. */
export const colourRules = ['color-contrast', 'link-in-text-block']

/** What axe finds, as sentences. It is put in by the debugger: the page's policy lets no script in otherwise. */
export async function axeViolations(page: Page, rules?: readonly string[]): Promise<string[]> {
  await settle(page)
  if (!(await page.evaluate<boolean>("typeof axe === 'object'"))) await page.evaluate(source)
  const options = JSON.stringify({ resultTypes: ['violations'], ...(rules && { runOnly: rules }) })
  const found = await page.evaluate<Found[]>(`axe.run(document, ${options}).then((r) => r.violations)`)
  return found.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${help}: ${html.slice(0, 300)} ${failureSummary}`),
  )
}

/** Colours that are still changing are not the colours of the page, nor sizes its sizes. */
export async function settle(page: Page): Promise<void> {
  await whenSo(page, 'document.getAnimations().every((one) => !(one instanceof CSSTransition))')
}

/** Asked from outside, again and again: the page's policy lets no text be run as a script within. */
export async function whenSo(page: Page, condition: string): Promise<void> {
  await until(
    () => page.evaluate<boolean>(condition),
    (isSo) => isSo,
    60_000,
  )
}

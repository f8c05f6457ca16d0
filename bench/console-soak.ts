import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createClient } from '@tocsin/sdk'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { buildWeb } from '../tests/browser/harness/build-web.ts'
import { rssMegabytes, startServer } from './support/measure.ts'
import { openBrowser } from './support/open-browser.ts'

/**
 * `npm run bench -- console-soak --minutes 60`: the alert feed stays open in Chromium while ten alerts per second arrive.
 * Each minute it prints the rows that are shown, the DOM nodes, the JavaScript heap after a garbage collection and the
 * resident memory of the tab's process.
 */
const { values } = parseArgs({ options: { minutes: { type: 'string', default: '60' } } })
const minutes = Number(values.minutes)
const token = 'tcn_personal_bench_bench_bench_bench_bench'
const workspace = 'soak'
/** Ten timers of ten seconds with ten outputs each make ten alerts per second. */
const timers = 10
const outputs = `return { outputs: Array.from({ length: 10 }, (_, at) => ({ raw: { at }, human: { at } })) }`

await buildWeb()
const folder = mkdtempSync(join(tmpdir(), 'tocsin-soak-'))
const server = await startServer('server/src/main.ts', [], {
  ...{ PORT: '0', DATA_DIR: folder, MARKETPLACE: 'off', LOG_LEVEL: 'error', ADMIN_TOKEN: token },
})
const browser = await openBrowser()
try {
  const subscribed = await subscribe()
  const page = await openFeed(browser)
  for (let minute = 0; minute <= minutes; minute++) {
    if (minute > 0) await page.waitForTimeout(60_000)
    console.log(`minute ${minute}: ${await measure(browser, page)}`)
  }
  await checkRate(subscribed)
} finally {
  await browser.close()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** Creates one subscription per timer and resolves when the first alerts arrive. */
async function subscribe(): Promise<number> {
  const api = createClient({ baseUrl: server.url, token })
  await api.saveWorkspace({ fullname: workspace, body: { fullname: workspace } })
  const project = `${workspace}.feed`
  const owned = { project, workspace }
  await api.saveProject({
    fullname: project,
    body: { name: 'feed', fullname: project, workspace, public: false, meta: { title: 'Feed', description: '' } },
  })
  for (let count = 1; count <= timers; count++) {
    const trigger = `${project}.timer-${count}`
    await api.saveTrigger({
      fullname: trigger,
      body: {
        ...{ name: `timer-${count}`, fullname: trigger, ...owned, backend: { type: 'sdk' }, inputs: {} },
        triggerSpec: { type: 'timer', interval: '10s' },
        transform: { language: 'javascript', source: outputs },
        defaults: { title: 'Timer {{raw.at}}', short: 'One of ten alerts a second' },
        meta: { title: `Timer ${count}` },
      },
    })
    await api.createSubscription({ body: { ...owned, trigger, resources: [], meta: { title: `Timer ${count}` } } })
  }
  return Date.now()
}

async function openFeed(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 1440, height: 900 } })
  await context.request.post('/api/auth/sign-in/token', { data: { token } })
  const page = await context.newPage()
  await page.goto(`/w/${workspace}/alerts`)
  await rowsOf(page).first().waitFor()
  return page
}

function rowsOf(page: Page) {
  return page.getByRole('list', { name: 'Alerts, newest first' }).getByRole('listitem')
}

async function measure(browser: Browser, page: Page): Promise<string> {
  const tab = await page.context().newCDPSession(page)
  await tab.send('HeapProfiler.collectGarbage')
  const { metrics } = await enableAndRead(tab)
  await tab.detach()
  const of = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN
  const heap = (of('JSHeapUsedSize') / 1e6).toFixed(1)
  const tabs = await renderers(browser)
  const resident = Math.max(...tabs.map(rssMegabytes)).toFixed(0)
  return `${await rowsOf(page).count()} rows, ${of('Nodes')} nodes, heap ${heap} MB, resident ${resident} MB`
}

async function enableAndRead(tab: CDPSession) {
  await tab.send('Performance.enable')
  return tab.send('Performance.getMetrics')
}

async function renderers(browser: Browser): Promise<number[]> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  await session.detach()
  return processInfo.flatMap(({ type, id }) => (type === 'renderer' ? [id] : []))
}

/** Throws if there were too few alerts, because such a run proves nothing. */
async function checkRate(sinceMs: number): Promise<void> {
  const api = createClient({ baseUrl: server.url, token })
  const seconds = (Date.now() - sinceMs) / 1000
  let count = 0
  for (let cursor: string | undefined, more = true; more; ) {
    const { body, headers } = await api.whole.listAlerts({
      query: { workspace, limit: '1000', ...(cursor !== undefined && { cursor }) },
    })
    count += body.length
    const next = /<([^>]+)>;\s*rel="next"/.exec(headers.get('link') ?? '')?.[1]
    cursor = next === undefined ? undefined : (new URL(next, server.url).searchParams.get('cursor') ?? undefined)
    more = cursor !== undefined
  }
  console.log(`${count} alerts in ${seconds.toFixed(0)} s: ${(count / seconds).toFixed(1)} a second`)
}

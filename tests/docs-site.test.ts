import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { docsPages, topicOf, topicsOfRoutes } from '../console/src/components/docs/docs-pages.ts'
import { buildWeb } from './browser/harness/build-web.ts'
import { routePaths } from './browser/harness/routes.ts'
import { type Harness, sharedHarness } from './harness/index.ts'

/** The docs site at /docs, made from the files of `docs/`. */

const folder = resolve(import.meta.dirname, '../docs')
const slugs = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.md'))
  .map((file) => file.replaceAll('\\', '/').replace(/\.md$/, ''))

let house: Harness
const pages = new Map<string, string>()
beforeAll(async () => {
  await buildWeb(['site'])
  house = await sharedHarness()
  for (const slug of slugs) {
    const response = await fetch(`${house.url}/docs/${slug}`)
    expect([slug, response.status, response.headers.get('content-type')]).toEqual([
      slug,
      200,
      'text/html; charset=utf-8',
    ])
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'")
    pages.set(`/docs/${slug}`, await response.text())
  }
})

const idsOf = (html: string) => new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id))

test.each(['/docs', '/docs/'])('%s leads to the first page', async (path) => {
  const response = await fetch(`${house.url}${path}`)
  expect([response.status, response.url]).toEqual([200, `${house.url}/docs/guide/quickstart`])
})

test('every link leads to a page and a part of it that exist', () => {
  const broken: string[] = []
  for (const [address, html] of pages)
    for (const [, href = ''] of html.matchAll(/<a [^>]*href="([^"]+)"/g)) {
      const [path = '', anchor] = href.split('#', 2)
      if (href.startsWith('/docs/files/examples/')) continue
      const isOther = /^https?:/.test(href) || ['/', '/docs', '/api/docs'].includes(path) || path.startsWith('/api/')
      const target = isOther ? undefined : pages.get(path === '' ? address : path)
      if (!isOther && (!target || (anchor !== undefined && !idsOf(target).has(decodeURIComponent(anchor)))))
        broken.push(`${address}: ${href}`)
    }
  expect(broken).toEqual([])
})

test('the cookbook links to every ready monitor, and the site has its file', async () => {
  const names = readdirSync(resolve(folder, '../examples/triggers'))
  expect(names.length).toBeGreaterThan(10)
  for (const name of names) {
    const address = `/docs/files/examples/triggers/${name}`
    expect([name, pages.get('/docs/reference/cookbook')?.includes(`href="${address}"`)]).toEqual([name, true])
    const file = await (await fetch(`${house.url}${address}`)).json()
    expect(file).toEqual(JSON.parse(readFileSync(resolve(folder, '../examples/triggers', name), 'utf8')))
  }
})

test('a page loads only files of this service, and all of them exist', async () => {
  const loaded = new Set(
    [...pages.values()].flatMap((html) =>
      [...html.matchAll(/<(?:link|script|img|source|iframe)\b[^>]*?(?:href|src|srcset)="([^"]+)"/g)].map(
        ([, url = '']) => url,
      ),
    ),
  )
  for (const url of loaded) expect([url, (await fetch(new URL(url, house.url))).status]).toEqual([url, 200])
  expect([...loaded].filter((url) => !url.startsWith('/docs/'))).toEqual([])
})

test('the navigation and llms.txt name every page', async () => {
  const [home = ''] = pages.values()
  const list = await (await fetch(`${house.url}/llms.txt`)).text()
  for (const slug of slugs) {
    expect(home).toContain(`href="/docs/${slug}"`)
    expect(list).toContain(`(/docs/${slug})`)
  }
  const whole = await (await fetch(`${house.url}/llms-full.txt`)).text()
  expect(whole).toContain('# Errors')
  expect((await fetch(`${house.url}/docs`)).url).toBe(`${house.url}/docs/guide/quickstart`)
})

test('every section of the search exists', async () => {
  const sections = (await (await fetch(`${house.url}/docs/search.json`)).json()) as { slug: string; anchor: string }[]
  expect(sections.length).toBeGreaterThan(slugs.length)
  const missing = sections.filter(
    ({ slug, anchor }) => anchor !== '' && !idsOf(pages.get(`/docs/${slug}`) ?? '').has(anchor),
  )
  expect(missing).toEqual([])
})

test('the colours of the site are colours of the console', () => {
  const coloursOf = (file: string) =>
    readFileSync(resolve(import.meta.dirname, '..', file), 'utf8').match(/#[0-9a-f]{3,8}\b/g) ?? []
  const known = new Set(coloursOf('console/src/tokens.css'))
  const used = coloursOf('server/src/api/reference/page.css')
  expect(used.length).toBeGreaterThan(10)
  expect(used.filter((colour) => !known.has(colour))).toEqual([])
})

test('a missing page, a file outside the folder and a file of another kind are not found', async () => {
  for (const path of ['/docs/nothing', '/docs/files/..%2fpackage.json', '/docs/files/errors.md'])
    expect([path, (await fetch(`${house.url}${path}`)).status]).toEqual([path, 404])
})

test('a browser gets a page for a wrong address, with links and a search', async () => {
  const response = await fetch(`${house.url}/docs/guide/nothing`, { headers: { accept: 'text/html,*/*;q=0.8' } })
  expect([response.status, response.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
  const page = await response.text()
  expect(page).toContain('There is no such page')
  expect(page).toContain('href="/docs/guide/quickstart"')
})

test('every topic of the console names a page and a part of it that exist', () => {
  const missing = Object.values(docsPages).filter(([, address]) => {
    const [page, anchor] = address.split('#', 2)
    const html = pages.get(`/docs/${page}`)
    return !html || (anchor !== undefined && !idsOf(html).has(anchor))
  })
  expect(missing).toEqual([])
})

test('every page of the console has a topic by its own line or that of its section', () => {
  const general = ['/', '/w/$workspace']
  const sections = Object.keys(topicsOfRoutes).filter((path) => !general.includes(path))
  const covered = (route: string) => sections.some((path) => route === path || route.startsWith(`${path}/`))
  const routes = routePaths().filter((route) => !general.includes(route.replace(/(.)\/$/, '$1')) && route !== '/design')
  expect(routes.filter((route) => !covered(route))).toEqual([])
  expect(sections.filter((path) => !routes.some((route) => route === path || route.startsWith(`${path}/`)))).toEqual([])
  expect([topicOf('/w/$workspace/projects/$project/templates/new'), topicOf('/')]).toEqual(['templates', 'concepts'])
})

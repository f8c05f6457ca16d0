/** The docs site at /docs: the Markdown files of `docs/`, made into pages when they are first asked for. */
import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { Refusal } from '../../domain/refusal.ts'
import { pageHtml } from './layout.ts'
import { renderPage, sectionsOf } from './markdown.ts'
import { type DocsGroup, type DocsPage, readDocsFile, readPages } from './pages.ts'

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
const types: Readonly<Record<string, string>> = {
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json; charset=utf-8',
  '.yaml': 'text/plain; charset=utf-8',
}
const text = 'text/plain; charset=utf-8'

export function addDocsSite(app: FastifyInstance): void {
  const site = makeSite()
  const kept = new Map<string, Buffer>()
  const keep = (key: string, make: () => string | Buffer) => {
    const known = kept.get(key) ?? Buffer.from(make())
    kept.set(key, known)
    return known
  }
  const file = (name: string) => readFileSync(new URL(`./${name}`, import.meta.url))

  for (const path of ['/docs', '/docs/'])
    app.get(path, (_request, reply) => reply.redirect(`/docs/${site().home.slug}`))
  app.get('/docs/site.css', async (_request, reply) =>
    send(
      reply,
      'text/css; charset=utf-8',
      keep('css', () => file('site.css')),
    ),
  )
  app.get('/docs/site.js', async (_request, reply) =>
    send(
      reply,
      'text/javascript; charset=utf-8',
      keep('js', () => file('site.js')),
    ),
  )
  app.get('/docs/search.json', async (_request, reply) =>
    send(
      reply,
      'application/json; charset=utf-8',
      keep('search', () => site().search()),
    ),
  )
  app.get('/llms.txt', async (_request, reply) =>
    send(
      reply,
      text,
      keep('llms', () => site().llms()),
    ),
  )
  app.get('/llms-full.txt', async (_request, reply) =>
    send(
      reply,
      text,
      keep('llms-full', () => site().llmsFull()),
    ),
  )
  app.get<{ Params: { '*': string } }>('/docs/files/*', async (request, reply) => {
    const path = request.params['*']
    const type = types[extname(path)]
    const bytes = type === undefined ? undefined : readDocsFile(path)
    if (type === undefined || !bytes) throw new Refusal('not_found', 'There is no such file.')
    // A drawing may have its own style, and nothing else.
    return send(reply.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'"), type, bytes)
  })
  app.get<{ Params: { '*': string } }>('/docs/*', async (request, reply) => {
    const slug = request.params['*'].replace(/\/$/, '')
    const page = site().pages.get(slug)
    if (!page) throw new Refusal('not_found', 'There is no such page.')
    return send(
      reply.header('content-security-policy', policy),
      'text/html; charset=utf-8',
      keep(`page ${slug}`, () => site().html(page)),
    )
  })
}

function send(reply: FastifyReply, type: string, bytes: Buffer): FastifyReply {
  return reply.type(type).header('cache-control', 'public, max-age=300').send(bytes)
}

type Site = {
  home: DocsPage
  pages: ReadonlyMap<string, DocsPage>
  html(page: DocsPage): string
  search(): string
  llms(): string
  llmsFull(): string
}

/** Reads the pages with the first request, so a start does not wait for them. */
function makeSite(): () => Site {
  let site: Site | undefined
  return () => {
    site ??= openSite(readPages())
    return site
  }
}

function openSite(groups: DocsGroup[]): Site {
  const list = groups.flatMap((group) => group.pages)
  const [home] = list
  if (!home) throw new Refusal('unavailable', 'The folder docs/ is missing, so there are no pages.')
  const pages = new Map(list.map((page) => [page.slug, page]))
  const slugs = new Set(pages.keys())
  return {
    home,
    pages,
    html: (page) => pageHtml(page, renderPage(page, slugs), groups),
    search: () =>
      JSON.stringify(
        list.flatMap((page) => sectionsOf(page).map((section) => ({ page: page.title, slug: page.slug, ...section }))),
      ),
    llms: () => llmsText(groups),
    llmsFull: () => list.map((page) => page.text.trim()).join('\n\n'),
  }
}

/** The list of pages in the form of llmstxt.org. */
function llmsText(groups: DocsGroup[]): string {
  const parts = groups.map(({ title, pages }) => {
    const lines = pages.map((page) => `- [${page.title}](/docs/${page.slug})`)
    return `## ${title}\n\n${lines.join('\n')}`
  })
  return `# Tocsin\n\n> Tells people what happens on chain: an open, self-hostable alerting platform. The whole text of these pages is at /llms-full.txt, the API at /api/openapi.json.\n\n${parts.join('\n\n')}\n`
}

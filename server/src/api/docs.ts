import { openApi, type Route, routes } from '@tocsin/contract'
import type { FastifyInstance } from 'fastify'
import { docsPage } from './docs-page.ts'

/** The OpenAPI document and the page made from it. Both are built with the first request. */
export function addDocs(app: FastifyInstance, version: string): void {
  let document: string | undefined
  let page: string | undefined
  app.get('/api/openapi.json', async (_request, reply) => {
    document ??= JSON.stringify(openApi(version))
    return reply.type('application/json; charset=utf-8').header('cache-control', 'public, max-age=300').send(document)
  })
  app.get('/api/docs', async (_request, reply) => {
    page ??= docsPage(openApi(version), Object.entries<Route>(routes))
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'public, max-age=300')
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
      .send(page)
  })
}

import { readFileSync } from 'node:fs'
import { openApi, type RecordedExamples } from '@tocsin/contract'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Settings } from '../../domain/settings.ts'
import type { OpenApiDocument } from './document.ts'
import { referencePage } from './page.ts'

const json = 'application/json; charset=utf-8'
const html = 'text/html; charset=utf-8'
const css = 'text/css; charset=utf-8'
const script = 'text/javascript; charset=utf-8'
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"

/** The paths below; each answers GET alone. */
export const docsPaths = [
  '/api/openapi.json',
  '/api/docs',
  '/api/docs/reference.css',
  '/api/docs/reference.js',
  '/api/docs/scheme.js',
] as const
type DocsPath = (typeof docsPaths)[number]

/** The OpenAPI document and the reference page made from it. Each is built with its first request. */
export function addDocs(app: FastifyInstance, settings: Settings): void {
  const file = (name: string) => readFileSync(new URL(`./${name}`, import.meta.url))
  // A test writes the file and compares it with the service.
  const recorded = () => JSON.parse(file('examples.json').toString()) as RecordedExamples
  const document = () => openApi(settings.version, settings.publicUrl, recorded())
  const contents: Record<DocsPath, [string, () => string | Buffer]> = {
    '/api/openapi.json': [json, () => JSON.stringify(document())],
    // The document is plain JSON of our own; its types tell the page which parts it has.
    '/api/docs': [html, () => referencePage(JSON.parse(JSON.stringify(document())) as OpenApiDocument)],
    '/api/docs/reference.css': [css, () => Buffer.concat([file('page.css'), file('reference.css')])],
    '/api/docs/reference.js': [script, () => file('reference.js')],
    '/api/docs/scheme.js': [script, () => file('scheme.js')],
  }
  for (const path of docsPaths) {
    const [type, build] = contents[path]
    let bytes: Buffer | undefined
    app.get(path, async (_request, reply) => {
      bytes ??= Buffer.from(build())
      return sendDocument(reply, type, bytes)
    })
  }
}

function sendDocument(reply: FastifyReply, type: string, bytes: Buffer): FastifyReply {
  return reply
    .type(type)
    .headers({ 'cache-control': 'public, max-age=300', ...(type === html && { 'content-security-policy': policy }) })
    .send(bytes)
}

import { readFileSync } from 'node:fs'
import { errorTable, openApi, type RecordedExamples } from '@tocsin/contract'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Settings } from '../../domain/settings.ts'
import { type OpenApiDocument, operationsOf, type Placed } from './document.ts'
import { escaped, operationHtml, prose, schemaHtml, typeHtml } from './operation-html.ts'

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

/** The API reference as one page. It loads its own style and script, and nothing from elsewhere. */
function referencePage(document: OpenApiDocument): string {
  const byTag = Map.groupBy(operationsOf(document), ({ tags }) => tags[0] ?? '')
  const tags = document.tags.filter(({ name }) => byTag.has(name))
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Tocsin API</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="stylesheet" href="/api/docs/reference.css">
<script src="/api/docs/scheme.js"></script><script src="/api/docs/reference.js" defer></script></head><body>
<header><h1>Tocsin API</h1><p>${prose(document.info.description)}</p>
<p>The same contract for machines: <a href="/api/openapi.json">openapi.json</a> (OpenAPI 3.1), version ${escaped(document.info.version)}.</p>
${toolsHtml}</header><nav aria-label="Operations">${tags.map(({ name }) => menuHtml(name, byTag.get(name) ?? [])).join('')}
<a href="#webhooks">webhooks</a><a href="#errors">errors</a><a href="#schemas">schemas</a></nav>
<main><p id="found" role="status"></p>${tags.map(({ name, description }) => sectionHtml(name, description, byTag.get(name) ?? [])).join('')}
${webhooksHtml(document)}${errorsHtml()}${schemasHtml(document)}</main></body></html>`
}

const toolsHtml = `<div class="tools" role="search"><label>Search <input id="search" type="search" placeholder="save trigger, 412, cursor …"></label>
<label>Token for “Try it” <input id="token" type="password" autocomplete="off" placeholder="empty: the session of the console"></label>
<fieldset><legend>Samples</legend><label><input type="radio" name="language" id="language-curl" checked> curl</label>
<label><input type="radio" name="language" id="language-sdk"> SDK</label><label><input type="radio" name="language" id="language-cli"> CLI</label></fieldset></div>`

function menuHtml(tag: string, operations: Placed[]): string {
  const links = operations.map(({ operationId, summary }) => `<a href="#${operationId}">${escaped(summary)}</a>`)
  return `<details><summary>${escaped(tag)}</summary>${links.join('')}</details>`
}

function sectionHtml(tag: string, description: string, operations: Placed[]): string {
  return `<section id="tag-${tag}"><h2>${escaped(tag)}</h2><p>${prose(description)}</p>${operations.map(operationHtml).join('')}</section>`
}

function webhooksHtml({ webhooks }: OpenApiDocument): string {
  const rows = Object.entries(webhooks).map(([type, { post }]) => {
    const schema = post.requestBody?.content['application/json']?.schema
    return `<li><code>${escaped(type)}</code> <span class="type">${schema ? typeHtml(schema) : ''}</span> <span class="about">${prose(post.description)}</span></li>`
  })
  return `<section id="webhooks"><h2>webhooks</h2><p>What the service sends to webhook resources.</p><ul class="fields">${rows.join('')}</ul></section>`
}

function errorsHtml(): string {
  const rows = Object.entries(errorTable).map(
    ([code, { status, message }]) =>
      `<li id="error-${code}"><b>${status}</b> <code>${code}</code> <span class="about">${prose(message)}</span></li>`,
  )
  return `<section id="errors"><h2>errors</h2><ul class="fields">${rows.join('')}</ul></section>`
}

function schemasHtml({ components }: OpenApiDocument): string {
  const list = Object.entries(components.schemas).map(([name, schema]) => {
    const about = schema.description === undefined ? '' : `<p>${prose(schema.description)}</p>`
    return `<details class="schema" id="schema-${name}"><summary><code>${name}</code></summary>${about}<p class="type">${typeHtml(schema)}</p>${schemaHtml(schema)}</details>`
  })
  return `<section id="schemas"><h2>schemas</h2>${list.join('')}</section>`
}

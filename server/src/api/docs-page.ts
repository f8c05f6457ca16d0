import { errorTable, type Route } from '@tocsin/contract'

type Json = Record<string, unknown>

/** The API reference as one page of plain HTML: no script, no font, no outside request. */
export function docsPage(document: Json, table: [string, Route][]): string {
  const nouns = Map.groupBy(table, ([, route]) => route.noun)
  const sections = [...nouns].map(([noun, entries]) => section(noun, entries, document)).join('')
  const menu = [...nouns.keys()].map((noun) => `<a href="#${noun}">${noun}</a>`).join('')
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Tocsin API</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>${style}</style></head><body>
<header><h1>Tocsin API</h1><p>Send <code>Authorization: Bearer &lt;token&gt;</code>. The same contract for machines:
<a href="/api/openapi.json">openapi.json</a> (OpenAPI 3.1).</p><nav>${menu}<a href="#errors">errors</a><a href="#records">records</a></nav></header>
<main>${sections}${errors()}${records(document)}</main></body></html>`
}

function section(noun: string, entries: [string, Route][], document: Json): string {
  return `<section id="${noun}"><h2>${noun}</h2>${entries.map(([name, route]) => operation(name, route, document)).join('')}</section>`
}

function operation(name: string, route: Route, document: Json): string {
  const paths = document.paths as Record<string, Record<string, Json>>
  const entry = paths[route.path.replace(/:(\w+)/g, '{$1}')]?.[route.method.toLowerCase()] ?? {}
  return `<details id="${name}"><summary><b class="${route.method}">${route.method}</b> <code>${escaped(route.path)}</code>
<span>${escaped(route.summary)}</span></summary>
<p>${route.auth === 'none' ? 'No account needed.' : 'For a signed-in account.'} In the SDK: <code>${name}</code>.</p>
${query(entry)}${part('Body', schemaAt(entry, 'requestBody', 'content', 'application/json', 'schema'))}
${part('Response', schemaAt(entry, 'responses', '200', 'content', 'application/json', 'schema'))}</details>`
}

function query(entry: Json): string {
  const parameters = ((entry.parameters ?? []) as Json[]).filter((parameter) => parameter.in === 'query')
  if (parameters.length === 0) return ''
  const rows = parameters.map(
    (p) =>
      `<tr><td><code>${escaped(String(p.name))}</code></td><td><code>${escaped(JSON.stringify(p.schema))}</code></td></tr>`,
  )
  return `<h4>Query</h4><table>${rows.join('')}</table>`
}

function schemaAt(value: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>((at, key) => (at as Json | undefined)?.[key], value)
}

function part(title: string, schema: unknown): string {
  return schema === undefined ? '' : `<h4>${title}</h4><pre>${linked(JSON.stringify(schema, null, 2))}</pre>`
}

function records(document: Json): string {
  const schemas = Object.entries((document.components as { schemas: Json }).schemas)
  const list = schemas.map(
    ([id, schema]) =>
      `<details id="record-${id}"><summary><code>${id}</code></summary><pre>${linked(JSON.stringify(schema, null, 2))}</pre></details>`,
  )
  return `<section id="records"><h2>records</h2>${list.join('')}</section>`
}

function errors(): string {
  const rows = Object.entries(errorTable).map(
    ([code, { status, message }]) =>
      `<tr><td>${status}</td><td><code>${code}</code></td><td>${escaped(message)}</td></tr>`,
  )
  return `<section id="errors"><h2>errors</h2><table><tr><th>HTTP</th><th>code</th><th>meaning</th></tr>${rows.join('')}</table></section>`
}

/** Turns a reference to a record into a link. */
function linked(text: string): string {
  return escaped(text).replace(/#\/components\/schemas\/(\w+)/g, '<a href="#record-$1">$1</a>')
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? sign)
}

const style = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;margin:0 auto;max-width:62rem;padding:1rem}
nav{display:flex;flex-wrap:wrap;gap:.75rem;margin:1rem 0}h2{margin-top:2rem;text-transform:capitalize}
details{border:1px solid #8885;border-radius:.4rem;margin:.4rem 0;padding:.4rem .7rem}summary{cursor:pointer}
summary b{display:inline-block;min-width:4.2rem;font-family:ui-monospace,monospace}summary span{opacity:.75;margin-left:.5rem}
pre{overflow:auto;padding:.7rem;background:#8882;border-radius:.4rem;font-size:.85rem}table{border-collapse:collapse;width:100%}
td,th{border-bottom:1px solid #8884;padding:.3rem .5rem;text-align:left;vertical-align:top}code{font-family:ui-monospace,monospace}
.GET{color:#1668a8}.PUT{color:#8a5a00}.POST{color:#1b7a3d}.PATCH{color:#7a3da8}.DELETE{color:#b3261e}
@media (prefers-color-scheme:dark){.GET{color:#7fc1f5}.PUT{color:#e5b567}.POST{color:#7fd8a0}.PATCH{color:#cf9ff0}.DELETE{color:#ff9a92}}`

import { bodyExample, type Placed, type Schema } from './document.ts'

/** One operation: what it does, what it takes, what it answers, samples, and a form that sends it. */
export function operationHtml(operation: Placed): string {
  const { operationId, method, path, summary, description, security } = operation
  const who = security.length === 0 ? 'Needs no account.' : 'Needs a signed-in account.'
  return `<details class="operation" id="${operationId}"><summary><b class="${method}">${method}</b> <code>${escaped(path)}</code>
<span>${prose(summary)}</span></summary><p>${prose(description)}</p><p class="who">${who} In the SDK: <code>${operationId}</code>.</p>
${parametersHtml(operation)}${bodyHtml(operation)}${answersHtml(operation)}${samplesHtml(operation)}${answerExampleHtml(operation)}${tryHtml(operation)}</details>`
}

function parametersHtml({ parameters }: Placed): string {
  if (parameters.length === 0) return ''
  const rows = parameters.map(
    ({ name, in: place, required, schema, description }) =>
      `<li><code>${escaped(name)}</code>${required ? '' : '<span class="optional">?</span>'} <span class="type">${place}, ${typeHtml(schema)}</span> <span class="about">${prose(description)}</span></li>`,
  )
  return `<h3>Parameters</h3><ul class="fields">${rows.join('')}</ul>`
}

function bodyHtml({ requestBody }: Placed): string {
  const schema = requestBody?.content['application/json']?.schema
  return schema ? `<h3>Body</h3><p>${typeHtml(schema)}</p>${schemaHtml(schema)}` : ''
}

function answersHtml({ responses }: Placed): string {
  const rows = Object.entries(responses).map(([status, { description, content }]) => {
    const [type] = Object.keys(content ?? {})
    const schema = type === undefined ? undefined : content?.[type]?.schema
    const isError = schema?.$ref?.endsWith('/Error') === true
    const shown = schema && !isError ? ` <span class="type">${escaped(type ?? '')}: ${typeHtml(schema)}</span>` : ''
    return `<li><b>${escaped(status)}</b>${shown} <span class="about">${prose(description)}</span></li>`
  })
  return `<h3>Answers</h3><ul class="fields">${rows.join('')}</ul>`
}

function samplesHtml(operation: Placed): string {
  const blocks = Object.entries(samplesOf(operation)).map(
    ([language, text]) => `<pre class="sample ${language}" tabindex="0">${escaped(text)}</pre>`,
  )
  return `<h3>Sample</h3>${blocks.join('')}`
}

function answerExampleHtml({ responses }: Placed): string {
  const example = responses['200']?.content?.['application/json']?.example
  if (example === undefined) return ''
  return `<h3>Answer of the sample</h3><pre tabindex="0">${escaped(JSON.stringify(example, null, 2))}</pre>`
}

/** The form is sent by the page's script. Pictures and streams have none. */
function tryHtml(operation: Placed): string {
  const { operationId, method, path, parameters } = operation
  const types = Object.keys(
    Object.entries(operation.responses).find(([status]) => status.startsWith('2'))?.[1].content ?? {},
  )
  if (types.some((type) => type.startsWith('image/') || type === 'text/event-stream')) return ''
  const inputs = parameters
    .filter((each) => each.in !== 'header')
    .map(({ name, in: place, required, example = '' }) => {
      const value = place === 'path' ? escaped(example) : ''
      return `<label>${escaped(name)} <input name="${escaped(name)}" data-in="${place}" value="${value}"${required ? ' required' : ''} autocomplete="off"></label>`
    })
  const body = operation.requestBody
    ? `<label>Body <textarea name="body" rows="8" spellcheck="false">${escaped(JSON.stringify(bodyExample(operation) ?? {}, null, 2))}</textarea></label>`
    : ''
  return `<h3>Try it</h3><form class="try" data-method="${method}" data-path="${escaped(path)}" aria-label="Try ${operationId}">${inputs.join('')}${body}
<button type="submit">Send</button><output></output></form>`
}

type Language = 'curl' | 'sdk' | 'cli'

/** The commands of the CLI that do the work of an operation. */
const commands: Readonly<Record<string, string>> = {
  planStack: 'tocsin plan',
  applyStack: 'tocsin apply --yes',
  validateTriggerDraft: 'tocsin validate',
  backtestTrigger: 'tocsin backtest acme.monitors.large-transfers --blocks 1000',
  testTriggerBlock: 'tocsin trigger test acme.monitors.large-transfers --block 23000000',
  getTriggerLogs: 'tocsin logs acme.monitors.large-transfers',
  listAlerts: 'tocsin alerts',
  streamEvents: 'tocsin alerts --follow',
}

/** The same call in each language. An operation without a command of the CLI has no sample of it. */
function samplesOf(operation: Placed): Partial<Record<Language, string>> {
  const command = commands[operation.operationId]
  return { curl: curl(operation), sdk: sdk(operation), ...(command !== undefined && { cli: command }) }
}

function curl(operation: Placed): string {
  const { method, security } = operation
  const body = bodyExample(operation)
  const lines = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} "$TOCSIN_URL${filledPath(operation)}"`,
    ...(security.length > 0 ? ['-H "Authorization: Bearer $TOCSIN_TOKEN"'] : []),
    ...(operation.operationId === 'streamEvents' ? ['-N'] : []),
    ...(body === undefined
      ? []
      : ['-H "Content-Type: application/json"', `-d '${quoted(JSON.stringify(body, null, 2))}'`]),
  ]
  return lines.join(' \\\n  ')
}

/** A single quote ends the text in a shell, so it is written outside of it. */
function quoted(text: string): string {
  return text.replaceAll("'", `'\\''`)
}

function sdk(operation: Placed): string {
  const { operationId, parameters } = operation
  const body = bodyExample(operation)
  const given = parameters.filter((each) => each.in === 'path')
  const args = [
    ...given.map(({ name, example }) => `${name}: ${JSON.stringify(example ?? '…')}`),
    ...(body === undefined ? [] : [`body: ${JSON.stringify(body, null, 2)}`]),
  ]
  const call = `client.${operationId === 'streamEvents' ? 'stream' : operationId}(${args.length > 0 ? `{ ${args.join(', ')} }` : ''})`
  const use =
    operationId === 'streamEvents'
      ? `for await (const event of ${call}) console.log(event)`
      : `const answer = await ${call}`
  return `import { createClient } from '@tocsin/sdk'\n\nconst client = createClient({ baseUrl: url, token })\n${use}`
}

function filledPath({ path, parameters }: Placed): string {
  return path.replace(/\{(\w+)\}/g, (whole, name) => parameters.find((each) => each.name === name)?.example ?? whole)
}

const levelsMax = 4

/** The fields of a schema as a nested list. Named schemas are links to their own place. */
export function schemaHtml(schema: Schema, level = 0): string {
  const fields = Object.entries(schema.properties ?? {})
  const alternatives = schema.anyOf ?? schema.oneOf ?? []
  if (level > levelsMax) return ''
  if (fields.length > 0)
    return `<ul class="fields">${fields.map((field) => fieldHtml(field, schema, level)).join('')}</ul>`
  if (schema.items?.properties) return schemaHtml(schema.items, level)
  const inner = alternatives.filter(({ properties }) => properties)
  if (inner.length === 0) return ''
  return `<ul class="fields">${inner.map((each) => `<li><em>${titleOf(each)}</em>${schemaHtml(each, level + 1)}</li>`).join('')}</ul>`
}

/** An alternative is named by its constant, such as the type of a provider. */
function titleOf({ properties = {} }: Schema): string {
  const fixed = Object.entries(properties).find(([, { const: value }]) => value !== undefined)
  return fixed ? `${escaped(fixed[0])}: <code>${escaped(String(fixed[1].const))}</code>` : 'or'
}

function fieldHtml([name, field]: [string, Schema], parent: Schema, level: number): string {
  const isRequired = parent.required?.includes(name) === true
  const about = field.description === undefined ? '' : ` <span class="about">${prose(field.description)}</span>`
  return `<li><code>${escaped(name)}</code>${isRequired ? '' : '<span class="optional">?</span>'} <span class="type">${typeHtml(field)}</span>${about}${schemaHtml(field, level + 1)}</li>`
}

/** The type in a few words. */
export function typeHtml(schema: Schema): string {
  if (schema.$ref !== undefined) {
    const name = escaped(schema.$ref.split('/').at(-1) ?? '')
    return `<a href="#schema-${name}">${name}</a>`
  }
  if (schema.const !== undefined) return `<code>${escaped(JSON.stringify(schema.const))}</code>`
  if (schema.enum) return schema.enum.map((value) => `<code>${escaped(String(value))}</code>`).join(' | ')
  if (schema.items) return `list of ${typeHtml(schema.items)}`
  const alternatives = schema.anyOf ?? schema.oneOf ?? schema.allOf
  if (alternatives) return [...new Set(alternatives.map(typeHtml))].join(' or ')
  if (typeof schema.additionalProperties === 'object' && Object.keys(schema.additionalProperties).length > 0)
    return `map of ${typeHtml(schema.additionalProperties)}`
  const [type = 'any'] = [schema.type].flat()
  return escaped(schema.format === undefined ? type : `${type} (${schema.format})`)
}

/** Text for HTML. Backticks become code, as in the document's descriptions. */
export function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? sign)
}

export function prose(text: string): string {
  return escaped(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll('\n\n', '<br><br>')
}

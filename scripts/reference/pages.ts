/** The pages of `docs/reference/`. They are made from the contract and the code's own tables, so they say what these say. */
import { type FileKind, fileKinds, fileSchema, type Route, routes, scopeTable, templateHelpers } from '@tocsin/contract'
import { listCoreActions } from '../../server/src/engine/sources/core-actions.ts'
import { cookbookParts } from './cookbook-page.ts'
import { messageParts } from './messages-page.ts'
import { type Section, sectionsOf } from './schema-section.ts'

const madeBy = '<!-- Made by `npm run reference`. Edit the contract, not this file. -->'

/** The text of each page, by the name of its file. */
export async function referencePages(): Promise<Map<string, string>> {
  const kinds = fileKinds.map((kind) => [`${kind}.md`, kindPage(kind)] as const)
  return new Map([
    ...kinds,
    ['cookbook.md', page('Cookbook', cookbookParts())],
    ['helpers.md', helpersPage()],
    ['actions.md', actionsPage()],
    ['messages.md', page('Messages of the core actions', await messageParts())],
    ['operations.md', operationsPage()],
  ])
}

function kindPage(kind: FileKind): string {
  const { title, description, ...schema } = fileSchema(kind)
  const [root, ...rest] = sectionsOf(schema, '')
  const intro = [
    `${description}`,
    `As JSON Schema: \`GET /api/schemas/${kind}.json\`. How files are kept and applied: [Definitions as code](../definitions.md).`,
  ]
  const parts = rest.map((section) => `## ${section.title}\n\n${fieldTable(section)}`)
  return page(`${title}: fields`, [...intro, root ? fieldTable(root) : '', ...parts])
}

function fieldTable({ fields }: Section): string {
  const rows = fields.map(({ name, type, isRequired, meaning }) => [
    `\`${name}\`${isRequired ? ' (required)' : ''}`,
    type,
    meaning,
  ])
  return table(['field', 'type', 'meaning'], rows)
}

function helpersPage(): string {
  const rows = templateHelpers.map(({ name, description, block, params = [] }) => [
    block ? `\`{{#${name}}}\`` : `\`{{${name}}}\``,
    params.map((param) => `\`${param.name}\` (${param.type})`).join(', '),
    description,
  ])
  return page('Helpers of templates', [
    'A message is a template with values in `{{…}}`. These helpers shape a value; an option is written `name=value`.',
    table(['helper', 'options', 'what it does'], rows),
  ])
}

function actionsPage(): string {
  const rows = listCoreActions().map(({ type, title, description, notSeen }) => [
    `\`${type}\``,
    title,
    description,
    notSeen.join(' '),
  ])
  return page('Ready-made triggers', [
    'Starting points of the trigger builder; `GET /api/triggers/core/actions` lists them with their definitions.',
    table(['action', 'title', 'what it tells', 'what it cannot see'], rows),
  ])
}

function operationsPage(): string {
  const byNoun = Map.groupBy(Object.entries<Route>(routes), ([, route]) => route.noun)
  const parts = [...byNoun].map(([noun, entries]) => `## ${noun}\n\n${operationTable(entries)}`)
  const scopes = Object.entries(scopeTable).map(([scope, meaning]) => [`\`${scope}\``, meaning])
  return page('Operations', [
    'Every operation of the API with the name that the SDK and the CLI use, and the scope that a token needs. `/api/docs` shows parameters, bodies and answers.',
    table(['scope', 'what a token with it may do'], scopes),
    ...parts,
  ])
}

function operationTable(entries: [string, Route][]): string {
  const rows = entries.map(([name, route]) => [
    `\`${name}\``,
    `\`${route.method} ${route.path}\``,
    scopesText(route),
    route.summary,
  ])
  return table(['name', 'route', 'scope', 'what it does'], rows)
}

function scopesText(route: Route): string {
  if (route.auth === 'none') return 'no account'
  if (route.sessionOnly) return 'no token'
  return route.scopes === 'any' ? 'any' : route.scopes.map((scope) => `\`${scope}\``).join(' or ')
}

function page(title: string, parts: string[]): string {
  return `${[madeBy, `# ${title}`, ...parts].join('\n\n')}\n`
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}

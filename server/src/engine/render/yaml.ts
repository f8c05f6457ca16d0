import { type Budget, spendOn, spendSteps } from './budget.ts'
import { textOf } from './text-of.ts'

/** Writes a value as YAML in block style. Keys keep their order. Each line costs steps by its length with its indentation. */
export function toYaml(value: unknown, budget: Budget): string {
  const lines: string[] = []
  const yaml = { lines, budget }
  writeValue(value, { first: '', rest: '' }, yaml)
  return lines.join('\n')
}

/** What stands before the first line of a value, and before its other lines. */
type Indent = { first: string; rest: string }
type Yaml = { lines: string[]; budget: Budget }

function writeValue(value: unknown, indent: Indent, yaml: Yaml): void {
  spendOn(yaml.budget, value)
  const entries = entriesOf(value)
  if (Array.isArray(value) && value.length > 0) writeList(value, indent, yaml)
  else if (entries.length > 0) writeEntries(entries, indent, yaml)
  else writeLine(`${indent.first}${scalar(value, yaml.budget)}`, yaml)
}

function writeList(list: unknown[], { first, rest }: Indent, yaml: Yaml): void {
  for (const [at, item] of list.entries()) {
    const before = at === 0 ? first : rest
    writeValue(item, { first: `${before}- `, rest: `${rest}  ` }, yaml)
  }
}

function writeEntries(entries: [string, unknown][], { first, rest }: Indent, yaml: Yaml): void {
  for (const [at, [key, inner]] of entries.entries()) {
    const start = `${at === 0 ? first : rest}${plainOrQuoted(key)}:`
    if (isNested(inner)) {
      writeLine(start, yaml)
      writeValue(inner, { first: `${rest}  `, rest: `${rest}  ` }, yaml)
    } else writeLine(`${start} ${scalar(inner, yaml.budget)}`, yaml)
  }
}

function writeLine(line: string, { lines, budget }: Yaml): void {
  spendSteps(budget, 1 + (line.length >> 6))
  lines.push(line)
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []
}

function isNested(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : entriesOf(value).length > 0
}

function scalar(value: unknown, budget: Budget): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'string') return plainOrQuoted(value)
  if (typeof value === 'object') return Array.isArray(value) ? '[]' : '{}'
  return textOf(value, budget)
}

const plain = /^[A-Za-z_$][\w$.@/()+ -]*$/
const reserved = /^(?:true|false|null|yes|no|on|off)$/i

/** Quotes a text that YAML could read as another value. A JSON string is a valid YAML string. */
function plainOrQuoted(text: string): string {
  return plain.test(text) && !reserved.test(text) && !text.endsWith(' ') ? text : JSON.stringify(text)
}

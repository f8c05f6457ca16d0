import { type Budget, spendOn } from './budget.ts'
import { textOf } from './text-of.ts'

/** Writes a value as YAML in block style. Keys keep their order. */
export function toYaml(value: unknown, budget: Budget): string {
  return yamlLines(value, budget).join('\n')
}

function yamlLines(value: unknown, budget: Budget): string[] {
  spendOn(budget, value)
  if (Array.isArray(value) && value.length > 0) return value.flatMap((item) => itemLines(item, budget))
  if (!Array.isArray(value) && typeof value === 'object' && value !== null && Object.keys(value).length > 0)
    return Object.entries(value).flatMap(([key, inner]) => entryLines(key, inner, budget))
  return [scalar(value, budget)]
}

function itemLines(item: unknown, budget: Budget): string[] {
  const [first = '', ...rest] = yamlLines(item, budget)
  return [`- ${first}`, ...rest.map((line) => `  ${line}`)]
}

function entryLines(key: string, inner: unknown, budget: Budget): string[] {
  const lines = yamlLines(inner, budget)
  const isNested = typeof inner === 'object' && inner !== null && Object.keys(inner).length > 0
  if (!isNested) return [`${plainOrQuoted(key)}: ${lines[0] ?? ''}`]
  return [`${plainOrQuoted(key)}:`, ...lines.map((line) => `  ${line}`)]
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

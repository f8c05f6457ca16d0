import { isObject } from '../base/is-object.ts'
import { spend, spendOnText } from '../conditions/budget.ts'

/** The values that an enum allows. Their keys are made once, so a value costs its own size and not the number of choices. */
export type Choices = { has(value: unknown): boolean }

/** A request has no deeper values, so a deeper one equals no choice. */
const levelsMax = 64

export function readChoices(values: readonly unknown[]): Choices {
  const keys = new Set(values.map((value) => keyOf(value, () => undefined)))
  keys.delete(undefined)
  const hasParts = values.some((value) => Array.isArray(value) || isObject(value))
  return {
    has(value) {
      if (!hasParts && typeof value === 'object' && value !== null) return false
      const key = keyOf(value, (text) => (text === undefined ? spend(1) : spendOnText(text)))
      return key !== undefined && keys.has(key)
    },
  }
}

/** Equal values have the same key, whatever the order of their fields. */
function keyOf(value: unknown, count: (text?: string) => void): string | undefined {
  const parts: string[] = []
  return write(value, 0, parts, count) ? parts.join('') : undefined
}

function write(value: unknown, level: number, parts: string[], count: (text?: string) => void): boolean {
  if (level > levelsMax) return false
  const inside = (inner: unknown) => write(inner, level + 1, parts, count)
  if (Array.isArray(value)) {
    count()
    parts.push('[')
    return value.every(inside) && parts.push(']') > 0
  }
  if (!isObject(value)) {
    count(typeof value === 'string' ? value : undefined)
    return parts.push(JSON.stringify(value) ?? 'null', ',') > 0
  }
  const names = Object.keys(value)
  // Sorting compares each name some times.
  for (const name of names) count(name)
  parts.push('{')
  return (
    names.sort().every((name) => parts.push(JSON.stringify(name), ':') > 0 && inside(value[name])) &&
    parts.push('}') > 0
  )
}

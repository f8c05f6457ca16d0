import { isRecord } from '../../folder/paths.ts'
import { Impossible } from '../impossible.ts'

export type Fields = Record<string, unknown>

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

export function requireText(fields: Fields, name: string): string {
  const text = textOf(fields[name])
  if (text === undefined) throw new Impossible(`it has no ${name}`)
  return text
}

export function recordsIn(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}

export function addressesIn(value: unknown): string[] {
  return Array.isArray(value) ? value.map((each) => String(each).toLowerCase()) : []
}

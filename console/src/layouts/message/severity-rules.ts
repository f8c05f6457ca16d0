import { Severity } from '@tocsin/contract'
import { isObject } from '../../forms/json.ts'

/** A rule as the form edits it; it may be unfinished. Without conditions it is the last one. */
export type Rule = { if?: Record<string, unknown>; then: Severity }

/** The rules of a severity; undefined if it is a text or absent. */
export function rulesOf(severity: unknown): Rule[] | undefined {
  if (!Array.isArray(severity)) return undefined
  return severity.filter(isObject).map((rule) => ({
    ...(isObject(rule.if) && { if: rule.if }),
    then: Severity.options.find((option) => option === rule.then) ?? 'info',
  }))
}

/** The rules with conditions, and what applies if none of them holds. */
export function severityOf(rules: readonly Rule[]): { conditional: Rule[]; otherwise: Severity } {
  const last = rules.at(-1)
  const hasEnd = last !== undefined && last.if === undefined
  return {
    conditional: rules.slice(0, hasEnd ? -1 : undefined),
    otherwise: hasEnd ? last.then : 'info',
  }
}

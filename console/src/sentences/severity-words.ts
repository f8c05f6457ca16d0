import { isObject } from '../forms/json.ts'
import { type ConditionWords, conditionWords } from './condition-words.ts'

/** A severity by conditions in words: “critical if value is more than 100, otherwise warning”. */
export function severityWords(rules: readonly Record<string, unknown>[], words?: ConditionWords): string {
  const parts = rules.map((rule, at) => {
    if (isObject(rule.if)) return `${rule.then} if ${conditionWords(rule.if, words)}`
    return at === 0 ? String(rule.then) : `otherwise ${rule.then}`
  })
  const hasEnd = rules.some((rule) => rule.if === undefined)
  return [...parts, ...(hasEnd ? [] : ['otherwise info'])].join(', ')
}

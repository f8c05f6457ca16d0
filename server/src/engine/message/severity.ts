/** The severity of an alert: a word, a template, or rules with conditions on the output. */
import { type Condition, Severity, type SeverityRules } from '@tocsin/contract'
import type { SchemaMap } from '../base/read-schema.ts'
import { OverBudget, runSteps, startSteps } from '../conditions/budget.ts'
import { fieldsOfMessage, type MessageValues } from '../conditions/fields.ts'
import { compile, needsItemToken, type TokenDecimals } from '../conditions/predicate.ts'

export type DecidedSeverity = {
  value: Severity
  /** Which rule decided, counted from 0. */
  rule?: number
  issue?: string
}

/** What conditions on an output may name besides its values. */
export type SeverityScope = {
  inputs?: Record<string, unknown> | undefined
  filtersSchema?: SchemaMap | undefined
  tokens?: TokenDecimals | undefined
}

/** The first rule whose conditions hold decides; none: info. All rules share one budget. */
export function decideSeverity(
  rules: SeverityRules,
  values: MessageValues,
  { inputs = {}, filtersSchema = {}, tokens }: SeverityScope,
): DecidedSeverity {
  const fields = fieldsOfMessage(filtersSchema)
  const holds = (condition: Condition) => compile(condition, fields, inputs)(values, tokens) === true
  try {
    startSteps(runSteps)
    const at = rules.findIndex((rule) => rule.if === undefined || holds(rule.if))
    const rule = rules[at]
    return rule ? { value: rule.then, rule: at } : { value: 'info' }
  } catch (error) {
    if (!(error instanceof OverBudget)) throw error
    return { value: 'info', issue: `severity is info: its conditions ${error.message}` }
  }
}

/** The severity that a template rendered to. */
export function severityOfText(text: string): DecidedSeverity {
  const known = Severity.options.find((option) => option === text.trim())
  if (known !== undefined) return { value: known }
  const shown = JSON.stringify(text.trim().slice(0, 100))
  return {
    value: 'info',
    issue: `severity rendered to ${shown}, which is not ${Severity.options.join(', ')}; it is info`,
  }
}

/** True if a rule compares an amount in the item's own token. */
export function severityNeedsToken(severity: string | SeverityRules | undefined, filtersSchema?: SchemaMap): boolean {
  if (severity === undefined || typeof severity === 'string') return false
  return severity.some((rule) => rule.if !== undefined && needsItemToken(rule.if, filtersSchema))
}

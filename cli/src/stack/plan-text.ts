import type { DefinitionChange, DefinitionDiff, DefinitionDrift } from '@tocsin/contract'
import type { Colours } from '../terminal/colours.ts'
import { safeLine } from '../terminal/safe-text.ts'
import type { Plan } from './plan.ts'

const signs = { create: '+', update: '~', delete: '-', none: ' ' } as const
const colourOf = { create: 'green', update: 'yellow', delete: 'red', none: 'grey' } as const
const valueLengthMax = 120

/** A plan for people: what changes, what others changed, and a sum. */
export function planText({ changes, drift, warnings }: Omit<Plan, 'planHash' | 'issues'>, colours: Colours): string {
  const lines = [
    ...changes.filter(({ action }) => action !== 'none').flatMap((change) => changeLines(change, colours)),
    ...driftLines(drift, colours),
    ...warningLines(warnings, colours),
    sumOf(changes),
  ]
  return lines.join('\n')
}

/** What can be applied, but cannot make alerts. */
export function warningLines(warnings: Plan['warnings'], colours: Colours): string[] {
  return warnings.map(({ kind, fullname, message }) => colours.yellow(`! ${kind} ${fullname}: ${safeLine(message)}`))
}

function changeLines({ action, kind, fullname, diff }: DefinitionChange, colours: Colours): string[] {
  const head = colours[colourOf[action]](`${signs[action]} ${action} ${kind} ${fullname}`)
  return action === 'update' ? [head, ...diffLines(diff, colours)] : [head]
}

function driftLines(drift: readonly DefinitionDrift[], colours: Colours): string[] {
  if (drift.length === 0) return []
  const entries = drift.flatMap(({ kind, fullname, diff }) => [
    colours.cyan(`! ${kind} ${fullname}`),
    ...diffLines(diff, colours),
  ])
  return ['Changed by others since the last apply:', ...entries]
}

function diffLines(diff: readonly DefinitionDiff[], colours: Colours): string[] {
  return diff.map(({ path, from, to }) => `    ${path}: ${valueText(from)} ${colours.grey('→')} ${valueText(to)}`)
}

function valueText(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null'
  return text.length > valueLengthMax ? `${text.slice(0, valueLengthMax - 1)}…` : text
}

function sumOf(changes: readonly DefinitionChange[]): string {
  const count = (action: DefinitionChange['action']) => changes.filter((change) => change.action === action).length
  const total = changes.length - count('none')
  if (total === 0) return `No changes: the server has what the ${changes.length} files define.`
  return `Plan: ${count('create')} to create, ${count('update')} to update, ${count('delete')} to delete, ${count('none')} unchanged.`
}

import type { Condition } from '@tocsin/contract'
import { parseExpression } from './expression.ts'
import { comparisonRules, scriptOf } from './script.ts'
import type { TransactionMatch } from './signatures.ts'
import { conditionsOf, type Variables } from './variables.ts'

/** What lets an item through: conditions where they can say it, else JavaScript. */
export type Filter = { conditions?: Condition; activation?: string }

/** One alternative of a monitor: what must hold in addition to its expression, and the values that this may name. */
export type Alternative = { guard?: string; expression?: string | null | undefined; variables: Variables }

/**
 * An item passes if one of the alternatives holds and, if there are transactions, one of those. `whatStatus` tells how the
 * item's outcome is read; without it every item is from a successful transaction.
 */
export function filterOf(
  alternatives: readonly Alternative[],
  transactions: readonly TransactionMatch[],
  around: { variables: Variables; succeeded?: string },
): Filter {
  const [only] = alternatives
  const matching = transactions.map((match) => transactionAlternative(match, around))
  const isOpen = matching.length === 0 || matching.some(isAlwaysTrue)
  const plain = alternatives.length === 1 && only && only.guard === undefined ? only : undefined
  if (plain && isOpen) {
    if (!plain.expression) return {}
    const conditions = conditionsOf(parseExpression(plain.expression), plain.variables)
    if (conditions) return { conditions }
  }
  const parts = [anyOf(alternatives), ...(isOpen ? [] : [anyOf(matching)])].filter((part) => part !== 'true')
  if (parts.length === 0) return {}
  const test = `return ${parts.join(' && ')}`
  return { activation: test.includes('holds(') ? `${comparisonRules}\n${test}` : test }
}

function transactionAlternative(
  { status, expression }: TransactionMatch,
  { variables, succeeded }: { variables: Variables; succeeded?: string },
): Alternative {
  const holds = succeeded ?? 'true'
  if (status === 'Any') return { expression, variables }
  const guard = status === 'Success' ? holds : `!(${holds})`
  return { ...(guard !== 'true' && { guard }), expression, variables }
}

function isAlwaysTrue({ guard, expression }: Alternative): boolean {
  return guard === undefined && !expression
}

function anyOf(alternatives: readonly Alternative[]): string {
  if (alternatives.some(isAlwaysTrue)) return 'true'
  const parts = alternatives.map(({ guard, expression, variables }) => {
    const test = expression ? `holds(() => ${scriptOf(parseExpression(expression), variables)})` : undefined
    return [guard, test].filter((part) => part !== undefined).join(' && ')
  })
  return parts.length === 1 ? (parts[0] ?? 'true') : `(${parts.map((part) => `(${part})`).join(' || ')})`
}

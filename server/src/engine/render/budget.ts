/**
 * What a rendering may cost. A template is a tenant's program, so its steps and its output are limited. A step is about a
 * microsecond at most: each helper spends what its values cost (`render/costs.test.ts` has the table).
 */

/** The steps that are left. The templates of one message share them, so that many fields cost no more than one. */
export type Steps = { readonly max: number; left: number }
export type Budget = { steps: Steps; readonly outputMax: number; outputLeft: number }

export class OverBudget extends Error {}

export function makeSteps(max: number): Steps {
  return { max, left: max }
}

export function spendSteps({ steps }: Budget, count: number): void {
  steps.left -= count
  if (steps.left < 0) throw new OverBudget(`takes too many steps: one message may take ${shown(steps.max)}`)
}

/** A text costs steps by its length, so that a long text in a loop uses up the budget. */
export function spendOn(budget: Budget, value: unknown): void {
  spendSteps(budget, 1 + (typeof value === 'string' ? value.length >> 6 : 0))
}

/** For work that touches each letter of a text, or each digit of an amount, more than once. */
export function spendOnLetters(budget: Budget, text: string): void {
  spendSteps(budget, 1 + (text.length >> 3))
}

export function spendOutput(budget: Budget, text: string): void {
  budget.outputLeft -= text.length
  if (budget.outputLeft < 0)
    throw new OverBudget(`makes a text that is too long: it may have ${shown(budget.outputMax)} characters`)
}

function shown(limit: number): string {
  return limit.toLocaleString('en-US')
}

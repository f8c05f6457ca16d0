/** The remaining cost of one rendering. A template is a tenant's program, so its steps and output are limited. */
export type Budget = { stepsLeft: number; outputLeft: number }

export class OverBudget extends Error {}

export function spendSteps(budget: Budget, steps: number): void {
  budget.stepsLeft -= steps
  if (budget.stepsLeft < 0) throw new OverBudget('takes too many steps')
}

/** A text costs steps by its length, so that a long text in a loop uses up the budget. */
export function spendOn(budget: Budget, value: unknown): void {
  spendSteps(budget, 1 + (typeof value === 'string' ? value.length >> 6 : 0))
}

export function spendOutput(budget: Budget, text: string): void {
  budget.outputLeft -= text.length
  if (budget.outputLeft < 0) throw new OverBudget('makes a text that is too long')
}

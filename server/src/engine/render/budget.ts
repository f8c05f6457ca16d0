/** What one rendering may still cost. A template is a program of its writer, so it must end whatever it says. */
export type Budget = { stepsLeft: number; outputLeft: number }

export class TooMuch extends Error {}

export function spendSteps(budget: Budget, steps: number): void {
  budget.stepsLeft -= steps
  if (budget.stepsLeft < 0) throw new TooMuch('takes too many steps')
}

/** Handling a text costs by its length, so that a long one in a loop is not free. */
export function spendOn(budget: Budget, value: unknown): void {
  spendSteps(budget, 1 + (typeof value === 'string' ? value.length >> 6 : 0))
}

export function spendOutput(budget: Budget, text: string): void {
  budget.outputLeft -= text.length
  if (budget.outputLeft < 0) throw new TooMuch('gives too long a text')
}

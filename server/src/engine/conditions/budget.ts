/**
 * What an evaluation of conditions may cost. A tenant writes the conditions, and a chain, a script or a provider gives the
 * values, so each part counts what it does: a comparison, an element of a list, the length of a text, the states of a regular
 * expression. A step is about a tenth of a microsecond. An evaluation never waits, so one variable holds what is left of it.
 */

/** The conditions of a run, of a listener on one output, or of a preview. */
export const runSteps = 100_000
/** An early filter runs for each item of a block. It keeps an item that costs more, and the run decides. */
export const earlySteps = 2_000

export class OverBudget extends Error {
  constructor() {
    super(`take too many steps: one run may take ${runSteps.toLocaleString('en-US')}`)
  }
}

let left = 0

export function startSteps(count: number): void {
  left = count
}

export function spend(steps: number): void {
  left -= steps
  if (left < 0) throw new OverBudget()
}

export function spendOnText(text: string): void {
  spend(1 + (text.length >> 6))
}

/** Calls `work` within a budget of its own. If it costs more, the result is that of `otherwise`. */
export function withinSteps<T>(count: number, work: () => T, otherwise: (error: OverBudget) => T): T {
  startSteps(count)
  try {
    return work()
  } catch (error) {
    if (error instanceof OverBudget) return otherwise(error)
    throw error
  }
}

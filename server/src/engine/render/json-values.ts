import { type Budget, spendOn } from './budget.ts'

/** True if JSON text ends inside a string, given whether it began inside one. */
export function endsInString(text: string, beganInString: boolean): boolean {
  let isInString = beganInString
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '"') isInString = !isInString
    else if (text[at] === '\\' && isInString) at += 1
  }
  return isInString
}

/** A text as it is written between the quotes of a JSON string. */
export function jsonInside(text: string, budget: Budget): string {
  spendOn(budget, text)
  return JSON.stringify(text).slice(1, -1)
}

/** A value as JSON; a missing one is null. */
export function jsonOf(value: unknown, budget: Budget): string {
  const text = JSON.stringify(value ?? null)
  spendOn(budget, text)
  return text
}

import type { Issue } from '@tocsin/contract'

/**
 * The issues that stay after a field of a form was edited. Those of the field go. Of the issues about parts of the field (the
 * rows of a list) those go whose part was edited; the issues of the other rows stay.
 */
export function uneditedIssues(issues: readonly Issue[], name: string, before: unknown, after: unknown): Issue[] {
  return issues.filter(({ path }) => {
    const steps = path.split('.')
    if (steps.at(-1) === name) return false
    if (steps[0] !== name) return true
    const part = steps.slice(1, -1)
    return JSON.stringify(partOf(before, part)) === JSON.stringify(partOf(after, part))
  })
}

function partOf(value: unknown, steps: readonly string[]): unknown {
  return steps.reduce<unknown>(
    (part, step) =>
      typeof part === 'object' && part !== null ? Object.entries(part).find(([name]) => name === step)?.[1] : undefined,
    value,
  )
}

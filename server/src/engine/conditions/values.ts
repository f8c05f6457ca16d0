import { parsePath, readPath } from '../base/paths.ts'

/** Fills `{{inputs.x}}` in a wanted value. Undefined if the subscription has no such input. */
export function resolveValue(value: unknown, inputs: Record<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((inner) => resolveValue(inner, inputs))
  if (typeof value !== 'string' || !value.includes('{{')) return value
  const alone = /^\{\{([^{}]*)\}\}$/.exec(value)?.[1]
  if (alone !== undefined) return inputAt(alone, inputs)
  return value.replaceAll(/\{\{([^{}]*)\}\}/g, (_, reference: string) => textOf(inputAt(reference, inputs)))
}

function inputAt(reference: string, inputs: Record<string, unknown>): unknown {
  const [root, ...path] = parsePath(reference.trim().replace(/\?$/, ''))
  return root === 'inputs' ? readPath(inputs, path) : undefined
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

import * as z from 'zod'

/** Deeper than any honest payload, and far from where a recursive reader runs out of stack. */
export const jsonDepthMax = 64

/**
 * Refuses what later readers cannot hold before any schema recurses into it: nesting that overflows a stack, NUL and
 * lone surrogates that PostgreSQL does not store, and keys named `__proto__`.
 */
export function safeJson<S extends z.ZodType>(schema: S, depthMax: number = jsonDepthMax) {
  return z.preprocess<unknown, S, z.input<S>>((value, context) => {
    const found = findUnsafe(value, depthMax)
    if (!found) return value
    context.issues.push({ code: 'custom', input: undefined, path: found.path, message: found.message })
    return z.NEVER
  }, schema)
}

type Unsafe = { path: PropertyKey[]; message: string }
type Node = { value: unknown; key: PropertyKey; parent?: Node; depth: number }

/** Walks by a list of its own, not by recursion, so that depth costs memory and never the stack. */
export function findUnsafe(root: unknown, depthMax: number = jsonDepthMax): Unsafe | undefined {
  const open: Node[] = [{ value: root, key: '', depth: 0 }]
  for (let node = open.pop(); node; node = open.pop()) {
    const message = whatIsUnsafe(node, depthMax)
    if (message) return { path: pathOf(node), message }
    if (typeof node.value !== 'object' || node.value === null) continue
    for (const [key, value] of Object.entries(node.value))
      open.push({ value, key, parent: node, depth: node.depth + 1 })
  }
  return undefined
}

function whatIsUnsafe(node: Node, depthMax: number): string | undefined {
  if (node.depth > depthMax) return `is nested deeper than ${depthMax} levels`
  if (node.key === '__proto__') return 'is not an allowed name'
  if (typeof node.key === 'string' && !isStorable(node.key)) return 'has a name with characters that cannot be stored'
  if (typeof node.value === 'string' && !isStorable(node.value))
    return 'holds characters that cannot be stored (NUL or half a surrogate pair)'
  return undefined
}

function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

/** The first few segments are enough to find the place; the whole path of a hostile payload may be its whole size. */
function pathOf(node: Node): PropertyKey[] {
  const path: PropertyKey[] = []
  for (let at = node; at.parent; at = at.parent) path.push(at.key)
  return path.reverse().slice(0, 16)
}

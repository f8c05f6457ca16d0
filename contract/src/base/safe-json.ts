import * as z from 'zod'

/** Deeper than any normal payload, and far from the depth at which recursive code overflows the stack. */
export const jsonDepthMax = 64

/**
 * Refuses unsafe JSON before any schema recurses into it: nesting that could overflow the stack, NUL and lone
 * surrogates, which PostgreSQL does not store, and keys named `__proto__`.
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

/** Uses its own stack, so that depth costs memory and cannot overflow the call stack. */
export function findUnsafe(
  root: unknown,
  depthMax: number = jsonDepthMax,
  valuesMax: number = Number.POSITIVE_INFINITY,
): Unsafe | undefined {
  const open: Node[] = [{ value: root, key: '', depth: 0 }]
  let values = 0
  for (let node = open.pop(); node; node = open.pop()) {
    if (++values > valuesMax) return { path: [], message: `has more than ${valuesMax} values` }
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
    return 'contains characters that cannot be stored (NUL or half a surrogate pair)'
  return undefined
}

function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

/** Keeps only the first segments, because the whole path of a hostile payload can be as large as the payload. */
function pathOf(node: Node): PropertyKey[] {
  const path: PropertyKey[] = []
  for (let at = node; at.parent; at = at.parent) path.push(at.key)
  return path.reverse().slice(0, 16)
}

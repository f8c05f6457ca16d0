/** One `{{inputs.x}}` in a value: its full name, the input it starts with, and its path. */
export type UsedInput = { name: string; root: string; path: string }

/** Uses its own stack, so that deep nesting cannot overflow the call stack. */
export function inputsIn(value: unknown): UsedInput[] {
  const found: UsedInput[] = []
  const open: { value: unknown; path: string }[] = [{ value, path: '' }]
  for (let node = open.pop(); node; node = open.pop()) {
    if (typeof node.value === 'string') for (const used of inputsInText(node.value, node.path)) found.push(used)
    if (typeof node.value !== 'object' || node.value === null) continue
    for (const [key, child] of Object.entries(node.value))
      open.push({ value: child, path: node.path === '' ? key : `${node.path}.${key}` })
  }
  return found
}

function* inputsInText(text: string, path: string): Iterable<UsedInput> {
  for (const [, inner = ''] of text.matchAll(/\{\{([^{}]*)\}\}/g)) {
    const reference = withoutMark(inner.trim())
    if (!reference.startsWith(prefix)) continue
    const name = reference.slice(prefix.length)
    yield { name, root: name.split(/[.[]/)[0] ?? name, path }
  }
}

const prefix = 'inputs.'

/** `{{inputs.x?}}` may have no value, but the schema must know its name. */
function withoutMark(reference: string): string {
  return reference.endsWith('?') ? reference.slice(0, -1).trimEnd() : reference
}

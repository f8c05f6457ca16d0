/**
 * About the bytes of a value as JSON. It stops when they exceed `max`, so that its own cost is bounded. Nesting costs memory
 * here, not the call stack.
 */
export function weighs(root: unknown, max: number): number {
  const open: unknown[] = [root]
  let weight = 0
  while (open.length > 0 && weight <= max) {
    const value = open.pop()
    weight += 2
    if (typeof value === 'string') weight += value.length
    else if (typeof value === 'number' || typeof value === 'bigint') weight += 8
    else if (ArrayBuffer.isView(value)) weight += value.byteLength
    else if (Array.isArray(value)) for (let at = 0; at < value.length && weight + at <= max; at++) open.push(value[at])
    else if (typeof value === 'object' && value !== null)
      for (const key in value) {
        weight += key.length + 3
        if (weight > max) break
        open.push((value as Record<string, unknown>)[key])
      }
  }
  return weight
}

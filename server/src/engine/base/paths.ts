/** Dotted paths into JSON, `a.b[0].c`. They reach only own properties: no prototype, no length, no methods. */
export function parsePath(path: string): string[] {
  return path.replaceAll(/\[(\d+)\]/g, '.$1').split('.')
}

export function readPath(root: unknown, path: readonly string[]): unknown {
  let at = root
  for (const segment of path) {
    if (at === undefined) return undefined
    at = readOwn(at, segment)
  }
  return at
}

export function readOwn(holder: unknown, name: string): unknown {
  if (Array.isArray(holder)) return /^\d+$/.test(name) ? holder[Number(name)] : undefined
  return isRecord(holder) && Object.hasOwn(holder, name) ? holder[name] : undefined
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/**
 * The library converts every name to camel case. Authors expect the names of their IDL, so this restores them. If two names
 * of an IDL differ only in their case, the library's name stays.
 */
export function restoreNames(part: unknown, camelCase: (name: string) => string): (name: string) => string {
  const written = new Map<string, string>()
  for (const name of namesIn(part)) {
    const camel = camelCase(name)
    const other = written.get(camel)
    written.set(camel, other === undefined || other === name ? name : camel)
  }
  return (name) => written.get(name) ?? name
}

const lists = new Set(['fields', 'args', 'accounts'])

/** The names of fields, arguments and accounts of instructions. Names with leading underscores are skipped, because decoders use them. */
function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn)
  if (typeof value !== 'object' || value === null) return []
  const members = Object.entries(value).flatMap(([key, list]) => (lists.has(key) && Array.isArray(list) ? list : []))
  const names = members.flatMap((member) => (hasName(member) && !member.name.startsWith('__') ? [member.name] : []))
  return [...names, ...Object.values(value).flatMap(namesIn)]
}

function hasName(value: unknown): value is { name: string } {
  return typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string'
}

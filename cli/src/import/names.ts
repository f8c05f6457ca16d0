/** A foreign title as a name: lower-case letters, digits and hyphens, at most 60 of them. */
export function nameFrom(title: string): string {
  const plain = title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|(?<!-)-+$/g, '')
  return plain.slice(0, 60).replace(/(?<!-)-+$/, '') || 'unnamed'
}

/** Gives each title a name of its own: a second `a` becomes `a-2`. */
export class Names {
  private readonly taken = new Set<string>()

  take(title: string): string {
    const name = nameFrom(title)
    for (let count = 1; ; count += 1) {
      const free = count === 1 ? name : `${name}-${count}`
      if (this.taken.has(free)) continue
      this.taken.add(free)
      return free
    }
  }
}

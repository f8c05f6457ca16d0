/** Longer searches are left to a Map: whoever writes keys with one fingerprint only makes a lookup that slow. */
const stepsMost = 16

/**
 * Values by a part of the keys and a text. Fingerprints and numbers of places lie side by side, so that a lookup that
 * finds nothing, as most do, takes one line of memory; in a Map it would take three or four, which is what time goes to.
 * A place is a number in `held`; 0 is nobody's.
 */
export class KeyTable<Held> {
  readonly held: (Held | undefined)[] = [undefined]
  #parts: string[] = ['']
  #texts: string[] = ['']
  #prints: number[] = [0]
  /** What a number must reach for anything in a place to be met, where places hold bounds. */
  #gates: number[] | undefined
  #free: number[] = []
  /** Pairs of a fingerprint and a place: 0 was never used, -1 is left. */
  #slots = new Int32Array(2 * 4)
  #used = 0
  #more: Map<string, number> | undefined

  get size(): number {
    return this.held.length - 1 - this.#free.length
  }

  /** The text is looked at from such a letter on; 0 when it is not here. */
  find(print: number, part: string, text: string, textFrom: number): number {
    return this.findFrom(this.seek(print), print, part, text, textFrom)
  }

  /** Where to look for keys of this fingerprint; below 0: there are none, and what they would be is not worth reading. */
  seek(print: number): number {
    const slots = this.#slots
    let at = homeOf(print, slots.length)
    for (let steps = 0; steps < stepsMost; steps++) {
      const place = slots[at + 1] ?? 0
      if (place === 0) return -1
      if (slots[at] === print && place > 0) return at
      at = (at + 2) & (slots.length - 2)
    }
    return this.#more ? at : -1
  }

  /** From where `seek` says; 0 also when `reach` is below the gate. */
  findFrom(
    seen: number,
    print: number,
    part: string,
    text: string,
    textFrom: number,
    reach = Number.POSITIVE_INFINITY,
  ): number {
    if (seen < 0) return 0
    const slots = this.#slots
    const gates = this.#gates
    let at = seen
    const before = ((seen - homeOf(print, slots.length)) & (slots.length - 2)) >> 1
    for (let steps = before; steps < stepsMost; steps++) {
      const place = slots[at + 1] ?? 0
      // What was left to the Map had found no gap so near, and none comes to be but by building anew.
      if (place === 0) return 0
      // The gate comes first, as what it spares is further lines of memory.
      if (slots[at] === print && place > 0 && !(gates && reach < (gates[place] ?? 0)))
        if (this.#isAt(place, part, text, textFrom)) return place
      at = (at + 2) & (slots.length - 2)
    }
    return this.#more?.get(joined(part, text.slice(textFrom))) ?? 0
  }

  #isAt(place: number, part: string, text: string, textFrom: number): boolean {
    if (this.#parts[place] !== part) return false
    const own = this.#texts[place]
    return own === (textFrom === 0 ? text : text.slice(textFrom))
  }

  /** Only what `find` does not find. */
  add(print: number, part: string, text: string, held: Held): number {
    if (4 * (this.#used + 1) > this.#slots.length) this.#rebuild()
    const place = this.#free.pop() ?? this.held.length
    this.held[place] = held
    this.#parts[place] = part
    this.#texts[place] = text
    this.#prints[place] = print
    if (this.#gates) this.#gates[place] = Number.POSITIVE_INFINITY
    this.#put(place)
    return place
  }

  /** Whatever reaches this is let through. */
  openGate(place: number, from: number): void {
    this.#gates ??= this.held.map(() => Number.POSITIVE_INFINITY)
    this.#gates[place] = Math.min(this.#gates[place] ?? from, from)
  }

  remove(place: number): void {
    const slots = this.#slots
    for (let at = homeOf(this.#prints[place] ?? 0, slots.length), steps = 0; steps < stepsMost; steps++) {
      if (slots[at + 1] === place) slots[at + 1] = -1
      at = (at + 2) & (slots.length - 2)
    }
    this.#more?.delete(joined(this.#parts[place] ?? '', this.#texts[place] ?? ''))
    this.held[place] = undefined
    this.#parts[place] = ''
    this.#texts[place] = ''
    this.#free.push(place)
  }

  #put(place: number): void {
    const slots = this.#slots
    const print = this.#prints[place] ?? 0
    for (let at = homeOf(print, slots.length), steps = 0; steps < stepsMost; steps++) {
      const other = slots[at + 1] ?? 0
      if (other <= 0) {
        slots[at] = print
        slots[at + 1] = place
        if (other === 0) this.#used++
        return
      }
      at = (at + 2) & (slots.length - 2)
    }
    this.#more ??= new Map()
    this.#more.set(joined(this.#parts[place] ?? '', this.#texts[place] ?? ''), place)
  }

  /** Half full at most: with room for twice as many as there are now. */
  #rebuild(): void {
    let length = 2 * 4
    while (length < 8 * (this.size + 1)) length *= 2
    this.#slots = new Int32Array(length)
    this.#used = 0
    this.#more = undefined
    for (const [place, held] of this.held.entries()) if (held !== undefined) this.#put(place)
  }
}

function homeOf(print: number, length: number): number {
  return (Math.imul(print, 0x9e3779b1) >>> (Math.clz32(length) + 2)) << 1
}

function joined(part: string, text: string): string {
  return `${part.length} ${part}${text}`
}

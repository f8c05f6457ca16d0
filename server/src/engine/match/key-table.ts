/** Keys that need more probes go into an overflow Map. An attacker who makes colliding keys costs a lookup no more than this. */
const probesMax = 16

/**
 * An open-addressing hash table with linear probing. The key is a key part and a text. A slot is a fingerprint and a
 * position, side by side in one array. Each slot has a tag of one byte in a smaller array, which stays in the processor's
 * cache: a lookup without a hit (most have none) reads only tags; a Map reads three or four cache lines. A position is an
 * index into `values`; position 0 is never used. The table is at most half full.
 */
export class KeyTable<Value> {
  readonly values: (Value | undefined)[] = [undefined]
  #parts: string[] = ['']
  #texts: string[] = ['']
  #fingerprints: number[] = [0]
  /** For values with bounds: the smallest number that meets any bound at the position. */
  #minimums: number[] | undefined
  #free: number[] = []
  /** Pairs of a fingerprint and a position. Position 0 is a free slot, -1 a removed one. */
  #slots = new Int32Array(2 * 4)
  /** By half the index of the slot: 0 for a free slot, else eight bits of the hash of the key that is or was there. */
  #tags = new Uint8Array(4)
  #used = 0
  #overflow: Map<string, number> | undefined

  get size(): number {
    return this.values.length - 1 - this.#free.length
  }

  /** Returns the position, or 0 if the key is absent. The key's text is `text` from `from` to `end`. */
  find(fingerprint: number, part: string, text: string, from = 0, end = text.length): number {
    return this.findFromSlot(this.findSlot(fingerprint), fingerprint, part, text, from, end)
  }

  /** Returns the first slot with this fingerprint, or -1 if there is none: the caller then need not read the key. */
  findSlot(fingerprint: number): number {
    const tags = this.#tags
    const wanted = tagOf(fingerprint)
    let at = homeSlotOf(fingerprint, 2 * tags.length)
    for (let probes = 0; probes < probesMax; probes++) {
      const tag = tags[at >> 1]
      if (tag === 0) return -1
      if (tag === wanted && this.#slots[at] === fingerprint && (this.#slots[at + 1] ?? 0) > 0) return at
      at = (at + 2) & (2 * tags.length - 2)
    }
    return this.#overflow ? at : -1
  }

  /** Continues at the slot from `findSlot`. Returns 0 also if `number` is below the position's minimum. */
  findFromSlot(
    firstSlot: number,
    fingerprint: number,
    part: string,
    text: string,
    from: number,
    end: number,
    number = Number.POSITIVE_INFINITY,
  ): number {
    if (firstSlot < 0) return 0
    const slots = this.#slots
    const minimums = this.#minimums
    let at = firstSlot
    const before = ((firstSlot - homeSlotOf(fingerprint, slots.length)) & (slots.length - 2)) >> 1
    for (let probes = before; probes < probesMax; probes++) {
      const position = slots[at + 1] ?? 0
      // A key goes into the overflow Map only if all its slots are taken, and a slot becomes 0 again only in a rebuild.
      if (position === 0) return 0
      // The minimum is checked first because it saves reads of other cache lines.
      if (slots[at] === fingerprint && position > 0 && !(minimums && number < (minimums[position] ?? 0)))
        if (this.#isAt(position, part, text, from, end)) return position
      at = (at + 2) & (slots.length - 2)
    }
    return this.#overflow?.get(joinKey(part, text.slice(from, end))) ?? 0
  }

  #isAt(position: number, part: string, text: string, from: number, end: number): boolean {
    return this.#parts[position] === part && this.#texts[position] === text.slice(from, end)
  }

  /** The key must be absent. */
  add(fingerprint: number, part: string, text: string, value: Value): number {
    if (4 * (this.#used + 1) > this.#slots.length) this.#rebuild()
    const position = this.#free.pop() ?? this.values.length
    this.values[position] = value
    this.#parts[position] = part
    this.#texts[position] = text
    this.#fingerprints[position] = fingerprint
    if (this.#minimums) this.#minimums[position] = Number.POSITIVE_INFINITY
    this.#put(position)
    return position
  }

  /** Lets numbers from `from` on pass the minimum of this position. */
  lowerMinimum(position: number, from: number): void {
    this.#minimums ??= this.values.map(() => Number.POSITIVE_INFINITY)
    this.#minimums[position] = Math.min(this.#minimums[position] ?? from, from)
  }

  remove(position: number): void {
    const slots = this.#slots
    for (
      let at = homeSlotOf(this.#fingerprints[position] ?? 0, slots.length), probes = 0;
      probes < probesMax;
      probes++
    ) {
      if (slots[at + 1] === position) slots[at + 1] = -1
      at = (at + 2) & (slots.length - 2)
    }
    this.#overflow?.delete(joinKey(this.#parts[position] ?? '', this.#texts[position] ?? ''))
    this.values[position] = undefined
    this.#parts[position] = ''
    this.#texts[position] = ''
    this.#free.push(position)
  }

  #put(position: number): void {
    const slots = this.#slots
    const fingerprint = this.#fingerprints[position] ?? 0
    for (let at = homeSlotOf(fingerprint, slots.length), probes = 0; probes < probesMax; probes++) {
      const other = slots[at + 1] ?? 0
      if (other <= 0) {
        slots[at] = fingerprint
        slots[at + 1] = position
        this.#tags[at >> 1] = tagOf(fingerprint)
        if (other === 0) this.#used++
        return
      }
      at = (at + 2) & (slots.length - 2)
    }
    this.#overflow ??= new Map()
    this.#overflow.set(joinKey(this.#parts[position] ?? '', this.#texts[position] ?? ''), position)
  }

  /** Makes room for twice as many values as there are now. */
  #rebuild(): void {
    let length = 2 * 4
    while (length < 8 * (this.size + 1)) length *= 2
    this.#slots = new Int32Array(length)
    this.#tags = new Uint8Array(length / 2)
    this.#used = 0
    this.#overflow = undefined
    for (const [position, values] of this.values.entries()) if (values !== undefined) this.#put(position)
  }
}

function homeSlotOf(fingerprint: number, length: number): number {
  return (Math.imul(fingerprint, 0x9e3779b1) >>> (Math.clz32(length) + 2)) << 1
}

/** The home slot depends on the first bits of the hash, the tag on its last ones. */
function tagOf(fingerprint: number): number {
  return (Math.imul(fingerprint, 0x9e3779b1) & 127) | 128
}

function joinKey(part: string, text: string): string {
  return `${part.length} ${part}${text}`
}

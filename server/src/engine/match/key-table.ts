/** Keys that need more probes go into an overflow Map. An attacker who makes colliding keys costs a lookup no more than this. */
const probesMax = 16

/**
 * An open-addressing hash table with linear probing. The key is a key part and a text. A slot is a fingerprint and a
 * position, side by side in one array. A position is an index into `values`; position 0 is never used. The table is at most
 * half full.
 *
 * What a lookup costs are the cache lines that it loads. Without minimums each slot has a tag of one byte in a smaller array,
 * which stays in the processor's cache: a lookup without a hit (most have none) reads only tags; a Map reads three or four
 * cache lines. With minimums most lookups find their key and fail at its minimum. So there the minimum is in the slot, and
 * such a lookup loads one line.
 */
export class KeyTable<Value> {
  readonly values: (Value | undefined)[] = [undefined]
  #parts: string[] = ['']
  #texts: string[] = ['']
  #fingerprints: number[] = [0]
  /** For values with bounds: by position, the smallest number that meets any bound. */
  #minimums: number[] | undefined
  #free: number[] = []
  /** A slot has two cells, or four if there are minimums, as a power of two. */
  #cellBits = 1
  /** The cells of a slot: fingerprint, position, and two for the minimum. Position 0 is a free slot, -1 a removed one. */
  #slots = new Int32Array(2 * 4)
  /** The same memory: a minimum is at half the index of its cells. */
  #slotMinimums = new Float64Array(this.#slots.buffer)
  /** By number of the slot: 0 for a free slot, else eight bits of the hash of the key that is or was there. */
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

  /** Returns the first cell of the first slot with this fingerprint, or -1 if there is none: the caller then need not read the key. */
  findSlot(fingerprint: number): number {
    return this.#minimums ? this.#findBySlots(fingerprint) : this.#findByTags(fingerprint)
  }

  #findByTags(fingerprint: number): number {
    const tags = this.#tags
    const slots = this.#slots
    const wanted = tagOf(fingerprint)
    let slot = homeSlotOf(fingerprint, tags.length)
    for (let probes = 0; probes < probesMax; probes++) {
      const tag = tags[slot]
      if (tag === 0) return -1
      if (tag === wanted && slots[2 * slot] === fingerprint && (slots[2 * slot + 1] ?? 0) > 0) return 2 * slot
      slot = (slot + 1) & (tags.length - 1)
    }
    return this.#overflow ? 2 * slot : -1
  }

  #findBySlots(fingerprint: number): number {
    const slots = this.#slots
    let at = 4 * homeSlotOf(fingerprint, slots.length >> 2)
    for (let probes = 0; probes < probesMax; probes++) {
      const position = slots[at + 1] ?? 0
      if (position === 0) return -1
      if (slots[at] === fingerprint && position > 0) return at
      at = (at + 4) & (slots.length - 1)
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
    const minimums = this.#minimums && this.#slotMinimums
    const cellBits = this.#cellBits
    let at = firstSlot
    const before = ((firstSlot - this.#homeOf(fingerprint)) & (slots.length - 1)) >> cellBits
    for (let probes = before; probes < probesMax; probes++) {
      const position = slots[at + 1] ?? 0
      // A key goes into the overflow Map only if all its slots are taken, and a slot becomes 0 again only in a rebuild.
      if (position === 0) return 0
      // The minimum is checked first because it saves reads of other cache lines.
      if (slots[at] === fingerprint && position > 0 && !(minimums && number < (minimums[(at >> 1) + 1] ?? 0)))
        if (this.#isAt(position, part, text, from, end)) return position
      at = (at + (1 << cellBits)) & (slots.length - 1)
    }
    return this.#overflow?.get(joinKey(part, text.slice(from, end))) ?? 0
  }

  #isAt(position: number, part: string, text: string, from: number, end: number): boolean {
    return this.#parts[position] === part && this.#texts[position] === text.slice(from, end)
  }

  /** The first cell of the slot where the search for a fingerprint begins. */
  #homeOf(fingerprint: number): number {
    return homeSlotOf(fingerprint, this.#slots.length >> this.#cellBits) << this.#cellBits
  }

  /** The key must be absent. */
  add(fingerprint: number, part: string, text: string, value: Value): number {
    if (2 * (this.#used + 1) > this.#slots.length >> this.#cellBits) this.#rebuild()
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
    if (!this.#minimums) {
      this.#minimums = this.values.map(() => Number.POSITIVE_INFINITY)
      this.#cellBits = 2
      this.#rebuild()
    }
    const minimum = Math.min(this.#minimums[position] ?? from, from)
    this.#minimums[position] = minimum
    const at = this.#cellsOf(position)
    if (at >= 0) this.#slotMinimums[(at >> 1) + 1] = minimum
  }

  remove(position: number): void {
    const at = this.#cellsOf(position)
    if (at >= 0) this.#slots[at + 1] = -1
    this.#overflow?.delete(joinKey(this.#parts[position] ?? '', this.#texts[position] ?? ''))
    this.values[position] = undefined
    this.#parts[position] = ''
    this.#texts[position] = ''
    this.#free.push(position)
  }

  /** The first cell of the position's slot; -1 if its key is in the overflow Map. */
  #cellsOf(position: number): number {
    const slots = this.#slots
    let at = this.#homeOf(this.#fingerprints[position] ?? 0)
    for (let probes = 0; probes < probesMax; probes++) {
      if (slots[at + 1] === position) return at
      at = (at + (1 << this.#cellBits)) & (slots.length - 1)
    }
    return -1
  }

  #put(position: number): void {
    const slots = this.#slots
    const fingerprint = this.#fingerprints[position] ?? 0
    let at = this.#homeOf(fingerprint)
    for (let probes = 0; probes < probesMax; probes++) {
      const other = slots[at + 1] ?? 0
      if (other <= 0) {
        slots[at] = fingerprint
        slots[at + 1] = position
        if (this.#minimums) this.#slotMinimums[(at >> 1) + 1] = this.#minimums[position] ?? 0
        else this.#tags[at >> 1] = tagOf(fingerprint)
        if (other === 0) this.#used++
        return
      }
      at = (at + (1 << this.#cellBits)) & (slots.length - 1)
    }
    this.#overflow ??= new Map()
    this.#overflow.set(joinKey(this.#parts[position] ?? '', this.#texts[position] ?? ''), position)
  }

  /** Makes room for twice as many values as there are now. */
  #rebuild(): void {
    let count = 4
    while (count < 4 * (this.size + 1)) count *= 2
    this.#slots = new Int32Array(count << this.#cellBits)
    this.#slotMinimums = new Float64Array(this.#slots.buffer)
    this.#tags = new Uint8Array(this.#minimums ? 0 : count)
    this.#used = 0
    this.#overflow = undefined
    for (const [position, values] of this.values.entries()) if (values !== undefined) this.#put(position)
  }
}

/** `count` is the number of slots. */
function homeSlotOf(fingerprint: number, count: number): number {
  return Math.imul(fingerprint, 0x9e3779b1) >>> (Math.clz32(count) + 1)
}

/** The home slot depends on the first bits of the hash, the tag on its last ones. */
function tagOf(fingerprint: number): number {
  return (Math.imul(fingerprint, 0x9e3779b1) & 127) | 128
}

function joinKey(part: string, text: string): string {
  return `${part.length} ${part}${text}`
}

/** A seeded random generator (mulberry32): the same seed gives the same numbers. */
export type Chance = { number(): number; below(count: number): number; happens(probability: number): boolean }

export function makeChance(seed: number): Chance {
  let state = seed >>> 0
  const number = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return { number, below: (count) => Math.floor(number() * count), happens: (probability) => number() < probability }
}

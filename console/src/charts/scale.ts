/** A linear scale from values to pixels, with round numbers as ticks. */
export type Scale = { at: (value: number) => number; ticks: number[] }

export function makeScale(
  values: number[],
  [from, to]: [number, number],
  options: { fromZero?: boolean; ticks?: number } = {},
): Scale {
  const low = Math.min(...values, ...(options.fromZero ? [0] : []))
  const high = Math.max(...values, ...(options.fromZero ? [1] : []))
  // Charts show counts, so ticks are whole numbers.
  const step = Math.max(1, roundStep((high - low || 1) / (options.ticks ?? 4)))
  const [start, end] = [Math.floor(low / step) * step, Math.ceil(high / step) * step || step]
  const at = (value: number) => from + ((value - start) / (end - start || 1)) * (to - from)
  const count = Math.round((end - start) / step)
  return { at, ticks: Array.from({ length: count + 1 }, (_, index) => start + index * step) }
}

function roundStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough))
  const [step] = [1, 2, 5, 10].filter((step) => step * power >= rough)
  return (step ?? 10) * power
}

const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })
export function shortNumber(value: number): string {
  return short.format(value)
}

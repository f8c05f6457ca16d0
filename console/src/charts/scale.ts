import { scaleBand, scaleLinear } from 'd3-scale'

/** About this many values stand at the axis. */
const ticksWanted = 4

/** A scale from values to pixels, with the values at its axis. */
export type Scale = { at: (value: number) => number; ticks: number[] }

/** It starts at zero, ends at a round number, and its ticks are whole numbers. */
export function countScale(values: readonly number[], pixels: [number, number]): Scale {
  const scale = scaleLinear([0, Math.max(1, ...values)], pixels).nice(ticksWanted)
  return { at: scale, ticks: scale.ticks(ticksWanted).filter(Number.isInteger) }
}

/** A scale for values of any size. It does not start at zero, because a small change of a large value must be visible. */
export function valueScale(values: readonly number[], pixels: [number, number]): Scale {
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const room = (most - least || Math.abs(most) || 1) * 0.05
  const scale = scaleLinear([least - room, most + room], pixels).nice(ticksWanted)
  return { at: scale, ticks: scale.ticks(ticksWanted) }
}

/** Equal places for a number of bars, with space between them. */
export function barPlaces(count: number, pixels: [number, number]): { width: number; left: (at: number) => number } {
  const places = scaleBand([...Array(count).keys()], pixels)
    .paddingInner(0.2)
    .paddingOuter(0.1)
  return { width: places.bandwidth(), left: (at) => places(at) ?? 0 }
}

const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })
export function shortNumber(value: number): string {
  return short.format(value)
}

const exact = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 4 })
/** The ticks of a narrow range differ only in later digits. */
export function exactNumber(value: number): string {
  return exact.format(value)
}

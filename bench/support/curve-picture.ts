import type { Point } from './row.ts'

const [width, height] = [720, 400]
const area = { left: 70, right: 700, top: 70, bottom: 345 }
const colours = ['#1864ab', '#c92a2a', '#2b8a3e', '#862e9c', '#5f3dc4', '#a15c00']

/**
 * Draws the points of one curve as an SVG picture: one line for each series, `n` on a logarithmic axis. Values that differ
 * more than twentyfold get a logarithmic axis too, on which work that grows in proportion is a straight diagonal.
 */
export function drawCurve(name: string, points: readonly Point[]): string {
  const x = scaleFor(
    points.map(({ n }) => n),
    [area.left, area.right - 60],
    true,
  )
  const values = points.map(({ value }) => value)
  const isLogarithmic = Math.max(...values) > 20 * Math.min(...values)
  const y = scaleFor(values, [area.bottom, area.top + 20], isLogarithmic)
  const lines = [...Map.groupBy(points, ({ series }) => series)].map(([series, own], index) =>
    drawSeries(
      series,
      own.map(({ n, value }) => ({ x: x(n), y: y(value), label: labelOf(value) })),
      index,
    ),
  )
  const unit = `${points[0]?.unit}${isLogarithmic ? ', logarithmic' : ''}`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="13">
<rect width="${width}" height="${height}" fill="#ffffff"/>
<text x="20" y="28" font-size="16" font-weight="bold" fill="#212529">${escapeText(`${name}: ${unit}`)}</text>
${drawAxis([...new Set(points.map(({ n }) => n))].map((n) => ({ n, x: x(n) })))}
${lines.join('\n')}
</svg>
`
}

function drawAxis(places: readonly { n: number; x: number }[]): string {
  const base = `<path d="M${area.left} ${area.bottom}H${area.right}" stroke="#868e96"/>`
  const ticks = places.map(
    ({ n, x }) =>
      `<path d="M${x} ${area.top}V${area.bottom + 5}" stroke="#e9ecef"/><text x="${x}" y="${area.bottom + 22}" text-anchor="middle" fill="#495057">${n.toLocaleString('en')}</text>`,
  )
  return [...ticks, base, `<text x="${area.right}" y="${height - 12}" text-anchor="end" fill="#495057">n</text>`].join(
    '\n',
  )
}

type Place = { x: number; y: number; label: string }

/** The line with a dot and a value at each point. The values of even series are above their dots, those of odd ones below. */
function drawSeries(series: string, places: readonly Place[], index: number): string {
  const colour = colours[index % colours.length]
  const path = places.map(({ x, y }, at) => `${at === 0 ? 'M' : 'L'}${x} ${y}`).join('')
  const dots = places.map(
    ({ x, y, label }) =>
      `<circle cx="${x}" cy="${y}" r="4" fill="${colour}"/><text x="${x}" y="${y + (index % 2 === 0 ? -9 : 19)}" text-anchor="middle" fill="${colour}">${label}</text>`,
  )
  const [legendX, legendY] = [20 + 226 * (index % 3), 48 + 18 * Math.floor(index / 3)]
  const legend = `<circle cx="${legendX + 5}" cy="${legendY}" r="5" fill="${colour}"/><text x="${legendX + 16}" y="${legendY + 5}" fill="#212529">${escapeText(series)}</text>`
  return [`<path d="${path}" fill="none" stroke="${colour}" stroke-width="2"/>`, ...dots, legend].join('\n')
}

/** A function from a value to its place in pixels. A linear axis begins at 0. */
function scaleFor(values: readonly number[], [from, to]: [number, number], isLogarithmic: boolean) {
  const of = isLogarithmic ? Math.log10 : (value: number) => value
  const lowest = isLogarithmic ? of(Math.min(...values)) : 0
  const range = of(Math.max(...values)) - lowest || 1
  const room = isLogarithmic ? 0.12 : 0
  return (value: number) => {
    const share = room + (1 - room) * ((of(value) - lowest) / range)
    return Math.round(from + (to - from) * share)
  }
}

function labelOf(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en')
  return String(Number(value.toPrecision(2)))
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

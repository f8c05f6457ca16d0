/**
 * The lines that a benchmark prints for `npm run bench -- all`. A row is one line of the table in docs/benchmarks.md, and
 * a point is one measurement of a curve. Both are readable as they are; `all` finds them in the output.
 */
export type Row = {
  /** What grows or what is measured, such as "one event → 10,000 subscriptions with a webhook each". */
  direction: string
  /** The target, such as "≤ 5 ×", or "–" if there is none. */
  wanted: string
  seen: string
  /** Left out if there is no target. */
  ok?: boolean
}

/** `curve` names the picture, `series` the line in it, `n` the place on its horizontal axis. */
export type Point = { curve: string; series: string; n: number; value: number; unit: string }

export function printRow({ direction, wanted, seen, ok }: Row): void {
  const answer = ok === undefined ? '–' : ok ? 'yes' : 'no'
  console.log(`| ${[direction, wanted, seen, answer].map(cell).join(' | ')} |`)
}

export function printPoint({ curve, series, n, value, unit }: Point): void {
  console.log(`point ${curve} | ${series} | ${n} | ${value} ${unit}`)
}

export function readRows(output: string): Row[] {
  return output.split('\n').flatMap((line) => {
    const [, direction, wanted, seen, answer] = /^\| (.+) \| (.+) \| (.+) \| (yes|no|–) \|$/.exec(line) ?? []
    if (direction === undefined || wanted === undefined || seen === undefined) return []
    return [{ direction, wanted, seen, ...(answer !== '–' && { ok: answer === 'yes' }) }]
  })
}

export function readPoints(output: string): Point[] {
  return output.split('\n').flatMap((line) => {
    const [, curve, series, n, value, unit] = /^point (.+) \| (.+) \| (\d+) \| ([\d.e+-]+) (.+)$/.exec(line) ?? []
    if (curve === undefined || series === undefined || unit === undefined) return []
    return [{ curve, series, n: Number(n), value: Number(value), unit }]
  })
}

/** A cell of a table must not end the cell or the line. */
function cell(text: string): string {
  return text.replaceAll('|', '/').replaceAll('\n', ' ')
}

/**
 * The lines that a benchmark prints for `npm run bench -- all`. A row is one figure of the table in docs/benchmarks.md, and
 * a point is one measurement of a curve. Both are readable as they are; `all` finds them in the output.
 */
export type Row = {
  /** What is measured, such as "one event → webhooks, against a plain script". */
  what: string
  /** Which one of several rows with the same `what`, such as "10,000". The table has one line for all of them. */
  part?: string
  /** The target, such as "≤ 5 ×", or "–" if there is none. */
  wanted: string
  seen: string
  /** Left out if there is no target. */
  ok?: boolean
  /** Further figures for the person who runs the benchmark. The table does not have them. */
  details?: string
}

/** `curve` names the picture, `series` the line in it, `n` the place on its horizontal axis. */
export type Point = { curve: string; series: string; n: number; value: number; unit: string }

/** Stands between `what` and `part`. */
const divider = ' · '

export function printRow({ what, part, wanted, seen, ok, details }: Row): void {
  const answer = ok === undefined ? '–' : ok ? 'yes' : 'no'
  const name = part === undefined ? what : `${what}${divider}${part}`
  console.log(`| ${[name, wanted, seen, answer].map(cell).join(' | ')} |`)
  if (details !== undefined) console.log(`  ${details}`)
}

export function printPoint({ curve, series, n, value, unit }: Point): void {
  console.log(`point ${curve} | ${series} | ${n} | ${value} ${unit}`)
}

export function readRows(output: string): Row[] {
  return output.split('\n').flatMap((line) => {
    const [, name, wanted, seen, answer] = /^\| (.+) \| (.+) \| (.+) \| (yes|no|–) \|$/.exec(line) ?? []
    if (name === undefined || wanted === undefined || seen === undefined) return []
    const [what = name, part] = name.split(divider)
    return [
      { what, ...(part !== undefined && { part }), wanted, seen, ...(answer !== '–' && { ok: answer === 'yes' }) },
    ]
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

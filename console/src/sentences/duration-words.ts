const units = { d: 'day', h: 'hour', m: 'minute', s: 'second' } as const
const pattern = /^(?:\d+[dhms])+$/

/** `1h30m` → `1 hour 30 minutes`. A text that is no duration stays as it is. */
export function durationWords(text: string): string {
  if (!pattern.test(text)) return text
  return [...text.matchAll(/(\d+)([dhms])/g)]
    .map(([, count = '', unit = 's']) => counted(Number(count), unit))
    .join(' ')
}

/** For `every`: `1h` → `hour`, `5m` → `5 minutes`. */
export function periodWords(text: string): string {
  return durationWords(text).replace(/^1 (\w+)$/, '$1')
}

function counted(count: number, unit: string): string {
  const name = isUnit(unit) ? units[unit] : unit
  return `${count} ${name}${count === 1 ? '' : 's'}`
}

function isUnit(unit: string): unit is keyof typeof units {
  return unit in units
}

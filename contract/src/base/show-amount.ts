/**
 * Shows a decimal text as people read it: `1234567.50891` → `1,234,567.5089`. It rounds half away from zero to `digits` digits
 * after the point, and keeps the first two digits of a smaller amount, so that none becomes 0. `fixed` pads with zeros, as for
 * money, which keeps them under one cent alone. Other texts stay as they are. Messages, the sandbox of scripts and the console use this one function; the sandbox gets it as source
 * text, so it calls no other.
 */
export function showAmount(text: string, digits = 4, fixed = 0): string {
  const [, sign = '', whole = '', fraction = ''] = /^([+-]?)(\d+)(?:\.(\d*))?$/.exec(text) || []
  if (whole === '') return text
  const zeros = /[1-9]/.test(whole) ? 0 : fraction.search(/[1-9]/)
  const keepsTwo = zeros > 0 && (fixed === 0 || zeros >= digits)
  const places = zeros < 0 ? 0 : Math.max(digits, keepsTwo ? zeros + 2 : 0)
  const kept = BigInt(`${whole}${fraction.padEnd(places, '0').slice(0, places)}`)
  const rounded = kept + (fraction.charAt(places) >= '5' ? BigInt(1) : BigInt(0))
  const all = String(rounded).padStart(places + 1, '0')
  let end = all.length
  while (end > all.length - places && all.charAt(end - 1) === '0') end--
  const units = all.slice(0, all.length - places)
  const rest = all.slice(all.length - places, end).padEnd(fixed, '0')
  const groups: string[] = []
  for (let from = units.length; from > 0; from -= 3) groups.unshift(units.slice(Math.max(0, from - 3), from))
  const shown = `${groups.join(',')}${rest === '' ? '' : `.${rest}`}`
  return sign === '-' && rounded > 0 ? `-${shown}` : shown
}

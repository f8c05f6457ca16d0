/** Exact decimals of any size: `digits` × 10^-`scale`. On-chain amounts do not fit a double, so none is ever used here. */
export type Decimal = { digits: bigint; scale: number }

const textMax = 1000
/** Every double fits; a text with a longer exponent would cost memory that its writer did not pay for. */
const exponentMax = 400
const pattern = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/
const plainInteger = /^-?\d{1,15}$/

/** Numbers, BigInts and numeric strings; anything else is no decimal. A number is what it shows: 0.1 is one tenth. */
export function readDecimal(value: unknown): Decimal | undefined {
  if (typeof value === 'bigint') return { digits: value, scale: 0 }
  if (typeof value === 'number') return Number.isSafeInteger(value) ? whole(value) : readText(String(value))
  return typeof value === 'string' ? readSameText(value) : undefined
}

/** Thousands of triggers compare the few amounts of one event, one after the other. */
const recent: { text: string; decimal: Decimal | undefined }[] = []
const recentMax = 100

function readSameText(text: string): Decimal | undefined {
  if (isHex(text)) return undefined
  if (text.length > recentMax) return readText(text)
  const slot = (7 * text.length + text.charCodeAt(text.length - 1)) & 15
  const known = recent[slot]
  if (known?.text === text) return known.decimal
  const decimal = readText(text)
  recent[slot] = { text, decimal }
  return decimal
}

/** Most texts on chain are addresses and hashes, which are known at a glance. */
function isHex(text: string): boolean {
  return text.charCodeAt(1) === 120
}

function readText(text: string): Decimal | undefined {
  if (text.length > textMax) return undefined
  if (plainInteger.test(text)) return whole(Number(text))
  const found = pattern.exec(text)
  if (!found) return undefined
  const [, sign, before = '', after = '', power = '0'] = found
  const exponent = Number(power)
  if (before + after === '' || Math.abs(exponent) > exponentMax) return undefined
  const digits = BigInt(before + after) * (sign === '-' ? -1n : 1n)
  return shift({ digits, scale: after.length }, exponent)
}

function whole(value: number): Decimal {
  return { digits: BigInt(value), scale: 0 }
}

/** Multiplied by 10^`places`; a negative one divides, exactly. */
export function shift({ digits, scale }: Decimal, places: number): Decimal {
  const moved = scale - places
  return moved >= 0 ? { digits, scale: moved } : { digits: digits * 10n ** BigInt(-moved), scale: 0 }
}

export function compareDecimals(a: Decimal, b: Decimal): -1 | 0 | 1 {
  const scale = Math.max(a.scale, b.scale)
  const left = digitsAt(a, scale)
  const right = digitsAt(b, scale)
  if (left === right) return 0
  return left < right ? -1 : 1
}

function digitsAt({ digits, scale }: Decimal, wanted: number): bigint {
  return scale === wanted ? digits : digits * 10n ** BigInt(wanted - scale)
}

/** To at most `places` digits after the point, half away from zero; a negative number of places rounds whole digits. */
export function roundDecimal(decimal: Decimal, places: number): Decimal {
  if (decimal.scale <= places) return decimal
  const unit = 10n ** BigInt(decimal.scale - places)
  const magnitude = decimal.digits < 0n ? -decimal.digits : decimal.digits
  const rounded = (magnitude + unit / 2n) / unit
  const digits = decimal.digits < 0n ? -rounded : rounded
  return places >= 0 ? { digits, scale: places } : { digits: digits * 10n ** BigInt(-places), scale: 0 }
}

/** In plain notation, without trailing zeros or, with `fixed`, with zeros up to so many digits after the point. */
export function showDecimal({ digits, scale }: Decimal, fixed = 0): string {
  const sign = digits < 0n ? '-' : ''
  const text = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0')
  const point = text.length - scale
  const after = withoutTrailingZeros(text.slice(point)).padEnd(fixed, '0')
  return `${sign}${text.slice(0, point)}${after === '' ? '' : `.${after}`}`
}

function withoutTrailingZeros(text: string): string {
  let end = text.length
  while (text[end - 1] === '0') end--
  return text.slice(0, end)
}

/** An amount in its smallest unit, shown in whole ones: 1500000 with 6 decimals is 1.5. Undefined when it is no number. */
export function formatUnits(amount: unknown, decimals: number): string | undefined {
  const decimal = readDecimal(amount)
  return decimal && showDecimal(shift(decimal, -decimals))
}

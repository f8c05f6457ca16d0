/** Exact decimals of any size: `digits` × 10^-`scale`. On-chain amounts do not fit into a double, so this file never uses one. */
export type Decimal = { digits: bigint; scale: number }

const textMax = 1000
/** Every double fits into this exponent. A larger one in a short text would cost a lot of memory. */
export const exponentMax = 400
const pattern = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/
const plainInteger = /^-?\d{1,15}$/

/** Reads numbers, BigInts and numeric strings; undefined for anything else. A number means its decimal text: 0.1 is one tenth. */
export function readDecimal(value: unknown): Decimal | undefined {
  if (typeof value === 'bigint') return { digits: value, scale: 0 }
  if (typeof value === 'number') return Number.isSafeInteger(value) ? whole(value) : readText(String(value))
  return typeof value === 'string' ? readCachedText(value) : undefined
}

/** Caches recent texts: thousands of triggers compare the same few amounts of one event in a row. */
const recentTexts: { text: string; decimal: Decimal | undefined }[] = []
const recentTextMax = 100

function readCachedText(text: string): Decimal | undefined {
  if (isHex(text)) return undefined
  if (text.length > recentTextMax) return readText(text)
  const slot = (7 * text.length + text.charCodeAt(text.length - 1)) & 15
  const known = recentTexts[slot]
  if (known?.text === text) return known.decimal
  const decimal = readText(text)
  recentTexts[slot] = { text, decimal }
  return decimal
}

/** Most texts on chain are addresses and hashes, which begin with 0x. */
function isHex(text: string): boolean {
  return text.charCodeAt(1) === 120
}

function readText(text: string): Decimal | undefined {
  if (text.length > textMax) return undefined
  if (plainInteger.test(text)) return whole(Number(text))
  const match = pattern.exec(text)
  if (!match) return undefined
  const [, sign, before = '', after = '', power = '0'] = match
  const exponent = Number(power)
  if (before + after === '' || Math.abs(exponent) > exponentMax) return undefined
  const digits = BigInt(before + after) * (sign === '-' ? -1n : 1n)
  return shift({ digits, scale: after.length }, exponent)
}

function whole(value: number): Decimal {
  return { digits: BigInt(value), scale: 0 }
}

/** Multiplies by 10^`places` exactly. Negative places divide. */
export function shift({ digits, scale }: Decimal, places: number): Decimal {
  const moved = scale - places
  return moved >= 0 ? { digits, scale: moved } : { digits: digits * 10n ** BigInt(-moved), scale: 0 }
}

export function addDecimals(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale)
  return { digits: digitsAt(a, scale) + digitsAt(b, scale), scale }
}

export function subtractDecimals(a: Decimal, b: Decimal): Decimal {
  return addDecimals(a, { ...b, digits: -b.digits })
}

export function multiplyDecimals(a: Decimal, b: Decimal): Decimal {
  return { digits: a.digits * b.digits, scale: a.scale + b.scale }
}

/** Rounded to `places` digits after the point, half away from zero. `b` must not be zero. */
export function divideDecimals(a: Decimal, b: Decimal, places: number): Decimal {
  const scale = Math.max(a.scale, b.scale)
  const [part, whole] = [digitsAt(a, scale) * 10n ** BigInt(places), digitsAt(b, scale)]
  const size = (digits: bigint) => (digits < 0n ? -digits : digits)
  const rounded = (size(part) + size(whole) / 2n) / size(whole)
  return { digits: part < 0n === whole < 0n ? rounded : -rounded, scale: places }
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

/** Rounds to `places` digits after the point, half away from zero. Negative places round digits before the point. */
export function roundDecimal(decimal: Decimal, places: number): Decimal {
  if (decimal.scale <= places) return decimal
  const unit = 10n ** BigInt(decimal.scale - places)
  const magnitude = decimal.digits < 0n ? -decimal.digits : decimal.digits
  const rounded = (magnitude + unit / 2n) / unit
  const digits = decimal.digits < 0n ? -rounded : rounded
  return places >= 0 ? { digits, scale: places } : { digits: digits * 10n ** BigInt(-places), scale: 0 }
}

/** Plain notation without trailing zeros. `fixed` pads with zeros to at least that many digits after the point. */
export function showDecimal({ digits, scale }: Decimal, fixed = 0): string {
  const sign = digits < 0n ? '-' : ''
  const text = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0')
  const point = text.length - scale
  const after = dropTrailingZeros(text.slice(point)).padEnd(fixed, '0')
  return `${sign}${text.slice(0, point)}${after === '' ? '' : `.${after}`}`
}

function dropTrailingZeros(text: string): string {
  let end = text.length
  while (text[end - 1] === '0') end--
  return text.slice(0, end)
}

/** Shows an amount in its smallest unit as whole units: 1500000 with 6 decimals is 1.5. Undefined if it is not a number. */
export function formatUnits(amount: unknown, decimals: number): string | undefined {
  const decimal = readDecimal(amount)
  return decimal && showDecimal(shift(decimal, -decimals))
}

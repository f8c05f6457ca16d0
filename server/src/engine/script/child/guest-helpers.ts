// biome-ignore-all lint/style/useTemplate: QuickJS builds templates by a method call, which costs more
/**
 * The `helpers` object of scripts. The sandbox gets this function as source text, so it must use nothing from outside.
 * Helpers accept chain numbers as BigInt, decimal string, hex string or plain number, and compute exactly.
 */
export function makeHelpers() {
  const toBigInt = (value: unknown): bigint => {
    if (typeof value === 'bigint') return value
    try {
      if (typeof value === 'number') return BigInt(value)
      const units = typeof value === 'string' ? BigInt(value) : undefined
      if (units !== undefined && (units !== 0n || !isBlank(value))) return units
    } catch {
      // The error below names the helper.
    }
    throw new TypeError(`toBigInt needs an integer, and got ${toShortText(value)}`)
  }

  /** BigInt('') is 0, but an empty text is not a number. */
  const isBlank = (value: unknown): boolean => textOf(value).trim() === ''

  const formatUnits = (value: unknown, decimals: unknown = 18): string => {
    const units = toBigInt(value)
    const places = placesOf(decimals)
    const isNegative = units < 0n
    let digits = String(isNegative ? -units : units)
    if (digits.length <= places) digits = digits.padStart(places + 1, '0')
    const point = digits.length - places
    const end = endOfFraction(digits, point)
    const text = end > point ? digits.slice(0, point) + '.' + digits.slice(point, end) : digits.slice(0, point)
    return isNegative ? '-' + text : text
  }

  /** Finds the end of the fraction without trailing zeros. It skips six at a time because there are often many. */
  const endOfFraction = (digits: string, point: number): number => {
    let end = digits.length
    while (end - 6 >= point && digits.endsWith('000000', end)) end -= 6
    while (end > point && digits[end - 1] === '0') end--
    return end
  }

  /** Rounds further digits, half away from zero. */
  const parseUnits = (value: unknown, decimals: unknown = 18): bigint => {
    const match = /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d{1,3}))?$/i.exec(String(value).trim())
    const [, sign, whole = '', fraction = '', exponent = '0'] = match ?? []
    if (`${whole}${fraction}` === '')
      throw new TypeError(`parseUnits needs a decimal number, and got ${toShortText(value)}`)
    const shift = placesOf(decimals) + Number(exponent) - fraction.length
    const digits = BigInt(`${whole}${fraction}`)
    const units = shift >= 0 ? digits * 10n ** BigInt(shift) : roundedDivision(digits, 10n ** BigInt(-shift))
    return sign === '-' ? -units : units
  }

  const roundedDivision = (value: bigint, by: bigint): bigint => (value + by / 2n) / by

  const placesOf = (decimals: unknown): number => {
    const places = Number(decimals)
    if (places % 1 === 0 && places >= 0 && places <= 255) return places
    throw new RangeError(`decimals must be an integer from 0 to 255, and is ${toShortText(decimals)}`)
  }

  const toShortText = (value: unknown): string => (typeof value === 'object' ? 'an object' : String(value).slice(0, 60))

  const textOf = (value: unknown): string => {
    if (typeof value === 'string') return value
    return value === null || value === undefined ? '' : String(value)
  }

  const shorten = (value: unknown, lead = 6, tail = 4): string => {
    const text = textOf(value)
    return text.length <= lead + tail + 1 ? text : text.slice(0, lead) + '…' + text.slice(text.length - tail)
  }

  /** `get(source, 'params.list[0].value', fallback)`: own properties only. */
  const get = (from: unknown, path: unknown, fallback?: unknown): unknown => {
    const keys = Array.isArray(path)
      ? path
      : String(path)
          .replace(/\[(\w+)\]/g, '.$1')
          .split('.')
    let at = from
    for (const key of keys) {
      if (at === null || at === undefined || !Object.hasOwn(Object(at), key)) return fallback
      at = Reflect.get(Object(at), key)
    }
    return at === undefined ? fallback : at
  }

  const lower = (value: unknown): string => textOf(value).toLowerCase()
  const upper = (value: unknown): string => textOf(value).toUpperCase()

  const helpers = { formatUnits, parseUnits, shorten, get, toBigInt, lower, upper }
  for (const helper of Object.values(helpers)) Object.freeze(helper)
  return Object.freeze(helpers)
}

const pattern = /^-?(\d{1,400})(?:\.(\d{1,400}))?(?:e([+-]?\d{1,3}))?$/i

/** True for a decimal number of any size, such as `12`, `-0.5` or `1e18`. */
export function isDecimalText(text: string): boolean {
  return pattern.test(text)
}

/** Compares two decimal numbers exactly: negative if the first is smaller, 0 if they are equal. */
export function compareDecimalTexts(a: string, b: string): number {
  const [left, right] = [scaled(a), scaled(b)]
  return left === right ? 0 : left < right ? -1 : 1
}

/** More places than an exponent of three digits and a fraction can need. */
const placesMax = 1_500

function scaled(text: string): bigint {
  const [, whole = '0', fraction = '', exponent = '0'] = pattern.exec(text) ?? []
  const digits = BigInt(`${whole}${fraction}`) * 10n ** BigInt(placesMax - fraction.length + Number(exponent))
  return text.startsWith('-') ? -digits : digits
}

/** `atob` and `btoa`, which QuickJS has built in. The sandbox gets this function as source text, so it must use nothing from outside. */
export function addBase64() {
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  const { apply } = Reflect
  const { charCodeAt, indexOf, replace } = String.prototype
  const { fromCharCode } = String
  const [text, failed] = [String, TypeError]

  const btoa = (value: unknown): string => {
    const bytes = text(value)
    const byteAt = (at: number): number => (at < bytes.length ? apply(charCodeAt, bytes, [at]) : 0)
    let encoded = ''
    for (let at = 0; at < bytes.length; at += 3) {
      const group = (byteAt(at) << 16) | (byteAt(at + 1) << 8) | byteAt(at + 2)
      if (byteAt(at) > 255 || byteAt(at + 1) > 255 || byteAt(at + 2) > 255)
        throw new failed('btoa takes characters of one byte')
      encoded += `${digits[group >> 18]}${digits[(group >> 12) & 63]}`
      encoded += at + 1 < bytes.length ? digits[(group >> 6) & 63] : '='
      encoded += at + 2 < bytes.length ? digits[group & 63] : '='
    }
    return encoded
  }

  const atob = (value: unknown): string => {
    const spaceless: string = apply(replace, text(value), [/[\t\n\f\r ]+/g, ''])
    const encoded: string = spaceless.length % 4 === 0 ? apply(replace, spaceless, [/==?$/, '']) : spaceless
    if (encoded.length % 4 === 1) throw new failed('atob takes base64')
    let bytes = ''
    let buffered = 0
    let bits = 0
    for (let at = 0; at < encoded.length; at++) {
      const digit = apply(indexOf, digits, [encoded[at]])
      if (digit < 0) throw new failed('atob takes base64')
      buffered = ((buffered << 6) | digit) & 0xfff
      bits += bits < 2 ? 6 : -2
      if (bits < 6) bytes += fromCharCode((buffered >> bits) & 255)
    }
    return bytes
  }

  for (const [name, value] of Object.entries({ atob, btoa }))
    Object.defineProperty(globalThis, name, { value, writable: true, enumerable: false, configurable: true })
}

/** `1234567.50` → `1,234,567.50`. Other texts stay as they are. */
export function groupDigits(text: string): string {
  const [, sign = '', whole = '', rest = ''] = /^([+-]?)(\d+)(\.\d+)?$/.exec(text) ?? []
  if (whole === '') return text
  const first = whole.length % 3 || 3
  return `${sign}${whole.slice(0, first)}${whole.slice(first).replaceAll(/\d{3}/g, ',$&')}${rest}`
}

/** `1234567.50` → `1,234,567.50`. Other texts stay as they are. */
export function groupDigits(text: string): string {
  const [, sign = '', whole = '', rest = ''] = /^([+-]?)(\d+)(\.\d+)?$/.exec(text) ?? []
  return whole === '' ? text : `${sign}${whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')}${rest}`
}

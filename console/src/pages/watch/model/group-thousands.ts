/** 1234567.5 → 1,234,567.5; a missing number is shown as … */
export function groupThousands(decimal: string): string {
  if (decimal === '') return '…'
  const [whole = '', fraction] = decimal.split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? grouped : `${grouped}.${fraction}`
}

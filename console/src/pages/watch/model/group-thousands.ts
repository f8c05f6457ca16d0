import { groupDigits } from '@tocsin/contract'

/** 1234567.5 → 1,234,567.5; a missing number is shown as … */
export function groupThousands(decimal: string): string {
  return decimal === '' ? '…' : groupDigits(decimal)
}

/** A filter on one input of an event or a call. */
export type Filter = {
  /** The path in the source item. */
  param: string
  label: string
  kind: 'address' | 'amount' | 'number' | 'boolean' | 'text'
  /** The decimals of an amount, and the symbol of its token. */
  decimals?: number
  unit?: string
}

/** What the helpers know of the item's network. */
export type ScriptNetwork = {
  /** The pages of the explorer: a value that fits the pattern is between `before` and `after`. */
  explorer?: { pattern: string; before: string; after: string }[]
  native?: { symbol: string | null; decimals: number }
  /** The token that is the contract of the item. */
  token?: { symbol: string | null; decimals: number }
}

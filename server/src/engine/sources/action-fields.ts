import type { FieldSchema } from '@tocsin/contract'

/** Schemas that the core actions of several chains use. */

export const nullableText: FieldSchema = { type: ['string', 'null'] }
/** A number of any size as text, such as 1250.5. */
export const decimalText: FieldSchema = 'string'

export function balance(decimals: number): FieldSchema {
  return { type: 'balance', decimals }
}

/** A balance in the item's own token, whose metadata tell the decimals. */
export const tokenBalance: FieldSchema = { type: 'balance', decimals: 'token' }

/** A filter field that the engine reads from the source item, before any provider or script runs. */
export function at(sourcePath: string, type: FieldSchema, description: string): FieldSchema {
  return { type, description, sourcePath }
}

/** For a token whose contract does not tell its decimals. */
export const decimalsInput: FieldSchema = {
  type: 'integer',
  optional: true,
  description: 'Decimals of the amount, only if the token does not tell them',
}

/** What the policy of the subscription decided by, on a line of its own. `unit` is a path of the output, or a text in quotes. */
export function decision(unit?: string): string {
  return `{{#if policy}}\n{{decided policy${unit === undefined ? '' : ` unit=${unit}`}}}{{/if}}`
}

/** The texts of a message from one sentence: `title` without `more`, `long` with the details. */
export function texts(sentence: string, { title = sentence, more = '', unit }: Parts = {}) {
  const end = `${decision(unit)}`
  return { title, short: `${sentence}${end}`, long: `${sentence}${more}${end}` }
}
type Parts = { title?: string; more?: string; unit?: string }

/** The link leads to the whole hash. */
export const inTransaction = '\nTransaction {{name hash}}'

/** A link whose URL is empty is left out, so a network without an explorer has none. */
export const transactionLink = [{ title: 'Transaction', url: '{{explorer hash}}' }]
export const blockLink = [{ title: 'Block', url: '{{explorer block}}' }]

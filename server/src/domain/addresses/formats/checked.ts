/**
 * The result of a format check of trimmed text: the normal form, or a message that says what is wrong. No check throws.
 */
export type Checked = { normal: string } | { refused: string }

/** What a format answers for trimmed text: the normal form, or the sentence that says what is wrong. No format throws. */
export type Checked = { normal: string } | { refused: string }

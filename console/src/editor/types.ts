/** Something that can be written at the cursor. */
export type Proposal = {
  label: string
  detail?: string
  info?: string
  kind?: 'variable' | 'property' | 'function' | 'keyword'
}
/** `before` is the dotted path before the cursor, such as `source.params.`; what follows the last dot is being typed. */
export type Complete = (before: string) => Proposal[]
/** Lines and columns count from one; without a column the whole line is marked. */
export type Mark = { line: number; column?: number; message: string; severity?: 'error' | 'warning' | 'info' }

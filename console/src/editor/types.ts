/** The properties that the field and the editor inside it share. */
export type EditorProps = {
  language: 'javascript' | 'json'
  value: string
  onChange?: (value: string) => void
  /** Returns the completions at the cursor. The caller must memoise it. */
  complete?: Complete
  /** Problems, shown in the line and in the gutter. */
  marks?: Mark[]
}
/** One completion. */
export type Proposal = {
  label: string
  detail?: string
  info?: string
  kind?: 'variable' | 'property' | 'function' | 'keyword'
}
/** `before` is the dotted path before the cursor up to the last dot, such as `source.params.` */
export type Complete = (before: string) => Proposal[]
/** Lines and columns count from one. Without a column, the whole line is marked. */
export type Mark = { line: number; column?: number; message: string; severity?: 'error' | 'warning' | 'info' }

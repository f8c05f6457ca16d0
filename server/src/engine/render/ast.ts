/** The nodes of @handlebars/parser that `parseTemplate` allows. */
export type Program = { body: Statement[]; blockParams?: string[] }

export type Statement =
  | { type: 'ContentStatement'; value: string }
  | { type: 'CommentStatement' }
  | ({ type: 'MustacheStatement' } & Call)
  | Block

export type Block = { type: 'BlockStatement'; program?: Program; inverse?: Program } & Call
export type Call = { path: Expression; params: Expression[]; hash?: Hash }
export type Hash = { pairs: { key: string; value: Expression }[] }

export type Expression =
  | Path
  | ({ type: 'SubExpression' } & Call)
  | { type: 'StringLiteral'; value: string }
  | { type: 'NumberLiteral'; value: number }
  | { type: 'BooleanLiteral'; value: boolean }
  | { type: 'NullLiteral' }
  | { type: 'UndefinedLiteral' }

export type Path = {
  type: 'PathExpression'
  /** `@name` */
  data: boolean
  /** The number of `../` before the path. */
  depth: number
  parts: (string | Expression)[]
  original: string
}

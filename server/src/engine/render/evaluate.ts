import { readOwn } from '../base/paths.ts'
import type { AddressBook } from './addresses.ts'
import { type Budget, spendOn, spendSteps } from './budget.ts'
import type { ShownNetwork } from './helper-call.ts'
import type { Call, Expression, Hash, Path } from './parse-template.ts'
import { valueHelpers } from './value-helpers.ts'

export type Rendering = {
  budget: Budget
  book: AddressBook
  network: ShownNetwork
  output: string[]
  /** Set if the template is JSON. */
  json?: { isInString: boolean }
}

/** Evaluates an expression. A missing value is undefined. */
export function evaluate(node: Expression, scope: Scope, rendering: Rendering): unknown {
  spendOn(rendering.budget, undefined)
  if (node.type === 'PathExpression') return readReference(node, scope, rendering)
  if (node.type === 'SubExpression') return callHelper(node, scope, rendering)
  return 'value' in node ? node.value : undefined
}

export function callHelper({ path, params, hash }: Call, scope: Scope, rendering: Rendering): unknown {
  const name = path.type === 'PathExpression' ? path.original : ''
  const helper = Object.hasOwn(valueHelpers, name) ? valueHelpers[name] : undefined
  const values = params.map((param) => evaluate(param, scope, rendering))
  const result = helper?.({
    params: values,
    hash: evaluateHash(hash, scope, rendering),
    book: rendering.book,
    network: rendering.network,
    budget: rendering.budget,
  })
  spendOn(rendering.budget, result)
  return result
}

export function evaluateHash(hash: Hash | undefined, scope: Scope, rendering: Rendering): Record<string, unknown> {
  const pairs = hash?.pairs ?? []
  return Object.fromEntries(pairs.map(({ key, value }) => [key, evaluate(value, scope, rendering)]))
}

/** Reads `name`, `this`, `../name`, `@index` and paths from them. A name of `as |…|` has priority over the context. */
function readReference(path: Path, scope: Scope, rendering: Rendering): unknown {
  spendSteps(rendering.budget, path.parts.length + (path.original.length >> 6))
  const at = outerScope(scope, path.depth)
  const [head, ...tail] = path.parts
  if (!at) return undefined
  if (head === undefined) return at.context
  if (typeof head !== 'string') return readAlong(evaluate(head, scope, rendering), tail)
  if (path.data) return readAlong(readOwn(at.data, head), tail)
  const isNamed = path.depth === 0 && !/^(?:this\b|\.)/.test(path.original) && Object.hasOwn(at.names, head)
  return readAlong(isNamed ? at.names[head] : readMember(at.context, head), tail)
}

function readAlong(start: unknown, names: (string | Expression)[]): unknown {
  let at = start
  for (const name of names) at = typeof name === 'string' ? readMember(at, name) : undefined
  return at
}

/** Reads own properties, and `length` of lists and texts. */
function readMember(holder: unknown, name: string): unknown {
  if (name === 'length' && (Array.isArray(holder) || typeof holder === 'string')) return holder.length
  return readOwn(holder, name)
}

/** The names that are visible at one position of a template. Only `each` and `with` open a new scope, as in Handlebars. */
export type Scope = {
  context: unknown
  parent?: Scope
  /** `@index`, `@key`, `@first`, `@last`; `@root` is the whole data. */
  data: Record<string, unknown>
  /** `as |item index|`. */
  names: Record<string, unknown>
}

export function rootScope(data: unknown): Scope {
  return { context: data, data: { root: data }, names: {} }
}

export function innerScope(
  parent: Scope,
  context: unknown,
  named: { params?: string[]; values: unknown[]; data?: Record<string, unknown> },
): Scope {
  const names = (named.params ?? []).map((name, at): [string, unknown] => [name, named.values[at]])
  return {
    context,
    parent,
    data: { ...parent.data, ...named.data },
    names: { ...parent.names, ...Object.fromEntries(names) },
  }
}

function outerScope(scope: Scope, depth: number): Scope | undefined {
  let at: Scope | undefined = scope
  for (let up = 0; at && up < depth; up++) at = at.parent
  return at
}

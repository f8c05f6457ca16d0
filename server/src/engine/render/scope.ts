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

export function outerScope(scope: Scope, depth: number): Scope | undefined {
  let at: Scope | undefined = scope
  for (let up = 0; at && up < depth; up++) at = at.parent
  return at
}

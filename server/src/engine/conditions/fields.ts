import { isObject } from '../base/json.ts'
import { parsePath, readOwn, readPath } from '../base/paths.ts'
import { readSchema, type Schema, type SchemaMap } from '../base/read-schema.ts'

/** How to read the value of a `param`, and its schema. */
export type Field<Root = unknown> = { read(root: Root): unknown; schema: Schema }

/** Finds the field of a `param` at one level of the conditions; undefined if its value is unknown there. */
export type Fields<Root = unknown> = (param: string) => Field<Root> | undefined

const anything = readSchema({})

/** As `readPath`, and `<list>.length` is the number of its elements. */
function readField(root: unknown, path: readonly string[]): unknown {
  const value = readPath(root, path)
  if (value !== undefined || !isLength(path)) return value
  const list = readPath(root, path.slice(0, -1))
  return Array.isArray(list) ? list.length : undefined
}

/** The index of triggers knows no lengths. */
export function isLength(path: readonly string[]): boolean {
  return path.length > 1 && path.at(-1) === 'length'
}

/** Conditions compare a balance in human units. */
export function decimalsOf({ types, decimals = 0 }: Schema): number {
  return types.includes('balance') && decimals !== 'token' ? decimals : 0
}

/** True for a balance in the item's own token. */
export function isInItemToken({ types, decimals }: Schema): boolean {
  return types.includes('balance') && decimals === 'token'
}

/** A raw output and the source item that it comes from. */
export type Outcome = { raw: unknown; item: unknown }

/**
 * A `param` is the name of a filter or a dotted path in raw. A filter with a `sourcePath` reads the source item, before any
 * script changed it; else the early filter and this one would disagree.
 */
export function fieldsOfOutcome(filters: SchemaMap): Fields<Outcome> {
  return (param) => {
    const schema = schemaAt(filters, param)
    const source = schema.sourcePath === undefined ? undefined : parsePath(schema.sourcePath)
    const own = reader(param)
    if (!source) return { schema, read: ({ raw }) => own(raw) }
    return { schema, read: ({ raw, item }) => valueOr(readField(item, source), () => own(raw)) }
  }
}

/** An output as a message shows it, with what the policy decided by. */
export type MessageValues = Outcome & { human: unknown; policy?: unknown }

/** A `param` that begins with `raw.`, `human.` or `policy.` is a path in that; any other is as in a subscription. */
export function fieldsOfMessage(filters: SchemaMap): Fields<MessageValues> {
  const ofOutcome = fieldsOfOutcome(filters)
  return (param) => {
    const path = parsePath(param)
    const isOfMessage = path.length > 1 && messageRoots.has(path[0] ?? '') && !Object.hasOwn(filters, param)
    return isOfMessage ? { schema: anything, read: (values) => readField(values, path) } : ofOutcome(param)
  }
}

const messageRoots: ReadonlySet<string> = new Set(['raw', 'human', 'policy'])

/** In a source item only filters with a `sourcePath` have a value. */
export function fieldsOfSource(filters: SchemaMap): Fields {
  const known = fieldsByFilters.get(filters) ?? new Map<string, Field | undefined>()
  fieldsByFilters.set(filters, known)
  return (param) => {
    if (!Object.hasOwn(filters, param)) return sourceField(schemaAt(filters, param))
    if (!known.has(param)) known.set(param, sourceField(readSchema(filters[param])))
    return known.get(param)
  }
}

/** All subscriptions of a trigger share its fields, so that the fields stay in the processor's cache. */
const fieldsByFilters = new WeakMap<SchemaMap, Map<string, Field | undefined>>()

function sourceField(schema: Schema): Field | undefined {
  if (schema.sourcePath === undefined) return undefined
  const path = parsePath(schema.sourcePath)
  return { schema, read: (item) => readField(item, path) }
}

/** What a trigger's conditions can name: the source item, the inputs of the subscription, the results of providers. */
export type RunValues = { source: unknown; inputs: Record<string, unknown>; providers: unknown }

/** The conditions of a trigger name their fields by a path that begins with `source`, `inputs` or `providers`. */
export function fieldsOfRun(param: string): Field<RunValues> {
  const path = parsePath(param)
  return { schema: anything, read: (values) => readField(values, path) }
}

/** Before the providers run, their results are unknown. */
export function fieldsOfRunStart(param: string): Field<Omit<RunValues, 'providers'>> | undefined {
  const path = parsePath(param)
  return path[0] === 'providers' ? undefined : { schema: anything, read: (values) => readField(values, path) }
}

/**
 * Inside `contains`, a `param` is a path in the element. `this` is the element itself, `this.a` is `a`. If the element is a
 * scalar, any name means the element, because a scalar has no fields.
 */
export function fieldsOfElement(list: Schema): Fields {
  const element = readSchema(Array.isArray(list.items) ? list.items[0] : list.items)
  return (name) => {
    const param = name.replace(/^this\./, '')
    if (param === 'this' || !element.properties) return elementField(param, element)
    return elementField(param, schemaAt(element.properties, param))
  }
}

function elementField(param: string, schema: Schema): Field {
  const inside = reader(param)
  const read = (element: unknown) =>
    param === 'this' || typeof element !== 'object' || element === null ? element : inside(element)
  return { schema, read }
}

/** A property with the whole dotted name has priority over a path. */
function reader(param: string): (root: unknown) => unknown {
  const path = parsePath(param)
  if (path.length === 1) return (root) => readOwn(root, param)
  return (root) => valueOr(readOwn(root, param), () => readField(root, path))
}

/** Null is a value; only undefined falls back. */
function valueOr(value: unknown, otherwise: () => unknown): unknown {
  return value === undefined ? otherwise() : value
}

function schemaAt(map: SchemaMap, param: string): Schema {
  if (Object.hasOwn(map, param)) return readSchema(map[param])
  let [schema, inner]: [Schema, SchemaMap | undefined] = [anything, map]
  for (const segment of parsePath(param)) {
    const isIndex = /^\d+$/.test(segment) && schema.items !== undefined
    if (!isIndex && !(inner && Object.hasOwn(inner, segment))) return anything
    schema = readSchema(isIndex ? schema.items : inner?.[segment])
    inner = isObject(schema.properties) ? schema.properties : undefined
  }
  return schema
}

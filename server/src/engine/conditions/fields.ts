import { isObject } from '../base/is-object.ts'
import { parsePath, readOwn, readPath } from '../base/paths.ts'
import { readSchema, type Schema, type SchemaMap } from '../base/read-schema.ts'

/** Where the value of a `param` is found, and what its schema says about it. */
export type Field<Root = unknown> = { read(root: Root): unknown; schema: Schema }

/** The fields that a `param` can name at one level of the conditions; undefined: its value is not known there. */
export type Fields<Root = unknown> = (param: string) => Field<Root> | undefined

const anything = readSchema({})

/** What was made of a source item. */
export type Outcome = { raw: unknown; item: unknown }

/**
 * Of an outcome a `param` is the name of a filter or a dotted path in raw. A filter with a `sourcePath` is what the
 * item holds there, as it was before any script ran; otherwise the early filter and this one would disagree.
 */
export function fieldsOfOutcome(filters: SchemaMap): Fields<Outcome> {
  return (param) => {
    const schema = schemaAt(filters, param)
    const source = schema.sourcePath === undefined ? undefined : parsePath(schema.sourcePath)
    const own = reader(param)
    if (!source) return { schema, read: ({ raw }) => own(raw) }
    return { schema, read: ({ raw, item }) => firstOf(readPath(item, source), () => own(raw)) }
  }
}

/** In a source item only filters with a `sourcePath` are known. */
export function fieldsOfSource(filters: SchemaMap): Fields {
  const known = knownFields.get(filters) ?? new Map<string, Field | undefined>()
  knownFields.set(filters, known)
  return (param) => {
    if (!Object.hasOwn(filters, param)) return sourceField(schemaAt(filters, param))
    if (!known.has(param)) known.set(param, sourceField(readSchema(filters[param])))
    return known.get(param)
  }
}

/** All subscriptions of a trigger share its fields: a million copies would not fit a processor's cache. */
const knownFields = new WeakMap<SchemaMap, Map<string, Field | undefined>>()

function sourceField(schema: Schema): Field | undefined {
  if (schema.sourcePath === undefined) return undefined
  const path = parsePath(schema.sourcePath)
  return { schema, read: (item) => readPath(item, path) }
}

/**
 * Inside `contains`, a `param` is a path in the element. `this` is the element itself, and so is any name when the
 * element is a scalar, which has no fields that could be meant instead; `this.a` is `a`.
 */
export function fieldsOfElement(list: Schema): Fields {
  const element = readSchema(Array.isArray(list.items) ? list.items[0] : list.items)
  return (written) => {
    const param = written.replace(/^this\./, '')
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

/** A property with the whole name wins over a path through several. */
function reader(param: string): (root: unknown) => unknown {
  const path = parsePath(param)
  if (path.length === 1) return (root) => readOwn(root, param)
  return (root) => firstOf(readOwn(root, param), () => readPath(root, path))
}

/** Null is a value, and only what is not there gives way. */
function firstOf(found: unknown, otherwise: () => unknown): unknown {
  return found === undefined ? otherwise() : found
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

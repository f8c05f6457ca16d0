import { CustomSourceSave, type DefinitionKind, definitionPayloads, issuesOf } from '@tocsin/contract'
import * as z from 'zod'
import { isRecord, type Path, parsePath } from './paths.ts'

type Found = { path: Path; message: string }

/** What the contract says about a payload: its form, and fields that it does not know. The server checks the rest. */
export function checkPayload(kind: DefinitionKind, payload: unknown, workspace: string): Found[] {
  if (!isRecord(payload)) return [{ path: [], message: 'must be an object with the fields of the payload' }]
  const unknown = findUnknownFields(knownFields(kind), payload)
  const checked = definitionPayloads[kind].safeParse(payload)
  return [
    ...unknown.map((path) => ({ path, message: 'is not a known field' })),
    ...(checked.success
      ? []
      : issuesOf(checked.error).map(({ path, message }) => ({ path: parsePath(path), message }))),
    ...wrongWorkspace(payload, workspace),
  ]
}

/** The `mode` of a source says what its PUT does. A plan knows that without it, but a file may have it. */
function knownFields(kind: DefinitionKind) {
  return kind === 'source' ? CustomSourceSave : definitionPayloads[kind]
}

function wrongWorkspace(payload: Record<string, unknown>, workspace: string): Found[] {
  if (payload.workspace === undefined || payload.workspace === workspace) return []
  return [{ path: ['workspace'], message: `must be ${workspace}, the workspace of the stack` }]
}

type Schema = z.core.$ZodType

/** The paths of fields that a schema does not know. The API ignores them, but in a file they are mistakes. */
function findUnknownFields(schema: Schema, value: unknown, path: Path = []): Path[] {
  const def = defOf(schema)
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
    case 'catch':
      return findUnknownFields(def.innerType, value, path)
    case 'lazy':
      return findUnknownFields(def.getter(), value, path)
    case 'pipe':
      return findUnknownFields(defOf(def.in).type === 'transform' ? def.out : def.in, value, path)
    case 'array':
      if (!Array.isArray(value)) return []
      return value.flatMap((each, index) => findUnknownFields(def.element, each, [...path, index]))
    case 'record':
      if (!isRecord(value)) return []
      return Object.entries(value).flatMap(([key, each]) => findUnknownFields(def.valueType, each, [...path, key]))
    case 'union':
      return nearest(def.options, value, path)
    case 'object':
      return isRecord(value) ? unknownInObject(def, value, path) : []
    default:
      return []
  }
}

function defOf(schema: Schema): z.core.$ZodTypes['_zod']['def'] {
  return (schema as z.core.$ZodTypes)._zod.def
}

function unknownInObject(def: z.core.$ZodObjectDef, value: Record<string, unknown>, path: Path): Path[] {
  return Object.entries(value).flatMap(([key, each]): Path[] => {
    const field = Object.hasOwn(def.shape, key) ? def.shape[key] : undefined
    if (field) return findUnknownFields(field, each, [...path, key])
    // A loose object takes any field. A strict one refuses it when it is parsed.
    return def.catchall ? [] : [[...path, key]]
  })
}

/** Of several forms, the writer meant the one that takes the value, else the one that knows the most fields. */
function nearest(options: readonly Schema[], value: unknown, path: Path): Path[] {
  const fitting = options.filter((option) => z.safeParse(option, value).success)
  const found = (fitting.length > 0 ? fitting : options).map((option) => findUnknownFields(option, value, path))
  if (fitting.length === 0 && !options.every((option) => isObject(option))) return []
  return found.toSorted((a, b) => a.length - b.length)[0] ?? []
}

function isObject(schema: Schema): boolean {
  const def = defOf(schema)
  if (def.type === 'union') return def.options.every(isObject)
  return def.type === 'object'
}

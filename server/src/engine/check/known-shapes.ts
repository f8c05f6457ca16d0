/**
 * What is known of the values of a run before it runs: the fields of its items, by the type of the spec and its ABI or IDL,
 * and the results of its providers. A path that these shapes do not have can never exist, so a save refuses it.
 */
import type { Provider, TriggerSpec } from '@tocsin/contract'
import { nearestName } from '../base/nearest-name.ts'
import { parsePath } from '../base/paths.ts'
import { rulesOf } from '../providers/list.ts'
import { isAddressOf } from '../sources/addresses.ts'
import { bindingFields } from '../sources/bindings.ts'
import { rulesOfRead, rulesOfSpec } from '../sources/chains.ts'
import { namesIn, objectShape, shapeAt, type ValueShape } from '../sources/value-shape.ts'
import { itemPaths } from './unknown-params.ts'

/** A large ABI and many paths cost their product. Beyond this nothing more is found. */
export const stepsMax = 200_000
type Spent = { steps: number }

/** The save of a subscription reads the shapes in its transaction: a larger ABI would hold it too long. */
export const specWeightMax = 16 * 1024

/** The shapes that a value can have, and what counts as an address in it. `spent` is shared by the paths of a definition. */
export type Known = { shapes: readonly ValueShape[]; isAddress(text: string): boolean; spent: Spent }
export type KnownShapes = {
  /** Undefined for the items of a stream, whose fields nobody describes. */
  item: KnownItem | undefined
  providers: ReadonlyMap<string, Known>
}
/** `decoded`: the fields that an ABI or IDL describes, such as `params`. */
export type KnownItem = Known & { decoded: ReadonlySet<string> }
/** A known value, and a path inside it. */
export type Located = { known: Known; path: readonly string[] }

type Described = {
  triggerSpec: TriggerSpec | null
  sourceBindings?: unknown
  providers: readonly Provider[]
}

export async function knownShapes({ triggerSpec, sourceBindings, providers }: Described): Promise<KnownShapes> {
  const spent = { steps: 0 }
  const results = new Map<string, Known>()
  for (const provider of providers) {
    const shapes = await rulesOf(provider).shapes?.()
    const rules = rulesOfRead(provider.type)
    if (shapes) results.set(provider.id, { shapes, isAddress: (text) => !rules || isAddressOf(rules, text), spent })
  }
  return {
    item: triggerSpec ? await knownItem(triggerSpec, sourceBindings !== undefined, spent) : undefined,
    providers: results,
  }
}

async function knownItem(spec: TriggerSpec, isBound: boolean, spent: Spent): Promise<KnownItem | undefined> {
  const names = [...itemPaths(spec.type), ...(isBound ? bindingFields : [])]
  if (names.length === 0) return undefined
  const base = objectShape('item', names)
  const rules = rulesOfSpec(spec.type)
  const decoded = await rules?.itemShapes?.(spec)
  const none: ValueShape = { type: 'item', kind: 'object', fields: Object.fromEntries(decodedFields(base)) }
  const shapes = decoded ? (decoded.length > 0 ? decoded : [none]).map((shape) => merged(base, shape)) : [base]
  const described = new Set((decoded ?? []).flatMap(namesIn))
  return { shapes, isAddress: (text) => !rules || isAddressOf(rules, text), spent, decoded: described }
}

/** Without an ABI nothing is decoded. */
function decodedFields({ fields }: Extract<ValueShape, { kind: 'object' }>): [string, ValueShape][] {
  return ['params', 'args'].flatMap((name) => (Object.hasOwn(fields, name) ? [[name, objectShape(name, [])]] : []))
}

function merged(base: Extract<ValueShape, { kind: 'object' }>, decoded: ValueShape): ValueShape {
  return decoded.kind === 'object' ? { ...base, fields: { ...base.fields, ...decoded.fields } } : base
}

/** The place of a path that begins with `source`, `input` or `providers.<id>`; undefined if nothing is known of it. */
export function locateInRun({ item, providers }: KnownShapes, path: readonly string[]): Located | undefined {
  const [root, id = '', ...inside] = path
  if (root === 'source' || root === 'input') return item && { known: item, path: path.slice(1) }
  const known = root === 'providers' ? providers.get(id) : undefined
  return known && { known, path: inside }
}

export function shapesAt(shapes: readonly ValueShape[], path: readonly string[]): ValueShape[] {
  return shapes.flatMap((shape) => shapeAt(shape, path) ?? [])
}

/** Why a path can never exist; undefined if it can. `written` is the whole path as its author wrote it. */
export function explainAbsence({ known: { shapes, spent }, path }: Located, written: string): string | undefined {
  spent.steps += shapes.length
  if (spent.steps > stepsMax || shapesAt(shapes, path).length > 0) return undefined
  const depth = path.findIndex((_, at) => shapesAt(shapes, path.slice(0, at + 1)).length === 0)
  return absent(written, path[depth] ?? '', path.slice(depth + 1), allNames(shapesAt(shapes, path.slice(0, depth))))
}

/**
 * As `explainAbsence`, for names that may be missing: only a parameter that the ABI or IDL does not have is told. A template
 * and a filter serve items of several kinds, and samples that people write.
 */
export function explainParameter(known: KnownItem, path: readonly string[], written: string): string | undefined {
  return known.decoded.has(path[0] ?? '') ? explainAbsence({ known, path }, written) : undefined
}

/** The names below shapes that have names. */
function allNames(shapes: readonly ValueShape[]): string[] {
  return [...new Set(shapes.slice(0, 100).flatMap(namesIn))]
}

/** “there is no source.params.form, but from, value; did you mean source.params.from?” */
function absent(written: string, name: string, deeper: readonly string[], names: readonly string[]): string {
  if (names.length === 0) return `there is no ${written}: no ABI or IDL of the trigger describes it`
  const nearest = nearestName(name, names)
  const before = parsePath(written).slice(0, -1 - deeper.length)
  const meant = nearest === undefined ? '' : `; did you mean ${[...before, nearest, ...deeper].join('.')}?`
  return `there is no ${written}, but ${names.slice(0, 20).join(', ')}${meant}`
}

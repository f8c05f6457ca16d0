import type { Condition, Issue, TriggerSpec } from '@tocsin/contract'
import { compareDecimals, type Decimal, readDecimal, shift, showDecimal } from '../base/decimals.ts'
import { isObject } from '../base/json.ts'
import { parsePath } from '../base/paths.ts'
import { isAddressOf } from '../sources/addresses.ts'
import { rulesOfSpec } from '../sources/chains.ts'
import { anyShape, namesIn, shapeAt, type ValueShape } from '../sources/value-shape.ts'

type Comparison = Extract<Condition, { op: string }>
type IsAddress = (text: string) => boolean
/** The shapes that the field of a param can have; none if there is no such field. `names` are the ones that there are. */
type Field = { shapes: readonly ValueShape[]; names(): string[] }
type Context = {
  isAddress: IsAddress
  /** Undefined for a field that the ABI does not describe. */
  find(param: string): Field | undefined
  spent: { steps: number }
}

/** A large ABI and long lists of values cost their product. Beyond this nothing more is found. */
const stepsMax = 200_000

/**
 * Finds conditions on decoded parameters that can never hold: the ABI of the spec has no such parameter, or its type has no
 * such value. Params begin with `prefix`: `source.` in the conditions of a trigger, nothing in those on an item as output.
 */
export async function checkItemValues(
  condition: Condition,
  path: string,
  spec: TriggerSpec | null,
  prefix: '' | 'source.',
): Promise<Issue[]> {
  const rules = spec ? rulesOfSpec(spec.type) : undefined
  if (!spec || !rules?.itemShapes || !namesParameters(condition, prefix)) return []
  const items = await rules.itemShapes(spec)
  if (!items) return []
  const spent = { steps: 0 }
  const find = (param: string): Field | undefined => {
    const inner = pathIn(param, prefix)
    if (!inner) return undefined
    spent.steps += items.length
    return { shapes: shapesAt(items, inner), names: () => allNames(shapesAt(items, inner.slice(0, -1))) }
  }
  return check(condition, path, { isAddress: (text) => isAddressOf(rules, text), find, spent })
}

function shapesAt(shapes: readonly ValueShape[], path: readonly string[]): ValueShape[] {
  return shapes.flatMap((shape) => shapeAt(shape, path) ?? [])
}

function allNames(shapes: readonly ValueShape[]): string[] {
  return [...new Set(shapes.slice(0, 100).flatMap(namesIn))]
}

/** The path in the item of a param that names a decoded parameter. */
function pathIn(param: string, prefix: string): string[] | undefined {
  const path = param.startsWith(prefix) ? parsePath(param.slice(prefix.length)) : []
  return (path[0] === 'params' || path[0] === 'args') && path.length > 1 ? path : undefined
}

/** Most conditions name none, and then the ABI is not read. */
function namesParameters(condition: Condition, prefix: string): boolean {
  if ('not' in condition) return namesParameters(condition.not, prefix)
  if ('all' in condition) return condition.all.some((part) => namesParameters(part, prefix))
  if ('any' in condition) return condition.any.some((part) => namesParameters(part, prefix))
  return pathIn(condition.param, prefix) !== undefined
}

function check(condition: Condition, path: string, context: Context): Issue[] {
  if ('not' in condition) return check(condition.not, `${path}.not`, context)
  if ('all' in condition) return condition.all.flatMap((part, at) => check(part, `${path}.all.${at}`, context))
  if ('any' in condition) return condition.any.flatMap((part, at) => check(part, `${path}.any.${at}`, context))
  const { param } = condition
  const field = context.spent.steps > stepsMax ? undefined : context.find(param)
  if (!field) return []
  const { shapes, names } = field
  if (shapes.length === 0) return [{ path: `${path}.param`, message: explainAbsence(param, names()) }]
  if ('contains' in condition) return checkElements(condition, path, shapes, context)
  const reason = explainValue(condition, shapes, context)
  return reason === undefined ? [] : [{ path: `${path}.value`, message: reason }]
}

type Contains = Extract<Condition, { contains: Condition }>

function checkElements({ param, contains }: Contains, path: string, shapes: readonly ValueShape[], context: Context) {
  const elements = shapes.flatMap((shape) => elementsOf(shape) ?? [])
  if (elements.length === 0) return [{ path: `${path}.param`, message: `${param} is ${nounOf(shapes[0])}, not a list` }]
  const find = (name: string) => findInElements(elements, name, context.spent)
  return check(contains, `${path}.contains`, { ...context, find })
}

function explainAbsence(param: string, names: readonly string[]): string {
  if (names.length === 0) return `the trigger has no ABI that has ${param}`
  return `the ABI of the trigger does not have ${param}, but ${names.slice(0, 20).join(', ')}`
}

/** The shapes of the elements; undefined for what is no list. */
function elementsOf(shape: ValueShape): ValueShape[] | undefined {
  if (shape.kind === 'any') return [shape]
  if (shape.kind === 'list') return [shape.items]
  return shape.kind === 'tuple' ? shape.items : undefined
}

/** Inside `contains` any name means an element that is a single value, as conditions read it. */
function findInElements(elements: readonly ValueShape[], param: string, spent: Context['spent']): Field {
  const name = param.replace(/^this\./, '')
  const isWhole = (shape: ValueShape) => name === 'this' || !isCompound(shape)
  spent.steps += elements.length
  const shapes = elements.flatMap((shape) => (isWhole(shape) ? [shape] : (shapeAt(shape, parsePath(name)) ?? [])))
  return { shapes, names: () => allNames(elements) }
}

/** Why a comparison never holds, whichever shape the field has; undefined if it may. */
function explainValue(
  { param, op, value }: Comparison,
  shapes: readonly ValueShape[],
  { isAddress, spent }: Context,
): string | undefined {
  const given = (Array.isArray(value) ? value : [value]).filter(isKnown).map(plainOf)
  let reason: string | undefined
  for (const shape of shapes) {
    spent.steps += given.length
    if (shape.kind === 'any' || spent.steps > stepsMax) return undefined
    if (isCompound(shape)) {
      reason ??= `${param} is ${nounOf(shape)}, which no value equals: name a part of it`
      continue
    }
    const wrong = given.find((each) => !mayHold(op, each, shape, isAddress))
    if (wrong === undefined) return undefined
    const shown = JSON.stringify(wrong).slice(0, 100)
    reason ??=
      shape.kind === 'address'
        ? `${shown} is not an address, and ${param} is one`
        : `no value of ${param} can be ${opWords[op]} ${shown}: its type is ${shape.type}`
  }
  return reason
}

const opWords: Record<Comparison['op'], string> = {
  ...{ eq: 'equal to', ne: 'equal to', in: 'equal to', nin: 'equal to' },
  ...{ gt: 'greater than', gte: 'at least', lt: 'less than', lte: 'at most' },
  ...{ startsWith: 'a text that begins with', matches: 'a text that matches' },
}

/** A missing field equals null. Placeholders and tokens are known only when a trigger runs. */
function isKnown(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('{{')
  if (isObject(value)) return 'decimals' in value && isKnown(value.amount)
  return value !== null
}

/** An amount in the smallest unit. */
function plainOf(value: unknown): unknown {
  if (!isObject(value) || typeof value.decimals !== 'number') return value
  const decimal = readDecimal(value.amount)
  return decimal ? showDecimal(shift(decimal, value.decimals)) : value.amount
}

type Compound = Extract<ValueShape, { kind: 'list' | 'tuple' | 'object' }>
type Scalar = Exclude<ValueShape, Compound | { kind: 'any' }>

function isCompound(shape: ValueShape): shape is Compound {
  return shape.kind === 'list' || shape.kind === 'tuple' || shape.kind === 'object'
}

function mayHold(op: Comparison['op'], wanted: unknown, shape: Scalar, isAddress: IsAddress): boolean {
  if (op === 'matches') return shape.kind !== 'boolean'
  if (op === 'startsWith') return typeof wanted === 'string' && mayBegin(wanted, shape)
  if (op === 'gt' || op === 'gte' || op === 'lt' || op === 'lte') return mayCompare(op, wanted, shape)
  if (shape.kind === 'boolean') return typeof wanted === 'boolean'
  if (shape.kind === 'text') return typeof wanted !== 'boolean'
  if (shape.kind === 'integer') return isWithin(readDecimal(wanted), shape)
  if (typeof wanted !== 'string') return false
  return shape.kind === 'address' ? isAddress(wanted) : isHexOf(wanted, shape.bytes)
}

function isWithin(wanted: Decimal | undefined, { least, most }: Extract<Scalar, { kind: 'integer' }>): boolean {
  const isWhole = wanted !== undefined && !showDecimal(wanted).includes('.')
  return isWhole && compareDecimals(wanted, whole(least)) >= 0 && compareDecimals(wanted, whole(most)) <= 0
}

function whole(digits: bigint): Decimal {
  return { digits, scale: 0 }
}

function isHexOf(text: string, bytes: number | undefined): boolean {
  const digits = /^0x([0-9a-f]*)$/i.exec(text)?.[1]
  return digits !== undefined && (bytes === undefined ? digits.length % 2 === 0 : digits.length === 2 * bytes)
}

function mayBegin(start: string, shape: Scalar): boolean {
  if (shape.kind === 'boolean') return false
  if (shape.kind === 'text') return true
  if (shape.kind === 'integer') return /^-?\d{0,78}$/.test(start)
  const digitsMax = shape.kind === 'address' ? 40 : 2 * (shape.bytes ?? Number.POSITIVE_INFINITY)
  return /^(?:0?|0x[0-9a-f]*)$/i.test(start) && start.length <= digitsMax + 2
}

/** Numbers compare by size and texts by characters; a number and a text have no order. */
function mayCompare(op: 'gt' | 'gte' | 'lt' | 'lte', wanted: unknown, shape: Scalar): boolean {
  const limit = readDecimal(wanted)
  if (shape.kind === 'boolean') return false
  if (shape.kind === 'address' || shape.kind === 'bytes') return limit === undefined
  if (shape.kind === 'text') return true
  if (!limit) return false
  const [least, most] = [compareDecimals(limit, whole(shape.least)), compareDecimals(limit, whole(shape.most))]
  return { gt: most < 0, gte: most <= 0, lt: least > 0, lte: least >= 0 }[op]
}

function nounOf(shape: ValueShape = anyShape): string {
  if (shape.kind === 'list' || shape.kind === 'tuple') return `a list (${shape.type})`
  return shape.kind === 'object' ? `an object (${shape.type})` : `a value of the type ${shape.type}`
}

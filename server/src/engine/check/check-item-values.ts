import { type Condition, type Issue, isPathValue } from '@tocsin/contract'
import { compareDecimals, type Decimal, readDecimal, shift, showDecimal } from '../base/decimals.ts'
import { isObject } from '../base/json.ts'
import { parsePath } from '../base/paths.ts'
import { anyShape, shapeAt, type ValueShape } from '../sources/value-shape.ts'
import { explainAbsence, type Known, type Located, shapesAt, stepsMax } from './known-shapes.ts'

type Comparison = Extract<Condition, { op: string }>
type IsAddress = (text: string) => boolean
/** The shapes that the field of a param can have; none if there is no such field. */
type Field = { shapes: readonly ValueShape[]; isAddress: IsAddress; explainAbsence(): string }
type Context = {
  /** Undefined for a field of which nothing is known. */
  find(param: string): Field | undefined
  spent: { steps: number }
}

/**
 * Finds conditions that can never hold: there is no such field, or its type has no such value. `locate` tells what is known
 * of the value that a param names.
 */
export function checkItemValues(
  condition: Condition,
  path: string,
  locate: (param: string) => Located | undefined,
): Issue[] {
  const spent = { steps: 0 }
  const find = (param: string): Field | undefined => {
    const located = locate(param)
    if (!located) return undefined
    const { shapes, isAddress } = located.known
    spent.steps += shapes.length
    const absence = () => explainAbsence(located, param) ?? ''
    return { shapes: shapesAt(shapes, located.path), isAddress, explainAbsence: absence }
  }
  return check(condition, path, { find, spent })
}

function check(condition: Condition, path: string, context: Context): Issue[] {
  if ('not' in condition) return check(condition.not, `${path}.not`, context)
  if ('all' in condition) return condition.all.flatMap((part, at) => check(part, `${path}.all.${at}`, context))
  if ('any' in condition) return condition.any.flatMap((part, at) => check(part, `${path}.any.${at}`, context))
  const { param } = condition
  const field = context.spent.steps > stepsMax ? undefined : context.find(param)
  const ofPath = 'op' in condition && isPathValue(condition.value) ? checkPath(condition.value.path, path, context) : []
  if (!field) return ofPath
  if (field.shapes.length === 0) return [{ path: `${path}.param`, message: field.explainAbsence() }, ...ofPath]
  if ('contains' in condition) return checkElements(condition, path, field, context)
  const reason = explainValue(condition, field, context.spent)
  return reason === undefined ? ofPath : [{ path: `${path}.value`, message: reason }, ...ofPath]
}

/** The other side of a comparison of two fields. */
function checkPath(other: string, path: string, { find, spent }: Context): Issue[] {
  const field = spent.steps > stepsMax ? undefined : find(other)
  return field?.shapes.length === 0 ? [{ path: `${path}.value.path`, message: field.explainAbsence() }] : []
}

type Contains = Extract<Condition, { contains: Condition }>

function checkElements({ param, contains }: Contains, path: string, field: Field, context: Context) {
  const { shapes, isAddress } = field
  const elements = shapes.flatMap((shape) => elementsOf(shape) ?? [])
  if (elements.length === 0) return [{ path: `${path}.param`, message: `${param} is ${nounOf(shapes[0])}, not a list` }]
  const find = (name: string) => findInElements({ shapes: elements, isAddress, spent: context.spent }, name)
  return check(contains, `${path}.contains`, { ...context, find })
}

/** The shapes of the elements; undefined for what is no list. */
function elementsOf(shape: ValueShape): ValueShape[] | undefined {
  if (shape.kind === 'any') return [shape]
  if (shape.kind === 'list') return [shape.items]
  return shape.kind === 'tuple' ? shape.items : undefined
}

/** Inside `contains` any name means an element that is a single value, as conditions read it. */
function findInElements(known: Known, param: string): Field {
  const name = param.replace(/^this\./, '')
  const path = parsePath(name)
  const isWhole = (shape: ValueShape) => name === 'this' || !isCompound(shape)
  known.spent.steps += known.shapes.length
  const shapes = known.shapes.flatMap((shape) => (isWhole(shape) ? [shape] : (shapeAt(shape, path) ?? [])))
  return { shapes, isAddress: known.isAddress, explainAbsence: () => explainAbsence({ known, path }, name) ?? '' }
}

/** Why a comparison never holds, whichever shape the field has; undefined if it may. */
function explainValue(
  { param, op, value }: Comparison,
  { shapes, isAddress }: Field,
  spent: Context['spent'],
): string | undefined {
  // Any value may be missing, and then it equals null.
  if (value === null) return undefined
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

import * as z from 'zod'
import { isOwnedName } from '../base/names.ts'
import { safeJson } from '../base/safe-json.ts'
import { whyNotLinear } from './linear-regex.ts'

const levelsMax = 16
const branchesMax = 500

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()], {
  error: 'must be a string, a number, a boolean or null',
})
const comparable = z.union([z.string(), z.number()])
const placeholderPattern = /^\{\{\s*inputs\.[^{}]+\}\}$/
const placeholder = z.string().regex(placeholderPattern)

/** An address list of the workspace, by its fullname. */
export const ListReference = z.strictObject({
  list: z.string().max(255).refine(isOwnedName, { error: 'must be the fullname of an address list' }),
})
export type ListReference = z.output<typeof ListReference>
const list = z.union([z.array(scalar).max(10_000), placeholder, ListReference], {
  error: 'must be a list, one {{inputs.x}} or {list: fullname}',
})
const expression = z.string().superRefine((text, context) => {
  const problem = placeholder.safeParse(text).success ? undefined : whyNotLinear(text)
  if (problem) context.addIssue(problem)
})

const decimalPattern = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/
const amount = z
  .union([z.string().max(256), z.number()], { error: 'must be a decimal number or {{inputs.x}}' })
  .refine((given) => decimalPattern.test(String(given)) || placeholderPattern.test(String(given)), {
    error: 'must be a decimal number or {{inputs.x}}',
  })

/** An amount in human units: 1.5 with 6 decimals means 1500000 of the smallest unit. */
export const UnitAmount = z.strictObject({ amount, decimals: z.number().int().min(0).max(255) })
export type UnitAmount = z.output<typeof UnitAmount>

/** Without decimals those of the item's own token count: of the contract that emitted the log or was called. */
const UnitOrItemAmount = UnitAmount.partial({ decimals: true })
export type ItemAmount = Pick<UnitAmount, 'amount'>

/** The same with the decimals of a token, which its metadata tell. Only the conditions of a trigger can read a token. */
export const TokenAmount = z.strictObject({ amount, token: z.string().min(1).max(256) })
export type TokenAmount = z.output<typeof TokenAmount>

/** An amount in human units: with its decimals, with those of a token, or with those of the item's own token. */
export const HumanAmount = z.union([UnitOrItemAmount, TokenAmount], {
  error: 'must be {amount}, {amount, decimals} or {amount, token}',
})
export type HumanAmount = z.output<typeof HumanAmount>

/** A filtersSchema name or a dotted path in raw. */
const param = z.string().min(1).max(256)

const factor = z
  .union([z.string().max(256), z.number()], { error: 'must be a decimal number' })
  .refine((given) => decimalPattern.test(String(given)), { error: 'must be a decimal number' })

/** The value of another field: that at `path` × `times` + `plus`, in the unit of the field. */
export const PathValue = z.strictObject({
  path: param,
  times: factor.optional(),
  plus: factor.optional(),
})
export type PathValue = z.output<typeof PathValue>

export function isPathValue(value: unknown): value is PathValue {
  return isObject(value) && 'path' in value
}

/** A comparison of one field. The type of `value` depends on `op`. */
export const Comparison = z.discriminatedUnion('op', [
  z.strictObject({ param, op: z.enum(['eq', 'ne']), value: withAmount(scalar, 'a string, a number, a boolean, null') }),
  z.strictObject({
    param,
    op: z.enum(['gt', 'gte', 'lt', 'lte']),
    value: withAmount(comparable, 'a number, a numeric string, {{inputs.x}}'),
  }),
  z.strictObject({ param, op: z.enum(['in', 'nin']), value: list }),
  z.strictObject({ param, op: z.literal('startsWith'), value: z.string() }),
  z.strictObject({ param, op: z.literal('matches'), value: expression }),
])

function withAmount<S extends z.ZodType>(plain: S, others: string) {
  return z.union([plain, UnitOrItemAmount, TokenAmount, PathValue], {
    error: `must be ${others}, {amount}, {amount, decimals}, {amount, token} or {path, times?, plus?}`,
  })
}

export type Condition =
  | { all: Condition[] }
  | { any: Condition[] }
  | { not: Condition }
  | { param: string; contains: Condition }
  | z.output<typeof Comparison>

const forms = 'must be {all}, {any}, {not}, {param, op, value} or {param, contains}'
const ownFields = ['all', 'any', 'not', 'param', 'op']

/** An object without any field of a condition fits no form, so the issue names all of them. */
export const Condition: z.ZodType<Condition, Condition> = z.lazy(() =>
  z.preprocess<unknown, typeof Form, Condition>((sent, context) => {
    if (!isObject(sent) || ownFields.some((field) => field in sent)) return sent
    context.addIssue(forms)
    return z.NEVER
  }, Form),
)
const All = z.strictObject({ all: z.array(Condition).max(branchesMax) })
const Any = z.strictObject({ any: z.array(Condition).max(branchesMax) })
const Not = z.strictObject({ not: Condition })
const Contains = z.strictObject({ param, contains: Condition })
const Form = z.union([All, Any, Not, Contains, Comparison], { error: forms })

/** An empty object is no condition. */
const OrNothing = z.preprocess<unknown, typeof Condition, Condition | Record<string, never>>(
  (sent) => (isEmpty(sent) ? { all: [] } : sent),
  Condition,
)

function isEmpty(sent: unknown): boolean {
  return isObject(sent) && Object.keys(sent).length === 0
}

function isObject(sent: unknown): sent is object {
  return typeof sent === 'object' && sent !== null && !Array.isArray(sent)
}

/** One level of `all` takes two levels of JSON: the object and its list. */
const AnyConditions = safeJson(OrNothing, 2 * levelsMax)

/** The conditions of a subscription. */
export const Conditions = AnyConditions.superRefine(refuse(tokenIssues))
export type Conditions = z.output<typeof Conditions>

/**
 * The conditions of a trigger. A `param` outside `contains` is a path that begins with `source.`, `inputs.` or
 * `providers.<id>.`.
 */
export const TriggerConditions = AnyConditions.superRefine(refuse(paramIssues))

/** Conditions on a rendered output, whose parts are not read again: they name neither tokens nor address lists. */
export const OutputConditions = AnyConditions.superRefine(
  refuse((condition) => [...tokenIssues(condition), ...listIssues(condition)]),
)

/** Conditions of a trigger if every param is a path of those, else conditions of a subscription. */
export const ConditionsOfEither = AnyConditions.superRefine(
  refuse((condition) => (isTriggerCondition(condition) ? [] : tokenIssues(condition))),
)

type PathIssue = { path: PropertyKey[]; message: string }

function refuse(findIssues: (condition: Condition) => PathIssue[]) {
  return (condition: Condition, context: z.RefinementCtx) => {
    for (const { path, message } of findIssues(condition)) context.addIssue({ code: 'custom', path, message })
  }
}

type Part = Extract<Condition, { param: string }>

/** Comparisons and `contains`, each with its path. */
function partsOf(condition: Condition, at: PropertyKey[] = []): { part: Part; path: PropertyKey[] }[] {
  if ('not' in condition) return partsOf(condition.not, [...at, 'not'])
  if ('all' in condition) return condition.all.flatMap((part, index) => partsOf(part, [...at, 'all', index]))
  if ('any' in condition) return condition.any.flatMap((part, index) => partsOf(part, [...at, 'any', index]))
  return [{ part: condition, path: at }]
}

/** A subscription is checked without a connection to its chain. */
function tokenIssues(condition: Condition, at: PropertyKey[] = []): PathIssue[] {
  return partsOf(condition, at).flatMap(({ part, path }) => {
    if ('contains' in part) return tokenIssues(part.contains, [...path, 'contains'])
    if (!isObject(part.value) || !('token' in part.value)) return []
    return [{ path: [...path, 'value', 'token'], message: 'only the conditions of a trigger can read a token' }]
  })
}

function listIssues(condition: Condition, at: PropertyKey[] = []): PathIssue[] {
  return partsOf(condition, at).flatMap(({ part, path }) => {
    if ('contains' in part) return listIssues(part.contains, [...path, 'contains'])
    if (!isObject(part.value) || !('list' in part.value)) return []
    return [
      {
        path: [...path, 'value', 'list'],
        message: 'an address list can be named in the conditions of a trigger or subscription only',
      },
    ]
  })
}

/** The result of a provider may be a plain value, so a path may end with its id. */
const roots = /^(?:(?:source|inputs)\.[^.]|providers\.[^.[]+(?:$|\.[^.]|\[))/

/** True if every param is a path of a trigger's conditions. */
export function isTriggerCondition(condition: Condition): boolean {
  return paramIssues(condition).length === 0
}

function paramIssues(condition: Condition): PathIssue[] {
  const message = 'must begin with source., inputs. or providers.<id>.'
  return partsOf(condition).flatMap(({ part, path }) => {
    const other = 'op' in part && isPathValue(part.value) ? part.value.path : undefined
    return [
      ...(roots.test(part.param) ? [] : [{ path: [...path, 'param'], message }]),
      ...(other === undefined || roots.test(other) ? [] : [{ path: [...path, 'value', 'path'], message }]),
    ]
  })
}

import * as z from 'zod'
import { safeJson } from '../base/safe-json.ts'
import { whyNotLinear } from './linear-regex.ts'

const levelsMax = 16
const branchesMax = 500

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()], {
  error: 'must be a string, a number, a boolean or null',
})
const comparable = z.union([z.string(), z.number()], { error: 'must be a number, a numeric string or {{inputs.x}}' })
const placeholder = z.string().regex(/^\{\{\s*inputs\.[^{}]+\}\}$/)
const list = z.union([z.array(scalar).max(10_000), placeholder], { error: 'must be a list or one {{inputs.x}}' })
const expression = z.string().superRefine((text, context) => {
  const problem = placeholder.safeParse(text).success ? undefined : whyNotLinear(text)
  if (problem) context.addIssue(problem)
})

/** A filtersSchema name or a dotted path in raw. */
const param = z.string().min(1).max(256)

/** A comparison of one field. The type of `value` depends on `op`. */
export const Comparison = z.discriminatedUnion('op', [
  z.strictObject({ param, op: z.enum(['eq', 'ne']), value: scalar }),
  z.strictObject({ param, op: z.enum(['gt', 'gte', 'lt', 'lte']), value: comparable }),
  z.strictObject({ param, op: z.enum(['in', 'nin']), value: list }),
  z.strictObject({ param, op: z.literal('startsWith'), value: z.string() }),
  z.strictObject({ param, op: z.literal('matches'), value: expression }),
])

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

/** The conditions of a subscription. One level of `all` takes two levels of JSON: the object and its list. */
export const Conditions = safeJson(OrNothing, 2 * levelsMax)
export type Conditions = z.output<typeof Conditions>

export { Policy } from './policies.ts'

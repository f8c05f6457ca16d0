import { type Issue, itemToken, type Policy, TriggerSpec, unitOfPolicy, weighs } from '@tocsin/contract'
import { holdsPlaceholder } from '../base/placeholders.ts'
import { isAddressOf } from '../sources/addresses.ts'
import { rulesOfSpec } from '../sources/chains.ts'
import { checkPlaceholders } from './check-placeholders.ts'
import { knownShapes, specWeightMax } from './known-shapes.ts'
import { itemFields } from './unknown-params.ts'

const bounds = ['above', 'below', 'by'] as const

/**
 * Finds a token in the bounds of a policy that can never tell decimals: the items of the trigger have none of their own, or
 * the text names none. A policy with such a bound would never fire. The items of a stream are not described.
 */
export async function checkPolicyUnit(
  policy: NonNullable<Policy>,
  trigger: { triggerSpec?: unknown; sourceBindings?: unknown },
  path: string,
): Promise<Issue[]> {
  const unit = unitOfPolicy(policy)
  const spec = TriggerSpec.safeParse(trigger.triggerSpec)
  if (!unit || 'decimals' in unit || !spec.success) return []
  const at = `${path}.${bounds.find((name) => Reflect.get(policy, name) !== undefined)}`
  if (unit.token === itemToken)
    return itemFields(spec.data.type).includes('address')
      ? []
      : [{ path: at, message: 'the items of the trigger have no token of their own: give decimals' }]
  if (holdsPlaceholder(unit.token)) {
    const isLight = weighs(spec.data, specWeightMax) <= specWeightMax
    const { sourceBindings } = trigger
    const shapes = isLight && (await knownShapes({ triggerSpec: spec.data, sourceBindings, providers: [] }))
    const scope = { inputs: new Set<string>(), providers: new Set<string>(), ...(shapes && { shapes }) }
    return checkPlaceholders(unit.token, `${at}.token`, scope)
  }
  const rules = rulesOfSpec(spec.data.type)
  if (rules && isAddressOf(rules, unit.token)) return []
  return [
    { path: `${at}.token`, message: 'must be an address or a value of the item, such as {{source.params.token}}' },
  ]
}

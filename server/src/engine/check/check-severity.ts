import { AlertPolicy, type Condition, type Defaults, type Issue, Severity } from '@tocsin/contract'
import { parsePath } from '../base/paths.ts'
import { referencesIn } from '../base/placeholders.ts'
import { objectShape } from '../sources/value-shape.ts'
import { checkItemValues } from './check-item-values.ts'

/**
 * A text without a placeholder always renders to itself, so a wrong one is found at the save; and so is a rule on something
 * that no policy tells, or with an unknown input, because it would never hold.
 */
export function checkSeverity(
  severity: Defaults['severity'],
  path: string,
  inputs: ReadonlySet<string> | undefined,
): Issue[] {
  if (severity === undefined) return []
  if (typeof severity !== 'string')
    return severity.flatMap((rule, at) => (rule.if ? checkRule(rule.if, `${path}.${at}.if`, inputs) : []))
  if (severity.includes('{{') || Severity.safeParse(severity).success) return []
  return [{ path, message: `must be ${Severity.options.join(', ')} or a template that renders to one of them` }]
}

function checkRule(condition: Condition, path: string, inputs: ReadonlySet<string> | undefined): Issue[] {
  const decided = { shapes: [policyShape], isAddress: () => false, spent: { steps: 0 } }
  const ofPolicy = checkItemValues(condition, path, (param) => {
    const [root, ...inside] = parsePath(param)
    return root === 'policy' && inside.length > 0 ? { known: decided, path: inside } : undefined
  })
  const wrong = referencesIn(condition).flatMap(({ path: written, segments: [root, name = ''] }) => {
    if (root !== 'inputs') return `{{${written}}}: a placeholder in a value must be {{inputs.x}}`
    return inputs && !inputs.has(name) ? `{{${written}}}: there is no such input` : []
  })
  return [...ofPolicy, ...wrong.map((message) => ({ path, message }))]
}

const policyShape = objectShape('policy', Object.keys(AlertPolicy.shape))

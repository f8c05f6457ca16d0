import { hasContract, type Issue, type SourceBinding, type TriggerSpec } from '@tocsin/contract'
import { issueUnless } from '../base/issue-unless.ts'
import { bindSpec, type SourceSpec } from '../sources/bindings.ts'
import { checkSourceName, checkSpec } from './check-spec.ts'

/** Checks the sources of a trigger on several sources. */
export async function checkBindings(
  triggerSpec: TriggerSpec | null,
  bindings: readonly SourceBinding[] | undefined,
  path: string,
): Promise<Issue[]> {
  if (!bindings) return []
  if (!triggerSpec || !('dataSource' in triggerSpec))
    return [{ path, message: 'need a triggerSpec that reads a data source' }]
  const ids = bindings.map(({ id }) => id)
  const issues = issueUnless(
    bindings.some(({ dataSource }) => dataSource === triggerSpec.dataSource),
    'triggerSpec.dataSource',
    'must be the dataSource of one of the sourceBindings',
  )
  for (const [index, binding] of bindings.entries()) {
    const at = `${path}.${index}`
    const isRepeated = ids.indexOf(binding.id) < index
    issues.push(
      ...issueUnless(!isRepeated, `${at}.id`, `another binding has the id ${binding.id}`),
      ...checkSourceName(binding.dataSource, `${at}.dataSource`),
      ...(await checkContract(triggerSpec, binding, at)),
    )
  }
  return issues
}

/** The contract of a binding follows the rules of the spec's contract. */
async function checkContract(spec: SourceSpec, binding: SourceBinding, path: string): Promise<Issue[]> {
  if (binding.contract === undefined) return []
  if (!hasContract(spec.type))
    return [{ path: `${path}.contract`, message: `a triggerSpec of type ${spec.type} has no contract` }]
  const issues = await checkSpec(bindSpec(spec, binding), path)
  return issues.filter((issue) => `${issue.path}.`.startsWith(`${path}.contract.`))
}

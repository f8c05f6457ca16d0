import { SimpleGrid } from '@mantine/core'
import type { Issue } from '@tocsin/contract'
import { Details } from '../../../../components/details.tsx'
import type { Fields } from '../../model/definition.ts'
import { withParts } from '../../model/provider-options.ts'
import type { Builder } from '../state/builder-state.ts'
import { NumberFields } from './number-fields.tsx'

const limits = [
  [
    'maxProviderCallsPerRun',
    'Provider calls',
    '1 to 50. Leave empty for 20, or one for each provider if there are more.',
  ],
  ['timeoutMs', 'Time for all providers (ms)', '100 to 30,000. Leave empty for 10,000.'],
  ['maxResponseBytes', 'Size of an answer (bytes)', '1,024 to 1,048,576. Leave empty for 262,144.'],
  ['maxExecutionConcurrency', 'Runs at the same time', '1 to 32. Leave empty for 4.'],
] as const

/** The limits of one run of the trigger. Without any limit the definition has no execution policy. */
export function RunLimits({ builder, issues }: { builder: Builder; issues: Issue[] }) {
  const { state, dispatch } = builder
  const policy = state.definition.executionPolicy ?? {}
  const put = (part: Fields) => {
    const next = withParts(policy, part)
    dispatch({ type: 'change', part: { executionPolicy: Object.keys(next).length === 0 ? null : next } })
  }
  const errorOf = (name: string) => issues.find(({ path }) => path === `executionPolicy.${name}`)?.message
  return (
    <Details summary="Limits of a run" isOpen={Object.keys(policy).length > 0}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" role="group" aria-label="Limits of a run">
        <NumberFields fields={limits} values={policy} put={put} errorOf={errorOf} />
      </SimpleGrid>
    </Details>
  )
}

import { NumberInput } from '@mantine/core'
import type { Issue } from '@tocsin/contract'
import { issueAt } from '../../../../components/issue-list.tsx'
import type { Builder } from '../state/builder-state.ts'

/** Which blocks a trigger on blocks matches. */
export function BlockFields({ builder: { state, dispatch }, issues }: { builder: Builder; issues: Issue[] }) {
  const every = state.definition.triggerSpec?.every
  return (
    <NumberInput
      label="Every"
      description="Matches the blocks whose number is divisible by this number. Leave empty for every block."
      placeholder="1"
      value={typeof every === 'number' ? every : ''}
      onChange={(value) =>
        dispatch({ type: 'changeSpec', part: { every: typeof value === 'number' ? value : undefined } })
      }
      error={issueAt(issues, 'triggerSpec.every')}
      min={1}
      max={100_000}
      allowDecimal={false}
    />
  )
}
